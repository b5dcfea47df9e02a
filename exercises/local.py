"""Call an answer that is a function of this process: of the learner's own, or of the worker's in the sandbox."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from exercises.deadline import TimeLimit, deadline, no_exit
from exercises.values import MAX_SHOWN, error_text, plain, sent

STARTER_SAYS = "your answer goes here"  # the message of the NotImplementedError in every starter


class NotStartedError(Exception):
    """The answer is still the starter."""


class CrashedError(Exception):
    """The answer raised; the text is the error's type, message and line."""


class TimedOutError(Exception):
    """The answer did not come back in time; the text says how long it was given."""


class Local:
    """An answer in this process. The time limit is that of `exercises.deadline`.

    It gets copies of its arguments, unless they are `fresh`: in a sandbox they have just arrived, and nobody else's.
    """

    def __init__(self, function: Callable[..., Any], seconds: float, *, fresh: bool = False) -> None:
        self.function = function
        self.seconds = seconds
        self.fresh = fresh

    def __call__(self, *arguments: Any) -> Any:
        """Call the function and return a plain value."""
        own = arguments if self.fresh else sent(arguments)
        try:
            with no_exit(), deadline(self.seconds):
                value = self.function(*own)
        except TimeLimit:
            raise TimedOutError(f"no answer after {self.seconds:g} seconds") from None
        except KeyboardInterrupt:
            raise  # somebody pressed stop
        except BaseException as error:
            if type(error) is NotImplementedError and error.args == (STARTER_SAYS,):
                raise NotStartedError from None
            raise CrashedError(_described(error)) from None
        if value is Ellipsis:
            raise NotStartedError
        return plain(value)


def _described(error: BaseException) -> str:
    own = _described.__code__.co_filename
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != own]
    line = f" (line {frames[0].lineno}: {frames[0].line[:MAX_SHOWN]})" if frames and frames[0].line else ""
    return f"{error_text(error)}{line}"
