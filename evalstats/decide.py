"""Is A better than B, which test says so, do we ship, and when must a build fail?

Each answer follows a rule that was fixed before the data were seen.
"""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _checks as checks
from .cluster import paired_cluster_interval, paired_cluster_t
from .io import Alignment
from .paired import PairedTable, mcnemar_exact, table_of, tango_interval, unpaired_z_pooled, unpaired_z_unpooled
from .result import Estimate, Extra, Result, TestResult

__all__ = [
    "Gate",
    "PairedComparison",
    "TestChoice",
    "Verdict",
    "choose_test",
    "compare_paired",
    "gate",
    "triage",
    "verdict",
]

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
        For a verdict that is none of the three, or alpha outside (0, 0.5).

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
            ("items", f"{self.table.n} item{'s' * (self.table.n > 1)}{clusters}"),
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
    a: ArrayLike | PairedTable | Alignment,
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
    a, b : arrays of 0 and 1, or one PairedTable, or one Alignment
        Position i is the same item in both. Match two logs with `align` first, and give its result as `a`.
    groups : sequence of labels, optional
        The cluster of each item in the order of the items: what was drawn.
    strata : sequence of labels, optional
        The fixed stratum of each item; each cluster lies inside one.
    alpha : float
        Level of the test in (0, 0.5); the interval has level 1 - alpha.

    Returns
    -------
    PairedComparison
        "inconclusive" means that the items cannot tell, never that the systems are equal.

    Raises
    ------
    ValueError
        For anything but 0 and 1 (for other scores use `paired_t`, or `paired_cluster_t`), NaN, unequal lengths, two
        pandas Series with different labels, groups or strata beside a PairedTable, and as `paired_cluster_t`.

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
    if isinstance(a, Alignment):
        if b is not None:
            raise ValueError("give one Alignment or two vectors, got an Alignment and b")
        return compare_paired(a.a, a.b, groups=groups, strata=strata, alpha=alpha)
    table = table_of(a, b)
    if groups is None and strata is None:
        return _judged(table, mcnemar_exact(table), tango_interval(table, level=1 - alpha), alpha)
    if isinstance(a, PairedTable) or b is None:
        raise ValueError("groups and strata need one score a row: give two vectors, not a PairedTable")
    checks.same_rows(a=a, b=b, groups=groups, strata=strata)
    clusters = list(range(table.n)) if groups is None else checks.labels_of("groups", groups)
    kinds = None if strata is None else checks.labels_of("strata", strata)
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


# --- the test, from counts or from the design ------------------------------------------------------------------------


def triage(
    k1: int, n1: int, k2: int, n2: int, discordant: tuple[int, int] | None = None, *, name: str = "A - B"
) -> TestResult:
    """Two scores on a slide: is there a difference at all?

    With `discordant` both systems answered the same items: exact McNemar governs, with Tango's interval, and the
    unpaired z is only shown beside it. Without, the items are taken as separate and the unpaired z is the answer.

    Parameters
    ----------
    k1, n1, k2, n2 : int
        Number right and number asked, for A and for B.
    discordant : pair of int, optional
        b, the items that only A got right, and c, those that only B got right; b - c equals k1 - k2.
    name : str
        What is tested.

    Returns
    -------
    TestResult
        `extra` holds the unpaired standard error, z and p. When one side is all right and the other all wrong, these
        are the pooled ones. A warning says where the exact test and the interval disagree.

    Raises
    ------
    ValueError
        Unless 0 <= k <= n and n >= 1 for both; with `discordant`, when n1 and n2 differ, when b - c is not k1 - k2,
        and when the counts leave a cell of the paired table below 0.

    Notes
    -----
    Chapter `paired`, eq-unpaired-z and eq-mcnemar-exact.

    Examples
    --------
    >>> print(triage(184, 200, 174, 200))
    A - B = 0.05, 95% interval [-0.009883, 0.1099], p = 0.102 (unpaired_z_unpooled, statistic 1.636, n = 400)
    >>> print(triage(184, 200, 174, 200, discordant=(14, 4)))
    A - B = 0.05, 95% interval [0.009393, 0.09705], p = 0.0309 (mcnemar_exact, statistic 4, n = 200)
    """
    unpaired = _unpaired(k1, n1, k2, n2, name)
    if discordant is None:
        return unpaired
    table = _table_from_margins(k1, n1, k2, n2, discordant)
    judged = compare_paired(table)
    facts = {
        "unpaired_z": unpaired.statistic,
        "unpaired_pvalue": unpaired.pvalue,
        "unpaired_standard_error": unpaired.extra["standard_error"],
        "interval": judged.interval.method,
    }
    return replace(
        judged.test,
        name=name,
        extra=dict(judged.test.extra) | facts,
        ci_low=judged.interval.ci_low,
        ci_high=judged.interval.ci_high,
        level=judged.interval.level,
        warning=judged.note,
    )


