"""Attacks on what surrounds the sandbox: names, rosters, folders, zips, and every text that reaches a report."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
import subprocess
import sys
import unicodedata
import zipfile
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from exercises.grading import secret
from exercises.grading.sandbox import NoSandboxError, probe
from tests.grading import corpus

ROOT = Path(__file__).resolve().parents[2]
COURSE = """\
[course]
id = "attacked"

[assignment.pair]
title = "Two exercises"
exercises = [
    { exercise = "paired/exact_mcnemar", points = 3 },
    { exercise = "paired/mid_p", points = 2 },
]
"""
TEXTS = sorted(name for name, attack in corpus.attacks().items() if attack.kind == "texts")
SPOKEN = "<img src=x onerror=attackmark()> '\""
MARK = "attackmark"
NUMBER = re.compile(r"-?[\d.]+")
RIGHT = corpus.notebook([corpus.RIGHT_ANSWER, corpus.OTHER_ANSWER])
SCRIPTED = (  # names of people, as they can call themselves in a learning system
    "<script>attackmark()</script>",
    '"><img src=x onerror=attackmark()>',
    "=cmd|' /C calc'!A0",
    "+1+1",
    "@SUM(1+1)",
    "-2+3",
    "Ada; =1+1",
)


@pytest.fixture(scope="module", autouse=True)
def _sandbox() -> None:
    try:
        probe()
    except NoSandboxError as missing:
        pytest.skip(str(missing))


class Class:
    """A class in a folder of its own: course, roster, secret, submissions, and what grading it gave."""

    def __init__(self, folder: Path, people: Sequence[tuple[str, str]]) -> None:
        self.folder = folder
        self.submissions = folder / "submissions"
        self.submissions.mkdir(parents=True)
        self.out = folder / "results"
        (folder / "course.toml").write_text(COURSE, encoding="utf-8")
        with (folder / "roster.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("id", "name"), *people])
        secret.create(folder / "grading.secret")
        self.secret = (folder / "grading.secret").read_text(encoding="utf-8")

    def grade(self, submissions: Path) -> subprocess.CompletedProcess[str]:
        command = ["grade", str(submissions), "--roster", str(self.folder / "roster.csv"), "--out", str(self.out)]
        command += ["--course", str(self.folder / "course.toml"), "-j", "2"]
        done = subprocess.run(
            [sys.executable, "-m", "exercises", *command],
            cwd=ROOT,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=300,
            check=False,
            env=os.environ | {"GRADING_TOKEN": "CANARY0c1a0c1a"},
        )
        assert done.returncode in (0, 1), done.stderr
        return done

    def points(self) -> dict[str, str]:
        """What each student got, by id."""
        found = csv.DictReader((self.out / "marks.csv").read_text(encoding="utf-8").splitlines())
        return {row["student"].lstrip("'"): row["mark"] for row in found}

    def results(self) -> list[Path]:
        return [path for path in self.out.rglob("*") if path.is_file()]

    def says_nothing_it_should_not(self, done: subprocess.CompletedProcess[str]) -> None:
        for text in (done.stdout, done.stderr, *(path.read_text("utf-8") for path in self.results())):
            assert self.secret.strip() not in text
            assert "CANARY" not in text
            assert "root:x:0" not in text


# --- texts ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Class, subprocess.CompletedProcess[str]]:
    """A class in which everybody writes code into every text that is shown."""
    names = [*SCRIPTED, *(f"Student {SPOKEN}" for _ in TEXTS[len(SCRIPTED) :])]
    people = [(f"t{number:02}", name) for number, name in enumerate(names)] + [("honest", "Grace Hopper")]
    made = Class(tmp_path_factory.mktemp("texts"), people)
    for number, name in enumerate(TEXTS):
        file_name = f"t{number:02}_=1+1 <img src=x onerror={MARK}()> \x1b[2J\n{number}.ipynb"
        (made.submissions / file_name).write_bytes(corpus.attacks()[name].content())
    (made.submissions / f"<script>{MARK}()<script>\x1b[2J\u202e.ipynb").write_bytes(RIGHT)
    (made.submissions / "=1+1\n@SUM(1).ipynb").write_bytes(RIGHT)
    (made.submissions / "honest.ipynb").write_bytes(RIGHT)
    return made, made.grade(made.submissions)


class Elements(HTMLParser):
    """All elements of a page, and where they point."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    handle_startendtag = handle_starttag


def test_no_text_becomes_an_element_of_a_page(texts: tuple[Class, object]) -> None:
    pages = [path for path in texts[0].results() if path.suffix == ".html"]
    assert len(pages) >= len(TEXTS) + 2
    for page in pages:
        reader = Elements()
        reader.feed(page.read_text(encoding="utf-8"))
        for tag, attributes in reader.found:
            assert tag not in ("script", "img", "iframe", "object", "base", "form", "link"), page
            assert not any(name.startswith("on") for name in attributes), page
            assert "javascript:" not in str(attributes)
            assert MARK not in str(attributes) or set(attributes) <= {"title", "aria-label", "value", "id", "href"}
    told = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert f"&lt;script&gt;{MARK}()" in told  # it was shown, and as text


