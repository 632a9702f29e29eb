"""Questions as requests, what a client must be able to do for them, and its answers as values."""

import sys
from collections.abc import Mapping
from typing import Any

import pytest

from mcpcore import Elicit, Elicited, ElicitUrl, ListRoots, QuestionRefused, Root, Sample, Sampled
from mcpcore.protocol.errors import InvalidParams
from mcpcore.questions.answer import Answer, read_answer
from mcpcore.questions.question import Question, required_capability, to_request
from mcpcore.questions.replay import ReplayState

NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
FORM = Elicit("Who are you?", NAME)
PAGE = ElicitUrl("Sign in.", "https://a.example/in")
USER = {"role": "user", "content": {"type": "text", "text": "Hi"}}

SAID = [{"role": "user", "content": {"type": "text", "text": "Hi"}}]


@pytest.mark.requirement("elicit-request")
@pytest.mark.parametrize(
    ("question", "version", "expected"),
    [
        (
            FORM,
            "2026-07-28",
            ("elicitation/create", {"message": "Who are you?", "requestedSchema": NAME}),
        ),
        (
            FORM,
            "2025-11-25",
            ("elicitation/create", {"message": "Who are you?", "requestedSchema": NAME}),
        ),
        (
            PAGE,
            "2026-07-28",
            ("elicitation/create", {"mode": "url", "message": "Sign in.", "url": "https://a.example/in"}),
        ),
        (
            PAGE,
            "2025-11-25",
            (
                "elicitation/create",
                {
                    "mode": "url",
                    "message": "Sign in.",
                    "url": "https://a.example/in",
                    "elicitationId": "id-1",
                },
            ),
        ),
        (Sample("Hi", 9), "2025-11-25", ("sampling/createMessage", {"messages": SAID, "maxTokens": 9})),
        (
            Sample([USER, USER], 9, {"systemPrompt": "Be brief.", "temperature": 0.5}),
            "2026-07-28",
            (
                "sampling/createMessage",
                {
                    "systemPrompt": "Be brief.",
                    "temperature": 0.5,
                    "messages": [USER, USER],
                    "maxTokens": 9,
                },
            ),
        ),
        (
            Sample("Hi", 9, {"maxTokens": 1, "messages": []}),
            "2025-11-25",
            ("sampling/createMessage", {"messages": SAID, "maxTokens": 9}),
        ),
        (ListRoots(), "2025-11-25", ("roots/list", {})),
        (ListRoots(), "2026-07-28", ("roots/list", {})),
    ],
)
def test_a_question_is_a_request_of_the_protocol(
    question: Question, version: str, expected: tuple[str, dict[str, Any]]
) -> None:
    assert to_request(question, version=version, elicitation_id="id-1") == expected


FORMS: dict[str, Any] = {"elicitation": {"form": {}}}
URLS: dict[str, Any] = {"elicitation": {"url": {}}}
TOOLS = Sample("Hi", 9, {"tools": []})


@pytest.mark.requirement("elicit-modes")
@pytest.mark.parametrize(
    ("question", "declared", "expected"),
    [
        (FORM, {}, FORMS),
        (FORM, {"elicitation": {}}, {}),
        (FORM, FORMS, {}),
        (FORM, URLS, FORMS),
        (FORM, {"elicitation": {"form": {}, "url": {}}}, {}),
        (FORM, {"elicitation": None}, FORMS),
        (FORM, {"elicitation": True}, FORMS),
        (FORM, {"sampling": {}}, FORMS),
        (PAGE, {}, URLS),
        (PAGE, {"elicitation": {}}, URLS),
        (PAGE, FORMS, URLS),
        (PAGE, URLS, {}),
        (Sample("Hi", 9), {}, {"sampling": {}}),
        (Sample("Hi", 9), {"sampling": None}, {"sampling": {}}),
        (Sample("Hi", 9), {"sampling": {}}, {}),
        (Sample("Hi", 9), {"sampling": {"tools": {}}}, {}),
        (TOOLS, {"sampling": {}}, {"sampling": {"tools": {}}}),
        (TOOLS, {}, {"sampling": {"tools": {}}}),
        (TOOLS, {"sampling": {"tools": {}}}, {}),
        (Sample("Hi", 9, {"toolChoice": {}}), {"sampling": {}}, {"sampling": {"tools": {}}}),
        (ListRoots(), {}, {"roots": {}}),
        (ListRoots(), {"roots": []}, {"roots": {}}),
        (ListRoots(), {"roots": {"listChanged": True}}, {}),
        (ListRoots(), {"roots": {}}, {}),
    ],
)
def test_a_client_that_cannot_be_asked_lacks_a_capability(
    question: Question, declared: Mapping[str, Any], expected: Mapping[str, Any]
) -> None:
    assert required_capability(question, declared) == expected


