"""Client: calls a server in memory, as a client of any protocol version."""

import asyncio
import itertools
import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import CoroutineType
from typing import Any, Final, NamedTuple

from mcpcore.definitions.built import BuiltServer
from mcpcore.engine.engine import Engine
from mcpcore.protocol.errors import McpError
from mcpcore.protocol.jsonrpc import Message, Request, Response, encode
from mcpcore.protocol.versions import HANDSHAKE_VERSIONS, RESUMABLE_VERSIONS, STATELESS_VERSIONS
from mcpcore.request.admitted import Admitted, AnswerTo, Resume
from mcpcore.request.envelope import (
    CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    LOG_LEVEL_KEY,
    VERSION_KEY,
    require_supported_version,
)
from mcpcore.request.environment import RequestEnvironment
from mcpcore.request.messages import admit_message
from mcpcore.request.outcome import Completed, Failed, NoReply, Outcome, RequestRecord, Stream
from mcpcore.request.principal import Principal
from mcpcore.server.server import Server
from mcpcore.sessions.ids import ExchangeId, SessionId, parse_event_id
from mcpcore.sessions.memory import MemorySessions
from mcpcore.sessions.store import SessionStore
from mcpcore.testing.answers import ClientAnswers, OnElicit, OnSample

__all__ = ["Client", "ToolResponse"]

_MAX_ROUNDS: Final = 100


