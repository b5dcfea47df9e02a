"""A small site with every element on it, in the look of the book: to develop and to test them."""

from pathlib import Path

project = "Harness"
extensions = ["myst_parser", "book.tools.elements"]
myst_enable_extensions = ["dollarmath"]
html_theme = "sphinx_book_theme"
html_static_path = [str(Path(__file__).parents[3] / "book" / "_static")]
html_css_files = ["css/site.css"]
mathjax_path = "mathjax/tex-mml-chtml.js"
exclude_patterns = ["book"]
html_show_sourcelink = False
html_context = {"default_mode": "auto"}
mathjax3_config = {"options": {"enableMenu": False}}