def read(question: Question, found: object) -> Answer:
    return read_answer(question, "k", ReplayState({"k": found}))


TEXT = {"type": "text", "text": "Paris"}
IMAGE = {"type": "image", "data": "", "mimeType": "image/png"}
SAMPLED = {"role": "assistant", "content": TEXT, "model": "m"}


@pytest.mark.requirement("elicit-actions")
@pytest.mark.parametrize(
    ("question", "found", "expected"),
    [
        (FORM, {"action": "accept", "content": {"name": "Ada"}}, Elicited("accept", {"name": "Ada"})),
        (
            FORM,
            {"action": "accept", "content": {"name": "Ada", "more": 1}, "extra": 1},
            Elicited("accept", {"name": "Ada", "more": 1}),
        ),
        (FORM, {"action": "decline"}, Elicited("decline", {})),
        (FORM, {"action": "decline", "content": {"name": 5}}, Elicited("decline", {})),
        (FORM, {"action": "cancel", "content": None}, Elicited("cancel", {})),
        (PAGE, {"action": "accept"}, Elicited("accept", {})),
        (PAGE, {"action": "decline"}, Elicited("decline", {})),
        (Sample("Hi", 9), SAMPLED, Sampled("assistant", TEXT, "m", "")),
        (
            Sample("Hi", 9),
            {**SAMPLED, "content": [TEXT, IMAGE], "stopReason": "endTurn"},
            Sampled("assistant", [TEXT, IMAGE], "m", "endTurn"),
        ),
        (Sample("Hi", 9), {**SAMPLED, "content": []}, Sampled("assistant", [], "m", "")),
        (ListRoots(), {"roots": []}, []),
        (
            ListRoots(),
            {"roots": [{"uri": "file:///a", "name": "A"}, {"uri": "file:///b"}]},
            [Root("file:///a", "A"), Root("file:///b", "")],
        ),
    ],
)
def test_an_answer_is_read_as_a_value(question: Question, found: object, expected: Answer) -> None:
    assert read(question, found) == expected


NO_OBJECTS: list[object] = [None, 12345, "x", []]
NO_OBJECT = "it is not an object"
NO_ACTION = "action must be accept, decline or cancel"
NO_ROLE = "role and model must be strings"
NO_BLOCK = "content must be a content block"
NO_ROOTS = "roots must be an array of objects with a uri"


@pytest.mark.requirement("mrtr-answers-unfit")
@pytest.mark.parametrize(
    ("question", "found", "reason"),
    [
        *((each, found, NO_OBJECT) for each in (FORM, PAGE, ListRoots()) for found in NO_OBJECTS),
        (FORM, {}, NO_ACTION),
        (FORM, {"action": "Accept"}, NO_ACTION),
        (FORM, {"action": ["accept"]}, NO_ACTION),
        (PAGE, {"action": None}, NO_ACTION),
        (FORM, {"action": "accept"}, "$: 'name' is a required property"),
        (FORM, {"action": "accept", "content": {"name": 5}}, "$.name: 5 is not of type 'string'"),
        (FORM, {"action": "accept", "content": None}, "content must be an object"),
        (FORM, {"action": "accept", "content": ["Ada"]}, "content must be an object"),
        (Sample("Hi", 9), {}, NO_ROLE),
        (Sample("Hi", 9), {**SAMPLED, "model": None}, NO_ROLE),
        (Sample("Hi", 9), {**SAMPLED, "role": 1}, NO_ROLE),
        (Sample("Hi", 9), {"role": "assistant", "model": "m"}, NO_BLOCK),
        (Sample("Hi", 9), {**SAMPLED, "content": "Paris"}, NO_BLOCK),
        (Sample("Hi", 9), {**SAMPLED, "content": {}}, NO_BLOCK),
        (Sample("Hi", 9), {**SAMPLED, "content": {"type": "text"}}, NO_BLOCK),
        (Sample("Hi", 9), {**SAMPLED, "content": [TEXT, {"type": "text", "text": 1}]}, NO_BLOCK),
        (Sample("Hi", 9), {**SAMPLED, "content": [TEXT, None]}, NO_BLOCK),
        (ListRoots(), {}, NO_ROOTS),
        (ListRoots(), {"roots": {}}, NO_ROOTS),
        (ListRoots(), {"roots": ["file:///a"]}, NO_ROOTS),
        (ListRoots(), {"roots": [{"name": "A"}]}, NO_ROOTS),
    ],
)
def test_an_answer_of_another_kind_is_never_accepted(question: Question, found: object, reason: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        read(question, found)

    assert refused.value.message == f"Invalid answer to k: {reason}"


@pytest.mark.requirement("elicit-checked")
@pytest.mark.parametrize(
    ("schema", "content", "reason"),
    [
        ({"type": "number", "minimum": 0.5}, 0.25, "$.x: 0.25 is less than the minimum of 0.5"),
        ({"type": "integer"}, 1.5, "$.x: 1.5 is not of type 'integer'"),
        ({"type": "boolean"}, "true", "$.x: 'true' is not of type 'boolean'"),
        ({"type": "string", "enum": ["a", "b"]}, "c", "$.x: 'c' is not one of ['a', 'b']"),
        (
            {"type": "string", "oneOf": [{"const": "a", "title": "A"}]},
            "c",
            "$.x: 'c' is not valid under any of the given schemas",
        ),
        (
            {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}},
            ["c"],
            "$.x[0]: 'c' is not valid under any of the given schemas",
        ),
    ],
)
def test_an_accepted_form_must_fit_every_kind_of_field(
    schema: dict[str, Any], content: object, reason: str
) -> None:
    question = Elicit("x", {"type": "object", "properties": {"x": schema}})

    with pytest.raises(InvalidParams) as refused:
        read(question, {"action": "accept", "content": {"x": content}})

    assert refused.value.message == f"Invalid answer to k: {reason}"


