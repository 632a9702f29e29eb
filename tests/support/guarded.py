"""Functions that want tokens, under the emulator, behind a gateway that may rename the challenge."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from mcpcore.http.authorization import METADATA_PATH
from mcpcore_local import HttpGateway
from tests.support.artifact import FUNCTION, PYTHON, Artifact, layers
from tests.support.emulator import lay_out, running
from tests.support.exchanges import Reply, Sent, modern, over_http
from tests.support.processes import ROOT
from threegood_local.issuer import DevelopmentIssuer

__all__ = ["SCOPE", "GatewayKind", "Guarded", "guarded", "guarded_artifact", "guarded_scoped"]

SCOPE: Final = "mcp"
"""What every request needs."""

_SCOPED: Final = ROOT / "tests" / "support" / "scoped_function"


class GatewayKind(NamedTuple):
    """What a gateway makes of challenges and paths."""

    renames_challenge: bool = False
    stage: str = ""
    """What stands before every path; nothing is found at the root then."""

    @property
    def challenge_header(self) -> str:
        """The name under which clients get challenges."""
        return f"{'x-amzn-remapped-' if self.renames_challenge else ''}www-authenticate"

    def routes(self) -> Iterator[tuple[str, str]]:
        """The routes beside `/mcp`."""
        for path in (METADATA_PATH, f"{METADATA_PATH}/mcp"):
            yield "GET", f"{self.stage}{path}"
        for method in ("POST", "GET", "DELETE"):
            yield method, f"{self.stage}/mcp"


class Guarded(NamedTuple):
    """A function behind a gateway: where it is, who issues its tokens, and what it logs."""

    url: str
    issuer: DevelopmentIssuer
    log: Path
    gateway_kind: GatewayKind

    def token(self, scope: str = SCOPE, **claims: Any) -> str:
        """A token that is valid here, but for `claims` that say otherwise."""
        said = {"client_id": "tests", "audience": self.url, "scope": scope, **claims}
        return self.issuer.tokens.issue("developer", **said)

    def call(self, token: str, tool: str = "get_sources", **arguments: Any) -> Reply:
        """The reply to a call of `tool` with a token."""
        return self.send(modern("tools/call", name=tool, arguments=arguments), token)

    def send(self, sent: Sent, token: str) -> Reply:
        """The reply to a request with a token."""
        headers = {**sent.headers, "authorization": f"Bearer {token}"}
        return over_http(self.url)(sent._replace(headers=headers))


PLAIN: Final = GatewayKind()
"""A gateway that changes nothing."""


def guarded_artifact(artifact: Artifact, folder: Path) -> Artifact:
    """The artifact as it is deployed with an issuer: one layer more."""
    lay_out([artifact.build / name for name in layers(AuthIssuer="https://issuer.example.com")], folder)
    return artifact._replace(opt=folder)


@contextmanager
def guarded(
    function: Artifact,
    issuer: DevelopmentIssuer,
    log: Path,
    variables: dict[str, str],
    gateway_kind: GatewayKind = PLAIN,
) -> Iterator[Guarded]:
    """A fresh environment of the function, with these variables, that takes tokens of `issuer`."""
    one_at_a_time = threading.Lock()  # as for an environment of Lambda
    with HttpGateway(
        0, [*gateway_kind.routes()], renames_challenge=gateway_kind.renames_challenge
    ) as gateway:
        url = f"{gateway.url.removesuffix('/mcp')}{gateway_kind.stage}/mcp"
        authorization = {
            "AUTH_ISSUER": issuer.url,
            "AUTH_RESOURCE": url,
            "AUTH_SCOPES": SCOPE,
            "REGISTRY_DIR": str(function.opt / "registry"),
        }
        with running(
            PYTHON,
            task=function.task,
            opt=function.opt,
            handler=FUNCTION["Handler"],
            variables=variables | authorization,
            log=log,
        ) as emulator:

            def invoke(event: dict[str, Any], _: object) -> dict[str, Any]:
                with one_at_a_time:
                    return emulator.invoke(event)

            with gateway.serving(invoke):
                yield Guarded(url, issuer, log, gateway_kind)


@contextmanager
def guarded_scoped(
    artifact: Artifact,
    issuer: DevelopmentIssuer,
    folder: Path,
    variables: dict[str, str],
    gateway_kind: GatewayKind = PLAIN,
) -> Iterator[tuple[Guarded, Path]]:
    """The function with scopes, over the layers of `artifact`; and the file that puts a clock forward.

    The clock tells how old the issuer's keys are; the file has the seconds to add.
    """
    seconds_ahead, task = folder / "seconds", folder / "task"
    seconds_ahead.write_text("0")
    shutil.copytree(_SCOPED, task, ignore=shutil.ignore_patterns("__pycache__"))
    moved = {**variables, "SECONDS_AHEAD": str(seconds_ahead)}
    with guarded(
        artifact._replace(task=task), issuer, folder / "function.log", moved, gateway_kind
    ) as server:
        yield server, seconds_ahead
