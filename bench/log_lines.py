"""The log lines that AWS itself writes for one request, as long as may be expected: they are paid for too.

Nothing here is measured. The access log is the template's own format with an example in each place; of
Lambda's two lines the shape is that of its telemetry, and the values are examples too.
"""

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["access_bytes", "platform_bytes"]

_REQUEST: Final = "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"
_TIME: Final = "2026-11-21T12:00:00.000Z"

_EXAMPLES: Final[Mapping[str, str]] = {
    "requestId": "JKJaXmPLvHcESHA=",
    "requestTime": "21/Nov/2026:12:00:00 +0000",
    "identity.sourceIp": "203.0.113.195",
    "routeKey": "ANY /mcp",
    "httpMethod": "POST",
    "status": "200",
    "responseLength": "1234",
    "responseLatency": "12",
    "integrationLatency": "10",
    "integrationStatus": "200",
    "error.message": "-",
    "integrationErrorMessage": "-",
}

_PLATFORM: Final = (
    f'{{"time":"{_TIME}","type":"platform.start","record":{{"requestId":"{_REQUEST}","version":"42"}}}}',
    f'{{"time":"{_TIME}","type":"platform.report","record":{{"requestId":"{_REQUEST}","metrics":'
    '{"durationMs":2.345,"billedDurationMs":3,"memorySizeMB":512,"maxMemoryUsedMB":60},"status":"success"}}',
)


def access_bytes(line: str) -> int:
    """Bytes of one line of an access log of this format.

    Raises:
        KeyError: there is no example of one of its variables.
    """
    return len(re.sub(r"\$context\.([\w.]+)", lambda found: _EXAMPLES[found[1]], line).encode())


def platform_bytes() -> int:
    """Bytes of what Lambda itself writes at system level INFO: that a request starts, and what it took."""
    return sum(len(line) for line in _PLATFORM)
