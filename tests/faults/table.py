"""The table of faults: what a client gets, what it does next, and the test. Docs show it."""

from typing import Final, NamedTuple

from mcpcore.sessions.ids import SessionId
from tests.support.exchanges import Sent, initialize, legacy
from tests.support.faults import (
    Fault,
    doubled,
    dripping,
    instead,
    late,
    lost,
    reply_lost,
    silent,
    truncated,
)
from tests.support.scripted import answer, failure

__all__ = ["OTHER_FAULTS", "STORE_FAULTS", "StoreFault", "as_markdown"]

ATTEMPTS: Final = 3


class StoreFault(NamedTuple):
    """A fault of the store. `once` is the status of the reply if one attempt meets it, `always` if each does.

    `write` is True for a fault of writes: the request opens a session; others use one.
    """

    fault: Fault
    once: int
    always: int
    write: bool = False

    def sent(self, session: SessionId) -> Sent:
        """The request that meets the fault."""
        return initialize() if self.write else legacy("tools/list", session=session)


class OtherFault(NamedTuple):
    """A fault that has a test of its own: what the client gets, what it does next, and where the test is."""

    answer: str
    next: str
    test: str


_EXPIRED: Final = failure("InvalidSignatureException", message="Signature expired: 20270115T080000Z is now")
_CORRUPT: Final = answer({}, 200, {"x-amz-crc32": "1"}, checksum=False)
_LONGER: Final = answer({}, 200, {"content-length": "50"})

STORE_FAULTS: Final[dict[str, StoreFault]] = {
    "the request is lost": StoreFault(lost, 200, 503),
    "the reply is lost": StoreFault(reply_lost, 200, 503),
    "the reply to a write is lost": StoreFault(reply_lost, 200, 503, write=True),
    "a write arrives late": StoreFault(late, 200, 503, write=True),
    "a write arrives twice": StoreFault(doubled, 200, 200, write=True),
    "silence": StoreFault(silent, 200, 503),
    "a reply of one byte at a time": StoreFault(dripping(0.02), 200, 503),
    "a reply without its end": StoreFault(truncated, 200, 503),
    "a reply shorter than announced": StoreFault(instead(_LONGER), 200, 503),
    "a reply with a wrong checksum": StoreFault(instead(_CORRUPT), 200, 503),
    "a reply that is not JSON": StoreFault(instead(answer(b"<html/>")), 503, 503),
    "a reply with another item": StoreFault(instead(answer({"Item": ["x"]})), 503, 503),
    "throttled: the table": StoreFault(instead(failure("ProvisionedThroughputExceededException")), 200, 503),
    "throttled: the account": StoreFault(instead(failure("ThrottlingException")), 200, 503),
    "an internal error": StoreFault(instead(failure("InternalServerError", 500)), 200, 503),
    "access denied": StoreFault(instead(failure("AccessDeniedException")), 503, 503),
    "a clock that is wrong": StoreFault(instead(_EXPIRED), 503, 503),
    "no table": StoreFault(instead(failure("ResourceNotFoundException")), 503, 503),
    "a condition that is not met": StoreFault(
        instead(failure("ConditionalCheckFailedException")), 503, 503, write=True
    ),
}

_LATE: Final = "tests/faults/test_late_writes.py"
_TIME: Final = "tests/faults/test_deadlines.py"
_PROCESS: Final = "tests/faults/test_processes.py"
_RATE: Final = "tests/mcpcore_aws/test_rate_limits.py"

