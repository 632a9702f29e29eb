"""Why a check of a referee that has not passed need not pass: by the check's name, for all of them.

A check that is not here fails `make conformance`, and so does a name here that no referee reports any more.
"""

from collections.abc import Iterable, Mapping
from typing import Final

__all__ = ["EXPLANATIONS", "NOT_OFFERED", "unexplained", "unused"]

_NO_SUBSCRIPTIONS: Final = (
    "No notification is offered: a Lambda function delivers nothing after its reply has ended. Clients go by "
    "`ttlMs`"
)
_LISTS_ARE_FIXED: Final = (
    "Not a fault: a list changes only with a deployment, and a Lambda function could not notify anybody"
)

EXPLANATIONS: Final[Mapping[str, str]] = {
    "sep-2575-server-sends-prompts-list-changed-on-subscription": _NO_SUBSCRIPTIONS,
    "sep-2575-server-sends-tools-list-changed-on-subscription": _NO_SUBSCRIPTIONS,
    "tasks-status-notifications": "The suite skips it for every server, until the scenario is rewritten",
    "server_websiteurl_present": "Optional, and the product has no page of its own to name",
    "server_icons_present": "Optional, and the product has no icon",
    "capability_tools_list_changed": _LISTS_ARE_FIXED,
    "capability_prompts_list_changed": _LISTS_ARE_FIXED,
    "capability_resources_list_changed": _LISTS_ARE_FIXED,
    "tools_input_properties_documented": (
        "Advice on quality. The optional `threshold` has its description inside `anyOf`, where this rule "
        "does not look"
    ),
    "schema-required-fields": "Advice on quality. Every argument of `get_audit_log` is an optional filter",
    "tools_output_properties_documented": (
        "Advice on quality. Their names tell what they are (`count`), or their type is described (`$ref`)"
    ),
}

NOT_OFFERED: Final[Mapping[str, str]] = {
    "tasks-": "a task continues after its request, and a Lambda function does not",
}
"""The beginnings of the names of scenarios that need not pass, and why."""


def unexplained(checks: Iterable[str]) -> list[str]:
    """Those of the checks that have no explanation."""
    return sorted({*checks} - EXPLANATIONS.keys())


def unused(checks: Iterable[str]) -> list[str]:
    """The explanations of checks that are not among these."""
    return sorted(EXPLANATIONS.keys() - {*checks})
