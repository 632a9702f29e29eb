"""URI templates (RFC 6570): which variables they have, and which values a URI gives them.

Understood are literals, `{name}`, which fills one path segment, and `{+name}`, which fills any text: what can
be matched backwards without guessing.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from mcpcore.protocol.errors import DefinitionError

__all__ = ["LONGEST_URI", "UriTemplate", "parse_template"]

LONGEST_URI: Final = 8_192
"""The most characters of a URI that is matched; with several variables a place is tried more than once."""

_BOUNDS: Final = frozenset("/?#")  # what ends a segment
_EXPRESSION: Final = re.compile(r"\{([^{}]*)\}")
_VARIABLE: Final = re.compile(r"(\+?)([A-Za-z_][A-Za-z0-9_]*)")
_ESCAPE: Final = re.compile(rb"%([0-9A-Fa-f]{2})")


class UriTemplate(NamedTuple):
    """A parsed template. A URI without expressions has no variables and matches itself only."""

    text: str
    variables: tuple[str, ...]
    pattern: re.Pattern[str]

    def match(self, uri: str) -> Mapping[str, str] | None:
        """The value of each variable, percent-decoded; None when `uri` is not of this form."""
        found = self.pattern.fullmatch(uri)
        return None if found is None else {name: _decoded(value) for name, value in found.groupdict().items()}


def parse_template(text: str) -> UriTemplate:
    """The template that `text` writes down.

    Raises:
        DefinitionError: an expression is of a kind that cannot be matched, or names a variable twice; two
            stand in one segment, or more than one fills any text: there would be too many ways to match.
    """
    parts: list[str] = []
    names: list[str] = []
    operators: set[str] = set()
    end = 0
    for expression in _EXPRESSION.finditer(text):
        variable = _VARIABLE.fullmatch(expression[1])
        if variable is None:
            raise DefinitionError(text, f"{expression[0]} is not supported; use {{name}} or {{+name}}")
        operator, name = variable.groups()
        if name in names:
            raise DefinitionError(text, f"the variable {name} stands in it twice")
        if names and not _BOUNDS.intersection(text[end : expression.start()]):
            raise DefinitionError(text, f"{names[-1]} and {name} need a / between them, or a ? or #")
        if operator and "+" in operators:
            raise DefinitionError(text, "only one variable of a template may be of the kind {+name}")
        operators.add(operator)
        names.append(name)
        parts += [re.escape(text[end : expression.start()]), f"(?P<{name}>{'.+' if operator else '[^/?#]+'})"]
        end = expression.end()
    parts.append(re.escape(text[end:]))
    return UriTemplate(text, tuple(names), re.compile("".join(parts), re.DOTALL))


def _decoded(value: str) -> str:
    octets = _ESCAPE.sub(lambda escape: bytes([int(escape[1], 16)]), value.encode("utf-8", "surrogatepass"))
    return octets.decode("utf-8", "replace")
