"""Lists to follow and objects to wait for: what `x-follow` and `x-wait` name is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codegen.contract.checks.lamps import CREATE, LAMP_PATH, LAMPS, LIST, check_edit, findings

LISTED = "      operationId: list_organization_lamps\n"
READ = "      tags: [lamps]\n      operationId: get_organization_lamp\n"
MADE = "      operationId: create_organization_lamp\n"
GET = f"{LAMP_PATH}/get"
REQUIRED = "        - name: cursor\n          required: true\n"


def marked(line: str, keyword: str) -> tuple[str, str]:
    """Return the edit that adds a keyword to an operation."""
    return line, f"{line}      {keyword}\n"


WRONG = [
    (marked(LISTED, "x-follow: {id: lamp}"), f"{LIST}/x-follow/id", "an item has no member `lamp`"),
    (marked(LISTED, "x-follow: {id: lamp_d}"), f"{LIST}/x-follow/id", "did you mean `lamp_id`?"),
    (marked(LISTED, "x-follow: {query: {siz: 1}}"), f"{LIST}/x-follow/query/siz", "did you mean `size`?"),
    (marked(LISTED, "x-follow: {ids: lamp_id}"), f"{LIST}/x-follow/ids", "did you mean `id`?"),
    (marked(MADE, "x-follow: {}"), f"{CREATE}/x-follow", "only a GET whose operationId begins with `list`"),
    (marked(READ, "x-wait: {gone: [colour]}"), f"{GET}/x-wait/gone/0", "did you mean `color`?"),
    (marked(READ, "x-wait: {list: list_lamps}"), f"{GET}/x-wait/list", "no operation `list_lamps`"),
    (marked(READ, "x-wait: {list: get_organization_lamp}"), f"{GET}/x-wait/list", "needs other arguments"),
    (marked(READ, "x-wait: {list: create_organization_lamp}"), f"{GET}/x-wait/list", "are not shown"),
    (marked(MADE, "x-wait: {}"), f"{CREATE}/x-wait", "only a GET of an object"),
]


@pytest.mark.parametrize(("edit", "place", "words"), WRONG)
def test_what_names_nothing_is_told(tmp_path: Path, edit: tuple[str, str], place: str, words: str) -> None:
    check_edit(tmp_path, edit, place, words)


def test_a_list_that_needs_more_than_its_scope_has_is_told(tmp_path: Path) -> None:
    text = LAMPS.replace(*marked(READ, "x-wait: {list: list_organization_lamps}"))
    assert findings(text, tmp_path) == []
    found = findings(text.replace("        - name: cursor\n", REQUIRED), tmp_path)
    assert [each for each in found if f"{GET}/x-wait/list" in each and "needs other arguments" in each], found


def test_the_form_of_a_followed_list_need_not_be_shown(tmp_path: Path) -> None:
    ref = 'schema:\n                $ref: "#/components/schemas/Lamps"'
    text = LAMPS.replace("      x-pagination: {items: data, end_cursor: next, after: cursor}\n", "").replace(
        ref, "schema: {}"
    )
    text = text.replace(*marked(LISTED, "x-follow: {query: {size: 1}}"))
    assert findings(text, tmp_path) == []
