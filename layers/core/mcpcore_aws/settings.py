"""Settings of any server, read from environment variables once per cold start."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final, NamedTuple, TypeVar

from mcpcore.http import Policy
from mcpcore_aws.log_levels import wrong_levels

__all__ = [
    "EnvironmentReader",
    "RateLimits",
    "Secret",
    "ServerSettings",
    "SettingsError",
    "read_server_settings",
]

Number = TypeVar("Number", int, float)

DEFAULT_SESSION_TTL_SECONDS: Final = 3600
DEFAULT_TOOL_TIMEOUT_SECONDS: Final = 20

_MIN_SECRET_CHARACTERS: Final = 32

_SECRET_ARN: Final = (
    r"arn:aws[a-z-]*:(secretsmanager:[a-z0-9-]+:[0-9]{12}:secret:|ssm:[a-z0-9-]+:[0-9]{12}:parameter/)[!-~]+"
)

# The range of `MAX_BODY_BYTES`; Lambda's limit for an event is 6 MB.
_LOWEST_BODY_LIMIT_BYTES: Final = 1_000
_HIGHEST_BODY_LIMIT_BYTES: Final = 6_000_000

# Each of these turns authorization on.
_AUTHORIZED_BY: Final = ("AUTH_ISSUER", "AUTH_INTROSPECTION_URI", "AUTH_API_KEYS_TABLE", "AUTH_GATEWAY")

# DynamoDB writes one item 1,000 times a second.
_HIGHEST_RATE: Final = 60_000


class Secret(bytes):
    """Bytes that no text shows, be it of these or of a record that holds them."""

    def __repr__(self) -> str:
        return "Secret()"

    __str__ = __repr__


class RateLimits(NamedTuple):
    """Limits for each client address; 0 is none. Counted in `table`, under HMACs with `digest_key`.

    `trusted_proxies` is how many proxies stand in front of the event source, such as a CloudFront.
    """

    requests_per_minute: int = 0
    sessions_per_minute: int = 0
    trusted_proxies: int = 0
    table: str = ""
    digest_key: bytes = b""

    def any(self) -> bool:
        """True when requests are to be counted."""
        return self.requests_per_minute > 0 or self.sessions_per_minute > 0


class ServerSettings(NamedTuple):
    """The settings of any server; the template has a parameter for each, or sets it itself."""

    sessions_table: str
    session_ttl_seconds: int
    tool_timeout_seconds: int
    state_keys: tuple[bytes, ...]
    state_secret_source: str
    policy: Policy
    rate_limits: RateLimits
    authorized: bool
    """True when requests are to be authorized; `mcpcore_aws.authorization.settings` reads how."""


class SettingsError(Exception):
    """Environment variables are wrong or missing; the message has a sentence for each."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class EnvironmentReader:
    """Reads variables one by one and collects the faults, so that all of them are reported at once.

    An unset or empty variable has its default. After a fault a method returns some value of its type: call
    `require_valid` before using any. The variables of the log level are checked from the start.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self.faults = wrong_levels(environment)

    def require_valid(self) -> None:
        """Pass when every variable read so far was valid.

        Raises:
            SettingsError: at least one was wrong or missing; the error names each.
        """
        if self.faults:
            raise SettingsError(self.faults)

    def text(self, name: str, default: str | None = None) -> str:
        """The variable's text; without a default it must be set."""
        value = self._environment.get(name, "").strip() or default
        if value is None:
            self.faults.append(f"{name} must be set")
            return ""
        return value

    def choice(self, name: str, default: str, allowed: Collection[str]) -> str:
        """One of the `allowed` texts."""
        text = self.text(name, default)
        if text in allowed:
            return text
        words = " or ".join(word or "empty" for word in allowed)
        self.faults.append(f"{name} must be {words}, and is {text!r}")
        return default

    def names(self, name: str) -> frozenset[str]:
        """The names in a list separated by commas; empty by default."""
        parts = (part.strip() for part in self.text(name, "").split(","))
        return frozenset(part for part in parts if part)

    def secrets(self, *names: str) -> tuple[bytes, ...]:
        """The secrets that are set, in this order."""
        found = [(name, self.text(name, "")) for name in names]
        self.faults += [
            f"{name} must have at least {_MIN_SECRET_CHARACTERS} characters"
            for name, secret in found
            if 0 < len(secret) < _MIN_SECRET_CHARACTERS
        ]
        return tuple(Secret(secret.encode()) for _, secret in found if secret)

    def secret_source(self, name: str) -> str:
        """The ARN of a secret in Secrets Manager, or of a parameter in Parameter Store; empty by default."""
        arn = self.text(name, "")
        if arn and not re.fullmatch(_SECRET_ARN, arn):  # not shown: it may be the secret itself
            self.faults.append(
                f"{name} must be the ARN of a secret in Secrets Manager or of a parameter in Parameter Store"
            )
        return arn

    def switch(self, name: str, default: str) -> bool:
        """True or false."""
        text = self.text(name, default)
        if text not in ("true", "false"):
            self.faults.append(f"{name} must be true or false, and is {text!r}")
        return text == "true"

    def fraction(self, name: str, default: str) -> float:
        """A number from 0 to 1."""
        return self._number(name, default, float, 0.0, 1.0, "a number")

    def weights(self, **defaults: str) -> list[float]:
        """Numbers from 0 to 1 that sum to 1."""
        faults_before = len(self.faults)
        weights = [self.fraction(name, default) for name, default in defaults.items()]
        if len(self.faults) == faults_before and abs(sum(weights) - 1) > 1e-9:
            self.faults.append(f"{' and '.join(defaults)} must sum to 1")
        return weights

    def integer(self, name: str, default: int, minimum: int, maximum: int) -> int:
        """A whole number in a range."""
        return self._number(name, str(default), int, minimum, maximum, "a whole number")

    def _number(
        self,
        name: str,
        default: str,
        parse: Callable[[str], Number],
        minimum: Number,
        maximum: Number,
        kind: str,
    ) -> Number:
        text = self.text(name, default)
        try:
            value = parse(text)
        except ValueError:
            value = None
        if value is not None and minimum <= value <= maximum:  # NaN is in no range
            return value
        self.faults.append(f"{name} must be {kind} from {minimum} to {maximum}, and is {text!r}")
        return minimum


