"""The pages of the site: their order, their titles, where each leads on, and what programs read of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs import reference
from docs.check import PAGES
from docs.samples import read_samples
from docs.site import FOLDER, for_programs, order, summary_of, title_of, written

PAGE = "# `asp`: a *terminal*\n\n<!-- hidden: python\nx = 1\n-->\n\nThe [command](a.md) is\nquick. It has more.\n"


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return written() | reference.pages()


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


def test_every_page_is_in_the_navigation_once(texts: dict[str, str]) -> None:
    assert sorted(path for paths in order(texts).values() for path in paths) == sorted(texts)


def test_a_link_of_the_changelog_leads_to_a_page_of_the_site() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", written()["changelog.md"])
    assert [target for target in targets if not (FOLDER / target.partition("#")[0]).is_file()] == []


def test_what_programs_read_has_every_sample_that_a_page_shows(texts: dict[str, str], tmp_path: Path) -> None:
    assert any("<!-- hidden" in text for text in texts.values())
    shown = for_programs(texts)
    copy = tmp_path / "page.md"
    for path, text in written().items():
        copy.write_text(text, encoding="utf-8")
        samples = len(read_samples(copy))
        copy.write_text(shown[path], encoding="utf-8")
        assert "<!-- hidden" not in shown[path]
        assert len(read_samples(copy)) == samples - text.count("<!-- hidden"), path
