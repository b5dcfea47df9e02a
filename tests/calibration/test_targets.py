"""Coverage, size and power over grids, each against the target written in `targets.toml`; run with `make slow`.

Whatever can be enumerated is: then a cell has no Monte Carlo error.
A simulated cell states its standard error and gets four of them.
"""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

import evalstats as es

pytestmark = pytest.mark.slow
TARGETS = {row["what"]: row for row in tomllib.loads(Path(__file__).with_name("targets.toml").read_text())["row"]}
REPEATS = 1500
Interval = Callable[..., es.Estimate]


class Cell(NamedTuple):
    """One point of a grid: what was found there, and its Monte Carlo standard error (0 when enumerated)."""

    where: str
    value: float
    error: float = 0.0


def simulated(where: str, hits: int, repeats: int = REPEATS) -> Cell:
    share = hits / repeats
    return Cell(where, share, math.sqrt(max(share * (1 - share), 1 / repeats) / repeats))


def outside(target: dict, cell: Cell) -> float:
    """How far a cell lies beyond its bound, Monte Carlo error allowed for; above 0 is a failure."""
    slack = 4 * cell.error + 1e-12
    below = target.get("least", -math.inf) - cell.value - slack
    return max(below, cell.value - target.get("most", math.inf) - slack)


def worst_of(what: str, cells: list[Cell]) -> tuple[Cell, float]:
    """The cell nearest to its bound, or farthest beyond it."""
    return max(((cell, outside(TARGETS[what], cell)) for cell in cells), key=lambda pair: pair[1])


def line_of(what: str, cells: list[Cell]) -> tuple[str, ...]:
    target, (worst, _) = TARGETS[what], worst_of(what, cells)
    error = f" (se {worst.error:.4f})" if worst.error else ""
    bound = f"at least {target['least']}" if "least" in target else f"at most {target['most']}"
    return what, str(len(cells)), f"{target['measure']} {worst.value:.4f}{error}", worst.where, bound


def allowed(what: str, cells: Iterator[Cell], report: Callable[..., None]) -> None:
    found = list(cells)
    report(*line_of(what, found))
    worst, beyond = worst_of(what, found)
    assert beyond <= 0, f"{what}: {TARGETS[what]['measure']} is {worst.value:.4f} at {worst.where}"


# --- one proportion, enumerated ---------------------------------------------------------------------------------------

SIZES = (10, 20, 40, 100, 200)
EVERYWHERE = np.round(np.concatenate([np.arange(0.001, 0.05, 0.001), np.arange(0.05, 0.951, 0.005)]), 3)
EVERYWHERE = np.unique(np.concatenate([EVERYWHERE, np.round(1 - EVERYWHERE, 3)]))
MIDDLE = EVERYWHERE[(EVERYWHERE >= 0.05) & (EVERYWHERE <= 0.95)]


def ends_by_count(interval: Callable[[int, int], es.Estimate], n: int) -> tuple[np.ndarray, np.ndarray]:
    both = [(answer.ci_low, answer.ci_high) for answer in (interval(k, n) for k in range(n + 1))]
    low, high = np.array(both).T
    return low, high


def enumerated(interval: Callable[[int, int], es.Estimate], sizes: tuple[int, ...], truths: np.ndarray):
    for n in sizes:
        low, high = ends_by_count(interval, n)
        for p in truths:
            weight = stats.binom.pmf(np.arange(n + 1), n, p)
            yield Cell(f"n = {n}, p = {p:g}", float(weight[(low <= p) & (p <= high)].sum()))


def ideal_mean(k: int, n: int) -> es.Estimate:
    return es.ideal_bootstrap_mean([1] * k + [0] * (n - k))


@pytest.mark.parametrize(
    ("what", "interval", "truths"),
    [
        ("Wald", es.wald_interval, EVERYWHERE),
        ("Wilson", es.wilson_interval, EVERYWHERE),
        ("Wilson, p from .05 to .95", es.wilson_interval, MIDDLE),
        ("Clopper-Pearson", es.clopper_pearson_interval, EVERYWHERE),
        ("Jeffreys, p from .05 to .95", es.jeffreys_interval, MIDDLE),
        ("ideal bootstrap of a mean", ideal_mean, EVERYWHERE),
    ],
)
def test_one_proportion(what, interval, truths, report) -> None:
    allowed(what, enumerated(interval, SIZES, truths), report)


