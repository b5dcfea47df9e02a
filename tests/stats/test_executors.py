"""Any number of workers, the same answer: here, on threads, on processes, and on a real cluster of two workers."""

from __future__ import annotations

import inspect
import statistics
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_all_start_methods, get_context
from operator import itemgetter
from typing import Any

import numpy as np
import pytest

import evalstats
from evalstats import _replicates

RNG = np.random.default_rng(11)
A, B = RNG.normal(size=(2, 120))
TENTHS = RNG.integers(0, 11, size=120) / 10  # few values that are not whole: their sums depend on how they are added up
LABELS_A, LABELS_B = RNG.integers(0, 12, size=(2, 120))
SYSTEMS = {f"system {k}": A + RNG.normal(size=120) for k in range(12)}
GROUPS, STRATA = np.arange(120) // np.repeat([2, 3, 4], 40), np.repeat(["x", "y"], 60)
GROUPS = GROUPS + 1000 * (STRATA == "y")

# Every public function that replicates, with data that take all its turns. The statistics can be sent to a process.
CASES: dict[str, list[Callable[..., Any]]] = {
    "bootstrap_mean": [
        lambda **run: evalstats.bootstrap_mean(A, **run),
        lambda **run: evalstats.bootstrap_mean(TENTHS, **run),
        lambda **run: evalstats.bootstrap_mean(TENTHS, groups=GROUPS, strata=STRATA, **run),
    ],
    "bca_mean": [lambda **run: evalstats.bca_mean(A, groups=GROUPS, **run)],
    "bootstrap_paired_diff": [lambda **run: evalstats.bootstrap_paired_diff(A, B, groups=GROUPS, **run)],
    "bca_paired_diff": [lambda **run: evalstats.bca_paired_diff(A, B, strata=STRATA, **run)],
    "bootstrap_statistic": [
        lambda **run: evalstats.bootstrap_statistic(A.tolist(), statistics.median, groups=GROUPS, **run)
    ],
    "bca_statistic": [lambda **run: evalstats.bca_statistic(A.tolist(), statistics.fmean, **run)],
    "bootstrap_table_statistic": [
        lambda **run: evalstats.bootstrap_table_statistic(np.arange(1, 121).reshape(60, 2), itemgetter((7, 1)), **run)
    ],
    "bca_table_statistic": [
        lambda **run: evalstats.bca_table_statistic(
            np.eye(12, dtype=int)[LABELS_A], itemgetter(0), groups=GROUPS, **run
        )
    ],
    "bootstrap_kappa": [
        lambda **run: evalstats.bootstrap_kappa(LABELS_A, LABELS_B, **run),
        lambda **run: evalstats.bootstrap_kappa(LABELS_A, LABELS_B, GROUPS, **run),
    ],
    "max_t_asymptotic": [
        lambda **run: evalstats.max_t_asymptotic({"one": A, "two": TENTHS}, B, **run),
        lambda **run: evalstats.max_t_asymptotic({"one": A, "two": TENTHS}, B, GROUPS, **run),
    ],
    "simultaneous_differences": [
        lambda n_boot, **run: evalstats.simultaneous_differences(SYSTEMS, n_draws=n_boot, **run)
    ],
    "rank_intervals": [lambda n_boot, **run: evalstats.rank_intervals(SYSTEMS, GROUPS, n_draws=n_boot, **run)],
    "sign_flip_test": [
        lambda n_boot, **run: evalstats.sign_flip_test(A, B, n_resamples=n_boot, **run),
        lambda n_boot, **run: evalstats.sign_flip_test(TENTHS, B, groups=GROUPS, n_resamples=n_boot, **run),
    ],
}
EVERY = [(name, turn) for name, calls in CASES.items() for turn in range(len(calls))]


PROCESSES = get_context("forkserver" if "forkserver" in get_all_start_methods() else "spawn")
if PROCESSES.get_start_method() == "forkserver":
    PROCESSES.set_forkserver_preload(["evalstats.agreement", "evalstats.leaderboard", "evalstats.correction"])


