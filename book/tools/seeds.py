"""The numbers of the source documents: each is used by a row of a ledger, or stands aside for a reason.

python -m book.tools.seeds         list those that are neither, or both
"""

from __future__ import annotations

import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from book.tools import ledger
from book.tools.places import ROOT
from book.tools.structure import chapters, ledgered

NUMBER_OF_SEEDS = 202  # rows of the audit's ledger


@dataclass(frozen=True)
class Seed:
    """A number of a source document: its id in the audit, what it is, and why no chapter uses it, if none does."""

    id: str
    document: str
    says: str
    claim: str = ""
    unused: str = ""


def seed_rows(root: Path = ROOT) -> list[Seed]:
    """The rows of book/ledger/seeds.toml."""
    table = tomllib.loads((root / "book" / "ledger" / "seeds.toml").read_text(encoding="utf-8"))
    return [Seed(**row) for row in table["seed"]]


def uses(root: Path = ROOT) -> dict[str, list[str]]:
    """Seed -> the rows of ledgers that use it, as `stem [row]`."""
    found: dict[str, list[str]] = {}
    for page in ledgered(root):
        for row in ledger.load(root / "book" / "ledger" / f"{page.stem}.toml").rows:
            for seed in row.seeds:
                found.setdefault(seed, []).append(f"{page.stem} [{row.id}]")
    return found


def problems(root: Path = ROOT) -> list[str]:
    """Seeds that are neither used nor excused, or both, or wait for a chapter that is there; uses of unknown ones."""
    seeds, used, written = seed_rows(root), uses(root), chapters(root)
    found = [
        f"{seed}: used by {where}, but not in seeds.toml"
        for seed, where in used.items()
        if seed not in {s.id for s in seeds}
    ]
    for seed in seeds:
        if seed.unused and seed.id in used:
            found.append(f"{seed.id}: called unused, and used by {used[seed.id]}")
        elif not seed.unused and seed.id not in used:
            found.append(f"{seed.id} ({seed.says}): used by no row; name it in one, or say why it is unused")
        elif any(seed.unused == f"waits for the chapter {stem}" for stem in written):
            found.append(f"{seed.id} ({seed.says}): {seed.unused}, which has been written")
    return found


def main() -> int:
    """Print the problems; 1 if there are any."""
    found = problems()
    print("\n".join([*found, f"seeds: {len(seed_rows())}, {len(found)} problems"]))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
