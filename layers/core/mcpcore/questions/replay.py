"""How a handler waits for answers: it ends by an exception, and is run again when they have arrived.

In the next run each question that has an answer returns it, and the first one without an answer ends the run.
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from mcpcore.questions.question import Question

__all__ = ["InputRequired", "ReplayState"]


class ReplayState(NamedTuple):
    """What earlier runs of a request have left for the next one.

    `answers` has the client's result for each key, or its error where `refused` names the key; `saved` has
    the values of `context.once`.
    """

    answers: Mapping[str, Any] = {}
    refused: Collection[str] = ()
    saved: Mapping[str, Any] = {}


class InputRequired(BaseException):
    """Ends a run that cannot continue before the client has answered; no `except Exception` stops it.

    Without questions the run continues as soon as the client comes back (`context.defer`).
    """

    def __init__(self, questions: "Mapping[str, Question]") -> None:
        super().__init__(", ".join(questions))
        self.questions = questions
