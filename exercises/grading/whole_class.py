"""From a folder of submissions to a results folder: what `python -m exercises grade` does."""

from __future__ import annotations

import hashlib
import json
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from exercises.grading import (
    class_report,
    course,
    marks,
    overrides,
    roster,
    runner,
    sandbox,
    secret,
    store,
    submissions,
)
from exercises.grading.changes import MARKS
from exercises.grading.course import Assignment, Course
from exercises.grading.feedback import feedback
from exercises.grading.grade import grade as grade_one
from exercises.grading.notebook import UnreadableError, definitions, read_cells
from exercises.grading.records import Graded, Job, Mode
from exercises.grading.roster import Roster
from exercises.grading.store import Record, Store
from exercises.grading.submissions import Collected, Submitted
from exercises.grading.text import visible

MARKS_CSV, FEEDBACK, RUN = "marks.csv", "feedback", "run.json"
GONE = {  # without a file that the last run had
    "overrides": "the marks that it gave by hand are gone",
    "times": "the times that it gave are not known any more",
}
LOOKED_AT = 30  # submissions, to find out which assignment they are of

Say = Callable[[str], None]


@dataclass(frozen=True)
class Wanted:
    """What to grade, and how."""

    submissions: Path
    roster: Path
    out: Path
    course: Path
    secret: Path
    assignment: str | None = None
    overrides: Path | None = None
    times: Path | None = None
    only: str | None = None
    again: bool = False
    workers: int | None = None
    scheduler: str | None = None
    trusted: bool = False


@dataclass(frozen=True)
class Done:
    """What came of it; lines of text, for a terminal, tell what needs a person."""

    marks: marks.Marks
    fresh: int
    kept: int
    unmatched: Sequence[str]
    duplicates: Sequence[str]
    failures: Sequence[str]
    not_graded: Sequence[str]
    remarks: Sequence[str]
    ids: str  # where the students' ids come from


@dataclass(frozen=True)
class _Work:
    """Everything that is known before the first submission is graded. `secret` is that of the assignment.

    `extra` are the files beside the submissions, by the option that names them.
    """

    course: Course
    assignment: Assignment
    roster: Roster
    overrides: Sequence[overrides.Override]
    collected: Collected
    secret: secret.Secret
    ids: str
    extra: Mapping[str, str | None]


def grade(wanted: Wanted, say: Say) -> Done | None:
    """Grade a class into its results folder; None if it was stopped. ValueError for whatever cannot be met."""
    try:
        with _stopped_by(signal.SIGTERM, signal.SIGHUP):
            work = _prepare(wanted, say)
            with store.held(_own_folder(wanted)) as results, _workers(wanted) as (workers, mode):
                gone = _compared_with_last_run(results, work)
                return _grade(work, wanted, results, workers, mode, gone)
    except KeyboardInterrupt:
        return None


@contextmanager
def _stopped_by(*signals: signal.Signals) -> Iterator[None]:
    """Let these signals do what Ctrl-C does."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    # a signal that is ignored, as under nohup, stays so
    before = {each: signal.signal(each, stop) for each in signals if signal.getsignal(each) is not signal.SIG_IGN}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


# ---- before ----------------------------------------------------------------------------------------------------------


def _prepare(wanted: Wanted, say: Say) -> _Work:
    described = course.read(wanted.course)
    people = roster.read(wanted.roster, described.test_students)
    if wanted.only is not None and wanted.only not in people.ids:
        near = course.nearest(wanted.only, people.ids)
        raise ValueError(f"--only {visible(wanted.only)!r} is not on the roster{near}")
    of_course = secret.read(wanted.secret)
    times = submissions.read_times(wanted.times) if wanted.times else None
    collected = submissions.collect(wanted.submissions, people, times)
    ids = f"column {', or where it is empty '.join(map(repr, people.id_columns))} of {wanted.roster.name}"
    if not collected.attempts:
        raise ValueError(_nobody(wanted.submissions, people, collected, ids))
    assignment = _assignment(described, wanted.assignment, collected, say)
    by_hand = overrides.read(wanted.overrides, assignment, people) if wanted.overrides else ()
    own = of_course.for_assignment(described.id, assignment.stem)
    extra = {
        option: file.name if file else None
        for option, file in (("overrides", wanted.overrides), ("times", wanted.times))
    }
    return _Work(described, assignment, people, by_hand, collected, own, ids, extra)


def _nobody(place: Path, people: Roster, collected: Collected, ids: str) -> str:
    """What to say where no file is anybody's."""
    if not collected.unmatched:
        return f"{place}: there is no file in it"
    files = "; ".join(f"{each.file} {each.why}" for each in collected.unmatched[:2])
    known = " and ".join(visible(each) for each in people.ids[:2])
    return (
        f"{place}: no file in it is that of a student. {files}. The ids of students are such as {known} ({ids}); "
        f"names of files must begin with them"
    )


