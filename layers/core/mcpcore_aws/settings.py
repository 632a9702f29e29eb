"""Settings from the environment, read and checked once, at cold start."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeVar

from mcpcore.http import Policy
from mcpcore_aws.log_levels import wrong_levels

__all__ = ["VARIABLES", "Settings", "SettingsError", "read_settings"]

Number = TypeVar("Number", int, float)


class Settings(NamedTuple):
    """What an operator may set; the template has a parameter for each but the registry's place."""

    registry_dir: str
    match_strategy: str
    match_threshold: float
    match_fuzzy_weight: float
    match_keyword_weight: float
    log_no_matches: bool
    sessions_table: str
    session_ttl_seconds: int
    tool_timeout_seconds: int
    state_keys: tuple[bytes, ...]
    policy: Policy


class SettingsError(Exception):
    """The environment is wrong; the message has a line for each variable at fault."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


_SHORTEST_SECRET: Final = 32

VARIABLES: Final = frozenset(
    {
        "ALLOWED_HOSTS",
        "ALLOWED_ORIGINS",
        "LOG_NO_MATCHES",
        "MATCH_FUZZY_WEIGHT",
        "MATCH_KEYWORD_WEIGHT",
        "MATCH_STRATEGY",
        "MATCH_THRESHOLD",
        "MAX_BODY_BYTES",
        "REGISTRY_DIR",
        "SESSIONS_TABLE",
        "SESSION_TTL_SECONDS",
        "STATE_SECRET",
        "STATE_SECRET_PREVIOUS",
        "TOOL_TIMEOUT_SECONDS",
    }
)
"""Every variable that is read here."""


def read_settings(environment: Mapping[str, str]) -> Settings:
    """The settings that `environment` holds; an unset or empty variable takes its default.

    Raises:
        SettingsError: at least one variable is wrong or missing; all of them are named.
    """
    read = _Reader(environment)
    fuzzy_weight, keyword_weight = read.weights(MATCH_FUZZY_WEIGHT="0.7", MATCH_KEYWORD_WEIGHT="0.3")
    settings = Settings(
        registry_dir=read.text("REGISTRY_DIR", "/opt/registry"),
        match_strategy=read.text("MATCH_STRATEGY", "lexicon"),
        match_threshold=read.fraction("MATCH_THRESHOLD", "0.4"),
        match_fuzzy_weight=fuzzy_weight,
        match_keyword_weight=keyword_weight,
        log_no_matches=read.switch("LOG_NO_MATCHES", "false"),
        sessions_table=read.text("SESSIONS_TABLE", None),
        session_ttl_seconds=read.whole("SESSION_TTL_SECONDS", "3600", 60, 86_400),
        tool_timeout_seconds=read.whole("TOOL_TIMEOUT_SECONDS", "20", 1, 28),
        state_keys=read.secrets("STATE_SECRET", "STATE_SECRET_PREVIOUS"),
        policy=Policy(
            allowed_origins=read.names("ALLOWED_ORIGINS"),
            allowed_hosts=frozenset(host.lower() for host in read.names("ALLOWED_HOSTS")),
            max_body_bytes=read.whole("MAX_BODY_BYTES", "1000000", 1_000, 6_000_000),
        ),
    )
    read.faults += wrong_levels(environment)
    if read.faults:
        raise SettingsError(read.faults)
    return settings


class _Reader:
    """Reads one variable after the other and keeps every fault, so that all are told at once."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self.faults: list[str] = []

    def text(self, name: str, default: str | None) -> str:
        value = self._environment.get(name, "").strip() or default
        if value is None:
            self.faults.append(f"{name} must be set")
            return ""
        return value

    def names(self, name: str) -> frozenset[str]:
        parts = (part.strip() for part in self.text(name, "").split(","))
        return frozenset(part for part in parts if part)

    def secrets(self, *names: str) -> tuple[bytes, ...]:
        found = [(name, self.text(name, "")) for name in names]
        self.faults += [
            f"{name} must have at least {_SHORTEST_SECRET} characters"
            for name, secret in found
            if 0 < len(secret) < _SHORTEST_SECRET
        ]
        return tuple(secret.encode() for _, secret in found if secret)

    def switch(self, name: str, default: str) -> bool:
        text = self.text(name, default)
        if text not in ("true", "false"):
            self.faults.append(f"{name} must be true or false, and is {text!r}")
        return text == "true"

    def fraction(self, name: str, default: str) -> float:
        return self._number(name, default, float, 0.0, 1.0, "a number")

    def weights(self, **defaults: str) -> list[float]:
        record = len(self.faults)
        weights = [self.fraction(name, default) for name, default in defaults.items()]
        if len(self.faults) == record and abs(sum(weights) - 1) > 1e-9:
            self.faults.append(f"{' and '.join(defaults)} must sum to 1")
        return weights

    def whole(self, name: str, default: str, least: int, most: int) -> int:
        return self._number(name, default, int, least, most, "a whole number")

    def _number(
        self, name: str, default: str, kind: Callable[[str], Number], least: Number, most: Number, called: str
    ) -> Number:
        text = self.text(name, default)
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is not None and least <= value <= most:  # NaN is in no range
            return value
        self.faults.append(f"{name} must be {called} from {least} to {most}, and is {text!r}")
        return least
