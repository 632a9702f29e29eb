"""`make bench-tokens`: tokens of the texts on stdin, as JSON from `bench.tokens.texts`.

It runs in an environment of its own, which has the tokenizer and nothing of the project. bpe-openai is chosen
because its package holds the vocabulary, so that nothing is downloaded at run time.
"""

import json
import sys
from typing import Any, Final

import bpe_openai  # type: ignore[import-not-found]  # not in the environment that checks types

_VOCABULARY: Final = "o200k_base"


def main() -> None:
    """Print a table, and as the last line one JSON object."""
    tokenizer = bpe_openai.get_encoding(_VOCABULARY)
    texts: dict[str, dict[str, str]] = json.load(sys.stdin)
    counts = {
        call: {setting: len(tokenizer.encode(text)) for setting, text in by_setting.items()}
        for call, by_setting in texts.items()
    }
    print("| call | own | json | both |", "| --- | ---: | ---: | ---: |", sep="\n")
    for call, count in counts.items():
        print(f"| `{call}` | {count['own']} | {_cell(count, 'json')} | {_cell(count, 'both')} |")
    print(json.dumps({"vocabulary": _VOCABULARY, "tokens": counts}))


def _cell(count: dict[str, Any], setting: str) -> str:
    return f"{count[setting]} (\N{MULTIPLICATION SIGN} {count[setting] / count['own']:.2f})"


if __name__ == "__main__":
    main()
