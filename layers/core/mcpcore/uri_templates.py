"""URI templates (RFC 6570): which variables they have, and which values a URI gives them.

Understood are literals, `{name}`, which fills one path segment, and `{+name}`, which fills any text: what can
be matched backwards without guessing.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from mcpcore.errors import DefinitionError

__all__ = ["UriTemplate", "parse_template"]

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
        DefinitionError: an expression is of a kind that cannot be matched, or names a variable twice.
    """
    parts: list[str] = []
    names: list[str] = []
    end = 0
    for expression in _EXPRESSION.finditer(text):
        variable = _VARIABLE.fullmatch(expression[1])
        if variable is None:
            raise DefinitionError(text, f"{expression[0]} is not supported; use {{name}} or {{+name}}")
        operator, name = variable.groups()
        if name in names:
            raise DefinitionError(text, f"the variable {name} stands in it twice")
        names.append(name)
        parts += [re.escape(text[end : expression.start()]), f"(?P<{name}>{'.+' if operator else '[^/?#]+'})"]
        end = expression.end()
    parts.append(re.escape(text[end:]))
    return UriTemplate(text, tuple(names), re.compile("".join(parts), re.DOTALL))


def _decoded(value: str) -> str:
    octets = _ESCAPE.sub(lambda escape: bytes([int(escape[1], 16)]), value.encode("utf-8", "surrogatepass"))
    return octets.decode("utf-8", "replace")
