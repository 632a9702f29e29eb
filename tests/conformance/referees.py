"""The referees other than the official suite: each judges the product, over HTTP, over stdio, or both.

They are in an environment of their own, which has what `referees.txt` pins.
"""

import json
import re
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.support.processes import ROOT, plain_environment
from tests.support.python_environment import environment_of
from tests.support.serving import command, serving

__all__ = ["REFEREES", "Finding", "Report", "judge_product"]

_LOCK: Final = Path(__file__).parent / "referees.txt"
_TIMEOUT_SECONDS: Final = 60

# A row of mcp-lighthouse's report: its status, the check, category, severity, message and time.
_ROW: Final = re.compile(r"\| (\w+) \| `([\w-]+)` \| \w+ \| \w+ \| (.*) \| \d+ ms \|")
_SCORE: Final = re.compile(r"Overall Score: \*\*(\S+)\*\*")


class Finding(NamedTuple):
    """A check that a referee does not count as passed, and its words on it."""

    check: str
    message: str


class Report(NamedTuple):
    """The verdict of one referee over one transport."""

    referee: str
    version: str
    transport: str
    passed: int
    findings: Sequence[Finding]
    score: str

    @property
    def judged(self) -> bool:
        """True when the referee came so far as to pass a check."""
        return self.passed > 0


class Product(NamedTuple):
    """How the product is reached."""

    transport: str
    url: str
    program: Sequence[str]

    @property
    def over_http(self) -> bool:
        """True over HTTP, at `url`; otherwise `program` is started."""
        return self.transport == "HTTP"


class Verdict(NamedTuple):
    """What was read from the output of a referee."""

    passed: int
    findings: Sequence[Finding]
    score: str


def mcp_conform(program: Path, product: Product, folder: Path) -> Verdict:
    """24 checks of the handshake, the list of tools and the error for an unknown method."""
    target = ["--transport", "http", "--url", product.url.removesuffix("/mcp")]  # which it adds
    if not product.over_http:
        target = ["--transport", "stdio", "--command", shlex.join(product.program)]
    document = json.loads(_output(folder, program, "server", "--format", "json", *target))
    failed = [check for check in document["checks"] if not check["passed"]]
    findings = [Finding(check["name"], check["message"]) for check in failed]
    fatal = document["fatal_error"]
    findings += [Finding("fatal_error", fatal)] if fatal else []
    return Verdict(document["passed"], findings, f"{document['passed']}/{document['total']}")


def mcp_lighthouse(program: Path, product: Product, folder: Path) -> Verdict:
    """25 checks of protocol, tools' schemas, bad requests, good practice and speed."""
    target = ["--http", product.url] if product.over_http else ["--stdio", shlex.join(product.program)]
    written = folder / f"lighthouse-{product.transport}.md"
    _output(folder, program, "scan", *target, "--report", str(written))
    report = written.read_text()
    rows = _ROW.findall(report)
    findings = [Finding(check, message) for status, check, message in rows if status != "Passed"]
    score = _SCORE.search(report)
    return Verdict(len(rows) - len(findings), findings, score[1] if score else "none")


def mcpscore(program: Path, product: Product, folder: Path) -> Verdict:
    """Rules of several revisions, and on the quality of what is listed."""
    arguments = ["--json", "--no-config", "--stdio", *product.program]
    document = json.loads(_output(folder, program, *arguments))
    rules: list[Mapping[str, Any]] = [*document["results"], *document["readiness"]["results"]]
    findings = [
        Finding(rule["rule_id"], _first_sentence(rule["message"])) for rule in rules if not rule["passed"]
    ]
    return Verdict(len(rules) - len(findings), findings, f"{document['score']}/{document['max_score']}")


class Referee(NamedTuple):
    """How a referee is run, and the transports that it judges."""

    run: Callable[[Path, Product, Path], Verdict]
    transports: Sequence[str] = ("HTTP", "stdio")


REFEREES: Final[Mapping[str, Referee]] = {
    "mcp-conform": Referee(mcp_conform),
    "mcp-lighthouse": Referee(mcp_lighthouse),
    # Over HTTP it also connects to this machine's addresses in other networks; tests stay on loopback.
    "mcpscore": Referee(mcpscore, ("stdio",)),
}


def judge_product(folder: Path) -> list[Report]:
    """The report of every referee over every transport; `folder` takes what they write."""
    programs = environment_of(_LOCK) / "bin"
    with serving(folder) as served:
        program = command("threegood_local.stdio")
        return [
            Report(name, _version(name), transport, *referee.run(programs / name, product, folder))
            for name, referee in REFEREES.items()
            for transport in referee.transports
            for product in [Product(transport, served.url, program)]
        ]


def _output(folder: Path, program: Path, *arguments: str) -> str:
    """What a referee prints. Its exit status tells no more than its report."""
    with (folder / "referees.log").open("ab") as log:
        ended = subprocess.run(
            [program, *arguments],
            cwd=ROOT,
            env=plain_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    return ended.stdout


def _version(name: str) -> str:
    """The version that the lock file pins."""
    pinned = re.search(rf"^{name}==(\S+)", _LOCK.read_text(), re.MULTILINE)
    assert pinned is not None
    return pinned[1]


def _first_sentence(message: str) -> str:
    return message.strip(" ❌").partition(". ")[0].rstrip(".")
