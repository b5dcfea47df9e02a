"""Checks of `paired_table`."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from exercises.exercise import Answer, Drawn, Exercise
from exercises.expect import entries, same

CELLS = ("both", "a_only", "b_only", "neither")
PAIRS = ((1, 1), (1, 0), (0, 1), (0, 0))
Marks = dict[str, int]


def counted(pairs: Iterable[tuple[int, int]]) -> dict[str, int]:
    """The four cells of these pairs of marks."""
    listed = list(pairs)
    return {cell: listed.count(pair) for cell, pair in zip(CELLS, PAIRS, strict=True)}


def by_id(a: Marks, b: Marks) -> dict[str, int]:
    """The right answer."""
    return counted((a[item], b[item]) for item in a if item in b)


def by_position(a: Marks, b: Marks) -> dict[str, int]:
    """The first entry of one file with the first of the other."""
    return counted(zip(a.values(), b.values(), strict=False))


def by_sorted_position(a: Marks, b: Marks) -> dict[str, int]:
    """The same after sorting both files by id, which a lost item still puts out of step."""
    return by_position(dict(sorted(a.items())), dict(sorted(b.items())))


def by_position_of_one_sorted(a: Marks, b: Marks) -> tuple[dict[str, int], dict[str, int]]:
    """One file sorted by id, the other in the order it came in."""
    return by_position(dict(sorted(a.items())), b), by_position(a, dict(sorted(b.items())))


def missing_is_wrong(a: Marks, b: Marks) -> dict[str, int]:
    """Every item of either file, with 0 where there is no mark."""
    return counted((a.get(item, 0), b.get(item, 0)) for item in {**a, **b})


def missing_on_one_side_is_wrong(a: Marks, b: Marks) -> tuple[dict[str, int], dict[str, int]]:
    """Every item of A's file with 0 where B has no mark, and every item of B's with 0 where A has none."""
    return (
        counted((mark, b.get(item, 0)) for item, mark in a.items()),
        counted((a.get(item, 0), mark) for item, mark in b.items()),
    )


def exchanged(table: dict[str, int]) -> dict[str, int]:
    """The table with its two kinds of disagreement in each other's place."""
    return {**table, "a_only": table["b_only"], "b_only": table["a_only"]}


def shuffled(random: np.random.Generator, marks: Marks) -> Marks:
    """The same marks in another order."""
    return {str(item): marks[str(item)] for item in random.permutation(list(marks))}


def draw(random: np.random.Generator) -> Drawn:
    """Two systems on some twenty items: in one order, in two orders, and with two items lost on each side."""
    size = int(random.integers(17, 22))
    items = [f"q{number:02d}" for number in sorted(random.choice(100, size, replace=False))]
    # of each kind of pair at least two, so that no cell is empty
    pairs = [*PAIRS * 2, *((int(random.random() < 0.7), int(random.random() < 0.4)) for _ in items[2 * len(PAIRS) :])]
    order = random.permutation(size)
    a = {item: pairs[place][0] for item, place in zip(items, order, strict=True)}
    b = {item: pairs[place][1] for item, place in zip(items, order, strict=True)}
    lost = [str(item) for item in random.choice(items, 4, replace=False)]
    a_with_losses = {item: mark for item, mark in a.items() if item not in lost[:2]}
    b_with_losses = {item: mark for item, mark in b.items() if item not in lost[2:]}
    return {
        "same_order": [a, b],
        "two_orders": [shuffled(random, a), shuffled(random, b)],
        "losses": [shuffled(random, a_with_losses), shuffled(random, b_with_losses)],
    }


def redraw(drawn: Drawn) -> bool:
    """Each slip must change the table in which it is looked for."""
    plain_table = by_id(*drawn["same_order"])
    losses = drawn["losses"]
    lost_counted = (missing_is_wrong(*losses), *missing_on_one_side_is_wrong(*losses))
    return (
        exchanged(plain_table) == plain_table
        or not all([*plain_table.values(), *by_id(*losses).values()])
        or plain_table in (by_position(*drawn["two_orders"]), *by_position_of_one_sorted(*drawn["two_orders"]))
        or by_id(*losses) in (by_sorted_position(*losses), *lost_counted)
        or by_sorted_position(*losses) in lost_counted
    )


exercise = Exercise(
    name="paired/paired_table",
    title="The table of two log files",
    objective="table",
    reference=by_id,
    draw=draw,
    redraw=redraw,
    diagnoses=("swapped-b-and-c", "match-by-position", "missing-counted-wrong"),
)


def cells(answer: Answer, logs: list[Any]) -> dict[str, Any]:
    """The answer for two logs, with its four cells and no others."""
    return entries(answer(*logs), CELLS)


@exercise.check("the same items in the same order")
def same_order(answer: Answer, drawn: Drawn) -> None:
    right = by_id(*drawn["same_order"])
    wanted = "each item in the cell that says who was right on it; 'a_only' means A right and B wrong."
    same(cells(answer, drawn["same_order"]), right, wanted, {"swapped-b-and-c": exchanged(right)})


@exercise.check("the same items in two orders")
def two_orders(answer: Answer, drawn: Drawn) -> None:
    logs = drawn["two_orders"]
    wanted = "the same table as before the files were shuffled: the marks are the same, item by item."
    slips = {"match-by-position": (by_position(*logs), *by_position_of_one_sorted(*logs))}
    same(cells(answer, logs), by_id(*logs), wanted, slips)


@exercise.check("items that only one file has")
def losses(answer: Answer, drawn: Drawn) -> None:
    logs = drawn["losses"]
    lost_counted = (missing_is_wrong(*logs), *missing_on_one_side_is_wrong(*logs))
    slips = {"missing-counted-wrong": lost_counted, "match-by-position": by_sorted_position(*logs)}
    wanted = "four counts that add up to the number of items that both files have."
    same(cells(answer, logs), by_id(*logs), wanted, slips)


@exercise.check("a cell may be empty")
def empty_cells(answer: Answer, drawn: Drawn) -> None:
    wanted = "all four counts, and zero in a cell that no item is in."
    a, b = drawn["same_order"]
    renamed = {f"quiz/{item}.json": mark for item, mark in a.items()}
    opposite = {item: 1 - mark for item, mark in a.items()}
    for logs in ([a, a], [renamed, renamed], [a, opposite], [renamed, b]):
        same(cells(answer, logs), by_id(*logs), wanted)
    whole, shorter = {"q1": 1, "q2": 0, "q3": 1}, {"q3": 1, "q1": 0}  # only one file has lost an item
    for logs in ([whole, shorter], [shorter, whole]):
        same(cells(answer, logs), by_id(*logs), wanted)
