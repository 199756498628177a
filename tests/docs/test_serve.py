"""`make docs-serve`: a page that is changed is copied to where the site is built from."""

from __future__ import annotations

import os
from pathlib import Path

from docs.site.__main__ import copy_changed


def test_only_a_page_that_was_changed_is_copied(tmp_path: Path) -> None:
    pages, sources = tmp_path / "pages", tmp_path / "sources"
    for folder in (pages / "how-to", sources / "how-to"):
        folder.mkdir(parents=True)
    for name, changed in (("index.md", 10), ("how-to/wait.md", 30)):
        (pages / name).write_text("new", encoding="utf-8")
        os.utime(pages / name, (changed, changed))
    copy_changed(20, pages, sources)
    assert [path.name for path in sources.rglob("*.md")] == ["wait.md"]
