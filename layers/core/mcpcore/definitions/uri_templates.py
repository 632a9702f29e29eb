"""URI templates (RFC 6570): their variables, and the values that a URI gives them.

Supported are literals, `{name}` for one path segment, and `{+name}` for any text: the expressions that can be
matched against a URI without ambiguity.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from mcpcore.protocol.errors import DefinitionError

__all__ = ["MAX_URI_LENGTH", "UriTemplate", "normalized", "parse_template"]

MAX_URI_LENGTH: Final = 8_192
"""The longest URI that is matched, in characters; matching several variables can backtrack."""

_SEGMENT_ENDS: Final = frozenset("/?#")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:.")
_NOT_IN_URI: Final = re.compile(r"[^A-Za-z0-9:/?#\[\]@!$&'()*+,;=._~%-]|%(?![0-9A-Fa-f]{2})")
_PROBLEMS: Final = {
    "%": "a % in a URI needs two hexadecimal digits after it, as in %20",
    "{": "a { without its }",
    "}": "a } without its {",
}
_EXPRESSION: Final = re.compile(r"\{([^{}]*)\}")
_VARIABLE: Final = re.compile(r"(\+?)([A-Za-z_][A-Za-z0-9_]*)")
_ESCAPE: Final = re.compile(rb"%([0-9A-Fa-f]{2})")
# Of letters, digits, and - . _ ~ (RFC 3986, section 2.3).
_NEEDLESS_ESCAPE: Final = re.compile("%(2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])", re.IGNORECASE)


class UriTemplate(NamedTuple):
    """A parsed template. A URI without expressions has no variables and matches itself only."""

    text: str
    variables: tuple[str, ...]
    pattern: re.Pattern[str]

    def match(self, uri: str) -> Mapping[str, str] | None:
        """The value of each variable, percent-decoded; None if `uri` does not match."""
        found = self.pattern.fullmatch(uri)
        return None if found is None else {name: _decoded(value) for name, value in found.groupdict().items()}


def normalized(uri: str) -> str:
    """The equivalent URI that escapes no character which needs no escape (RFC 3986, section 6.2.2.2)."""
    return _NEEDLESS_ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), uri)


def parse_template(text: str) -> UriTemplate:
    """The template that `text` is.

    Raises:
        DefinitionError: it is not a URI; an expression is not supported or names a variable twice; two
            variables are in one segment, or two match any text: a URI could match in several ways.
    """
    _require_uri(text)
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
            raise DefinitionError(text, f"the variable {name} occurs twice")
        if names and not _SEGMENT_ENDS.intersection(text[end : expression.start()]):
            raise DefinitionError(text, f"{names[-1]} and {name} need a / between them, or a ? or #")
        if operator and "+" in operators:
            raise DefinitionError(text, "only one variable of a template may be of the kind {+name}")
        operators.add(operator)
        names.append(name)
        parts += [re.escape(text[end : expression.start()]), f"(?P<{name}>{'.+' if operator else '[^/?#]+'})"]
        end = expression.end()
    parts.append(re.escape(text[end:]))
    return UriTemplate(text, tuple(names), re.compile("".join(parts), re.DOTALL))


def _require_uri(text: str) -> None:
    """Refuse what is not a URI once its expressions are filled in (RFC 3986, section 3)."""
    if _SCHEME.match(text) is None:
        raise DefinitionError(text, "a resource needs a URI with a scheme, such as notes://today")
    if (wrong := _NOT_IN_URI.search(_EXPRESSION.sub("", text))) is not None:
        problem = _PROBLEMS.get(wrong[0], f"a URI cannot contain {wrong[0]!r}; percent-encode it")
        raise DefinitionError(text, problem)


def _decoded(value: str) -> str:
    octets = _ESCAPE.sub(lambda escape: bytes([int(escape[1], 16)]), value.encode("utf-8", "surrogatepass"))
    return octets.decode("utf-8", "replace")
