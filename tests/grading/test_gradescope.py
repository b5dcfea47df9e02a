"""The autograder for Gradescope, unpacked and run as the platform lays it out, with honest and hostile submissions."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from exercises import catalogue
from exercises.grading import course, roster, sandbox, secret
from exercises.grading.exports import gradescope
from exercises.grading.exports.at_gradescope import results, run
from exercises.grading.inside import confine
from exercises.grading.marks import Attempt, mark
from exercises.grading.overrides import Override
from exercises.grading.records import CheckMark, ExerciseMark, Graded, Limits, Mode
from exercises.run import Verdict

COURSE = """
[course]
id = "stats"

[assignment.paired]
title = "Two systems, the same items"
due = 2027-03-01T12:00:00+01:00
penalty_of_total_per_day = 0.1
exercises = [
    { exercise = "paired/exact_mcnemar", points = 3 },
    { exercise = "paired/verdict", points = 2 },
    { manual = "report", points = 5 },
]
"""
EXTENDED = """
[assignment.paired.extensions]
s17 = { due = 2027-03-05T12:00:00+01:00, reason = "illness" }
"bob@example.org" = { due = 2027-03-04T12:00:00Z, reason = "illness" }
"""
IMPATIENT = "cell_seconds = 6\nsubmission_seconds = 15\n"  # enough for what is light
STUDENT = "ada@example.org"
MODES = (Mode.BUBBLEWRAP.value, Mode.LANDLOCK.value)

# What Gradescope's specification of results.json says of the fields that we use, in our own words.
TEXTS = {"output": {"type": "string"}, "output_format": {"const": "text"}, "visibility": {"const": "visible"}}
RESULTS = {
    "type": "object",
    "required": ["score", "output", "tests"],
    "additionalProperties": False,
    "properties": {
        **TEXTS,
        "score": {"type": "number", "minimum": 0},
        "test_output_format": {"const": "text"},
        "test_name_format": {"const": "text"},
        "stdout_visibility": {"const": "hidden"},
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "score", "max_score", "status", "output"],
                "additionalProperties": False,
                "properties": {
                    **TEXTS,
                    "name": {"type": "string"},
                    "name_format": {"const": "text"},
                    "score": {"type": "number", "minimum": 0},
                    "max_score": {"type": "number", "minimum": 0},
                    "status": {"enum": ["passed", "failed"]},
                },
            },
        },
    },
}


def solution(name: str) -> str:
    return (catalogue.SOLUTIONS / f"{name}.py").read_text(encoding="utf-8")


def notebook(*cells: str) -> bytes:
    made = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


LIGHT = """
from math import comb

def exact_mcnemar(b, c):
    ways = sum(comb(b + c, k) for k in range(min(b, c) + 1))
    return min(1.0, 2 * ways / 2 ** (b + c))