# --- means, simulated -------------------------------------------------------------------------------------------------


def holds(truth: float, interval: Interval, *data: np.ndarray) -> bool:
    """Whether the interval holds the truth; data on which it gives none counts as a miss."""
    try:
        answer = interval(*data)
    except ValueError:
        return False
    return answer.ci_low <= truth <= answer.ci_high


def rejected_by(test: Callable[..., es.TestResult], *data: np.ndarray | int) -> bool:
    """Whether a test at .05 rejects; data that it refuses are not rejected."""
    try:
        return test(*data).pvalue <= 0.05
    except ValueError:
        return False


def mean_cells(draws: dict[str, tuple[Callable[..., np.ndarray], float]]) -> Iterator[Cell]:
    for (kind, (draw, truth)), n in itertools.product(draws.items(), (10, 30, 100)):
        rng, hits = np.random.default_rng(n), 0
        for _ in range(4 * REPEATS):
            hits += holds(truth, es.mean_interval, draw(rng, n))
        yield simulated(f"{kind}, n = {n}", hits, 4 * REPEATS)


def test_t_of_symmetric_scores(report) -> None:
    draws = {"normal": (lambda rng, n: rng.normal(size=n), 0.0), "uniform": (lambda rng, n: rng.random(n), 0.5)}
    allowed("t, normal and uniform scores", mean_cells(draws), report)


def test_t_of_skewed_scores(report) -> None:
    allowed("t, skewed scores", mean_cells({"exponential": (lambda rng, n: rng.exponential(size=n), 1.0)}), report)


# --- clusters ---------------------------------------------------------------------------------------------------------

SHAPES = {"pairs": [2], "fives": [5], "twenties": [20], "one to nine": [1, 3, 9]}


def groups_of(n_clusters: int, shape: list[int]) -> np.ndarray:
    return np.repeat(np.arange(n_clusters), np.resize(shape, n_clusters))


def marks(rng: np.random.Generator, groups: np.ndarray, mean: float, icc: float) -> np.ndarray:
    """0/1 marks whose chance is drawn once per cluster, Beta with this mean and intraclass correlation."""
    if icc == 0:
        return (rng.random(groups.size) < mean).astype(float)
    strength = (1 - icc) / icc
    chance = rng.beta(mean * strength, (1 - mean) * strength, groups.max() + 1)
    return (rng.random(groups.size) < chance[groups]).astype(float)


def clustered_cells(interval: Interval, n_clusters, means, iccs=(0.0, 0.2, 0.5), shapes=SHAPES, repeats=REPEATS):
    for g, (shape, sizes), mean, icc in itertools.product(n_clusters, shapes.items(), means, iccs):
        groups, rng, hits = groups_of(g, sizes), np.random.default_rng(g), 0
        for _ in range(repeats):
            hits += holds(mean, interval, marks(rng, groups, mean, icc), groups)
        yield simulated(f"G = {g}, {shape}, p = {mean}, ICC = {icc}", hits, repeats)


EQUAL, UNEQUAL = (
    "clustered mean, equal clusters, G of 10 and more, p of .5 and .7",
    "clustered mean, clusters of one to nine, p of .5 and .7",
)


@pytest.mark.parametrize(("what", "unequal"), [(EQUAL, False), (UNEQUAL, True)])
def test_clustered_mean_in_the_middle(what, unequal, report) -> None:
    shapes = {shape: sizes for shape, sizes in SHAPES.items() if (len(sizes) > 1) == unequal}
    cells = clustered_cells(es.mean_interval, (10, 20, 50), (0.5, 0.7), iccs=(0.0, 0.3), shapes=shapes)
    allowed(what, cells, report)


