"""`make stdio`: the same server over lines of JSON on stdin and stdout (spec basic/transports, "stdio").

One process serves one client, so the session of the handshake era is a value held here.
"""

import importlib
import os
import secrets
import sys
import time
from contextlib import redirect_stdout
from typing import BinaryIO, Final

from local.environment import prepare
from mcpcore import BuiltServer, Given, McpError, Session, SessionId
from mcpcore.dispatch import Outcome, answer_legacy, answer_modern, note
from mcpcore.envelope import claims_modern, read_metadata, require_spoken
from mcpcore.errormap import reply_to
from mcpcore.jsonrpc import (
    NoId,
    Notification,
    Request,
    Response,
    Undecodable,
    decode,
    error_bytes,
    result_bytes,
)
from mcpcore.outcome import Completed, Failed, Told
from mcpcore.sessions import Open
from mcpcore.versions import Era

__all__ = ["Conversation", "serve"]

_SECONDS_OF_A_SESSION: Final = 10 * 365 * 24 * 3600  # it ends with the process


class Conversation:
    """One client's messages, line by line."""

    def __init__(self, server: BuiltServer) -> None:
        self._server = server
        self._session: Session | None = None

    def answer(self, line: bytes) -> bytes | None:
        """The line that answers `line`, without its line feed; None when there is nothing to answer."""
        try:
            message = decode(line)
        except Undecodable as refusal:
            era = Era.MODERN if claims_modern(refusal.params) else None
            return _line(Outcome(Failed(refusal.request_id, refusal.error), Told("refusal", era)))
        if isinstance(message, Response):  # we never ask, and nobody answers an answer
            return None
        return _line(self._outcome(message))

    def _outcome(self, message: Request | Notification) -> Outcome:
        given = Given(time.time(), _new_session_id, _SECONDS_OF_A_SESSION)
        if isinstance(message, Notification):
            return note(message, Era.LEGACY)
        if claims_modern(message.params):
            return self._modern(message, given)
        session_id = None if self._session is None else self._session.id
        outcome = answer_legacy(
            self._server, message, session_id=session_id, session=self._session, given=given
        )
        opened = [action.session for action in outcome.actions if isinstance(action, Open)]
        self._session = opened[0] if opened else self._session
        return outcome

    def _modern(self, request: Request, given: Given) -> Outcome:
        try:
            envelope = read_metadata(request.params)
            require_spoken(envelope.version)
        except McpError as error:
            return Outcome(Failed(request.id, error), Told("refusal", Era.MODERN, method=request.method))
        return answer_modern(self._server, request, envelope, given)


def serve(server: BuiltServer, lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line of `lines` until it closes. Whatever else is printed meanwhile goes to stderr."""
    conversation = Conversation(server)
    with redirect_stdout(sys.stderr):
        for line in lines:
            if line.strip() and (answer := conversation.answer(line)) is not None:
                answers.write(answer + b"\n")
                answers.flush()


def _line(outcome: Outcome) -> bytes | None:
    told, reply = outcome.told, outcome.reply
    if told.cause is not None:
        print(f"{told.method} {told.tool}: {told.cause!r}", file=sys.stderr)
    if isinstance(reply, Completed):
        return result_bytes(reply.request_id, reply.result)
    if not isinstance(reply, Failed):
        return None
    refusal = reply_to(reply.error, told.era)
    absent = reply.request_id is NoId.UNREADABLE and told.era is Era.MODERN
    return error_bytes(
        NoId.ABSENT if absent else reply.request_id,
        code=refusal.code,
        message=refusal.message,
        data=refusal.data,
    )


def _new_session_id() -> SessionId:
    return SessionId(secrets.token_urlsafe())


def main() -> None:
    """Serve the product until stdin closes or the process is interrupted."""
    prepare()
    server: BuiltServer = importlib.import_module("handler").server
    try:
        serve(server, sys.stdin.buffer, sys.stdout.buffer)
    except (KeyboardInterrupt, BrokenPipeError):
        # The client has gone. What is left for it goes nowhere: Python would flush it into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
