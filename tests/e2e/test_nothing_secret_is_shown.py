"""Canaries, planted where secrets are, are looked for in logs, replies, errors, records and the template."""

import base64
import json
import traceback
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from mcpcore import MemorySessions, StoreUnavailable
from mcpcore_aws.adapter import LambdaAdapter
from mcpcore_aws.sessions import DynamoDBSessions
from mcpcore_aws.settings import EnvironmentReader, SettingsError, read_server_settings
from mcpcore_aws.state_secrets import StateSecrets
from tests.support.adapters import fresh_log
from tests.support.artifact import CANARY, Artifact
from tests.support.asking_server import asking_server
from tests.support.dynamodb import closed_port
from tests.support.exchanges import Reply, Send, Sent, initialize, legacy, modern, through_handler
from tests.support.processes import DUMMY_ACCOUNT
from tests.support.sam_template import load_template, references, transformed
from tests.support.scripted import failure, scripted
from tests.support.stack import client

SECRET: Final = "CANARY-state-secret-0123456789abcdef"
PREVIOUS: Final = "CANARY-former-secret-0123456789abcdef"
KEPT: Final = "CANARY-kept-secret-0123456789abcdef"
KEY: Final = "CANARY-access-key"
TOKEN: Final = "CANARY-session-token"
ARGUMENT: Final = "CANARY-argument"

ACCOUNT: Final = {**DUMMY_ACCOUNT, "AWS_SECRET_ACCESS_KEY": KEY, "AWS_SESSION_TOKEN": TOKEN}
OF_THE_SERVER: Final = (SECRET, PREVIOUS, KEPT, KEY, TOKEN)
VARIABLES: Final = {"SESSIONS_TABLE": "t", "STATE_SECRET": SECRET, "STATE_SECRET_PREVIOUS": PREVIOUS}
# AWS answers a signature that is wrong with the request, as it would have signed it.
ECHO: Final = failure("InvalidSignatureException", 403, f"x-amz-security-token:{TOKEN}\n{KEY} POST")

ASK: Final[dict[str, Any]] = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}


def found(text: str, canaries: tuple[str, ...]) -> list[str]:
    """The canaries in a text: as they are, as Base64 at any offset, or in hexadecimal."""
    forms = {canary: [canary, canary.encode().hex()] for canary in canaries}
    for canary, written in forms.items():
        # Base64 of the inner bytes, which does not depend on the neighbours, for each of three offsets.
        written += [base64.urlsafe_b64encode(canary.encode()[at:]).decode()[:12] for at in range(3)]
    return [canary for canary, written in forms.items() if any(form in text for form in written)]


def call(tool: str, meta: dict[str, Any] | None = None, **members: Any) -> Sent:
    sent = modern("tools/call", name=tool, **members)
    message = json.loads(sent.body)
    message["params"]["_meta"] |= meta or {}
    return sent._replace(body=json.dumps(message).encode())


def hostile_and_ordinary(session: str) -> list[Sent]:
    """Requests that carry the argument, most of which are refused."""
    plain = modern("tools/list")
    return [
        plain,
        call("keep", ASK, arguments={"size": 5, "note": ARGUMENT}),
        call("greet", ASK),
        call("greet", ASK, requestState="AQ" + "A" * 60, inputResponses={"name": ARGUMENT}),
        call("greet", ASK, requestState=ARGUMENT),
        call("count", arguments={"to": ARGUMENT}),
        call("think", ASK, arguments={"question": ARGUMENT}),
        call("work", arguments={ARGUMENT: ARGUMENT, "seconds": []}),
        modern("prompts/get", name="none", arguments={"a": ARGUMENT}),
        modern("resources/read", uri=f"a://{ARGUMENT}"),
        plain._replace(
            body=b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":"' + ARGUMENT.encode()
        ),
        plain._replace(body=b"[" * 900 + ARGUMENT.encode()),
        plain._replace(headers={**plain.headers, "origin": f"https://{ARGUMENT}.example"}),
        legacy("tools/call", session=session, name="count", arguments={"to": ARGUMENT}),
        legacy("tools/call", session=session, name="greet", arguments={}),
        legacy("tools/list", session=ARGUMENT),
        Sent(b"", {"mcp-session-id": session, "last-event-id": f"{ARGUMENT}.0"}, "GET"),
        Sent(b"", {"mcp-session-id": session}, "DELETE"),
    ]


@pytest.fixture
def kept_arn(dynamodb: str) -> Iterator[str]:
    """The ARN of a secret in Secrets Manager."""
    service = client("secretsmanager", dynamodb)
    arn = service.create_secret(Name="canary", SecretString=KEPT)["ARN"]
    yield arn
    service.delete_secret(SecretId=arn, ForceDeleteWithoutRecovery=True)


