"""Streamable HTTP, as values: a request is admitted or refused, an outcome becomes a response."""

from mcpcore.http.admission import Admitted, EndSession, Legacy, Modern, Policy, admit
from mcpcore.http.messages import HttpRequest, HttpResponse
from mcpcore.http.replies import response_to

__all__ = [
    "Admitted",
    "EndSession",
    "HttpRequest",
    "HttpResponse",
    "Legacy",
    "Modern",
    "Policy",
    "admit",
    "response_to",
]
