"""Environments of Python for programs that shall not see the project's own packages."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

__all__ = ["environment_of"]

_PIP: Final = (sys.executable, "-m", "pip", "--disable-pip-version-check")
_PATIENCE_SECONDS: Final = 300


def environment_of(lock: Path, python: str = sys.executable) -> Path:
    """An environment of `python` beside `lock` with what it pins, made unless it is there already."""
    environment = lock.parent / ".venv"
    locked = hashlib.sha256(lock.read_bytes()).hexdigest()
    installed = environment / ".installed"
    if not installed.exists() or installed.read_text() != locked:
        shutil.rmtree(environment, ignore_errors=True)
        _run(python, "-m", "venv", "--without-pip", str(environment))
        _run(*_PIP, "--python", str(environment), "install", "--quiet", "--require-hashes", "-r", str(lock))
        installed.write_text(locked)
    return environment


def _run(*command: str) -> None:
    subprocess.run(command, check=True, timeout=_PATIENCE_SECONDS)
