"""What an instructor looks at after a run: one page about the class, and the same as CSV files.

Test students are left out of everything but the list of what needs a person.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, median

from exercises.catalogue import misconceptions
from exercises.grading.charts import CORRELATIONS, SHARES, Axis, Row, chart, counts
from exercises.grading.course import Assignment
from exercises.grading.feedback import known, moment
from exercises.grading.items import FEW, FEWEST, Item, Slips, items, slips, spread
from exercises.grading.marks import NOT_MARKED_YET, Marks, Status, StudentMark
from exercises.grading.page import code, listed, own, page, prose, safe, table
from exercises.grading.points import decimal_text
from exercises.grading.records import Graded
from exercises.grading.similarity import ENOUGH, Group, Pair, Similar, expected, similar
from exercises.grading.text import spreadsheet_safe, visible
from exercises.run import Verdict

SLOWEST = 10  # submissions on the page; the CSV has all
BINS = 10  # of marks, in percent of what can be reached
NO_CORRELATION = "–"
WEAK = 0.2  # a correlation below it tells little apart
UNTIMED = "Late, nobody knows by how much"
UNGRADED = (Status.NOTHING, Status.NOT_GRADED)
INTERVALS = (
    "Lines: 95% intervals (Wilson) for how often students like these would, as far as one class can tell; "
    "they count students as independent."
)


@dataclass(frozen=True)
class Class:
    """A run that has ended. `graded` holds, by student, the attempt that counts.

    `unmatched`, `duplicates` and `failures` are lines about files that nobody on the roster handed in, files of which
    another one was taken, and submissions on which the grader itself failed.
    """

    marks: Marks
    assignment: Assignment
    graded: Mapping[str, Graded]
    unmatched: Sequence[str] = ()
    duplicates: Sequence[str] = ()
    failures: Sequence[str] = ()

    @cached_property
    def work(self) -> dict[str, Graded]:
        """By student, what could be read of the class."""
        found = {each.student: self.graded.get(each.student) for each in self.marks.counted}
        return {student: graded for student, graded in found.items() if graded is not None and graded.exercises}

    @cached_property
    def students(self) -> dict[str, StudentMark]:
        """All students of the class by their ids."""
        return {each.student: each for each in self.marks.counted}

    @cached_property
    def items(self) -> list[Item]:
        """Each exercise followed by its checks."""
        return items(list(self.work.values()), {each.exercise: each.points for each in self.assignment.exercises})

    @cached_property
    def slips(self) -> list[Slips]:
        """The misconceptions, the most frequent first."""
        return slips(list(self.work.values()))

    @cached_property
    def similar(self) -> Similar:
        """Groups and pairs of students' ids."""
        shapes = {student: graded.shapes for student, graded in self.work.items()}
        return similar(shapes, expected(self.assignment.checked))

    @cached_property
    def slowest(self) -> list[tuple[StudentMark, float]]:
        """The submissions and their seconds, the slowest first."""
        timed = [(self.students[student], graded.seconds) for student, graded in self.work.items()]
        return sorted(timed, key=lambda pair: (-pair[1], pair[0].student))


def files(of: Class) -> dict[str, str]:
    """Everything about the class, by the name of its file."""
    return {
        "class.html": class_report(of),
        "items.csv": _csv(ITEM_COLUMNS, map(_item_cells, of.items)),
        "misconceptions.csv": _csv(SLIP_COLUMNS, map(_slip_cells, of.slips)),
        "same.csv": _csv(GROUP_COLUMNS, (_group_cells(of, group) for group in of.similar.groups)),
        "similar.csv": _csv(PAIR_COLUMNS, (_pair_cells(of, pair) for pair in of.similar.pairs)),
        "slowest.csv": _csv(
            ("student", "file", "seconds"), ((mark.student, mark.file_name, f"{s:.1f}") for mark, s in of.slowest)
        ),
    }


def class_report(of: Class) -> str:
    """The page about the class."""
    body = [
        *_head(of),
        *_for_a_person(of),
        *_marks(of),
        *_exercises(of),
        *_checks(of),
        *_misconceptions(of),
        *_similar(of),
        *_exceptions(of),
        *_slowest(of),
    ]
    return page(f"{of.assignment.title}: the class", body)


