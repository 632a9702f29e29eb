"""Questions as requests, the capabilities that they need, and answers as values."""

import sys
from collections.abc import Mapping
from typing import Any

import pytest

from mcpcore import Elicit, Elicited, ElicitUrl, ListRoots, QuestionRefused, Root, Sample, Sampled
from mcpcore.protocol.errors import InvalidParams
from mcpcore.questions.answer import Answer, Roots, read_answer
from mcpcore.questions.question import Question, required_capability, to_request
from mcpcore.questions.replay import ReplayState
from tests.support.messages import LEGACY, MODERN
from tests.support.servers import NAME

FORM = Elicit("Who are you?", NAME)
PAGE = ElicitUrl("Sign in.", "https://a.example/in")
USER = {"role": "user", "content": {"type": "text", "text": "Hi"}}


ASK_FORM = ("elicitation/create", {"message": "Who are you?", "requestedSchema": NAME})
VISIT = {"mode": "url", "message": "Sign in.", "url": "https://a.example/in"}
SAY_HI = ("sampling/createMessage", {"messages": [USER], "maxTokens": 9})
OPTIONS = {"systemPrompt": "Be brief.", "temperature": 0.5}


@pytest.mark.requirement("elicit-request")
@pytest.mark.parametrize(
    ("question", "version", "expected"),
    [
        (FORM, MODERN, ASK_FORM),
        (FORM, LEGACY, ASK_FORM),
        (PAGE, MODERN, ("elicitation/create", VISIT)),
        (PAGE, LEGACY, ("elicitation/create", {**VISIT, "elicitationId": "id-1"})),
        (Sample("Hi", 9), LEGACY, SAY_HI),
        (Sample([USER], 9, OPTIONS), MODERN, (SAY_HI[0], {**OPTIONS, **SAY_HI[1]})),
        (Sample("Hi", 9, {"maxTokens": 1, "messages": []}), LEGACY, SAY_HI),
        (ListRoots(), LEGACY, ("roots/list", {})),
        (ListRoots(), MODERN, ("roots/list", {})),
    ],
)
def test_a_question_is_a_request_of_the_protocol(
    question: Question, version: str, expected: tuple[str, dict[str, Any]]
) -> None:
    assert to_request(question, version=version, elicitation_id="id-1") == expected


FORMS: dict[str, Any] = {"elicitation": {"form": {}}}
URLS: dict[str, Any] = {"elicitation": {"url": {}}}
TOOLS: dict[str, Any] = {"sampling": {"tools": {}}}


@pytest.mark.requirement("elicit-modes")
@pytest.mark.parametrize(
    ("question", "missing", "lacking", "sufficient"),
    [
        (
            FORM,
            FORMS,
            [
                {},
                URLS,
                {"elicitation": None},
                {"elicitation": {"form": None, "url": {}}},
                {"elicitation": True},
                {"sampling": {}},
            ],
            [
                {"elicitation": {}},
                {"elicitation": {"url": None}},
                FORMS,
                {"elicitation": {"form": {}, "url": {}}},
            ],
        ),
        (PAGE, URLS, [{}, {"elicitation": {}}, FORMS], [URLS]),
        (
            Sample("Hi", 9),
            {"sampling": {}},
            [{}, {"sampling": None}],
            [{"sampling": {}}, {"sampling": {"tools": {}}}],
        ),
        (Sample("Hi", 9, {"tools": []}), TOOLS, [{}, {"sampling": {}}], [TOOLS]),
        (Sample("Hi", 9, {"toolChoice": {}}), TOOLS, [{}, {"sampling": {}}], [TOOLS]),
        (ListRoots(), {"roots": {}}, [{}, {"roots": []}], [{"roots": {"listChanged": True}}, {"roots": {}}]),
    ],
)
def test_a_client_that_cannot_be_asked_lacks_a_capability(
    question: Question,
    missing: Mapping[str, Any],
    lacking: list[Mapping[str, Any]],
    sufficient: list[Mapping[str, Any]],
) -> None:
    assert [required_capability(question, each) for each in lacking] == [missing] * len(lacking)
    assert [required_capability(question, each) for each in sufficient] == [{}] * len(sufficient)


