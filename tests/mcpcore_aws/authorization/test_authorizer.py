"""The authorizer before an adapter: who is let in, what the others are told, and what belongs to whom."""

import json
import time
from collections.abc import Mapping
from typing import Any, Final

import pytest

from mcpcore import Context, MemorySessions, Principal, Server, StoreUnavailable, Unauthorized
from mcpcore.http import HttpRequest, HttpResponse, Policy
from mcpcore.http.authorization import bearer_token
from mcpcore_aws import LambdaAdapter, LambdaInvocation
from mcpcore_aws.authorization.authorizer import Authorizer
from mcpcore_aws.settings import RateLimits
from mcpcore_local import InvocationContext
from tests.support.adapters import written
from tests.support.events import EVENT_SOURCES, captured, headers_of, with_headers
from tests.support.messages import MODERN

KEY: Final = b"of these tests alone"
ADA: Final = Principal(
    "ada", "https://issuer.example", "a client", frozenset({"read"}), {"email": "a@b.example"}
)
BOB: Final = ADA._replace(subject="bob", scopes=frozenset({"all"}))
NEITHER: Final = ADA._replace(subject="carl", scopes=frozenset())
PLACE: Final = "/.well-known/oauth-protected-resource"


class Tokens:
    """A verifier that knows a few tokens by heart."""

    def verify(self, request: HttpRequest, _invocation: LambdaInvocation, _now: float) -> Principal | None:
        token = bearer_token(request)
        if token is None or token == "strange":
            return None
        if token == "unknown-yet":
            raise StoreUnavailable("the issuer hangs", what="The keys", retry_after_seconds=7)
        known = {"ada": ADA, "bob": BOB, "carl": NEITHER}
        if token not in known:
            raise Unauthorized("it has expired")
        return known[token]


def shop() -> Server:
    server = Server("shop", version="1")

    @server.tool
    def whoami(context: Context) -> str:
        """Say who calls."""
        return context.principal.subject if context.principal else "nobody"

    @server.tool(scopes=["buy"])
    def buy() -> str:
        """Buy."""
        return "bought"

    return server


def page(request: HttpRequest) -> HttpResponse | None:
    if request.path != "/registry":
        return None
    return HttpResponse(200, {"cache-control": "public, max-age=300"}, b"the registry")


def guarded(**options: Any) -> LambdaAdapter:
    adapter_options = {name: options.pop(name) for name in ("policy", "rate_limits") if name in options}
    authorizer = Authorizer(
        [Tokens()],
        digest_key=KEY,
        **{"authorization_servers": ["https://issuer.example"], "scopes": ["read"], **options},
    )
    sessions = MemorySessions()
    return LambdaAdapter(shop(), authorizer=authorizer, pages=page, sessions=sessions, **adapter_options)


OPTIONS: Final[Mapping[str, Any]] = {"implied_scopes": {"all": ["read", "buy"]}}


def ask(
    adapter: LambdaAdapter,
    token: str = "",
    *,
    method: str = "POST",
    path: str = "/mcp",
    tool: str = "whoami",
    headers: Mapping[str, str] = {},
) -> dict[str, Any]:
    """The reply to a tool call over an HTTP API."""
    event = captured("http_api")
    event["rawPath"] = path
    event["requestContext"]["http"] |= {"method": method, "path": path}
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": tool, "_meta": meta}
    event["body"] = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    event["isBase64Encoded"] = False
    sent = {
        "content-type": "application/json",
        "mcp-protocol-version": MODERN,
        "mcp-method": "tools/call",
        "mcp-name": tool,
        **({"authorization": f"Bearer {token}"} if token else {}),
        **headers,
    }
    return adapter(with_headers(event, sent), InvocationContext("an id", time.monotonic() + 29))


def text_of(reply: dict[str, Any]) -> str:
    return str(json.loads(reply["body"])["result"]["content"][0]["text"])


DOMAIN: Final = "https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com"