# ---- the page --------------------------------------------------------------------------------------------------------


def _section(name: str, title: str) -> str:
    return f"<section aria-labelledby='{name}'><h2 id='{name}'>{title}</h2>"


def _head(of: Class) -> Iterator[str]:
    statuses = Counter(each.status for each in of.marks.counted)
    tested = len(of.marks.students) - len(of.marks.counted)
    yield f"<header><h1>{safe(of.assignment.title)}: the class</h1>"
    most = decimal_text(of.assignment.total)
    yield f"<p>{_many(len(of.marks.counted), 'student')} on the roster, {most} points to reach.</p></header>"
    told = [f"{safe(str(status))}: {statuses[status]}" for status in Status if statuses[status]]
    if tested:
        told.append(f"{_many(tested, 'test student')}: marked, and left out of the statistics")
    yield listed(told) if told else ""


def _for_a_person(of: Class) -> Iterator[str]:
    yield _section("person", "What needs a person")
    unreadable = [
        f"{_who(each)}: {code(each.file_name)}: {safe(_unreadable(of, each))}"
        for each in of.marks.students
        if each.status is Status.UNREADABLE
    ]
    by_hand = [
        _who(each)
        for each in of.marks.students
        if each.provisional and any(points.verdict == NOT_MARKED_YET for points in each.exercises)
    ]
    free, paid = _untimed(of)
    groups = [
        ("The grader itself failed: run again, and tell the makers if it fails again", map(safe, of.failures)),
        ("Files that belong to nobody on the roster", map(safe, of.unmatched)),
        ("Files of which another one was taken", map(safe, of.duplicates)),
        ("Files that cannot be read", unreadable),
        ("Questions that are still to be marked by hand", by_hand),
        (f"{UNTIMED}, and another attempt lost points for it: find the time out, and set the mark by hand", paid),
        (f"{UNTIMED}, and nothing was taken off: give the time with --times, or set the mark by hand", free),
    ]
    found = [(title, list(entries)) for title, entries in groups]
    for title, entries in found:
        if entries:
            yield f"<h3>{title} ({len(entries)})</h3>{listed(entries)}"
    if not any(entries for _, entries in found):
        yield "<p>Nothing: every file was matched, read and graded.</p>"
    yield "</section>"


def _untimed(of: Class) -> tuple[list[str], list[str]]:
    """Who was late, nobody knows by how much, where that can cost something; apart those whose other attempt paid."""
    what = of.assignment
    if not what.penalty_of_total_per_day and what.cut_off is None:
        return [], []
    late = [each for each in of.marks.students if each.late_unknown and not each.override]
    return [_who(each) for each in late if not each.time_needed], [_who(each) for each in late if each.time_needed]


def _unreadable(of: Class, mark: StudentMark) -> str:
    graded = of.graded.get(mark.student)
    return graded.unreadable if graded else ""


def _marks(of: Class) -> Iterator[str]:
    yield _section("marks", "Marks")
    marked = [each for each in of.marks.counted if each.status not in UNGRADED]
    shares = [float(each.final / of.assignment.total) for each in marked]
    if not shares:
        yield "<p>Nobody has handed in anything that could be graded.</p></section>"
        return
    full = [min(BINS - 1, int(share * BINS)) for share in shares]
    axis = counts("students", max(Counter(full).values()))
    rows = [
        Row(f"{_bin(place)} of the points", str(full.count(place)), full.count(place))
        for place in reversed(range(BINS))
    ]
    yield chart(f"{_mark_words(shares)} {_provisional_words(marked)}".strip(), axis, rows)
    yield "</section>"


def _mark_words(shares: Sequence[float]) -> str:
    middle, mean = _percent(median(shares)), _percent(fmean(shares))
    if len(shares) == 1:
        return f"The one mark is {middle} of the points."
    run = f"the {len(shares)} marks run from {_percent(min(shares))} to {_percent(max(shares))}"
    return f"The middle mark (the median) is {middle} of the points, and the mean is {mean}; {run}."