@pytest.mark.filterwarnings("ignore")
def test_clustered_mean_everywhere(report) -> None:
    cells = clustered_cells(es.mean_interval, (5, 10), (0.7, 0.9), repeats=600)
    allowed("clustered mean, everywhere", cells, report)


def test_clustered_wilson_everywhere(report) -> None:
    cells = clustered_cells(es.wilson_cluster_interval, (5, 10, 20), (0.7, 0.9), repeats=600)
    allowed("clustered Wilson, everywhere", cells, report)


def z_for_t(scores: np.ndarray, groups: np.ndarray) -> es.Estimate:
    """Broken on purpose: the normal quantile where Satterthwaite's t belongs."""
    error = es.cluster_standard_error(scores, groups)
    half = stats.norm.isf(0.025) * float(error)
    return es.Estimate("broken", scores.mean(), scores.mean() - half, scores.mean() + half, 0.95, "z", scores.size)


def rows_for_clusters(scores: np.ndarray, groups: np.ndarray) -> es.Estimate:
    """Broken on purpose: rows counted as if each were drawn by itself."""
    return es.mean_interval(scores)


@pytest.mark.parametrize("broken", [z_for_t, rows_for_clusters])
def test_a_broken_interval_fails(broken: Interval) -> None:
    """The target of the clustered mean is strict enough to catch the two slips that matter."""
    cells = list(clustered_cells(broken, (10,), (0.7,), iccs=(0.3,), shapes={"twenties": [20]}, repeats=6000))
    assert worst_of(EQUAL, cells)[1] > 0


def two_systems(rng: np.random.Generator, groups: np.ndarray, icc: float) -> tuple[np.ndarray, np.ndarray]:
    """Two systems, both right with chance .7, alike on half of the items; clusters shift each by itself."""
    a, b = marks(rng, groups, 0.7, icc), marks(rng, groups, 0.7, icc)
    same = rng.random(groups.size) < 0.5
    return a, np.where(same, a, b)


def paired_shapes() -> Iterator[tuple[str, np.ndarray, float]]:
    for g, (shape, sizes), icc in itertools.product((10, 20, 50), SHAPES.items(), (0.0, 0.3)):
        yield f"G = {g}, {shape}, ICC = {icc}", groups_of(g, sizes), icc


def rejections(test: Callable[[np.ndarray, np.ndarray, np.ndarray], bool], repeats: int) -> Iterator[Cell]:
    for where, groups, icc in paired_shapes():
        rng, hits = np.random.default_rng(groups.size), 0
        for _ in range(repeats):
            hits += test(*two_systems(rng, groups, icc), groups)
        yield simulated(where, hits, repeats)


@pytest.mark.filterwarnings("ignore")
def test_clustered_paired_difference(report) -> None:
    cells = rejections(lambda *data: holds(0.0, es.paired_cluster_interval, *data), REPEATS)
    allowed("clustered paired difference", cells, report)


@pytest.mark.filterwarnings("ignore")
def test_clustered_paired_t(report) -> None:
    cells = rejections(lambda *data: rejected_by(es.paired_cluster_t, *data), REPEATS)
    allowed("clustered paired t", cells, report)


def test_sign_flips_of_whole_clusters(report) -> None:
    cells = rejections(lambda a, b, groups: es.sign_flip_test(a, b, groups, n_resamples=999).pvalue <= 0.05, 300)
    allowed("sign flips of whole clusters", cells, report)


# --- two systems on the same items, enumerated ------------------------------------------------------------------------


def discordant_tables(n: int) -> tuple[np.ndarray, np.ndarray]:
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = b + c <= n
    return b[inside], c[inside]


