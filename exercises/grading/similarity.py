"""Which submissions are so alike that somebody should look at both? Never more than that: two people may think alike.

What is compared is the order of operations, not the spelling: comments, docstrings, layout, imports, the first lines of
functions and all names that the learner chose are taken out. What is left is cut into overlapping fragments of
`LENGTH` tokens, of which every few are kept (winnowing, Schleimer, Wilkerson and Aiken 2003). Fragments of the starters
and of the model answers count for nothing.

Two rules. Submissions of which nearly everything is the same are a group, however many they are: a file that went
through the whole class is no rarer for that. Of all others, pairs that share much that is unusual are listed: there a
fragment counts for less the more of the class have it, as what an exercise makes everybody write is no sign of copying.
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
NEARLY = 95  # percent of the fragments of the longer submission that must be in the other one to call them the same

KEPT = frozenset([*keyword.kwlist, *dir(builtins)])  # names that mean the same to everybody
SKIPPED = frozenset([tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING])
HEADS = frozenset(["def", "async", "class"])
WITHOUT_SHAPE = frozenset(["import", "from", "@"])
OPTIONAL = frozenset("(),;")  # as often as not there could be one more or one less

Tokens = list[tokenize.TokenInfo]


@dataclass(frozen=True)
class Group:
    """Submissions that are nearly the same, each as another one of them. `shared` fragments are in all of them;
    `alike` is the part which that is of the longest one.
    """

    names: tuple[str, ...]
    alike: float
    shared: int


@dataclass(frozen=True)
class Pair:
    """Two submissions that share much that is unusual, `shared` fragments. `alike` is the part which these are of the
    unusual fragments of the one that has less of them, each weighted by how rare it is.
    """

    first: str
    second: str
    alike: float
    shared: int


@dataclass(frozen=True)
class Similar:
    """What is for somebody to look at. Two submissions that are in no group together, and no pair, share at most
    `next_most` unusual fragments: what is ordinary in this class.
    """

    groups: tuple[Group, ...]
    pairs: tuple[Pair, ...]
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
    """The logical lines, up to the first place that is no Python: there, `tokenize` can take time without end."""
    line: Tokens = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type == tokenize.ERRORTOKEN:
                break
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


def similar(submissions: Mapping[str, Sequence[str]], without: frozenset[str] = frozenset()) -> Similar:
    """What to look at, the largest groups and the most alike pairs first.

    `submissions` are the shapes by file name, `without` what is expected of everybody.
    """
    own = {name: frozenset(marks) - without for name, marks in sorted(submissions.items())}
    groups = _groups(own)
    grouped = {name: place for place, group in enumerate(groups) for name in group.names}
    weights = _weights(own)
    shared: Counter[tuple[str, str]] = Counter()
    for names in _holders(own, weights).values():
        shared.update(combinations(names, 2))
    total = {name: _sum(weights, marks) for name, marks in own.items()}
    found: list[Pair] = []
    next_most = 0
    for (first, second), count in shared.items():
        if first in grouped and grouped[first] == grouped.get(second):
            continue
        alike = _sum(weights, own[first] & own[second]) / min(total[first], total[second]) if count >= ENOUGH else 0.0
        if alike >= ALIKE:
            found.append(Pair(first, second, alike, count))
        else:
            next_most = max(next_most, count)
    found.sort(key=lambda pair: (-pair.alike, -pair.shared, pair.first, pair.second))
    return Similar(tuple(groups), tuple(found), next_most)


def _groups(own: Mapping[str, frozenset[str]]) -> list[Group]:
    """The submissions that hang together because each is nearly the same as the next."""
    same: dict[frozenset[str], list[str]] = defaultdict(list)
    for name, marks in own.items():
        if len(marks) >= ENOUGH:
            same[marks].append(name)
    distinct = list(same)
    labels = list(range(len(distinct)))
    for one, other in _candidates(distinct):
        longest = max(len(distinct[one]), len(distinct[other]))
        if labels[one] != labels[other] and 100 * len(distinct[one] & distinct[other]) >= NEARLY * longest:
            labels = [labels[one] if label == labels[other] else label for label in labels]
    members: dict[int, list[frozenset[str]]] = defaultdict(list)
    for label, marks in zip(labels, distinct, strict=True):
        members[label].append(marks)
    found = []
    for sets in members.values():
        names = tuple(sorted(name for marks in sets for name in same[marks]))
        shared = len(frozenset.intersection(*sets))
        if len(names) > 1:
            found.append(Group(names, shared / max(map(len, sets)), shared))
    return sorted(found, key=lambda group: (-len(group.names), group.names))


def _candidates(distinct: Sequence[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """The pairs that can be nearly the same: only the rarest fragments have to be compared to know which.

    Two of which at most 5 of 100 fragments differ have one in common among the 6 rarest of each.
    """
    counts = Counter(mark for marks in distinct for mark in marks)
    holders: dict[str, list[int]] = defaultdict(list)
    for place, marks in enumerate(distinct):
        rarest = sorted(marks, key=lambda mark: (counts[mark], mark))[: len(marks) * (100 - NEARLY) // 100 + 1]
        yield from ((other, place) for other in sorted({other for mark in rarest for other in holders[mark]}))
        for mark in rarest:
            holders[mark].append(place)


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