def _provisional_words(marked: Sequence[StudentMark]) -> str:
    count = sum(each.provisional for each in marked)
    if not count:
        return ""
    are = "is provisional: it" if count == 1 else "are provisional: they"
    return f"{count} of the {_many(len(marked), 'mark')} {are} can still change."


def _bin(place: int) -> str:
    wide = 100 // BINS
    return f"{place * wide}% to {'100%' if place == BINS - 1 else f'less than {(place + 1) * wide}%'}"


def _exercises(of: Class) -> Iterator[str]:
    yield _section("exercises", "Exercises")
    whole = [item for item in of.items if not item.check]
    if not whole:
        yield "<p>No submission could be read.</p></section>"
        return
    rows = [
        Row(_title(item), _share_words(item.passed.count, item), item.passed.share, item.passed.low, item.passed.high)
        for item in whole
    ]
    caption = f"{_hardest_words(whole)} Bars: who passed every check. {INTERVALS}"
    yield chart(caption, Axis("share of students who passed every check", SHARES), rows)
    yield chart(
        _discrimination_words(whole),
        Axis("correlation with the points on the other exercises that were checked", CORRELATIONS),
        [Row(_title(item), _correlation(item), item.discrimination.value) for item in whole],
    )
    yield "</section>"


def _hardest_words(whole: Sequence[Item]) -> str:
    least = min(item.passed.count for item in whole)
    names = [f"“{known(item.exercise).title}”" for item in whole if item.passed.count == least]
    solved = f"{least} of {whole[0].passed.of} solved"
    if len(names) < len(whole):
        return f"Hardest {'was' if len(names) == 1 else 'were'} {_and(names)}, which {solved}."
    return (
        f"{names[0]}: {solved} it." if len(names) == 1 else f"All exercises were solved equally often: {solved} each."
    )


def _discrimination_words(whole: Sequence[Item]) -> str:
    values = [item.discrimination.value for item in whole if item.discrimination.value is not None]
    if not values:
        reasons = " or ".join(dict.fromkeys(item.discrimination.reason for item in whole))
        return f"Whether exercises tell students apart cannot be said here: {reasons}."
    students = whole[0].passed.of
    chance = f"{spread(students):.2f} either way"
    if students < FEW:
        return (
            f"{students} students are too few to say how well exercises tell them apart: a correlation of {chance} "
            "is ordinary for things that have nothing to do with each other."
        )
    low = sum(value < WEAK for value in values)
    few = "No exercise has" if not low else f"{low} of {len(values)} exercises {'has' if low == 1 else 'have'}"
    return (
        f"{few} a correlation below {WEAK:g}. A high one means that those who do well here do well on the other "
        "exercises that were checked. Near 0 an exercise tells little; below 0 look at its checks. "
        f"Among {students} students {chance} is ordinary for things that have nothing to do with each other."
    )


def _checks(of: Class) -> Iterator[str]:
    yield _section("checks", "Checks")
    if of.items:
        yield (
            "<p>How many answers passed each check, and how the others went. "
            "Correlations are those with the points for all other checks.</p>"
        )
    shown = [verdict for verdict in Verdict if any(verdict in item.verdicts for item in of.items)]
    heads = ["Check", *(f"#{verdict}" for verdict in shown), "#Correlation"]
    for item in of.items:
        if not item.check:
            own_checks = [each for each in of.items if each.exercise == item.exercise and each.check]
            rows = [
                [prose(each.check), *(str(each.verdicts.get(v, 0)) for v in shown), _correlation(each, NO_CORRELATION)]
                for each in own_checks
            ]
            yield table(known(item.exercise).title, heads, rows)
    odd = [f"{_title(item)}{_of_check(item)}: {safe(item.warning)}" for item in of.items if item.warning]
    yield f"<h3>Items to look at ({len(odd)})</h3>{listed(odd)}" if odd else f"<p>{_nothing_odd(of)}</p>"
    yield "</section>"


