"""URI templates: which URIs are of their form, and which values these give to the variables."""

from collections.abc import Mapping

import pytest

from mcpcore import DefinitionError
from mcpcore.definitions.uri_templates import parse_template


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        ("book://motto", ()),
        ("", ()),
        ("book://{number}", ("number",)),
        ("book://{part}/{number}", ("part", "number")),
        ("file:///{+path}", ("path",)),
        ("x:{_a1}/{+B}", ("_a1", "B")),
        ("x:}{", ()),
    ],
)
def test_the_variables_of_a_template_are_named_in_their_order(text: str, variables: tuple[str, ...]) -> None:
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
def test_a_uri_of_the_form_gives_each_variable_its_decoded_value(
    template: str, uri: str, expected: Mapping[str, str] | None
) -> None:
    assert parse_template(template).match(uri) == expected


@pytest.mark.parametrize(
    "expression",
    ["{}", "{a,b}", "{/a}", "{?a}", "{#a}", "{;a}", "{&a}", "{.a}", "{a*}", "{a:3}", "{1a}", "{a b}", "{ä}"],
)
def test_an_expression_that_cannot_be_matched_backwards_is_refused(expression: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        parse_template(f"x:{expression}")

    assert str(refused.value) == f"x:{expression}: {expression} is not supported; use {{name}} or {{+name}}"


def test_a_variable_that_stands_twice_is_refused() -> None:
    with pytest.raises(DefinitionError) as refused:
        parse_template("x:{a}/{+a}")

    assert str(refused.value) == "x:{a}/{+a}: the variable a stands in it twice"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x:{a}{b}", "a and b need a / between them, or a ? or #"),
        ("x:{a}{+b}", "a and b need a / between them, or a ? or #"),
        ("x:{a}-{b}", "a and b need a / between them, or a ? or #"),
        ("note://{+a}/{+b}/{+c}.txt", "only one variable of a template may be of the kind {+name}"),
    ],
)
def test_a_template_that_matches_in_too_many_ways_is_refused(text: str, problem: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        parse_template(text)

    assert refused.value.problem == problem
