"""What `import exercises` gives in the sandbox: notebooks call these, and nothing is to come of it."""

from __future__ import annotations

from typing import Any


def check(*arguments: Any, **options: Any) -> None:
    """Do nothing: the checks are outside."""


hint = solution = check
