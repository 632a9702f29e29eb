"""The events among the fixtures: one for each source, each with the same tools/call in its body."""

import json
from pathlib import Path
from typing import Any, Final

__all__ = ["EVENT_SOURCES", "captured", "headers_of", "with_body", "with_headers"]

_FOLDER: Final = Path(__file__).parents[1] / "fixtures" / "events"

EVENT_SOURCES: Final = ("http_api", "rest_api", "function_url", "alb_single_value", "alb_multi_value")


def captured(source: str) -> dict[str, Any]:
    """The event of that source, to be changed at will."""
    event: dict[str, Any] = json.loads((_FOLDER / f"{source}.json").read_text())
    return event


def with_body(event: dict[str, Any], body: object, *, base64: bool = False) -> dict[str, Any]:
    """The event with another body, put in as it is."""
    return {**event, "body": body, "isBase64Encoded": base64}


def with_headers(event: dict[str, Any], headers: dict[str, str]) -> dict[str, Any]:
    """The event with these headers only, in each of the places where its source puts them."""
    single = {"headers": headers} if "headers" in event else {}
    many = {name: [value] for name, value in headers.items()}
    multiple = {"multiValueHeaders": many} if "multiValueHeaders" in event else {}
    return {**event, **single, **multiple}


def headers_of(reply: dict[str, Any]) -> dict[str, str]:
    """The headers of a handler's reply, wherever its source wants them."""
    if "multiValueHeaders" in reply:
        return {name: ",".join(values) for name, values in reply["multiValueHeaders"].items()}
    headers: dict[str, str] = reply["headers"]
    return headers