def table_of(b: int, c: int, n: int) -> es.PairedTable:
    """The rest of the items is right for both, but for a fifth of it."""
    rest = n - b - c
    return es.PairedTable(rest - rest // 5, int(b), int(c), rest // 5)


def chances(b: np.ndarray, c: np.ndarray, n: int, psi: float, delta: float) -> np.ndarray:
    """Chance of each pair of discordant counts when shares (psi + delta)/2 and (psi - delta)/2 disagree."""
    cells = np.stack([b, c, n - b - c], axis=1)
    return stats.multinomial.pmf(cells, n, [(psi + delta) / 2, (psi - delta) / 2, 1 - psi])


GAPS = [(psi, delta) for psi in (0.1, 0.2, 0.3, 0.5) for delta in (0.0, 0.05, 0.1, 0.2, 0.4) if delta <= psi]


@pytest.mark.parametrize(
    ("what", "interval"),
    [
        ("Tango", es.tango_interval),
        ("Newcombe", es.newcombe_interval),
        ("Wald of a difference", es.wald_difference_interval),
    ],
)
def test_intervals_of_a_difference(what, interval, report) -> None:
    def cells() -> Iterator[Cell]:
        for n in (20, 40, 60):
            b, c = discordant_tables(n)
            ends = [interval(table_of(one, other, n)) for one, other in zip(b, c, strict=True)]
            low, high = np.array([[one.ci_low, one.ci_high] for one in ends]).T
            for psi, delta in GAPS:
                held = (low <= delta + 1e-12) & (delta - 1e-12 <= high)
                yield Cell(f"n = {n}, psi = {psi}, delta = {delta}", float(chances(b, c, n, psi, delta)[held].sum()))

    allowed(what, cells(), report)


def rejecting(test: Callable[[es.PairedTable], bool], sizes: tuple[int, ...], truths: list[tuple[float, float]]):
    for n in sizes:
        b, c = discordant_tables(n)
        rejected = np.array([test(table_of(one, other, n)) for one, other in zip(b, c, strict=True)])
        for psi, delta in truths:
            share = float(chances(b, c, n, psi, delta)[rejected].sum())
            yield Cell(f"n = {n}, psi = {psi}, delta = {delta}", share)


def as_vectors(table: es.PairedTable) -> tuple[np.ndarray, np.ndarray]:
    cells = (table.both_right, table.a_only, table.b_only, table.neither)
    return np.repeat([1, 1, 0, 0], cells), np.repeat([1, 0, 1, 0], cells)


def test_paired_t_of_marks(report) -> None:
    def rejects(table: es.PairedTable) -> bool:
        return rejected_by(es.paired_t, *as_vectors(table))

    cells = rejecting(rejects, (20, 40), [(psi, 0.0) for psi in (0.2, 0.3, 0.5, 0.8)])
    allowed("paired t, 0/1 marks", cells, report)


MARGIN = 0.1


def test_noninferiority_at_the_margin(report) -> None:
    def rejects(table: es.PairedTable) -> bool:
        return es.noninferiority_test(table, margin=MARGIN).pvalue <= 0.025

    cells = rejecting(rejects, (20, 40, 60), [(psi, -MARGIN) for psi in (0.1, 0.2, 0.3, 0.5)])
    allowed("non-inferiority, delta at minus the margin", cells, report)


def test_equivalence_at_the_margin(report) -> None:
    def rejects(table: es.PairedTable) -> bool:
        return es.equivalence_test(table, margin=MARGIN).pvalue <= 0.05

    cells = rejecting(rejects, (20, 40, 60), [(psi, side * MARGIN) for psi in (0.1, 0.2, 0.3) for side in (-1, 1)])
    allowed("equivalence, delta at the margin", cells, report)


def test_verdict_ships_no_worse_system_too_often(report) -> None:
    def ships(table: es.PairedTable) -> bool:
        return es.verdict(es.tango_interval(table)).decision == "ship"

    cells = rejecting(ships, (20, 40, 60), [(psi, delta) for psi in (0.1, 0.2, 0.3, 0.5) for delta in (0.0, -0.05)])
    allowed("verdict says ship, A no better", cells, report)


# --- two separate sets, enumerated ------------------------------------------------------------------------------------


def unpaired_rejection(test: Callable[..., es.TestResult], n: int, p_a: float, p_b: float) -> float:
    """The chance that a test at .05 rejects, over all pairs of counts that matter."""
    of_a, of_b = (stats.binom.pmf(np.arange(n + 1), n, p) for p in (p_a, p_b))
    pairs = itertools.product(np.flatnonzero(of_a > 1e-9), np.flatnonzero(of_b > 1e-9))
    return sum(of_a[k] * of_b[m] for k, m in pairs if rejected_by(test, int(k), n, int(m), n))


@pytest.mark.parametrize(
    ("what", "test"), [("unpaired z, unpooled", es.unpaired_z_unpooled), ("unpaired z, pooled", es.unpaired_z_pooled)]
)
def test_unpaired_z(what, test, report) -> None:
    def cells() -> Iterator[Cell]:
        for n, p in itertools.product((20, 40), (0.1, 0.3, 0.5, 0.7, 0.9)):
            yield Cell(f"n = {n}, p = {p}", unpaired_rejection(test, n, p, p))

    allowed(what, cells(), report)


# --- tasks and strata, simulated --------------------------------------------------------------------------------------

TASKS = {"easy": (0.85, 30), "middling": (0.6, 60), "hard": (0.3, 120)}


def draw_tasks(rng: np.random.Generator, icc: float, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    scores, tasks, groups, first = [], [], [], 0
    for task, (mean, n) in TASKS.items():
        of_task = np.repeat(np.arange(n // size), size)
        scores.append(marks(rng, of_task, mean, icc))
        tasks += [task] * n
        groups.append(of_task + first)
        first += n // size
    return np.concatenate(scores), np.array(tasks), np.concatenate(groups)


def test_macro_average(report) -> None:
    truth = float(np.mean([mean for mean, _ in TASKS.values()]))

    def cells() -> Iterator[Cell]:
        for icc, size in ((0.0, 1), (0.3, 5)):
            rng, hits = np.random.default_rng(size), 0
            for _ in range(REPEATS):
                scores, tasks, groups = draw_tasks(rng, icc, size)
                answer = es.macro_average_interval(scores, tasks, None if size == 1 else groups)
                hits += answer.ci_low <= truth <= answer.ci_high
            yield simulated(f"three tasks, clusters of {size}, ICC = {icc}", hits)

    allowed("macro-average of tasks", cells(), report)


def test_weighted_mean(report) -> None:
    weights = {"easy": 0.5, "middling": 0.3, "hard": 0.2}
    truth = sum(weights[task] * mean for task, (mean, _) in TASKS.items())

    def cells() -> Iterator[Cell]:
        for icc, size in ((0.0, 1), (0.3, 5)):
            rng, hits = np.random.default_rng(size), 0
            for _ in range(REPEATS):
                scores, tasks, groups = draw_tasks(rng, icc, size)
                answer = es.weighted_mean_interval(scores, tasks, weights, None if size == 1 else groups)
                hits += answer.ci_low <= truth <= answer.ci_high
            yield simulated(f"three strata, clusters of {size}, ICC = {icc}", hits)

    allowed("weighted mean of strata", cells(), report)


# --- many tests -------------------------------------------------------------------------------------------------------

M, REAL = 20, 5


def pvalues(rng: np.random.Generator, shared: float, real: int) -> np.ndarray:
    """Two-sided p-values of normal statistics that share a baseline; the first `real` have a true effect."""
    z = math.sqrt(1 - shared) * rng.normal(size=M) + math.sqrt(shared) * rng.normal()
    z[:real] += 3
    return 2 * stats.norm.sf(np.abs(z))


def test_family_wise_error(report) -> None:
    def cells() -> Iterator[Cell]:
        for correct, shared, real in itertools.product((es.holm, es.bonferroni), (0.0, 0.5), (0, REAL)):
            rng, hits = np.random.default_rng(1), 0
            for _ in range(4000):
                hits += any(correct(pvalues(rng, shared, real).tolist())["reject"][real:])
            yield simulated(f"{correct.__name__}, {real} of {M} real, correlation {shared}", hits, 4000)

    allowed("Holm and Bonferroni", cells(), report)


def test_false_discovery_rate(report) -> None:
    def cells() -> Iterator[Cell]:
        for shared, real in itertools.product((0.0, 0.5), (0, REAL)):
            rng, shares = np.random.default_rng(2), []
            for _ in range(4000):
                rejected = np.array(es.benjamini_hochberg(pvalues(rng, shared, real).tolist())["reject"])
                shares.append(rejected[real:].sum() / max(rejected.sum(), 1))
            error = float(np.std(shares) / math.sqrt(len(shares)))
            yield Cell(f"{real} of {M} real, correlation {shared}", float(np.mean(shares)), error)

    allowed("Benjamini-Hochberg", cells(), report)


# --- decisions --------------------------------------------------------------------------------------------------------


def test_gate_keeps_its_word(report) -> None:
    """Fresh items and the same items: a simulated build fails as often as the gate says."""

    def cells() -> Iterator[Cell]:
        for n, accuracy, flips in itertools.product((49, 200), (0.7, 0.85), (None, 0.1)):
            rule, rng, repeats = es.gate(n, accuracy, 0.1, flip_rate=flips), np.random.default_rng(n), 40_000
            if flips is None:
                drop = rng.binomial(n, accuracy, repeats) - rng.binomial(n, accuracy, repeats)
            else:
                changed = rng.multinomial(n, [flips / 2, flips / 2, 1 - flips], repeats)
                drop = changed[:, 0] - changed[:, 1]
            found = simulated("", int((drop >= rule.extra["items"]).sum()), repeats)
            where = f"n = {n}, accuracy {accuracy}, {'fresh items' if flips is None else f'flips {flips}'}"
            yield Cell(where, abs(found.value - rule.extra["false_alarm"]), found.error)

    allowed("gate, distance from its stated false-alarm rate", cells(), report)


# --- sample sizes keep their promise of power -------------------------------------------------------------------------

POWER = 0.8


def test_two_proportions_reach_their_power(report) -> None:
    def cells() -> Iterator[Cell]:
        for p_a, p_b in ((0.5, 0.7), (0.8, 0.6), (0.85, 0.7)):
            n = int(es.required_n_two_proportions(p_a, p_b))
            found = unpaired_rejection(es.unpaired_z_unpooled, n, p_a, p_b)
            yield Cell(f"{p_a} against {p_b}, n = {n}", POWER - found)

    allowed("required n, two proportions", cells(), report)


@pytest.mark.parametrize(
    ("what", "designs"),
    [
        ("required n, paired mean", [(0.05, 0.4), (0.1, 0.5), (0.02, 0.3)]),
        ("required n, paired mean, n below 30", [(0.3, 0.5), (0.5, 0.6)]),
    ],
)
def test_paired_means_reach_their_power(what, designs, report) -> None:
    def cells() -> Iterator[Cell]:
        for delta, sd in designs:
            n = int(es.required_n_paired_mean(delta, sd))
            shift, cut = delta / sd * math.sqrt(n), stats.t.isf(0.025, n - 1)
            power = stats.nct.sf(cut, n - 1, shift) + stats.nct.cdf(-cut, n - 1, shift)
            yield Cell(f"delta = {delta}, sd = {sd}, n = {n}", POWER - float(power))

    allowed(what, cells(), report)


def test_completions_reach_their_power(report) -> None:
    """Normal differences of items, and decoding noise that K completions average away."""

    def cells() -> Iterator[Cell]:
        for k in (1, 4):
            between, within, delta = 0.04, 0.15, 0.06
            n = int(es.required_n_completions(delta, between, within, within, k, k))
            rng, repeats = np.random.default_rng(k), 4000
            spread = math.sqrt(between + 2 * within / k)
            differences = rng.normal(delta, spread, size=(repeats, n))
            t = differences.mean(axis=1) / differences.std(axis=1, ddof=1) * math.sqrt(n)
            hits = int((np.abs(t) >= stats.t.isf(0.025, n - 1)).sum())
            found = simulated("", hits, repeats)
            yield Cell(f"K = {k}, n = {n}", POWER - found.value, found.error)

    allowed("required n, K completions", cells(), report)