def _assignment(described: Course, stem: str | None, collected: Collected, say: Say) -> Assignment:
    """The assignment that was named, or the one whose functions most submissions define."""
    if stem is not None or len(described.assignments) == 1:
        return described.assignment(stem)
    found: Counter[str] = Counter()
    latest = [attempts[-1] for attempts in collected.attempts.values()][:LOOKED_AT]
    for submitted in latest:
        found.update(_defined(submitted, described))
    first, second = ([*found.most_common(2), ("", 0), ("", 0)])[:2]
    if first[1] == second[1]:
        stems = ", ".join(each.stem for each in described.assignments)
        raise ValueError(f"it is not clear of which assignment these submissions are: add --assignment, one of {stems}")
    say(f"Assignment: {first[0]}, because {first[1]} of {len(latest)} submissions define functions of it.")
    return described.assignment(first[0])


def _defined(submitted: Submitted, described: Course) -> list[str]:
    """The assignments of which a submission defines functions."""
    functions = {each.stem: {name.rpartition("/")[2] for name in each.checked} for each in described.assignments}
    try:
        places = definitions(read_cells(submitted.file_name, submitted.content), set().union(*functions.values()))
    except UnreadableError:
        return []
    return [stem for stem, names in functions.items() if any(places[name] for name in names)]


def _own_folder(wanted: Wanted) -> Path:
    """The results folder, if it is one or can become one."""
    out = wanted.out
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is a file: name a folder for the results")
    if out.resolve().is_relative_to(wanted.submissions.resolve()):
        raise ValueError(f"{out} is inside {wanted.submissions}: results must not be taken for submissions")
    if out.is_dir() and any(out.iterdir()) and not (out / store.LOCK).exists():
        raise ValueError(f"{out} holds other files, and no results: name a new folder")
    return out


def _compared_with_last_run(results: Store, work: _Work) -> list[str]:
    """Remarks on what the last run had and this one has not; refuses results of another assignment."""
    path = results.folder / RUN
    if not path.exists():
        return []
    try:
        before = json.loads(path.read_bytes())
        names = (before["course"], before["assignment"])
        had = {option: before.get(option) for option in work.extra}
    except (ValueError, KeyError, TypeError, AttributeError):
        return []  # damaged; it is written again
    if names != (work.course.id, work.assignment.stem):
        raise ValueError(f"{results.folder} holds results of {names[1]} ({names[0]}): name another folder")
    gone = [
        f"the last run had --{option} {visible(str(file))}, and this one has not: {GONE[option]}"
        for option, file in had.items()
        if file and not work.extra[option]
    ]
    now = sum(map(len, work.collected.attempts.values()))
    if isinstance(count := before.get("submissions"), int) and count > now:
        gone.append(f"the last run had {count} submissions, and this one has {now}: who has none now has no points")
    return gone


@contextmanager
def _workers(wanted: Wanted) -> Iterator[tuple[runner.Workers, Mode]]:
    """The workers, and the sandbox that they have."""
    if wanted.scheduler is None:
        mode = Mode.TRUSTED if wanted.trusted else sandbox.probe()
        yield runner.processes(wanted.workers or runner.cores()), mode
        return
    with runner.cluster(wanted.scheduler) as workers:
        yield workers, Mode.TRUSTED if wanted.trusted else workers.fresh().submit(sandbox.probe).result()


def _jobs(work: _Work, mode: Mode) -> dict[Job, Submitted]:
    exercises = work.assignment.checked
    return {
        Job(
            student=student,
            file_name=submitted.file_name,
            content=submitted.content,
            exercises=exercises,
            seeds=tuple(work.secret.seed(work.course.id, student, name, submitted.attempt) for name in exercises),
            mode=mode,
            limits=work.assignment.limits,
            attempt=submitted.attempt,
        ): submitted
        for student, attempts in work.collected.attempts.items()
        for submitted in attempts
    }


