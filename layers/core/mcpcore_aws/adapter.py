"""LambdaAdapter: a server as a Lambda function, behind any of its event sources."""

import os
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from mcpcore import BuiltServer, Engine, Server
from mcpcore.engine.engine import server_fault
from mcpcore.http import HttpRequest, HttpResponse, Policy, admit, response_to
from mcpcore.http.headers import wants_gzip
from mcpcore.protocol.errors import McpError, ReplyTooLarge, UnexpectedError
from mcpcore.protocol.jsonrpc import NoId
from mcpcore.request.admitted import Legacy
from mcpcore.request.outcome import NoReply, Outcome, RequestKind, RequestRecord, failure
from mcpcore_aws.environments import RequestEnvironments
from mcpcore_aws.event_sources import Event, EventSource, event_source_of
from mcpcore_aws.invocation import LambdaContext, LambdaInvocation
from mcpcore_aws.observability import Observer, Served
from mcpcore_aws.sessions import DynamoDBSessions
from mcpcore_aws.settings import (
    DEFAULT_SESSION_TTL_SECONDS,
    DEFAULT_TOOL_TIMEOUT_SECONDS,
    EnvironmentReader,
    RateLimits,
    read_server_settings,
)
from mcpcore_aws.snapstart import DryRequest, register_snapstart_hooks

if TYPE_CHECKING:
    from mcpcore import SessionStore
    from mcpcore.http.compression import Compressor
    from mcpcore.request.admitted import Admitted
    from mcpcore_aws.authorization.authorizer import Authorizer
    from mcpcore_aws.rate_limits import RateLimiter, Verdict

__all__ = ["LambdaAdapter", "Pages"]

T = TypeVar("T")
AnyServer: TypeAlias = Server | BuiltServer
Pages: TypeAlias = Callable[[HttpRequest], HttpResponse | None]
"""What a product answers over HTTP beside MCP; None if it has no page under the request's path."""


