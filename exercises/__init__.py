"""Exercises of the course: write a function, check it, ask for a hint, see how we did it.

    import exercises

    exercises.check("paired/exact_mcnemar", exact_mcnemar)
    exercises.hint("paired/exact_mcnemar", 1)
    exercises.solution("paired/exact_mcnemar")

In a terminal, `python -m exercises` offers the same.
"""

from __future__ import annotations

from exercises.learner import check, hint, solution
from exercises.report import Report
from exercises.run import Verdict

__all__ = ["Report", "Verdict", "check", "hint", "solution"]