def _unpaired(k1: int, n1: int, k2: int, n2: int, name: str) -> TestResult:
    """The unpooled z with its interval; pooled where the unpooled standard error is 0 for unequal scores."""
    pooled = unpaired_z_pooled(k1, n1, k2, n2, name=name)
    if k1 in (0, n1) and k2 in (0, n2) and pooled.effect != 0:
        return pooled
    return unpaired_z_unpooled(k1, n1, k2, n2, name=name)


def _table_from_margins(k1: int, n1: int, k2: int, n2: int, discordant: tuple[int, int]) -> PairedTable:
    if not isinstance(discordant, (tuple, list)) or len(discordant) != 2:
        raise ValueError(f"discordant must be the pair (b, c), got {discordant!r}")
    if n1 != n2:
        raise ValueError(f"discordant needs the same items for both systems, got n1 = {n1} and n2 = {n2}")
    b, c = checks.integer("b", discordant[0], 0), checks.integer("c", discordant[1], 0)
    if b - c != k1 - k2:
        raise ValueError(f"the counts must agree: b - c must be k1 - k2 = {k1 - k2}, got {b} - {c} = {b - c}")
    if b > k1 or k1 + c > n1:
        raise ValueError(f"b must be at most k1 = {k1} and c at most n1 - k1 = {n1 - k1}, got b = {b} and c = {c}")
    return PairedTable(k1 - b, b, c, n1 - k1 - c)


@dataclass(frozen=True)
class TestChoice(Result):
    """Which test fits this eval, why, and what to beware of? Made by `choose_test`.

    Attributes
    ----------
    tool : str
        The method, in the field's words.
    functions : tuple of str
        The functions of this package that do it.
    reason, caveat : str
        Why this one, and where it can mislead.

    Examples
    --------
    >>> choose_test(shared_items=True, matched_by_id=True).tool
    'exact McNemar'
    """

    __test__: ClassVar[bool] = False  # the name starts with "Test": pytest must not collect it

    tool: str
    functions: tuple[str, ...]
    reason: str
    caveat: str
    name: str = "test"
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        words = {key: checks.text(key, getattr(self, key)) for key in ("tool", "reason", "caveat", "name")}
        self._put(**words, functions=tuple(self.functions), extra=Extra(self.extra))

    def __str__(self) -> str:
        facts = [("tool", self.tool), ("use", ", ".join(self.functions)), ("because", self.reason)]
        return "\n".join(_paragraph(key, words) for key, words in [*facts, ("beware", self.caveat)])


CLAIMS = ("better", "not worse", "equivalent")
TOOLS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "unpaired z": (
        ("unpaired_z_unpooled",),
        "no item is in both sets, so there is nothing to pair",
        "both sets must be samples of one kind of item; the same items for both systems would need far fewer",
    ),
    "align first": (
        ("align",),
        "the items are shared, but nobody has put the marks of one item together",
        "match by id and never by position; then ask again",
    ),
    "clustered paired interval": (
        ("paired_cluster_interval", "paired_cluster_t"),
        "rows of one cluster (or answers to one item) share a fate: the cluster is what was drawn",
        "few clusters, or differences in few of them, make it cover too seldom; the result warns",
    ),
    "exact McNemar": (
        ("mcnemar_exact", "tango_interval", "compare_paired"),
        "right or wrong on the same items, each a draw of its own: the disagreements are fair coins if none is better",
        "with few disagreements the exact test and the interval can differ: the test governs",
    ),
    "paired t": (
        ("paired_t", "bootstrap_paired_diff"),
        "graded scores of the same items, each a draw of its own: what counts is the mean difference and its spread",
        "it leans on a nearly normal mean: with few items or a few huge differences check with sign_flip_test",
    ),
}


