"""Two markers for the small-models eval: pure functions of an item and a stored response.

They were frozen, with the tests in ``tests/stats/test_small_models.py``, before the models were run. A marker is part
of what an eval measures: the two below read the same responses and do not always agree, and the book uses that.

==========  ==============================================  ====================================================
``form``    strict                                          lenient
==========  ==============================================  ====================================================
number      the last number is the answer                   the first or the last number is the answer
word        the answer is there as a whole word, and no     of all known options, the one named first is the
            other known option is (a plural s is forgiven)  answer
exact       the same, without forgiving a plural s          the same, without forgiving a plural s
==========  ==============================================  ====================================================

An empty response is wrong. Case, accents and punctuation are ignored; articles before a word are too.
"""

from __future__ import annotations

import re
import unicodedata

from evalstats.datasets.small_models.items import Item

NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
}
_ARTICLES = re.compile(r"^(?:a|an|the) ")


def normalise(text: str) -> str:
    """Lower case, no accents, no possessive 's, and single spaces in place of punctuation."""
    text = unicodedata.normalize("NFKD", text.replace("\u2019", "'").lower())
    text = "".join(ch for ch in text if not unicodedata.combining(ch))
    text = re.sub(r"'s\b", "", text).replace("'", "")
    return re.sub(r"[^a-z0-9]+", " ", text).strip()


def numbers(text: str) -> list[str]:
    """The numbers in a response in order; the words zero to twenty count as numbers, and 07 is 7."""
    words = [NUMBER_WORDS.get(word, word) for word in normalise(text).split()]
    return [str(int(word)) for word in words if word.isdigit()]


def mentions(item: Item, response: str) -> dict[str, int]:
    """Where each known answer first stands in the response as a whole word; answers not there are left out."""
    text, plural = normalise(response), "" if item.form == "exact" else "s?"
    found = {}
    for answer in dict.fromkeys(item.gold + item.options):
        bare = _ARTICLES.sub("", normalise(answer))
        match = re.search(rf"\b{re.escape(bare)}{plural}\b", text)
        if match:
            found[answer] = match.start()
    return found


def mark_strict(item: Item, response: str) -> int:
    """1 if the response gives the answer and nothing that competes with it, else 0."""
    if item.form == "number":
        seen = numbers(response)
        return int(bool(seen) and seen[-1] in item.gold)
    found = mentions(item, response)
    return int(bool(found) and all(answer in item.gold for answer in found))


def mark_lenient(item: Item, response: str) -> int:
    """1 if the first answer given is right (for a number: the first or the last), else 0."""
    if item.form == "number":
        seen = numbers(response)
        return int(bool(seen) and (seen[0] in item.gold or seen[-1] in item.gold))
    found = mentions(item, response)
    return int(bool(found) and min(found, key=lambda answer: found[answer]) in item.gold)
