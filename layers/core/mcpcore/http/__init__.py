"""Streamable HTTP, as values: a request is admitted or refused, an outcome becomes a response."""

from mcpcore.http.admission import Admitted, AnswerTo, EndSession, Legacy, Modern, Policy, Resume, admit
from mcpcore.http.messages import HttpRequest, HttpResponse
from mcpcore.http.replies import response_to

__all__ = [
    "Admitted",
    "AnswerTo",
    "EndSession",
    "HttpRequest",
    "HttpResponse",
    "Legacy",
    "Modern",
    "Policy",
    "Resume",
    "admit",
    "response_to",
]