# ---- after -----------------------------------------------------------------------------------------------------------


def _grade(
    work: _Work, wanted: Wanted, results: Store, workers: runner.Workers, mode: Mode, gone: Sequence[str]
) -> Done:
    jobs = _jobs(work, mode)
    now = [job for job in jobs if wanted.only in (None, job.student)]
    outcome = runner.run(now, results, grade_one, workers, sys.stderr, wanted.again)
    outcome.remarks += gone
    records = {(record.student, record.attempt): record for record in outcome.records}
    for job in jobs.keys() - set(now):
        record = runner.current(job, results, outcome.remarks)
        if record is not None:
            records[job.student, job.attempt] = record
    return _write(work, results, jobs, records, outcome)


def _write(
    work: _Work,
    results: Store,
    jobs: Mapping[Job, Submitted],
    records: Mapping[tuple[str, int], Record],
    outcome: runner.Run,
) -> Done:
    marked = _marks(work, jobs, records)
    counting = {each.student: records.get((each.student, each.attempt or 0)) for each in marked.students}
    graded = {student: record.graded for student, record in counting.items() if record and record.graded}
    done = Done(
        marks=marked,
        fresh=outcome.fresh,
        kept=len(records) - outcome.fresh,
        unmatched=[_unmatched(each) for each in work.collected.unmatched],
        duplicates=[_duplicate(each) for each in work.collected.duplicates],
        failures=[f"{visible(each.student)}: {each.failure}" for each in records.values() if each.graded is None],
        not_graded=[visible(job.student) for job in jobs if (job.student, job.attempt) not in records],
        remarks=[*marked.remarks, *outcome.remarks],
        ids=work.ids,
    )
    marks.write_csv(marked, results.folder / MARKS_CSV)
    marks.write_json(marked, results.folder / MARKS)
    _write_pages(work, results, done, graded)
    results.put(RUN, json.dumps(_about(work, done, jobs), indent=1) + "\n")
    return done


def _marks(work: _Work, jobs: Mapping[Job, Submitted], records: Mapping[tuple[str, int], Record]) -> marks.Marks:
    attempts = []
    for job, submitted in jobs.items():
        record = records.get((job.student, job.attempt))
        graded = record.graded if record else None
        digest = hashlib.sha256(job.content).hexdigest()
        attempts.append(
            marks.Attempt(
                student=job.student,
                number=job.attempt,
                graded=graded,
                submitted=submitted.submitted,
                file_name=visible(job.file_name),
                digest=digest,
                late=submitted.late,
            )
        )
    return marks.mark(
        attempts,
        work.course,
        work.assignment,
        work.roster,
        work.overrides,
        work.secret.fingerprint(),
        {name: course.checks_digest(name) for name in work.assignment.checked},
    )


def _write_pages(work: _Work, results: Store, done: Done, graded: Mapping[str, Graded]) -> None:
    for mark in done.marks.students:
        page = feedback(mark, graded.get(mark.student), work.assignment, work.course.title)
        results.put(f"{FEEDBACK}/{store.file_stem(mark.student)}.html", page)
    about = class_report.Class(
        marks=done.marks,
        assignment=work.assignment,
        graded=graded,
        unmatched=done.unmatched,
        duplicates=done.duplicates,
        failures=[*done.failures, *(f"{each}: not graded yet" for each in done.not_graded)],
    )
    for name, text in class_report.files(about).items():
        results.put(name, text)


def _about(work: _Work, done: Done, jobs: Mapping[Job, Submitted]) -> dict[str, object]:
    """What was run, without times and without the secret."""
    return {
        "course": work.course.id,
        "assignment": work.assignment.stem,
        "secret": work.secret.fingerprint(),
        **work.extra,
        "modes": sorted({job.mode for job in jobs}),
        "versions": store.code(),
        "students": len(work.roster),
        "submissions": len(jobs),
        "unmatched": len(done.unmatched),
        "duplicates": len(done.duplicates),
        "failures": len(done.failures),
        "not_graded": len(done.not_graded),
    }


def _unmatched(each: submissions.Unmatched) -> str:
    near = f"; nearest: {each.nearest}" if each.nearest else ""
    return f"{each.file}: {each.why}{near}"


def _duplicate(each: submissions.Duplicate) -> str:
    return f"{visible(each.student_id)}: {each.chosen}, and not {', '.join(each.others)}; {each.why}"
