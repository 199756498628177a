"""The reference of the site, made from the code: each module has `pages()`, paths with their Markdown."""

from __future__ import annotations

from docs.reference import command_line, errors, gaps, migration, models, objects, operations, settings
from docs.reference.markdown import document, link, table

INDEX = "reference/index.md"
MODULES = (objects, models, errors, settings, command_line, operations, gaps, migration)


def pages() -> dict[str, str]:
    """Return all pages of the reference, by their paths below the site."""
    found = {path: text for module in MODULES for path, text in module.pages().items()}
    return {INDEX: index(found), **found}


def index(found: dict[str, str]) -> str:
    """Return the page with all others, but those of single resources."""
    rows = [
        (link(title_of(text), path, INDEX), first_sentence(text))
        for path, text in found.items()
        if path.count("/") == 1 or path.endswith("/index.md")
    ]
    return document(
        "# Reference",
        "Everything here is written from the code, and each response comes from the sandbox.",
        table(("Page", "What it has"), rows),
    )


def title_of(text: str) -> str:
    """Return the title of a page."""
    return text.partition("\n")[0].removeprefix("# ")


def first_sentence(text: str) -> str:
    """Return the first sentence of a page, without links."""
    sentence = text.split("\n\n")[1].split(". ")[0].partition("[")[0].strip()
    return sentence if sentence.endswith(".") else f"{sentence}."
