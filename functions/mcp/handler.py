"""The composition root: settings, registry, matching, server and sessions, made once per cold start."""

import os
from pathlib import Path
from typing import Final

from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.sessions import DynamoDBSessions
from mcpcore_aws.settings import Settings, SettingsError, read_settings
from sources.baked import BakedRegistry
from sources.catalog import build_server
from sources.matching import Settings as MatchSettings
from sources.matching import Strategy, build_strategy
from sources.prepared import read_prepared


def _strategy(settings: Settings, registry: BakedRegistry) -> Strategy:
    chosen = MatchSettings(
        settings.match_threshold, settings.match_fuzzy_weight, settings.match_keyword_weight
    )
    try:
        return build_strategy(settings.match_strategy, registry, chosen)
    except ValueError as error:
        raise SettingsError([f"MATCH_STRATEGY: {error}"]) from error


_settings = read_settings(os.environ)
_registry = BakedRegistry.open(Path(_settings.registry_dir))

server: Final = build_server(
    _registry, _strategy(_settings, _registry), note_no_matches=_settings.log_no_matches
).build(read_prepared(Path(__file__).parent, _registry.manifest.digest))

lambda_handler: Final = LambdaAdapter(
    server,
    sessions=DynamoDBSessions(_settings.sessions_table),
    policy=_settings.policy,
    session_ttl_seconds=_settings.session_ttl_seconds,
    tool_timeout_seconds=_settings.tool_timeout_seconds,
    state_keys=_settings.state_keys,
)