def test_a_tool_reads_who_calls_it() -> None:
    assert text_of(ask(guarded(), "ada")) == "ada"


@pytest.mark.requirement("authorization-401")
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE", "PUT", "HEAD"])
def test_without_a_token_nothing_is_answered_whatever_the_method(method: str) -> None:
    reply = ask(guarded(), method=method)

    assert reply["statusCode"] == 401
    expected = f'Bearer resource_metadata="{DOMAIN}{PLACE}/mcp", scope="read"'
    assert reply["headers"]["www-authenticate"] == reply["headers"]["mcp-www-authenticate"] == expected


@pytest.mark.requirement("authorization-malformed", "token-header-only")
@pytest.mark.parametrize(
    ("headers", "status", "message"),
    [
        ({"authorization": "Bearer old"}, 401, "The access token is refused: it has expired"),
        ({"authorization": "Bearer strange"}, 401, "this server does not accept tokens of this kind"),
        ({"authorization": "Basic YTpi"}, 401, "An access token is needed"),
        ({"authorization": "Bearer"}, 400, "Bearer must be followed by one token"),
        ({"authorization": "Bearer ada,Bearer bob"}, 400, "Bearer must be followed by one token"),
        ({"x-forwarded-authorization": "Bearer ada"}, 401, "An access token is needed"),
    ],
)
def test_each_refusal_says_why(headers: dict[str, str], status: int, message: str) -> None:
    reply = ask(guarded(), headers=headers)

    assert reply["statusCode"] == status
    assert message in json.loads(reply["body"])["error"]["message"]


@pytest.mark.requirement("scope-403")
@pytest.mark.parametrize(
    ("token", "tool", "scopes"),
    [("carl", "whoami", "read"), ("carl", "buy", "read"), ("ada", "buy", "buy read")],
)
def test_a_missing_scope_is_403_and_the_challenge_names_all_that_are_needed(
    token: str, tool: str, scopes: str
) -> None:
    reply = ask(guarded(), token, tool=tool)

    assert reply["statusCode"] == 403
    challenge = reply["headers"]["www-authenticate"]
    assert f'scope="{scopes}"' in challenge
    assert 'error="insufficient_scope"' in challenge


@pytest.mark.requirement("scope-hierarchy")
def test_a_scope_that_includes_others_is_enough() -> None:
    assert text_of(ask(guarded(**OPTIONS), "bob", tool="buy")) == "bought"


def test_clients_are_told_the_scopes_as_they_ask_for_them_where_tokens_name_them_otherwise() -> None:
    adapter = guarded(scopes_supported=["api://shop/read"])
    challenges = [ask(adapter, token)["headers"]["www-authenticate"] for token in ("", "carl")]
    metadata = json.loads(ask(adapter, method="GET", path=PLACE)["body"])

    assert all('scope="api://shop/read"' in challenge for challenge in challenges)
    assert metadata["scopes_supported"] == ["api://shop/read"]
    assert text_of(ask(adapter, "ada")) == "ada"


def test_what_cannot_be_verified_at_the_moment_is_503_and_says_when_to_try_again() -> None:
    reply = ask(guarded(), "unknown-yet")

    assert (reply["statusCode"], reply["headers"]["retry-after"]) == (503, "7")
    assert "hangs" not in reply["body"]


@pytest.mark.requirement("metadata-places")
@pytest.mark.parametrize("path", [PLACE, f"{PLACE}/mcp"])
def test_everybody_can_read_where_to_get_a_token(path: str) -> None:
    reply = ask(guarded(), method="GET", path=path)

    assert reply["statusCode"] == 200
    assert json.loads(reply["body"]) == {
        "resource": f"{DOMAIN}/mcp",
        "authorization_servers": ["https://issuer.example"],
        "scopes_supported": ["read"],
        "bearer_methods_supported": ["header"],
    }


def test_the_host_header_has_no_say_in_the_metadata() -> None:
    reply = ask(guarded(), method="GET", path=PLACE, headers={"host": "evil.example"})

    assert "evil" not in reply["body"]


