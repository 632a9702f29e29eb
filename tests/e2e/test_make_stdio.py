"""`make stdio` as a client starts it: whatever make has to do first, stdout has messages only."""

import json
import os
import subprocess

import pytest

from tests.support.exchanges import modern
from tests.support.processes import ROOT
from tests.support.published import NAMED


@pytest.mark.requirement("stdio-messages-only")
def test_stdout_has_messages_only_even_when_the_registry_must_be_baked_first() -> None:
    (ROOT / NAMED).touch()
    # Under `make test` these would make this a part of that run.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))
    }
    ran = subprocess.run(
        ["make", "stdio", f"REGISTRY={NAMED}"],
        cwd=ROOT,
        env=environment,
        input=modern("server/discover").body + b"\n",
        capture_output=True,
        timeout=60,
        check=True,
    )
    (line,) = ran.stdout.splitlines()
    assert json.loads(line)["id"] == 1
    assert b"baked" in ran.stderr
