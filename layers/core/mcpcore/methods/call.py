"""The input of a method and its result."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mcpcore.definitions.built import BuiltServer, CacheHint
from mcpcore.protocol.errors import InsufficientScope, InvalidParams, McpError
from mcpcore.protocol.jsonrpc import encode, json_type
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS
from mcpcore.questions.replay import InputRequired
from mcpcore.request.context import Context
from mcpcore.request.envelope import Envelope
from mcpcore.request.run import HandlerRun

if TYPE_CHECKING:
    from mcpcore.questions.question import Question
    from mcpcore.sessions.store import StoreAction

__all__ = ["Call", "MethodResult", "constant", "empty", "encode_result"]

_PRIVATE: Final = CacheHint(0, "private")


class Call(NamedTuple):
    """A request whose method is called."""

    server: BuiltServer
    method: str
    params: Mapping[str, Any]
    envelope: Envelope
    run: HandlerRun

    def text_param(self, name: str) -> str:
        """The param of that name.

        Raises:
            InvalidParams: it is missing or not a string.
        """
        value = self.params.get(name)
        if not isinstance(value, str):
            raise InvalidParams(f"Invalid params: {name} must be a string")
        return value

    def arguments(self) -> Mapping[str, Any]:
        """`params.arguments`; empty if absent or null, or the empty array that PHP writes for it.

        Raises:
            InvalidParams: it is another value than an object.
        """
        value = self.params.get("arguments")
        if value is None or value == []:
            return {}
        if not isinstance(value, Mapping):
            raise InvalidParams(f"Invalid params: arguments must be an object, not {json_type(value)}")
        return value

    def require_scopes(self, scopes: frozenset[str]) -> None:
        """Pass when the principal has all of `scopes`, or when the server has no authorization.

        Raises:
            InsufficientScope: it lacks one of them; the error names all.
        """
        principal = self.run.environment.principal
        if scopes and principal is not None and not scopes <= principal.scopes:
            raise InsufficientScope(scopes)

    def invoke(
        self, function: Callable[..., Any], arguments: Mapping[str, Any], context_parameter: str = ""
    ) -> Any:
        """The result of a handler's function, within the deadline; a coroutine is run to its end.

        `context_parameter` is the parameter that gets the `Context`; empty if the function has none.

        Raises:
            InputRequired: it asks the client; questions of concurrent tasks are asked together.
            RuntimeError: it raised an exception that would end the process, as `sys.exit()` does.
        """
        if context_parameter:
            arguments = {**arguments, context_parameter: Context(self.run)}
        return self.within_deadline(partial(function, **arguments))

    def within_deadline(self, work: Callable[[], Any]) -> Any:
        """The result of `work()`; see `invoke`."""
        environment = self.run.environment
        try:
            return environment.run(work, environment.deadline - environment.now)
        except (Exception, InputRequired, KeyboardInterrupt):
            raise
        except BaseExceptionGroup as group:
            raise _ungrouped(group) from group
        # SystemExit, CancelledError and the like would end the process, with the requests of other users.
        except BaseException as escaped:
            raise RuntimeError(f"{type(escaped).__name__} escaped from the handler") from escaped

    def result(self, members: Mapping[str, Any], *, cacheable: bool = False) -> bytes:
        """The encoded result with these members, and the members that every result of its version has.

        A result made from a user's answers is for this user alone, and may differ the next time.
        """
        cache = (_PRIVATE if self.run.received else self.server.cache) if cacheable else None
        return encode_result(self.server, self.envelope.version, members, cache)


class MethodResult(NamedTuple):
    """An encoded result. `error` is the error that the result of a tool carries, for log and metrics."""

    result: bytes
    error: McpError | None = None
    action: "StoreAction | None" = None


def encode_result(
    server: BuiltServer, version: str, members: Mapping[str, Any], cache: CacheHint | None = None
) -> bytes:
    """The encoded result that a client of `version` gets; `cache` is for results that can be cached."""
    if version in HANDSHAKE_VERSIONS:
        return encode(members)
    caching = {} if cache is None else {"ttlMs": cache.ttl_ms, "cacheScope": cache.scope}
    tail = server.modern_tail
    if "_meta" in members:
        tail = {**tail, "_meta": {**members["_meta"], **tail["_meta"]}}
    return encode({**members, **caching, **tail})


def constant(call: Call) -> MethodResult:
    """The result that was encoded when the server was built."""
    return MethodResult(call.server.constants[call.envelope.version, call.method])


def empty(call: Call) -> MethodResult:
    """An empty result."""
    return MethodResult(call.result({}))


def _ungrouped(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The questions of a group that holds nothing else, as `asyncio.TaskGroup` raises it; or a failure."""
    asking, others = group.split(InputRequired)
    if asking is None or others is not None:
        return RuntimeError(f"{group} escaped from the handler")
    return InputRequired(_questions(asking))


def _questions(group: BaseExceptionGroup[InputRequired]) -> "dict[str, Question]":
    found: dict[str, Question] = {}
    for raised in group.exceptions:
        found |= _questions(raised) if isinstance(raised, BaseExceptionGroup) else raised.questions
    return found
