"""Every token of `tests.support.forged_tokens` is refused for its own reason, through the whole adapter."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest

from mcpcore import Context, Server
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.authorization.settings import open_authorizer, read_authorization_settings
from mcpcore_aws.settings import EnvironmentReader
from tests.support.events import captured, headers_of, with_body, with_headers
from tests.support.exchanges import LambdaContext, Reply, body_of, modern
from tests.support.forged_tokens import FORGED, published_keys
from tests.support.tokens import ISSUER, NOW, RESOURCE, issuer_served, token

CALL: Final = modern("tools/call", name="whoami", arguments={})
METADATA: Final = (
    'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp", scope="read"'
)
ROWS: Final = [(name, description) for description, rows in FORGED.items() for name in rows]


class Guarded(NamedTuple):
    """An adapter that lets in who has a token of the issuer, and what came through to its tool and to it."""

    adapter: LambdaAdapter
    called_by: list[str]
    asked: list[str]

    def __call__(
        self,
        authorization: str | None = None,
        *,
        source: str = "http_api",
        headers: dict[str, str] | None = None,
        **event: Any,
    ) -> Reply:
        """The reply to a call of the tool with these headers, and other members of the event."""
        shown = {} if authorization is None else {"authorization": authorization}
        made = with_body(captured(source), CALL.body.decode())
        made = with_headers(made, {**CALL.headers, **shown, **(headers or {})})
        reply = self.adapter({**made, **event}, LambdaContext())
        return Reply(reply["statusCode"], headers_of(reply), body_of(reply))


def guarded(uri: str, asked: list[str], **settings: str) -> Guarded:
    """An adapter whose issuer has its keys at `uri`."""
    server, called_by = Server("guarded", version="1.0"), list[str]()

    @server.tool
    def whoami(context: Context) -> str:
        """Who calls."""
        assert context.principal is not None
        called_by.append(context.principal.subject)
        return context.principal.subject

    variables = {
        "CLIENT_DIGEST_KEY": "k" * 32,
        "AUTH_ISSUER": ISSUER,
        "AUTH_JWKS_URI": uri,
        "AUTH_RESOURCE": RESOURCE,
        "AUTH_SCOPES": "read",
    }
    reader = EnvironmentReader(variables | settings)
    authorizer = open_authorizer(read_authorization_settings(reader), clock=lambda: NOW)
    reader.require_valid()
    return Guarded(LambdaAdapter(server, authorizer=authorizer, clock=lambda: NOW), called_by, asked)


@pytest.fixture(scope="module")
def issuer() -> Iterator[tuple[str, list[str]]]:
    with issuer_served(*published_keys()) as served:
        yield served


@pytest.fixture
def call(issuer: tuple[str, list[str]]) -> Guarded:
    return guarded(*issuer)


def refused(description: str) -> str:
    """The challenge to a client whose token is refused."""
    return f'Bearer {METADATA}, error="invalid_token", error_description="{description}"'


@pytest.mark.parametrize(("name", "description"), ROWS)
def test_a_forged_token_is_refused_for_its_own_reason(
    call: Guarded, name: str, description: str, capsys: pytest.CaptureFixture[str]
) -> None:
    made = FORGED[description][name]()
    reply = call(f"Bearer {made}")

    assert (reply.status, call.called_by) == (401, [])
    assert reply.headers["www-authenticate"] == reply.headers["mcp-www-authenticate"] == refused(description)
    assert made not in str(reply) + "".join(capsys.readouterr())


def test_no_token_stands_twice_in_the_table() -> None:
    assert len(ROWS) == len({name for name, _ in ROWS})


@pytest.mark.parametrize("algorithm", ["EdDSA", "ES256"])
def test_no_character_of_a_token_can_be_changed_or_left_out(call: Guarded, algorithm: str) -> None:
    good = token(algorithm)
    changed = [f"{good[:at]}{'AB'[good[at] == 'A']}{good[at + 1 :]}" for at in range(len(good))]
    shorter = [good[:at] + good[at + 1 :] for at in range(len(good))]
    assert {call(f"Bearer {made}").status for made in (*changed, *shorter) if made != good} == {401}
    assert call.called_by == []


# Tokens that are let in: none is refused for how the others are made.


@pytest.mark.parametrize(
    "good",
    [
        *({"algorithm": algorithm} for algorithm in ("EdDSA", "Ed25519", "ES256", "RS256", "PS256")),
        {"algorithm": "ES256", "without": "kid"},
        {"algorithm": "RS256", "by": "rsa 2"},
        {"algorithm": "PS256", "by": "rsa for PS256"},
        {"header": {"typ": "JWT"}},
        {"header": {"typ": "application/AT+JWT"}},
        {"without": "typ"},
        {"header": {"x5t": "x", "unknown": [1]}},
        {"claims": {"aud": ["https://other.example.com", RESOURCE]}},
        {"claims": {"exp": NOW - 29, "nbf": NOW + 30, "iat": NOW + 30}},
        {"claims": {"exp": NOW + 0.5}},
        {"claims": {"scp": ["read"]}, "without": "scope"},
        {"claims": {"sub": "a" * 512}},
        {"claims": {"token_use": "access", "typ": "Bearer", "nonce": "x"}},
    ],
)
def test_a_good_token_is_let_in(call: Guarded, good: dict[str, Any]) -> None:
    reply = call(f"Bearer {token(**good)}")
    assert (reply.status, len(call.called_by)) == (200, 1)


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer ", " Bearer"])
def test_the_scheme_may_be_written_in_any_case(call: Guarded, scheme: str) -> None:
    assert call(f"{scheme} {token()}").status == 200


def test_an_algorithm_that_the_operator_left_out_is_refused(issuer: tuple[str, list[str]]) -> None:
    call = guarded(*issuer, AUTH_ALGORITHMS="ES256,EdDSA")
    assert [call(f"Bearer {token(name)}").status for name in ("ES256", "EdDSA")] == [200, 200]
    reply = call(f"Bearer {token('RS256')}")
    assert (reply.status, reply.headers["www-authenticate"]) == (
        401,
        refused("its algorithm must be one of ES256, EdDSA"),
    )


# Credentials elsewhere than in one Authorization header


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Basic YWxpY2U6c2VjcmV0",
        "DPoP {}",
        "Token {}",
        "JWT {}",
        "{}",
        "Bearer:{}",
        "Bearer\t{}",
        "Bearer{}",
    ],
)
def test_another_scheme_is_no_token(call: Guarded, authorization: str) -> None:
    reply = call(authorization.format(token()))
    assert (reply.status, reply.headers["www-authenticate"].startswith(f"Bearer {METADATA}")) == (401, True)
    assert call.called_by == []


@pytest.mark.parametrize(
    "header",
    ["x-authorization", "x-access-token", "x-forwarded-authorization", "proxy-authorization", "cookie"],
)
def test_a_token_in_another_header_is_not_looked_at(call: Guarded, header: str) -> None:
    reply = call(headers={header: f"Bearer {token()}"})
    assert (reply.status, reply.headers["www-authenticate"]) == (401, f"Bearer {METADATA}")


def test_a_token_in_the_query_is_not_looked_at(call: Guarded) -> None:
    query = {"access_token": token()}
    http = call(rawQueryString=f"access_token={token()}", queryStringParameters=query)
    rest = call(source="rest_api", queryStringParameters=query)
    assert [(reply.status, reply.headers["www-authenticate"]) for reply in (http, rest)] == [
        (401, f"Bearer {METADATA}")
    ] * 2


@pytest.mark.parametrize(
    "authorization",
    [
        *(
            "Bearer",
            "Bearer ",
            "Bearer {} {}",
            "Bearer {},{}",
            "Bearer {}, Bearer {}",
            "Bearer {}\n",
            "Bearer {};",
        ),
        *("Bearer =", "Bearer a=b", "Bearer t\u00f6ken", 'Bearer "{}"', "Bearer access_token={}"),
    ],
)
def test_a_header_that_is_not_one_token_is_malformed(call: Guarded, authorization: str) -> None:
    reply = call(authorization.replace("{}", token()))
    assert (reply.status, reply.headers["www-authenticate"]) == (
        400,
        f'Bearer {METADATA.partition(",")[0]}, error="invalid_request",'
        ' error_description="Bearer must be followed by one token"',
    )
    assert call.called_by == []


def test_of_two_authorization_headers_none_counts(call: Guarded) -> None:
    made = captured("rest_api")["multiValueHeaders"]
    both = {**made, "Authorization": [f"Bearer {token()}", f"Bearer {token(claims={'sub': 'root'})}"]}
    assert call(source="rest_api", multiValueHeaders=both).status == 400
    assert call.called_by == []


# What forged tokens cost


def test_no_address_in_a_token_is_visited_and_unknown_keys_cost_one_request_in_thirty_seconds(
    issuer: tuple[str, list[str]],
) -> None:
    with issuer_served() as (attacker, visited):
        call = guarded(*issuer)
        del call.asked[:]
        for number in range(20):
            header = {"kid": f"unknown {number}", "jku": attacker, "x5u": attacker, "iss": attacker}
            assert call(f"Bearer {token(by='ed attacker', header=header)}").status == 401
    assert (visited, call.asked) == ([], ["/jwks"] * 2)  # the first reading, and one for an unknown key
