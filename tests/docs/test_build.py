"""What the pages of the site are made from."""

from __future__ import annotations

import re
from pathlib import Path

from docs.samples.document import read_samples
from docs.site.build import PAGES, documents, for_programs

TARGET = re.compile(r"\]\((?P<target>[^)]+)\)")


def test_a_link_of_the_changelog_leads_to_a_page_of_the_site() -> None:
    targets = TARGET.findall(documents()["changelog.md"])
    assert len(targets) > 10
    assert [target for target in targets if not (PAGES / target.partition("#")[0]).is_file()] == []


def written() -> dict[str, str]:
    pages = {path.relative_to(PAGES).as_posix(): path.read_text(encoding="utf-8") for path in PAGES.rglob("*.md")}
    return pages | documents()


def test_what_programs_read_has_no_hidden_code() -> None:
    assert any("<!-- hidden" in text for text in written().values())
    assert [path for path, text in for_programs(written()).items() if "<!-- hidden" in text] == []


def test_what_programs_read_has_every_sample_that_a_page_shows(tmp_path: Path) -> None:
    shown = for_programs(written())
    copy = tmp_path / "page.md"
    for path, text in written().items():
        copy.write_text(text, encoding="utf-8")
        samples = len(read_samples(copy))
        copy.write_text(shown[path], encoding="utf-8")
        assert len(read_samples(copy)) == samples - text.count("<!-- hidden"), path
