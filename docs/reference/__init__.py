"""The reference of the site, generated from the code: each module has `pages()`, which returns Markdown by path."""

from __future__ import annotations

from docs.reference import command_line, objects, operations
from docs.reference.markdown import document, link, table

INDEX = "reference/index.md"


def pages() -> dict[str, str]:
    """Return all pages of the reference, by their paths below the site."""
    written = objects.pages() | command_line.pages() | operations.pages()
    rows = [
        (link(text.partition("\n")[0][2:], path, INDEX), text.split("\n\n")[1].partition(". ")[0].rstrip("."))
        for path, text in written.items()
        if path.count("/") == 1 or path.endswith("/index.md")
    ]
    settings = (link("Settings", "reference/settings.md", INDEX), "The variables of the environment")
    index = document(
        "# Reference", "Everything here is generated from the code.", table(("Page", "What it has"), [*rows, settings])
    )
    return {INDEX: index, **written}
