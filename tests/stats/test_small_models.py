"""The small-models eval: items, marker and stored responses.

The hand-written responses below froze the marker before any model was run; see ``plan.md`` and the git history.
"""

from __future__ import annotations

import csv
import io
import lzma
import sys
from functools import cache
from pathlib import Path

import pytest

from evalstats import datasets
from evalstats.datasets.small_models import assemble
from evalstats.datasets.small_models import items as made
from evalstats.datasets.small_models.items import Item
from evalstats.datasets.small_models.marker import mark_lenient, mark_strict, normalise, numbers
from evalstats.datasets.small_models.prompts import CHAT_REQUEST, FEW2_EXAMPLES, FEW_EXAMPLES, PROMPTS
from evalstats.datasets.small_models.run import MODELS, passes, seed_of, temperature_of

ITEMS = made.items()
FOLDER = Path(made.__file__).parent


def item(form: str, gold: str, options: str = "") -> Item:
    """An item that is nothing but its answers."""
    return Item("x.1", "x", "word", form, "", "?", tuple(gold.split("|")), tuple(options.split("|")) if options else ())


COLOUR = item("word", "red", "red|blue|green|white")
PET = item("word", "parrot", "dog|cat|parrot|goat")
NAME = item("word", "Hugo", "Boris|Hugo|Ivan|Judith")
DAY = item("word", "Friday", "Monday|Thursday|Friday")
LARGER = item("word", "an elephant", "a mouse|an elephant")
CONTINENT = item("word", "South America", "Europe|South America|North America|Africa")
SPANISH = item("word", "pão|jalapeño", "casa|agua")
PLURAL = item("exact", "mice", "mice|children|feet|boxes")
HOUSES = item("exact", "houses", "boxes|houses|birds")
LETTER = item("exact", "g", "b|g|s|t|w")
PUPPY = item("word", "puppy|pup", "puppy|pup|kitten|calf")
SEVEN = item("number", "7")
TEN = item("number", "10")

# item, response, strict, lenient
HAND_MARKED = [
    (COLOUR, " red", 1, 1),
    (COLOUR, "Red.", 1, 1),
    (COLOUR, "RED!", 1, 1),
    (COLOUR, " blue", 0, 0),
    (COLOUR, "", 0, 0),
    (COLOUR, "   ", 0, 0),
    (COLOUR, "...", 0, 0),
    (COLOUR, "a reddish one", 0, 0),  # part of a word is not the word
    (COLOUR, "hundred", 0, 0),
    (COLOUR, "red and blue", 0, 1),  # a competing option: strict says no, lenient takes the first
    (COLOUR, "blue, not red", 0, 0),
    (COLOUR, "red, red and red", 1, 1),
    (COLOUR, "Adam's house is a red house.", 1, 1),
    (COLOUR, "The answer is:\n\nRed", 1, 1),
    (COLOUR, "The house is not red.", 1, 1),  # a known fault: negation is not read
    (COLOUR, "Adam's house is the colour of a", 0, 0),  # cut off before the answer
    (PET, "parrots", 1, 1),  # a plural s is forgiven
    (PET, "a parrot named Rex, and a", 1, 1),  # cut off after the answer
    (PET, "dogs and a parrot", 0, 0),
    (PET, "The parrot is a cat.", 0, 1),
    (NAME, " Hugo", 1, 1),
    (NAME, "Hugo's", 1, 1),
    (NAME, "Hugo\u2019s friend", 1, 1),
    (NAME, "Boris; Hugo; Ivan", 0, 0),
    (NAME, "Hug", 0, 0),
    (DAY, "On Fridays", 1, 1),
    (DAY, "Thursday or Friday", 0, 0),
    (DAY, "on the last Friday of June", 1, 1),
    (LARGER, "elephant", 1, 1),  # the article is not needed
    (LARGER, "the elephants", 1, 1),
    (LARGER, "An elephant is larger than a mouse.", 0, 1),
    (LARGER, "a mouse", 0, 0),
    (LARGER, "an", 0, 0),
    (CONTINENT, "South  America", 1, 1),
    (CONTINENT, "America", 0, 0),
    (CONTINENT, "South-America", 1, 1),
    (CONTINENT, "North America, South America", 0, 0),
    (SPANISH, "pao", 1, 1),  # accents are ignored both ways
    (SPANISH, "PÃO", 1, 1),
    (SPANISH, "jalapen\u0303o", 1, 1),
    (PLURAL, 'The plural of "mouse" is "mice".', 1, 1),
    (PLURAL, "mouses", 0, 0),
    (PLURAL, "mices", 0, 0),  # spelling is the point: no plural s is forgiven
    (HOUSES, "house", 0, 0),
    (HOUSES, "houses", 1, 1),
    (LETTER, "g", 1, 1),
    (LETTER, 'The first letter is "G".', 1, 1),
    (LETTER, "garden", 0, 0),
    (LETTER, "It's g", 1, 1),  # the s of "it's" is not a letter given
    (LETTER, "g-s-t", 0, 1),
    (PUPPY, "a pup, or puppy", 1, 1),  # two accepted answers do not compete
    (PUPPY, "a puppy or a kitten", 0, 1),
    (SEVEN, " 7", 1, 1),
    (SEVEN, "seven", 1, 1),
    (SEVEN, "07", 1, 1),
    (SEVEN, "7 days", 1, 1),
    (SEVEN, "17", 0, 0),
    (SEVEN, "77", 0, 0),
    (SEVEN, "There are 7 days, or 168 hours", 0, 1),
    (SEVEN, "A week, 168 hours, has 7", 1, 1),
    (SEVEN, "1, 7, 9", 0, 0),
    (SEVEN, "days", 0, 0),
    (SEVEN, "", 0, 0),
    (TEN, "The next number is 10.", 1, 1),
    (TEN, "ten", 1, 1),
    (TEN, "10, 12, 14", 0, 1),
    (TEN, "1 0", 0, 0),
]


