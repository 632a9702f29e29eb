"""Why the session store or a snapshot failed; errors that clients see are in `mcpcore.protocol.errors`.

StoreFault              a failed DynamoDB request; the cause of a `StoreUnavailable`
├── NotConfigured       region, endpoint, credentials or certificates are missing or cannot be used
├── Unreachable         no connection, no response in time, or a damaged response
├── MalformedResponse   a response that DynamoDB does not send
├── ServiceError        an error that DynamoDB returned
└── CircuitOpen         nothing was sent, because the last requests have failed

ConditionFailed         the condition of a write is not met
SnapshotRefused         a step before a snapshot failed
"""

from typing import Final

__all__ = [
    "CircuitOpen",
    "ConditionFailed",
    "MalformedResponse",
    "NotConfigured",
    "ServiceError",
    "SnapshotRefused",
    "StoreFault",
    "Unreachable",
]


class StoreFault(Exception):
    """A failed DynamoDB request. The message is for the log, never for a client, and contains no secret."""

    retryable: bool = False
    """True if a retry may succeed."""

    throttled: bool = False
    """True if a retry should wait longer, because DynamoDB limits the request rate."""

    retry_after_seconds: int = 1
    """When a client may try again."""


class NotConfigured(StoreFault):
    """Region, endpoint, credentials or certificates are missing or cannot be used."""


class Unreachable(StoreFault):
    """There was no complete response; DynamoDB may or may not have executed the request."""

    retryable = True


class MalformedResponse(StoreFault):
    """The response is not one that DynamoDB sends."""


# The codes for which botocore's `retries.standard` retries, without those of other services.
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
    """An error that DynamoDB returned (its developer guide, "Error handling with DynamoDB").

    `code` is the name of the error, such as `AccessDeniedException`; empty if the response has none.
    """

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(f"{code or 'no error code'} (HTTP {status}): {detail}")
        self.status = status
        self.code = code
        self.throttled = code in _THROTTLED
        self.retryable = code in _RETRYABLE_CODES or status in _RETRYABLE_STATUSES


class CircuitOpen(StoreFault):
    """No request was sent, because the last ones have failed; `reason` is the last failure."""

    def __init__(self, reason: str, retry_after_seconds: int) -> None:
        super().__init__(f"not called after several failures, the last of which was {reason}")
        self.retry_after_seconds = retry_after_seconds


class ConditionFailed(Exception):
    """The condition of a write is not met; nothing was changed."""


class SnapshotRefused(Exception):
    """A step before a snapshot failed. Lambda shows only the message when a version is published."""

    def __init__(self, step: str, error: BaseException) -> None:
        super().__init__(f"no snapshot may be taken: {step} failed: {type(error).__name__}: {error}")
        self.step = step
        self.error = error
