"""`make bench`: measure, print, keep the table for the book.

`python -m tests.bench judge` judges the rows that are kept again, after a change of targets or of known misses;
`python -m tests.bench grading` measures the graders again, and keeps the rest.
"""

from __future__ import annotations

import os
import sys
import time
import tomllib
from collections.abc import Mapping
from typing import Any

from tests.bench.environments import Environment, environments, graders
from tests.bench.grading import rounds as grading
from tests.bench.grading.rounds import grading_table
from tests.bench.growth import grow, growth_table
from tests.bench.measure import Plan, Unfit, measure
from tests.bench.scale import scale, scale_table
from tests.bench.table import STORED, as_text, as_toml, machine
from tests.bench.targets import judge


def main(words: list[str]) -> int:
    try:
        kept = {} if not words else tomllib.loads(STORED.read_text(encoding="utf-8"))
        kept |= graded() if words in ([], ["grading"]) else {}
        kept |= measured() if not words else {}
    except Unfit as reason:
        print(f"Nothing was timed: {reason}", file=sys.stderr)
        return 1
    of_graders = kept.get("grading", [])
    kept["target"] = judge(kept["row"], kept["file"], of_graders)
    STORED.write_text(as_toml(kept), encoding="utf-8")
    unexplained = [target["name"] for target in kept["target"] if not target["met"] and "reason" not in target]
    print(as_text(kept["row"], kept["target"]))
    print(f"\nA mean of more and more items\n{growth_table(kept['growth'])}")
    print(f"\nCluster sums from Parquet\n{scale_table(kept['file'])}")
    print(f"\nGrading\n{grading_table(of_graders)}")
    print(f"\nMissed without a known reason: {', '.join(unexplained) or 'none'}. Kept in {STORED.name}.")
    return 0


def measured() -> dict[str, Any]:
    """A new run of the library."""
    plan, places = Plan(), environments()
    before, begun = os.getloadavg()[0], time.monotonic()
    rows, missing = measure(plan, places)
    print("A mean of more and more items ...", flush=True)
    growth = grow(plan, places, missing)
    print("Sums of clusters from files of more and more rows ...", flush=True)
    files = scale()
    print(f"{time.monotonic() - begun:.0f} s, of which {sum(os.times()[:4]):.0f} s of CPU.")
    run, versions = machine((before, os.getloadavg()[0]), plan.rounds), versions_of(places, missing)
    return {"run": run, "versions": versions, "row": rows, "file": files, "growth": growth}


def graded() -> dict[str, Any]:
    """A new run of the graders."""
    plan, places, before = grading.Plan(), graders(), os.getloadavg()[0]
    rows, missing = grading.measure(plan)
    run, versions = machine((before, os.getloadavg()[0]), plan.rounds), versions_of(places, missing)
    return {"grading_run": run, "grading_versions": versions, "grading": rows}


def versions_of(places: Mapping[str, Environment], missing: Mapping[str, str]) -> dict[str, str]:
    found = [place.versions() for who, place in places.items() if who not in missing]
    return dict(sorted(pair for versions in found for pair in versions.items()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
