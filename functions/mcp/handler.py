"""The composition root: settings, registry, matching, server and sessions, made once per cold start."""

import os
from pathlib import Path
from typing import Final

from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.sessions import DynamoDBSessions
from mcpcore_aws.settings import Settings, SettingsError, read_settings
from mcpcore_aws.snapstart import DryRequest, prime
from sources.baked import BakedRegistry
from sources.catalog import build_server
from sources.matching import MatchSettings, Strategy, build_strategy
from sources.prebuilt import read_prebuilt


def _strategy(settings: Settings, registry: BakedRegistry) -> Strategy:
    chosen = MatchSettings(
        settings.match_threshold, settings.match_fuzzy_weight, settings.match_keyword_weight
    )
    try:
        return build_strategy(settings.match_strategy, registry, chosen)
    except ValueError as error:
        raise SettingsError([f"MATCH_STRATEGY: {error}"]) from error


# Only words that are misspelt load what compares spellings, and only arguments that do not fit what says why.
_DRY_REQUESTS: Final = (
    DryRequest("tools/list"),
    *(
        DryRequest("tools/call", {"name": "get_sources", "arguments": {"query": query}})
        for query in ("learn rust", "lern ruts progrmming", 5)
    ),
)

_settings = read_settings(os.environ)
_registry = BakedRegistry.open(Path(_settings.registry_dir))
_sessions = DynamoDBSessions(_settings.sessions_table)

server: Final = build_server(
    _registry, _strategy(_settings, _registry), log_no_matches=_settings.log_no_matches
).build(read_prebuilt(Path(__file__).parent, _registry.manifest.digest))

lambda_handler: Final = LambdaAdapter(
    server,
    sessions=_sessions,
    policy=_settings.policy,
    session_ttl_seconds=_settings.session_ttl_seconds,
    tool_timeout_seconds=_settings.tool_timeout_seconds,
    state_keys=_settings.state_keys,
)

prime(lambda_handler, _DRY_REQUESTS, sessions=_sessions)
