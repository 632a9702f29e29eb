"""`make clients`: what each client can do with the locally served product, over HTTP and stdio."""

import argparse
import datetime
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from tests.clients.matrix.environments import (
    NotInstalled,
    client_command,
    environment_folder,
    install_client,
)
from tests.clients.matrix.page import renewed
from tests.clients.matrix.running import Outcome, run_driver
from tests.clients.matrix.table import Client, read_table
from tests.support.processes import ROOT
from tests.support.serving import command, serving

__all__ = ["Failed", "failures", "main"]

_PAGE: Final = ROOT / "docs" / "clients.md"
_AT_A_TIME: Final = 2


class Failed(NamedTuple):
    """A client that could not be installed, and why."""

    client: Client
    reason: str


def main() -> int:
    """Run the clients; 1 if one cannot do what the lists of clients say it can."""
    arguments = _arguments()
    table = read_table()
    words = [word.strip() for word in arguments.clients.split(",") if word.strip()]
    chosen = [client for client in _chosen(table, words) if client.in_ci or not arguments.ci]
    if arguments.write and len(chosen) < len(table):
        sys.exit("only the results of all clients can be kept")
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as served:
        results = _run(chosen, {"http": [served.url], "stdio": command("threegood_local.stdio")})
    if arguments.write:
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        outcomes = [each for each in results if isinstance(each, Outcome)]
        _PAGE.write_text(renewed(_PAGE.read_text(), outcomes, date=today))
    for line in failures(results):
        print(line)
    failed = sum(isinstance(each, Failed) or bool(each.unexpected) for each in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failures(results) else 0


def failures(results: Sequence[Outcome | Failed]) -> list[str]:
    """A line for each way in which the results differ from what the lists of clients say."""
    not_installed = [
        f"{each.client.label}: not installed: {each.reason}" for each in results if isinstance(each, Failed)
    ]
    outcomes = [each for each in results if isinstance(each, Outcome)]
    unexpected = [
        f"{each.client.label} over {each.transport}: {step}: {reason}"
        for each in outcomes
        for step, reason in each.unexpected.items()
    ]
    return [*not_installed, *unexpected, *_outdated(outcomes)]


def _outdated(outcomes: Sequence[Outcome]) -> list[str]:
    """A line for each step that is listed as failing, and works over every transport."""
    failed = {(each.client.label, step) for each in outcomes for step in each.failures}
    known = dict.fromkeys((each.client.label, step) for each in outcomes for step in each.client.known)
    return [
        f"{label}: {step} is listed as failing, and works"
        for label, step in known
        if (label, step) not in failed
    ]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make clients", description=main.__doc__)
    words = "only those with one of these words in name and version, by commas"
    parser.add_argument("--clients", default="", metavar="WORDS", help=words)
    parser.add_argument("--ci", action="store_true", help="only the versions that CI runs")
    parser.add_argument("--write", action="store_true", help=f"keep the results in {_PAGE.relative_to(ROOT)}")
    return parser.parse_args()


def _chosen(table: Sequence[Client], words: Sequence[str]) -> list[Client]:
    """The clients with one of these words in name and version; all of them if there are no words."""
    for word in words:
        if not any(word in client.label for client in table):
            sys.exit(f"no such client: {word}")
    return [client for client in table if not words or any(word in client.label for word in words)]


def _run(clients: Sequence[Client], targets: Mapping[str, Sequence[str]]) -> list[Outcome | Failed]:
    """The results in the order of `clients`. Those that share an environment run one after the other."""
    groups: dict[Path, list[Client]] = {}
    for client in clients:
        groups.setdefault(environment_folder(client), []).append(client)
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        done = list(pool.map(lambda group: _run_group(group, targets), groups.values()))
    results = [each for group in done for each in group]
    return sorted(results, key=lambda each: clients.index(each.client))


def _run_group(clients: Sequence[Client], targets: Mapping[str, Sequence[str]]) -> list[Outcome | Failed]:
    return [result for client in clients for result in _run_client(client, targets)]


def _run_client(client: Client, targets: Mapping[str, Sequence[str]]) -> list[Outcome | Failed]:
    try:
        install_client(client)
    except NotInstalled as error:
        print(f"{client.label:<40} not installed", flush=True)
        return [Failed(client, str(error))]
    program = client_command(client)
    outcomes: list[Outcome | Failed] = []
    for transport in client.transports:
        outcome = run_driver(client, transport, command=program, target=targets[transport])
        print(_line(outcome), flush=True)
        outcomes.append(outcome)
    return outcomes


def _line(outcome: Outcome) -> str:
    failed = ", ".join(outcome.failures)
    verdict = f"fails: {failed}{'' if outcome.unexpected else ' (known)'}" if failed else "works"
    return f"{outcome.client.label:<40} {outcome.transport:<6} {outcome.protocol or '?':<11} {verdict}"


if __name__ == "__main__":
    sys.exit(main())
