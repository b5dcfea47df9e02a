"""The set-up, the stages and the promises that the top-level files make."""

from __future__ import annotations

import ast
import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import TypeGuard

import pytest
import yaml
from docutils import nodes

from book.tools import build, chromium, install, places, serve, site, targets
from book.tools.places import ROOT, Failure, Refusal

TOP_LEVEL = set(
    ".ci .github .gitignore CHANGELOG.md CONTRIBUTING.md LICENSE Makefile README.md _config.yml _toc.yml book "
    "course.toml evalstats exercises pyproject.toml requirements.lock solutions tests".split()
)
TEXT = {".md", ".py", ".toml", ".yml", ".yaml", ".json", ".html", ".css", ".ts", ".mjs", ".ipynb", ".txt", ".lock", ""}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def tracked() -> list[Path]:
    """The files of the repository, as git knows them."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def texts() -> Iterator[tuple[Path, str]]:
    for path in tracked():
        if path.suffix in TEXT:
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def found_outside_these_tests(pattern: re.Pattern[str]) -> list[str]:
    """Where a forbidden text stands; the tests of the course may name what they forbid."""
    here = Path("tests/course")
    return [f"{path}: {found[0]}" for path, text in texts() if path.parent != here and (found := pattern.search(text))]


# ---- what is committed -----------------------------------------------------------------------------------------------


def test_every_line_of_the_lock_is_a_pin_without_address() -> None:
    pin = re.compile(r"^[a-z0-9-]+==[A-Za-z0-9.+!]+( ; [^@]+)?$")
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    assert len(lines) > 100
    assert [line for line in lines if not pin.match(line) or "://" in line] == []


def test_the_lock_pins_every_dependency_that_building_and_testing_need() -> None:
    pinned = {line.split("==")[0] for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()}
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = list(PROJECT["project"]["dependencies"])
    wanted += [requirement for extra in extras if extra != "models" for requirement in extras[extra]]
    names = {re.split(r"[\[=<>]", requirement)[0] for requirement in wanted} - {"evalstats-course"}
    assert sorted(names - pinned) == []
    assert not pinned & {re.split("==", requirement)[0] for requirement in extras["models"]}


def test_every_dependency_says_what_it_is_for() -> None:
    section = (ROOT / "pyproject.toml").read_text(encoding="utf-8").split("\ndependencies = [")[1].split("\n[tool.")[0]
    named = [line for line in section.splitlines() if line.startswith('    "') and "evalstats-course" not in line]
    assert len(named) > 20
    assert [line for line in named if not re.search(r'",\s+# \w', line)] == []


def test_nothing_tells_a_reader_to_install_the_stranger() -> None:
    stranger = re.compile(r"(pip3?|uv|pipx|conda|poetry)( pip)? (install|add)\b[^\n`\"']*\bevalstats\b(?!-course|/)")
    assert found_outside_these_tests(stranger) == []


def test_the_address_of_the_repository_stands_once() -> None:
    address = places.repository_address()
    assert address.startswith("https://")
    written = [path for path, text in texts() for _ in range(text.count(address)) if path.suffix != ".ipynb"]
    assert [str(path) for path in written] == ["pyproject.toml"]  # notebooks are made, and carry it when they travel


def test_the_top_level_holds_what_the_map_shows_and_nothing_else() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in tracked()} == TOP_LEVEL


def test_no_file_names_a_machine_or_a_registry() -> None:
    machine = re.compile(r"(?<![\w.~-])/(home|Users|root|work)/[A-Za-z]|registry\.npmjs|pypi\.org/simple|pythonhosted")
    assert found_outside_these_tests(machine) == []


def test_the_wheel_holds_both_packages_with_their_data_and_no_answers(tmp_path: Path) -> None:
    command = [places.venv_program("uv"), "build", "--wheel", "--no-build-isolation", "--offline", "-o", tmp_path]
    if not places.venv_program("uv").exists():
        command[0] = shutil.which("uv") or "uv"
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=places.environment())
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert wheel.name.startswith("evalstats_course-")
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"evalstats", "exercises"}
    committed = {p.relative_to(ROOT).as_posix() for p in tracked()}
    packaged = {name for name in committed if name.startswith(("evalstats/", "exercises/"))}
    assert sorted(packaged - set(names)) == []
    assert "evalstats/py.typed" in names


# ---- targets ---------------------------------------------------------------------------------------------------------


def test_make_and_the_tools_know_the_same_targets() -> None:
    rows = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", "").splitlines()
    (line,) = [row for row in rows if row.startswith("TARGETS =")]
    assert line.split("=")[1].split() == list(targets.TARGETS)


def test_help_and_contributing_name_every_target() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name in targets.TARGETS:
        assert re.search(rf"^  {name} ", targets.usage(), re.M), name
        assert re.search(rf"`(make )?{name}`|make [a-z ]*{name}", contributing), name


def test_an_unknown_target_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for asked, said in {
        "bok": "There is no target 'bok'. Did you mean 'book'? `",
        "sreve": "There is no target 'sreve'. Did you mean 'serve'? `",
        "xyz": "There is no target 'xyz'. `",
        "PROT=8001": "There is no setting 'PROT'. Did you mean 'PORT'? `",
    }.items():
        assert targets.main(["book", asked]) == 2
        error = capsys.readouterr().err
        assert error.startswith(said)
        assert error.endswith("help` lists what there is.\n")
        assert error.count("\n") == 1


def test_what_a_target_works_on_may_follow_it() -> None:
    for words in (["chapter", "paired"], ["chapter", "STEM=paired"], ["STEM=paired", "chapter"]):
        assert targets.understood(words) == (["chapter"], {"STEM": "paired"})
    assert targets.understood(["new-exercise", "paired/odds", "test"]) == (
        ["new-exercise", "test"],
        {"NAME": "paired/odds"},
    )
    assert targets.understood(["watch", "serve"]) == (["watch", "serve"], {})
    assert targets.understood(["lint", "paired"]) == (["lint", "paired"], {})


def test_a_target_without_its_chapter_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(targets, "set_up", lambda: None)
    for name, needed in targets.WORKS_ON.items():
        monkeypatch.setenv(needed, "")
        if name != "watch":
            assert targets.main([name]) == 1
            assert capsys.readouterr().err.startswith(f"{needed} says which one: ")


def test_what_is_laid_out_is_made_too(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[tuple[str, ...]] = []
    monkeypatch.setattr(targets, "python", lambda *words: ran.append(words))
    for name, value in {"STEM": "power", "TITLE": "How many items", "NAME": "power/sample_size"}.items():
        monkeypatch.setenv(name, value)
    targets.new_chapter()
    targets.new_exercise()
    assert ran == [
        ("book.tools.recipe", "chapter", "power", "--title", "How many items"),
        ("book.tools.notebooks", "power"),
        ("book.tools.recipe", "exercise", "power/sample_size"),
        ("exercises", "worksheet", "power"),
    ]


@pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
def test_make_too_knows_what_was_meant() -> None:
    done = subprocess.run(["make", "bok", f"PYTHON={sys.executable}"], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr.startswith("There is no target 'bok'. Did you mean 'book'? `make help`")


@pytest.mark.parametrize(
    "arguments", [["-h"], ["--help"], ["help"], [], ["serve", "-h"], ["bok", "--help"], ["book", "help"]]
)
def test_help_is_to_be_had_anywhere(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert targets.main(arguments) == 0
    for_readers, for_authors = capsys.readouterr().out.split("for readers:")[1].split("for authors:")
    for whom, names in ((for_readers, "book serve lab clean distclean"), (for_authors, "test lint worksheets lock")):
        assert all(re.search(rf"^  {name} ", whom, re.M) for name in names.split())


@pytest.mark.parametrize(("level", "form"), [(None, "python -m book.tools"), ("1", "make")])
def test_hints_have_the_form_of_the_call(level: str | None, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAKELEVEL", level) if level else monkeypatch.delenv("MAKELEVEL", raising=False)
    assert places.how_to_run("serve", "PORT=8001") == f"{form} serve PORT=8001"
    hint = re.compile(r"(?<![\w`])(?:run|try:?) `?make\b|`make \w+`")
    for path in (ROOT / "book" / "tools" / f"{name}.py" for name in ("targets", "build", "install", "serve", "places")):
        strings = [node.value for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if is_text(node)]
        assert not [text for text in strings if hint.search(text)], f"{path.name}: how_to_run knows the caller's form"


def is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_settings_may_follow_a_target_without_make(tiny_site: Path, tmp_path: Path) -> None:
    """PORT reaches `serve`, which needs no set-up; PYTHON is the one that everything is run by."""
    run = [sys.executable, "-m", "book.tools"]
    outside = {key: value for key, value in os.environ.items() if key != "MAKELEVEL"}

    def said(*arguments: str) -> str:
        done = subprocess.run([*run, *arguments], cwd=ROOT, capture_output=True, text=True, env=outside)
        return f"{done.returncode}: {done.stderr.strip()}"

    (tmp_path / "book").mkdir()
    shutil.copytree(ROOT / "book" / "tools", tmp_path / "book" / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    site_less = subprocess.run([*run, "serve", "PORT=1"], cwd=tmp_path, capture_output=True, text=True, env=outside)
    assert one_line(site_less) == "There is no built site yet: run `python -m book.tools book` first."
    assert not (tmp_path / ".venv").exists()
    assert said("help", "PYTHON=no-such-python") == "1: There is no Python called 'no-such-python' here."
    assert said("bok", f"PYTHON={sys.executable}").startswith("2: There is no target 'bok'.")


def test_port_as_an_argument_reaches_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "8000")
    seen: list[str] = []
    monkeypatch.setitem(targets.TARGETS, "serve", ("", lambda: seen.append(os.environ["PORT"])))
    monkeypatch.setattr(targets, "set_up", lambda: seen.append("set up"))
    assert targets.main(["serve", "PORT=8001"]) == 0
    assert seen == ["8001"]


# ---- a reader's own files --------------------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository for the targets that copy and remove."""
    for name in (
        "_build/html/a",
        ".venv/a",
        ".venv-bench/arch/a",
        "book/widgets/node_modules/a",
        "book/_static/widgets/a",
        "my/paired.ipynb",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("mine", encoding="utf-8")
    for chapter in ("paired", "later"):
        (tmp_path / "exercises" / chapter).mkdir(parents=True)
        (tmp_path / "exercises" / chapter / "worksheet.ipynb").write_text(chapter, encoding="utf-8")
    for name in ("ROOT", "MY", "BUILD", "VENV", "PEERS", "WIDGETS", "STATIC"):
        monkeypatch.setattr(targets, name, tmp_path / getattr(targets, name).relative_to(ROOT))
    return tmp_path


@pytest.mark.parametrize(("user", "as_root"), [(0, True), (1000, False), (None, False)])
def test_lab_opens_copies_and_never_overwrites_an_answer(
    user: int | None, as_root: bool, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[object] = []
    monkeypatch.setattr(targets, "python", lambda *words: ran.extend(words))
    monkeypatch.delattr(os, "geteuid") if user is None else monkeypatch.setattr(os, "geteuid", lambda: user)
    targets.lab()
    targets.lab()
    assert ran[ran.index("--notebook-dir") + 1] == own / "my"
    assert ("--allow-root" in ran) == as_root
    assert (own / "my" / "paired.ipynb").read_text(encoding="utf-8") == "mine"
    assert (own / "my" / "later.ipynb").read_text(encoding="utf-8") == "later"


def test_what_a_reader_writes_is_ignored_and_no_text_leads_to_a_tracked_worksheet() -> None:
    ignored = subprocess.run(["git", "check-ignore", "-q", "my/paired.ipynb"], cwd=ROOT)
    assert ignored.returncode == 0
    told = re.compile(r"exercises/[\w<>*{}]+/worksheet\.ipynb")
    pages = [path for path, _ in texts() if path.suffix == ".md" and path.name != "CONTRIBUTING.md"]
    assert [path for path in pages if told.search((ROOT / path).read_text(encoding="utf-8"))] == []
    for name in ("README.md", "book/days/paired.md"):
        assert re.search(r"`my/(paired|<chapter>)\.ipynb`", (ROOT / name).read_text(encoding="utf-8")), name


def test_clean_removes_what_was_built_and_distclean_what_was_installed(own: Path) -> None:
    def left() -> set[str]:
        return {path.relative_to(own).as_posix() for path in own.rglob("*") if path.name in {"a", "paired.ipynb"}}

    targets.clean()
    assert left() == {".venv/a", ".venv-bench/arch/a", "book/widgets/node_modules/a", "my/paired.ipynb"}
    targets.distclean()
    assert left() == {"my/paired.ipynb"}
    targets.distclean()


def test_what_cannot_be_removed_is_named(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(folder: Path) -> None:
        raise PermissionError("in use")

    monkeypatch.setattr(targets.shutil, "rmtree", locked)
    with pytest.raises(Refusal, match=r"^_build could not be removed: in use$"):
        targets.clean()


@pytest.mark.parametrize("terminal", [True, False])
def test_steps_are_shown_without_noise_and_colours_only_in_a_terminal(
    terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    said = [
        "\x1b[33m[IPKernelApp] WARNING | Kernel is running over TCP without encryption. All communication\x1b[0m",
        "[IPKernelApp] WARNING | something else",
        "\x1b[92mdone\x1b[39;49;00m",
    ]
    looked: list[str] = []
    code = places.run_and_show([sys.executable, "-c", f"print(*{said!r}, sep=chr(10))"], ROOT, looked.append)
    assert code == 0
    done = "\x1b[92mdone\x1b[39;49;00m" if terminal else "done"
    assert capsys.readouterr().out == f"[IPKernelApp] WARNING | something else\n{done}\n"
    assert len(looked) == 2


def test_the_workflows_and_the_gate_call_what_they_should() -> None:
    files = (ROOT / ".github" / "workflows").glob("*.yml")
    flows = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in files}
    assert [step["run"] for step in flows["ci"]["jobs"]["test"]["steps"] if "run" in step] == [".ci/run"]
    assert [step["run"] for step in flows["publish"]["jobs"]["publish"]["steps"] if "run" in step] == ["make book"]
    assert flows["publish"][True] == {"push": {"tags": ["v*"]}}
    gate = ROOT / ".ci" / "run"
    assert os.access(gate, os.X_OK)
    assert "make test" in gate.read_text(encoding="utf-8").splitlines()[-1]


def test_all_stages_run_and_are_reported_after_one_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def closing(text: str) -> Callable[[], None]:
        return lambda: targets.run(sys.executable, "-c", f"print({text!r}); raise SystemExit({'failed' in text:d})")

    stages = {
        "first": ("what", closing("==== 1 failed, 7 passed, 1 warning in 0.50s ====")),
        "second": ("lint", lambda: None),
        "third": ("what", closing("12 passed, 3 skipped in 61.20s (0:01:01)")),
    }
    monkeypatch.setattr(targets, "STAGES", stages)
    with pytest.raises(Failure):
        targets.test()
    out = capsys.readouterr().out
    assert re.search(r"^first +\d+\.\d  FAILED  1 failed, 7 passed, 1 warning$", out, re.M)
    assert re.search(r"^second +\d+\.\d  ok      lint$", out, re.M)
    assert re.search(r"^third +\d+\.\d  ok      12 passed, 3 skipped$", out, re.M)
    assert out.rstrip().splitlines()[-1] == "19 passed, 1 failed, 3 skipped"


@pytest.mark.parametrize(("notebooks", "workers"), [(1, "0"), (2, "2"), (9, "2")])
def test_notebooks_are_shared_by_two_workers_where_there_are_two(
    notebooks: int, workers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "book" / "notebooks").mkdir(parents=True)
    for number in range(notebooks):
        (tmp_path / "book" / "notebooks" / f"{number}.ipynb").touch()
    ran: list[str] = []
    monkeypatch.setattr(targets, "ROOT", tmp_path)
    monkeypatch.setattr(targets, "python", lambda *words: ran.extend(words))
    targets.nbval()
    assert ran[ran.index("-n") + 1] == workers
    assert ("loadfile" in ran) == (workers == "2"), "the cells of one notebook need one kernel"


# ---- one clear line --------------------------------------------------------------------------------------------------


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    said = [line for line in done.stderr.splitlines() if line.strip()]
    assert done.returncode == 1
    assert len(said) == 1, done.stderr
    return said[0]


@pytest.mark.parametrize("name", ["__init__.py", "__main__.py"])
def test_an_old_python_can_read_the_first_files(name: str) -> None:
    ast.parse((ROOT / "book" / "tools" / name).read_text(encoding="utf-8"), feature_version=(3, 6))


def test_an_old_python_gets_one_line() -> None:
    pretend = (
        "import sys, runpy; sys.version_info = (3, 9, 6); sys.version = '3.9.6 (old)'; sys.argv = ['make', 'book']; "
        "runpy.run_module('book.tools', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", pretend], cwd=ROOT, capture_output=True, text=True)
    assert one_line(done).startswith("Python 3.11 or newer is needed, and this is Python 3.9.6.")


def test_without_network_the_first_set_up_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "book" / "tools", tmp_path / "book" / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    nowhere = "http://127.0.0.1:9/simple"  # the discard port: nothing listens there
    settings = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "UV_"))}
    settings |= {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": nowhere, "PIP_NO_CACHE_DIR": "1"}
    settings |= {"NO_PROXY": serve.HOST}
    command = [sys.executable, "-m", "book.tools", "setup"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=settings)
    assert one_line(done).startswith("Packages could not be installed: is there a network connection?")
    assert not (tmp_path / ".venv").exists()


def test_a_python_too_new_for_the_pins_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "NEWEST_PYTHON", (3, 10))
    monkeypatch.setenv("MAKELEVEL", "1")
    with pytest.raises(Refusal, match=r"built for Python up to 3\.10; try: make book PYTHON=python3\.10"):
        install._fetch([sys.executable, "-c", "raise SystemExit('no wheel')"])


