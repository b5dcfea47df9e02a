"""Statistics for evals: error bars, paired verdicts and sample sizes that carry their own provenance."""

from __future__ import annotations

from .result import Estimate, SampleSize, TestResult

__all__ = ["Estimate", "SampleSize", "TestResult"]
