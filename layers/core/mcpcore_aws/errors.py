"""What can go wrong at the edge only; everything else is in `mcpcore.errors`."""

from mcpcore.errors import InternalError, McpError

__all__ = ["TooLargeToKeep"]


class TooLargeToKeep(InternalError):
    """A session or an exchange does not fit into one item of the store; another try would not change that."""

    def __init__(self, size_bytes: int, limit_bytes: int) -> None:
        McpError.__init__(
            self,
            f"Between two requests at most {limit_bytes} bytes can be kept, and this needs {size_bytes}; "
            "ask for less",
        )
        self.size_bytes = size_bytes
        self.limit_bytes = limit_bytes
