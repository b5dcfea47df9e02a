"""Numbers as readers meet them: `1.236`, `19,458`, `85.5%`, `−0.25`, `twenty items`, and TeX such as `19{,}458`.

What counts as a numeral, and must therefore have a row in the ledger:

* every number in digits, in prose and in maths, also `37k`, `½` and `1 000` with a narrow space;
* a number word from three upwards ("four forms", "nine ahead", "two hundred and fifty", "dozens");
* a fraction or a multiple: "half", "a third of", "two tenths", "a quarter", "twice", "doubled", "halves", "threefold";
* "one" and "two" before a measure ("two points", "a one-point gap", "two ahead"), and in a ratio to three or more, also
  with a noun between ("one in ten", "one alarm in three", "two worlds in a hundred"), but not in "one of three words".

What does not:

* names that contain digits (`SmolLM2-135M`, `top-5`), the words `0/1` and `2×2`, versions, dates and addresses;
* labels of places ("Step 2", "Table 3", "Day 5");
* "one" and "two" elsewhere: "the two systems", "one of them";
* ordinals ("the third test"), and the idioms "half-way", "half-open", "first half", "second half" and "double duty";
* the bare digits 0 and 1, in maths also −1, 2 and −2: the two marks, the ends of a scale, the square in a formula.
  A bare digit before a measure or something counted ("1 point", `$2$ points`, `2\\%`) does count;
* in maths only: whole numbers in subscripts, the pair in `\\tfrac12`, and lengths such as `\\\\[4pt]`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Numeral:
    """A number found in a text: how it is printed, what it says, and where it stands."""

    printed: str
    value: Decimal
    unit: Decimal  # one unit of the last printed place: 0.001 for 1.236, 1 for 19,458, 0.001 for 85.5%
    start: int
    end: int

    @property
    def significant_digits(self) -> int:
        """Digits that carry information: 3 for 0.0225, 1 for 1,000, 4 for 1.236."""
        digits = "".join(map(str, self.value.as_tuple().digits)).lstrip("0")
        return max(1, len(digits.rstrip("0") if self.value == self.value.to_integral() else digits))

    @property
    def is_decimal(self) -> bool:
        """Whether digits stand behind a decimal point."""
        return "." in self.printed or "e-" in self.printed

    def agrees_with(self, value: float) -> bool:
        """Whether `value`, rounded to the printed place, is what is printed.

        The comparison is made in decimal, on the shortest text that stands for the float. A value exactly half-way
        between two printed numbers agrees with both, since either way of rounding is honest.
        """
        return abs(Decimal(repr(value)) - self.value) <= self.unit / 2


# ---- digits ----------------------------------------------------------------------------------------------------------

_DIGITS = r"(?:[1-9]\d{0,2}(?:(?:,|\{,\}|\\,)\d{3})+(?!\d)|\d+)"
_NUMBER = re.compile(
    rf"(?P<sign>[-−–])?(?P<digits>{_DIGITS}(?:\.\d+)?|\.\d+)(?:(?P<exponent>e[-+]?\d+)|(?P<suffix>[kKMB])(?!\w))?"
    r"(?P<percent>\s?\\?%)?"
)
_POWER_OF_TEN = re.compile(r"(?P<factor>\d+(?:\.\d+)?)?\s*(?:\\times|\\cdot|×)?\s*(?<!\d)10\^\{?(?P<power>[-−]?\d+)\}?")
_SIGN_MAY_FOLLOW = re.compile(r"(?:^|[\s(\[{=<>|,;:±≈~/&])$")

_SUFFIXES = {"K": "e3", "M": "e6", "B": "e9"}
_NARROW_SPACE = re.compile("(?<=\\d)[\u00a0\u2007-\u200a\u202f\u205f](?=\\d{3}(?!\\d))")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def as_read(text: str) -> str:
    """`text` as the eye takes it: characters that nobody sees left out, narrow spaces within a number made commas."""
    return _NARROW_SPACE.sub(",", _UNSEEN.sub("", text))


_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_NOT_NUMERALS = re.compile(
    "|".join(
        (
            r"https?://\S+",
            r"\b\d{4}-\d{2}-\d{2}\b",  # dates
            rf"\b(?:\d{{1,2}}\s+)?(?:{_MONTH})\s+(?:19|20)\d{{2}}\b",
            rf"\b\d{{1,2}}\s+(?:{_MONTH})\b",
            r"(?<=\b[iI]n )(?:1[89]|20)\d{2}(?=[^\w\s]|$)",  # "in 1947." but not "in 2000 resamples"
            r"(?<=\b[sS]ince )(?:1[89]|20)\d{2}(?=[^\w\s]|$)",
            r"\((?:1[89]|20)\d{2}\)",
            r"\b[vV]?\d+\.\d+\.\d+\w*",  # versions
            r"\b(?:Python|[vV]ersion|numpy|scipy|NumPy|SciPy|CC BY)\s+\d+(?:\.\d+)*",
            r"\b(?:[Ss]tep|[Qq]uestion|[Pp]art|[Bb]lock|[Dd]ay|[Ww]eek|[Ee]xercise|[Ff]igure|[Tt]able|[Ee]quation"
            r"|[Cc]hapter|[Ss]ection|[Cc]heck|[Ll]esson)\s+\d+(?![\d.,]*\d)",
            r"(?<![\w.,/])0/1(?![\w/]|\.\d)",  # the words 0/1 and 2×2
            r"(?<![\w.,/])2\s?[×x]\s?2(?![\w/]|\.\d)",
            r"(?<!\w)[A-Za-z]\w*(?:[-_@]\w+)*(?![.,]\d|%)",  # words, among them names with digits such as top-5
        )
    )
)


def _blank(text: str, pattern: re.Pattern[str]) -> str:
    """`text` with everything `pattern` matches turned into the letter x, so that places stay where they are."""
    return pattern.sub(lambda match: "x" * len(match.group()), text)


def _from_match(match: re.Match[str], text: str) -> Numeral:
    sign = match["sign"] if match["sign"] and _SIGN_MAY_FOLLOW.search(text[: match.start()]) else ""
    start = match.start() + (len(match["sign"] or "") - len(sign))
    digits = match["digits"].replace("{,}", ",").replace("\\,", ",")
    suffix = match["suffix"] or ""
    exponent = match["exponent"] or _SUFFIXES.get(suffix.upper(), "")
    percent = "%" if match["percent"] else ""
    value = Decimal(("-" if sign else "") + digits.replace(",", "") + exponent)
    unit = Decimal((0, (1,), int(value.as_tuple().exponent)))
    scale = Decimal("0.01") if percent else Decimal(1)
    printed = ("-" if sign else "") + digits + (suffix.lower() or exponent) + percent
    return Numeral(printed, value * scale, unit * scale, start, match.end())


def _in_digits(text: str) -> Iterator[Numeral]:
    """The numerals in digits of a stretch of prose, names and dates and the like left out."""
    blanked = _blank(text, _NOT_NUMERALS)
    for match in _NUMBER.finditer(blanked):
        numeral = _from_match(match, blanked)
        before = blanked[numeral.start - 1] if numeral.start else " "
        rest = text[numeral.end :]
        bare = numeral.printed in {"0", "1"} and not (_BEFORE_MEASURE.match(rest) or _BEFORE_COUNTED.match(rest))
        if not (before.isalnum() or before == "_" or bare):
            yield numeral


# ---- words -----------------------------------------------------------------------------------------------------------

_SMALL = {
    word: value
    for value, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"], start=1)
}
_TEENS = {
    word: value
    for value, word in enumerate(
        ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"],
        start=10,
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_POWERS = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_PLAIN = _SMALL | _TEENS | _TENS
_ANY = "|".join((_PLAIN | _POWERS).keys())
_BELOW_HUNDRED = rf"(?:(?:{'|'.join(_TENS)})(?:-(?:{'|'.join(_SMALL)}))?|{'|'.join(_SMALL | _TEENS)})(?![a-z])"
_POWER = rf"(?:{'|'.join(_POWERS)})s?(?![a-z])"
_PHRASE = re.compile(
    rf"(?<![\w-])(?:{_BELOW_HUNDRED}(?:\s+{_POWER})*|{_POWER})(?:\s+(?:and\s+)?{_BELOW_HUNDRED}(?:\s+{_POWER})+)*"
    rf"(?:(?:(?<=hundred)|(?<=thousand)|(?<=million))\s+(?:and\s+)?{_BELOW_HUNDRED})?",
    re.IGNORECASE,
)
_MULTIPLES = {
    "half": "0.5", "halve": "0.5", "halves": "0.5", "halved": "0.5", "halving": "0.5",
    "quarter": "0.25", "quarters": "0.25", "quartered": "0.25",
    "twice": "2", "double": "2", "doubles": "2", "doubled": "2", "doubling": "2", "twofold": "2",
    "thrice": "3", "triple": "3", "triples": "3", "tripled": "3", "tripling": "3", "treble": "3", "trebled": "3",
    "quadruple": "4", "quadrupled": "4", "threefold": "3", "fourfold": "4", "fivefold": "5", "sixfold": "6",
    "sevenfold": "7", "eightfold": "8", "ninefold": "9", "tenfold": "10", "hundredfold": "100", "thousandfold": "1000",
}  # fmt: skip
_PARTS = {
    "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11,
    "twelfth": 12, "sixteenth": 16, "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50,
    "hundredth": 100, "thousandth": 1000, "millionth": 1_000_000,
}  # fmt: skip
_PART = "|".join(_PARTS)
_COUNT_OF_PARTS = "|".join(_SMALL | _TEENS)
# A part is told from an ordinal by its plural, by what follows or by "one" before it: "a third of", not "a third test".
_FRACTION = re.compile(
    rf"(?<![\w-])(?:(?:(?P<count>{_COUNT_OF_PARTS})[\s-]+)?(?P<parts>{_PART}|quarter)s"
    rf"|(?P<one>one[\s-]+)(?P<single>{_PART}|quarter)|(?:(?<=\ba )|(?<=\ban ))(?P<part>{_PART})"
    rf"(?=\s+(?:of|as|less|more|off|larger|smaller|higher|lower)\b|\s*[.;:)]|\s*$)"
    rf"|(?P<multiple>{'|'.join(sorted(_MULTIPLES, key=len, reverse=True))}))(?![\w])",
    re.IGNORECASE,
)
_IDIOM = re.compile(r"half[\s-]?way|(?<=first )half|(?<=second )half|half-open|double duty", re.IGNORECASE)

_MEASURE = r"(?:percentage[\s-])?points?|per\s?cent|times|fold|hours?|minutes?|seconds?|standard[\s-]errors?|decimals?"
_COUNTED = (
    r"items?|questions?|clusters?|decodes?|completions?|responses?|flips?|pairs?|runs?|cases?|models?|systems?"
    r"|templates?|passages?|resamples?|replicates?|seeds?|tests?|comparisons?|answers?|marks?|marked|rows?|columns?"
    r"|cells?|tables?|examples?|students?|draws?|digits?|cards?|exercises?|samples?|prompts?|baselines?|coins?"
    r"|tosses|heads|wins?|losses|strata|kinds?|groups?|evals?|benchmarks?|subjects?|tasks?|blocks?|steps?|outcomes?"
    r"|disagreements?|agreements?|p-values?|intervals?|metrics?|checks?|days?|weeks?|variants?|ways?|methods?|parts?"
)
_BEFORE_MEASURE = re.compile(rf"[\s-]+(?:{_MEASURE})\b", re.IGNORECASE)
_BEFORE_COUNTED = re.compile(rf"[\s-]+(?:[a-z][a-z-]*\s+)?(?:{_COUNTED})\b", re.IGNORECASE)
_AHEAD = re.compile(r"\s+(?:ahead|behind|to\s+(?:nothing|none|nil|zero))\b", re.IGNORECASE)
_BEFORE_RATIO = re.compile(
    rf"(?P<noun>\s+(?:[a-z-]+\s+){{1,2}}?|\s+)(?P<joint>in|of|out\s+of)\s+(?:the\s+|every\s+|an?\s+)?(?P<whole>{_ANY})\b",
    re.IGNORECASE,
)


def words_value(phrase: str) -> int:
    """The value of a number in words: `words_value("two hundred and fifty")` is 250."""
    total = current = 0
    for word in re.split(r"[\s-]+", phrase.lower()):
        singular = word.removesuffix("s") if word.removesuffix("s") in _POWERS else word
        if word == "and":
            continue
        if word in _PLAIN:
            current += _PLAIN[word]
        elif _POWERS[singular] < 1000:
            current = max(current, 1) * _POWERS[singular]
        else:
            total += max(current, 1) * _POWERS[singular]
            current = 0
    return total + current


def _word_counts(value: int, rest: str) -> bool:
    """Whether a number word of this value, followed by `rest`, states a number or is small talk."""
    if value >= 3 or _BEFORE_MEASURE.match(rest) or (value == 2 and _AHEAD.match(rest)):
        return True
    ratio = _BEFORE_RATIO.match(rest)
    if not ratio or words_value(ratio["whole"]) < 3:
        return False
    # "one in three" is a ratio; "one of three words" picks out; "two of a hundred" is a ratio again
    is_bare_pick = ratio["joint"].lower() != "in" and words_value(ratio["whole"]) < 10
    return not is_bare_pick or bool(ratio["noun"].strip())


def _fractions(text: str) -> Iterator[Numeral]:
    """Parts and multiples in words; they are rounded to a tenth of themselves unless a row says otherwise."""
    idioms = [match.span() for match in _IDIOM.finditer(text)]
    for match in _FRACTION.finditer(text):
        if any(start <= match.start() < end for start, end in idioms):
            continue
        if match["multiple"]:
            value = Decimal(_MULTIPLES[match["multiple"].lower()])
        else:
            part = (match["parts"] or match["single"] or match["part"]).lower()
            value = Decimal(words_value(match["count"]) if match["count"] else 1) / (_PARTS | {"quarter": 4})[part]
        printed = re.sub(r"\s+", " ", match.group().lower())
        yield Numeral(printed, value, value / 5, match.start(), match.end())
    for match in re.finditer(r"\d*[¼-¾⅐-⅞]", text):
        digits, sign = match.group()[:-1], match.group()[-1]
        value = Decimal(digits or 0) + Decimal(str(round(unicodedata.numeric(sign), 12)))
        yield Numeral(match.group(), value, Decimal("0.1"), match.start(), match.end())


def _in_words(text: str) -> Iterator[Numeral]:
    fractions = list(_fractions(text))
    yield from fractions
    for match in _PHRASE.finditer(text):
        phrase = re.sub(r"\s+", " ", match.group().lower())
        value = words_value(phrase)
        within = any(n.start <= match.start() < n.end for n in fractions)
        if not within and _word_counts(value, text[match.end() :]):
            yield Numeral(phrase, Decimal(value), Decimal(1), match.start(), match.end())


def in_prose(text: str) -> list[Numeral]:
    """The numerals of a stretch of prose, in order."""
    text = as_read(text)
    words = list(_in_words(text))
    digits = [n for n in _in_digits(text) if not any(w.start <= n.start < w.end for w in words)]  # the 2 of 2½
    return sorted([*digits, *words], key=lambda numeral: numeral.start)


# ---- maths -----------------------------------------------------------------------------------------------------------

_NOT_IN_MATHS = re.compile(
    "|".join(
        (
            r"\\\\\s*\[[^\]]*\]",  # \\[4pt]
            r"\\(?:hspace|vspace|label|tag|ref|eqref|color|phantom)\*?\{[^{}]*\}",
            r"\\(?:kern|mkern|hskip)\s*[\d.]+\s*\w\w",
            r"\\begin\{array\}\{[^{}]*\}",
            r"\\[td]?frac(?=[0-9]{2}(?!\d))[12][12]",  # \tfrac12
            r"_\d",  # subscripts: whole numbers, bare or in a list such as _{n,1}
        )
    )
)
_TEXT_IN_MATHS = re.compile(r"\\(?:text\w*|mathrm|mbox|operatorname)\*?\{([^{}]*)\}")
_SUBSCRIPT = re.compile(r"_\{([^{}]*)\}")
_WHOLE = re.compile(r"(?<![\d.])\d+(?![\d.]*\d)")
_MEASURE_FOLLOWS = re.compile(rf"[\s~-]*(?:(?:{_MEASURE}|{_COUNTED})\b|%)", re.IGNORECASE)


def _powers_of_ten(text: str) -> list[Numeral]:
    found = []
    for match in _POWER_OF_TEN.finditer(text):
        printed = f"{match['factor'] or '1'}e{match['power'].replace('−', '-')}"
        value = Decimal(printed)
        unit = Decimal((0, (1,), int(value.as_tuple().exponent)))
        found.append(Numeral(printed, value, unit, match.start(), match.end()))
    return found


def in_maths(tex: str, after: str = "") -> list[Numeral]:
    """The numerals of a formula that are not part of its structure; `after` is the text that follows the formula."""
    tex = as_read(tex)
    words = [
        Numeral(n.printed, n.value, n.unit, n.start + match.start(1), n.end + match.start(1))
        for match in _TEXT_IN_MATHS.finditer(tex)
        for n in _in_words(match[1])
    ]
    text = _blank(tex, _NOT_IN_MATHS)
    text = _SUBSCRIPT.sub(lambda match: _blank(match.group(), _WHOLE), text)
    found = _powers_of_ten(text)
    text = _blank(text, _POWER_OF_TEN) if found else text
    text = re.sub(r"\\[A-Za-z]+", lambda match: "{" * len(match.group()), text)  # so that no letter precedes \sqrt 5
    for match in _NUMBER.finditer(text):
        numeral = _from_match(match, text)
        structural = numeral.printed.lstrip("-") in {"0", "1", "2"} and not (
            match.end() == len(text.rstrip()) and _MEASURE_FOLLOWS.match(after)
        )
        if not structural:
            found.append(numeral)
    return sorted([*found, *words], key=lambda numeral: numeral.start)
