"""What programs find on the site, and what it loads. Zensical ends the build at a dead link or anchor."""

from __future__ import annotations

import re
from pathlib import Path


def pages(site: Path) -> list[Path]:
    return [page for page in site.rglob("*.html") if page.name != "404.html"]


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
