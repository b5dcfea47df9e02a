"""The three things a learner can ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exercises import catalogue
from exercises.local import Local
from exercises.report import Report, Text, not_a_function
from exercises.run import run

LEFT_OUT: Any = object()


def check(name: str, function: Callable[..., Any] | None = LEFT_OUT) -> Report:
    """Check a function against the public checks of an exercise. A wrong answer is reported, never raised."""
    if callable(name):
        return not_a_function("", f"The name of the exercise comes first: {_call_for(getattr(name, '__name__', ''))}")
    exercise = catalogue.load(name)
    if not callable(function):
        given = "" if function is LEFT_OUT else f" This was a {type(function).__name__}."
        words = f"The second thing to give is your function itself, without brackets after it: {_call(name)}.{given}"
        return not_a_function(name, words)
    answer = Local(function, exercise.seconds)
    return Report(name, tuple(run(exercise, answer, exercise.drawn(exercise.public_seed()))))


def _call(name: str) -> str:
    return f'`exercises.check("{name}", {catalogue.load(name).function})`'


def _call_for(function: str) -> str:
    """The call that checks this function, or the first exercise's for a function that no exercise asks for."""
    names = catalogue.names()
    return _call(next((name for name in names if name.endswith(f"/{function}")), names[0]))


def hint(name: str, level: int = 1) -> Text:
    """One hint; a higher level gives more away."""
    title, body = catalogue.hint(name, level)
    last = level == len(catalogue.hints(name))
    more = f'exercises.solution("{name}")' if last else f'exercises.hint("{name}", {level + 1})'
    return Text(f"**{title}**\n\n{body}\n\nMore: `{more}`")


def solution(name: str) -> Text:
    """The model answer, or where to read it when the package came without the repository."""
    path = catalogue.solution_file(name)
    if path is None:
        return Text(f"The model answer is at {catalogue.solution_page(name)}")
    return Text(f"```python\n{path.read_text(encoding='utf-8')}```")
