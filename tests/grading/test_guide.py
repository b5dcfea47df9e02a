"""The guide for instructors, followed to the letter: its commands work and print what it says they print."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "book" / "appendix" / "grading.md").read_text(encoding="utf-8")
WALK = GUIDE[GUIDE.index("## Ten minutes") : GUIDE.index("## Your own class")]
FENCE = re.compile(r"^```(bash|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def shell(command: str, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr  # 1 means that something needs a person, and something does
    return done.stdout


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which somebody has done what the guide says."""
    folder = tmp_path_factory.mktemp("instructor")
    said = ""
    for kind, body in FENCE.findall(WALK):
        if kind == "bash":
            said = shell(body, folder)
        else:
            assert body in said, f"the guide promises\n{body}\nand the command said\n{said}"
    return folder


def test_the_walk_has_commands_and_what_they_say() -> None:
    kinds = [kind for kind, _ in FENCE.findall(WALK)]
    assert kinds.count("bash") == 4
    assert kinds.count("text") == 2


def test_the_walk_ends_with_a_file_for_canvas(followed: Path) -> None:
    with (followed / "class" / "canvas.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    marks = {row[0]: row[-1] for row in rows}
    assert marks["Adjei, Abena"] == marks["    Points Possible"]
    assert float(marks["Gupta, Rohan"]) < float(marks["Berg, Nils"])
    assert marks["Kim, Minseo"] == "0"


def test_the_files_that_it_names_are_there(followed: Path) -> None:
    for name in set(re.findall(r"`(class/[^`]+)`", WALK)):
        assert (followed / name).exists(), name
    assert (followed / "class/results/feedback/s1006.html").exists()


def test_the_copy_is_pointed_out_and_nobody_else(followed: Path) -> None:
    found = {}
    for name in ("same.csv", "similar.csv"):
        with (followed / "class/results" / name).open(encoding="utf-8", newline="") as file:
            found[name] = list(csv.DictReader(file))
    assert [row["students"] for row in found["same.csv"]] == ["s1008; s1009"]
    assert found["similar.csv"] == []


def test_the_same_command_again_grades_nothing(followed: Path) -> None:
    grade = next(body for kind, body in FENCE.findall(WALK) if kind == "bash" and " grade " in body)
    assert "Graded now: 0. As they were, and so kept: 11." in shell(grade, followed)


def test_every_option_that_the_guide_names_exists() -> None:
    words = {word for command in ("grade", "changes", "secret", "example") for word in _help(command)}
    words |= {word for system in ("canvas", "moodle", "gradescope", "nbgrader") for word in _help("export", system)}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", GUIDE))
    assert named <= words, named - words


def _help(*command: str) -> list[str]:
    run = [sys.executable, "-m", "exercises", *command, "--help"]
    said = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return re.findall(r"--[a-z][a-z-]*", said)
