"""Many random replicates, in blocks that know nothing of one another: the one engine of all simulation in here.

A block has its own stream of random numbers, and how many replicates it holds depends on the data alone. So the same
seed gives the same answer here, on threads, on processes and on a cluster, and memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

CELLS_PER_BLOCK = 1_000_000  # numbers that a block may hold at once

Replicates = NDArray[np.float64]
Draw = Callable[[Generator, int], Replicates]  # so many replicates from this stream, along the first axis


def check_executor(executor: Any) -> None:
    """Refuse what blocks cannot be handed to."""
    if executor is None:
        return
    client = hasattr(executor, "get_executor")  # of dask: it has a map too, which gives promises instead of numbers
    runs = callable(getattr(executor, "map", None)) and callable(getattr(executor, "submit", None))
    if client or not runs or isinstance(executor, type):
        hint = "; give client.get_executor()" if client else ""
        raise ValueError(f"executor must be None or a concurrent.futures.Executor, got {executor!r}{hint}")


def replicates(draw: Draw, n: int, seed: int, executor: Executor | None, width: int = 1) -> Replicates:
    """`n` replicates of `draw`, which holds `width` numbers for each, on `executor` or, if None, here."""
    check_executor(executor)
    block = max(1, CELLS_PER_BLOCK // width)
    sizes = [min(block, n - start) for start in range(0, n, block)]
    run = map if executor is None else executor.map
    blocks = list(run(partial(_block, draw), sizes, SeedSequence(seed).spawn(len(sizes))))
    if (found := sum(map(len, blocks))) != n:
        raise ValueError(f"executor must return every block that it is given, got {found} of {n} replicates")
    return np.concatenate(blocks)


def _block(draw: Draw, size: int, seed: SeedSequence) -> Replicates:
    return draw(np.random.default_rng(seed), size)
