"""What the pages of the site are made from."""

from __future__ import annotations

import re

from docs.site.build import PAGES, documents

TARGET = re.compile(r"\]\((?P<target>[^)]+)\)")


def test_a_link_of_the_changelog_leads_to_a_page_of_the_site() -> None:
    targets = TARGET.findall(documents()["changelog.md"])
    assert len(targets) > 10
    assert [target for target in targets if not (PAGES / target.partition("#")[0]).is_file()] == []