"""
MCNEMAR, VERDICT = solution("paired/exact_mcnemar"), solution("paired/verdict")
STUB = catalogue.text("paired/exact_mcnemar", "starter.py")
TOO_LARGE = "def exact_mcnemar(b, c):\n    return 2.0"


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with course.toml, the course's secret and autograder.zip."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "course.toml").write_text(COURSE, encoding="utf-8")
    secret.create(folder / "grading.secret")
    gradescope.write("paired", folder / "course.toml", folder / "grading.secret", folder / "autograder.zip")
    return folder


class Platform:
    """Gradescope's container: /autograder as the platform makes it, /opt/grading as `setup.sh` leaves it."""

    def __init__(self, folder: Path, archive: Path) -> None:
        self.folder = folder
        folder.mkdir()
        folder.chmod(0o755)
        self.unpack(archive)
        shutil.copy(folder / "source" / "run_autograder", folder / "run_autograder")
        (folder / "run_autograder").chmod(0o755)
        (folder / "submission").mkdir()
        (folder / "results").mkdir()
        self.printed = ""

    def unpack(self, archive: Path) -> None:
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(self.folder / "source")  # forgets all rights: everybody may read

    def run(self, files: dict[str, bytes], only: str | None = None, **metadata: Any) -> dict[str, Any]:
        """Hand files in and run the autograder; what it wrote."""
        for name, content in files.items():
            path = self.folder / "submission" / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        about = {"id": 1, "users": [{"email": STUDENT, "id": 7, "name": "Ada"}], "created_at": None, **metadata}
        (self.folder / "submission_metadata.json").write_text(json.dumps(about), encoding="utf-8")
        settings = {"PATH": os.environ["PATH"]} | ({run.ONLY: only} if only else {})
        done = subprocess.run(
            self.inside("/autograder/run_autograder"),
            capture_output=True,
            text=True,
            env=settings,
            timeout=120,
            check=True,
        )
        self.printed = done.stdout + done.stderr
        written = (self.folder / "results" / "results.json").read_text(encoding="utf-8")
        found: dict[str, Any] = json.loads(written)
        jsonschema.validate(found, RESULTS)
        assert [path.name for path in (self.folder / "results").iterdir()] == ["results.json"]
        return found

    def inside(self, program: str) -> list[str]:
        """A command in a container that has a system, this folder as /autograder, and nothing of the checkout."""
        options = ["--unshare-pid", "--proc", "/proc", "--dev-bind", "/dev", "/dev", "--ro-bind", "/sys", "/sys"]
        for name in ("usr", "etc", "bin", "sbin", "lib", "lib64"):
            if (path := Path("/", name)).is_symlink():
                options += ["--symlink", os.readlink(path), str(path)]
            elif path.is_dir():
                options += ["--ro-bind", str(path), str(path)]
        options += ["--perms", "1777", "--tmpfs", "/tmp", "--bind", str(self.folder), "/autograder"]
        return ["bwrap", *options, *self._python(), "--die-with-parent", "--chdir", "/autograder", "--", program]

    def _python(self) -> list[str]:
        """This Python and its packages, where `setup.sh` would have put them."""
        base = Path(sys.base_prefix)
        moved = Path("/usr") if base == Path("/usr") else Path("/opt/grading/python")
        settings = self.folder / "pyvenv.cfg"
        settings.write_text(f"home = {moved / 'bin'}\n", encoding="utf-8")
        program = moved / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
        # without --dir, bubblewrap gives new folders the rights of what lies in them elsewhere
        options = [word for name in ("", "/grading", "/grading/venv") for word in ("--dir", f"/opt{name}")]
        options += [] if base == moved else ["--ro-bind", str(base), str(moved)]
        options += ["--ro-bind", f"{sys.prefix}/lib", "/opt/grading/venv/lib"]
        options += ["--ro-bind", str(settings), "/opt/grading/venv/pyvenv.cfg"]
        return [*options, "--symlink", str(program), "/opt/grading/venv/bin/python"]


def changed(exported: Path, folder: Path, lines: str) -> Path:
    """The autograder of the same course, with more lines for its assignment."""
    (folder / "changed.toml").write_text(COURSE.replace("due =", f"{lines}due ="), encoding="utf-8")
    return gradescope.write("paired", folder / "changed.toml", exported / "grading.secret", folder / "changed.zip")


@pytest.fixture
def platform(exported: Path, tmp_path: Path) -> Platform:
    if os.geteuid() != 0:
        pytest.skip("Gradescope's container runs as root, and only root can lay it out here")
    return Platform(tmp_path / "autograder", exported / "autograder.zip")


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    only: str = request.param
    if only == Mode.LANDLOCK and not confine.landlock_version():
        pytest.skip("this kernel has no Landlock")
    return only


# ---- the zip ---------------------------------------------------------------------------------------------------------


def test_zip_holds_what_grading_needs_and_nothing_else(exported: Path) -> None:
    with zipfile.ZipFile(exported / "autograder.zip") as archive:
        contents = {name: archive.read(name).decode() for name in archive.namelist()}
        assert archive.getinfo("run_autograder").external_attr >> 16 == 0o100700
    own = {"setup.sh", "run_autograder", "README.md", "autograder.json", "course.toml", "grading.secret"}
    own |= {"requirements.txt", "constraints.txt", "python-version"}
    folders = {name.partition("/")[0] for name in contents if "/" in name}
    assert {name for name in contents if "/" not in name} == own
    assert folders == {"exercises", "evalstats"}
    assert {Path(name).suffix for name in contents if "/" in name} == {".py", ".json"}
    answers = {path.read_text(encoding="utf-8") for path in catalogue.SOLUTIONS.rglob("*.py")}
    assert not answers & set(contents.values())
    key = (exported / "grading.secret").read_text(encoding="ascii").strip()
    assert not any(key in text for text in contents.values())
    assert "://" not in contents["requirements.txt"] + contents["constraints.txt"] + contents["setup.sh"]