def test_without_an_authorization_server_there_is_no_metadata_to_lead_to() -> None:
    adapter = guarded(authorization_servers=())

    assert ask(adapter, method="GET", path=PLACE)["statusCode"] == 404
    assert ask(adapter)["headers"]["www-authenticate"] == 'Bearer scope="read"'


def test_a_browser_asks_without_a_token_what_it_may_send() -> None:
    adapter = guarded(policy=Policy(allowed_origins=frozenset({"https://page.example"})))
    origin = {"origin": "https://page.example", "access-control-request-headers": "authorization"}

    preflight = ask(adapter, method="OPTIONS", headers=origin)
    refusal = ask(adapter, headers={"origin": "https://page.example"})

    assert preflight["statusCode"] == 204
    assert "Authorization" in preflight["headers"]["access-control-allow-headers"]
    assert "WWW-Authenticate" in refusal["headers"]["access-control-expose-headers"]
    assert refusal["headers"]["access-control-allow-origin"] == "https://page.example"


@pytest.mark.parametrize(("public", "status"), [(False, 401), (True, 200)])
def test_pages_need_the_same_token_unless_they_are_public(public: bool, status: int) -> None:
    adapter = guarded(public_pages=public)

    assert ask(adapter, method="GET", path="/registry")["statusCode"] == status
    with_token = ask(adapter, "ada", method="GET", path="/registry")
    lifetime = "public, max-age=300" if public else "private, max-age=300"
    assert (with_token["statusCode"], with_token["headers"]["cache-control"]) == (200, lifetime)


def test_a_private_page_that_answers_any_method_does_not_get_the_requests_that_need_no_token() -> None:
    asked = {"origin": "https://page.example", "access-control-request-method": "GET"}
    adapter = guarded(policy=Policy(allowed_origins=frozenset({"https://page.example"})))
    replies = [ask(adapter, method="OPTIONS", path="/registry", headers=headers) for headers in ({}, asked)]
    assert [(reply["statusCode"], "registry" in reply["body"]) for reply in replies] == [
        (405, False),
        (204, False),
    ]


@pytest.mark.parametrize("path", ["/", "/other", "/prod/mcp", "/registry/", "/mcp/registry", ""])
def test_public_pages_open_no_other_path(path: str) -> None:
    assert ask(guarded(public_pages=True), path=path)["statusCode"] == 401


@pytest.mark.parametrize("source", EVENT_SOURCES)
def test_every_event_source_leads_to_the_metadata_of_its_own_address(source: str) -> None:
    adapter = guarded(resource="" if "alb" not in source else "https://lb.example/mcp")

    reply = adapter(captured(source), InvocationContext("an id", time.monotonic() + 29))

    places = {
        "http_api": f"{DOMAIN}{PLACE}/mcp",
        "rest_api": f"{DOMAIN}/prod{PLACE}/mcp",
        "function_url": (
            f"https://abcdefghijklmnopqrstuvwxyz012345.lambda-url.eu-central-1.on.aws{PLACE}/mcp"
        ),
        "alb_single_value": f"https://lb.example{PLACE}/mcp",
        "alb_multi_value": f"https://lb.example{PLACE}/mcp",
    }
    assert reply["statusCode"] == 401
    assert f'resource_metadata="{places[source]}"' in headers_of(reply)["www-authenticate"]


def test_a_source_that_states_no_domain_needs_a_resource(capsys: pytest.CaptureFixture[str]) -> None:
    reply = guarded()(captured("alb_single_value"), InvocationContext("an id", time.monotonic() + 29))

    assert reply["statusCode"] == 500
    assert "AUTH_RESOURCE" not in reply["body"]
    assert "AUTH_RESOURCE must be set" in str(written(capsys).logs)