class Backwards(Executor):
    """Does the last job first, and counts the jobs."""

    def __init__(self) -> None:
        self.jobs = 0

    def submit(self, *arguments: Any, **settings: Any) -> Any:
        raise NotImplementedError

    def map(self, function: Any, *columns: Any, **settings: Any) -> Iterator[Any]:
        jobs = list(zip(*columns, strict=True))
        self.jobs += len(jobs)
        return reversed([function(*job) for job in reversed(jobs)])


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that few replicates of few items make several blocks."""
    monkeypatch.setattr(_replicates, "CELLS_PER_BLOCK", 30_000)


@pytest.fixture(scope="module", params=[(kind, n) for kind in ("threads", "processes") for n in (1, 2, 8)], ids=str)
def pool(request: pytest.FixtureRequest) -> Iterator[Executor]:
    kind, workers = request.param
    if kind == "threads":
        with ThreadPoolExecutor(workers) as threads:
            yield threads
    else:
        with ProcessPoolExecutor(workers, mp_context=PROCESSES) as processes:
            yield processes


def test_every_function_that_replicates_is_here() -> None:
    public = {name: getattr(evalstats, name) for name in evalstats.__all__}
    takers = {
        name
        for name, thing in public.items()
        if inspect.isfunction(thing) and "executor" in inspect.signature(thing).parameters
    }
    assert takers == set(CASES)


@pytest.mark.parametrize(("name", "turn"), EVERY)
def test_the_order_of_the_blocks_does_not_matter(name: str, turn: int) -> None:
    call, backwards = CASES[name][turn], Backwards()
    assert call(n_boot=1600, seed=4, executor=backwards) == call(n_boot=1600, seed=4)
    assert backwards.jobs > 1


@pytest.mark.parametrize(("name", "turn"), EVERY)
def test_workers_do_not_change_the_answer(name: str, turn: int, pool: Executor) -> None:
    call = CASES[name][turn]
    assert call(n_boot=1600, seed=4, executor=pool) == call(n_boot=1600, seed=4)


def test_a_cluster_of_two_workers_gives_the_same_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import Client, LocalCluster  # two seconds that only this test needs

    monkeypatch.setattr(_replicates, "CELLS_PER_BLOCK", 100_000)  # a task costs some milliseconds
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        executor = client.get_executor()
        for name, turn in EVERY:
            call = CASES[name][turn]
            assert call(n_boot=1000, seed=4, executor=executor) == call(n_boot=1000, seed=4), name
        with pytest.raises(ValueError, match=r"executor must be None or .*; give client.get_executor\(\)"):
            evalstats.bootstrap_mean(A, executor=client)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    "executor", [5, "threads", ThreadPoolExecutor, [], object()], ids=lambda one: type(one).__name__
)
def test_what_runs_nothing_is_refused(name: str, executor: Any) -> None:
    with pytest.raises(ValueError, match=r"executor must be None or a concurrent\.futures\.Executor, got"):
        CASES[name][0](n_boot=1600, seed=4, executor=executor)


def test_no_block_repeats_another() -> None:
    def draw(rng: np.random.Generator, size: int) -> Any:
        return rng.random(size)

    drawn = _replicates.replicates(draw, 1000, 0, None, width=1000)
    assert np.unique(drawn).size == 1000
    assert not np.isin(_replicates.replicates(draw, 1000, 1, None, width=1000), drawn).any()


def test_memory_does_not_grow_with_the_replicates() -> None:
    """A block is drawn and reduced before the next: no block holds more numbers than it may."""
    held: list[int] = []

    def draw(rng: np.random.Generator, size: int) -> Any:
        held.append(size)
        return rng.random(size)

    for n in (30, 3000):
        _replicates.replicates(draw, n, 0, None, width=1000)
    assert max(held) == 30
    assert sum(held) == 3030
