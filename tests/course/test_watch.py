"""What `watch` looks at, what it takes for a change, and how it starts and stops."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from book.tools import watch
from book.tools.places import ROOT, Failure, Refusal


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in (
        "_toc.yml", "book/paired.md", "book/other.md", "book/quizzes/paired.yml", "book/quizzes/other.yml",
        "book/days/paired.md", "book/tools/site.py", "book/widgets/src/index.ts", "book/misconceptions.yml",
        "exercises/paired/table/statement.md", "exercises/other/x/statement.md", "evalstats/paired.py",
        "book/notebooks/paired.ipynb", "exercises/paired/table/__pycache__/check.cpython-311.pyc",
        "book/.paired.md.swp", "book/days/#paired.md#",
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text", encoding="utf-8")
    return tmp_path


def names(files: object, tree: Path) -> set[str]:
    assert isinstance(files, dict | list)
    return {path.relative_to(tree).as_posix() for path in files}


def test_a_chapters_sources_are_its_own_and_what_all_share(tree: Path) -> None:
    looked_at = names(watch.seen(watch.sources("paired", tree)), tree)
    assert looked_at == {
        "_toc.yml", "book/paired.md", "book/quizzes/paired.yml", "book/days/paired.md", "book/tools/site.py",
        "book/widgets/src/index.ts", "book/misconceptions.yml", "exercises/paired/table/statement.md",
        "evalstats/paired.py",
    }  # fmt: skip
    whole = names(watch.seen(watch.sources("", tree)), tree)
    assert whole - looked_at == {"book/other.md", "book/quizzes/other.yml", "exercises/other/x/statement.md"}


def test_a_file_that_is_saved_comes_or_goes_is_a_change(tree: Path) -> None:
    before = watch.seen(watch.sources("paired", tree))
    assert watch.changed(before, watch.seen(watch.sources("paired", tree))) == []
    (tree / "book" / "paired.md").write_text("longer text", encoding="utf-8")
    (tree / "book" / "other.md").write_text("longer text", encoding="utf-8")
    (tree / "book" / "cards").mkdir()
    (tree / "book" / "cards" / "paired.yml").write_text("new", encoding="utf-8")
    (tree / "book" / "days" / "paired.md").unlink()
    after = watch.seen(watch.sources("paired", tree))
    assert names(watch.changed(before, after), tree) == {
        "book/paired.md", "book/cards/paired.yml", "book/days/paired.md",
    }  # fmt: skip
    same_length = tree / "book" / "paired.md"
    os.utime(same_length, ns=(1, 1))
    assert watch.changed(after, watch.seen(watch.sources("paired", tree))) == [same_length]


def test_each_change_is_built_once_and_a_fault_does_not_end_it(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, looks, built = tree / "book" / "paired.md", iter(range(6)), []

    def sleep(seconds: float) -> None:
        """Save the page before the second and the fourth look; interrupt before the sixth."""
        look = next(looks)
        if look in {1, 3}:
            page.write_text("text" * (look + 2), encoding="utf-8")
        if look == 5:
            raise KeyboardInterrupt

    def build_book() -> None:
        built.append(page.read_text(encoding="utf-8"))
        raise Failure("a broken reference")

    monkeypatch.setattr(watch, "ROOT", tree)
    monkeypatch.setattr(watch, "build_book", build_book)
    monkeypatch.setattr(watch, "sources", lambda stem: [page])
    monkeypatch.setattr(watch.time, "sleep", sleep)
    with pytest.raises(KeyboardInterrupt):
        watch.build_after_changes("", watch.seen([page]))
    assert [len(text) for text in built] == [12, 20]
    assert capsys.readouterr().out.count("book/paired.md:\na broken reference") == 2


def test_a_chapter_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEM", "none")
    with pytest.raises(Refusal, match=r"no book/none\.md"):
        watch.watch()


@pytest.mark.skipif(os.name == "nt", reason="an interrupt is sent in another way on Windows")
def test_it_serves_and_stops_when_interrupted(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("a page", encoding="utf-8")
    stand_in = (
        "import pathlib, sys; from book.tools import watch; watch.SITE = pathlib.Path(sys.argv[1]); "
        "watch.build = lambda stem: None; watch.watch()"
    )
    command = [sys.executable, "-c", stand_in, str(tmp_path)]
    settings = {**os.environ, "PORT": "0", "STEM": "", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=ROOT, env=settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().split("127.0.0.1:")[1].split("/")[0])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", "/index.html")
        assert connection.getresponse().read() == b"a page"
        connection.close()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
