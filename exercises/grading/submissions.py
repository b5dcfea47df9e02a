"""Who handed in what: a folder or zip of files, as Canvas, Moodle or Gradescope export it or as one keeps it oneself.

Who a file belongs to is read from its name and folder, and the roster; in Gradescope's case from the list that comes
with the export. Nothing inside a notebook counts, nor the time stamps of files, which anybody can set: times come from
Gradescope's list or a table of one's own. Nothing is written to disk, and only regular files are opened.
"""

from __future__ import annotations

import difflib
import os
import re
import stat
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from exercises.grading.notebook import KINDS, MAX_NOTEBOOK
from exercises.grading.roster import Roster, Student
from exercises.grading.text import csv_rows, visible

MAX_FILES = 20_000
MAX_DEPTH = 20
MOST_ATTEMPTS = 10  # of one student; each may take as long as a submission may
MAX_STUDENT = 60_000_000  # bytes of all files of one student
MAX_ALL = 4_000_000_000
MAX_HINTS = 100  # at whom a file that names nobody may mean; each is a search
MAX_PATH = 300  # characters of a name with its folders
MAX_LIST = 20_000_000  # bytes of Gradescope's list, which holds the results, too
MAX_TIMES = 10_000_000
LIST = "submission_metadata.yml"
HIDDEN = ("__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini")  # and all that starts with a full stop
CANVAS = re.compile(r"_(\d+)(?=_(\d+)_)")
OWN_ATTEMPT = re.compile(r"[_ -]attempt[_ -]?(\d{1,3})")
CANVAS_AGAIN = re.compile(r"-(\d{1,3})$")  # Canvas's mark of a file that was handed in again under the same name
MOODLE = re.compile(r"([^_]*)_(\d+)_assignsubmission_[a-z]+(?:_.*)?")
EXPORT = re.compile(
    r"\.|assignment_\d+_export[^/]*"
)  # where Gradescope's list may be: on top, or in the folder of the export
LEADS_OUT = "has a name that leads out of the folder"
RULE = (
    "no times tell them apart; a notebook goes before a page before a script, then the highest -N, then the first name"
)


@dataclass(frozen=True)
class Submitted:
    """One file of one student. `attempt` counts from 1; `late` is what Canvas says in the file's name."""

    student_id: str
    file_name: str
    content: bytes = field(repr=False)
    submitted: datetime | None = None
    attempt: int = 1
    late: bool = False


@dataclass(frozen=True)
class Unmatched:
    """A file that is not graded. `file` and `nearest` can be shown in a terminal; for a page, escape them."""

    file: str
    why: str
    nearest: str = ""