def _nothing_odd(of: Class) -> str:
    if not of.items:
        return "No submission could be read."
    if len(of.work) < FEWEST:
        return f"{_many(len(of.work), 'submission')} cannot tell which checks to look at."
    negative = "" if len(of.work) < FEW else ", none with a negative correlation"
    return f"No item stands out: none that everybody or nobody passes{negative}."


def _of_check(item: Item) -> str:
    return f", {prose(item.check)}" if item.check else ""


def _misconceptions(of: Class) -> Iterator[str]:
    yield _section("misconceptions", "Misconceptions")
    if not of.slips:
        yield "<p>No answer gave a known misconception away.</p></section>"
        return
    caption = f"{_frequent_words(of.slips)} A student counts once for each. {INTERVALS}"
    rows = []
    for each in of.slips:
        where = ", ".join(known(exercise).title for exercise in each.exercises)
        share = each.students
        words = f"{share.count} of {share.of}"
        name = f"{prose(_slip_title(each))} <span class='quiet'>({prose(where)})</span>"
        rows.append(Row(name, words, share.share, share.low, share.high))
    yield chart(caption, Axis("share of students who showed it", SHARES), rows)
    yield "</section>"


def _frequent_words(slips: Sequence[Slips]) -> str:
    most = slips[0].students
    names = [f"“{_slip_title(each)}”" for each in slips if each.students.count == most.count]
    shown = f"shown by {most.count} of {most.of}"
    if len(names) == len(slips) > 1:
        return f"All were seen equally often: each {shown}."
    return f"Most frequent: {_and(names)}, {'each ' if len(names) > 1 else ''}{shown}."


def _slip_title(each: Slips) -> str:
    known = misconceptions().get(each.misconception)
    return known.title if known else each.misconception


def _similar(of: Class) -> Iterator[str]:
    yield _section("similar", "Submissions that are nearly the same")
    found = of.similar
    if not found.groups and not found.pairs:
        yield (
            "<p>No two submissions are nearly the same, and no two share much that is unusual in this class. "
            f"Code of fewer than {ENOUGH} fragments is not compared.</p></section>"
        )
        return
    yield (
        "<p>These are for you to read side by side; they are no verdict. Names, comments, layout and the order of "
        "functions are ignored, and starters and model answers count for nothing.</p>"
    )
    if found.groups:
        rows = [
            ["<br>\n".join(_file(of, each) for each in group.names), _percent(group.alike), str(group.shared)]
            for group in found.groups
        ]
        heads = ["Submissions", "#Part that all share", "#Fragments that all share"]
        yield table("Groups of submissions that are nearly the same, the largest first", heads, rows)
    if found.pairs:
        rows = [
            [_file(of, pair.first), _file(of, pair.second), _percent(pair.alike), str(pair.shared)]
            for pair in found.pairs
        ]
        heads = ["One", "The other", "#Alike, weighted", "#Unusual fragments shared"]
        yield table("Pairs of submissions that share unusual code, most alike first", heads, rows)
        yield (
            "<p>Alike is the part of the unusual code of one of the two, weighted by how rare it is in this class, "
            f"that the other one has too. No pair that is not listed shares more than "
            f"{_many(found.next_most, 'unusual fragment')}.</p>"
        )
    yield "</section>"


def _exceptions(of: Class) -> Iterator[str]:
    yield _section("exceptions", "Late, extended, set by hand")
    late = [
        [
            _who(each),
            moment(each.submitted) if each.submitted else "late, not known when" if each.late_unknown else "",
            str(each.days_late),
            decimal_text(each.penalty),
            own(each.extension),
        ]
        for each in of.marks.counted
        if each.days_late or each.extension or each.late_unknown or each.status is Status.TOO_LATE
    ]
    by_hand = [
        [_who(each), _name(exercise), points, own(reason)]
        for each in of.marks.counted
        for exercise, points, reason in _overrides(each)
    ]
    if late:
        heads = ["Student", "Handed in", "#Days late", "#Points lost", "Extension"]
        yield table("Late submissions and extensions", heads, late)
    if by_hand:
        yield table("Points that were set by hand", ["Student", "What", "#Points", "Reason"], by_hand)
    if not late and not by_hand:
        yield "<p>Nobody was late, nothing was extended, and no points were set by hand.</p>"
    yield "</section>"


