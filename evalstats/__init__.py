"""Statistics for evals: error bars, paired verdicts and sample sizes that say how they were made.

One module answers one question, and every function of theirs can be imported from here:

`result` what an answer is, `proportion` one accuracy, `cluster` items that hang together, `sums` rows beyond memory,
`macro` which mean, `bootstrap` any metric, `paired` two systems on the same items, `margin` as good as, `correction`
many tests, `leaderboard` many systems, `agreement` judges, `power` how many items, `variance` where noise comes from,
`repeated` many answers to an item, `decide` the verdict, `simulate` evals with a known truth, `io` logs into tables,
`report` results into pages; `plots` and `datasets` are used by their own name.

Outside, with the package that answers: Elo and Bradley-Terry ratings from picks between answers (evalica), tests that
stay valid however often one looks (confseq), hierarchical Bayesian models (hibayes), and prediction-powered inference
from a judge's and people's marks (ppi_py).

A module, and with it scipy, is loaded when a name of it is first used.
This is the package of the distribution `evalstats-course`; `check_ours` tells it from its namesake.

Examples
--------
>>> import evalstats
>>> a = [1] * 810 + [1] * 45 + [0] * 25 + [0] * 120
>>> b = [1] * 810 + [0] * 45 + [1] * 25 + [0] * 120
>>> print(evalstats.bootstrap_paired_diff(a, b, n_boot=100_000))
delta = 0.02, 95% interval [0.004, 0.036] (paired_bootstrap_percentile, n = 1000)
"""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # stars, so that a name is written once, in HOMES
    from .agreement import *  # noqa: F403
    from .bootstrap import *  # noqa: F403
    from .cluster import *  # noqa: F403
    from .correction import *  # noqa: F403
    from .decide import *  # noqa: F403
    from .io import *  # noqa: F403
    from .leaderboard import *  # noqa: F403
    from .macro import *  # noqa: F403
    from .margin import *  # noqa: F403
    from .paired import *  # noqa: F403
    from .power import *  # noqa: F403
    from .proportion import *  # noqa: F403
    from .repeated import *  # noqa: F403
    from .report import *  # noqa: F403
    from .result import *  # noqa: F403
    from .simulate import *  # noqa: F403
    from .sums import *  # noqa: F403
    from .variance import *  # noqa: F403

__distribution__ = "evalstats-course"