@dataclass(frozen=True)
class Duplicate:
    """Files of one attempt of one student, of which one was chosen."""

    student_id: str
    chosen: str
    others: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Collected:
    """What a folder or zip holds. `attempts` are those of each student, by id, the newest last."""

    attempts: Mapping[str, tuple[Submitted, ...]]
    unmatched: tuple[Unmatched, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    passed_over: int = 0  # hidden files and files of the operating system

    def missing(self, roster: Roster) -> list[Student]:
        """The students from whom there is nothing."""
        return [student for student in roster if student.id not in self.attempts]


@dataclass(frozen=True)
class _File:
    """A file that could be read: `read(n)` gives its first n bytes, or raises ValueError with the reason why not."""

    path: PurePosixPath
    read: Callable[[int], bytes]

    @property
    def shown(self) -> str:
        return visible(str(self.path), MAX_PATH)


@dataclass(frozen=True)
class _Claim:
    """A file and whose it is."""

    file: _File
    student: Student
    submitted: datetime | None = None
    number: int = 0  # of the attempt, where the name tells
    late: bool = False
    participant: str = ""  # the number that Moodle puts into the name


class _RefusedError(ValueError):
    """Why a file is not read."""


def collect(path: Path, roster: Roster, times: Mapping[str, datetime] | None = None) -> Collected:
    """Match the files of a folder or zip to the students of a roster.

    Several files of a student are attempts, in the order of their times, or else of the numbers that Canvas appends.
    Of files that are the same attempt one is chosen and the rest is reported: a notebook before a page before a script,
    then the first by name. `times` (see `read_times`) says when students handed in, where the files' source does not.
    """
    if path.is_dir():
        return _Collector(roster, times or {}).collect(*_in_folder(path))
    if not path.is_file():
        raise ValueError(f"{path}: there is no such folder or zip file")
    try:
        archive = zipfile.ZipFile(path)
    except Exception as error:  # of whatever kind: the bytes may be made up
        raise ValueError(f"{path.name}: this is not a zip file that can be read ({visible(str(error))})") from None
    with archive:
        return _Collector(roster, times or {}).collect(*_in_zip(archive, path.name))


# ---- files -----------------------------------------------------------------------------------------------------------

_Found = tuple[list[_File], list[Unmatched], int]


def _is_hidden(path: PurePosixPath) -> bool:
    return any(part.startswith(".") or part in HIDDEN for part in path.parts)


def _in_folder(top: Path) -> _Found:
    files: list[_File] = []
    refused: list[Unmatched] = []
    counts: Counter[str] = Counter()
    hidden = 0
    waiting = [(top, PurePosixPath())]
    while waiting:
        folder, inner = waiting.pop()
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            path = inner / entry.name
            counts[path.parts[0]] += 1
            if counts.total() > MAX_FILES:
                raise ValueError(_too_many(str(top), counts))
            if _is_hidden(path):
                hidden += 1
            elif entry.is_dir(follow_symlinks=False) and len(path.parts) < MAX_DEPTH:
                waiting.append((Path(entry.path), path))
            elif entry.is_file(follow_symlinks=False):
                files.append(_File(path, _reader(Path(entry.path))))
            else:
                why = "is a link; links are not followed" if entry.is_symlink() else "is no regular file"
                refused.append(Unmatched(visible(str(path), MAX_PATH), why))
    return files, refused, hidden


def _too_many(name: str, counts: Counter[str]) -> str:
    """The refusal of a folder or zip, with the name of the one who may have put so much into it."""
    place, most = counts.most_common(1)[0]
    advice = "if that is one student's, take it out; else give the submissions only"
    return f"{name}: more than {MAX_FILES:,} files, {most:,} of them in '{visible(place, MAX_PATH)}'; {advice}"


def _reader(path: Path) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        try:
            # no link is followed, and opening a pipe does not wait; only then is it known what was opened
            with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise _RefusedError("is no regular file")
                return file.read(most)
        except OSError as error:
            raise _RefusedError(f"cannot be read: {error.strerror}") from None

    return read


def _in_zip(archive: zipfile.ZipFile, name: str) -> _Found:
    entries = archive.infolist()
    if len(entries) > MAX_FILES:
        raise ValueError(_too_many(name, Counter(entry.filename.partition("/")[0] for entry in entries)))
    overlapping = _overlapping(entries)
    files: list[_File] = []
    refused: list[Unmatched] = []
    hidden = 0
    for entry in sorted(entries, key=lambda entry: entry.filename):
        path = PurePosixPath(entry.filename)
        why = "shares its bytes with another file in the zip" if id(entry) in overlapping else _refusal(entry)
        if not why and entry.is_dir():
            continue
        if _is_hidden(path) and why != LEADS_OUT:
            hidden += 1
        elif why:
            refused.append(Unmatched(visible(entry.orig_filename, MAX_PATH), why))
        else:
            files.append(_File(path, _unpacker(archive, entry)))
    return files, refused, hidden


def _refusal(entry: zipfile.ZipInfo) -> str:
    """Why an entry of a zip is not to be read; empty if it may be."""
    path = PurePosixPath(entry.filename)
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if path.is_absolute() or ".." in path.parts or re.search(r"[\\\0]|^[A-Za-z]:", entry.orig_filename):
        return LEADS_OUT
    if not 0 < len(path.parts) <= MAX_DEPTH or len(entry.filename) > MAX_PATH:
        return "has no name, or too long a one"
    if kind == stat.S_IFLNK:
        return "is a link; links are not followed"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is no regular file"
    if entry.flag_bits & 1:
        return "is encrypted"
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is compressed in an unusual way; make the zip again"
    return ""


def _overlapping(entries: list[zipfile.ZipInfo]) -> set[int]:
    """The entries whose bytes are also those of another: a small zip could then unpack to any size."""
    found: set[int] = set()
    reached = 0
    before: zipfile.ZipInfo | None = None
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if before is not None and entry.header_offset < reached:
            found |= {id(entry), id(before)}
        end = entry.header_offset + 30 + entry.compress_size
        if end > reached:
            reached, before = end, entry
    return found


def _unpacker(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        try:
            with archive.open(entry) as file:
                return file.read(most)
        except Exception as error:  # of whatever kind: the bytes may be made up
            raise _RefusedError(f"is damaged: {visible(str(error))}") from None

    return read


# ---- whose they are --------------------------------------------------------------------------------------------------


def _key(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _name_key(name: str) -> str:
    """A name without what systems leave out of it; "Lovelace, Ada" is Ada Lovelace."""
    last, comma, first = name.partition(",")
    return "".join(letter for letter in _key(f"{first} {last}" if comma else name) if letter.isalnum())


class _Class:
    """Finds students by what the parts of a path say; the outermost part that says anything counts."""

    def __init__(self, roster: Roster) -> None:
        self.names = _index(roster, lambda student: [_name_key(student.name)])
        self.plain = _index(roster, lambda student: [_key(student.id), _key(student.login), _key(student.email)])
        self.ids = _index(roster, lambda student: [_key(student.id)])
        self.canvas = _index(roster, lambda student: [student.canvas_id])
        self.moodle = _index(roster, lambda student: [student.moodle_id])

    def claimants(self, path: PurePosixPath) -> dict[str, Student]:
        """The students that a path names, by id."""
        for part in (*path.parts[:-1], path.stem):
            found = self._named(part)
            if found:
                return {student.id: student for student in found}
        return {}

    def _named(self, part: str) -> list[Student]:
        if moodle := MOODLE.fullmatch(part):
            return self.moodle.get(moodle[2], []) + self.names.get(_name_key(moodle[1]), [])
        found: list[Student] = []
        # Canvas puts two numbers behind the name: whose it is, and the file's. A name may end in a number of its own,
        # so the second place is looked at, too: better ambiguous than another's.
        for match in list(CANVAS.finditer(part))[:2]:
            found += self.canvas.get(match[1], [])
        key = _key(part)
        starts = [key[: mark.start()] for mark in re.finditer(r"[_ -]", key)]
        return found + self.plain.get(key, []) + [student for start in starts for student in self.ids.get(start, [])]

    def nearest(self, path: PurePosixPath) -> str:
        """The id that looks most like the first part of a path, for a hint."""
        first = _key(PurePosixPath(path.parts[0]).stem)
        near = difflib.get_close_matches(first[:MAX_PATH], [key for key in self.plain if key], n=1, cutoff=0.6)
        near += difflib.get_close_matches(_name_key(first[:MAX_PATH]), [key for key in self.names if key], n=1)
        known = {**self.names, **self.plain}
        return known[near[0]][0].id if near else ""


def _attempt(path: PurePosixPath, student: Student) -> int:
    """The number of the attempt in a name that begins with the student's id, as one keeps files oneself; else 0.

    Canvas and Moodle give only the newest attempt, and behind their part of a name stands what the student wrote.
    """
    found = OWN_ATTEMPT.fullmatch(_key(path.stem).removeprefix(_key(student.id))) if len(path.parts) == 1 else None
    return int(found[1]) if found else 0


def _participant(path: PurePosixPath) -> str:
    """The number of Moodle's participant in a path, or nothing."""
    return next((found[2] for part in (*path.parts[:-1], path.stem) if (found := MOODLE.fullmatch(part))), "")


def _index(roster: Roster, keys: Callable[[Student], list[str]]) -> dict[str, list[Student]]:
    index: dict[str, list[Student]] = {}
    for student in roster:
        for key in set(keys(student)) - {""}:
            index.setdefault(key, []).append(student)
    return index


class _Collector:
    """Puts together what was handed in."""

    def __init__(self, roster: Roster, times: Mapping[str, datetime]) -> None:
        self.known = _Class(roster)
        self.times: dict[str, datetime] = {}
        for name, moment in times.items():
            found = self.known.plain.get(_key(name), [])
            if len(found) != 1:
                raise ValueError(f"times: '{visible(name)}' is not one student of the roster")
            self.times[found[0].id] = moment
        self.unmatched: list[Unmatched] = []
        self.duplicates: list[Duplicate] = []

    def collect(self, files: list[_File], refused: list[Unmatched], hidden: int) -> Collected:
        self.unmatched += refused
        claims: dict[str, list[_Claim]] = {}
        other: list[_Claim] = []
        listed = self._gradescope(files)
        for file in files:
            for claim in self._claims(file, listed):
                if file.path.suffix.lower() in KINDS:
                    claims.setdefault(claim.student.id, []).append(claim)
                else:
                    other.append(claim)
        for claim in other:
            if claim.student.id not in claims:
                why = f"belongs to {claim.student.id}, but does not end in {', '.join(KINDS)}"
                self.unmatched.append(Unmatched(claim.file.shown, why))
        room = MAX_ALL
        attempts: dict[str, tuple[Submitted, ...]] = {}
        for identity, own in sorted(claims.items()):
            numbers = sorted({claim.participant for claim in own} - {""})
            if len(numbers) > 1:  # anybody may call themselves like somebody else
                why = f"participants {', '.join(numbers)} are called like {identity}; put their numbers into the roster"
                self.unmatched += [Unmatched(claim.file.shown, why) for claim in own]
                continue
            made = self._attempts(own, min(room, MAX_STUDENT))
            room -= sum(len(each.content) for each in made)
            if made:
                attempts[identity] = made
        return Collected(attempts, tuple(self.unmatched), tuple(self.duplicates), hidden)

    # -- one file

    def _claims(self, file: _File, listed: Mapping[PurePosixPath, _Listed]) -> list[_Claim]:
        entry = next((listed[parent] for parent in [file.path, *file.path.parents] if parent in listed), None)
        if entry is not None and not entry.students:
            self.unmatched.append(Unmatched(file.shown, "is of somebody who is not on the roster"))
        if entry is not None:
            return [_Claim(file, student, entry.submitted) for student in entry.students]
        if file.path.name == LIST and EXPORT.fullmatch(str(file.path.parent)):
            return []
        found = self.known.claimants(file.path)
        if len(found) == 1:
            student = next(iter(found.values()))
            canvas = CANVAS.search(file.path.stem) is not None and len(file.path.parts) == 1
            late = canvas and "_LATE_" in file.path.stem
            return [_Claim(file, student, None, _attempt(file.path, student), late, _participant(file.path))]
        if found:
            why = f"could belong to {' or '.join(sorted(found))}"
            self.unmatched.append(Unmatched(file.shown, why))
        else:
            why = "names no student of the roster"
            near = self.known.nearest(file.path) if len(self.unmatched) < MAX_HINTS else ""
            self.unmatched.append(Unmatched(file.shown, why, near))
        return []

    def _gradescope(self, files: list[_File]) -> dict[PurePosixPath, _Listed]:
        """What Gradescope's list says of each folder; it counts only where no student could have put one."""
        lists = [file for file in files if file.path.name == LIST and EXPORT.fullmatch(str(file.path.parent))]
        if len(lists) != 1:
            return {}
        listed: dict[PurePosixPath, _Listed] = {}
        for name, entry in _entries(lists[0]).items():
            people = entry.get(":submitters")
            found = [student for person in people for student in self._submitter(person)] if people else []
            listed[lists[0].path.parent / str(name)] = _Listed(tuple(dict.fromkeys(found)), _moment(entry))
        return listed

    def _submitter(self, person: Mapping[str, Any]) -> list[Student]:
        """The student with the id and the e-mail address of a submitter, or with one of them where one is unknown."""
        keys = [_key(str(person.get(name) or "")) for name in (":sid", ":email")]
        found = {student.id: student for key in keys if key for student in self.known.plain.get(key, [])}
        return [*found.values()] if len(found) == 1 else []

    # -- one student

    def _attempts(self, claims: list[_Claim], room: int) -> tuple[Submitted, ...]:
        """The attempts of one student, the newest last."""
        order = sorted(claims, key=_preference)
        timed = all(claim.submitted is not None for claim in claims)
        groups: dict[Any, list[tuple[_Claim, bytes]]] = {}
        for claim in order:
            try:
                content = claim.file.read(min(MAX_NOTEBOOK + 1, room + 1))
                if len(content) > room:
                    raise _RefusedError(
                        f"is too much: {MAX_STUDENT:,} bytes of one student are read, {MAX_ALL:,} of all"
                    )
            except _RefusedError as refusal:
                self.unmatched.append(Unmatched(claim.file.shown, str(refusal)))
                continue
            room -= len(content)
            groups.setdefault(claim.submitted if timed else claim.number, []).append((claim, content))
        keys = sorted(groups)
        for key in keys[:-MOST_ATTEMPTS]:
            why = (
                f"is older than the {MOST_ATTEMPTS} newest attempts of {claims[0].student.id}, which are all that count"
            )
            self.unmatched += [Unmatched(claim.file.shown, why) for claim, _ in groups[key]]
        made = [self._chosen(groups[key], number) for number, key in enumerate(keys[-MOST_ATTEMPTS:], start=1)]
        # none of them came later than that
        known = self.times.get(claims[0].student.id)
        return tuple(each if each.submitted else replace(each, submitted=known) for each in made)

    def _chosen(self, same: list[tuple[_Claim, bytes]], number: int) -> Submitted:
        (claim, content), *others = same
        identity = claim.student.id
        if others:
            alike = all(other == content for _, other in others)
            why = "they have the same content" if alike else RULE
            names = tuple(other.file.shown for other, _ in others)
            self.duplicates.append(Duplicate(identity, claim.file.shown, names, why))
        return Submitted(identity, claim.file.shown, content, claim.submitted, number, claim.late)


def _preference(claim: _Claim) -> tuple[int, int, str]:
    """Of several files at once the first counts: a notebook, the newest by Canvas's mark, the first by name."""
    again = CANVAS_AGAIN.search(claim.file.path.stem)
    return KINDS.index(claim.file.path.suffix.lower()), -int(again[1]) if again else 0, str(claim.file.path)


# ---- lists and times -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Listed:
    """What Gradescope's list says of one folder."""

    students: tuple[Student, ...]
    submitted: datetime | None


def _entries(file: _File) -> dict[Any, dict[str, Any]]:
    """The entries of Gradescope's list, one per folder, as far as they have the right form."""
    try:
        content = file.read(MAX_LIST + 1)
        if len(content) > MAX_LIST:
            raise _RefusedError(f"has more than {MAX_LIST:,} bytes")
        loaded = yaml.load(content, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(f"{file.shown}: {visible(str(error))}") from None
    entries = loaded if isinstance(loaded, dict) else {}
    return {
        name: {**entry, ":submitters": [each for each in _list(entry.get(":submitters")) if isinstance(each, dict)]}
        for name, entry in entries.items()
        if isinstance(entry, dict)
    }


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _moment(entry: Mapping[str, Any]) -> datetime | None:
    """When a listed submission was made; Gradescope writes the zone, and means UTC where it does not."""
    moment = entry.get(":created_at")
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment)
        except ValueError:
            return None
    if not isinstance(moment, datetime):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def read_times(path: Path) -> dict[str, datetime]:
    """Read a table of times: CSV with the columns `student` and `submitted`, as in `s01,2026-11-30T18:00:00+01:00`."""
    rows = csv_rows(path, MAX_TIMES)
    if next(rows, (0, []))[1] != ["student", "submitted"]:
        raise ValueError(f"{path.name}: the first line must be student,submitted")
    times: dict[str, datetime] = {}
    for line, row in rows:
        where = f"{path.name}, line {line}"
        if len(row) != 2 or not row[0]:
            raise ValueError(f"{where}: '{visible(','.join(row))}' must be a student, a comma and a time")
        if row[0] in times:
            raise ValueError(f"{where}: '{visible(row[0])}' has a time in a line above already")
        times[row[0]] = _time(where, row[1])
    return times


def _time(where: str, text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise ValueError(f"{where}: '{visible(text)}' must be a time with its zone, such as 2026-11-30T18:00:00+01:00")
    return moment
