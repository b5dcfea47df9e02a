"""`make bench`: measure, print, keep the table for the book.

`python -m tests.bench judge` judges the rows that are kept again, after a change of targets or of known misses.
"""

from __future__ import annotations

import os
import sys
import time
import tomllib
from typing import Any

from tests.bench.environments import environments
from tests.bench.growth import grow, growth_table
from tests.bench.measure import Plan, Unfit, measure
from tests.bench.scale import scale, scale_table
from tests.bench.table import STORED, as_text, as_toml, machine
from tests.bench.targets import judge


def main(words: list[str]) -> int:
    try:
        kept = tomllib.loads(STORED.read_text(encoding="utf-8")) if words == ["judge"] else measured()
    except Unfit as reason:
        print(f"Nothing was timed: {reason}", file=sys.stderr)
        return 1
    rows, files = kept["row"], kept["file"]
    targets = judge(rows, files)
    STORED.write_text(as_toml(kept["run"], kept["versions"], targets, rows, files, kept["growth"]), encoding="utf-8")
    unexplained = [target["name"] for target in targets if not target["met"] and "reason" not in target]
    print(as_text(rows, targets), f"\nA mean of more and more items\n{growth_table(kept['growth'])}", sep="\n")
    print(f"\nCluster sums from Parquet\n{scale_table(files)}")
    print(f"\nMissed without a known reason: {', '.join(unexplained) or 'none'}. Kept in {STORED.name}.")
    return 0


def measured() -> dict[str, Any]:
    """A new run."""
    plan, places = Plan(), environments()
    before, begun = os.getloadavg()[0], time.monotonic()
    rows, missing = measure(plan, places)
    print("A mean of more and more items ...", flush=True)
    growth = grow(plan, places, missing)
    print("Sums of clusters from files of more and more rows ...", flush=True)
    files = scale()
    versions = dict(pair for who in places.keys() - missing.keys() for pair in places[who].versions().items())
    print(f"{time.monotonic() - begun:.0f} s, of which {sum(os.times()[:4]):.0f} s of CPU.")
    run = machine((before, os.getloadavg()[0]), plan.rounds)
    return {"run": run, "versions": dict(sorted(versions.items())), "row": rows, "file": files, "growth": growth}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
