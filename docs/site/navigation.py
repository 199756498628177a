"""The order of the pages on the site; the title of a page is its heading."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

HEADING: Final = re.compile(r"^# (?P<title>.+)$", re.MULTILINE)
COMMENT: Final = re.compile(r"<!--.*?-->\n*", re.DOTALL)
LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")


class Section(NamedTuple):
    """Pages below one word of the navigation."""

    title: str
    pages: tuple[str, ...]
    """Paths below the site; of a path that ends in `/`, the pages in that folder by the order of their titles."""


SECTIONS: Final = (
    Section("Start", ("index.md", "tutorial.md")),
    Section("How to", ("how-to/",)),
    Section("Explanation", ("explanation/",)),
    Section("Reference", ("reference/",)),
    Section("Project", ("changelog.md",)),
)


def title_of(text: str) -> str:
    """Return the title of a page, without code marks."""
    found = HEADING.search(text)
    if found is None:
        raise ValueError("a page must have a heading `# Title`")
    return found["title"].replace("`", "")


def summary_of(text: str) -> str:
    """Return the first sentence of a page, as plain text; empty without one."""
    paragraphs = COMMENT.sub("", text).split("\n\n")
    first = next((each for each in paragraphs if each[:1].isalpha() or each[:1] in "`["), "")
    plain = LINK.sub(r"\1", " ".join(first.split()))
    return plain.partition(". ")[0].rstrip(".:")


def order(pages: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the paths of each section.

    Args:
        pages: The text of each page, by its path below the site.

    Raises:
        ValueError: If a page is in no section, or a section names a page that does not exist.
    """
    found: dict[str, list[str]] = {}
    for section in SECTIONS:
        found[section.title] = [path for entry in section.pages for path in _pages_of(entry, pages)]
    if missing := set(pages).symmetric_difference(path for paths in found.values() for path in paths):
        raise ValueError(f"pages that are not in the navigation, or only there: {', '.join(sorted(missing))}")
    return found


def _pages_of(entry: str, pages: Mapping[str, str]) -> Iterable[str]:
    if not entry.endswith("/"):
        return [entry]
    inside = [path for path in pages if path.startswith(entry)]
    # The overview of a folder comes before its pages, and these before those of a folder in it.
    return sorted(inside, key=lambda path: (path.count("/"), not path.endswith("/index.md"), title_of(pages[path])))


def toml(pages: Mapping[str, str]) -> str:
    """Return the navigation as a line of TOML, for the configuration of the site."""
    sections = [
        f"{{ {json.dumps(title)} = [{', '.join(_entries(paths, pages))}] }}" for title, paths in order(pages).items()
    ]
    return f"nav = [{', '.join(sections)}]\n"


def _entries(paths: Iterable[str], pages: Mapping[str, str]) -> list[str]:
    entries: list[str] = []
    nested: dict[str, list[str]] = {}
    for path in paths:
        entry = f"{{ {json.dumps(title_of(pages[path]))} = {json.dumps(path)} }}"
        if path.count("/") > 1:
            nested.setdefault(path.split("/")[1], []).append(entry)
        else:
            entries.append(entry)
    entries += [
        f"{{ {json.dumps(name.capitalize().replace('-', ' '))} = [{', '.join(inner)}] }}"
        for name, inner in nested.items()
    ]
    return entries
