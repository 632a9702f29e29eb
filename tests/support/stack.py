"""The project's stack, made over HTTP by moto's CloudFormation: as much of it as that can make."""

import io
import json
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import boto3
from moto.server import ThreadedMotoServer

from tests.support.processes import DUMMY_ACCOUNT
from tests.support.sam_template import Document, load_template, references, transformed

# What moto's CloudFormation knows no more of is left out: the API, the alias, the layers, the alarms.
MADE: Final = {"AWS::DynamoDB::Table", "AWS::Logs::LogGroup", "AWS::IAM::Role", "AWS::Lambda::Function"}


class Stack(NamedTuple):
    """A stack that moto has made, and where to find it."""

    endpoint: str
    outputs: dict[str, str]
    variables: dict[str, str]
    """The environment of the function, as Lambda would set it."""


@contextmanager
def moto_server() -> Iterator[str]:
    """moto's own HTTP server on a free loopback port; gives its URL."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"http://{host}:{port}"
    finally:
        server.stop()


@contextmanager
def made_stack(endpoint: str, parameters: dict[str, str] | None = None) -> Iterator[Stack]:
    """The stack of the template, made at `endpoint` with `parameters`, and deleted in the end."""
    cloudformation = client("cloudformation", endpoint)
    name = f"three-good-sources-{uuid.uuid4().hex[:8]}"
    _upload_code(endpoint)
    cloudformation.create_stack(
        StackName=name,
        TemplateBody=json.dumps(_without_the_rest(transformed(load_template(), parameters))),
        Parameters=[
            {"ParameterKey": key, "ParameterValue": value} for key, value in (parameters or {}).items()
        ],
        Capabilities=["CAPABILITY_IAM"],
    )
    try:
        stack = cloudformation.describe_stacks(StackName=name)["Stacks"][0]
        outputs = {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}
        yield Stack(endpoint, outputs, _variables(endpoint, outputs["FunctionName"]))
    finally:
        cloudformation.delete_stack(StackName=name)


def client(service: str, endpoint: str) -> Any:
    """A boto3 client of moto's server."""
    session = boto3.Session(
        DUMMY_ACCOUNT["AWS_ACCESS_KEY_ID"],
        DUMMY_ACCOUNT["AWS_SECRET_ACCESS_KEY"],
        region_name=DUMMY_ACCOUNT["AWS_REGION"],
    )
    return session.client(service, endpoint_url=endpoint)  # type: ignore[call-overload]  # any service


def _without_the_rest(template: Document) -> Document:
    kept = {name: found for name, found in template["Resources"].items() if found["Type"] in MADE}
    gone = set(template["Resources"]) - set(kept)
    kept["McpFunction"]["Properties"].pop("Layers")
    outputs = {
        name: found for name, found in template["Outputs"].items() if not references(found["Value"]) & gone
    }
    return {**template, "Resources": kept, "Outputs": outputs}


def _upload_code(endpoint: str) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("handler.py", "")
    s3 = client("s3", endpoint)
    s3.create_bucket(Bucket="artifacts")
    s3.put_object(Bucket="artifacts", Key="McpFunction", Body=archive.getvalue())


def _variables(endpoint: str, function: str) -> dict[str, str]:
    found = client("lambda", endpoint).get_function_configuration(FunctionName=function)
    variables = {name: str(value) for name, value in found["Environment"]["Variables"].items()}
    return variables | DUMMY_ACCOUNT | {"AWS_ENDPOINT_URL_DYNAMODB": endpoint}
