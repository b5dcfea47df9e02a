"""The attack corpus: what an attack is, and the submission that it becomes.

Every file of `attacks/` is one attack. Most are cells around a base submission whose honest mark is known: a wrong
answer to `exact_mcnemar` and a right one to `mid_p`. A gain shows in the first, damage to others in the second.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "attacks"
EXERCISES = ("paired/exact_mcnemar", "paired/mid_p")
BASE_CHECKS = 1  # of the seven of exact_mcnemar, what the base answer passes: with no disagreement, one tail is 1

BASE_ANSWER = "def exact_mcnemar(b, c):\n    return one_sided(b, c)\n"
RIGHT_ANSWER = """\
from math import comb

def exact_mcnemar(b, c):
    return min(1.0, 2 * (sum(comb(b + c, k) for k in range(min(b, c) + 1)) / 2 ** (b + c)))
"""
OTHER_ANSWER = """\
from fractions import Fraction
from math import comb

def mid_p(b, c):
    n, k = b + c, min(b, c)
    below = Fraction(sum(comb(n, i) for i in range(k)), 2**n)
    if b == c:
        return 1.0
    return float(2 * below + Fraction(comb(n, k), 2**n))
"""
PROBE = """\
import resource
told = []
room = b""
try:
    room = b"x" * (900 * 1024**2)
    told.append("memory free")
except MemoryError:
    told.append("memory held")
children = []
try:
    while len(children) < 40:
        child = os.fork()
        if child == 0:
            import time
            time.sleep(2)
            os._exit(0)
        children.append(child)
    told.append("processes free")
except OSError:
    told.append("processes held")
for child in children:
    os.kill(child, 9)
    os.waitpid(child, 0)
raise RuntimeError(", ".join(told))
"""
LAST_CELL = "if loot:\n    raise RuntimeError(' '.join(map(str, loot))[:280])\n"


@dataclass(frozen=True)
class Attack:
    """One attack, as its file describes it.

    `cells` come before the answers, `answer` takes the place of the base answer, `after` comes last; or `raw` names a
    function of `builders` that makes the bytes. `most` is how many checks of `exact_mcnemar` may pass at most, and
    `others` says that `mid_p` must keep its full mark. `hides_drawn`: hidden inputs may not show in checks of fixed
    inputs. `naive`: it wins against a grader without a sandbox, which shows that it is alive.
    """

    name: str
    tries: str
    source: str
    cells: tuple[str, ...] = ()
    answer: str = BASE_ANSWER
    after: tuple[str, ...] = ()
    raw: str = ""
    file_name: str = "attack.ipynb"
    most: int = BASE_CHECKS
    others: bool = True
    unreadable: bool = False
    verdicts: tuple[str, ...] = ()
    hides_drawn: bool = False
    bomb: bool = False
    naive: bool = False

    @property
    def kind(self) -> str:
        """The class of attacks it belongs to."""
        return self.name.partition("/")[0]

    def content(self) -> bytes:
        """The bytes that are handed in."""
        from tests.grading import builders

        if self.raw:
            made: bytes = getattr(builders, self.raw)()
            return made
        return notebook([PRELUDE, *self.cells, self.answer, OTHER_ANSWER, *self.after, LAST_CELL])


# attackers know where the course lies
PRELUDE = (FOLDER / "prelude.py").read_text(encoding="utf-8") + f"\nCOURSE = {str(FOLDER.parents[2])!r}\n"


def notebook(cells: Iterable[str], kind: str = "code") -> bytes:
    """A notebook as the simplest program would write it."""
    written = [
        {"cell_type": kind, "id": f"cell{number}", "metadata": {}, "source": code}
        | ({"outputs": [], "execution_count": None} if kind == "code" else {})
        for number, code in enumerate(cells)
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": written}).encode()


def base(*more: str) -> list[str]:
    """The cells of the base submission, and others after them."""
    return [PRELUDE, BASE_ANSWER, OTHER_ANSWER, *more]


@cache
def attacks() -> dict[str, Attack]:
    """All attacks by name, `class/what_it_is`."""
    return {attack.name: attack for attack in map(_read, sorted(FOLDER.glob("*/*.toml")))}


def _read(path: Path) -> Attack:
    described: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    lists = {name: tuple(described[name]) for name in ("cells", "after", "verdicts") if name in described}
    return Attack(name=f"{path.parent.name}/{path.stem}", **{**described, **lists})
