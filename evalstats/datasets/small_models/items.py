"""The questions of the small-models eval: 68 clusters of five, in three fixed strata.

Run ``python -m evalstats.datasets.small_models.items`` to print the table that is stored as ``items.csv``.
Nothing here is random beyond ``SEED``, so the table can always be made again and compared.

What is fixed and what is drawn: the strata (``reading``, ``word``, ``fact``) are fixed, and a claim about this eval is
a claim about these three kinds of question. Inside a stratum the clusters are drawn: a passage with its five
questions, or a template ("What is the plural of ...?") with five fillings. Five questions about one template tend to be
right or wrong together, and that shared fate is what a cluster-robust standard error has to notice.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial

SEED = 4711
PER_CLUSTER = 5
SEPARATOR = "|"

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
          "November", "December")
COLOURS = ("red", "blue", "green", "yellow", "white", "black", "brown", "pink", "grey", "purple")
CONTINENTS = ("Europe", "Asia", "Africa", "Australia", "South America", "North America")


@dataclass(frozen=True)
class Item:
    """One question.

    ``form`` tells the marker what an answer looks like: ``number`` (a number decides), ``word`` (a plural s is
    forgiven) or ``exact`` (spelling is the point of the question). ``gold`` lists every accepted answer and
    ``options`` every answer the marker knows, right or wrong.
    """

    item: str
    cluster: str
    stratum: str
    form: str
    passage: str
    question: str
    gold: tuple[str, ...]
    options: tuple[str, ...]


# --- stratum "reading": short passages -------------------------------------------------------------------------------

@dataclass(frozen=True)
class Trait:
    """Something a passage can say about a person, and the question that asks it back."""

    says: str
    asks: str
    values: tuple[str, ...]


def _numbers(low: int, high: int) -> tuple[str, ...]:
    return tuple(str(n) for n in range(low, high + 1))


WOMEN = ("Alice", "Clara", "Diana", "Helen", "Irene", "Laura", "Marta", "Sophie", "Vera", "Wendy")
MEN = ("Adam", "Bruno", "David", "Felix", "George", "Henry", "Karl", "Oliver", "Peter", "Simon")
TRAITS = (
    Trait("lives in a {x} house", "What colour is {n}'s house?", COLOURS),
    Trait("works as a {x}", "What is {n}'s job?",
          ("nurse", "baker", "teacher", "farmer", "painter", "dentist", "cook")),
    Trait("comes from {x}", "Which city does {n} come from?",
          ("Rome", "Paris", "London", "Cairo", "Tokyo", "Madrid", "Vienna", "Dublin")),
    Trait("goes to the market on {x}", "On which day does {n} go to the market?", DAYS),
    Trait("has a pet {x}", "What kind of pet does {n} have?",
          ("dog", "cat", "rabbit", "parrot", "turtle", "hamster", "goat")),
    Trait("plays the {x}", "Which instrument does {n} play?",
          ("piano", "violin", "guitar", "flute", "trumpet", "harp", "cello")),
    Trait("drinks {x} in the morning", "What does {n} drink in the morning?",
          ("tea", "coffee", "milk", "water", "juice", "cocoa")),
    Trait("travels to work by {x}", "How does {n} travel to work?",
          ("bus", "train", "car", "bicycle", "boat", "tram")),
    Trait("has a friend called {x}", "What is the name of {n}'s friend?",
          ("Boris", "Carmen", "Edgar", "Fiona", "Gina", "Hugo", "Ivan", "Judith")),
    Trait("owns {x} books", "How many books does {n} own?", _numbers(11, 40)),
    Trait("bought {x} eggs", "How many eggs did {n} buy?", _numbers(3, 10)),
    Trait("was born in {x}", "In which month was {n} born?", MONTHS),
)


def _trait_item(rng: random.Random, trait: Trait, people: tuple[str, ...]) -> tuple[str, str, str]:
    """The clause about everyone in ``people``, the question about one of them, and its answer."""
    values = rng.sample(trait.values, len(people))
    subjects = people if len(people) > 1 else ("{S}",)
    clauses = [f"{who} {trait.says.format(x=value)}" for who, value in zip(subjects, values, strict=True)]
    asked = rng.randrange(len(people))
    return " and ".join(clauses) + ".", trait.asks.format(n=people[asked]), values[asked]


def _passage_cluster(name: str, people_count: int, rng: random.Random) -> list[Item]:
    """Five traits of one or two people told in a row; every trait is asked about once, in another order."""
    people = tuple(rng.sample((rng.choice(WOMEN), rng.choice(MEN)), people_count))
    traits = rng.sample(TRAITS, PER_CLUSTER)
    rows = [(trait, *_trait_item(rng, trait, people)) for trait in traits]
    pronoun = "She" if people[0] in WOMEN else "He"
    passage = " ".join(row[1].replace("{S}", people[0] if k == 0 else pronoun) for k, row in enumerate(rows))
    rng.shuffle(rows)
    return [
        Item(f"{name}.{k}", name, "reading", "number" if gold.isdigit() else "word", passage, question, (gold,),
             () if gold.isdigit() else trait.values)
        for k, (trait, _, question, gold) in enumerate(rows, start=1)
    ]


def reading() -> list[Item]:
    """Sixteen passages about one person and eight about two, each with a seed of its own."""
    made = []
    for k in range(24):
        name = f"passage_{k + 1:02d}"
        made += _passage_cluster(name, 1 if k < 16 else 2, random.Random(f"{SEED} {name}"))
    return made


# --- templates -------------------------------------------------------------------------------------------------------

def template(
    stratum: str, name: str, question: str, answers: dict[str, str], *,
    form: str = "word", options: tuple[str, ...] = (),
) -> list[Item]:
    """One cluster: ``question`` with ``{x}`` filled by each key of ``answers``.

    Accepted answers are separated by ``|``. The options are every answer in the template and the distractors given.
    A number has no options: the number itself decides.
    """
    golds = {x: tuple(answer.split(SEPARATOR)) for x, answer in answers.items()}
    known = tuple(dict.fromkeys([gold for accepted in golds.values() for gold in accepted] + list(options)))
    return [
        Item(f"{name}.{k}", name, stratum, form, "", question.format(x=x), gold, () if form == "number" else known)
        for k, (x, gold) in enumerate(golds.items(), start=1)
    ]


def choice(stratum: str, name: str, question: str, rows: dict[str, str]) -> list[Item]:
    """One cluster of choices: each key lists the options as they are shown, each value is the right one."""
    made = []
    for k, (shown, gold) in enumerate(rows.items(), start=1):
        head, _, tail = shown.rpartition(": ")
        listed = tuple(tail.replace(" or ", ", ").split(", "))
        text = question.format(x=tail, y=head)
        made.append(Item(f"{name}.{k}", name, stratum, "word", "", text, (gold,), listed))
    return made


def word() -> list[Item]:
    """Twenty-four templates about words, letters and order."""
    t: Callable[..., list[Item]] = partial(template, "word")
    c: Callable[..., list[Item]] = partial(choice, "word")
    spelled = partial(t, form="exact")
    clusters = [
        spelled("plural_irregular", 'What is the plural of "{x}"?',
                {"child": "children", "mouse": "mice", "foot": "feet", "tooth": "teeth", "woman": "women"}),
        spelled("plural_regular", 'What is the plural of "{x}"?',
                {"box": "boxes", "city": "cities", "house": "houses", "bird": "birds", "baby": "babies"}),
        spelled("past_irregular", 'What is the past tense of "{x}"?',
                {"go": "went", "eat": "ate", "see": "saw", "write": "wrote", "take": "took"}),
        c("which_language", 'In which language is the word "{y}": {x}?',
          {"bonjour: French, German or Spanish": "French", "gracias: Italian, Spanish or Polish": "Spanish",
           "danke: Russian, French or German": "German", "ciao: Italian, Dutch or Greek": "Italian",
           "hello: Turkish, English or Arabic": "English"}),
        c("topic", 'Is this text about {x}: "{y}"?',
          {"She scored two goals before half time.: sport, food or music": "sport",
           "Fry the onions, then add the rice.: sport, food or music": "food",
           "The drummer joined the choir.: sport, food or music": "music",
           "The runner won the race.: food, music or sport": "sport",
           "The soup needs more salt.: music, sport or food": "food"}),
        t("opposite", 'What is the opposite of "{x}"?',
          {"big": "small|little", "up": "down", "young": "old", "early": "late", "empty": "full"}),
        t("last_word", 'What is the last word of this sentence: "{x}"?',
          {"The dog sleeps under the table.": "table", "We walked along the river.": "river",
           "She painted the whole garden.": "garden", "He forgot to bring the basket.": "basket",
           "They live next to a windmill.": "windmill"}, options=("dog", "we", "she", "he", "they")),
        t("who_sings", 'Who sings in this sentence: "{x}"?',
          {"Maria sings and Paul listens.": "Maria", "Paul sleeps while Nora sings.": "Nora",
           "Ben sings a song for Eva.": "Ben", "Nora cooks and Ben sings.": "Ben",
           "Eva sings and Maria paints.": "Eva"}, options=("Paul",)),
        c("animal", "Which of these is an animal: {x}?",
          {"chair, tiger or spoon": "tiger", "cow, brick or plate": "cow", "hammer, shoe or duck": "duck",
           "carpet, frog or clock": "frog", "bear, pencil or ladder": "bear"}),
        c("fruit", "Which of these is a fruit: {x}?",
          {"apple, bread or cheese": "apple", "soap, pear or rice": "pear", "butter, paper or cherry": "cherry",
           "peach, stone or salt": "peach", "glass, mango or wool": "mango"}),
        t("sentiment", 'Is this review positive or negative: "{x}"?',
          {"The food was delicious.": "positive", "The room was dirty and cold.": "negative",
           "What a wonderful film!": "positive", "The waiter was rude.": "negative",
           "I was bored the whole time.": "negative"}),
        t("month_after", "Which month comes after {x}?",
          {"March": "April", "June": "July", "January": "February", "October": "November", "August": "September"},
          options=MONTHS),
        t("day_after", "Which day comes after {x}?",
          {"Monday": "Tuesday", "Thursday": "Friday", "Saturday": "Sunday", "Tuesday": "Wednesday",
           "Sunday": "Monday"}, options=DAYS),
        t("day_missing", "Which day is missing from this list: {x}?",
          {"Monday, Tuesday, Thursday": "Wednesday", "Wednesday, Thursday, Saturday": "Friday",
           "Friday, Sunday, Monday": "Saturday", "Sunday, Tuesday, Wednesday": "Monday",
           "Tuesday, Wednesday, Friday": "Thursday"}, options=DAYS),
        t("what_is_eaten", 'What is eaten in this sentence: "{x}"?',
          {"Tom eats an apple and drinks tea.": "apple", "The cat drank milk and ate a fish.": "fish",
           "Eva made coffee and ate cake.": "cake", "Paul ate soup with a spoon.": "soup",
           "We drink juice when we eat pizza.": "pizza"}, options=("tea", "milk", "coffee", "spoon", "juice", "cat")),
        c("larger", "Which is larger, {x}?",
          {"a mouse or an elephant": "an elephant", "a mountain or a stone": "a mountain",
           "a pea or a melon": "a melon",
           "a ship or a spoon": "a ship", "an ant or a horse": "a horse"}),
        t("young_animal", "What is a young {x} called?",
          {"dog": "puppy|pup", "cat": "kitten", "cow": "calf", "sheep": "lamb", "goat": "kid"}),
        t("female_word", 'What is the female form of "{x}"?',
          {"king": "queen", "brother": "sister", "uncle": "aunt", "actor": "actress", "husband": "wife"}),
        t("number_in", 'Which number is in this sentence: "{x}"?',
          {"The bus has 48 seats.": "48", "Anna waited for 15 minutes.": "15", "Room 204 is on the left.": "204",
           "He bought 9 candles.": "9", "The bridge is 70 metres long.": "70"}, form="number"),
        t("number_after", "Which number comes after {x}?",
          {"6": "7", "14": "15", "29": "30", "41": "42", "99": "100"}, form="number"),
        c("synonym", 'Which word means the same as "{y}": {x}?',
          {"big: large, red or slow": "large", "glad: tired, happy or late": "happy",
           "quick: blue, heavy or fast": "fast",
           "ill: sick, tall or rich": "sick", "start: sleep, begin or carry": "begin"}),
        t("repeat", 'Repeat this word: "{x}".',
          {"table": "table", "river": "river", "silver": "silver", "planet": "planet", "candle": "candle"}),
        t("saying", "Complete the saying: as {x} as ___.",
          {"cold": "ice", "busy": "a bee|bee", "light": "a feather|feather", "free": "a bird|bird",
           "quiet": "a mouse|mouse"}),
        t("spanish", 'What is the Spanish word for "{x}"?',
          {"house": "casa", "water": "agua", "dog": "perro", "book": "libro", "friend": "amigo|amiga"}),
    ]
    return [item for cluster in clusters for item in cluster]


def fact() -> list[Item]:
    """Twenty templates about the world."""
    t: Callable[..., list[Item]] = partial(template, "fact")
    clusters = [
        t("capital", "What is the capital of {x}?",
          {"France": "Paris", "Japan": "Tokyo", "Egypt": "Cairo", "Spain": "Madrid", "Poland": "Warsaw"},
          options=("London", "Berlin", "Rome")),
        t("continent", "On which continent is {x}?",
          {"Kenya": "Africa", "Brazil": "South America", "China": "Asia", "Norway": "Europe", "India": "Asia"},
          options=CONTINENTS),
        t("language", "What is the main language of {x}?",
          {"Mexico": "Spanish", "Germany": "German", "Egypt": "Arabic", "Portugal": "Portuguese",
           "Japan": "Japanese"}, options=("English", "French", "Italian", "Chinese")),
        t("currency", "What is the currency of {x}?",
          {"Japan": "yen", "Germany": "euro", "India": "rupee", "Mexico": "peso", "Canada": "dollar"},
          options=("pound", "franc")),
        t("demonym", "What do we call a person from {x}?",
          {"Brazil": "Brazilian", "Italy": "Italian", "Canada": "Canadian", "Russia": "Russian",
           "Mexico": "Mexican"}),
        t("country_of_city", "In which country is the city of {x}?",
          {"Milan": "Italy", "Hamburg": "Germany", "Mumbai": "India", "Toronto": "Canada", "Osaka": "Japan"},
          options=("France", "Spain", "China")),
        t("colour", "What colour is {x}?",
          {"snow": "white", "grass": "green", "coal": "black", "blood": "red", "a ripe banana": "yellow"},
          options=COLOURS),
        t("makes", "What does a {x} make?",
          {"bee": "honey", "baker": "bread", "spider": "web", "hen": "egg", "tailor": "clothes|suit"}),
        t("sound", "What sound does a {x} make?",
          {"dog": "bark|barking|woof", "cat": "meow|miaow|purr", "cow": "moo", "lion": "roar|growl", "duck": "quack"}),
        t("animal_home", "What is the home of a {x} called?",
          {"bird": "nest", "bee": "hive|beehive", "spider": "web", "lion": "den", "horse": "stable|barn"}),
        t("legs", "How many legs does a {x} have?",
          {"dog": "4", "spider": "8", "chicken": "2", "fly": "6", "horse": "4"}, form="number"),
        t("how_many", "How many {x}?",
          {"days are in a week": "7", "months are in a year": "12", "hours are in a day": "24",
           "minutes are in an hour": "60", "letters are in the English alphabet": "26"}, form="number"),
        t("workplace", "Where does a {x} work?",
          {"teacher": "school|classroom", "doctor": "hospital|clinic", "farmer": "farm|field",
           "cook": "kitchen|restaurant", "judge": "court|courtroom"}),
        t("tool", "Which tool do you use to {x}?",
          {"cut paper": "scissors", "sweep the floor": "broom", "open a lock": "key", "dig a hole": "shovel|spade",
           "hit a nail": "hammer"}),
        t("author", "Who wrote {x}?",
          {"Hamlet": "Shakespeare", "Oliver Twist": "Dickens", "War and Peace": "Tolstoy",
           "Pride and Prejudice": "Austen", "Animal Farm": "Orwell"}),
        t("sense", "Which part of the body do we {x} with?",
          {"see": "eye", "hear": "ear", "smell": "nose", "taste": "tongue", "chew": "teeth|tooth"}),
        t("made_of", "What is {x} made from?",
          {"cheese": "milk", "wine": "grape", "paper": "wood|tree", "bread": "flour|wheat", "glass": "sand|silica"}),
        t("month_of", "In which month is {x}?",
          {"Christmas Day": "December", "New Year's Day": "January", "Halloween": "October",
           "Valentine's Day": "February", "Saint Patrick's Day": "March"}, options=MONTHS),
        t("animal_class", "Is {x} a bird, a fish or an insect?",
          {"a salmon": "fish", "an eagle": "bird", "a beetle": "insect", "a shark": "fish", "a parrot": "bird"}),
        t("sport_place", "Which sport uses {x}?",
          {"a racket and a net": "tennis|badminton", "a bat and bases": "baseball",
           "a hoop and a backboard": "basketball",
           "clubs and eighteen holes": "golf", "a puck and skates": "hockey|ice hockey"}),
    ]
    return [item for cluster in clusters for item in cluster]


def items() -> list[Item]:
    """All items in the order they are asked: passages first, then words, then facts."""
    return reading() + word() + fact()


# --- the table on disk -----------------------------------------------------------------------------------------------

COLUMNS = tuple(field.name for field in fields(Item))


def as_csv(rows: list[Item]) -> str:
    """The items as CSV text; several answers or options share a cell, separated by ``|``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        cells = [getattr(row, name) for name in COLUMNS]
        writer.writerow([SEPARATOR.join(cell) if isinstance(cell, tuple) else cell for cell in cells])
    return out.getvalue()


def from_csv(text: str) -> list[Item]:
    """The inverse of :func:`as_csv`."""
    def many(cell: str) -> tuple[str, ...]:
        return tuple(cell.split(SEPARATOR)) if cell else ()

    return [
        Item(row["item"], row["cluster"], row["stratum"], row["form"], row["passage"], row["question"],
             many(row["gold"]), many(row["options"]))
        for row in csv.DictReader(io.StringIO(text))
    ]


if __name__ == "__main__":
    print(as_csv(items()), end="")