class ToolResponse(NamedTuple):
    """The result of a tool call; `structured` is None if the client's version or the tool has none.

    `meta` is its `_meta`, with the server's info if the version has that.
    """

    content: list[dict[str, Any]]
    structured: Any
    is_error: bool
    meta: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The text blocks, joined by line feeds."""
        return "\n".join(block["text"] for block in self.content if block["type"] == "text")


class Client:
    """A client of `server`, which may still be unbuilt.

    `protocol_version` is any supported version. The client declares the capabilities for which it has an
    answer (`on_elicit`, `on_sample`, `roots`), unless `capabilities` says otherwise; it wants progress, and
    log messages from `log_level` on (None: the version's default). `clock` gives seconds since the epoch.
    `principal` is who sends the requests, None for a server without authorization; it may be changed later.

    After each request `outcome` has its outcome, `record` the fields of its log line, and `notifications`
    the notifications that came before the answer.

    Raises:
        TypeError: `server` is something else.
        DefinitionError: the server cannot be built.
        McpError: the version is not supported.
    """

    def __init__(
        self,
        server: Server | BuiltServer,
        *,
        protocol_version: str = STATELESS_VERSIONS[-1],
        capabilities: Mapping[str, Any] | None = None,
        on_elicit: OnElicit | None = None,
        on_sample: OnSample | None = None,
        roots: Sequence[str] | None = None,
        log_level: str | None = "debug",
        sessions: SessionStore | None = None,
        principal: Principal | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if not isinstance(server, Server | BuiltServer):
            raise TypeError(f"a Client calls a Server, and this is {server!r}")
        built = server.build() if isinstance(server, Server) else server
        self._engine = Engine(built, sessions or MemorySessions())
        self._version = protocol_version
        self._answers = ClientAnswers(on_elicit=on_elicit, on_sample=on_sample, roots=roots)
        self._capabilities = self._answers.capabilities() if capabilities is None else capabilities
        self._log_level = log_level
        self._clock = clock
        self.principal = principal
        self._ids = itertools.count(1)
        self._session_id: SessionId | None = None
        self._outcome: Outcome | None = None
        self.notifications: list[dict[str, Any]] = []
        self._open_session()

    @property
    def outcome(self) -> Outcome:
        """The outcome of the last request.

        Raises:
            LookupError: there was no request yet.
        """
        if self._outcome is None:
            raise LookupError("the client has not sent a request yet")
        return self._outcome

    @property
    def record(self) -> RequestRecord:
        """The fields of the last request for its log line and metrics; see `outcome`."""
        return self.outcome.record

    def list_tools(self) -> list[dict[str, Any]]:
        """Every Tool object, all pages together."""
        return self._list("tools/list", "tools")

    def list_resources(self) -> list[dict[str, Any]]:
        """Every Resource object, all pages together."""
        return self._list("resources/list", "resources")

    def list_resource_templates(self) -> list[dict[str, Any]]:
        """Every ResourceTemplate object, all pages together."""
        return self._list("resources/templates/list", "resourceTemplates")

    def list_prompts(self) -> list[dict[str, Any]]:
        """Every Prompt object, all pages together."""
        return self._list("prompts/list", "prompts")

    def call_tool(
        self, name: str, arguments: Mapping[str, Any] | None = None, /, **named: Any
    ) -> ToolResponse:
        """The result of a tool; arguments as a mapping, or by name.

        Raises:
            McpError: the call ended with a protocol error. A tool execution error is a result.
        """
        found = self.request("tools/call", {"name": name, "arguments": {**(arguments or {}), **named}})
        structured = found.get("structuredContent")
        return ToolResponse(found["content"], structured, found.get("isError", False), found.get("_meta", {}))

    def read_resource(self, uri: str) -> list[dict[str, Any]]:
        """The contents under a URI.

        Raises:
            McpError: there is no such resource, or reading it failed.
        """
        contents: list[dict[str, Any]] = self.request("resources/read", {"uri": uri})["contents"]
        return contents

    def get_prompt(self, name: str, /, **arguments: str) -> list[dict[str, Any]]:
        """The messages of a prompt.

        Raises:
            McpError: there is no such prompt, its arguments are wrong, or it failed.
        """
        found = self.request("prompts/get", {"name": name, "arguments": arguments})
        messages: list[dict[str, Any]] = found["messages"]
        return messages

    def complete(
        self, argument: str, typed: str, *, prompt: str = "", resource: str = "", **others: str
    ) -> list[str]:
        """The values that complete an argument of a prompt, or a variable of a resource template.

        Raises:
            McpError: there is no such prompt, template or argument.
        """
        reference = {"type": "ref/prompt", "name": prompt}
        if resource:
            reference = {"type": "ref/resource", "uri": resource}
        params = {
            "ref": reference,
            "argument": {"name": argument, "value": typed},
            "context": {"arguments": others},
        }
        values: list[str] = self.request("completion/complete", params)["completion"]["values"]
        return values

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The result of any method, after answering the server's questions.

        Raises:
            McpError: the request ended with a protocol error.
        """
        self.notifications = []
        request_id = next(self._ids)
        if self._session_id is None:
            return self._request_modern(request_id, method, params or {})
        meta = {"_meta": {"progressToken": request_id}}
        request = Request(request_id, method, _as_json({**(params or {}), **meta}))
        return self._follow(self._answer(self._admit(request)))

    def _open_session(self) -> None:
        if self._version not in HANDSHAKE_VERSIONS:
            require_supported_version(self._version)
            return
        params = {
            "protocolVersion": self._version,
            "capabilities": self._capabilities,
            "clientInfo": {"name": "test", "version": ""},
        }
        initialize = Request(0, "initialize", _as_json(params))
        outcome = self._answer(self._admit(initialize))
        opened = self._follow(outcome)
        self._session_id = outcome.record.session_id
        if self._log_level is not None and "logging" in opened["capabilities"]:
            self.request("logging/setLevel", {"level": self._log_level})

    def _request_modern(self, request_id: int, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        meta = {
            VERSION_KEY: self._version,
            CAPABILITIES_KEY: self._capabilities,
            CLIENT_INFO_KEY: {"name": "test", "version": ""},
            "progressToken": request_id,
            **({} if self._log_level is None else {LOG_LEVEL_KEY: self._log_level}),
        }
        params = {**params, "_meta": meta}
        for _ in range(_MAX_ROUNDS):
            request = Request(request_id, method, _as_json(params))
            found = self._follow(self._answer(self._admit(request)))
            if found["resultType"] != "input_required":
                return found
            answers = {key: self._answers.to(question) for key, question in found["inputRequests"].items()}
            params = {**params, "inputResponses": answers, "requestState": found["requestState"]}
        raise RuntimeError(f"{method} asked {_MAX_ROUNDS} times and did not end")

    def _follow(self, outcome: Outcome) -> dict[str, Any]:
        """The result of a request, with its stream resumed until it ends."""
        for _ in range(_MAX_ROUNDS):
            match outcome.reply:
                case Completed(_, result, notifications):
                    self.notifications += map(json.loads, notifications)
                    found: dict[str, Any] = json.loads(result)
                    return found
                case Failed(_, error):
                    raise error
                case Stream() as stream:
                    if (response := self._read(stream)) is not None:
                        return _result_of(response)
                    exchange_id, position = parse_event_id(stream.events[-1].id) or ("", 0)
                    session_id = self._session_id or SessionId("")
                    resume = Resume(session_id, ExchangeId(exchange_id), position, RESUMABLE_VERSIONS)
                    outcome = self._answer(resume)
                case NoReply():
                    raise TypeError("a request was not answered")
        raise RuntimeError(f"the request was resumed {_MAX_ROUNDS} times and did not end")

    def _read(self, stream: Stream) -> dict[str, Any] | None:
        """Take the messages of a stream: answer its questions; its response, if it is there."""
        for event in stream.events:
            message = json.loads(event.data) if event.data else {}
            if "id" not in message:
                self.notifications += [message] if message else []
            elif "method" not in message:
                response: dict[str, Any] = message
                return response
            else:
                self._respond(message)
        return None

    def _respond(self, question: Mapping[str, Any]) -> None:
        admitted = self._admit(Response(question["id"], self._answers.to(question), None))
        if not isinstance(admitted, AnswerTo):
            raise TypeError(f"the server asked under the malformed id {question['id']!r}")
        outcome = self._answer(admitted)
        if isinstance(outcome.reply, Failed):
            raise outcome.reply.error

    def _admit(self, message: Message) -> Admitted | Outcome:
        return admit_message(message, self._session_id, RESUMABLE_VERSIONS)

    def _answer(self, admitted: Admitted | Outcome) -> Outcome:
        if isinstance(admitted, Outcome):
            self._outcome = admitted
            return admitted
        now = self._clock()
        environment = RequestEnvironment(
            now,
            lambda: SessionId(f"session-{next(self._ids)}"),
            session_ttl_seconds=3600,
            deadline=now + 20,
            ends_at=now + 29,
            run=_run,
            state_secrets=lambda: (b"the state secret of tests",),
            principal=self.principal,
            principal_digest="" if self.principal is None else _digest(self.principal),
        )
        self._outcome = self._engine.answer(admitted, environment)
        return self._outcome

    def _list(self, method: str, member: str) -> list[dict[str, Any]]:
        page = self.request(method)
        items: list[dict[str, Any]] = page[member]
        while "nextCursor" in page:
            page = self.request(method, {"cursor": page["nextCursor"]})
            items += page[member]
        return items


def _run(work: Callable[[], Any], _seconds: float) -> Any:
    found = work()
    if not isinstance(found, CoroutineType):
        return found
    # In a thread, because the test may run in an event loop of its own.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, found).result()


def _digest(principal: Principal) -> str:
    return f"{principal.issuer} {principal.subject}"


def _as_json(value: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(encode(value))
    return found


def _result_of(response: Mapping[str, Any]) -> dict[str, Any]:
    if "error" in response:
        raise McpError(response["error"]["message"], response["error"].get("data"))
    result: dict[str, Any] = response["result"]
    return result
