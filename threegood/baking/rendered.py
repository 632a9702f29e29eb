"""An answer as it is baked: structured content and text."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple


class Rendered(NamedTuple):
    """One answer: the JSON of `structuredContent`, and the content of the text block."""

    structured: bytes
    text: str


def rendered(structured: Mapping[str, Any], text: str) -> Rendered:
    """The answer with that content and text."""
    data = json.dumps(structured, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    return Rendered(data, text)


def paragraphs(*parts: str) -> str:
    """These texts with an empty line between."""
    return "\n\n".join(parts)