@pytest.fixture
def function(table: str, kept_arn: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Send]:
    """Makes a function with every secret; its store and its secrets are at the endpoint given."""

    fresh_log(monkeypatch)

    def make(endpoint: str) -> Send:
        for name, value in {**ACCOUNT, "AWS_ENDPOINT_URL": endpoint}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint)
        return through_handler(
            LambdaAdapter(
                asking_server(),
                sessions=DynamoDBSessions(table),
                state_keys=[SECRET.encode(), PREVIOUS.encode()],
                state_secret_source=kept_arn,
            )
        )

    return make


def answered(send: Send, session: str) -> list[Reply]:
    return [send(sent) for sent in hostile_and_ordinary(session)]


def text_of(replies: list[Reply]) -> str:
    return "\n".join(f"{reply.headers} {reply.body.decode()}" for reply in replies)


def test_no_log_line_or_reply_has_a_secret_a_session_id_or_an_argument(
    function: Callable[[str], Send], dynamodb: str, capfd: pytest.CaptureFixture[str]
) -> None:
    send = function(dynamodb)
    session = send(initialize()).headers["mcp-session-id"]
    replies = answered(send, session)
    log = "".join(capfd.readouterr())

    assert {200, 202, 403, 404} - {reply.status for reply in replies} == {202}
    assert found(log, (*OF_THE_SERVER, ARGUMENT, session)) == []
    assert found(text_of(replies), (*OF_THE_SERVER, session)) == []


@pytest.mark.parametrize("kind", ["echo", "closed"])
def test_neither_do_those_of_a_function_whose_services_fail(
    function: Callable[[str], Send], kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    session = "s" * 32
    with scripted(ECHO) as server:
        send = function(server.endpoint if kind == "echo" else f"http://127.0.0.1:{closed_port()}")
        replies = answered(send, session)
    log = "".join(capfd.readouterr())

    assert 503 in {reply.status for reply in replies}
    assert "StoreUnavailable" in log
    assert found(log + text_of(replies), (*OF_THE_SERVER, session)) == []
    assert found(log, (ARGUMENT,)) == []


def test_no_record_or_object_shows_the_secrets_in_it() -> None:
    settings = read_server_settings(EnvironmentReader(VARIABLES))
    adapter = LambdaAdapter(asking_server(), sessions=MemorySessions(), state_keys=settings.state_keys)
    shown = [settings, adapter, StateSecrets("arn", settings.state_keys, environment=VARIABLES)]
    shown += [EnvironmentReader(VARIABLES), *settings.state_keys]

    assert found(f"{shown!r} {shown!s} {' '.join(map(str, shown))}", OF_THE_SERVER) == []


def test_no_exception_says_a_secret(kept_arn: str, dynamodb: str) -> None:
    client("secretsmanager", dynamodb).put_secret_value(SecretId=kept_arn, SecretString="CANARY-short")
    located = {**ACCOUNT, "AWS_ENDPOINT_URL": dynamodb}
    with pytest.raises(StoreUnavailable) as too_short:
        next(StateSecrets(kept_arn, environment=located).newest_first(lambda: 9))
    reader = EnvironmentReader({"STATE_SECRET": "CANARY-short", "STATE_SECRET_SOURCE": SECRET})
    read_server_settings(reader)
    with pytest.raises(SettingsError) as wrong:
        reader.require_valid()
    texts = "".join("".join(traceback.format_exception(error.value)) for error in (too_short, wrong))

    assert "CANARY" not in "".join(str(error.value) for error in (too_short, wrong))
    assert found(texts, OF_THE_SERVER) == []


def test_secrets_are_in_the_functions_environment_alone_once_the_template_is_transformed() -> None:
    parameters = {"StateSecret": SECRET, "StateSecretPrevious": PREVIOUS}
    template = transformed(load_template(), parameters)
    functions = [item for item in template["Resources"].values() if item["Type"] == "AWS::Lambda::Function"]
    for each in functions:
        each["Properties"].pop("Environment", None)

    assert references(template["Resources"]) & {"StateSecret", "StateSecretPrevious"} == set()
    assert found(json.dumps({**template, "Parameters": {}}), OF_THE_SERVER) == []


@pytest.mark.artifact
def test_the_artifact_has_no_variable_of_the_machine_that_built_it(artifact: Artifact) -> None:
    files = [path for path in artifact.build.rglob("*") if path.is_file()]
    texts = "\n".join(path.read_bytes().decode("latin-1") for path in files)

    assert len(files) > 100
    assert found(texts, (CANARY,)) == []
    assert {path.name for path in files} & {".env", "credentials", ".netrc", "id_ed25519"} == set()