def choose_test(
    *,
    shared_items: bool,
    matched_by_id: bool,
    score: str = "0/1",
    clusters: bool = False,
    decodes_per_item: int = 1,
    items: int | None = None,
    claim: str = "better",
    comparisons: int = 1,
) -> TestChoice:
    """Which test fits this eval? The questions in the order in which they settle the matter.

    Shared items? Matched by id? Clusters, or several answers to an item? Right or wrong, or graded?

    Parameters
    ----------
    shared_items, matched_by_id : bool
        Whether both systems answered the same items, and whether their marks have been put together item by item.
    score : str
        "0/1" or "graded".
    clusters : bool
        Whether items were drawn in groups.
    decodes_per_item : int
        Answers of each system to each item, each a row of its own.
    items : int, optional
        Number of items, at least 1.
    claim : str
        "better", "not worse" or "equivalent" (the last two against a margin fixed beforehand).
    comparisons : int
        How many comparisons the claim was picked from.

    Returns
    -------
    TestChoice

    Raises
    ------
    ValueError
        For a score or a claim that is none of the named, and counts below 1.

    Notes
    -----
    Chapter `paired`.

    Examples
    --------
    >>> print(choose_test(shared_items=True, matched_by_id=True, score="graded"))
    tool      paired t
    use       paired_t, bootstrap_paired_diff
    because   graded scores of the same items, each a draw of its own:
              what counts is the mean difference and its spread
    beware    it leans on a nearly normal mean: with few items or a few
              huge differences check with sign_flip_test
    """
    _one_of("score", score, ("0/1", "graded"))
    _one_of("claim", claim, CLAIMS)
    several = checks.integer("decodes_per_item", decodes_per_item, 1) > 1
    many = checks.integer("comparisons", comparisons, 1)
    n_items = None if items is None else checks.integer("items", items, 1)
    if not shared_items:
        tool = "unpaired z"
    elif not matched_by_id:
        tool = "align first"
    elif clusters or several:
        tool = "clustered paired interval"
    else:
        tool = "exact McNemar" if score == "0/1" else "paired t"
    functions, reason, caveat = TOOLS[tool]
    if tool == "unpaired z" and (clusters or several or score == "graded"):
        functions = ("cluster_standard_error", "mean_interval")
        caveat = f"divide the difference of the means by the root of their summed squared standard errors; {caveat}"
    if claim != "better" and tool != "align first":
        functions, caveat = _with_margin(tool, functions, claim, caveat)
    if n_items is not None and n_items < 20:
        caveat += f"; {n_items} items can show only a very large difference"
    if many > 1:
        caveat += f"; correct for {many} comparisons with holm or benjamini_hochberg"
    return TestChoice(tool, functions, reason, caveat)