@pytest.mark.parametrize(("question", "response", "strict", "lenient"), HAND_MARKED)
def test_marker_agrees_with_hand(question: Item, response: str, strict: int, lenient: int) -> None:
    assert mark_strict(question, response) == strict
    assert mark_lenient(question, response) == lenient


def test_enough_hand_marked_responses_of_each_kind() -> None:
    assert len(HAND_MARKED) >= 40
    assert {row[0].form for row in HAND_MARKED} == {"word", "exact", "number"}
    assert 0 < sum(row[2] for row in HAND_MARKED) < sum(row[3] for row in HAND_MARKED) < len(HAND_MARKED)


def test_normalise_and_numbers() -> None:
    assert normalise("  Don't — stop, Hugo's CAFÉ! ") == "dont stop hugo cafe"
    assert numbers("Room 07, three of 12") == ["7", "3", "12"]


# --- items -----------------------------------------------------------------------------------------------------------


def test_design_of_the_items() -> None:
    clusters: dict[str, list[Item]] = {}
    for one in ITEMS:
        clusters.setdefault(one.cluster, []).append(one)
    assert len(ITEMS) == 340
    assert len(clusters) == 68
    assert {len(members) for members in clusters.values()} == {5}
    assert all(len({one.stratum for one in members}) == 1 for members in clusters.values())
    per_stratum = [len({one.cluster for one in ITEMS if one.stratum == s}) for s in ("reading", "word", "fact")]
    assert per_stratum == [24, 24, 20]


def test_items_are_unique_and_deterministic() -> None:
    assert len({one.item for one in ITEMS}) == len({(one.passage, one.question) for one in ITEMS}) == 340
    assert made.items() == ITEMS
    assert made.from_csv(made.as_csv(ITEMS)) == ITEMS


@pytest.mark.parametrize("one", ITEMS, ids=lambda one: one.item)
def test_gold_and_options_make_sense(one: Item) -> None:
    assert one.gold
    assert all(answer == answer.strip() and answer for answer in one.gold + one.options)
    if one.form == "number":
        assert all(answer.isdigit() for answer in one.gold)
        assert not one.options
    else:
        assert set(one.gold) <= set(one.options)
        assert len(set(one.options)) > len(one.gold)
    for answer in one.gold:
        assert mark_strict(one, f" {answer}") == mark_lenient(one, f" {answer}") == 1
    for answer in set(one.options) - set(one.gold):
        assert mark_strict(one, f" {answer}") == mark_lenient(one, f" {answer}") == 0
    if one.passage:
        assert one.gold[0] in one.passage


def test_no_worked_example_is_an_item() -> None:
    examples = FEW_EXAMPLES + FEW2_EXAMPLES
    assert not [one.item for one in ITEMS if one.question in examples]
    assert PROMPTS["few"](ITEMS[0]).endswith("?\nA:")
    assert PROMPTS["few2"](ITEMS[0]).endswith("? Answer:")
    assert PROMPTS["chat"](ITEMS[0]).endswith(CHAT_REQUEST)


def test_seeds_are_distinct_across_configurations() -> None:
    keys = {
        (model, walk.prompt, decode, one.item)
        for model in MODELS
        for walk in passes(model)
        for decode in walk.decodes
        for one in ITEMS
    }
    assert len({seed_of(*key) for key in keys}) == len(keys) == 340 * 37


def test_stored_items_are_what_the_generator_makes() -> None:
    stored = (FOLDER / "items.csv").read_text(encoding="utf-8")
    assert stored == made.as_csv(ITEMS)


# --- stored responses ------------------------------------------------------------------------------------------------

BY_ID = {one.item: one for one in ITEMS}


@cache
def stored_text() -> str:
    return lzma.decompress((FOLDER / "responses.csv.xz").read_bytes()).decode("utf-8")


@cache
def stored() -> tuple[dict[str, str], ...]:
    return tuple(csv.DictReader(io.StringIO(stored_text(), newline="")))