@pytest.mark.requirement("ask-refused")
@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        ({"code": -1, "message": "Not now"}, "The client refused to answer: Not now"),
        ({"code": -1}, "The client refused to answer: no reason given"),
        ({"message": 5}, "The client refused to answer: no reason given"),
        (None, "The client refused to answer: no reason given"),
        ({"message": "x" * 101}, f"The client refused to answer: {'x' * 100}…"),
    ],
)
@pytest.mark.parametrize("question", [FORM, PAGE, Sample("Hi", 9), ListRoots()])
def test_an_error_for_an_answer_is_raised_where_the_question_was_asked(
    question: Question, found: object, sentence: str
) -> None:
    with pytest.raises(QuestionRefused) as refused:
        read_answer(question, "k", ReplayState({"k": found}, {"k"}))

    assert refused.value.message == sentence


@pytest.mark.parametrize(
    ("content", "text"),
    [(TEXT, "Paris"), (IMAGE, ""), ([TEXT, IMAGE, {"type": "text", "text": "!"}], "Paris!"), ([], "")],
)
def test_the_text_of_what_a_model_said_leaves_other_blocks_out(content: Any, text: str) -> None:
    assert Sampled("assistant", content, "m", "").text == text


CHOICES = ["a", "b"]
TITLED = [{"const": "a", "title": "A"}]


@pytest.mark.parametrize(
    "field",
    [
        {"type": "string", "format": "email", "maxLength": 9},
        {"type": "string", "enum": CHOICES},
        {"type": "string", "oneOf": TITLED},
        {"enum": CHOICES},
        {"type": "number"},
        {"type": "integer", "minimum": 1},
        {"type": "boolean", "default": True},
        {"type": "array", "items": {"type": "string", "enum": CHOICES}},
        {"type": "array", "items": {"anyOf": TITLED}},
    ],
)
def test_a_form_has_fields_that_every_client_can_show(field: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"x": field}}

    assert to_request(Elicit("x", schema), version="2026-07-28")[1]["requestedSchema"] == schema


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        ({}, 'the schema of a form must have "type": "object" at its root'),
        ({"type": "string"}, 'the schema of a form must have "type": "object" at its root'),
        (None, 'the schema of a form must have "type": "object" at its root'),
        ({"type": "object", "properties": []}, "the properties of a form must be an object"),
    ],
)
def test_a_form_that_is_no_object_is_refused_when_it_is_asked(schema: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        to_request(Elicit("x", schema), version="2026-07-28")


@pytest.mark.parametrize(
    "field",
    [
        {},
        True,
        {"type": "object"},
        {"type": "text"},
        {"type": ["string", "null"]},
        {"$ref": "#/$defs/x"},
        {"type": "array"},
        {"type": "array", "items": True},
        {"type": "array", "items": {"type": "string"}},
        {"type": "array", "items": {"type": "object"}},
    ],
)
def test_a_field_that_no_client_can_show_is_refused_when_it_is_asked(field: object) -> None:
    with pytest.raises(ValueError, match="seat cannot be a field of a form"):
        to_request(Elicit("x", {"type": "object", "properties": {"seat": field}}), version="2026-07-28")


def test_a_form_whose_answer_nobody_could_check_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)

    with pytest.raises(ImportError):
        to_request(FORM, version="2026-07-28")
