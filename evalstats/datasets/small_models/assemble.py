"""Put the raw files of the runner together, mark every response and write the stored table.

    python -m evalstats.datasets.small_models.assemble smol.csv gemma.csv

The same raw files always give the same table, in an order that does not depend on when a row was generated. It refuses
when a row is missing, doubled, or carries another seed than the one that belongs to it.
"""

from __future__ import annotations

import csv
import io
import lzma
import sys
from pathlib import Path

from evalstats.datasets.small_models.items import Item, items
from evalstats.datasets.small_models.marker import mark_lenient, mark_strict
from evalstats.datasets.small_models.run import MODELS, passes, seed_of, temperature_of

STORED = Path(__file__).parent / "responses.csv.xz"
COLUMNS = ("model", "prompt", "cache", "decode", "temperature", "seed", "item", "cluster", "stratum", "response",
           "correct", "correct_lenient")
Key = tuple[str, str, str, int, str]


def planned() -> list[Key]:
    """The key of every row the plan asks for, in the order in which the table stores them."""
    return [
        (model, walk.prompt, walk.cache, decode, item.item)
        for model in MODELS for walk in passes(model) for decode in walk.decodes for item in items()
    ]


def read_raw(paths: list[Path]) -> dict[Key, dict[str, str]]:
    """All raw rows by key."""
    found: dict[Key, dict[str, str]] = {}
    for path in paths:
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                key = (row["model"], row["prompt"], row["cache"], int(row["decode"]), row["item"])
                if key in found:
                    raise SystemExit(f"Row {key} is there twice.")
                if int(row["seed"]) != seed_of(key[0], key[1], key[3], key[4]):
                    raise SystemExit(f"Row {key} has seed {row['seed']}, which is not its own.")
                found[key] = row
    return found


def stored_row(key: Key, raw: dict[str, str], item: Item) -> list[object]:
    """One row of the table: the raw response as generated, with its cluster, stratum and marks."""
    response = raw["response"]
    return [*key[:4], temperature_of(key[3]), raw["seed"], item.item, item.cluster, item.stratum, response,
            mark_strict(item, response), mark_lenient(item, response)]


def table(raw: dict[Key, dict[str, str]]) -> str:
    """The whole table as CSV text."""
    keys, by_id = planned(), {item.item: item for item in items()}
    missing, extra = [key for key in keys if key not in raw], set(raw) - set(keys)
    if missing or extra:
        raise SystemExit(f"{len(missing)} planned rows are missing and {len(extra)} were not planned.")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(stored_row(key, raw[key], by_id[key[4]]) for key in keys)
    return out.getvalue()


def main() -> None:
    """Read the raw files named on the command line and write the stored table."""
    if len(sys.argv) < 2:
        raise SystemExit("Name the raw CSV files that the runner wrote.")
    text = table(read_raw([Path(name) for name in sys.argv[1:]]))
    STORED.write_bytes(lzma.compress(text.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))
    print(f"{text.count(chr(10)) - 1} lines, {STORED.stat().st_size} bytes")


if __name__ == "__main__":
    main()
