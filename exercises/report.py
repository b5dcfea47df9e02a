"""What the learner sees: plain text in a terminal, Markdown in a notebook."""

from __future__ import annotations

import re
from dataclasses import dataclass

from exercises.catalogue import misconceptions
from exercises.run import CheckResult, Verdict, overall

MARKS = {
    Verdict.PASSED: "ok",
    Verdict.FAILED: "not yet",
    Verdict.NOT_STARTED: "not started",
    Verdict.CRASHED: "crashed",
    Verdict.TIMED_OUT: "timed out",
    Verdict.MISSING: "missing",
}


@dataclass(frozen=True)
class Text:
    """Markdown that also reads well as plain text."""

    markdown: str

    def __repr__(self) -> str:
        return self.markdown

    def _repr_markdown_(self) -> str:
        return self.markdown


@dataclass(frozen=True)
class Report:
    """The result of a self-check. `verdict` is the answer in one word; printing the report explains it."""

    name: str
    results: tuple[CheckResult, ...]
    notes: tuple[str, ...] = ()
    misuse: str = ""  # how to call `check`, when there was no function to check: all there is to say

    @property
    def verdict(self) -> Verdict:
        """The verdict of the first check that did not pass, or *passed*."""
        return overall(list(self.results))

    @property
    def first_problem(self) -> CheckResult | None:
        """The check that the feedback is about."""
        return next((result for result in self.results if result.verdict is not Verdict.PASSED), None)

    def __repr__(self) -> str:
        if self.misuse:
            return self.misuse
        lines = [f"{self.name}: {self._headline()}"]
        if self.verdict is not Verdict.NOT_STARTED:
            lines += [f"  {MARKS[result.verdict]:<9}  {result.says}" for result in self.results]
        lines += [f"  {line}" for line in self._feedback(code="")]
        return "\n".join(lines)

    def _repr_markdown_(self) -> str:
        if self.misuse:
            return self.misuse
        lines = [f"**{self.name}: {self._headline()}**", ""]
        if self.verdict is not Verdict.NOT_STARTED:
            lines += [f"- {MARKS[result.verdict]}: {result.says}" for result in self.results]
        lines += [text for line in self._feedback(code="`") for text in ("", line)]
        return "\n".join(lines)

    def _headline(self) -> str:
        passed = sum(result.verdict is Verdict.PASSED for result in self.results)
        if self.verdict is Verdict.PASSED:
            return f"passed: all {passed} public checks"
        if self.verdict is Verdict.NOT_STARTED:
            return "not started"
        return f"{self.verdict} ({passed} of {len(self.results)} public checks passed)"

    def _feedback(self, code: str) -> list[str]:
        problem = self.first_problem
        lines = [] if problem is None else explained(problem, code)
        return [*lines, *self.notes]


def explained(problem: CheckResult, code: str = "") -> list[str]:
    """What was called, what came back, what should have held, and the misconception if one can be named."""
    if problem.verdict is Verdict.NOT_STARTED:
        return ["Write your answer in place of the line that raises NotImplementedError, then check again."]
    lines = []
    if problem.verdict is Verdict.FAILED and problem.call:
        lines.append(f"{_quoted(problem.call, code)} returned {_quoted(problem.returned, code)}.")
    else:
        lines.append(": ".join(_quoted(text, code) for text in (problem.call, problem.wanted) if text) + ".")
    if problem.verdict is Verdict.FAILED:
        lines.append(f"Wanted: {_sentence(problem.wanted)}")
    if problem.slip is not None:
        slip = misconceptions()[problem.slip]
        lines += [f"A common slip: {slip.title}.", f"Ask yourself: {slip.ask}", " ".join(slip.because.split())]
    return lines


def _sentence(text: str) -> str:
    """`text` with a full stop, unless it ends like a sentence."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _quoted(text: str, code: str) -> str:
    """`text` as a code span that no backtick inside can end."""
    if not code:
        return text
    longest = max((len(ticks) for ticks in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}" if longest else f"`{text}`"


def not_a_function(name: str, misuse: str) -> Report:
    """The report for a check that was not handed the learner's function."""
    return Report(name, (CheckResult("a function to check", Verdict.FAILED, wanted=misuse),), misuse=misuse)
