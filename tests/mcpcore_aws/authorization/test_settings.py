"""The settings of authorization: what turns it on, and what is wrong with them."""

import sys
from collections.abc import Mapping
from typing import Final

import pytest

from mcpcore import MemorySessions, Server
from mcpcore_aws import LambdaAdapter, SettingsError

ISSUER: Final = {"AUTH_ISSUER": "https://issuer.example", "CLIENT_DIGEST_KEY": "of one stack alone"}


def opened(environment: Mapping[str, str]) -> LambdaAdapter:
    server = Server("small", version="1")
    return LambdaAdapter.from_environment(server, sessions=MemorySessions(), environment=environment)


@pytest.mark.parametrize(
    ("environment", "on"),
    [
        ({}, False),
        (
            {"AUTH_PAGES": "public", "AUTH_LEEWAY_SECONDS": "5", "AUTH_RESOURCE": "https://a.example/mcp"},
            False,
        ),
        (ISSUER, True),
        ({**ISSUER, "AUTH_ISSUER": "", "AUTH_API_KEYS_TABLE": "keys"}, True),
        ({**ISSUER, "AUTH_ISSUER": "", "AUTH_GATEWAY": "iam"}, True),
    ],
)
def test_an_issuer_keys_or_a_gateway_turn_it_on(environment: Mapping[str, str], on: bool) -> None:
    assert opened(environment).server.cache.scope == ("private" if on else "public")


@pytest.mark.parametrize(
    ("variables", "fault"),
    [
        (
            {"AUTH_ISSUER": "http://issuer.example"},
            "AUTH_ISSUER must be an https URL without user, fragment and spaces",
        ),
        ({"AUTH_RESOURCE": "mcp.example.com"}, "AUTH_RESOURCE must be an https URL"),
        ({"AUTH_RESOURCE": "https://mcp.example.com/m cp"}, "AUTH_RESOURCE must be an https URL"),
        ({"AUTH_SCOPES": 'read "all"'}, "AUTH_SCOPES has '\"all\"', which no token can have"),
        (
            {"AUTH_ISSUER": "", "AUTH_GATEWAY": "jwt", "AUTH_JWKS_URI": "https://i.example"},
            "AUTH_JWKS_URI needs",
        ),
        ({"AUTH_ALGORITHMS": "ES256,none,HS256"}, "AUTH_ALGORITHMS may name .*, and names HS256, none"),
        ({"AUTH_LEEWAY_SECONDS": "301"}, "AUTH_LEEWAY_SECONDS must be a whole number from 0 to 300"),
        (
            {"AUTH_INTROSPECTION_URI": "https://issuer.example/i"},
            "needs AUTH_CLIENT_ID and AUTH_CLIENT_SECRET",
        ),
        ({"AUTH_GATEWAY": "cookie"}, "AUTH_GATEWAY must be empty or jwt or iam, and is 'cookie'"),
        (
            {"AUTH_ISSUER": "", "AUTH_GATEWAY": "iam", "AUTH_SCOPES": "read"},
            "AUTH_SCOPES must be empty: identities of AUTH_GATEWAY=iam have no scopes",
        ),
        (
            {"AUTH_SCOPES_SUPPORTED": 'read "all"'},
            "AUTH_SCOPES_SUPPORTED has '\"all\"', which no token can have",
        ),
        ({"AUTH_PAGES": "some"}, "AUTH_PAGES must be private or public"),
        ({"CLIENT_DIGEST_KEY": ""}, "CLIENT_DIGEST_KEY must be set"),
        ({"CLIENT_DIGEST_KEY": "short"}, "CLIENT_DIGEST_KEY must have at least 16 characters"),
    ],
)
def test_each_wrong_variable_is_named(variables: Mapping[str, str], fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        opened({**ISSUER, **variables})


@pytest.mark.parametrize(
    "name", ["AUTH_AUDIENCE", "AUTH_SCOPES", "AUTH_JWKS_URI", "AUTH_CLIENT_ID", "AUTH_CLIENT_SECRET"]
)
def test_a_part_of_authorization_without_what_turns_it_on_lets_nobody_start(name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} is set, but none of .*: everybody would be let in"):
        opened({name: "x"})


def test_a_missing_package_is_named_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "joserfc", None)
    for module in ("issuer_keys", "jwt"):
        monkeypatch.delitem(sys.modules, f"mcpcore_aws.authorization.{module}", raising=False)

    with pytest.raises(SettingsError, match=r"AUTH_ISSUER needs the package joserfc: .* mcpcore\[auth\]"):
        opened(ISSUER)
