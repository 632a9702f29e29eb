"""Files that are replaced as a whole."""

import os
import tempfile
from pathlib import Path


def replace_file(file: Path, data: bytes) -> None:
    """Write `file` as a whole: a reader finds the former bytes or these."""
    descriptor, scratch = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(data)
        mode = file.stat().st_mode & 0o777 if file.exists() else 0o644
        os.chmod(scratch, mode)
        os.replace(scratch, file)
    except BaseException:
        os.unlink(scratch)
        raise
