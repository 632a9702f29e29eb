"""The answers that a client for tests gives to the server's questions."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any, Final, TypeAlias

from mcpcore.protocol.jsonrpc import encode

__all__ = ["ClientAnswers", "OnElicit", "OnSample"]

OnElicit: TypeAlias = Callable[[str, Mapping[str, Any]], object]
"""From the message and the form's JSON Schema to the user's answer; for a page, from the message and
`{"mode": "url", "url": …}`.

The answer is the content of the form, as a mapping, dataclass or pydantic model, or anything for a visited
page; or "decline", or "cancel".
"""

OnSample: TypeAlias = Callable[[Mapping[str, Any]], str]
"""From the params of `sampling/createMessage` to the text that the model writes."""

_CAPABILITIES: Final[Mapping[str, Mapping[str, Any]]] = {
    "elicitation/create": {"elicitation": {"form": {}, "url": {}}},
    "sampling/createMessage": {"sampling": {"tools": {}}},
    "roots/list": {"roots": {}},
}


class ClientAnswers:
    """An answer for each kind of question that the client is given one for."""

    def __init__(
        self, *, on_elicit: OnElicit | None, on_sample: OnSample | None, roots: Sequence[str] | None
    ) -> None:
        self._by_method: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {}
        if on_elicit is not None:
            self._by_method["elicitation/create"] = lambda params: _elicited(on_elicit, params)
        if on_sample is not None:
            self._by_method["sampling/createMessage"] = lambda params: _sampled(on_sample, params)
        if roots is not None:
            self._by_method["roots/list"] = lambda _params: {"roots": [{"uri": uri} for uri in roots]}

    def capabilities(self) -> dict[str, Any]:
        """The capabilities that declare these kinds of questions."""
        return {name: value for method in self._by_method for name, value in _CAPABILITIES[method].items()}

    def to(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The result for a request of the server.

        Raises:
            LookupError: the client has no answer to requests of this kind.
        """
        method = question["method"]
        if method not in self._by_method:
            raise LookupError(f"the server sent {method}, and the client has no answer to it")
        answer: dict[str, Any] = json.loads(encode(self._by_method[method](question["params"])))
        return answer


def _elicited(on_elicit: OnElicit, params: Mapping[str, Any]) -> dict[str, Any]:
    page = {"mode": "url", "url": params["url"]} if params.get("mode") == "url" else None
    found = on_elicit(params["message"], page or params["requestedSchema"])
    if isinstance(found, str):
        return {"action": found}
    if page is not None:
        return {"action": "accept"}
    return {"action": "accept", "content": _content(found)}


def _content(answer: object) -> object:
    if is_dataclass(answer) and not isinstance(answer, type):
        return asdict(answer)
    dump = getattr(answer, "model_dump", None)
    return answer if dump is None else dump(mode="json")


def _sampled(on_sample: OnSample, params: Mapping[str, Any]) -> dict[str, Any]:
    content = {"type": "text", "text": on_sample(params)}
    return {"role": "assistant", "content": content, "model": "test"}
