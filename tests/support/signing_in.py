"""The official Python client, signing in: the application around it, and what goes over the wire."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx2
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.session import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

__all__ = ["CALLBACK", "Application", "connected"]

CALLBACK: Final = "http://127.0.0.1:9/callback"
"""Where users are sent back to. Nobody listens: the redirect is read, not followed."""


class Application:
    """What an application keeps for its client. Its user consents to everything."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.information: OAuthClientInformationFull | None = None
        self.exchanges: list[str] = []
        self._returned: dict[str, str] = {}

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.information

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.information = client_info

    async def open_browser(self, url: str) -> None:
        async with httpx2.AsyncClient() as browser:
            response = await browser.get(url)
        self._returned = dict(parse_qsl(urlsplit(response.headers["location"]).query))

    async def wait_for_user(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult.model_validate(self._returned)

    async def note(self, response: httpx2.Response) -> None:
        if response.status_code != 405:  # a stream is asked for at any time
            self.exchanges.append(f"{_said(response.request)} → {response.status_code}")

    def provider(self, url: str, metadata_url: str | None = None) -> OAuthClientProvider:
        """Signs in to the server at `url`; the client is described at `metadata_url`, if anywhere."""
        return OAuthClientProvider(
            url,
            OAuthClientMetadata(client_name="tests", redirect_uris=[AnyUrl(CALLBACK)]),
            self,
            self.open_browser,
            self.wait_for_user,
            client_metadata_url=metadata_url,
        )

    def scope(self) -> str | None:
        """What the client may do by its token."""
        assert self.tokens
        return self.tokens.scope


@asynccontextmanager
async def connected(
    url: str, application: Application, provider: OAuthClientProvider
) -> AsyncIterator[ClientSession]:
    """A client of the newest revision at `url` that `provider` lets in."""
    async with (
        httpx2.AsyncClient(auth=provider, event_hooks={"response": [application.note]}) as http,
        streamable_http_client(url, http_client=http) as (read, write),
        ClientSession(read, write) as session,
    ):
        await session.discover()
        yield session


def _said(request: httpx2.Request) -> str:
    if request.url.path == "/token":
        return f"/token {parse_qs(request.content.decode())['grant_type'][0]}"
    if request.url.path.endswith("/mcp") and request.method == "POST":
        return str(json.loads(request.content)["method"])
    return f"{request.method} {request.url.path}"
