"""Which submissions are so alike that somebody should look at both? Never more than that: two people may think alike.

What is compared is the order of operations, not the spelling: comments, docstrings, layout, imports, the first lines of
functions and all names that the learner chose are taken out. What is left is cut into overlapping fragments of
`LENGTH` tokens, of which every few are kept (winnowing, Schleimer, Wilkerson and Aiken 2003). Fragments of the starters
and of the model answers count for nothing, and a fragment counts for less the more of the class have it: what an
exercise makes everybody write is no sign of copying.
"""

from __future__ import annotations

import builtins
import io
import keyword
import math
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations

from exercises import catalogue
from exercises.grading.records import Cell

LENGTH = 10  # tokens in a fragment
WINDOW = 4  # of so many fragments in a row one is kept: what is shared over 13 tokens is always found
MAX_CHARACTERS = 200_000  # of code that are looked at
MAX_SHAPES = 3_000
ALIKE = 0.6  # the part of the unusual fragments of the smaller submission that must be in the other one
ENOUGH = 15  # and so many of them: less is a formula that two people can both find
UNUSUAL = 4  # fragments that at most one in so many submissions have are unusual,
RING = 5  # and in a small class those that at most so many have

KEPT = frozenset([*keyword.kwlist, *dir(builtins)])  # names that mean the same to everybody
SKIPPED = frozenset([tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING])
HEADS = frozenset(["def", "async", "class"])
WITHOUT_SHAPE = frozenset(["import", "from", "@"])
OPTIONAL = frozenset("(),;")  # as often as not there could be one more or one less

Tokens = list[tokenize.TokenInfo]


@dataclass(frozen=True)
class Pair:
    """Two submissions for somebody to look at. `alike` is a part of the unusual fragments of the smaller one.

    `shared` says how many unusual fragments the two have in common; `next_most` says the same of the most alike of the
    pairs that are not listed: what is ordinary in this class.
    """

    first: str
    second: str
    alike: float
    shared: int
    next_most: int


def shapes(cells: Iterable[Cell]) -> tuple[str, ...]:
    """The fingerprints of a submission's code, sorted; of code that is no Python, those of what comes before."""
    found: set[str] = set()
    room = MAX_CHARACTERS
    for cell in cells:
        for part in _parts(cell.code[:room]):
            found.update(_kept(part))
        room -= len(cell.code)
        if room <= 0 or len(found) > MAX_SHAPES:
            break
    return tuple(sorted(found)[:MAX_SHAPES])


def _parts(code: str) -> Iterator[list[str]]:
    """What stands at the left margin with all that is indented below it, as tokens: their order is nobody's matter."""
    part: list[str] = []
    for line in _lines(code):
        if line[0].start[1] == 0 and part:
            yield part
            part = []
        part += _body(line)
    if part:
        yield part


def _lines(code: str) -> Iterator[Tokens]:
    """The logical lines, up to the first place that is no Python."""
    line: Tokens = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.NEWLINE and line:
                yield line
                line = []
            elif token.type not in SKIPPED and token.type != tokenize.NEWLINE and token.string:
                line.append(token)
    except (tokenize.TokenError, SyntaxError, ValueError, RecursionError):
        pass  # it cannot run either
    if line:
        yield line


def _body(line: Tokens) -> list[str]:
    """The tokens of a line that somebody had to think of, the learner's own names all called `_`."""
    if line[0].string in WITHOUT_SHAPE or all(token.type == tokenize.STRING for token in line):
        return []
    if line[0].string in HEADS:
        line = _after_colon(line)
    before = ["", *(token.string for token in line)]
    spelt = zip(line, before, strict=False)
    return [_spelling(token, previous) for token, previous in spelt if token.string not in OPTIONAL]


def _after_colon(line: Tokens) -> Tokens:
    depth = 0
    for place, token in enumerate(line):
        depth += (token.string in "([{") - (token.string in ")]}")
        if token.string == ":" and depth == 0:
            return line[place + 1 :]
    return []


def _spelling(token: tokenize.TokenInfo, previous: str) -> str:
    if token.type == tokenize.STRING:
        return '""'
    if token.type == tokenize.NAME and previous != "." and token.string not in KEPT:
        return "_"
    return token.string[:100]


def _kept(part: Sequence[str]) -> Iterator[str]:
    """The smallest fingerprint of each window."""
    marks = [
        blake2b("\0".join(part[start : start + LENGTH]).encode("utf-8", "replace"), digest_size=6).hexdigest()
        for start in range(len(part) - LENGTH + 1)
    ]
    for start in range(max(1, len(marks) - WINDOW + 1) if marks else 0):
        yield min(marks[start : start + WINDOW])


def expected(exercises: Iterable[str]) -> frozenset[str]:
    """The fingerprints of the starters and the model answers: nobody has to copy these from a neighbour."""
    cells = []
    for name in exercises:
        cells.append(Cell(name, catalogue.text(name, "starter.py")))
        solution = catalogue.solution_file(name)
        if solution is not None:
            cells.append(Cell(name, solution.read_text(encoding="utf-8")))
    return frozenset(shapes(cells))


def pairs(submissions: Mapping[str, Sequence[str]], without: frozenset[str] = frozenset()) -> list[Pair]:
    """The pairs to look at, most alike first. `submissions` are the shapes by file name, `without` what is expected."""
    own = {name: frozenset(marks) - without for name, marks in sorted(submissions.items())}
    weights = _weights(own)
    shared: Counter[tuple[str, str]] = Counter()
    for names in _holders(own, weights).values():
        shared.update(combinations(names, 2))
    total = {name: _sum(weights, marks) for name, marks in own.items()}
    found: dict[tuple[str, str], float] = {}
    for (first, second), count in shared.items():
        alike = _sum(weights, own[first] & own[second]) / min(total[first], total[second]) if count >= ENOUGH else 0.0
        if alike >= ALIKE:
            found[first, second] = alike
    next_most = max((count for pair, count in shared.items() if pair not in found), default=0)
    listed = [Pair(first, second, alike, shared[first, second], next_most) for (first, second), alike in found.items()]
    return sorted(listed, key=lambda pair: (-pair.alike, -pair.shared, pair.first, pair.second))


def _weights(own: Mapping[str, frozenset[str]]) -> dict[str, float]:
    """How surprising each unusual fragment is, in bits: a fragment that half of the class has is worth one."""
    counts = Counter(mark for marks in own.values() for mark in marks)
    limit = max(RING, len(own) // UNUSUAL)
    return {mark: math.log2((len(own) + 1) / count) for mark, count in counts.items() if count <= limit}


def _holders(own: Mapping[str, frozenset[str]], weights: Mapping[str, float]) -> dict[str, list[str]]:
    holders: dict[str, list[str]] = defaultdict(list)
    for name, marks in own.items():
        for mark in marks & weights.keys():
            holders[mark].append(name)
    return holders


def _sum(weights: Mapping[str, float], marks: frozenset[str]) -> float:
    return math.fsum(weights[mark] for mark in marks if mark in weights)
