"""What a tester tried to get in by: each test is a way that was open, or that nothing else keeps closed."""

from collections.abc import Iterator
from typing import Any, Final

import pytest

from mcpcore import Context, MemorySessions, Server
from mcpcore.http import HttpResponse
from mcpcore_aws.adapter import LambdaAdapter, Pages
from mcpcore_aws.authorization.settings import open_authorizer, read_authorization_settings
from mcpcore_aws.settings import EnvironmentReader
from tests.support.adapters import written
from tests.support.events import captured, headers_of, with_body, with_headers
from tests.support.exchanges import LambdaContext, Reply, Send, Sent, body_of, modern
from tests.support.forged_tokens import published_keys
from tests.support.resuming import Caller, connect, last_id, messages, text_of
from tests.support.tokens import ISSUER, NOW, RESOURCE, issuer_served, token

KEY: Final = "k" * 32
CALL: Final = modern("tools/call", name="whoami", arguments={})


@pytest.fixture(scope="module")
def keys_uri() -> Iterator[str]:
    with issuer_served(*published_keys()) as (uri, _):
        yield uri


def guarded(uri: str, pages: Pages | None = None, /, **settings: str) -> LambdaAdapter:
    """A function whose issuer has its keys at `uri`: a tool for everybody, and one that asks."""
    server = Server("guarded", version="1.0")

    @server.tool
    def whoami(context: Context) -> str:
        """Who calls."""
        return context.principal.subject if context.principal else "nobody"

    @server.tool(scopes=["pay"])
    def pay(context: Context) -> str:
        """Ask, and pay."""
        answer = context.elicit("How much?", {"type": "object", "properties": {}})
        return f"paid: {answer.action}"

    variables = {"CLIENT_DIGEST_KEY": KEY, "AUTH_ISSUER": ISSUER, "AUTH_JWKS_URI": uri, **settings}
    reader = EnvironmentReader(variables)
    authorizer = open_authorizer(read_authorization_settings(reader), clock=lambda: NOW)
    reader.require_valid()
    return LambdaAdapter(
        server,
        authorizer=authorizer,
        clock=lambda: NOW,
        sessions=MemorySessions(),
        pages=pages,
        state_keys=[b"s" * 32],
    )


def sent_to(adapter: LambdaAdapter, bearer: str, sent: Sent, event: dict[str, Any]) -> Reply:
    """The reply to a request with a token, in the form of `event`."""
    made = with_headers(with_body(event, sent.body.decode()), {**sent.headers, "authorization": bearer})
    reply = adapter(made, LambdaContext())
    return Reply(reply["statusCode"], headers_of(reply), body_of(reply))


# The audience that a token must have is not for its sender to choose


def at(source: str, path: str, /, **context: Any) -> dict[str, Any]:
    """An event with another path, and other members of its context."""
    event = captured(source)
    event["requestContext"] |= context
    if source == "rest_api":
        event["path"] = path
    else:
        event["rawPath"] = event["requestContext"]["http"]["path"] = path
    return event


@pytest.mark.parametrize(
    ("event", "foreign"),
    [
        (at("http_api", "/other/mcp", routeKey="$default"), "/other/mcp"),
        (at("http_api", "/prod/mcp", routeKey="$default"), "/prod/mcp"),
        (at("http_api", "/prod/mcp", routeKey="$default", stage="prod", domainPrefix="api"), "/prod/mcp"),
        (
            at("http_api", "/mcp/x/.well-known/oauth-protected-resource/y", routeKey="ANY /mcp/{proxy+}"),
            "/mcp/x/mcp",
        ),
        (at("function_url", "/other/mcp"), "/other/mcp"),
        (at("rest_api", "/other/mcp", path="/prod/other/mcp", resourcePath="/{proxy+}"), "/prod/other/mcp"),
    ],
    ids=["default route", "no stage", "custom domain", "metadata inside", "function url", "rest api"],
)
def test_the_path_of_a_request_does_not_choose_whose_tokens_are_taken(
    keys_uri: str, event: dict[str, Any], foreign: str
) -> None:
    domain = event["requestContext"]["domainName"]
    bearer = f"Bearer {token(claims={'aud': f'https://{domain}{foreign}'})}"

    assert sent_to(guarded(keys_uri), bearer, CALL, event).status == 401


@pytest.mark.parametrize(
    ("event", "base"),
    [
        (at("http_api", "/mcp"), ""),
        (at("http_api", "/mcp/", routeKey="ANY /mcp/{proxy+}"), ""),
        (at("http_api", "/prod/mcp", stage="prod"), "/prod"),
        (at("http_api", "/prod/mcp", stage="prod", routeKey="$default"), "/prod"),
        (at("http_api", "/tools/mcp", domainPrefix="api"), "/tools"),
        (at("function_url", "/mcp"), ""),
        (at("rest_api", "/mcp"), "/prod"),
        (at("rest_api", "/mcp", resourcePath="/{proxy+}"), "/prod"),
        (at("rest_api", "/tools/mcp", path="/tools/mcp", domainPrefix="api"), "/tools"),
    ],
    ids=[
        "default",
        "proxy",
        "stage",
        "default route",
        "mapping",
        "function url",
        "rest",
        "rest proxy",
        "rest base",
    ],
)
def test_a_stage_or_mapping_that_the_gateway_states_is_part_of_the_audience(
    keys_uri: str, event: dict[str, Any], base: str
) -> None:
    domain = event["requestContext"]["domainName"]
    bearer = f"Bearer {token(claims={'aud': f'https://{domain}{base}/mcp'})}"

    assert sent_to(guarded(keys_uri), bearer, CALL, event).status == 200


