"""The logs of inspect-ai in this folder: two runs of mockllm/model on 60 items x 3 epochs, and one that failed in part.

Run once with inspect-ai 0.3.285 in an environment of its own; never needed by a test. Transcripts are left out of what
is kept: of an archive its header and summaries, of a JSON log all but events, messages and the like.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import tiktoken
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import Score, match, mean, scorer
from inspect_ai.solver import generate

HERE = Path(__file__).parent
KEPT = ("id", "epoch", "target", "scores", "metadata", "error")


class Words:
    """Tokens for a machine without a network."""

    def encode(self, text: str, **_: Any) -> list[str]:
        return text.split()


tiktoken.get_encoding = tiktoken.encoding_for_model = lambda name: Words()


@scorer(metrics=[mean()], name="graded")
def graded() -> Any:
    async def score(state: Any, target: Any) -> Score:
        answer = state.output.completion
        return Score(value={"exact": int(target.text in answer), "length": len(answer) / 10})

    return score


def model(seed: int, skill: float, failing: int | None) -> Any:
    draws = random.Random(seed)

    def answer(messages: Any, *_: Any) -> ModelOutput:
        number = int(messages[-1].text.split()[2])
        if number == failing:
            raise RuntimeError("provider down")
        right = draws.random() < skill * (0.5 + (number * 7919 % 60) / 120)
        return ModelOutput.from_content("mockllm/model", str(2 * number) if right else "unknown")

    return get_model("mockllm/model", custom_outputs=answer)


def run(items: int, log_format: str, seed: int, skill: float, failing: int | None = None) -> Path:
    samples = [
        Sample(
            id=f"sum/{i:02d}",
            input=f"What is {i} + {i}?",
            target=str(2 * i),
            metadata={"template": f"t{i // 6}", "kind": ["even", "odd"][i // 6 % 2]},
        )
        for i in range(items)
    ]
    task = Task(
        dataset=MemoryDataset(samples), solver=generate(), scorer=[match(location="any"), graded()], name="sums"
    )
    folder = tempfile.mkdtemp()
    settings = {"epochs": 3, "log_dir": folder, "log_format": log_format, "display": "none", "max_samples": 1}
    eval(task, model=model(seed, skill, failing), fail_on_error=False, **settings)
    return next(Path(folder).iterdir())


def shrink(log: Path, name: str, compression: int) -> None:
    with zipfile.ZipFile(log) as archive, zipfile.ZipFile(HERE / name, "w", compression) as kept:
        for member in ("header.json", "summaries.json"):
            kept.writestr(zipfile.ZipInfo(member), archive.read(member), compression)


if __name__ == "__main__":
    log_a, log_b = run(60, "eval", 1, 0.95), run(60, "eval", 2, 0.75)
    shrink(log_a, "sums_a.eval", zipfile.ZIP_DEFLATED)
    shrink(log_b, "sums_b.eval", zipfile.ZIP_DEFLATED)
    shrink(log_a, "sums_a_zstd.eval", 93)  # as inspect-ai packs them
    log = json.loads(run(12, "json", 1, 0.95, failing=7).read_text())
    log["samples"] = [{key: sample[key] for key in KEPT if key in sample} for sample in log["samples"]]
    for sample in log["samples"]:
        if sample.get("error"):
            sample["error"] = {"message": sample["error"]["message"]}
    (HERE / "sums_failed.json").write_text(json.dumps(log, indent=0) + "\n")
    sys.exit(0)
