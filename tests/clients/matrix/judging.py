"""Whether a client found what the product offers: its driver's lines, compared with `offered`."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from mcpcore.protocol.versions import SUPPORTED_VERSIONS
from tests.clients.matrix.table import STEPS
from tests.clients.offered import CATEGORY, FOUND, PROMPT, RESOURCES, TOOLS

__all__ = ["Cell", "judge", "read_lines"]

_PROMPTS: Final = ["research_topic"]
_FIRST: Final = CATEGORY["sources"][0]
_LONGEST_REASON: Final = 200


class Cell(NamedTuple):
    """The outcome of one step; `reason` is why it fails."""

    state: Literal["works", "absent", "fails"]
    reason: str = ""


def read_lines(output: str) -> dict[str, dict[str, Any]]:
    """The reports in a driver's output, by step; of several on one step an error counts, else the first."""
    parsed = [_parsed(line) for line in output.splitlines()]
    reports = [each for each in parsed if isinstance(each, dict) and each.get("step") in STEPS]
    errors = {each["step"]: each for each in reports if "error" in each}
    return {each["step"]: each for each in reversed(reports)} | errors


def judge(reports: Mapping[str, Mapping[str, Any]], *, ended: str | None) -> dict[str, Cell]:
    """A cell for each step. `ended` is how the driver's process ended, if not well."""
    cells = {step: _cell(step, reports.get(step), ended) for step in STEPS}
    if ended is not None and cells["close"].state == "works":
        cells["close"] = Cell("fails", ended)
    return cells


def _cell(step: str, report: Mapping[str, Any] | None, ended: str | None) -> Cell:
    if report is None:
        return Cell("fails", ended or "the driver reported nothing")
    if "error" in report:
        return Cell("fails", _shortened(str(report["error"])))
    if report.get("absent") is True:
        return Cell("absent")
    found = report.get("found")
    if _RIGHT[step](found):
        return Cell("works")
    count = f"{len(found)} items, " if isinstance(found, list) else ""
    return Cell("fails", _shortened(f"not what is offered: {count}{found}"))


def _is_version(found: Any) -> bool:
    return found is None or found in SUPPORTED_VERSIONS


def _is_answer(found: Any) -> bool:
    """True for the whole structured content; without it, for a text with the first source's name and URL."""
    documents = [each for each in _documents(found) if "sources" in each]
    if documents:
        return all(document == FOUND for document in documents)
    return any(_FIRST["name"] in text and _FIRST["url"] in text for text in _texts(found))


def _is_refusal(found: Any) -> bool:
    text = " ".join(_texts(found))
    return len(text.split()) > 1 and _FIRST["url"] not in text


def _is_category(found: Any) -> bool:
    return list(_documents(found))[:1] == [CATEGORY]


def _is_prompt(found: Any) -> bool:
    shown = "\n".join(_texts(found))
    return all(text in shown for text in PROMPT)


def _same_names(offered: Sequence[str]) -> Callable[[Any], bool]:
    """True for these names in any order, each as it is or after a prefix that the client puts before all."""

    def check(found: Any) -> bool:
        if not isinstance(found, list) or not all(isinstance(name, str) for name in found) or not found:
            return False
        prefix = min(found, key=len).removesuffix(min(offered, key=len))
        return sorted(found) == sorted(prefix + name for name in offered)

    return check


_RIGHT: Final[Mapping[str, Callable[[Any], bool]]] = {
    "connect": _is_version,
    "tools": _same_names(TOOLS),
    "call": _is_answer,
    "unknown": _is_refusal,
    "resources": lambda found: isinstance(found, list) and sorted(map(str, found)) == sorted(RESOURCES),
    "read": _is_category,
    "prompts": _same_names(_PROMPTS),
    "prompt": _is_prompt,
    "close": lambda found: found is True,
}


def _documents(found: Any) -> Iterator[dict[str, Any]]:
    """Every JSON object in `found`, those in its texts included; not those within another."""
    if isinstance(found, str):
        found = _parsed(found)
    if isinstance(found, dict) and ("category" in found or "sources" in found):
        yield found
    elif isinstance(found, dict | list):
        for each in found.values() if isinstance(found, dict) else found:
            yield from _documents(each)


def _texts(found: Any) -> Iterator[str]:
    if isinstance(found, str):
        yield found
        found = _parsed(found)
    if isinstance(found, dict | list):
        for each in found.values() if isinstance(found, dict) else found:
            yield from _texts(each)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]} …"
