"""Links between the pages of the reference, with the anchors that the site has."""

from __future__ import annotations

import re
from posixpath import dirname, join, normpath
from typing import Any

import pytest

from docs.reference.markdown import anchor
from docs.site.source import PACKAGES, source_page

# Fenced code has no links; inline code may have brackets.
CODE = re.compile(r"^(`{3,}).*?^\1$|`[^`\n]+`(?!\])", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def headings(text: str) -> list[str]:
    """Return the headings of a page, outside of code."""
    return re.findall(r"^#+ (.+)$", re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)


def test_every_link_leads_to_a_page_and_a_heading(reference: dict[str, str]) -> None:
    anchors = {path: {anchor(each) for each in headings(text)} for path, text in reference.items()}
    sources = {
        source_page(f"{root.name}/{module.relative_to(root).as_posix()}")
        for root in PACKAGES
        for module in root.rglob("*.py")
    }
    missing: list[str] = []
    for path, text in reference.items():
        for target in LINK.findall(CODE.sub("", text)):
            page, _, fragment = target.partition("#")
            place = normpath(join(dirname(path), page)) if page else path
            if place in sources:
                continue
            if place not in anchors or (fragment and fragment not in anchors[place]):
                missing.append(f"{path}: {target}")
    assert missing == []


def test_no_page_has_two_headings_with_the_same_anchor(reference: dict[str, str]) -> None:
    for path, text in reference.items():
        found = [anchor(each) for each in headings(text)]
        assert sorted(set(found)) == sorted(found), path


def test_every_page_has_one_title_and_no_markup_of_html(reference: dict[str, str]) -> None:
    for path, text in reference.items():
        plain = CODE.sub("", text)
        assert re.findall(r"^# .+", plain, re.MULTILINE) == [text.partition("\n")[0]], path
        assert re.findall(r"<[a-zA-Z/!?]", plain) == [], path


@pytest.mark.parametrize(
    "heading",
    ["organization.sessions.list_messages", "asp call", "RetryPolicy.none", "`__version__`", "Causes and ways out"],
)
def test_an_anchor_is_that_of_the_site(heading: str) -> None:
    # The site is made with this library.
    markdown: Any = pytest.importorskip("markdown")
    made = markdown.markdown(f"# {heading}", extensions=["toc"])
    assert f'id="{anchor(heading)}"' in made
