"""What attackers of the self-check found: answers of any shape are read, and nothing they do looks like success."""

from __future__ import annotations

import pytest

from exercises import catalogue


@pytest.mark.parametrize("name", ["paired/exact_mcnemar", "paired/mid_p"])
def test_references_count_tables_that_no_float_could(name: str) -> None:
    assert 0.19 < catalogue.load(name).reference(3000, 2900) < 0.2
    assert catalogue.load(name).reference(2900, 3000) == catalogue.load(name).reference(3000, 2900)


@pytest.mark.parametrize("table", [(8, 0, 0, 3), (8, 0, 0, 0), (0, 0, 0, 3)])
def test_reference_has_no_error_without_disagreement(table: tuple[int, ...]) -> None:
    assert catalogue.load("paired/paired_standard_error").reference(*table)["paired"] == 0
