"""URI templates: their variables, the URIs that match them, and what is not a template."""

from collections.abc import Mapping

import pytest

from mcpcore import DefinitionError
from mcpcore.definitions.uri_templates import parse_template


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("book://motto", ()),
        ("book://{number}", ("number",)),
        ("book://{part}/{number}", ("part", "number")),
        ("file:///{+path}", ("path",)),
        ("x:{_a1}/{+B}", ("_a1", "B")),
        ("A+-.1:x?y=%20#[z]", ()),
    ],
)
def test_a_template_has_its_variables_in_order(text: str, variables: tuple[str, ...]) -> None:
    template = parse_template(text)

    assert (template.text, template.variables) == (text, variables)


@pytest.mark.requirement("templates-matched")
@pytest.mark.parametrize(
    ("template", "uri", "expected"),
    [
        ("book://motto", "book://motto", {}),
        ("book://motto", "book://mottos", None),
        ("book://motto", "Book://motto", None),
        ("b.ok://x", "book://x", None),
        ("book://{n}", "book://3", {"n": "3"}),
        ("book://{n}", "book://", None),
        ("book://{n}", "book://3/4", None),
        ("book://{n}", "book://3?x=1", None),
        ("book://{n}", "book://3#x", None),
        ("book://{n}", "xbook://3", None),
        ("book://{n}", "book://a b", {"n": "a b"}),
        ("book://{n}", "book://line\nbreak", {"n": "line\nbreak"}),
        ("book://{n}", "book://%C3%BC%20%2F", {"n": "ü /"}),
        ("book://{n}", "book://ü", {"n": "ü"}),
        ("book://{n}", "book://%zz%4", {"n": "%zz%4"}),
        ("book://{n}", "book://%25%34%31", {"n": "%41"}),
        ("book://{n}", "book://%FF", {"n": "\ufffd"}),
        ("book://{part}/{n}/end", "book://1/2/end", {"part": "1", "n": "2"}),
        ("book://{part}/no-{n}", "book://1/no-2-3", {"part": "1", "n": "2-3"}),
        ("file:///{+path}", "file:///a/b?c#d", {"path": "a/b?c#d"}),
        ("file:///{+path}", "file:///", None),
        ("file:///{+path}", "file:///a\nb", {"path": "a\nb"}),
        ("file:///{+path}/end", "file:///a/end/end", {"path": "a/end"}),
    ],
)
def test_a_matching_uri_gives_each_variable_its_decoded_value(
    template: str, uri: str, expected: Mapping[str, str] | None
) -> None:
    assert parse_template(template).match(uri) == expected


NO_SCHEME = "a resource needs a URI with a scheme, such as notes://today"
SEPARATE = "a and b need a / between them, or a ? or #"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        *(
            (text, NO_SCHEME)
            for text in ("", "notes", "/notes", "notes:", ":x", "1a:x", "é:x", " a:x", "{a}:x")
        ),
        ("a:b c", "a URI cannot contain ' '; percent-encode it"),
        ("a:b\n", "a URI cannot contain '\\n'; percent-encode it"),
        ("a:b\x7f{c}", "a URI cannot contain '\\x7f'; percent-encode it"),
        ("a:ü", "a URI cannot contain 'ü'; percent-encode it"),
        ('a:"b"', "a URI cannot contain '\"'; percent-encode it"),
        ("a:\\b", "a URI cannot contain '\\\\'; percent-encode it"),
        *((text, "a { without its }") for text in ("a:{b", "a:{b/{c}", "a:b{")),
        *((text, "a } without its {") for text in ("a:b}", "a:{b}}", "a:}{")),
        *(
            (text, "a % in a URI needs two hexadecimal digits after it, as in %20")
            for text in ("a:%", "a:%2", "a:%zz", "a:%{b}")
        ),
        *(
            (f"x:{expression}", f"{expression} is not supported; use {{name}} or {{+name}}")
            for expression in (
                *("{}", "{a,b}", "{/a}", "{?a}", "{#a}", "{;a}", "{&a}", "{.a}"),
                *("{a*}", "{a:3}", "{1a}", "{a b}", "{ä}"),
            )
        ),
        ("x:{a}/{+a}", "the variable a occurs twice"),
        *((text, SEPARATE) for text in ("x:{a}{b}", "x:{a}{+b}", "x:{a}-{b}")),
        ("note://{+a}/{+b}/{+c}.txt", "only one variable of a template may be of the kind {+name}"),
    ],
)
def test_a_text_that_is_not_an_unambiguous_template_of_uris_is_refused(text: str, problem: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        parse_template(text)

    assert (refused.value.where, refused.value.problem) == (text, problem)
