"""Credentials that sign requests: from the environment as on Lambda, otherwise from botocore."""

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from mcpcore_aws.dynamodb.signature import Credentials
from mcpcore_aws.errors import NotConfigured

if TYPE_CHECKING:
    from botocore.credentials import Credentials as BotocoreCredentials
    from botocore.session import Session

__all__ = ["CredentialSource"]

_ACCESS_KEY: Final = "AWS_ACCESS_KEY_ID"
_SECRET_KEY: Final = "AWS_SECRET_ACCESS_KEY"
_TOKEN: Final = "AWS_SESSION_TOKEN"

# Characters that a header can hold. The exception that http.client raises for any other shows the secret.
_VISIBLE: Final = re.compile(r"[!-~]*")


class CredentialSource:
    """Provides credentials that are valid now.

    The environment comes first and is read for each request, so no copy can become stale. Only if it has
    none, botocore is imported for its provider chain: profiles, single sign-on, containers (which Lambda
    with SnapStart counts as), instances. The chain refreshes credentials that expire.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._lock = threading.Lock()
        self._session: Session | None = None
        self._found: BotocoreCredentials | None = None

    def current(self) -> Credentials:
        """The credentials to sign the next request with.

        Raises:
            NotConfigured: there are none, or they contain characters that a header cannot hold.
        """
        credentials = self._from_environment() or self._from_chain()
        if not all(map(_VISIBLE.fullmatch, credentials)):
            raise NotConfigured("the credentials contain characters that a header cannot hold")
        return credentials

    def warm_up(self) -> None:
        """Import botocore's provider chain if the environment has no credentials; no network access."""
        if self._from_environment() is None:
            with self._lock, _as_not_configured():
                self._provider_chain()

    def _from_environment(self) -> Credentials | None:
        access_key, secret_key, token = (
            self._environment.get(name, "") for name in (_ACCESS_KEY, _SECRET_KEY, _TOKEN)
        )
        return Credentials(access_key, secret_key, token) if access_key and secret_key else None

    def _from_chain(self) -> Credentials:
        with self._lock, _as_not_configured():
            if self._found is None:
                self._found = self._provider_chain().get_credentials()
            if self._found is None:
                raise NotConfigured("there are no credentials")
            frozen = self._found.get_frozen_credentials()
        # What a container's endpoint gives is not checked: it may be another value than text.
        return Credentials(*(str(value or "") for value in frozen[:3]))

    def _provider_chain(self) -> "Session":
        from botocore.session import Session

        if self._session is None:
            session = Session()
            session.get_component("credential_provider")  # imports the modules of the providers
            self._session = session
        return self._session


@contextmanager
def _as_not_configured() -> Iterator[None]:
    """Turn an error of botocore, or its absence, into `NotConfigured`."""
    try:
        from botocore.exceptions import BotoCoreError
    except ImportError as error:
        raise NotConfigured("the environment has no credentials, and botocore is missing") from error
    try:
        yield
    except BotoCoreError as error:
        raise NotConfigured(f"there are no credentials: {error}") from error
    # What botocore raises for a malformed answer of a container's endpoint, and for credentials that are
    # still expired when they have been renewed. The text of such an error may be a part of the answer.
    except (LookupError, TypeError, AttributeError, ValueError, RuntimeError) as error:
        raise NotConfigured(f"the credentials given cannot be used: {type(error).__name__}") from None
