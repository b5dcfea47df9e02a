"""The package as a whole: what it exports, what importing it costs, and that it is ours."""

from __future__ import annotations

import ast
import inspect
import io
import os
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

import evalstats

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "evalstats"

# As printed in the first source document: parameters in order, with their defaults.
PRINTED = {
    "bootstrap_mean": "scores groups=None level=0.95 n_boot=10000 seed=0 name='accuracy'",
    "bootstrap_paired_diff": "a b groups=None level=0.95 n_boot=10000 seed=0 name='delta'",
    "bootstrap_statistic": "data stat_fn level=0.95 n_boot=10000 seed=0 name='stat'",
    "paired_t": "a b name='paired_t'",
    "mcnemar": "a_correct b_correct exact=True name='mcnemar'",
    "bonferroni": "pvalues alpha=0.05",
    "benjamini_hochberg": "pvalues q=0.05",
    "required_n_paired_mean": "delta sd_diff alpha=0.05 power=0.8",
    "required_n_mcnemar": "delta psi alpha=0.05 power=0.8",
    "Estimate": "name point ci_low ci_high level method n n_boot=None seed=None extra=<factory>",
    "TestResult": "name statistic pvalue effect method n",
}


def words(parameter: inspect.Parameter) -> str:
    if parameter.default is inspect.Parameter.empty:
        return parameter.name
    default = parameter.default if repr(parameter.default) != "<factory>" else "<factory>"
    return f"{parameter.name}={default!r}".replace("'<factory>'", "<factory>")


