"""What the commands for instructors do. Each returns its exit status: 0 done, 1 done, but something needs a person."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from exercises.grading import changes as differences
from exercises.grading import course as courses
from exercises.grading import example as made_up
from exercises.grading import roster as rosters
from exercises.grading import secret as secrets
from exercises.grading import whole_class
from exercises.grading.arguments import STOPPED
from exercises.grading.exports import canvas, gradescope, moodle
from exercises.grading.exports.gradebook import Export
from exercises.grading.marks import NOT_MARKED_YET, Marks, Status
from exercises.grading.store import write_atomically
from exercises.grading.text import visible

SECRET = "grading.secret"  # beside course.toml, unless told otherwise
MOST_SHOWED = 20  # lines of one kind
MOST_NAMED = 5  # in one line


def grade(options: argparse.Namespace) -> int:
    """Grade a class, and say what came of it."""
    if (options.executor == "dask") != (options.scheduler is not None):
        raise ValueError("--executor dask and --scheduler ADDRESS belong together")
    if options.scheduler is not None and options.jobs is not None:
        raise ValueError("-j is for worker processes of this machine: a Dask cluster has the workers that it has")
    wanted = whole_class.Wanted(
        submissions=options.submissions,
        roster=options.roster,
        out=options.out,
        course=_course_file(options),
        secret=_secret_file(options),
        assignment=options.assignment,
        overrides=options.overrides,
        times=options.times,
        only=options.only,
        again=options.again,
        workers=options.jobs,
        scheduler=options.scheduler,
        trusted=options.trusted,
    )
    if options.trusted:
        print("Student code runs without a sandbox, with all your rights.")
    done = whole_class.grade(wanted, print)
    if done is None:
        print("\nStopped. What was graded is kept: the same command goes on from there.")
        return STOPPED
    _tell(done, wanted)
    return 1 if done.unmatched or done.failures or done.not_graded else 0


def _tell(done: whole_class.Done, wanted: whole_class.Wanted) -> None:
    marks = done.marks
    handed_in = sum(each.attempts > 0 for each in marks.students)
    print(f"{marks.title}: {handed_in} of {len(marks.students)} students handed in something.")
    print(f"Graded now: {done.fresh}. As they were, and so kept: {done.kept}.")
    for title, lines in (
        ("Files that were not graded", done.unmatched),
        ("Several files for one attempt, of which one was chosen", done.duplicates),
        ("Could not be graded, by a fault of the grader and not of the student", done.failures),
        ("Not graded yet: run it without --only", done.not_graded),
        ("Please note", done.remarks),
    ):
        _list(title, lines)
    out = wanted.out
    print(f"\nThe ids:   {done.ids}")
    print(f"Marks:     {out / whole_class.MARKS_CSV}")
    print(f"The class: {out / 'class.html'}")
    print(f"Feedback:  {out / whole_class.FEEDBACK}, one page for each student")
    _list("This needs you", _needed(marks))
    print("\nNext: look at the page of the class.")
    if waiting := sum(each.provisional for each in marks.counted):
        print(f"{waiting} of {len(marks.counted)} marks are not final: do what stands above, and run this again.")
        print("An export leaves them out.")
    print("Then, for Canvas (or moodle in its place):")
    print(f"  python -m exercises export canvas {out} --roster {wanted.roster} --out canvas.csv")


def _needed(marks: Marks) -> Iterator[str]:
    """What only the instructor can do, counted."""
    students = marks.counted
    times = "give --times FILE, with the columns student,submitted"
    unknown = [each for each in students if each.due and each.attempt and not (each.submitted or each.late_unknown)]
    if unknown:
        yield f"{len(unknown)} handed in at a time that is not known, and count as in time: {times}"
    if late := sum(each.late_unknown for each in students):
        yield f"{late} late, it is not known how late, and nothing was taken off: {times}"
    if unread := [visible(each.student) for each in students if each.status is Status.UNREADABLE]:
        more = ", ..." if len(unread) > MOST_NAMED else ""
        yield f"{len(unread)} with a file that cannot be read: {', '.join(unread[:MOST_NAMED])}{more}"
    open_questions = Counter(
        points.exercise
        for each in students
        if not each.override
        for points in each.exercises
        if points.verdict == NOT_MARKED_YET
    )
    for question, count in open_questions.items():
        yield f"{question}: {count} still to be marked; give the points with --overrides FILE"


def _list(title: str, lines: Iterable[str]) -> None:
    lines = list(lines)
    if lines:
        print(f"\n{title} ({len(lines)}):")
        for line in lines[:MOST_SHOWED]:
            print(f"  {line}")
    if len(lines) > MOST_SHOWED:
        print(f"  and {len(lines) - MOST_SHOWED} more: the page of the class lists all")


def example(options: argparse.Namespace) -> int:
    """Make up a class."""
    course = courses.read(_course_file(options))
    stem = options.assignment or course.assignments[-1].stem
    gradebook, handed_in = made_up.write(course.assignment(stem), options.folder)
    print(f"The class:  {gradebook}\nHanded in:  {handed_in}\n\nNext: a secret, if there is none yet, and the marks.")
    print(f"  python -m exercises secret {options.folder / SECRET}")
    print(f"  python -m exercises grade {handed_in} --roster {gradebook} --secret {options.folder / SECRET} \\")
    print(f"      --out {options.folder / 'results'}")
    return 0


def secret(options: argparse.Namespace) -> int:
    """Make a secret, or a new one."""
    if options.rotate:
        print(f"The old secret is now {secrets.rotate(options.file)}: results that were made with it need it.")
    else:
        secrets.create(options.file)
    print(
        f"{options.file} holds a new secret. Keep a copy where only you can read it; whoever has it knows all hidden "
        f"inputs.\nIf this folder is in git, add {options.file.name} to .gitignore."
    )
    return 0


def _results(folder: Path) -> Marks:
    if not (folder / differences.MARKS).is_file():
        raise ValueError(f"{folder} is no results folder of `grade`: there is no {differences.MARKS} in it")
    return differences.read(folder)


def changes(options: argparse.Namespace) -> int:
    """Show what differs between two runs."""
    old, new = (_results(folder) for folder in (options.old, options.new))
    found = differences.compare(old, new)
    print(differences.as_text(found), end="")
    if options.csv is not None:
        write_atomically(options.csv, differences.as_csv(found))
        print(f"\nThe same as a table: {options.csv}")
    return 0


def export_canvas(options: argparse.Namespace) -> int:
    """Write marks for Canvas."""
    return _export_marks(options, canvas.export)


def export_moodle(options: argparse.Namespace) -> int:
    """Write marks for Moodle."""
    return _export_marks(options, moodle.export)


def _export_marks(
    options: argparse.Namespace, export: Callable[[Marks, rosters.Roster, Path | None, str | None, bool], Export]
) -> int:
    marks, people = _results(options.results), rosters.read(options.roster)
    exported = export(marks, people, options.template, options.column, options.provisional)
    write_atomically(options.out, exported.text)
    print(f"{options.out} is ready to be imported.")
    _list("Please note", exported.remarks)
    return 0


def export_gradescope(options: argparse.Namespace) -> int:
    """Write an autograder for Gradescope."""
    out = gradescope.write(
        options.assignment, _course_file(options), _secret_file(options), options.out, options.roster
    )
    print(f"{out} is the autograder: upload it in Gradescope. It holds a secret, so give it to nobody else.")
    _list("Please note", gradescope.remarks(options.assignment, _course_file(options), options.roster))
    return 0


def export_nbgrader(options: argparse.Namespace) -> int:
    """Write an assignment for nbgrader."""
    from exercises.grading.exports import nbgrader  # nbformat takes a second to load, which no other command needs

    notebook = nbgrader.write(options.assignment, _course_file(options), options.out)
    print(f"{notebook} has public checks only: nbgrader cannot keep others from student code.")
    return 0


def _course_file(options: argparse.Namespace) -> Path:
    return options.course or courses.FILE


def _secret_file(options: argparse.Namespace) -> Path:
    return options.secret or _course_file(options).parent / SECRET
