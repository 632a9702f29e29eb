"""The kinds of source. Answers name them too, and a cold start loads no rules for that."""

from typing import Final, Literal, get_args

SourceType = Literal[
    "documentation", "tutorial", "video", "article", "tool", "repo", "forum", "book", "course", "api"
]
SOURCE_TYPES: Final[tuple[str, ...]] = get_args(SourceType)
