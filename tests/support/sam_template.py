"""The project's SAM template as data: as it is written, and as the SAM transform leaves it."""

import copy
import json
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from tests.support.processes import ROOT, plain_environment

TEMPLATE: Final = ROOT / "template.yaml"

Document = dict[str, Any]


class _Loader(yaml.SafeLoader):
    """YAML with CloudFormation's tags, each turned into its long form."""


def _long_form(loader: _Loader, suffix: str, node: yaml.Node) -> Document:
    name = suffix if suffix in {"Ref", "Condition"} else f"Fn::{suffix}"
    if isinstance(node, yaml.ScalarNode):
        value: Any = loader.construct_scalar(node)
        return {name: value.split(".", 1) if name == "Fn::GetAtt" else value}
    if isinstance(node, yaml.SequenceNode):
        return {name: loader.construct_sequence(node, deep=True)}
    assert isinstance(node, yaml.MappingNode)
    return {name: loader.construct_mapping(node, deep=True)}


_Loader.add_multi_constructor("!", _long_form)


def load_template(path: Path = TEMPLATE) -> Document:
    """The template, its intrinsic functions in long form."""
    document = yaml.load(path.read_text(), _Loader)  # a SafeLoader with tags
    assert isinstance(document, dict)
    return document


def of_type(template: Document, kind: str) -> dict[str, Document]:
    """The resources of one type, by logical id."""
    return {name: found for name, found in template["Resources"].items() if found["Type"] == kind}


def references(value: Any) -> set[str]:
    """Every name that `value` refers to with Ref, Fn::GetAtt, Fn::Sub or a condition of Fn::If."""
    match value:
        case {"Ref": str(name)}:
            return {name}
        case {"Fn::GetAtt": [str(name), *_]}:
            return {name}
        case {"Fn::Sub": str(text)}:
            return set(re.findall(r"\$\{(\w+)\}", text))
        case {"Fn::If": [str(condition), *branches]}:
            return {condition} | references(branches)
        case dict():
            return set().union(*(references(item) for item in value.values()))
        case list():
            return set().union(*(references(item) for item in value))
        case _:
            return set()


def effective(template: Document, parameters: dict[str, str] | None = None, *, stack: str) -> Document:
    """The resources that a stack with these parameters has, with their values, by logical id.

    A reference to a resource, or to what only AWS knows, becomes its name.
    """
    values = {name: str(found.get("Default", name)) for name, found in template["Parameters"].items()}
    values |= {"AWS::StackName": stack, **(parameters or {})}
    resolve = _Resolver(values, template["Conditions"])
    return {
        name: resolve(found)
        for name, found in template["Resources"].items()
        if "Condition" not in found or resolve.holds(found["Condition"])
    }


_NO_VALUE: Final = "AWS::NoValue"


class _Resolver:
    def __init__(self, values: dict[str, str], conditions: dict[str, Any]) -> None:
        self._values = values
        self._conditions = conditions

    def holds(self, condition: str) -> bool:
        return self._condition(self._conditions[condition])

    def __call__(self, value: Any) -> Any:
        match value:
            case {"Ref": str(name)}:
                return self._values.get(name, name)
            case {"Fn::GetAtt": [str(name), *_]}:
                return name
            case {"Fn::Sub": str(text)}:
                return re.sub(r"\$\{([\w:]+)\}", lambda found: self._values.get(found[1], found[1]), text)
            case {"Fn::Sub": [str(text), dict()]}:
                return text
            case {"Fn::If": [str(condition), then, otherwise]}:
                return self(then if self.holds(condition) else otherwise)
            case {"Fn::Equals": _} | {"Fn::Not": _} | {"Fn::And": _} | {"Fn::Or": _}:
                return self._condition(value)
            case dict():
                found = {name: self(each) for name, each in value.items()}
                return {name: each for name, each in found.items() if each != _NO_VALUE}
            case list():
                return [each for each in map(self, value) if each != _NO_VALUE]
            case _:
                return value

    def _condition(self, value: Any) -> bool:
        match value:
            case {"Condition": str(name)}:
                return self.holds(name)
            case {"Fn::Equals": [left, right]}:
                return bool(self(left) == self(right))
            case {"Fn::Not": [condition]}:
                return not self._condition(condition)
            case {"Fn::And": [*conditions]}:
                return all(map(self._condition, conditions))
            case {"Fn::Or": [*conditions]}:
                return any(map(self._condition, conditions))
            case _:
                raise AssertionError(f"{value} is no condition")


# The transform itself, as SAM ships it: in the environment of the build tools, and not in that of the tests.
_TRANSFORM: Final = """
import json, sys
import boto3
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
template, parameters = json.load(sys.stdin)
session = boto3.Session(region_name="us-east-1")
json.dump(Translator({}, Parser(), boto_session=session).translate(template, parameters), sys.stdout)
"""


def transformed(template: Document, parameters: dict[str, str] | None = None) -> Document:
    """The template as CloudFormation has it after the SAM transform, its code uploaded."""
    uploaded = copy.deepcopy(template)
    for name, resource in uploaded["Resources"].items():
        for place in {"CodeUri", "ContentUri"} & resource["Properties"].keys():
            # A test that names an address means it; the rest is as `sam package` would leave it.
            if not resource["Properties"][place].startswith("s3://"):
                resource["Properties"][place] = f"s3://artifacts/{name}"
    result = json.loads(_transform(json.dumps([uploaded, parameters or {}])))
    assert isinstance(result, dict)
    return result


@cache
def _transform(environment: str) -> str:
    subprocess.run(["make", "--silent", ".venv-build/.ready"], cwd=ROOT, env=plain_environment(), check=True)
    return subprocess.run(
        [ROOT / ".venv-build/bin/python", "-I", "-W", "ignore", "-c", _TRANSFORM],
        input=environment,
        capture_output=True,
        env=plain_environment(),
        text=True,
        check=True,
    ).stdout
