"""Is A better than B? One verdict, by a rule that was fixed before the data were seen."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from numpy.typing import ArrayLike

from . import _checks as checks
from .cluster import paired_cluster_interval, paired_cluster_t
from .paired import PairedTable, mcnemar_exact, table_of, tango_interval
from .result import Estimate, TestResult

__all__ = ["PairedComparison", "compare_paired"]

RULE = "the test named beforehand decides what we claim; the interval says how large the difference may be"
VERDICTS = ("A better", "B better", "inconclusive")


@dataclass(frozen=True)
class PairedComparison:
    """What came of comparing two systems on the same items, and by which rule?

    Made by `compare_paired`; it survives JSON.

    Attributes
    ----------
    table : PairedTable
        How often both were right, only A, only B, neither.
    test : TestResult
        The test that governs: exact McNemar, or with clusters the clustered t.
    interval : Estimate
        How large the difference may be: Tango's interval, or with clusters the clustered one.
    alpha : float
        The level of the test; the interval's is 1 - alpha.
    verdict : str
        "A better", "B better" or "inconclusive". Inconclusive is not "equal".
    rule : str
        Which of test and interval governs, said in words.
    note : str or None
        Where test and interval disagree: that they do, and why.

    Raises
    ------
    ValueError
        For a verdict that is none of the three, or alpha outside (0, 1).

    Examples
    --------
    >>> compare_paired(PairedTable(810, 45, 25, 120)).test.method
    'mcnemar_exact'
    """

    table: PairedTable
    test: TestResult
    interval: Estimate
    alpha: float
    verdict: str
    rule: str = RULE
    note: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", checks.share("alpha", self.alpha))
        if self.verdict not in VERDICTS:
            raise ValueError(f"verdict must be one of {VERDICTS}, got {self.verdict!r}")

    @property
    def agree(self) -> bool:
        """Whether the test rejects exactly when the interval excludes 0."""
        return self.note is None

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values that `json.dumps` writes and `from_dict` reads back."""
        parts = {"table": asdict(self.table), "test": self.test.to_dict(), "interval": self.interval.to_dict()}
        return parts | {"alpha": self.alpha, "verdict": self.verdict, "rule": self.rule, "note": self.note}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The comparison that `to_dict` described.

        Raises
        ------
        ValueError
            When `values` has a field too many or too few, or holds a value that is refused.
        """
        parts = dict(values)
        try:
            parts["table"] = PairedTable(**parts["table"])
            parts["test"] = TestResult.from_dict(parts["test"])
            parts["interval"] = Estimate.from_dict(parts["interval"])
            return cls(**parts)
        except (KeyError, TypeError) as error:
            raise ValueError(f"cannot make a {cls.__name__}: {error}") from error

    def as_mlflow(self) -> dict[str, dict[str, Any]]:
        """The same facts as `{"metrics": ..., "params": ...}`, nothing dropped."""
        test, interval = self.test.as_mlflow(), self.interval.as_mlflow()
        metrics = {f"test.{key}": value for key, value in test["metrics"].items()}
        metrics |= {f"interval.{key}": value for key, value in interval["metrics"].items()}
        params = {f"test.{key}": value for key, value in test["params"].items()}
        params |= {f"interval.{key}": value for key, value in interval["params"].items()}
        params |= {"alpha": self.alpha, "verdict": self.verdict, "rule": self.rule, "note": self.note}
        return {"metrics": metrics, "params": params | {"table": json.dumps(asdict(self.table))}}

    def __str__(self) -> str:
        interval = f"[{self.interval.ci_low:.4g}, {self.interval.ci_high:.4g}]"
        clusters = "" if self.test.n_clusters is None else f" in {self.test.n_clusters} clusters"
        facts = [
            ("verdict", f"{self.verdict} (alpha = {self.alpha:g})"),
            ("A - B", f"{self.interval.point:.4g}, {100 * self.interval.level:g}% interval {interval}"),
            ("interval", self.interval.method),
            ("test", f"p = {self.test.pvalue:.3g} ({self.test.method})"),
            ("items", f"{self.table.n} items{clusters}"),
            ("", f"only A right {self.table.a_only}, only B right {self.table.b_only}"),
            ("rule", self.rule),
        ]
        facts += [("note", self.note)] if self.note else []
        warnings = dict.fromkeys(one.warning for one in (self.test, self.interval) if one.warning)
        return "\n".join(_paragraph(name, words) for name, words in [*facts, *(("warning", w) for w in warnings)])


def _paragraph(name: str, words: str) -> str:
    """A name and what is said of it, in lines that fit a page."""
    return textwrap.fill(words, 68, initial_indent=f"{name:10}", subsequent_indent=" " * 10)


def compare_paired(
    a: ArrayLike | PairedTable,
    b: ArrayLike | None = None,
    *,
    groups: Iterable[Hashable] | None = None,
    strata: Iterable[Hashable] | None = None,
    alpha: float = 0.05,
) -> PairedComparison:
    """Is A better than B, B better than A, or can these items not say?

    Exact McNemar decides and Tango's interval gives the size; with groups (or strata) the clustered t and its interval.
    Exact test and Tango's interval can disagree when there are few disagreements. The test was named beforehand, so it
    governs the claim, and the result says that the two disagree and why.

    Parameters
    ----------
    a, b : arrays of 0 and 1, or one PairedTable
        Position i is the same item in both. Match two logs with `align` first.
    groups : sequence of labels, optional
        The cluster of each item: what was drawn.
    strata : sequence of labels, optional
        The fixed stratum of each item; each cluster lies inside one.
    alpha : float
        Level of the test in (0, 1); the interval has level 1 - alpha.

    Returns
    -------
    PairedComparison
        "inconclusive" means that the items cannot tell, never that the systems are equal.

    Raises
    ------
    ValueError
        For anything but 0 and 1 (for other scores use `paired_t`, or `paired_cluster_t`), NaN, unequal lengths, groups
        or strata beside a PairedTable, and as `paired_cluster_t`.

    Notes
    -----
    Chapter `paired`, eq-mcnemar-exact, eq-tango, eq-cluster-paired.

    Examples
    --------
    >>> print(compare_paired(PairedTable(810, 45, 25, 120)))
    verdict   A better (alpha = 0.05)
    A - B     0.02, 95% interval [0.003699, 0.03712]
    interval  tango
    test      p = 0.0225 (mcnemar_exact)
    items     1000 items
              only A right 45, only B right 25
    rule      the test named beforehand decides what we claim; the
              interval says how large the difference may be
    >>> compare_paired(PairedTable(20, 4, 0, 16)).verdict
    'inconclusive'
    """
    checks.share("alpha", alpha)
    table = table_of(a, b)
    if groups is None and strata is None:
        return _judged(table, mcnemar_exact(table), tango_interval(table, level=1 - alpha), alpha)
    if isinstance(a, PairedTable) or b is None:
        raise ValueError("groups and strata need one score a row: give two vectors, not a PairedTable")
    clusters = list(range(table.n)) if groups is None else list(groups)
    kinds = None if strata is None else list(strata)
    test = paired_cluster_t(a, b, clusters, kinds, 1 - alpha)
    interval = paired_cluster_interval(a, b, clusters, kinds, 1 - alpha)
    return _judged(table, test, interval, alpha)


def _judged(table: PairedTable, test: TestResult, interval: Estimate, alpha: float) -> PairedComparison:
    """The verdict is the test's; the note says where the interval would have spoken otherwise."""
    rejects = test.pvalue <= alpha
    excludes = interval.ci_low > 0 or interval.ci_high < 0
    verdict = "inconclusive" if not rejects else "A better" if test.effect > 0 else "B better"
    note = None
    if rejects != excludes:
        note = (
            f"test and interval disagree: {test.method} has p = {test.pvalue:.3g} and "
            f"{'rejects' if rejects else 'does not reject'}, while the interval ({interval.method}) "
            f"{'excludes' if excludes else 'includes'} 0. The p-value of the exact test moves in steps and stays "
            "on the safe side of alpha; the interval is approximate. By the rule the test governs"
        )
    return PairedComparison(table, test, interval, alpha, verdict, note=note)