class LambdaAdapter:
    """A Lambda handler for `server`: event → request → engine → outcome → reply, and one log line.

    `sessions` stores the sessions of clients older than 2026-07-28; by default they are kept in this process,
    which on Lambda is enough for a first try only. `state_keys` seal what a client brings back when a handler
    asks it something; the first seals, each of them opens, so that a key can be replaced. They can be kept
    in AWS: `state_secret_source` is the ARN of a secret or parameter, which comes first. A handler is
    stopped after `tool_timeout_seconds`, or shortly before Lambda would end the invocation. A reply larger
    than the event source can carry is replaced by an error, on a developer's machine too. `pages` gets the
    requests for other paths than `/mcp` and those below it; MCP answers those that it has no page for.
    `rate_limits` are for each client; what admission refuses is not counted. `authorizer` lets in who may
    call; without one everybody may.

    Raises, when made:
        TypeError: `server` is something else.
        ValueError: a definition of it needs scopes, and there is no `authorizer`.
        DefinitionError: the server cannot be built as defined.
        ValueError: a variable for the log level holds an unknown level (see `Observer`).
    """

    def __init__(
        self,
        server: AnyServer,
        *,
        sessions: "SessionStore | None" = None,
        policy: Policy | None = None,
        session_ttl_seconds: int = DEFAULT_SESSION_TTL_SECONDS,
        tool_timeout_seconds: float = DEFAULT_TOOL_TIMEOUT_SECONDS,
        state_keys: Sequence[bytes] = (),
        state_secret_source: str = "",
        pages: Pages | None = None,
        rate_limits: RateLimits | None = None,
        authorizer: "Authorizer | None" = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if not isinstance(server, Server | BuiltServer):
            raise TypeError(f"a LambdaAdapter serves a Server, and this is {server!r}")
        built = server.build() if isinstance(server, Server) else server
        # No cache may share between callers what they need a token for.
        self.server = _for_everybody(built) if authorizer is None else built.for_one_principal()
        self._authorizer = authorizer
        self._engine = Engine(self.server, _in_memory() if sessions is None else sessions)
        self._policy = policy or Policy()
        self._environments = RequestEnvironments(
            clock,
            session_ttl_seconds=session_ttl_seconds,
            tool_timeout_seconds=tool_timeout_seconds,
            state_keys=tuple(state_keys),
            state_secret_source=state_secret_source,
        )
        self._pages = pages
        self._rate_limits = rate_limits if rate_limits is not None and rate_limits.any() else None
        self._clock = clock
        self._record: Callable[[Served], None] = Observer().record

    @classmethod
    def from_environment(
        cls,
        server: AnyServer | Callable[[], AnyServer] | Callable[[T], AnyServer],
        *,
        settings: Callable[[EnvironmentReader], T] | None = None,
        sessions: "SessionStore | None" = None,
        authorizer: "Authorizer | None" = None,
        pages: Callable[[T], Pages] | None = None,
        dry_requests: Sequence[DryRequest] = (),
        environment: Mapping[str, str] = os.environ,
    ) -> "LambdaAdapter":
        """The handler of a deployed function: settings from `environment`, sessions in DynamoDB.

        `server` may be a function that makes it; with `settings`, which reads the settings of the server
        itself, the function takes these, as does `pages`, which makes the pages. `sessions` stores sessions
        elsewhere, so that no `SESSIONS_TABLE` need be set; `authorizer` takes the place of the one that the
        variables `AUTH_…` describe. `dry_requests` are made before a snapshot if the function uses SnapStart.
        Logging and AWS clients read the variables of the process, whatever `environment` is.

        Raises:
            TypeError: `server` is something else, or its function returned something else.
            SettingsError: variables are wrong or missing; the error names all of them.
            DefinitionError: the server cannot be built as defined.
        """
        reader = EnvironmentReader(environment)
        own_settings = None if settings is None else settings(reader)
        common = read_server_settings(reader, table_required=sessions is None)
        if common.authorized and authorizer is None:
            from mcpcore_aws.authorization.settings import open_authorizer, read_authorization_settings

            authorization = read_authorization_settings(reader)
            reader.require_valid()
            authorizer = open_authorizer(authorization)
        reader.require_valid()
        if callable(server):
            make = cast("Callable[..., AnyServer]", server)
            server = make() if settings is None else make(own_settings)
        in_table = DynamoDBSessions(common.sessions_table) if sessions is None else None
        adapter = cls(
            server,
            sessions=in_table or sessions,
            policy=common.policy,
            session_ttl_seconds=common.session_ttl_seconds,
            tool_timeout_seconds=common.tool_timeout_seconds,
            state_keys=common.state_keys,
            state_secret_source=common.state_secret_source,
            pages=None if pages is None else pages(cast("T", own_settings)),
            rate_limits=common.rate_limits,
            authorizer=authorizer,
        )
        register_snapstart_hooks(adapter, dry_requests, sessions=in_table, environment=environment)
        return adapter

    def __call__(self, event: Event, context: LambdaContext) -> dict[str, Any]:
        """The reply to one event.

        Raises:
            UnknownEvent: no supported event source made the event, so there is no client to answer.
        """
        started = time.perf_counter()
        source = event_source_of(event)
        try:
            outcome, reply = self._serve(source, LambdaInvocation(event, context))
        except Exception as cause:  # such as a malformed event: the client gets an answer, the log the cause
            outcome = server_fault(None, UnexpectedError(), cause)
            reply = source.to_reply(response_to(_UNREAD, outcome, self._policy), event)
        milliseconds = (time.perf_counter() - started) * 1000
        self._log(source.name, context, reply["statusCode"], milliseconds, outcome)
        return reply

    def dry_run_copy(self, record: Callable[[Served], None]) -> "LambdaAdapter":
        """The same handler for dry runs: with sessions of its own in memory, and `record` as its only log."""
        dry_run = copy(self)
        dry_run._engine = Engine(self.server, _in_memory())
        dry_run._record = record
        dry_run._rate_limits = None
        dry_run._authorizer = None
        dry_run._environments = self._environments.for_dry_runs()
        return dry_run

    def _serve(self, source: EventSource, invocation: LambdaInvocation) -> tuple[Outcome, dict[str, Any]]:
        request = source.to_request(invocation.event)
        if self._authorizer is not None:
            authorized = self._authorize(self._authorizer, source, request, invocation)
            if not isinstance(authorized, LambdaInvocation):
                return authorized
            invocation = authorized
        if (page := self._page(source, request)) is not None:
            return self._serve_page(page, source, request, invocation)
        return self._serve_message(source, request, invocation)

    def _serve_message(
        self, source: EventSource, request: HttpRequest, invocation: LambdaInvocation
    ) -> tuple[Outcome, dict[str, Any]]:
        outcome = self._answer(source, request, invocation)
        if invocation.principal is not None:
            outcome = _of_principal(outcome, invocation)
        response = response_to(request, outcome, self._policy)
        if self._authorizer is not None:
            response = self._authorizer.challenged(response, outcome, invocation)
        accepted = request.headers.get("accept-encoding")
        if accepted and source.takes_bytes and wants_gzip(accepted, body_bytes=len(response.body)):
            response = self._compressor.compressed(response, outcome)
        reply = source.to_reply(response, invocation.event)
        if size_bytes := source.excess(response, reply):
            from mcpcore.engine.oversized import replaced_by  # hardly ever needed

            outcome = replaced_by(ReplyTooLarge(size_bytes, source.max_reply_bytes), outcome, self.server)
            reply = source.to_reply(response_to(request, outcome, self._policy), invocation.event)
        return outcome, reply

    def _authorize(
        self,
        authorizer: "Authorizer",
        source: EventSource,
        request: HttpRequest,
        invocation: LambdaInvocation,
    ) -> LambdaInvocation | tuple[Outcome, dict[str, Any]]:
        """The invocation with its principal, or the reply to a request that needs none or shows none."""
        if (metadata := authorizer.metadata(request, invocation)) is not None:
            return _PAGE, source.to_reply(metadata, invocation.event)
        if authorizer.public_pages and (page := self._page(source, request)) is not None:
            return self._serve_page(page, source, request, invocation)
        if request.method == "OPTIONS":  # browsers send it without credentials; no page may answer it
            return self._serve_message(source, request, invocation)
        try:
            invocation = authorizer.authorized(request, invocation, self._clock())
            authorizer.require_scopes(invocation)
            return invocation
        except McpError as error:
            outcome = _of_principal(authorizer.refusal(error), invocation)
            response = response_to(request, outcome, self._policy)
            response = authorizer.challenged(response, outcome, invocation)
            return outcome, source.to_reply(response, invocation.event)

    def _page(self, source: EventSource, request: HttpRequest) -> HttpResponse | None:
        if self._pages is None or f"{request.path}/".startswith(_MCP_PATH):
            return None
        if not source.takes_bytes:
            request = request._replace(headers={**request.headers, "accept-encoding": "identity"})
        return self._pages(request)

    def _serve_page(
        self, page: HttpResponse, source: EventSource, request: HttpRequest, invocation: LambdaInvocation
    ) -> tuple[Outcome, dict[str, Any]]:
        outcome = _PAGE
        if invocation.principal is not None:
            outcome = _of_principal(_PAGE, invocation)
            page = _not_shared(page)
        if self._rate_limits is not None:
            verdict = self._verdict(source, request, invocation, opens_session=False)
            outcome = verdict.recorded_in(outcome)
            if verdict.refusal is not None:
                outcome = failure(NoId.ABSENT, verdict.refusal, outcome.record)
                page = response_to(request, outcome, self._policy)
        reply = source.to_reply(page, invocation.event)
        if size_bytes := source.excess(page, reply):
            raise ReplyTooLarge(size_bytes, source.max_reply_bytes)
        return outcome, reply

    def _answer(self, source: EventSource, request: HttpRequest, invocation: LambdaInvocation) -> Outcome:
        admitted = admit(request, self._policy, self.server)
        if isinstance(admitted, Outcome):
            return admitted
        if self._rate_limits is None:
            return self._answer_admitted(admitted, invocation)
        opens_session = isinstance(admitted, Legacy) and admitted.message.method == "initialize"
        verdict = self._verdict(source, request, invocation, opens_session=opens_session)
        if verdict.refusal is not None:
            refused = server_fault(admitted, verdict.refusal)
            return refused._replace(record=refused.record._replace(kind=RequestKind.REFUSAL))
        return verdict.recorded_in(self._answer_admitted(admitted, invocation))

    def _verdict(
        self, source: EventSource, request: HttpRequest, invocation: LambdaInvocation, *, opens_session: bool
    ) -> "Verdict":
        return self._rate_limiter.check(
            source.peer_of(invocation.event),
            request,
            self._clock(),
            opens_session=opens_session,
            seconds_left=invocation.seconds_left(),
            principal=invocation.principal_digest,
        )

    def _answer_admitted(self, admitted: "Admitted", invocation: LambdaInvocation) -> Outcome:
        try:
            environment = self._environments.of(invocation)
        except Exception as cause:  # a fault of clock or context, which the client sees under its id
            return server_fault(admitted, UnexpectedError(), cause)
        return self._engine.answer(admitted, environment)

    @cached_property
    def _rate_limiter(self) -> "RateLimiter":
        from mcpcore_aws.rate_limits import RateLimiter  # off by default

        return RateLimiter(self._rate_limits or RateLimits())

    @cached_property
    def _compressor(self) -> "Compressor":
        from mcpcore.http.compression import Compressor  # only clients that accept it need it

        return Compressor(self.server)

    def _log(
        self, source: str, context: LambdaContext, status: int, milliseconds: float, outcome: Outcome
    ) -> None:
        try:
            self._record(Served(source, context.aws_request_id, status, milliseconds, outcome))
        except Exception:  # the reply is ready: a failing log line must not lose it
            with suppress(Exception):
                traceback.print_exc()


def _in_memory() -> "SessionStore":
    from mcpcore import MemorySessions  # a deployed function does not need it

    return MemorySessions()


def _for_everybody(server: BuiltServer) -> BuiltServer:
    if scopes := server.scopes():
        raise ValueError(
            f"definitions need the scopes {', '.join(sorted(scopes))}, and without an authorizer everybody "
            "could call them: give the LambdaAdapter one, set the variables AUTH_… (docs/authorization.md), "
            "or serve server.build().without_scopes()"
        )
    return server


def _of_principal(outcome: Outcome, invocation: LambdaInvocation) -> Outcome:
    return outcome._replace(record=outcome.record._replace(principal=invocation.principal_digest))


def _not_shared(page: HttpResponse) -> HttpResponse:
    """A page that only an authorized caller may read, so no shared cache may keep it (RFC 9111, 5.2.2.7)."""
    stated = page.headers.get("cache-control", "no-cache").split(",")
    kept = [
        each.strip() for each in stated if each.partition("=")[0].strip().lower() not in _OF_SHARED_CACHES
    ]
    return page._replace(headers={**page.headers, "cache-control": ", ".join(["private", *kept])})


_MCP_PATH: Final = "/mcp/"
_OF_SHARED_CACHES: Final = ("", "public", "private", "s-maxage")
_PAGE: Final = Outcome(NoReply(), RequestRecord(RequestKind.PAGE))

# Stands for the request when it could not be read or answered.
_UNREAD: Final = HttpRequest("POST", {}, None)
