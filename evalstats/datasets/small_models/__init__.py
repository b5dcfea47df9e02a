"""A small eval of two small language models, run by this project: items, prompts, marker, runner and stored responses.

Nothing is imported here, so that reading the data never loads the machinery that made it.
"""
