"""The three ways a question is put to a model.

Two few-shot completion prompts, because one of the models is a base model that knows no chat, and a zero-shot chat
prompt for the other. None of the worked examples is an item of the eval.
"""

from __future__ import annotations

from evalstats.datasets.small_models.items import Item

FEW_EXAMPLES = """Here are some questions and their short answers.

Q: How many wheels does a car have?
A: 4

Q: What is the opposite of "left"?
A: right

Q: What is the capital of Italy?
A: Rome

Q: What is the plural of "cup"?
A: cups

Q: Which of these is a drink: door, milk or hand?
A: milk

Text: Zoe has a silver scarf. She lives near the lake.
Q: What colour is Zoe's scarf?
A: silver

"""

FEW2_EXAMPLES = """Text: Leo sells lamps. He has sold 50 lamps. Question: How many lamps has Leo sold? Answer: 50
Question: What is the past tense of "send"? Answer: sent
Question: Which ocean is between Europe and America? Answer: Atlantic
Question: Which month comes after May? Answer: June
Question: Who painted the Mona Lisa? Answer: Leonardo
Question: Which is heavier, a pillow or a piano? Answer: piano
"""

CHAT_REQUEST = "Answer with one word or one number."


def few(item: Item) -> str:
    """Six worked examples in blocks, one field a line."""
    text = f"Text: {item.passage}\n" if item.passage else ""
    return f"{FEW_EXAMPLES}{text}Q: {item.question}\nA:"


def few2(item: Item) -> str:
    """Six other examples, one a line, with other labels."""
    text = f"Text: {item.passage} " if item.passage else ""
    return f"{FEW2_EXAMPLES}{text}Question: {item.question} Answer:"


def chat(item: Item) -> str:
    """What the user says in a zero-shot chat; the model's own template is put around it."""
    text = f"{item.passage}\n" if item.passage else ""
    return f"{text}{item.question} {CHAT_REQUEST}"


PROMPTS = {"few": few, "few2": few2, "chat": chat}