def read_server_settings(reader: EnvironmentReader, *, table_required: bool = True) -> ServerSettings:
    """The settings of any server; faults are collected by the reader."""
    limits = RateLimits(
        reader.integer("REQUESTS_PER_MINUTE", 0, 0, _HIGHEST_RATE),
        reader.integer("SESSIONS_PER_MINUTE", 0, 0, _HIGHEST_RATE),
        reader.integer("TRUSTED_PROXIES", 0, 0, 9),
    )
    table = reader.text("SESSIONS_TABLE", None if table_required or limits.any() else "")
    digest_key = reader.text("CLIENT_DIGEST_KEY", None if limits.any() else "")
    return ServerSettings(
        sessions_table=table,
        session_ttl_seconds=reader.integer("SESSION_TTL_SECONDS", DEFAULT_SESSION_TTL_SECONDS, 60, 86_400),
        tool_timeout_seconds=reader.integer("TOOL_TIMEOUT_SECONDS", DEFAULT_TOOL_TIMEOUT_SECONDS, 1, 28),
        state_keys=reader.secrets("STATE_SECRET", "STATE_SECRET_PREVIOUS"),
        state_secret_source=reader.secret_source("STATE_SECRET_SOURCE"),
        policy=Policy(
            allowed_origins=reader.names("ALLOWED_ORIGINS"),
            allowed_hosts=frozenset(host.lower() for host in reader.names("ALLOWED_HOSTS")),
            max_body_bytes=reader.integer(
                "MAX_BODY_BYTES",
                Policy().max_body_bytes,
                _LOWEST_BODY_LIMIT_BYTES,
                _HIGHEST_BODY_LIMIT_BYTES,
            ),
        ),
        rate_limits=limits._replace(table=table, digest_key=Secret(digest_key.encode())),
        authorized=_is_authorized(reader),
    )


def _is_authorized(reader: EnvironmentReader) -> bool:
    if any(reader.text(name, "") for name in _AUTHORIZED_BY):
        return True
    # Whoever sets one of these believes that not everybody is let in.
    reader.faults += [
        f"{name} is set, but none of {', '.join(_AUTHORIZED_BY)}: everybody would be let in"
        for name in ("AUTH_AUDIENCE", "AUTH_SCOPES", "AUTH_JWKS_URI", "AUTH_CLIENT_ID", "AUTH_CLIENT_SECRET")
        if reader.text(name, "")
    ]
    return False
