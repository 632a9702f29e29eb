"""Whose requests they are: what Lambda puts into the environment, or what botocore finds elsewhere."""

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from mcpcore_aws.dynamodb.signature import Credentials
from mcpcore_aws.errors import NotConfigured

if TYPE_CHECKING:
    from botocore.credentials import Credentials as Found
    from botocore.session import Session

__all__ = ["CredentialSource"]

_ACCESS_KEY: Final = "AWS_ACCESS_KEY_ID"
_SECRET_KEY: Final = "AWS_SECRET_ACCESS_KEY"
_TOKEN: Final = "AWS_SESSION_TOKEN"

# What fits into a header. The library's own complaint about a character that does not would show the secret.
_VISIBLE: Final = re.compile(r"[!-~]*")


class CredentialSource:
    """Gives the credentials that are good now.

    The environment comes first and is read each time, so that nothing of it is kept. Only when it has none is
    botocore imported, for its chain: profiles, single sign-on, containers (Lambda with SnapStart is one of
    those), instances. The chain renews what expires.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._lock = threading.Lock()
        self._session: Session | None = None
        self._found: Found | None = None

    def current(self) -> Credentials:
        """The credentials to sign the next request with.

        Raises:
            NotConfigured: there are none, or they cannot be used.
        """
        credentials = self._from_environment() or self._from_chain()
        if not all(map(_VISIBLE.fullmatch, credentials)):
            raise NotConfigured("the credentials hold characters that credentials cannot have")
        return credentials

    def prepare(self) -> None:
        """Do beforehand what needs neither credentials nor network."""
        if self._from_environment() is None:
            with self._lock, _translated():
                self._chain()

    def _from_environment(self) -> Credentials | None:
        access_key, secret_key, token = (
            self._environment.get(name, "") for name in (_ACCESS_KEY, _SECRET_KEY, _TOKEN)
        )
        return Credentials(access_key, secret_key, token) if access_key and secret_key else None

    def _from_chain(self) -> Credentials:
        with self._lock, _translated():
            if self._found is None:
                self._found = self._chain().get_credentials()
            if self._found is None:
                raise NotConfigured("there are no credentials")
            frozen = self._found.get_frozen_credentials()
        return Credentials(frozen.access_key or "", frozen.secret_key or "", frozen.token or "")

    def _chain(self) -> "Session":
        from botocore.session import Session

        if self._session is None:
            session = Session()
            session.get_component("credential_provider")  # imports what the providers need
            self._session = session
        return self._session


@contextmanager
def _translated() -> Iterator[None]:
    """Whatever botocore raises, or its absence, as `NotConfigured`."""
    try:
        from botocore.exceptions import BotoCoreError
    except ImportError as error:
        raise NotConfigured("the environment has no credentials, and botocore is missing") from error
    try:
        yield
    except BotoCoreError as error:
        raise NotConfigured(f"there are no credentials: {error}") from error