def _one_of(owner: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{owner} must be one of {allowed}, got {value!r}")


def _with_margin(tool: str, functions: tuple[str, ...], claim: str, caveat: str) -> tuple[tuple[str, ...], str]:
    """A claim of "not worse" or "equivalent" needs the interval and a margin, whatever the design."""
    if tool != "unpaired z":
        functions = ("noninferiority_test" if claim == "not worse" else "equivalence_test",)
    level = "95% interval above -margin" if claim == "not worse" else "90% interval inside the margins"
    return functions, f"a large p-value shows nothing: fix a margin beforehand and want the {level}; {caveat}"


# --- ship, or not ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict(Result):
    """Ship, don't ship, or inconclusive, and why? Made by `verdict`.

    Attributes
    ----------
    decision : str
        "ship", "don't ship" or "inconclusive".
    reason : str
        The interval against the margin, in words.
    margin, ci_low, ci_high, level, method
        What was compared with what.
    warning : str or None
        The interval's.

    Examples
    --------
    >>> verdict(tango_interval(PairedTable(810, 45, 25, 120))).decision
    'ship'
    """

    METRICS: ClassVar[tuple[str, ...]] = ("margin", "ci_low", "ci_high")

    decision: str
    reason: str
    margin: float
    ci_low: float
    ci_high: float
    level: float
    method: str
    name: str = "verdict"
    extra: Mapping[str, Any] = field(default_factory=dict)
    warning: str | None = None

    def __post_init__(self) -> None:
        _one_of("decision", self.decision, ("ship", "don't ship", "inconclusive"))
        numbers = {key: checks.number(key, getattr(self, key), infinite=True) for key in self.METRICS}
        self._put(**numbers, level=checks.share("level", self.level), extra=Extra(self.extra))

    def __str__(self) -> str:
        return f"{self.decision}: {self.reason}" + (f"\nwarning: {self.warning}" if self.warning else "")


def verdict(interval: Estimate | TestResult, margin: float = 0.0) -> Verdict:
    """Do we ship A in place of B? From the interval, never from the point.

    Ship when the whole interval lies above the margin, don't when it lies below; between the two these items cannot
    say.

    Parameters
    ----------
    interval : Estimate, or TestResult with an interval
        Of the difference A - B, A being the candidate.
    margin : float
        The difference A must be shown to exceed, in the unit of the scores, fixed beforehand: 0 for "better", .01 for
        "better by more than a point", -.01 for "not worse by a point or more".

    Returns
    -------
    Verdict

    Raises
    ------
    ValueError
        For a result without an interval, and a margin that is not a finite number.

    Notes
    -----
    Chapter `decisions`.

    Examples
    --------
    >>> print(verdict(tango_interval(PairedTable(810, 45, 25, 120)), margin=0.01))
    inconclusive: the 95% interval [0.0037, 0.0371] holds 0.01: these items cannot say
    """
    if not isinstance(interval, (Estimate, TestResult)):
        raise ValueError(f"interval must be an Estimate or a TestResult with an interval, got {interval!r}")
    low, high, level = interval.ci_low, interval.ci_high, interval.level
    if low is None or high is None or level is None:
        raise ValueError(f"{interval.method} gave no interval, and a verdict is never made from the point alone")
    bar = checks.number("margin", margin)
    words = f"the {100 * level:g}% interval [{low:.4f}, {high:.4f}]"
    if low > bar:
        decision, reason = "ship", f"{words} lies above {bar:g}"
    elif high < bar:
        decision, reason = "don't ship", f"{words} lies below {bar:g}"
    else:
        decision, reason = "inconclusive", f"{words} holds {bar:g}: these items cannot say"
    return Verdict(decision, reason, bar, low, high, level, interval.method, warning=interval.warning)


# --- a gate for builds -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gate(Result):
    """At which drop does a build fail, how often for nothing, and what gets past? Made by `gate`.

    Attributes
    ----------
    threshold : float
        The build fails at this drop of the score or more; a multiple of 1/n.
    false_alarm : float
        How often a build fails though nothing changed.
    miss : float
        How often a build with the stated true drop passes.
    n : int
        Items in each run.
    design : str
        "same items" or "fresh items".
    extra : mapping
        `items`, the threshold in items, and what was assumed.

    Examples
    --------
    >>> gate(400, 0.85, drop=0.05, flip_rate=0.05).fails(before=340, after=330)
    True
    """

    METRICS: ClassVar[tuple[str, ...]] = ("threshold", "false_alarm", "miss")

    threshold: float
    false_alarm: float
    miss: float
    n: int
    design: str
    name: str = "gate"
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rates = {key: checks.number(key, getattr(self, key), 0, 1) for key in self.METRICS}
        self._put(**rates, n=checks.integer("n", self.n, 1), extra=Extra(self.extra))

    def fails(self, before: int, after: int) -> bool:
        """Does a build with these numbers of right answers, before and after, fail?"""
        return before - after >= round(self.threshold * self.n)

    def false_alarm_over(self, builds: int) -> float:
        """How often at least one of so many independent builds fails for nothing."""
        return 1 - (1 - self.false_alarm) ** checks.integer("builds", builds, 1)

    def __str__(self) -> str:
        return (
            f"fail at a drop of {self.threshold:.4g} or more ({round(self.threshold * self.n)} of {self.n} items, "
            f"{self.design}): false alarms {self.false_alarm:.3g}, misses {self.miss:.3g}"
        )


def gate(
    n: int,
    accuracy: float,
    drop: float,
    alpha: float = 0.05,
    *,
    flip_rate: float | None = None,
    threshold: float | None = None,
    name: str = "gate",
) -> Gate:
    """When must a build fail? The smallest attainable drop that noise reaches in at most alpha of the builds.

    A drop is a difference of two runs, and scores move in steps of 1/n. With fresh items both runs draw their own n;
    with the same items only answers that flip make noise.

    Parameters
    ----------
    n : int
        Items in each run.
    accuracy : float
        The true accuracy before, in (0, 1).
    drop : float
        The true drop that should be caught, in (0, accuracy].
    alpha : float
        How often a build may fail for nothing, in (0, 0.5).
    flip_rate : float, optional
        For the same items in both runs: the share of items whose mark differs between two runs of an unchanged system,
        half each way. A true drop breaks its share of items in addition. Without it the items are fresh.
    threshold : float, optional
        Judge this threshold instead of choosing one: the build fails at this drop or more, in (0, 1].
    name : str
        Of the gate.

    Returns
    -------
    Gate

    Raises
    ------
    ValueError
        For values out of range, a flip rate that the accuracy leaves no room for, and when no attainable drop is rare
        enough.

    Notes
    -----
    Chapter `decisions`, eq-gate; all outcomes added up, no approximation.

    Examples
    --------
    A gate at ten points on 49 fresh items, and the one that keeps false alarms below 5%:

    >>> print(gate(49, 0.85, drop=0.10, threshold=0.10))
    fail at a drop of 0.102 or more (5 of 49 items, fresh items): false alarms 0.1, misses 0.46
    >>> print(gate(49, 0.85, drop=0.10))
    fail at a drop of 0.1429 or more (7 of 49 items, fresh items): false alarms 0.0326, misses 0.659
    """
    total, before = checks.integer("n", n, 1), checks.share("accuracy", accuracy)
    loss, rate = checks.number("drop", drop, 0, before), checks.share("alpha", alpha)
    if loss == 0:
        raise ValueError(f"drop must lie in (0, {before:g}], got {drop!r}")
    quiet, broken = (_drop_tails(total, before, each, flip_rate) for each in (0.0, loss))
    if threshold is None:
        if not (rare := np.flatnonzero(quiet <= rate)).size:
            raise ValueError(f"no drop of {total} items is rarer than alpha = {rate:g}: use more items")
        at = int(rare[0])
    else:
        at = math.ceil(checks.number("threshold", threshold, 1e-9, 1) * total - 1e-9) - 1
    facts = {"items": at + 1, "accuracy": before, "drop": loss, "alpha": rate, "flip_rate": flip_rate}
    design = "fresh items" if flip_rate is None else "same items"
    return Gate((at + 1) / total, float(quiet[at]), float(1 - broken[at]), total, design, name, facts)


def _drop_tails(n: int, accuracy: float, loss: float, flip_rate: float | None) -> NDArray[np.float64]:
    """P(right before - right after >= k) for k = 1, ..., n, from the characteristic function of the drop."""
    turn = np.exp(2j * np.pi * np.arange(2 * n + 1) / (2 * n + 1))
    if flip_rate is None:
        after = accuracy - loss
        of_one_item = (1 - accuracy + accuracy * turn) * (1 - after + after / turn)
    else:
        up = checks.number("flip_rate", flip_rate, 0, 1) / 2
        down = up + loss
        if down > accuracy or up > 1 - accuracy:
            raise ValueError(
                f"flip_rate must leave room: flip_rate/2 + drop at most {accuracy:g} and flip_rate/2 at most "
                f"{1 - accuracy:.4g}, got {flip_rate!r} with a drop of {loss:g}"
            )
        of_one_item = 1 - down - up + down * turn + up / turn
    chances = np.fft.fft(of_one_item**n).real / turn.size
    tails: NDArray[np.float64] = np.clip(np.cumsum(chances[n:0:-1])[::-1], 0.0, 1.0)
    return tails
