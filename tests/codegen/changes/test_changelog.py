"""The lines of a report, and the changelog of a release."""

from __future__ import annotations

import pytest

from codegen import RefusedError
from codegen.changes import Change, dated, entry

RELEASED = "\n## 1.0.0 - 2026-01-01\n\n### Added\n- All of it.\n"


def test_a_release_dates_the_unreleased_part() -> None:
    text = f"# Changelog\n\n## Unreleased\n\n### Added\n- One thing,\n  in two lines.\n{RELEASED}"
    after = text.replace("## Unreleased\n", "## Unreleased\n\n## 1.1.0 - 2026-11-20\n")
    assert dated(text, "1.1.0", "2026-11-20") == after


@pytest.mark.parametrize("text", ["# Changelog\n", "## Unreleased\n", f"## Unreleased\n{RELEASED}"])
def test_a_release_of_nothing_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match="has no entry below `## Unreleased`"):
        dated(text, "1.1.0", "2026-11-20")


def test_breaking_changes_come_first_in_an_entry() -> None:
    lines = list(entry([Change("Changed", "a."), Change("Changed", "b.", breaking=True), Change("Added", "c.")]))
    assert lines == ["", "### Added", "- c.", "", "### Changed", "- **Breaking:** b.", "- a."]