def test_re_marking_every_stored_response_gives_the_stored_mark() -> None:
    for row in stored():
        one, response = BY_ID[row["item"]], row["response"]
        marks = (mark_strict(one, response), mark_lenient(one, response))
        assert marks == (int(row["correct"]), int(row["correct_lenient"])), row


def test_every_configuration_has_every_item_once_in_the_planned_order() -> None:
    keys = [(r["model"], r["prompt"], r["cache"], int(r["decode"]), r["item"]) for r in stored()]
    assert keys == assemble.planned()
    assert len(set(keys)) == len(keys) == 340 * 39
    configurations: dict[tuple[str, str, str, int], int] = {}
    for model, prompt, cached, decode, _ in keys:
        configuration = (model, prompt, cached, decode)
        configurations[configuration] = configurations.get(configuration, 0) + 1
    assert len(configurations) == 39
    assert set(configurations.values()) == {340}


def test_stored_columns_follow_from_the_keys() -> None:
    for row in stored():
        one, decode = BY_ID[row["item"]], int(row["decode"])
        assert (row["cluster"], row["stratum"]) == (one.cluster, one.stratum)
        assert float(row["temperature"]) == temperature_of(decode)
        assert int(row["seed"]) == seed_of(row["model"], row["prompt"], decode, row["item"])
        assert row["correct"] in "01"
        assert row["correct_lenient"] in "01"


def test_stored_seeds_are_distinct_except_for_the_cache_pairs() -> None:
    on = [row["seed"] for row in stored() if row["cache"] == "on"]
    off = [row["seed"] for row in stored() if row["cache"] == "off"]
    assert len(set(on)) == len(on)
    assert len(set(off)) == len(off) == 680
    assert set(off) < set(on)


def test_a_response_that_names_nothing_is_wrong() -> None:
    empty = [row for row in stored() if not row["response"].strip()]
    assert empty
    assert all(row["correct"] == row["correct_lenient"] == "0" for row in empty)


def test_few_shot_responses_are_one_line() -> None:
    assert not [row for row in stored() if row["prompt"] != "chat" and "\n" in row["response"]]


def test_the_eval_is_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < 500_000


def test_assembling_refuses_a_missing_and_a_foreign_row() -> None:
    raw = dict(zip(assemble.planned(), stored(), strict=True))
    assert assemble.table(raw) == stored_text()
    key = assemble.planned()[0]
    gone = {k: v for k, v in raw.items() if k != key}
    with pytest.raises(SystemExit, match="1 planned rows are missing and 0"):
        assemble.table(gone)
    with pytest.raises(SystemExit, match="1 planned rows are missing and 1"):
        assemble.table({**gone, (*key[:4], "nobody"): raw[key]})


def test_load_gives_the_stored_table() -> None:
    pytest.importorskip("pandas")
    frame = datasets.load("small_models")
    assert tuple(frame.columns) == assemble.COLUMNS
    assert frame["response"].tolist() == [row["response"] for row in stored()]
    assert frame["correct"].tolist() == [int(row["correct"]) for row in stored()]
    assert frame["temperature"].dtype.kind == "f"
    assert frame["seed"].dtype.kind == "i"
    assert not frame.isna().any().any()
    questions = datasets.load("small_models_items")
    assert questions["question"].tolist() == [one.question for one in ITEMS]
    assert questions["gold"].tolist() == ["|".join(one.gold) for one in ITEMS]


def test_every_dataset_has_a_datasheet() -> None:
    for name in datasets.names():
        assert "## Known faults" in datasets.datasheet(name)


@pytest.mark.parametrize("ask", [datasets.load, datasets.datasheet])
@pytest.mark.parametrize("name", ["", "small models", "../items", "SMALL_MODELS"])
def test_unknown_names_are_refused(ask: object, name: str) -> None:
    assert callable(ask)
    with pytest.raises(ValueError, match=r"No dataset is called .*; the names are 'small_models'"):
        ask(name)


def test_load_without_pandas_says_so_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"^evalstats\.datasets\.load needs pandas.*$"):
        datasets.load("small_models")


@pytest.mark.parametrize(
    ("model", "prompt"),
    [
        *(("smollm2-135m", prompt) for prompt in ("few", "few2", "chat")),
        *(("gemma3-270m", prompt) for prompt in ("few", "few2")),
    ],
)
def test_the_datasheet_states_the_scores_of_the_data(model, prompt):
    cold = datasets.load("small_models").query("temperature == 0 and cache == 'on'")
    rows = cold[(cold.model == model) & (cold.prompt == prompt)]
    kinds = [rows[rows.stratum == kind].correct.mean() for kind in ("reading", "word", "fact")]
    scores = [f"{share:.3f}"[1:] for share in (rows.correct.mean(), rows.correct_lenient.mean(), *kinds)]
    assert f"| `{model}`, `{prompt}` | {' | '.join(scores)} |" in datasets.datasheet("small_models")