# Which module a name comes from, question by question.
HOMES: dict[str, tuple[str, ...]] = {
    "result": ("Estimate", "Extra", "Result", "SampleSize", "TestResult"),
    "proportion": (
        "Quantity",
        "clopper_pearson_interval",
        "jeffreys_interval",
        "standard_error",
        "wald_interval",
        "wilson_interval",
    ),
    "sums": ("ClusterSums", "cluster_sums", "parquet_cluster_sums"),
    "cluster": (
        "clopper_pearson_cluster_interval",
        "cluster_standard_error",
        "cluster_standard_error_cr1",
        "design_effect",
        "effective_n",
        "intraclass_correlation",
        "mean_interval",
        "paired_cluster_interval",
        "paired_cluster_t",
        "sums_interval",
        "wilson_cluster_interval",
    ),
    "macro": ("cluster_mean_interval", "macro_average_interval", "weighted_mean_interval"),
    "bootstrap": (
        "bca_mean",
        "bca_paired_diff",
        "bca_statistic",
        "bca_table_statistic",
        "bootstrap_mean",
        "bootstrap_paired_diff",
        "bootstrap_statistic",
        "bootstrap_table_statistic",
        "ideal_bootstrap_mean",
        "ideal_bootstrap_paired_diff",
    ),
    "paired": (
        "PairedTable",
        "mcnemar",
        "mcnemar_corrected",
        "mcnemar_exact",
        "mcnemar_midp",
        "mcnemar_uncorrected",
        "newcombe_interval",
        "paired_t",
        "sign_flip_test",
        "tango_interval",
        "unpaired_z_pooled",
        "unpaired_z_unpooled",
        "wald_difference_interval",
    ),
    "margin": ("equivalence_test", "noninferiority_test"),
    "correction": ("Correction", "benjamini_hochberg", "benjamini_yekutieli", "bonferroni", "holm", "max_t_asymptotic"),
    "power": (
        "DetectableEffect",
        "Power",
        "minimum_detectable_effect",
        "minimum_detectable_effect_two_proportions",
        "pilot_required_n_mcnemar",
        "pilot_required_n_paired_mean",
        "power_equivalence",
        "power_mcnemar_corrected",
        "power_mcnemar_exact",
        "power_mcnemar_midp",
        "power_mcnemar_uncorrected",
        "power_noninferiority",
        "power_paired_mean",
        "power_two_proportions",
        "required_n_completions",
        "required_n_equivalence",
        "required_n_mcnemar",
        "required_n_mcnemar_corrected",
        "required_n_mcnemar_exact",
        "required_n_mcnemar_midp",
        "required_n_noninferiority",
        "required_n_paired_mean",
        "required_n_two_proportions",
    ),
    "leaderboard": (
        "Leaderboard",
        "flip_probability_paired",
        "flip_probability_separate",
        "pairwise_mcnemar_exact",
        "rank_intervals",
        "shrunken_winner",
        "simultaneous_differences",
    ),
    "agreement": ("bootstrap_kappa", "cohen_kappa", "rogan_gladen_accuracy"),
    "variance": (
        "CheapestDesign",
        "VarianceComponents",
        "cheapest_design",
        "design_standard_error",
        "item_decode_components",
        "seed_decode_components",
        "variance_components",
    ),
    "repeated": ("item_pass_at_k", "item_pass_hat_k", "pass_at_k", "pass_hat_k"),
    "decide": ("Decision", "PairedComparison", "choose_test", "compare_paired", "gate", "triage", "verdict"),
    "simulate": ("SimulatedEval", "join_strata", "simulate_beta", "simulate_systems"),
    "io": (
        "AlignedSystems",
        "Alignment",
        "EvalLog",
        "align",
        "align_all",
        "read_inspect",
        "read_lm_eval",
        "read_log",
        "read_table",
    ),
    "report": ("to_html", "to_json", "to_latex", "to_markdown"),
}
MODULES = (*HOMES, "datasets", "plots")  # the last two keep their names to themselves: they need pandas and matplotlib

_HOME_OF = {name: module for module, names in HOMES.items() for name in names}

__all__ = [*_HOME_OF, "check_ours"]


def __getattr__(name: str) -> Any:
    """Load a name, and the module it lives in, when it is first asked for."""
    if name in _HOME_OF:
        value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    elif name in MODULES:
        value = import_module(f".{name}", __name__)
    elif name == "__version__":
        value = _version()
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *MODULES, "__version__"})


def _version() -> str:
    """The installed version; a checkout that is only on the path has none."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(__distribution__)
    except PackageNotFoundError:
        return "not installed"


def _namesakes() -> list[str]:
    """Folders that hold another distribution's package of our name.

    A look at folder names takes about a millisecond; importing `importlib.metadata` would take twenty.
    """
    found = []
    for folder in dict.fromkeys(entry or "." for entry in sys.path):
        names = os.listdir(folder) if os.path.isdir(folder) else []
        if any(name.startswith("evalstats-") and name.endswith(".dist-info") for name in names):
            found.append(folder)
    return found


def _conflict() -> str | None:
    """One line on what is wrong, where another package of our name is installed beside us."""
    if not (folders := _namesakes()):
        return None
    return (
        f"another project's package called evalstats is installed in {folders[0]}, and Python may load its files for "
        f"ours ({__distribution__}); remove it with `python -m pip uninstall evalstats`, then set this project up again"
    )


def check_ours() -> str:
    """Is this the package the book means? Says which one it is, or refuses.

    The public index has a stranger's package with the same import name.
    Where that one is imported instead, this function does not exist and the call fails; where it is installed beside
    ours, the call raises, and importing `evalstats` has already warned.

    Returns
    -------
    str
        Distribution and version, for the reader to see.

    Raises
    ------
    ImportError
        When another distribution called evalstats is installed beside this one.

    Examples
    --------
    >>> import evalstats
    >>> evalstats.check_ours().split()[0]
    'evalstats-course'
    """
    if problem := _conflict():
        raise ImportError(problem)
    return f"{__distribution__} {_version()}"


if problem := _conflict():
    warnings.warn(problem, RuntimeWarning, stacklevel=2)
del problem
