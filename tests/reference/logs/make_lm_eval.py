"""The samples files of lm-evaluation-harness in this folder: two models that make numbers up, 20 documents, 2 filters.

Run once with lm-eval 0.4.13 in an environment of its own; never needed by a test.
"""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import lm_eval
import yaml
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

HERE = Path(__file__).parent
TASK = {
    "task": "sums",
    "dataset_path": "json",
    "test_split": "test",
    "output_type": "generate_until",
    "doc_to_text": "What is {{a}} + {{a}}?",
    "doc_to_target": "{{total}}",
    "repeats": 2,
    "generation_kwargs": {"until": ["\n"]},
    "filter_list": [
        {"name": "first", "filter": [{"function": "take_first"}]},
        {"name": "digits", "filter": [{"function": "regex", "regex_pattern": "(\\d+)"}, {"function": "take_first"}]},
    ],
    "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
}


class Guesser(LM):
    def __init__(self, seed: int, skill: float) -> None:
        super().__init__()
        self.draws, self.skill = random.Random(seed), skill

    def generate_until(self, requests: Any, disable_tqdm: bool = False) -> list[str]:
        return [self.answer(int(request.args[0].split()[2])) for request in requests]

    def answer(self, number: int) -> str:
        text = str(2 * number) if self.draws.random() < self.skill else "unknown"
        return text + self.draws.choice(["", "."])

    def loglikelihood(self, requests: Any) -> Any:
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


if __name__ == "__main__":
    folder = Path(tempfile.mkdtemp())
    docs = [{"a": i, "total": str(2 * i), "template": f"t{i // 4}"} for i in range(20)]
    (folder / "docs.jsonl").write_text("".join(json.dumps(doc) + "\n" for doc in docs))
    data = {"dataset_kwargs": {"data_files": {"test": str(folder / "docs.jsonl")}}}
    (folder / "sums.yaml").write_text(yaml.safe_dump(TASK | data))
    for name, seed, skill in (("model-a", 1, 0.9), ("model-b", 2, 0.5)):
        tasks = TaskManager(include_path=str(folder))
        found = lm_eval.simple_evaluate(Guesser(seed, skill), tasks=["sums"], task_manager=tasks, bootstrap_iters=0)
        tracker = EvaluationTracker(output_path=str(HERE))
        tracker.date_id = "2026-11-30T12-00-00.000000"
        tracker.general_config_tracker.model_name_sanitized = name
        tracker.save_results_samples("sums", found["samples"]["sums"])
