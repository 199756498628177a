"""The links and anchors of an HTML page."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.anchors |= {value for name in ("id", "name") if (value := values.get(name))}
        self.links += [value for name in ("href", "src") if (value := values.get(name)) is not None]


def anchors_and_links(page: Path) -> tuple[set[str], list[str]]:
    """Return the anchors of a page, and what it links to, as it is written."""
    parser = _Parser()
    parser.feed(page.read_text(encoding="utf-8"))
    return parser.anchors, parser.links
