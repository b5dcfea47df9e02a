"""Print what came of every attack in every way, as a Markdown table: `python -m tests.grading.attacks`."""

from __future__ import annotations

import sys

from tests.grading import campaign, corpus, judging, outside


def main() -> int:
    """Run everything, which takes some minutes; 1 if an attack has won anything."""
    ways = [way for way in outside.Way if not way.missing]
    cells: dict[str, dict[outside.Way, str]] = {name: {} for name in corpus.attacks()}
    bad = 0
    for way in ways:
        for group in campaign.GROUPS:
            for name, (outcome, wrong) in campaign.run(way, group).items():
                bad += bool(wrong)
                if name in cells:
                    cells[name][way] = judging.in_short(corpus.attacks()[name], outcome, wrong)
    print(f"| attack | source | {' | '.join(way.value for way in ways)} |\n|---|---|{'---|' * len(ways)}")
    for name, found in cells.items():
        print(f"| {name} | {corpus.attacks()[name].source} | {' | '.join(found.get(way, '') for way in ways)} |")
    print(f"\n{len(cells)} attacks in {len(ways)} ways; {bad} outcomes that should not be.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