def test_no_text_steers_a_terminal_or_hides(texts: tuple[Class, subprocess.CompletedProcess[str]]) -> None:
    made, done = texts
    shown = [(path.name, path.read_text(encoding="utf-8")) for path in made.results()]
    for where, text in (*shown, ("output", done.stdout), ("complaints", done.stderr)):
        steering = {c for c in text if unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t\r"}
        assert not steering, (where, steering)
    for where, text in shown:
        if where.endswith(".html"):
            assert "\u202e" not in text.replace("<bdi>", ""), where


def test_no_text_starts_a_line_of_the_output(texts: tuple[Class, subprocess.CompletedProcess[str]]) -> None:
    for line in texts[1].stdout.splitlines():
        assert not line.startswith((MARK, "@SUM", "=", "0.ipynb", "1.ipynb"))


def test_no_cell_of_a_table_is_a_formula(texts: tuple[Class, object]) -> None:
    tables = [path for path in texts[0].results() if path.suffix == ".csv"]
    assert len(tables) >= 2
    for table in tables:
        for separator in ",;\t":
            for row in csv.reader(io.StringIO(table.read_text(encoding="utf-8")), delimiter=separator):
                for cell in row:
                    bare = cell.lstrip(' "')  # a guarded cell starts with an apostrophe
                    assert not bare.startswith(("=", "+", "-", "@")) or NUMBER.fullmatch(bare), (table.name, cell)


def test_texts_gain_nothing_and_leak_nothing(texts: tuple[Class, subprocess.CompletedProcess[str]]) -> None:
    made, done = texts
    points = made.points()
    assert float(points.pop("honest")) == 5
    assert all(float(each or 0) <= 3 / 7 + 2 + 0.005 for each in points.values())
    made.says_nothing_it_should_not(done)


# --- files ---------------------------------------------------------------------------------------------------------


def test_files_that_are_none_are_reported_and_never_read(tmp_path: Path) -> None:
    people = [(f"s{number}", f"Student {number}") for number in range(8)]
    made = Class(tmp_path / "class", people)
    (made.submissions / "s0.ipynb").write_bytes(RIGHT)
    (made.submissions / "s1.ipynb").symlink_to(made.folder / "grading.secret")
    (made.submissions / "s2.ipynb").symlink_to("/etc/passwd")
    (made.submissions / "s3").symlink_to("/etc")
    os.mkfifo(made.submissions / "s4.ipynb")
    with (made.submissions / "s5.ipynb").open("wb") as file:
        file.truncate(1 << 36)
    if os.geteuid() == 0:
        os.mknod(made.submissions / "s6.ipynb", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    (made.submissions / "s7.ipynb").symlink_to("s0.ipynb")
    done = made.grade(made.submissions)
    points = made.points()
    assert float(points["s0"]) == 5
    assert {student: float(each or 0) for student, each in points.items() if student != "s0"} == {
        f"s{number}": 0.0 for number in range(1, 8)
    }
    for name in ("s1.ipynb", "s2.ipynb", "s3", "s4.ipynb", "s7.ipynb"):
        assert name in done.stdout
    made.says_nothing_it_should_not(done)


def test_zips_lead_nowhere(tmp_path: Path) -> None:
    people = [(f"s{number}", f"Student {number}") for number in range(8)]
    made = Class(tmp_path / "class", people)
    handed_in = made.folder / "submissions.zip"
    with zipfile.ZipFile(handed_in, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("s0.ipynb", RIGHT)
        for name in ("../s1.ipynb", "/tmp/attackmark/s2.ipynb", "x/../../s3.ipynb", "..\\s3.ipynb", "C:/s3.ipynb"):
            archive.writestr(name, RIGHT)
        link = zipfile.ZipInfo("s4.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, str(made.folder / "grading.secret"))
        archive.writestr("s5.ipynb", b"0" * 300_000_000)
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as nested:
            nested.writestr("s6.ipynb", RIGHT)
        archive.writestr("s6.zip", inner.getvalue())
        archive.writestr("s7/results/marks.csv", "student,total\ns7,999\n")
        archive.writestr("s7/exercises/__init__.py", "import os; os.system('touch /tmp/attackmark_zip')")
    before = {path for path in tmp_path.rglob("*")}
    done = made.grade(handed_in)
    new = {path for path in tmp_path.rglob("*")} - before
    assert all(path.is_relative_to(made.out) for path in new)
    assert not Path("/tmp/attackmark").exists()
    assert not Path("/tmp/attackmark_zip").exists()
    points = made.points()
    assert float(points["s0"]) == 5
    assert all(float(each or 0) == 0 for student, each in points.items() if student != "s0")
    made.says_nothing_it_should_not(done)


def test_a_notebook_cannot_say_whose_it_is(tmp_path: Path) -> None:
    made = Class(tmp_path / "class", [("s0", "Ada"), ("s1", "Grace")])
    mine = json.loads(RIGHT)
    mine["metadata"] = {"student": "s0", "authors": [{"name": "Ada", "id": "s0"}], "title": "s0"}
    mine["cells"].insert(0, {"cell_type": "markdown", "metadata": {"student": "s0"}, "source": "Name: Ada (s0)"})
    (made.submissions / "s1.ipynb").write_text(json.dumps(mine), encoding="utf-8")
    made.grade(made.submissions)
    points = made.points()
    assert float(points["s1"]) == 5
    assert float(points["s0"] or 0) == 0
