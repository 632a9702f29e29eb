"""What can go wrong at the edge only; everything else is in `mcpcore.protocol.errors`.

StoreFault              why DynamoDB could not be used; the cause of a `StoreUnavailable`
├── NotConfigured       region, endpoint or credentials are missing or cannot be used
├── Unreachable         no connection, no answer in time, or one that was damaged on its way
├── MalformedResponse             an answer that is none of DynamoDB's
└── ServiceError             DynamoDB's own error

ConditionFailed         DynamoDB found an item other than the request demands; no fault
SnapshotRefused         what is done before a snapshot went wrong
"""

from typing import Final

__all__ = [
    "ConditionFailed",
    "MalformedResponse",
    "NotConfigured",
    "ServiceError",
    "SnapshotRefused",
    "StoreFault",
    "Unreachable",
]


class StoreFault(Exception):
    """Why DynamoDB could not be used: for the log, never for a client. It names no secret."""

    retryable: bool = False
    """True when another try may go better."""

    throttled: bool = False
    """True when another try should wait longer than a moment."""


class NotConfigured(StoreFault):
    """The environment says too little, or something wrong, about where DynamoDB is or who asks it."""


class Unreachable(StoreFault):
    """There is no telling whether DynamoDB has done what was asked."""

    retryable = True


class MalformedResponse(StoreFault):
    """Something answered, and not as DynamoDB answers."""


# As botocore counts them, in its `retries.standard`, less what other services say.
_THROTTLED: Final = frozenset(
    {
        "LimitExceededException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottledException",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
        "TransactionInProgressException",
    }
)
_RETRYABLE_CODES: Final = _THROTTLED | {"ReplicatedWriteConflictException", "RequestTimeout"}
_RETRYABLE_STATUSES: Final = frozenset({429, 500, 502, 503, 504})


class ServiceError(StoreFault):
    """DynamoDB's own error (its API reference, "Error Handling with DynamoDB").

    `code` is the error's name, as in `AccessDeniedException`, and empty when the answer has none.
    """

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(f"{code or 'no error code'} (HTTP {status}): {detail}")
        self.status = status
        self.code = code
        self.throttled = code in _THROTTLED
        self.retryable = code in _RETRYABLE_CODES or status in _RETRYABLE_STATUSES


class ConditionFailed(Exception):
    """The item is not as the request's condition demands; nothing was changed."""


class SnapshotRefused(Exception):
    """What is done before a snapshot went wrong; who publishes the version sees no more than the text."""

    def __init__(self, step: str, error: BaseException) -> None:
        super().__init__(f"no snapshot may be taken: {step} failed: {type(error).__name__}: {error}")
        self.step = step
        self.error = error
