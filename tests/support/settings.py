"""The settings of the product and of any server, read as the handler reads them."""

from collections.abc import Mapping

from mcpcore_aws.authorization.settings import read_authorization_settings
from mcpcore_aws.settings import EnvironmentReader, ServerSettings, read_server_settings
from sources.settings import ProductSettings, read_settings

__all__ = ["handler_settings", "server_settings", "variables_read"]


def server_settings(environment: Mapping[str, str]) -> ServerSettings:
    """The settings of any server in `environment`."""
    reader = EnvironmentReader(environment)
    found = read_server_settings(reader)
    reader.require_valid()
    return found


def handler_settings(environment: Mapping[str, str]) -> tuple[ServerSettings, ProductSettings]:
    """All settings that the product's handler reads in `environment`."""
    reader = EnvironmentReader(environment)
    found = read_server_settings(reader), read_settings(reader)
    reader.require_valid()
    return found


class _Recorder(dict[str, str]):
    def __init__(self) -> None:
        super().__init__(SESSIONS_TABLE="any")
        self.names: set[str] = set()

    def get(self, name: str, default: object = None) -> object:  # type: ignore[override]  # as it is used
        self.names.add(name)
        return super().get(name, default)


def variables_read() -> frozenset[str]:
    """The names of all variables that the handler reads, those of the log level left out."""
    recorder = _Recorder()
    handler_settings(recorder)
    read_authorization_settings(EnvironmentReader(recorder))
    return frozenset(name for name in recorder.names if not name.endswith("LOG_LEVEL"))
