"""Exercises of the course: write a function, check it, ask for a hint, see how we did it.

    import exercises

    exercises.check("paired/exact_mcnemar", exact_mcnemar)
    exercises.hint("paired/exact_mcnemar", 1)
    exercises.solution("paired/exact_mcnemar")

In a terminal, `python -m exercises` offers the same.
"""

from __future__ import annotations

import sys

PACKAGES_MISSING = (
    "The course's packages are not here: run `source .venv/bin/activate` first "
    "(Windows: `.venv\\Scripts\\activate`), or `make setup`."
)

try:
    from exercises.learner import check, hint, solution
    from exercises.report import Report
    from exercises.run import Verdict
except ModuleNotFoundError as missing:
    if sys.argv[:1] == ["-m"]:  # python -m exercises: one line will do
        sys.exit(PACKAGES_MISSING)
    raise ModuleNotFoundError(PACKAGES_MISSING, name=missing.name) from missing
except KeyboardInterrupt:
    if sys.argv[:1] == ["-m"]:
        print("\nexercises: stopped", file=sys.stderr)
        sys.exit(130)
    raise

__all__ = ["Report", "Verdict", "check", "hint", "solution"]
