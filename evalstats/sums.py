"""What a mean needs of its rows: for each cluster a sum and a count, so the rows need not fit in memory.

The mean of clustered rows, its CR2 standard error and its degrees of freedom depend on the rows only through the number
of rows and the sum of scores in each cluster. `cluster_sums` takes them from rows in memory, `parquet_cluster_sums`
from a file, batch by batch; `sums_interval` in module `cluster` makes the interval from either, in the same code.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from os.path import basename
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _checks as checks
from ._checks import Groups, Vector

Path = str | PathLike[str]
Codes = checks.Counts


def added(codes: Codes, values: Vector) -> Vector:
    """The sum of the values of each code."""
    return np.bincount(codes, weights=values).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Clusters:
    """How many rows each cluster has, and which stratum it lies in: `sizes[g]` and `stratum[g]` belong to cluster g."""

    sizes: Vector
    stratum: Codes

    def __post_init__(self) -> None:
        if self.n_clusters < 2:
            raise ValueError(f"at least 2 rows or clusters are needed, got {self.n_clusters}: one says nothing of more")
        if (alone := np.flatnonzero(self.clusters[self.stratum] < 2)).size:
            where = f"that of cluster {alone[0]} (in order of appearance, from 0)"
            raise ValueError(f"each stratum needs at least 2 clusters, but {where} has 1: join it to a similar one")

    @cached_property
    def rows(self) -> Vector:
        """The number of rows in each stratum."""
        return added(self.stratum, self.sizes)

    @cached_property
    def clusters(self) -> Vector:
        """The number of clusters in each stratum."""
        return np.bincount(self.stratum).astype(np.float64)

    @cached_property
    def n(self) -> int:
        return int(self.sizes.sum())

    @property
    def n_clusters(self) -> int:
        return self.sizes.size

    @property
    def n_strata(self) -> int:
        return self.clusters.size

    @property
    def unit(self) -> str:
        """What was drawn: clusters that hold one row each are items."""
        return "items" if self.n_clusters == self.n else "clusters"

    def residuals(self, totals: Vector) -> Vector:
        """From the sum of scores of each cluster that of score minus stratum mean."""
        means = added(self.stratum, totals) / self.rows
        return totals - self.sizes * means[self.stratum]

    def facts(self) -> dict[str, object]:
        """What was drawn and what is fixed, in words and numbers for `extra`."""
        drawn = self.unit + " within fixed strata" * (self.n_strata > 1)
        return {"estimand": "mean over rows, each row weighted equally", "drawn": drawn, "n_strata": self.n_strata}


@dataclass(frozen=True, eq=False)
class Design(Clusters):
    """The clusters of rows in memory: `codes[i]` is the cluster of row i."""

    codes: Codes

    def residual_totals(self, scores: Vector) -> Vector:
        """For each cluster the sum over its rows of score minus stratum mean."""
        return self.residuals(added(self.codes, scores))


def make_design(n: int, groups: Groups, strata: Groups) -> Design:
    """The checked design of n rows; without groups each row is a cluster of its own."""
    codes = np.arange(n) if groups is None else checks.cluster_codes(groups, n)[0]
    kinds = np.zeros(n, dtype=np.int64) if strata is None else checks.label_codes("strata", "stratum", strata, n)[0]
    sizes = np.bincount(codes).astype(np.float64)
    stratum = np.zeros(sizes.size, dtype=np.int64)
    stratum[codes] = kinds
    if (torn := np.flatnonzero(stratum[codes] != kinds)).size:
        raise ValueError(f"a cluster lies inside one stratum, but that of row {torn[0]} has rows in two or more strata")
    return Design(sizes, stratum, codes)


@dataclass(frozen=True, eq=False)
class ClusterSums(Clusters):
    """What is left of the rows when only their mean and its error are asked for?

    Made by `cluster_sums` and `parquet_cluster_sums`; where a database has added up already, made from its answer.

    Parameters
    ----------
    sizes : array of whole numbers
        The number of rows in each cluster; at least two clusters.
    stratum : array of whole numbers
        The fixed stratum of each cluster, numbered from 0; all 0 without strata. At least two clusters in each.
    totals : array of numbers
        The sum of the scores in each cluster; for two systems the sum of the differences A - B.
    marks : bool
        Whether every score (of both systems) is 0 or 1.
    scale : float
        The largest absolute score, which says what rounding is.
    differing : int or None
        For two systems the number of clusters in which A and B differ in any row; None for one system.

    Raises
    ------
    ValueError
        For unequal lengths, NaN, sizes that are not whole numbers of at least 1, strata that are not numbered from 0, a
        single cluster, a stratum with a single cluster, and totals that marks cannot have.

    Examples
    --------
    Two templates of five questions, four right in the one and none in the other:

    >>> sums = ClusterSums(sizes=[5, 5], stratum=[0, 0], totals=[4, 0], marks=True, scale=1)
    >>> sums.n, sums.n_clusters
    (10, 2)
    """

    totals: Vector
    marks: bool
    scale: float
    differing: int | None = None

    def __post_init__(self) -> None:
        for name, least in {"totals": None, "sizes": 1, "stratum": 0}.items():
            values = checks.finite_vector(name, getattr(self, name))
            if least is not None:
                checks.whole_numbers(name, values, least, np.inf, f"whole numbers of at least {least}")
            object.__setattr__(self, name, values.astype(np.int64) if name == "stratum" else values)
            checks.equal_lengths("totals", self.totals, name, values)
        if self.stratum.max() >= self.n_clusters or not self.clusters.all():
            raise ValueError(f"stratum must number the strata 0, 1, ..., got {np.unique(self.stratum).tolist()}")
        low, high = self.within(-np.inf, np.inf)
        if (odd := np.flatnonzero((self.totals < low * self.sizes) | (self.totals > high * self.sizes))).size:
            raise ValueError(f"marks are 0 or 1, so no {self.sizes[odd[0]]:g} rows total {self.totals[odd[0]]:g}")
        checks.one_of((True, False), marks=self.marks)
        checks.number("scale", self.scale, 0)
        if self.differing is not None:
            checks.integer("differing", self.differing, 0)
        super().__post_init__()

    @property
    def mean(self) -> float:
        return math.fsum(self.totals) / self.n

    def within(self, low: float, high: float) -> tuple[float, float]:
        """Both ends of an interval, cut off where marks end: at 0 and 1, for a difference at -1 and 1."""
        lowest = 0.0 if self.differing is None else -1.0
        return (max(low, lowest), min(high, 1.0)) if self.marks else (low, high)


def cluster_sums(scores: ArrayLike, groups: Groups = None, strata: Groups = None) -> ClusterSums:
    """What is left of these rows when only their mean and its error are asked for?

    Parameters
    ----------
    scores : array of numbers
        One row each.
    groups : sequence of labels, optional
        The cluster of each row: what was drawn. Without groups each row is a cluster of its own.
    strata : sequence of labels, optional
        The fixed stratum of each row; each cluster lies inside one.

    Returns
    -------
    ClusterSums
        Clusters and strata in order of appearance.

    Raises
    ------
    ValueError
        For NaN, unequal lengths, a single cluster, a stratum with a single cluster, a cluster in two strata.

    Examples
    --------
    >>> sums = cluster_sums([0, 1, 1, 1, 1, 0, 0, 0, 0, 0], groups=["plural"] * 5 + ["last letter"] * 5)
    >>> sums.totals.tolist(), sums.sizes.tolist()
    ([4.0, 0.0], [5.0, 5.0])
    """
    values, design = rows_by_cluster(scores, groups, strata)
    return sums_of(design, values)


def rows_by_cluster(scores: ArrayLike, groups: Groups, strata: Groups) -> tuple[Vector, Design]:
    """The checked scores, and the cluster of each."""
    values = checks.finite_vector("scores", scores)
    checks.same_rows(scores=scores, groups=groups, strata=strata)
    return values, make_design(values.size, groups, strata)


def sums_of(design: Design, a: Vector, b: Vector | None = None) -> ClusterSums:
    """The sums of checked scores, or of their differences a - b."""
    both = a if b is None else np.concatenate([a, b])
    values = a if b is None else a - b
    differing = None if b is None else int(np.count_nonzero(added(design.codes, np.abs(values))))
    totals = added(design.codes, values)
    return ClusterSums(design.sizes, design.stratum, totals, marks_only(both), float(np.abs(both).max()), differing)


def marks_only(values: Vector) -> bool:
    """Is every value 0 or 1?"""
    return bool(((values == 0) | (values == 1)).all())


# --- rows that do not fit in memory ----------------------------------------------------------------------------------


def parquet_cluster_sums(
    path: Path, score: str, groups: str, strata: str | None = None, minus: str | None = None, *, batch_rows: int = 2**16
) -> ClusterSums:
    """What is left of a Parquet file's rows when only their mean and its error are asked for?

    It reads a batch of rows at a time, so memory grows with the number of clusters and never with that of rows. It
    needs pyarrow, the extra `parquet`.

    Parameters
    ----------
    path : str or path
        The file.
    score : str
        The column of the scores: numbers or booleans.
    groups : str
        The column that names each row's cluster.
    strata : str, optional
        The column that names each row's fixed stratum; each cluster lies inside one.
    minus : str, optional
        The column of a second system's scores, for the sums of the differences: A is `score` and B is `minus`.
    batch_rows : int
        Rows in memory at once. With very many clusters, more rows at once are faster.

    Returns
    -------
    ClusterSums
        For `sums_interval`. The same as from rows in memory, but for rounding and the order of the clusters.

    Raises
    ------
    ValueError
        For a column that is not there or of another type, and as `cluster_sums`; a missing value, NaN or infinity is
        named with its row, counted from 0.
    ImportError
        Without pyarrow.

    Examples
    --------
    >>> import tempfile, pyarrow, pyarrow.parquet
    >>> file = tempfile.NamedTemporaryFile(suffix=".parquet")
    >>> rows = {"right": [0, 1, 1, 1, 1, 0, 0, 0, 0, 0], "template": ["plural"] * 5 + ["last letter"] * 5}
    >>> pyarrow.parquet.write_table(pyarrow.table(rows), file.name)
    >>> parquet_cluster_sums(file.name, "right", groups="template").totals.tolist()
    [4.0, 0.0]
    """
    named = [score, groups] + [column for column in (strata, minus) if column is not None]
    wanted = list(dict.fromkeys(checks.text("column", column) for column in named))
    merged, scale, marks, first = None, 0.0, True, 0
    with _opened(path, wanted) as file:
        for batch in file.iter_batches(checks.integer("batch_rows", batch_rows, 1), columns=wanted):
            a = np.asarray(_column(batch, score, first, numbers=True))
            b = np.zeros_like(a) if minus is None else np.asarray(_column(batch, minus, first, numbers=True))
            kinds = np.zeros_like(a) if strata is None else _column(batch, strata, first)
            part = [_column(batch, groups, first), kinds, np.ones_like(a), a - b, np.abs(a - b)]
            merged = _merged(merged, part)
            marks = marks and marks_only(a) and marks_only(b)
            scale, first = max(scale, float(np.abs([a, b]).max(initial=0))), first + a.size
    if merged is None:
        raise ValueError(f"{basename(path)} holds no rows")
    labels, kinds, sizes, totals, apart = merged.columns
    for column, found in ((groups, labels), (strata, kinds)):
        checks.told_apart(f"column {column!r}", found.unique().to_pylist())
    if strata is not None:
        _times(labels, 1, 1, "a cluster lies inside one stratum, but cluster {!r} has rows in two or more strata")
        _times(kinds, 2, len(kinds), "each stratum needs at least 2 clusters, but {!r} has 1: join it to a similar one")
    stratum = kinds.combine_chunks().dictionary_encode().indices
    return ClusterSums(sizes, stratum, totals, marks, scale, None if minus is None else int(np.count_nonzero(apart)))


def _opened(path: Path, columns: list[str]) -> Any:
    """The file with its columns, to be read through a small buffer, not whole row groups or the whole file at once."""
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise ImportError("Parquet files need pyarrow, which is an extra: install it beside evalstats") from error
    file = ParquetFile(checks.path_of(path), buffer_size=2**20, pre_buffer=False)
    for column in columns:
        if column not in (there := file.schema_arrow.names):
            raise ValueError(f"{basename(path)} has no column {column!r}; its columns are {there}")
    return file


def _column(batch: Any, name: str, first: int, numbers: bool = False) -> Any:
    """A column of labels or numbers; refused where a value is missing, or a number is not finite."""
    from pyarrow import compute, types

    array = batch.column(name)
    array = array.dictionary_decode() if types.is_dictionary(array.type) else array
    numeric = any(is_kind(array.type) for is_kind in (types.is_floating, types.is_integer, types.is_boolean))
    if types.is_nested(array.type) or (numbers and not numeric):
        raise ValueError(f"column {name!r} must hold {'numbers' if numbers else 'labels'}, got {array.type}")
    # Adding 0 makes one label of -0.0 and 0.0.
    array = compute.add(array.cast("float64"), 0.0) if numbers or types.is_floating(array.type) else array
    odd = ~np.isfinite(array) if numbers else array.is_null(nan_is_null=True)
    if (where := np.flatnonzero(odd)).size:
        value, must = array[int(where[0])].as_py(), "be finite" if numbers else "not be missing"
        raise ValueError(f"column {name!r} must {must}, got {value} in row {first + where[0]}")
    return array


def _merged(table: Any, columns: list[Any]) -> Any:
    """One row for each cluster and stratum, from new rows and those that were merged before."""
    import pyarrow

    names = ["cluster", "stratum", "rows", "total", "apart"]
    part = pyarrow.table(columns, names)
    both = part if table is None else pyarrow.concat_tables([table, part])
    sums = both.group_by(names[:2], use_threads=False).aggregate([(name, "sum") for name in names[2:]])
    return sums.rename_columns(names)


def _times(column: Any, low: int, high: int, problem: str) -> None:
    """Refuse a label that stands in the column fewer or more times."""
    labels, times = column.value_counts().flatten()
    if (odd := np.flatnonzero((np.asarray(times) < low) | (np.asarray(times) > high))).size:
        raise ValueError(problem.format(labels[int(odd[0])].as_py()))
