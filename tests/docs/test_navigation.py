"""The order of the pages, their titles, and where each leads on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.check import PAGES
from docs.site.navigation import order, summary_of, title_of, toml

PAGE = "# `asp`: a *terminal*\n\n<!-- hidden: python\nx = 1\n-->\n\nThe [command](a.md) is\nquick. It has more.\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_says_where_to_go_on(page: Path) -> None:
    last = re.split(r"^## ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[-1]
    assert last.startswith("Next\n")
    assert re.findall(r"\]\(([^)]+)\)", last)


def test_a_title_and_a_summary_are_plain_text() -> None:
    assert (title_of(PAGE), summary_of(PAGE)) == ("asp: a *terminal*", "The command is quick")


def test_a_page_without_a_title_is_an_error() -> None:
    with pytest.raises(ValueError, match="must have a heading"):
        title_of("Text only\n")


def test_a_page_that_no_section_has_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"lost\.md"):
        order({"lost.md": "# Lost\n"})


def test_pages_of_a_folder_are_in_the_order_of_their_titles_below_its_overview() -> None:
    texts = {name: f"# {title}\n" for name, title in [("index.md", "Z"), ("tutorial.md", "Y"), ("changelog.md", "X")]}
    texts |= {"how-to/b.md": "# A\n", "how-to/a.md": "# B\n", "how-to/index.md": "# C\n"}
    assert order(texts)["How to"] == ["how-to/index.md", "how-to/b.md", "how-to/a.md"]
    assert '{ "A" = "how-to/b.md" }' in toml(texts)