OTHER_FAULTS: Final[dict[str, OtherFault]] = {
    "a write arrives after later ones": OtherFault(
        "what it would without",
        "nothing",
        f"{_LATE}::test_a_write_that_arrives_again_after_later_ones_changes_nothing",
    ),
    "the reply to a claim is lost": OtherFault(
        "the result", "nothing", f"{_LATE}::test_a_claim_whose_reply_was_lost_is_held_by_its_caller"
    ),
    "the store hangs, 2 s are left": OtherFault(
        "503 within 1.5 s",
        "shows the error; its next request is served",
        f"{_TIME}::test_with_two_seconds_left_and_a_hanging_store_the_answer_comes_in_time",
    ),
    "a kept connection is silent": OtherFault(
        "the result, 0.5 s later",
        "nothing",
        f"{_TIME}::test_a_kept_connection_that_has_become_silent_costs_half_a_second",
    ),
    "a tool uses up its time, the store is slow": OtherFault(
        "a tool error, which is saved",
        "reads it, again if it likes",
        f"{_TIME}::test_the_result_of_a_tool_that_used_up_its_time_is_saved_by_a_slow_store",
    ),
    "too little time is left to save a result": OtherFault(
        "a retry instruction",
        "resumes its stream",
        f"{_TIME}::test_a_tool_is_not_run_again_when_too_little_time_is_left_to_save_its_result",
    ),
    "the store has failed three times": OtherFault(
        "503 at once, `Retry-After` up to 5 s",
        "shows the error; its next request is served",
        "tests/mcpcore_aws/dynamodb/test_breaker.py::test_a_store_that_is_down_is_not_called_until_a_single_probe",
    ),
    "a client exceeds its limit": OtherFault(
        "429, `Retry-After`",
        "shows the error; its next minute is served",
        f"{_RATE}::test_a_client_above_its_limit_is_told_when_to_try_again",
    ),
    "the table cannot count a client's requests": OtherFault(
        "the result, 1 s later at most",
        "nothing",
        f"{_RATE}::test_a_silent_table_delays_a_request_by_a_second_and_never_beyond_its_time",
    ),
    "malformed or expired credentials": OtherFault(
        "503",
        "shows the error until an operator acts",
        "tests/mcpcore_aws/dynamodb/test_credentials.py::test_what_lambda_gives_is_refused_if_it_cannot_be_used",
    ),
    "an exchange larger than an item": OtherFault(
        "a JSON-RPC error, or a tool error in a resumed stream",
        "asks for less",
        "tests/mcpcore_aws/test_adapter_asking.py::test_a_question_whose_state_is_too_large_is_answered_with_an_error",
    ),
    "the process is killed before a write": OtherFault(
        "the gateway's 500",
        "opens the session again",
        f"{_PROCESS}::test_a_session_can_be_opened_after_its_process_was_killed_at_the_write",
    ),
    "the process is killed after a result was saved": OtherFault(
        "the gateway's 500",
        "resumes, and gets the result of the one run",
        f"{_PROCESS}::test_a_result_that_was_saved_survives_its_process",
    ),
    "the process is killed before a result is saved": OtherFault(
        "the gateway's 500",
        "resumes; the handler runs again when the claim has ended",
        f"{_PROCESS}::test_a_request_whose_process_was_killed_before_saving_is_run_again_after_its_claim",
    ),
    "a tool takes all memory": OtherFault(
        "a tool error if Python notices, else the gateway's 500",
        "asks for less",
        f"{_PROCESS}::test_a_tool_that_takes_all_memory_ends_no_session",
    ),
    "a layer is missing": OtherFault(
        "the gateway's 500 to every request",
        "shows the error until an operator acts",
        f"{_PROCESS}::test_without_a_layer_every_invocation_fails_by_name",
    ),
    "a warm process served another client": OtherFault(
        "nothing of the other", "nothing", f"{_PROCESS}::test_nothing_of_one_request_shows_in_the_next"
    ),
    "a reply larger than Lambda accepts": OtherFault(
        "a tool error, or a JSON-RPC error",
        "asks for less",
        "tests/mcpcore_aws/test_reply_size.py::test_a_reply_fits_through_its_event_source_and_is_logged_as_what_it_is",
    ),
    "bytes of the baked registry were changed": OtherFault(
        "as before, or a JSON-RPC error",
        "shows the error until an operator acts",
        "tests/sources/baked/test_damage.py::test_changed_bytes_give_the_same_answer_or_a_clear_error_and_never_another_answer",
    ),
    "a layer is of the wrong architecture": OtherFault(
        "lists, and a tool error for each call",
        "shows the error until an operator acts",
        "tests/template/test_alarms.py::test_a_tool_that_fails_sets_off_the_alarm_of_its_fault",
    ),
    "the secret for questions cannot be read": OtherFault(
        "503, if a tool asks",
        "shows the error; its next request is served",
        "tests/mcpcore_aws/test_state_secrets.py::test_a_question_whose_secret_cannot_be_read_is_answered_503",
    ),
}


def as_markdown() -> str:
    """The table as docs show it."""
    return "\n".join(
        [
            "| fault of the store (`tests/faults/test_store_faults.py`) | met once | met by each attempt |",
            "| --- | --- | --- |",
            *(
                f"| {name} | {_status(row.once)} | {_status(row.always)} |"
                for name, row in STORE_FAULTS.items()
            ),
            "",
            "| fault | answer | what the client does next | test |",
            "| --- | --- | --- | --- |",
            *(
                f"| {name} | {row.answer} | {row.next} | `{row.test.replace('::', '` `')}` |"
                for name, row in OTHER_FAULTS.items()
            ),
            "",
        ]
    )


def _status(status: int) -> str:
    return "the result" if status == 200 else "503, `Retry-After`"
