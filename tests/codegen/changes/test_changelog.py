"""CHANGELOG.md: entries go into their sections once, and are dated when they are released."""

from __future__ import annotations

import pytest

from codegen import RefusedError
from codegen.changes import Change, added, dated, entry, unreleased

EMPTY = "# Changelog\n\nWhat it is.\n\n## Unreleased\n"
FULL = """# Changelog

What it is.

## Unreleased

### Added
- One thing,
  in two lines.

### Fixed
- Another.

## 1.0.0 - 2026-01-01

### Added
- All of it.
"""


def test_an_entry_is_put_into_its_section() -> None:
    text = added(FULL, [Change("Added", "More."), Change("Removed", "Less.", breaking=True)])
    added_now = "### Added\n- One thing,\n  in two lines.\n- More."
    assert unreleased(text) == f"{added_now}\n\n### Removed\n- **Breaking:** Less.\n\n### Fixed\n- Another."


def test_a_released_part_is_not_changed() -> None:
    assert added(FULL, [Change("Added", "More.")]).endswith(FULL[FULL.index("## 1.0.0") :])


@pytest.mark.parametrize("text", [EMPTY, FULL])
def test_an_entry_is_written_once(text: str) -> None:
    once = added(text, [Change("Added", "More.")])
    assert once.count("- More.") == 1
    assert added(once, [Change("Added", "More.")]) == once


@pytest.mark.parametrize("text", [EMPTY, FULL])
def test_without_changes_nothing_is_written(text: str) -> None:
    assert added(text, []) == text


def test_a_release_dates_the_unreleased_part() -> None:
    text = dated(FULL, "1.1.0", "2026-11-20")
    assert unreleased(text) == ""
    assert "## Unreleased\n\n## 1.1.0 - 2026-11-20\n\n### Added\n- One thing," in text


@pytest.mark.parametrize(
    ("text", "message"),
    [(EMPTY, "has no entry below `## Unreleased`"), ("# Changelog\n", "has no line `## Unreleased`")],
)
def test_a_release_of_nothing_is_refused(text: str, message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        dated(text, "1.1.0", "2026-11-20")


def test_breaking_changes_come_first_in_an_entry() -> None:
    lines = list(entry([Change("Changed", "a."), Change("Changed", "b.", breaking=True), Change("Added", "c.")]))
    assert lines == ["", "### Added", "- c.", "", "### Changed", "- **Breaking:** b.", "- a."]


def test_what_is_only_reported_is_not_written() -> None:
    assert added(FULL, [Change("Gaps", "Opened."), Change("Python", "It.", breaking=True)]) == FULL