def run(code: str, *, path: Path = ROOT, flags: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(path)])}
    return subprocess.run(
        [sys.executable, *flags, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("name", PRINTED)
def test_printed_signatures(name: str) -> None:
    """The printed parameters come first; whatever was added stands behind them and has a default."""
    parameters = list(inspect.signature(getattr(evalstats, name)).parameters.values())
    printed = PRINTED[name].split()
    assert [words(parameter) for parameter in parameters[: len(printed)]] == printed
    for added in parameters[len(printed) :]:
        assert repr(added.default) != repr(inspect.Parameter.empty)


def test_eleven_names_are_exported() -> None:
    assert set(PRINTED) <= set(evalstats.__all__)
    assert len(PRINTED) == 11


@pytest.mark.parametrize("name", evalstats.__all__)
def test_every_name_resolves_and_shows_an_example(name: str) -> None:
    thing = getattr(evalstats, name)
    assert thing.__module__.startswith("evalstats")
    documentation = inspect.getdoc(thing)
    assert documentation
    assert ">>> " in documentation


@pytest.mark.parametrize("module", evalstats.HOMES)
def test_names_come_from_the_module_they_are_listed_under(module: str) -> None:
    for name in evalstats.HOMES[module]:
        assert getattr(evalstats, name).__module__ == f"evalstats.{module}"


STATISTICS = [module for module in evalstats.HOMES if module not in ("result", "io", "report", "simulate")]


def code_lines(path: Path) -> int:
    """Lines with code on them: no docstrings, comments or blank lines."""
    source = path.read_text()
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = [
        range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, documented) and node.body and ast.get_docstring(node) is not None
    ]
    silent = {tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = (token for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.type not in silent)
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    return len(lines - {line for docstring in docstrings for line in docstring})


def test_the_statistics_can_be_read_in_an_evening() -> None:
    """All that estimates, tests, plans or decides; results, readers, reports and simulated evals are not counted."""
    lengths = {module: code_lines(PACKAGE / f"{module}.py") for module in STATISTICS}
    assert sum(lengths.values()) <= 2500, lengths


def test_no_module_is_forgotten() -> None:
    public = {path.stem for path in PACKAGE.glob("*.py") if not path.stem.startswith("_")}
    assert public <= set(evalstats.MODULES)


def test_type_checkers_see_the_same_modules() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    guarded = next(node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    assert [node.module for node in guarded.body if isinstance(node, ast.ImportFrom)] == sorted(evalstats.HOMES)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'evalstats' has no attribute 'nonsense'"):
        evalstats.nonsense  # noqa: B018
    assert not hasattr(evalstats, "nonsense")
    assert set(dir(evalstats)) == {*evalstats.__all__, *evalstats.MODULES, "__version__"}
    assert {"bootstrap_mean", "power", "check_ours"} <= set(dir(evalstats))


def test_star_import_brings_every_name() -> None:
    assert run("from evalstats import *; print(mcnemar, bootstrap_mean, wilson_interval)").returncode == 0


# What importing costs


def test_import_is_lazy() -> None:
    """Neither numpy nor scipy, nor even our own modules, are loaded before a name is used."""
    code = "import sys, evalstats; print(sorted(name for name in sys.modules if name.split('.')[0] in {heavy}))".format(
        heavy={"numpy", "scipy", "pandas", "matplotlib", "evalstats"}
    )
    assert run(code).stdout.strip() == "['evalstats']"


@pytest.mark.parametrize(
    "call",
    [
        "bootstrap_mean([1, 0] * 30)",
        "bca_mean([1, 0] * 30)",
        "benjamini_hochberg([.1, .2])",
        "required_n_mcnemar(.1, .25)",
    ],
)
def test_what_needs_no_scipy_does_not_load_it(call: str) -> None:
    outcome = run(f"import sys, evalstats; evalstats.{call}; print('scipy' in sys.modules)")
    assert outcome.stdout.strip() == "False", outcome.stderr


def test_evalstats_knows_nobody() -> None:
    """numpy, scipy and the standard library; pandas, matplotlib and pyarrow only where a module is about them."""
    allowed = set(sys.stdlib_module_names) | {"numpy", "scipy", "evalstats"}
    extras = {"datasets": {"pandas"}, "plots": {"matplotlib"}, "io": {"pandas"}, "sums": {"pyarrow"}}
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            roots = {name.split(".")[0] for name in names}
            assert roots <= allowed | extras.get(path.stem, set()), f"{path.name} imports {roots - allowed}"


# Ours, not the namesake


@pytest.fixture
def beside_a_namesake(tmp_path: Path) -> Path:
    """A folder on the path in which another project's distribution called evalstats is installed."""
    (tmp_path / "evalstats-0.9.1.dist-info").mkdir()
    return tmp_path


def test_check_ours_says_which() -> None:
    assert evalstats.check_ours().startswith("evalstats-course ")
    assert evalstats.__distribution__ == "evalstats-course"
    assert evalstats.check_ours().endswith(evalstats.__version__)


def test_import_warns_beside_a_namesake(beside_a_namesake: Path) -> None:
    outcome = run("import evalstats; print('imported')", path=beside_a_namesake)
    assert outcome.stdout.strip() == "imported"
    assert "RuntimeWarning: another project's package called evalstats is installed in" in outcome.stderr
    assert str(beside_a_namesake) in outcome.stderr


def test_check_ours_refuses_beside_a_namesake(beside_a_namesake: Path) -> None:
    outcome = run("import evalstats; evalstats.check_ours()", path=beside_a_namesake, flags=("-W", "ignore"))
    assert outcome.returncode == 1
    last = outcome.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: another project's package called evalstats is installed in")


def test_silent_when_alone_or_beside_ourselves(tmp_path: Path) -> None:
    (tmp_path / "evalstats_course-0.1.0.dist-info").mkdir()
    outcome = run("import evalstats; evalstats.check_ours()", path=tmp_path, flags=("-W", "error"))
    assert outcome.returncode == 0, outcome.stderr


def test_a_strangers_package_fails_the_check(tmp_path: Path) -> None:
    """What the book's first page sees when the namesake was imported in our place."""
    (tmp_path / "evalstats").mkdir()
    (tmp_path / "evalstats" / "__init__.py").write_text("def mcnemar(): ...\n")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    code = "import evalstats; evalstats.check_ours()"
    outcome = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert "AttributeError" in outcome.stderr


def test_nothing_says_to_install_the_namesake() -> None:
    """Neither the package nor its messages; the words are put together here so that this file does not say them."""
    words = " ".join(["pip", "install", "evalstats"])
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text().replace(f"{words}-course", "")
        assert words not in text, path