def read(question: Question, found: object) -> Answer:
    return read_answer(question, "k", ReplayState({"k": found}))


TEXT = {"type": "text", "text": "Paris"}
IMAGE = {"type": "image", "data": "", "mimeType": "image/png"}
EMPTY = Elicited("accept", dict[str, object]())
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
        (FORM, {"action": "decline", "content": {"name": 5}}, Elicited("decline", {})),
        (FORM, {"action": "cancel", "content": None}, Elicited("cancel", {})),
        (PAGE, {"action": "accept"}, Elicited("accept", {})),
        (PAGE, {"action": "accept", "content": {"name": "Ada"}}, Elicited("accept", {})),
        (PAGE, {"action": "decline"}, Elicited("decline", {})),
        (
            Elicit("Optional", {"type": "object", "properties": {}}),
            {"action": "accept", "content": None},
            EMPTY,
        ),
        (Sample("Hi", 9), SAMPLED, Sampled("assistant", TEXT, "m", "")),
        (Sample("Hi", 9), {**SAMPLED, "stopReason": None}, Sampled("assistant", TEXT, "m", "")),
        (
            Sample("Hi", 9),
            {**SAMPLED, "content": [TEXT, IMAGE], "stopReason": "endTurn"},
            Sampled("assistant", [TEXT, IMAGE], "m", "endTurn"),
        ),
        (Sample("Hi", 9), {**SAMPLED, "content": []}, Sampled("assistant", [], "m", "")),
        (ListRoots(), {"roots": []}, Roots()),
        (
            ListRoots(),
            {
                "roots": [
                    {"uri": "file:///a", "name": "A"},
                    {"uri": "file:///b"},
                    {"uri": "file:///c", "name": None},
                ]
            },
            Roots([Root("file:///a", "A"), Root("file:///b", ""), Root("file:///c", "")]),
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
        (FORM, {"action": "Accept"}, NO_ACTION),
        (FORM, {"action": ["accept"]}, NO_ACTION),
        (PAGE, {"action": None}, NO_ACTION),
        (FORM, {"action": "accept"}, "$: 'name' is a required property"),
        (FORM, {"action": "accept", "content": {"name": 5}}, "$.name: 5 is not of type 'string'"),
        (FORM, {"action": "accept", "content": ["Ada"]}, "content must be an object"),
        (Sample("Hi", 9), {}, NO_ROLE),
        (Sample("Hi", 9), {**SAMPLED, "model": None}, NO_ROLE),
        (Sample("Hi", 9), {**SAMPLED, "role": 1}, NO_ROLE),
        (Sample("Hi", 9), {"role": "assistant", "model": "m"}, NO_BLOCK),
        (Sample("Hi", 9), {**SAMPLED, "content": "Paris"}, NO_BLOCK),
        (Sample("Hi", 9), {**SAMPLED, "content": {"type": "text"}}, NO_BLOCK),
        (Sample("Hi", 9), {**SAMPLED, "content": [TEXT, {"type": "text", "text": 1}]}, NO_BLOCK),
        (ListRoots(), {}, NO_ROOTS),
        (ListRoots(), {"roots": ["file:///a"]}, NO_ROOTS),
        (ListRoots(), {"roots": [{"name": "A"}]}, NO_ROOTS),
    ],
)
def test_an_answer_that_does_not_fit_is_invalid(question: Question, found: object, reason: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        read(question, found)

    assert refused.value.message == f"Invalid answer to k: {reason}"


@pytest.mark.requirement("elicit-checked")
@pytest.mark.parametrize(
    ("field", "content", "reason"),
    [
        ({"type": "number", "minimum": 0.5}, 0.25, "$.x: 0.25 is less than the minimum of 0.5"),
        ({"type": "string", "enum": ["a", "b"]}, "c", "$.x: 'c' is not one of ['a', 'b']"),
        (
            {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}},
            ["c"],
            "$.x[0]: 'c' is not valid under any of the given schemas",
        ),
    ],
)
def test_an_accepted_form_fits_its_schema(field: dict[str, Any], content: object, reason: str) -> None:
    question = Elicit("x", {"type": "object", "properties": {"x": field}})

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
@pytest.mark.parametrize("question", [FORM, ListRoots()])
def test_an_error_instead_of_an_answer_is_raised_to_the_handler(
    question: Question, found: object, sentence: str
) -> None:
    with pytest.raises(QuestionRefused) as refused:
        read_answer(question, "k", ReplayState({"k": found}, {"k"}))

    assert refused.value.message == sentence


