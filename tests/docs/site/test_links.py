"""Nothing on the site leads nowhere: links, anchors, pictures and the list for programs."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Links(HTMLParser):
    """The anchors of a page, and what it links to, as it is written."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.anchors: set[str | None] = set()
        self.links: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.anchors |= {value for name, value in attrs if name in ("id", "name")}
        self.links += [value for name, value in attrs if name in ("href", "src") and value is not None]


read = cache(Links)


def pages(site: Path) -> list[Path]:
    return [page for page in site.rglob("*.html") if page.name != "404.html"]


def dead(page: Path, link: str) -> bool:
    """Return whether a link leads to a file or an anchor that does not exist; other sites are not asked."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return False
    target = page.parent.joinpath(unquote(parts.path)).resolve() if parts.path else page
    if not target.is_file():
        return True
    return bool(parts.fragment) and target.suffix == ".html" and unquote(parts.fragment) not in read(target).anchors


def test_no_link_is_dead(site: Path) -> None:
    found = {(page.relative_to(site).as_posix(), link) for page in pages(site) for link in read(page).links}
    assert len(found) > 1000
    assert sorted(each for each in found if dead(site / each[0], each[1])) == []


def test_every_page_is_there_as_markdown_too(site: Path) -> None:
    missing = pages(site)
    assert len(missing) > 50
    assert [page for page in missing if not page.with_suffix(".md").is_file()] == []


def test_the_list_for_programs_names_every_page_once(site: Path) -> None:
    listed = re.findall(r"\]\(([^)]+)\)", (site / "llms.txt").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(path.relative_to(site).as_posix() for path in site.rglob("*.md"))


def test_no_page_loads_anything_from_another_host(site: Path) -> None:
    loaded = re.compile(r"<(?:script|link|img)[^>]+(?:src|href)=\"?(https?:[^\" >]+)")
    found = [address for page in pages(site) for address in loaded.findall(page.read_text(encoding="utf-8"))]
    assert found == []