def opened_session(adapter: LambdaAdapter, token: str) -> str:
    event = captured("http_api")
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    event["body"] = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    sent = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    reply = adapter(with_headers(event, sent), InvocationContext("an id", time.monotonic() + 29))
    return str(reply["headers"]["mcp-session-id"])


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
def test_the_session_of_another_principal_is_not_found(method: str) -> None:
    adapter = guarded(**OPTIONS)
    event = captured("http_api")
    event["requestContext"]["http"]["method"] = method
    event["body"] = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
    session = opened_session(adapter, "ada")
    status = {}
    for token in ("bob", "ada"):
        sent = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            "mcp-session-id": session,
            "authorization": f"Bearer {token}",
        }
        reply = adapter(with_headers(event, sent), InvocationContext("an id", time.monotonic() + 29))
        status[token] = reply["statusCode"]

    assert status == {"bob": 404, "ada": {"POST": 200, "GET": 405, "DELETE": 200}[method]}


def test_a_rate_limit_counts_principals_whatever_their_address(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []
    adapter = guarded(rate_limits=RateLimits(10, 0, 0, "table", KEY), **OPTIONS)

    def count(_limiter: object, counter: str, *_: object) -> None:
        counted.append(counter)

    monkeypatch.setattr("mcpcore_aws.rate_limits.RateLimiter._count", count)
    for token, address in (("ada", "192.0.2.1"), ("ada", "192.0.2.2"), ("bob", "192.0.2.1")):
        ask(adapter, token, headers={"x-forwarded-for": address})

    assert counted[0] == counted[1] != counted[2]


def test_the_log_has_a_keyed_digest_of_the_principal_and_no_token(capsys: pytest.CaptureFixture[str]) -> None:
    adapter = guarded()
    ask(adapter, "ada")
    ask(adapter, "ada", method="GET", path="/registry")
    ask(adapter, "secret-and-old")
    ask(adapter, "carl")
    called, read, refused, without_scope = written(capsys).logs

    assert called["principal"] == read["principal"]
    assert len(called["principal"]) == 32
    assert "principal" not in refused
    assert len(without_scope["principal"]) == 32
    assert refused["fields"] == {"authorization": "it has expired"}
    for shown in ("ada", "secret-and-old", "a@b.example"):
        assert shown not in str([called, read, refused])


def test_the_digest_depends_on_key_issuer_and_subject_and_on_nothing_else() -> None:
    def digest(principal: Principal, key: bytes = KEY) -> str:
        class One:
            def verify(self, *_: object) -> Principal:
                return principal

        request = HttpRequest("POST", {}, b"")
        invocation = LambdaInvocation(captured("http_api"), InvocationContext("an id", 0))
        return Authorizer([One()], digest_key=key).authorized(request, invocation, 0).principal_digest

    same = ADA._replace(client_id="another", scopes=frozenset(), claims={})
    others = [
        ADA._replace(issuer="https://issuer.exampl", subject="eada"),
        ADA._replace(issuer=""),
        BOB,
    ]
    assert digest(same) == digest(ADA)
    assert len({digest(ADA), digest(ADA, b"another key of these"), *map(digest, others)}) == 5


def test_scopes_without_an_authorizer_are_refused_when_the_adapter_is_made() -> None:
    with pytest.raises(ValueError, match="definitions need the scopes buy, and without an authorizer"):
        LambdaAdapter(shop())


@pytest.mark.parametrize(("verifiers", "key"), [([], KEY), ([Tokens()], b"too short")])
def test_an_authorizer_needs_a_verifier_and_a_key(verifiers: list[Tokens], key: bytes) -> None:
    with pytest.raises(ValueError, match=r"needs a verifier|at least 16 bytes"):
        Authorizer(verifiers, digest_key=key)


@pytest.mark.parametrize("name", ["authorization_servers", "scopes", "scopes_supported"])
def test_an_authorizer_does_not_take_one_text_for_its_characters(name: str) -> None:
    arguments: dict[str, Any] = {name: "read"}
    with pytest.raises(TypeError, match=f"{name} must be a list of texts, not 'read'"):
        Authorizer([Tokens()], digest_key=KEY, **arguments)