@pytest.mark.parametrize(
    ("content", "text"),
    [(TEXT, "Paris"), (IMAGE, ""), ([TEXT, IMAGE, {"type": "text", "text": "!"}], "Paris!"), ([], "")],
)
def test_the_text_of_a_model_s_message_leaves_other_blocks_out(content: Any, text: str) -> None:
    assert Sampled("assistant", content, "m", "").text == text


CHOICES = ["a", "b"]
TITLED = [{"const": "a", "title": "A"}]


@pytest.mark.parametrize(
    "field",
    [
        {"type": "string", "format": "email", "maxLength": 9},
        {"type": "string", "enum": CHOICES},
        {"type": "string", "oneOf": TITLED},
        {"type": "string", "enum": CHOICES, "enumNames": ["A", "B"]},
        {"type": "number"},
        {"type": "integer", "minimum": 1},
        {"type": "boolean", "default": True},
        {"type": "array", "items": {"type": "string", "enum": CHOICES}},
        {"type": "array", "items": {"anyOf": TITLED}},
    ],
)
def test_a_form_has_fields_that_every_client_can_show(field: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"x": field}}

    assert to_request(Elicit("x", schema), version=MODERN)[1]["requestedSchema"] == schema


def test_an_enum_of_strings_gets_the_type_that_clients_need() -> None:
    fields = {"x": {"enum": CHOICES}, "y": {"type": "array", "items": {"enum": CHOICES}}}
    typed = {"type": "string", "enum": CHOICES}

    asked = to_request(Elicit("x", {"type": "object", "properties": fields}), version=MODERN)[1]

    assert asked["requestedSchema"]["properties"] == {"x": typed, "y": {"type": "array", "items": typed}}


NO_OBJECT_ROOT = 'the schema of a form must have "type": "object" at its root'
NO_FIELD: list[object] = [
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
    {"type": "array", "items": {"anyOf": [{"const": "a"}]}},
    {"type": "string", "format": "uuid"},
    {"type": "string", "pattern": "^a"},
    {"type": "string", "const": "a"},
    {"type": "string", "enum": ["a", 1]},
    {"type": "string", "oneOf": [{"const": 1, "title": "A"}]},
    {"type": "string", "default": None},
    {"type": "integer", "enum": [1, 2]},
    {"type": "integer", "exclusiveMinimum": 0},
    {"enum": ["a", 1]},
]


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        ({}, NO_OBJECT_ROOT),
        ({"type": "string"}, NO_OBJECT_ROOT),
        (None, NO_OBJECT_ROOT),
        ({"type": "object", "properties": []}, "the properties of a form must be an object"),
        *(
            ({"type": "object", "properties": {"seat": field}}, "seat cannot be a field of a form")
            for field in NO_FIELD
        ),
    ],
)
def test_a_form_that_a_client_cannot_show_is_refused_when_it_is_asked(schema: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        to_request(Elicit("x", schema), version=MODERN)


def test_a_form_whose_answer_cannot_be_checked_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)

    with pytest.raises(ImportError):
        to_request(FORM, version=MODERN)
