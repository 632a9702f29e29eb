"""The environment of a local run: defaults for what is not set yet."""

import os
from pathlib import Path
from unittest import mock

from tests.support.settings import handler_settings
from threegood_local.environment import SESSIONS_TABLE, set_defaults


def test_the_handler_finds_all_settings_it_needs() -> None:
    with mock.patch.dict(os.environ, clear=True):
        set_defaults(SESSION_TTL_SECONDS="60")
        settings, product = handler_settings(os.environ)
    assert (settings.sessions_table, settings.session_ttl_seconds) == (SESSIONS_TABLE, 60)
    assert len(settings.state_keys) == 1  # a tool can ask the client something
    assert (Path(product.registry_dir) / "manifest.json").is_file()


def test_variables_that_are_set_come_first_then_arguments_then_defaults() -> None:
    with mock.patch.dict(os.environ, {"AWS_DEFAULT_REGION": "eu-central-1"}, clear=True):
        set_defaults(SESSIONS_TABLE="argument", AWS_DEFAULT_REGION="argument")
        assert os.environ["AWS_DEFAULT_REGION"] == "eu-central-1"
        assert os.environ["SESSIONS_TABLE"] == "argument"
        assert os.environ["AWS_ACCESS_KEY_ID"] == "local"