@pytest.fixture
def tiny_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "index.html").write_text("a page", encoding="utf-8")
    monkeypatch.setattr(serve, "SITE", tmp_path)
    return tmp_path


def test_a_taken_port_is_named(tiny_site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind((serve.HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setenv("PORT", str(port))
        monkeypatch.setenv("MAKELEVEL", "1")
        with pytest.raises(Refusal, match=rf"^Port {port} is taken .* make serve PORT={port + 1}$"):
            serve.serve()


@pytest.mark.parametrize("wanted", ["eight", "70000", "-1"])
def test_a_port_that_is_none_is_refused(wanted: str, tiny_site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", wanted)
    with pytest.raises(Refusal, match=f"PORT is '{wanted}'; it must be a number from 0 to 65535"):
        serve.serve()


def test_serving_before_building_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "SITE", tmp_path)
    monkeypatch.setenv("MAKELEVEL", "1")
    with pytest.raises(Refusal, match="run `make book` first"):
        serve.site_server(0)


def test_a_named_browser_that_is_not_there_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/no/such/browser")
    assert chromium.find_chromium() is None
    monkeypatch.setenv("CHROMIUM", sys.executable)
    assert chromium.find_chromium() == sys.executable


@pytest.mark.parametrize(("ci", "verdict"), [("", "1 skipped"), ("true", "1 error")])
def test_without_a_browser_tests_skip_here_and_fail_in_ci(ci: str, verdict: str, tmp_path: Path) -> None:
    (tmp_path / "test_page.py").write_text("def test_page(chromium): ...\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "tests.conftest", "-p", "no:cacheprovider", "--rootdir=."]
    settings = {**os.environ, "CHROMIUM": "/no/such/browser", "CI": ci, "PYTHONPATH": str(ROOT)}
    settings |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=settings)
    assert verdict in done.stdout
    assert chromium.MISSING in done.stdout


# ---- when things are built again -------------------------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository that the build takes for ours."""
    contents = {
        "evalstats/paired.py": "x = 1\n",
        "evalstats/datasets/small.csv": "a,b\n1,2\n",
        "book/paired.md": "# Title\n",
        "book/quizzes/paired.yml": "chapter: paired\n",
        "requirements.lock": "numpy==2.4.6\n",
        "_toc.yml": "root: book/index\n",
    }
    for name, text in contents.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for module in (build, places):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(build, "BUILD", tmp_path / "_build")
    monkeypatch.setattr(build, "SITE", tmp_path / "_build" / "html")
    monkeypatch.setattr(build, "STAMPS", tmp_path / "_build" / "stamps")
    for step in ("set_up", "build_widgets"):
        monkeypatch.setattr(build, step, lambda: None)
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "results_again", "pages_again"),
    [
        ("evalstats/paired.py", True, False),
        ("evalstats/datasets/small.csv", True, False),
        ("evalstats/datasets/new.csv", True, False),
        ("requirements.lock", True, False),
        ("book/quizzes/paired.yml", False, True),
        ("book/tools/site.py", False, True),
        ("_toc.yml", False, True),
        ("book/_static/widgets/index.js", False, True),
        ("book/widgets/src/index.ts", False, False),
        ("book/paired.md", False, False),
        ("evalstats/__pycache__/paired.pyc", False, False),
    ],
)
def test_what_a_change_does_again(changed: str, results_again: bool, pages_again: bool, tree: Path) -> None:
    before = build.results_key(), build.pages_key()
    (tree / changed).parent.mkdir(parents=True, exist_ok=True)
    (tree / changed).write_text("changed\n", encoding="utf-8")
    after = build.results_key(), build.pages_key()
    assert (before[0] != after[0], before[1] != after[1]) == (results_again, pages_again)


@pytest.fixture
def jupyter_book(tree: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Stands in for Jupyter Book: remembers its commands, says and returns what a test wants."""
    stub = SimpleNamespace(commands=[], says=[], code=0)

    def run(command: list[str], folder: Path, look: Callable[[str], None]) -> int:
        stub.commands.append(command)
        (tree / "_build" / "html").mkdir(parents=True, exist_ok=True)
        (tree / "_build" / "html" / "index.html").write_text(f"as of build {len(stub.commands)}", encoding="utf-8")
        for line in stub.says:
            look(line)
        return int(stub.code)

    monkeypatch.setattr(build, "run_and_show", run)
    return stub


def test_a_second_build_reads_only_what_changed(tree: Path, jupyter_book: SimpleNamespace) -> None:
    build.build_book()
    (tree / "book" / "paired.md").write_text("# Another title\n", encoding="utf-8")
    build.build_book()
    assert ["--all" in command for command in jupyter_book.commands] == [True, False]
    assert all({"-W", "-n", "--keep-going"} <= set(command) for command in jupyter_book.commands)


def test_a_build_with_nothing_to_do_does_nothing(
    tree: Path, jupyter_book: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    build.build_book()
    build.build_book()
    assert len(jupyter_book.commands) == 1
    assert "Nothing has changed" in capsys.readouterr().out
    for gone in ("html/index.html", "html", "."):
        path = tree / "_build" / gone
        path.unlink() if path.is_file() else shutil.rmtree(path)
        done = len(jupyter_book.commands)
        build.build_book()
        build.build_book()
        assert len(jupyter_book.commands) == done + 1, f"{gone} was not built again"


def test_a_commit_of_a_page_is_a_change(tree: Path, jupyter_book: SimpleNamespace) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=A", "-c", "user.email=a@b.example")
        subprocess.run(["git", *who, *words], cwd=tree, check=True, capture_output=True)

    git("init")
    build.build_book()
    git("add", "evalstats")
    git("commit", "-m", "the library")
    build.build_book()
    assert len(jupyter_book.commands) == 1
    git("add", "book")
    git("commit", "-m", "a page")
    build.build_book()
    assert len(jupyter_book.commands) == 2


def test_a_change_of_the_library_empties_the_cache_of_results(tree: Path, jupyter_book: SimpleNamespace) -> None:
    build.build_book()
    cached = tree / "_build" / ".jupyter_cache" / "kept"
    cached.parent.mkdir()
    cached.write_text("a result", encoding="utf-8")
    (tree / "book" / "paired.md").write_text("# Another title\n", encoding="utf-8")
    build.build_book()
    assert cached.exists()
    (tree / "evalstats" / "paired.py").write_text("x = 2\n", encoding="utf-8")
    build.build_book()
    assert not cached.exists()
    assert "--all" in jupyter_book.commands[-1]


def test_a_failed_build_names_the_page_and_is_not_forgotten(tree: Path, jupyter_book: SimpleNamespace) -> None:
    build.build_book()
    jupyter_book.code = 1
    page = tree / "book" / "paired.md"
    page.write_text("# Another title\n", encoding="utf-8")
    jupyter_book.says = [f"\x1b[91m{page}: WARNING: a cell failed\x1b[0m\n", "KeyError: 'x'\n", "done\n"]
    with pytest.raises(Failure) as caught:
        build.build_book()
    assert str(caught.value).splitlines()[1:] == ["  book/paired.md: WARNING: a cell failed", "  KeyError: 'x'"]
    jupyter_book.code = 0
    build.build_book()
    build.build_book()
    assert ["--all" in command for command in jupyter_book.commands] == [True, False, True]


# ---- what every page carries -----------------------------------------------------------------------------------------


def test_thebe_goes_and_nothing_stands_twice() -> None:
    def script(name: str, body: str = "") -> SimpleNamespace:
        return SimpleNamespace(filename=name, attributes={"body": body} if body else {})

    good, other = script("a.js"), script("", "x")
    scripts = [good, script("sphinx-thebe.js"), script("", "const THEBE_JS_URL = 1"), script("a.js"), other]
    assert site.without_thebe(scripts) == [good, other]


def test_pages_are_mended_for_screen_readers() -> None:
    assert site.mended('<tr><th class="x"> </th><th>n</th></tr>') == "<tr><td></td><th>n</th></tr>"
    assert site.mended('<th class="head"><p></p></th>') == "<td></td>"
    assert site.mended('<div role="doc-biblioentry">') == '<div role="listitem">'
    box = '<input class="task-list-item-checkbox" disabled="disabled" type="checkbox">'
    ticked = '<label><input class="task-list-item-checkbox" type="checkbox"> a <em>b</em></label>'
    assert site.mended(f"<li><p>{box} a <em>b</em></p></li>") == f"<li><p>{ticked}</p></li>"
    assert site.mended('<summary aria-label="Toggle hidden content">') == "<summary>"


def test_long_names_in_code_break_at_their_joints() -> None:
    name = '<code><span class="pre">{}</span></code>'
    broken = "es.<wbr>power_<wbr>mcnemar(<wbr>0.10,"
    assert site.mended(name.format("es.power_mcnemar(0.10,")) == name.format(broken)
    assert site.mended("<pre>es.power_mcnemar</pre>") == "<pre>es.power_mcnemar</pre>"


def test_only_the_page_of_a_notebook_offers_it() -> None:
    stem = next(site.NOTEBOOKS.glob("*.ipynb")).stem
    pages = f"book/{stem}", f"book/days/{stem}", f"book/appendix/{stem}", "book/index"
    assert [site.notebook_of(page) for page in pages] == [f"notebooks/{stem}.ipynb", "", "", ""]


def test_a_short_cell_stays_on_one_line() -> None:
    row = nodes.row("", *(nodes.entry("", nodes.paragraph(text=text)) for text in ("the second", "x " * 9)))
    site.mark_short_cells(SimpleNamespace(), row, "page")  # type: ignore[arg-type]
    assert [cell["classes"] for cell in row.children] == [["es-short"], []]


def test_a_report_names_the_page_and_goes_to_the_repository() -> None:
    address = site.report_address("book/paired", "0.1.0")
    assert address.startswith(places.repository_address() + "/issues/new?")
    assert "Error+on+book%2Fpaired" in address


def test_a_page_carries_the_day_of_its_last_change(tmp_path: Path) -> None:
    command = ["git", "log", "-1", "--format=%cs", "--", "LICENSE"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    assert site.changed_on(ROOT / "LICENSE") == date.fromisoformat(said.strip())
    assert site.changed_on(tmp_path / "new.md") == date.today()
    assert site.in_words(date(2026, 3, 1)) == "1 March 2026"


def test_a_page_with_another_date_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    days = {"old": date(2026, 1, 1), "committed": date(2026, 1, 2), "edited": date(2026, 1, 3)}
    monkeypatch.setattr(site, "changed_on", lambda source: days[source.stem])
    metadata: defaultdict[str, dict[str, date]] = defaultdict(dict)
    env = SimpleNamespace(metadata=metadata, found_docs={*days}, doc2path=lambda page: f"{page}.md", docname="")
    app = SimpleNamespace(env=env)
    for env.docname in days:
        site.note_date(app, nodes.document(None, None))  # type: ignore[arg-type]
    days["committed"] = days["edited"] = date(2026, 1, 4)
    assert site.dated_otherwise(app, env, set(), {"edited"}, set()) == ["committed"]  # type: ignore[arg-type]


def test_the_site_takes_its_version_from_the_project() -> None:
    config = SimpleNamespace(version="", release="")
    site.release_from_project(None, config)  # type: ignore[arg-type]  # only the two fields are used
    assert Counter([config.version, config.release]) == {PROJECT["project"]["version"]: 2}
