"""What a method is called with and what it gives back."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from mcpcore.definitions.built import BuiltServer, CacheHint
from mcpcore.methods.pagination import page_at
from mcpcore.protocol.errors import InvalidParams
from mcpcore.protocol.jsonrpc import encode
from mcpcore.protocol.versions import Era
from mcpcore.questions.question import InputRequired, Question
from mcpcore.request.context import Context
from mcpcore.request.envelope import Envelope
from mcpcore.sessions.store import Action

__all__ = ["Answer", "Call", "constant", "empty", "paged"]

T = TypeVar("T")


class Call(NamedTuple):
    """A request that has passed admission."""

    server: BuiltServer
    method: str
    params: Mapping[str, Any]
    envelope: Envelope
    context: Context

    def tool_name(self) -> str:
        """The tool that is called, if it is one of ours; else nothing, so that it can be counted by."""
        name = self.params.get("name") if self.method == "tools/call" else None
        return name if isinstance(name, str) and name in self.server.tools else ""

    def text_param(self, name: str) -> str:
        """The param of that name.

        Raises:
            InvalidParams: it is missing or not a string.
        """
        value = self.params.get(name)
        if not isinstance(value, str):
            raise InvalidParams(f"Invalid params: {name} must be a string")
        return value

    def run(self, function: Callable[..., Any], **arguments: Any) -> Any:
        """What the engineer's `function` gives back, awaited if need be, within the deadline.

        Raises:
            InputRequired: it asks the client; questions of concurrent tasks are asked together.
            RuntimeError: it tried to end more than itself, as `sys.exit()` does.
        """
        return self.within_deadline(partial(function, **arguments))

    def within_deadline(self, work: Callable[[], Any]) -> Any:
        """What `work()` gives back; see `run`."""
        environment = self.context.environment
        try:
            return environment.run(work, environment.deadline - environment.now)
        except (Exception, InputRequired, KeyboardInterrupt):
            raise
        except BaseExceptionGroup as group:
            raise _ungrouped(group) from group
        # SystemExit, CancelledError and the like would end the process, and with it other users' requests.
        except BaseException as escaped:
            raise RuntimeError(f"{type(escaped).__name__} escaped from the work") from escaped

    def result(self, members: Mapping[str, Any], *, cacheable: bool = False) -> bytes:
        """A result with these members, and what the era adds to every result.

        What was made of a user's answers is for this user alone, and may be other the next time.
        """
        if self.envelope.era is Era.LEGACY:
            return encode(members)
        cache = CacheHint(0, "private") if self.context.heard else self.server.cache
        kept = {"ttlMs": cache.ttl_ms, "cacheScope": cache.scope} if cacheable else {}
        return encode({**members, **kept, **self.server.modern_tail})


class Answer(NamedTuple):
    """An encoded result. `failed` marks a tool error, `cause` the exception that it hides from the client."""

    result: bytes
    failed: bool = False
    cause: Exception | None = None
    actions: tuple[Action, ...] = ()


def _ungrouped(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The questions of a group that has nothing else, as `asyncio.TaskGroup` raises it; or a failure."""
    asking, others = group.split(InputRequired)
    if asking is None or others is not None:
        return RuntimeError(f"{group} escaped from the work")
    return InputRequired(_questions(asking))


def _questions(group: BaseExceptionGroup[InputRequired]) -> dict[str, Question]:
    found: dict[str, Question] = {}
    for raised in group.exceptions:
        found |= _questions(raised) if isinstance(raised, BaseExceptionGroup) else raised.questions
    return found


def constant(call: Call) -> Answer:
    """The result that was encoded when the server was built."""
    return Answer(call.server.constants[call.envelope.version, call.method])


def empty(call: Call) -> Answer:
    """An empty result."""
    return Answer(call.result({}))


def paged(
    call: Call, member: str, items: Callable[[], Sequence[T]], to_wire: Callable[[T, str], Mapping[str, Any]]
) -> Answer:
    """One page of a list; the first one comes from the constants when the whole list does not change.

    Raises:
        InvalidParams: the cursor is none of ours.
    """
    first = "cursor" not in call.params
    encoded = call.server.constants.get((call.envelope.version, call.method))
    if first and encoded is not None:
        return Answer(encoded)
    page = page_at(
        items(),
        call.params.get("cursor"),
        first=first,
        size=call.server.page_size,
        name=call.method,
    )
    members: dict[str, Any] = {member: [to_wire(item, call.envelope.version) for item in page.items]}
    if page.next_cursor is not None:
        members["nextCursor"] = page.next_cursor
    return Answer(call.result(members, cacheable=True))