def _overrides(each: StudentMark) -> Iterator[tuple[str, str, str]]:
    for exercise in each.exercises:
        if exercise.override:
            yield exercise.exercise, decimal_text(exercise.points), exercise.override
    if each.override:
        yield "the mark", decimal_text(each.final), each.override


def _slowest(of: Class) -> Iterator[str]:
    yield _section("slowest", "Slowest submissions")
    if not of.slowest:
        yield "<p>No submission could be read.</p></section>"
        return
    rows = [[_who(mark), code(mark.file_name), f"{seconds:.1f}"] for mark, seconds in of.slowest[:SLOWEST]]
    caption = f"The {_many(len(rows), 'submission')} that took longest, of {len(of.slowest)}"
    yield table(caption, ["Student", "File", "#Seconds"], rows)
    yield "</section>"


# ---- words -----------------------------------------------------------------------------------------------------------


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _percent(share: float) -> str:
    """In whole percent, and never 0% or 100% for what is not."""
    if 0 < share < 0.005:
        return "under 1%"
    if 0.995 <= share < 1:
        return "over 99%"
    return f"{share:.0%}"


def _share_words(count: int, item: Item) -> str:
    return f"{count} of {item.passed.of}; mean points {_percent(item.mean)}"


def _correlation(item: Item, without: str = "") -> str:
    value = item.discrimination.value
    return (without or item.discrimination.reason) if value is None else f"{value:.2f}".replace("-", "−")


def _name(exercise: str) -> str:
    return prose(known(exercise).title) if "/" in exercise else safe(exercise)


def _title(item: Item) -> str:
    return prose(known(item.exercise).title)


def _who(mark: StudentMark) -> str:
    return f"{own(mark.name)} ({own(mark.student)})" if mark.name else own(mark.student)


def _file(of: Class, student: str) -> str:
    mark = of.students[student]
    return f"{_who(mark)}: {code(mark.file_name)}"


# ---- CSV -------------------------------------------------------------------------------------------------------------

ITEM_COLUMNS = (
    *("exercise", "check", "students", "passed", "share", "low_95", "high_95", "mean_share", "discrimination"),
    *(str(verdict).replace(" ", "_") for verdict in Verdict),
    "remark",
)
SLIP_COLUMNS = ("misconception", "title", "students", "of", "share", "low_95", "high_95", "exercises")
PAIR_COLUMNS = ("student_1", "file_1", "student_2", "file_2", "alike_weighted", "unusual_fragments", "next_most")
GROUP_COLUMNS = ("students", "files", "how_many", "part_all_share", "fragments_all_share")


def _csv(columns: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([spreadsheet_safe(visible(cell)) for cell in row] for row in rows)
    return text.getvalue()


def _item_cells(item: Item) -> list[str]:
    value = item.discrimination.value
    passed = item.passed
    return [
        *(item.exercise, item.check, str(passed.of), str(passed.count)),
        *(f"{each:.4f}" for each in (passed.share, passed.low, passed.high, item.mean)),
        "" if value is None else f"{value:.4f}",
        *(str(item.verdicts.get(verdict, 0)) for verdict in Verdict),
        item.warning or item.discrimination.reason,
    ]


def _slip_cells(each: Slips) -> list[str]:
    share = each.students
    numbers = [f"{one:.4f}" for one in (share.share, share.low, share.high)]
    where = " ".join(each.exercises)
    return [each.misconception, _slip_title(each), str(share.count), str(share.of), *numbers, where]


def _pair_cells(of: Class, pair: Pair) -> list[str]:
    both = [cell for student in (pair.first, pair.second) for cell in (student, of.students[student].file_name)]
    return [*both, f"{pair.alike:.3f}", str(pair.shared), str(of.similar.next_most)]


def _group_cells(of: Class, group: Group) -> list[str]:
    files = "; ".join(of.students[student].file_name for student in group.names)
    return ["; ".join(group.names), files, str(len(group.names)), f"{group.alike:.3f}", str(group.shared)]