def test_zip_is_private_and_the_same_again(exported: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.zip"
    gradescope.write(None, exported / "course.toml", exported / "grading.secret", again)
    assert again.read_bytes() == (exported / "autograder.zip").read_bytes()
    assert again.stat().st_mode & 0o777 == 0o600


def test_inputs_are_those_of_a_local_run(exported: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(exported / "autograder.zip") as archive:
        archive.extract("grading.secret", tmp_path)
    (tmp_path / "grading.secret").chmod(0o600)
    there = secret.read(tmp_path / "grading.secret")
    here = secret.read(exported / "grading.secret")
    names = ("stats", STUDENT, "paired/verdict")
    assert there.seed(*names) == here.for_assignment("stats", "paired").seed(*names)
    assert there.seed(*names) not in (here.seed(*names), here.for_assignment("stats", "intervals").seed(*names))


def test_everything_that_grading_imports_is_installed() -> None:
    """A run's modules and all checks load where only the pinned packages are, and what these require."""
    names = {re.match(r"[\w.-]+", need)[0] for each in gradescope.NEEDED for need in _needs(each)}  # type: ignore[index]
    there = {name.lower() for name in (*gradescope.NEEDED, *names)}
    others = [
        name for name, owners in packages_distributions().items() if not there & {each.lower() for each in owners}
    ]
    code = f"""
import sys
from importlib.abc import MetaPathFinder

class NotInstalled(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {set(others) - {"exercises", "evalstats"}!r}:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, NotInstalled())
from exercises import catalogue
from exercises.grading import seccomp
from exercises.grading.exports.at_gradescope import run
for name in catalogue.names():
    catalogue.load(name)
seccomp.filters()
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_pins_are_those_of_the_lock() -> None:
    locked = gradescope.LOCK.read_text(encoding="utf-8").splitlines()
    pins = gradescope._pins({"scipy", "numpy"})["requirements.txt"].splitlines()
    assert [pin.partition("==")[0] for pin in pins] == ["numpy", "scipy"]
    assert set(pins) <= set(locked)
    with pytest.raises(ValueError, match="has no pin of torch"):
        gradescope._pins({"torch"})


def _needs(package: str) -> list[str]:
    return [need for need in requires(package) or () if "extra ==" not in need]


@pytest.mark.parametrize("script", ["setup.sh", "run_autograder"])
def test_scripts_are_valid_bash(script: str) -> None:
    subprocess.run(["bash", "-n", str(gradescope.SCRIPTS / script)], check=True)


def test_refusals_name_what_is_wrong(exported: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"must end in \.zip"):
        gradescope.write("paired", exported / "course.toml", exported / "grading.secret", tmp_path / "autograder")
    with pytest.raises(ValueError, match=r"'pared' \(did you mean 'paired'\?\)"):
        gradescope.write("pared", exported / "course.toml", exported / "grading.secret", tmp_path / "a.zip")
    with pytest.raises(ValueError, match="there is no secret"):
        gradescope.write("paired", exported / "course.toml", tmp_path / "none.secret", tmp_path / "a.zip")


# ---- honest submissions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "mcnemar", "verdict"),
    [
        ((MCNEMAR, VERDICT), 3.0, 2.0),
        ((STUB, VERDICT), 0.0, 2.0),
        ((TOO_LARGE, VERDICT), 0.0, 2.0),
        (("def exact_mcnemar(b, c):\n    return (", VERDICT), 0.0, 2.0),
        ((LIGHT, "import sys\nsys.exit()", VERDICT), 3.0, 2.0),
    ],
    ids=["right", "stub", "wrong", "syntax error", "crash"],
)
def test_honest(platform: Platform, mode: str, cells: tuple[str, ...], mcnemar: float, verdict: float) -> None:
    found = platform.run({"work.ipynb": notebook(*cells)}, mode)
    assert [(test["score"], test["max_score"]) for test in found["tests"]] == [(mcnemar, 3.0), (verdict, 2.0)]
    assert found["score"] == mcnemar + verdict
    assert found["extra_data"]["mode"] == mode
    assert found["output"].startswith(f"{mcnemar + verdict:g} of 5 points")
    assert "a person marks" in found["output"]
    rights = {name: (platform.folder / name).stat().st_mode & 0o777 for name in ("source", "submission", "results")}
    assert set(rights.values()) == {0o700}
    assert (platform.folder / "submission_metadata.json").stat().st_mode & 0o777 == 0o600


def test_the_best_sandbox_late_work_and_what_systems_leave_beside_it(platform: Platform) -> None:
    beside = {".ipynb_checkpoints/work.ipynb": b"", "__MACOSX/._work.ipynb": b"", ".DS_Store": b"", "data.csv": b""}
    files = {"work.ipynb": notebook(LIGHT, VERDICT), **beside}
    found = platform.run(files, created_at="2027-03-02T11:30:00.123456-08:00")
    assert found["extra_data"]["mode"] == sandbox.probe()
    assert found["score"] == 5 - 2 * 0.1 * 10
    assert "2 points less, of 5" in found["output"]


# ---- what is not graded ----------------------------------------------------------------------------------------------


def test_without_a_sandbox_nothing_is_graded(platform: Platform) -> None:
    found = platform.run({"work.ipynb": notebook(LIGHT, VERDICT)}, "none")
    assert (found["score"], found["tests"]) == (0, [])
    assert "tell your instructor" in found["output"]
    assert "without a sandbox" in platform.printed


@pytest.mark.parametrize("only", ["trusted", "none", ""])
def test_nobody_can_ask_for_no_sandbox(monkeypatch: pytest.MonkeyPatch, only: str) -> None:
    monkeypatch.setenv(run.ONLY, only)
    with pytest.raises(sandbox.NoSandboxError):
        run._sandbox()
    assert run.ONLY not in os.environ


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ((), "No file was handed in."),
        (("a.ipynb", "part/b.ipynb"), "2 files could be the one to grade (a.ipynb, b.ipynb)"),
        (("answers.pdf",), "No notebook is among what was handed in (answers.pdf)"),
        (tuple(f"{number}.txt" for number in range(9)), "(0.txt, 1.txt, 2.txt, 3.txt, 4.txt, ...)"),
        (tuple(f"{number}.ipynb" for number in range(1_001)), "More than 1,000 files"),
    ],
    ids=["none", "two", "another kind", "several of another kind", "many"],
)
def test_what_cannot_be_graded_is_told(tmp_path: Path, files: tuple[str, ...], told: str) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    with pytest.raises(run.HandInError, match=re.escape(told)):
        run.handed_in(tmp_path)


@pytest.mark.parametrize(
    ("name", "told"), [("\x1b[31m<b>.txt", "(\\x1b[31m<b>.txt)"), ("work.ipynb", "The file is empty.")]
)
def test_the_learner_is_told(platform: Platform, name: str, told: str) -> None:
    found = platform.run({name: b""})
    assert told in found["output"]
    assert found["score"] == 0


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "work.ipynb").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe.ipynb")
    with pytest.raises(run.HandInError, match="No file was handed in"):
        run.handed_in(tmp_path)


def test_an_error_of_the_autograder_is_told(platform: Platform) -> None:
    found = platform.run({"work.ipynb": notebook(LIGHT)}, users=[])
    assert "no fault of yours" in found["output"]
    assert "Traceback" in platform.printed


# ---- hostile submissions ---------------------------------------------------------------------------------------------

# What a notebook of a hostile student begins with. Each part adds to `won` what it could do.
QUIET = """
import os
won = []
for place in ("/autograder/results/results.json", "/autograder/results/x", "/autograder/run_autograder"):
    try:
        open(place, "a").write('{"score": 999}')
        won.append(place)
    except OSError:
        pass
for place in ("source", "source/grading.secret", "source/course.toml", "source/autograder.json", "submission",
              "source/exercises/paired/exact_mcnemar/check.py", "submission_metadata.json", "results"):
    for read in (os.listdir, lambda path: open(path).read()):
        try:
            won.append(read("/autograder/" + place))
        except OSError:
            pass
for process in [name for name in (os.listdir("/proc") if os.path.isdir("/proc") else []) if name.isdigit()]:
    try:
        if int(process) not in (os.getpid(), os.getppid()):
            won.append(open(f"/proc/{process}/environ").read())
    except OSError:
        pass
for change in (os.setuid, os.seteuid, os.setgid):
    try:
        change(0)
        won.append(change)
    except OSError:
        pass
"""
LOUD = {
    "quiet": "pass",
    "kills": "import signal\nfor process in (os.getppid(), -1, 1):\n    os.kill(process, signal.SIGKILL)",
    "never ends": "while True:\n    pass",
    "forks": "import time\nfor _ in range(200):\n    if not os.fork():\n        time.sleep(1)\n        os._exit(0)",
}
SELF_HARM = ("kills", "forks")  # to the other cells of the same notebook
GAIN = f"{LIGHT}\nright = exact_mcnemar\n\ndef exact_mcnemar(b, c):\n    return right(b, c) if won else 2.0\n"
ELSEWHERE = ("never ends", "forks")  # under bubblewrap these belong to the corpus of attacks


@pytest.mark.parametrize(
    ("mode", "attack"),
    [(mode, attack) for mode in MODES for attack in LOUD if mode == Mode.LANDLOCK or attack not in ELSEWHERE],
    indirect=["mode"],
)
def test_attacks_win_nothing(platform: Platform, exported: Path, tmp_path: Path, mode: str, attack: str) -> None:
    """The answer is right only if something was won; the other exercise still counts."""
    platform.unpack(changed(exported, tmp_path, IMPATIENT))
    found = platform.run({"work.ipynb": notebook(VERDICT, QUIET, GAIN, LOUD[attack])}, mode)
    mcnemar, verdict = (test["score"] for test in found["tests"])
    assert mcnemar == 0
    assert verdict == 2 or attack in SELF_HARM
    key = (platform.folder / "source" / "grading.secret").read_text(encoding="ascii").strip()
    assert key not in json.dumps(found) + platform.printed


def test_attacks_would_win_without_a_sandbox(platform: Platform) -> None:
    (platform.folder / "submission_metadata.json").write_text("{}", encoding="utf-8")
    command = [*platform.inside("/opt/grading/venv/bin/python"), "-c", f"{QUIET}\nprint(len(won))"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) >= 3 + 8 + 3


LEAKS = """
def exact_mcnemar(b, c):
    if b == c == 0:
        raise ValueError("<b>\\x1b[31m\\u202e")
    return f"<script>\\x1b[31m{b} {c} hidden {'x' * 5000}"

def verdict(*arguments):
    raise ValueError(f"<b>\\u202e{arguments} hidden")
"""


def test_texts_are_plain_and_say_nothing_of_hidden_inputs(platform: Platform, mode: str) -> None:
    found = platform.run(
        {"work.ipynb": notebook(LEAKS, r"1 / 0; '\x1b[31m'", r"raise ValueError('\x1b[31m\u202e')")}, mode
    )
    told = "\n".join([found["output"], *(test["output"] for test in found["tests"])])
    assert told.count("\\x1b[31m\\u202e") >= 2
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert "stay hidden" in found["output"]
    drawn = catalogue.load("paired/exact_mcnemar").drawn(_seed(platform, "paired/exact_mcnemar"))
    assert f"{drawn['b']} {drawn['c']} hidden" not in told
    assert "45 25 hidden" in told  # the worked table is the same for everybody


def test_no_text_steers_whatever_is_in_a_record(exported: Path) -> None:
    bad = "<b>\x1b[31m\u202e" + "x" * 100_000
    checks = tuple(CheckMark("says", verdict, False, bad, bad, bad) for verdict in (Verdict.FAILED, Verdict.CRASHED))
    went = (ExerciseMark("paired/verdict", checks, (bad,)),)
    described = course.read(exported / "course.toml")
    for graded in (Graded(went, problems=(bad,) * 50), Graded(unreadable=bad)):
        who = run.Submitter(STUDENT, None)
        attempt = Attempt(STUDENT, 1, graded, file_name=bad)
        (marked,) = mark([attempt], described, described.assignments[0], [who]).students
        found = results.results(marked, graded, described.assignments[0], "")
        jsonschema.validate(found, RESULTS)
        told = [found["output"], *(test["output"] for test in found["tests"])]
        assert not re.search("[\x1b\u202e]", "".join(told))
        assert all(0 < len(text) <= results.MOST for text in told)


def test_a_late_mark_with_manual_points_differs_from_a_local_one_as_the_readme_says() -> None:
    due = datetime(2027, 3, 1, tzinfo=UTC)
    worths = (course.Worth("paired/mid_p", Fraction(4)), course.Worth("essay", Fraction(6), manual=True))
    late = course.Assignment("set", "Set", worths, due=due, penalty_of_total_per_day=Fraction(3, 10))
    graded = Graded((ExerciseMark("paired/mid_p", (CheckMark("is right", Verdict.FAILED, drawn=False),)),))
    attempt = Attempt("ada", 1, graded, due + timedelta(days=1))
    person, essay = roster.Student("ada", "Ada"), Override("ada", "essay", Fraction(6), "well argued")
    here, there = (
        mark([attempt], course.Course("c", "C", (late,)), late, [person], given).students[0] for given in ([], [essay])
    )
    assert results.results(here, graded, late, "")["score"] + 6 == 6  # Gradescope adds the six points of the essay
    assert there.final == 3
    assert "gets another mark here" in (Path(results.__file__).parent / "README.md").read_text(encoding="utf-8")


def test_hidden_inputs_are_shown_if_the_course_says_so(platform: Platform, exported: Path, tmp_path: Path) -> None:
    platform.unpack(changed(exported, tmp_path, "show_inputs = true\n"))
    found = platform.run({"work.ipynb": notebook(LEAKS)})
    drawn = catalogue.load("paired/exact_mcnemar").drawn(_seed(platform, "paired/exact_mcnemar"))
    assert f"{drawn['b']} {drawn['c']} hidden" in "\n".join(test["output"] for test in found["tests"])
    assert "stay hidden" not in found["output"]


def _seed(platform: Platform, exercise: str) -> int:
    return secret.read(platform.folder / "source" / "grading.secret").seed("stats", STUDENT, exercise)


# ---- who, and how much -----------------------------------------------------------------------------------------------


def test_students_are_known_by_their_addresses() -> None:
    metadata = {
        "users": [{"email": "Zoe@Example.org "}, {"email": "Ada@example.org"}],
        "previous_submissions": [{}, {}],
    }
    assert run.submitter(metadata, {}) == run.Submitter("ada@example.org", None, 3)
    assert run.submitter(metadata, {"ada@example.org": "s17"}).id == "s17"


def test_a_roster_brings_its_ids(exported: Path, tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text("id,name,email\ns17,Ada,Ada@Example.org\ns18,Bob,\n", encoding="utf-8")
    files = (exported / "course.toml", exported / "grading.secret")
    archive = gradescope.write("paired", *files, tmp_path / "a.zip", tmp_path / "roster.csv")
    with zipfile.ZipFile(archive) as opened:
        settings = json.loads(opened.read("autograder.json"))
    assert settings == {"assignment": "paired", "students": {STUDENT: "s17"}}
    assert gradescope.remarks("paired", exported / "course.toml", tmp_path / "roster.csv") == []


def test_without_a_roster_it_is_said_what_does_not_match(tmp_path: Path) -> None:
    path = tmp_path / "course.toml"
    path.write_text(COURSE, encoding="utf-8")
    (inputs,) = gradescope.remarks("paired", path, None)
    assert "whoever has another id in your roster gets other hidden inputs there" in inputs
    path.write_text(COURSE + EXTENDED, encoding="utf-8")
    _, extensions = gradescope.remarks("paired", path, None)
    assert extensions.endswith("do not reach their students without --roster: s17")


def test_memory_fits_the_container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(run, "MEMORY_LIMITS", (str(limit),))
    usual = Limits()
    assert run.fitting(usual) == usual
    for said, wanted in (
        ("max\n", usual.memory_bytes),
        ("805306368\n", 512 * 1024**2),
        (str(1024**4), usual.memory_bytes),
    ):
        limit.write_text(said, encoding="ascii")
        assert run.fitting(usual) == replace(usual, memory_bytes=wanted)


def test_course_file_in_the_zip_is_the_course_without_reasons_and_other_assignments(
    exported: Path, tmp_path: Path
) -> None:
    path = tmp_path / "course.toml"
    path.write_text(
        COURSE.replace(
            "[assignment", 'title = "Estadística \U0001f4ca \\"x\\""\n[defaults]\nrounding = 0.5\n[assignment'
        )
        + EXTENDED
        + '[assignment.intervals]\nexercises = [{ exercise = "intervals/wilson", points = 3 }]\n',
        encoding="utf-8",
    )
    archive = gradescope.write("paired", path, exported / "grading.secret", tmp_path / "a.zip")
    with zipfile.ZipFile(archive) as opened:
        text = opened.read("course.toml").decode()
    assert "illness" not in text
    there, here = tmp_path / "there.toml", course.read(path)
    there.write_text(text, encoding="utf-8")
    paired = here.assignment("paired")
    assert len(paired.extensions) == 2
    granted = tuple(replace(each, reason="granted") for each in paired.extensions)
    assert course.read(there) == replace(here, assignments=(replace(paired, extensions=granted),))
    assert course.read(exported / "course.toml").assignment("paired").total == 10
