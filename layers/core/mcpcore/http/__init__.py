"""Streamable HTTP as values: a request is admitted or refused, and an outcome becomes a response."""

from mcpcore.http.admission import Policy, admit
from mcpcore.http.messages import HttpRequest, HttpResponse
from mcpcore.http.replies import response_to

__all__ = ["HttpRequest", "HttpResponse", "Policy", "admit", "response_to"]
