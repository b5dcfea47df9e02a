"""Is A better than B, which test says so, do we ship, and when must a build fail?

Each answer follows a rule that was fixed before the data were seen.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _checks as checks
from . import paired
from ._checks import Groups
from .cluster import _paired_interval, _paired_sums, _paired_t
from .paired import Marks, PairedTable, mcnemar_exact, rows_of, sign_flip_test, table_of, tango_interval
from .power import _critical_z
from .result import Estimate, Result, TestResult, _interval_words, _level_words

MOST_ITEMS = 10**6  # of a gate, which adds up all outcomes
SURE = 1e-10  # chances of a gate are not told nearer to 0 or 1, for the rounding of a million items comes near that
VERDICTS = ("A better", "B better", "inconclusive")
OF_TWO = ("paired", "tango", "newcombe", "wald_difference", "simultaneous")  # methods, by how their names begin
OF_ONE = ("wilson", "clopper_pearson", "jeffreys", "learned_miller", "kappa", "rogan_gladen", "shrunken")
RULE = "the test named beforehand decides what we claim; the interval says how large the difference may be"
NO_SPREAD = "one system alone is right on every item, so there is no spread for a t; each cluster is taken as one row"


@dataclass(frozen=True, kw_only=True)
class PairedComparison(TestResult):
    """What came of comparing two systems on the same items, and by which rule?

    The result of the test that governs (exact McNemar, or with clusters the clustered t), which carries the interval of
    the difference (Tango's, or with clusters the clustered one). Made by `compare_paired`.

    Parameters
    ----------
    statistic, pvalue, effect, method, ci_low, ci_high, and the others of `TestResult`
        Of the test; ci_low, ci_high and level belong to the interval, and `extra["table"]` holds the four counts.
    alpha : float
        The level of the test, in (0, 0.5); the interval's is 1 - alpha.
    verdict : str
        "A better", "B better" or "inconclusive". Inconclusive is not "equal".
    interval : str
        The named method of the interval.
    note : str or None
        Where test and interval disagree: that they do, and why.

    Raises
    ------
    ValueError
        For a verdict that is none of the three, alpha outside (0, 0.5), and as `TestResult`.

    Examples
    --------
    >>> compare_paired(PairedTable(810, 45, 25, 120)).method
    'mcnemar_exact'
    """

    rule: ClassVar[str] = RULE

    ci_low: float
    ci_high: float
    level: float
    alpha: float
    verdict: str
    interval: str
    note: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.one_of(VERDICTS, verdict=self.verdict)

    @property
    def agree(self) -> bool:
        """Whether the test rejects exactly when the interval excludes 0."""
        return self.note is None

    @property
    def table(self) -> PairedTable:
        """How often both were right, only A, only B, neither."""
        return PairedTable(**self.extra["table"])

    def __str__(self) -> str:
        table, clusters = self.table, "" if self.n_clusters is None else f" in {self.n_clusters} clusters"
        facts = {
            "verdict": f"{self.verdict} (alpha = {self.alpha:g})",
            "A - B": f"{self.effect:.4g}, {_interval_words(self.ci_low, self.ci_high, self.level)}",
            "interval": self.interval,
            "test": f"p = {self.pvalue:.3g} ({self.method})",
            "items": f"{table.n} item{'s' * (table.n > 1)}{clusters}",
            "": f"only A right {table.a_only}, only B right {table.b_only}",
            "rule": self.rule,
            "note": self.note,
            "warning": self.warning,
        }
        lines = (f"{key:10}{words}" for key, words in facts.items() if words)
        return "\n".join(textwrap.fill(line, 68, subsequent_indent=" " * 10) for line in lines)


def compare_paired(
    a: Marks, b: ArrayLike | None = None, *, groups: Groups = None, strata: Groups = None, alpha: float = 0.05
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
        The cluster of each item in the order of the items: what was drawn. By default the clusters that an Alignment
        has; to take its items as drawn one by one, give its two vectors: `compare_paired(matched.a, matched.b)`.
    strata : sequence of labels, optional
        The fixed stratum of each item; each cluster lies inside one. By default those that an Alignment has.
    alpha : float
        Level of the test in (0, 0.5); the interval has level 1 - alpha.

    Returns
    -------
    PairedComparison
        "inconclusive" means that the items cannot tell, never that the systems are equal. With groups (or strata) and
        one system alone right on every item there is no spread for a t: then whole clusters are flipped
        (`sign_flip_test`), Tango's interval takes each cluster as one row, and a warning says so.

    Raises
    ------
    ValueError
        For anything but 0 and 1 (for other scores, such as means of several answers, `paired_t(matched.a, matched.b)`,
        or with clusters `paired_cluster_t(matched.a, matched.b, matched.clusters)`), NaN, unequal lengths, two pandas
        Series with different labels, groups or strata beside a PairedTable, and as `paired_cluster_t`.

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
    level = 1 - checks.share("alpha", alpha)
    marks_a, marks_b, groups, strata = rows_of(a, b, groups, strata)
    table = table_of(marks_a, marks_b)
    if groups is strata is None:
        return _judged(table, mcnemar_exact(table), tango_interval(table, level=level), alpha)
    checks.same_rows(a=marks_a, b=marks_b, groups=groups, strata=strata)
    clusters = None if groups is None else checks.labels_of("groups", groups)
    sums = _paired_sums(marks_a, marks_b, clusters, strata)
    if table.n in (table.a_only, table.b_only):
        rows = PairedTable(0, sums.n_clusters * (table.a_only > 0), sums.n_clusters * (table.b_only > 0), 0)
        tango = replace(tango_interval(rows, level=level), method="tango_of_clusters", warning=NO_SPREAD)
        return _judged(table, sign_flip_test(marks_a, marks_b, clusters), tango, alpha)
    return _judged(table, _paired_t(sums, level, "A - B"), _paired_interval(sums, level, "A - B"), alpha)


def _judged(table: PairedTable, test: TestResult, interval: Estimate, alpha: float) -> PairedComparison:
    """The verdict is the test's; the note says where the interval would have spoken otherwise."""
    rejects, excludes = test.pvalue <= alpha, not interval.ci_low <= 0 <= interval.ci_high
    parts = vars(test) | {"ci_low": interval.ci_low, "ci_high": interval.ci_high, "level": interval.level}
    parts["extra"] = dict(test.extra) | {"table": asdict(table)}
    parts["warning"] = "; ".join(dict.fromkeys(filter(None, (test.warning, interval.warning)))) or None
    verdict = "inconclusive" if not rejects else "A better" if test.effect > 0 else "B better"
    words = (
        f"test and interval disagree: {test.method} has p = {test.pvalue:.3g} and "
        f"{'rejects' if rejects else 'does not reject'}, while the interval ({interval.method}) "
        f"{'excludes' if excludes else 'includes'} 0. The p-value of the exact test moves in steps and stays "
        "on the safe side of alpha; the interval is approximate. By the rule the test governs"
    )
    note = None if rejects == excludes else words
    return PairedComparison(**parts, alpha=alpha, verdict=verdict, interval=interval.method, note=note)


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
        With `discordant` the `PairedComparison`, whose `extra` holds the unpaired standard error, z and p. When one
        side is all right and the other all wrong, these are the pooled ones.

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
    verdict   A better (alpha = 0.05)
    A - B     0.05, 95% interval [0.009393, 0.09705]
    interval  tango
    test      p = 0.0309 (mcnemar_exact)
    items     200 items
              only A right 14, only B right 4
    rule      the test named beforehand decides what we claim; the
              interval says how large the difference may be
    """
    (k1, n1), (k2, n2) = checks.right_of("k1", k1, "n1", n1), checks.right_of("k2", k2, "n2", n2)
    no_error = k1 / n1 != k2 / n2 and k1 in (0, n1) and k2 in (0, n2)  # of one system or the other by itself
    z = (paired.unpaired_z_pooled if no_error else paired.unpaired_z_unpooled)(k1, n1, k2, n2, name=name)
    if discordant is None:
        return z
    judged = compare_paired(_table_from_margins(k1, n1, k2, n2, discordant))
    facts = {"z": z.statistic, "pvalue": z.pvalue, "standard_error": z.extra["standard_error"]}
    unpaired = {f"unpaired_{key}": fact for key, fact in facts.items()}
    return replace(judged, name=name, extra=dict(judged.extra) | unpaired)


def _table_from_margins(k1: int, n1: int, k2: int, n2: int, discordant: tuple[int, int]) -> PairedTable:
    if not isinstance(discordant, (tuple, list)) or len(discordant) != 2:
        raise ValueError(f"discordant must be the pair (b, c), got {checks.short(discordant)}")
    if n1 != n2:
        raise ValueError(f"discordant needs the same items for both systems, got n1 = {n1} and n2 = {n2}")
    b, c = checks.integer("b", discordant[0], 0), checks.integer("c", discordant[1], 0)
    if b - c != k1 - k2:
        raise ValueError(f"the counts must agree: b - c must be k1 - k2 = {k1 - k2}, got {b} - {c} = {b - c}")
    if b > k1 or k1 + c > n1:
        raise ValueError(f"b must be at most k1 = {k1} and c at most n1 - k1 = {n1 - k1}, got b = {b} and c = {c}")
    return PairedTable(k1 - b, b, c, n1 - k1 - c)


# --- what to do ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Decision(Result):
    """What is decided, why, and what to beware of? Made by `choose_test`, `verdict` and `gate`.

    Parameters
    ----------
    decision : str
        The tool, "ship" or not, or when a build fails.
    reason : str
        Why, in words.
    caveat : str or None
        Where it can mislead.
    name : str
        What was to be decided.
    extra : mapping
        What it was decided from; the functions that help.

    Raises
    ------
    ValueError
        For an empty decision, reason or caveat.

    Examples
    --------
    >>> Decision("ship", "the 95% interval lies above 0").decision
    'ship'
    """

    decision: str
    reason: str
    caveat: str | None = None
    name: str = "decision"
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.decision}: {self.reason}" + ("" if self.caveat is None else f"\nbeware: {self.caveat}")


WHY = {
    "unpaired z": ("no item is in both, so squared standard errors add up", "shared items would need far fewer"),
    "align first": ("nobody has put the marks of one item together", "match by id, never by position; then ask again"),
    "clustered paired interval": ("rows of one cluster or item share a fate", "few clusters make it cover too seldom"),
    "exact McNemar": ("right or wrong on the same items", "with few disagreements test and interval can differ"),
    "paired t": ("graded scores of the same items", "with few items or huge differences check with sign_flip_test"),
}
FUNCTIONS: dict[str, tuple[str, ...]] = {
    "unpaired z": ("unpaired_z_unpooled",),
    "align first": ("align",),
    "clustered paired interval": ("paired_cluster_interval", "paired_cluster_t"),
    "exact McNemar": ("mcnemar_exact", "tango_interval", "compare_paired"),
    "paired t": ("paired_t", "bootstrap_paired_diff"),
}
MARGINS = {
    "not worse": ("noninferiority_test", "95% interval above -margin"),
    "equivalent": ("equivalence_test", "90% interval inside the margins"),
}


def choose_test(
    *,
    shared_items: bool,
    matched_by_id: bool,
    score: str = "0/1",
    clusters: bool = False,
    decodes_per_item: int = 1,
    claim: str = "better",
    comparisons: int = 1,
) -> Decision:
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
    claim : str
        "better", "not worse" or "equivalent" (the last two against a margin fixed beforehand).
    comparisons : int
        How many comparisons the claim was picked from.

    Returns
    -------
    Decision
        `decision` is the tool in the field's words, and `extra["functions"]` names what does it here.

    Raises
    ------
    ValueError
        For a score or a claim that is none of the named, answers other than True and False, counts below 1, and
        items that are matched and yet not shared.

    Notes
    -----
    Chapter `paired`.

    Examples
    --------
    >>> print(choose_test(shared_items=True, matched_by_id=True, score="graded"))
    paired t: graded scores of the same items
    beware: with few items or huge differences check with sign_flip_test
    """
    checks.one_of((True, False), shared_items=shared_items, matched_by_id=matched_by_id, clusters=clusters)
    checks.one_of(("0/1", "graded"), score=score)
    checks.one_of(("better", *MARGINS), claim=claim)
    several = checks.integer("decodes_per_item", decodes_per_item, 1) > 1
    if matched_by_id and not shared_items:
        raise ValueError("matched_by_id must be False where shared_items is False, got True: nothing can be matched")
    matched = "clustered paired interval" if clusters or several else "exact McNemar" if score == "0/1" else "paired t"
    tool = "unpaired z" if not shared_items else matched if matched_by_id else "align first"
    (reason, caveat), functions = WHY[tool], FUNCTIONS[tool]
    if tool == "unpaired z" and matched != "exact McNemar":
        functions = ("mean_interval", "cluster_standard_error")
        caveat = f"give each system's own standard error its clusters, and its items where answered twice; {caveat}"
    if claim != "better" and tool != "align first":
        function, wanted = MARGINS[claim]
        functions = functions if tool == "unpaired z" else (function,)
        caveat = f"a large p-value shows nothing: fix a margin beforehand and want the {wanted}; {caveat}"
    if checks.integer("comparisons", comparisons, 1) > 1:
        caveat += f"; correct for {comparisons} comparisons with holm or benjamini_hochberg"
    return Decision(tool, reason, caveat, "test", {"functions": functions})


def verdict(interval: Estimate | TestResult, margin: float | None = None) -> Decision:
    """Do we ship A in place of B? From the interval, never from the point.

    Ship when the whole interval lies above the margin, don't when it lies below; between the two these items cannot
    say.

    Parameters
    ----------
    interval : Estimate, or TestResult with an interval
        Of the difference A - B, A being the candidate: what a paired or unpaired comparison returns. The interval of a
        metric of our own counts as one when its name says so, as "A - B" does.
    margin : float, optional
        The difference A must be shown to exceed, in the unit of the scores, fixed beforehand: 0 for "better", .01 for
        "better by more than a point", -.01 for "not worse by a point or more". By default 0, and after
        `noninferiority_test` or `equivalence_test` minus their margin, which is given there as a size.

    Returns
    -------
    Decision
        "ship", "don't ship" or "inconclusive"; `extra` holds the margin and the interval.

    Raises
    ------
    ValueError
        For a result without an interval, or of one system alone, and a margin that is not a finite number.

    Notes
    -----
    Chapter `decisions`.

    Examples
    --------
    >>> print(verdict(tango_interval(PairedTable(810, 45, 25, 120)), margin=0.01))
    inconclusive: the 95% interval [0.0037, 0.0371] holds 0.01: these items cannot say
    """
    if not isinstance(interval, (Estimate, TestResult)):
        raise ValueError(f"interval must be an Estimate or a TestResult with an interval, got {checks.short(interval)}")
    low, high, level = interval.ci_low, interval.ci_high, interval.level
    if low is None or high is None or level is None:
        raise ValueError(f"{interval.method} gave no interval, and a verdict is never made from the point alone")
    if not _of_two_systems(interval):
        raise ValueError(f"interval must be of a difference, got {interval.method}: compare two systems first")
    bar = checks.number("margin", -interval.extra.get("margin", 0.0) if margin is None else margin)
    if low > bar:
        decision, where = "ship", f"lies above {bar:g}"
    elif high < bar:
        decision, where = "don't ship", f"lies below {bar:g}"
    else:
        decision, where = "inconclusive", f"holds {bar:g}: these items cannot say"
    reason = f"the {_level_words(level)} interval [{low:.4f}, {high:.4f}] {where}"
    return Decision(decision, reason, interval.warning, "verdict", {"margin": bar, "interval": interval.to_dict()})


def _of_two_systems(interval: Estimate | TestResult) -> bool:
    """Is it of a difference: by its kind, by its method, or by its name where methods do not tell?"""
    named = " - " in interval.name and not interval.method.startswith(OF_ONE)
    return isinstance(interval, TestResult) or named or interval.method.startswith(OF_TWO)


# --- a gate for builds -----------------------------------------------------------------------------------------------


def gate(
    n: int,
    accuracy: float,
    drop: float,
    alpha: float = 0.05,
    *,
    flip_rate: float | None = None,
    threshold: float | None = None,
) -> Decision:
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
        How often a build may fail for nothing, in [1e-10, 0.5).
    flip_rate : float, optional
        For the same items in both runs: the share of items whose mark differs between two runs of an unchanged system,
        half each way. A true drop breaks its share of items in addition. Without it the items are fresh.
    threshold : float, optional
        Judge this threshold instead of choosing one: the build fails at this drop or more, in (0, 1].

    Returns
    -------
    Decision
        In words; `extra` holds `threshold` (a multiple of 1/n), `items` (the same, counted), `false_alarm` (how often a
        build fails though nothing changed), `miss` (how often one with the true drop passes), and what was assumed.
        Compare counts, as shares are rounded: a build fails when right before - right after >= items. It warns where
        false alarms come more often than alpha, and where most drops are missed: then it says about how many items
        would catch four in five (a normal approximation).

    Raises
    ------
    ValueError
        For values out of range, a flip rate that the accuracy leaves no room for, and when no attainable drop is rare
        enough.

    Notes
    -----
    Chapter `decisions`, eq-gate; all outcomes added up, right to 1e-10. Rarer false alarms and misses are reported as
    1e-10.

    Examples
    --------
    A gate at ten points on 49 fresh items, and the one that keeps false alarms below 5%:

    >>> print(gate(49, 0.85, drop=0.10, threshold=0.10))
    fail at a drop of 0.102 or more (5 of 49 items, fresh items): false alarms 0.1, misses 0.46
    beware: false alarms come more often than alpha = 0.05
    >>> print(gate(49, 0.85, drop=0.10))
    fail at a drop of 0.1429 or more (7 of 49 items, fresh items): false alarms 0.0326, misses 0.659
    beware: most drops of 0.1 are missed; to catch four in five takes about n = 170
    """
    total, before = checks.integer("n", n, 1, MOST_ITEMS), checks.share("accuracy", accuracy)
    loss = checks.number("drop", checks.positive("drop", drop), 0, before)
    rate = checks.number("alpha", checks.share("alpha", alpha), SURE, 0.5)
    turns = [_flips(before, each, flip_rate) for each in (0.0, loss)]
    quiet, broken = (_drop_tails(total, *flips) for flips in turns)
    rare = np.flatnonzero(quiet <= rate) + 1
    if threshold is None and not rare.size:
        raise ValueError(f"no drop of {total} items is rarer than alpha = {rate:g}: use more items")
    wanted = None if threshold is None else checks.number("threshold", threshold, 1e-9, 1)
    items = int(rare[0]) if wanted is None else math.ceil(wanted * total - 1e-9)
    alarm, miss = float(quiet[items - 1]), float(1 - broken[items - 1])
    facts = {"threshold": items / total, "items": items, "n": total, "false_alarm": alarm, "miss": miss}
    assumed = {"accuracy": before, "drop": loss, "alpha": rate, "flip_rate": flip_rate}
    design = "fresh items" if flip_rate is None else "same items"
    decision = f"fail at a drop of {items / total:.4g} or more ({items} of {total} items, {design})"
    caveats = [f"false alarms come more often than alpha = {rate:g}"] if alarm > rate else []
    if miss > 0.5:
        spreads = [math.sqrt(down + up - (down - up) ** 2) for down, up in turns]
        needed = math.ceil(((_critical_z(rate, 1) * spreads[0] + _critical_z(0.2, 1) * spreads[1]) / loss) ** 2)
        caveats.append(f"most drops of {loss:g} are missed; to catch four in five takes about n = {needed}")
    reason, caveat = f"false alarms {alarm:.3g}, misses {miss:.3g}", "; ".join(caveats) or None
    return Decision(decision, reason, caveat, "gate", facts | assumed)


def _flips(accuracy: float, loss: float, flip_rate: float | None) -> tuple[float, float]:
    """How often an item turns from right to wrong between the two runs, and from wrong to right."""
    after = accuracy - loss
    if flip_rate is None:
        return accuracy * (1 - after), (1 - accuracy) * after
    up = checks.number("flip_rate", flip_rate, 0, 1) / 2
    if up + loss > accuracy or up > 1 - accuracy:
        room = min(2 * (accuracy - loss), 2 * (1 - accuracy))
        raise ValueError(f"flip_rate must be at most {room:.4g}, which is the room that is left, got {flip_rate!r}")
    return up + loss, up


def _drop_tails(n: int, down: float, up: float) -> NDArray[np.float64]:
    """P(right before - right after >= k) for k = 1, ..., n, from the characteristic function of the drop."""
    turn = np.exp(2j * np.pi * np.arange(2 * n + 1) / (2 * n + 1))
    chances = np.fft.fft((1 - down - up + down * turn + up / turn) ** n).real / turn.size
    # Where no item ever turns there is nothing to round.
    tails: NDArray[np.float64] = np.clip(np.cumsum(chances[n:0:-1])[::-1], SURE * (down + up > 0), 1 - SURE)
    return tails
