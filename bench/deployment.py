"""What `template.yaml` deploys by default, as far as the models ask."""

from typing import Any, Final

from bench.log_lines import access_bytes, platform_bytes
from tests.support.sam_template import load_template, of_type

__all__ = ["ACCESS_LOG_BYTES", "ALARMS", "AWS_LOG_BYTES", "parameter"]

_TEMPLATE: Final[dict[str, Any]] = load_template()

ALARMS: Final = len(of_type(_TEMPLATE, "AWS::CloudWatch::Alarm"))

ACCESS_LOG_BYTES: Final = access_bytes(
    _TEMPLATE["Resources"]["McpApi"]["Properties"]["AccessLogSettings"]["Format"]
)
"""Of one request, by the format of the API's access log."""

AWS_LOG_BYTES: Final = ACCESS_LOG_BYTES + platform_bytes()
"""What AWS logs of one request, beside the function's own lines."""


def parameter(name: str) -> int:
    """The default of a number among the parameters."""
    return int(_TEMPLATE["Parameters"][name]["Default"])