# What a token may do is asked again whenever its client comes back


def as_client(adapter: LambdaAdapter, scope: str, **claims: Any) -> Caller:
    """A session of a client whose token has these scopes."""
    return connect(sending(adapter, scope, **claims))


def sending(adapter: LambdaAdapter, scope: str, **claims: Any) -> Send:
    """Sends requests with a token that has these scopes."""
    bearer = f"Bearer {token(claims={'aud': RESOURCE, 'scope': scope, **claims})}"

    def send(sent: Sent) -> Reply:
        event = captured("http_api")
        event["requestContext"]["http"]["method"] = sent.method
        return sent_to(adapter, bearer, sent, event)

    return send


def test_a_call_that_waits_is_not_continued_without_its_scope_and_is_not_lost(keys_uri: str) -> None:
    adapter = guarded(keys_uri, AUTH_RESOURCE=RESOURCE)
    caller = as_client(adapter, "pay")
    asked = caller.call("pay")
    caller.answer(messages(asked)[-1]["id"], action="accept", content={})

    poorer = caller._replace(send=sending(adapter, "read")).resume(last_id(asked))
    again = caller.resume(last_id(asked))

    assert poorer.status == 403
    assert 'scope="pay", error="insufficient_scope"' in poorer.headers["www-authenticate"]
    assert text_of(messages(again)[-1]) == (False, "paid: accept")


def test_a_stored_answer_is_not_given_again_without_the_scope_of_its_call(keys_uri: str) -> None:
    adapter = guarded(keys_uri, AUTH_RESOURCE=RESOURCE)
    caller = as_client(adapter, "pay")
    asked = caller.call("pay")
    caller.answer(messages(asked)[-1]["id"], action="accept", content={})
    paid = caller.resume(last_id(asked))

    poorer = caller._replace(send=sending(adapter, "read")).resume(last_id(asked))

    assert text_of(messages(paid)[-1]) == (False, "paid: accept")
    assert (poorer.status, b"paid" in poorer.body) == (403, False)


# What a token says is not believed to be more than it is


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\t", "\n", "\x0b", "\x1c", "\x85"], ids=ascii)
def test_only_a_space_separates_scopes(keys_uri: str, space: str) -> None:
    adapter = guarded(keys_uri, AUTH_RESOURCE=RESOURCE, AUTH_SCOPES="read")

    assert sending(adapter, "other read")(CALL).status == 200
    assert sending(adapter, f"other{space}read")(CALL).status == 403


@pytest.mark.parametrize("subject", ["\ud800", "ada\nbob", "ada\x1b[2J", "ada\u202eadmin"], ids=ascii)
def test_a_subject_that_would_spoil_a_log_or_a_table_is_refused(keys_uri: str, subject: str) -> None:
    adapter = guarded(keys_uri, AUTH_RESOURCE=RESOURCE)

    assert sending(adapter, "read", sub=subject)(CALL).status == 401


# What strangers send costs no more than a line


def test_a_forged_signature_is_one_short_line_and_no_fault(
    keys_uri: str, capsys: pytest.CaptureFixture[str]
) -> None:
    adapter = guarded(keys_uri, AUTH_RESOURCE=RESOURCE)
    forged = token(by=lambda _: bytes(64))
    reply = sent_to(adapter, f"Bearer {forged}", CALL, captured("http_api"))
    (line,) = written(capsys).logs

    assert reply.status == 401
    assert (line["level"], "exception" in line) == ("INFO", False)
    assert line["fields"] == {"authorization": "its signature does not match"}


# What one principal gets is kept for no other


@pytest.mark.parametrize(
    ("stated", "kept"),
    [
        ("public, max-age=300", "private, max-age=300"),
        ("max-age=300", "private, max-age=300"),
        ("Public,S-MaxAge=9 , max-age=300, immutable", "private, max-age=300, immutable"),
        ("private=set-cookie, no-store", "private, no-store"),
        (None, "private, no-cache"),
    ],
)
def test_no_shared_cache_keeps_a_page_that_needs_a_token_whatever_the_page_says(
    keys_uri: str, stated: str | None, kept: str
) -> None:
    headers = {} if stated is None else {"cache-control": stated}
    adapter = guarded(keys_uri, lambda _: HttpResponse(200, headers, b"a page"), AUTH_RESOURCE=RESOURCE)
    event = at("http_api", "/page")
    event["requestContext"]["http"]["method"] = "GET"
    reply = sent_to(adapter, f"Bearer {token()}", Sent(b"", {}, "GET"), event)

    assert (reply.status, reply.headers["cache-control"]) == (200, kept)
