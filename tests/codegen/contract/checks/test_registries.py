"""Our own keywords: gaps, rules, and the pagination of a list."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codegen.contract.checks.lamps import CREATE, LAMPS, LIST, SCHEMAS, check_edit

PAGINATION = "x-pagination: {items: data, end_cursor: next, after: cursor}"
GAP = "      x-not-shown:\n        - id: lamp-list-errors\n          what: The statuses.\n"
MAKE = "        - user: [MakeLamps]\n"

WRONG = [
    ((MAKE, f"{MAKE}      x-legacy: v1/lamps\n"), f"{CREATE}/x-legacy", "is no path; write `/v1/lamps`"),
    (
        ("id: lamps-lit", "id: lamps-newest"),
        f"{LIST}/x-rules/1/id",
        f"the rule `lamps-newest` is also at {LIST}/x-rules/0",
    ),
    (
        (MAKE, f"{MAKE}      x-rules: [id: lamps-nwest]\n"),
        f"{CREATE}/x-rules/0",
        "no text anywhere; did you mean `lamps-newest`?",
    ),
    ((GAP, "      x-not-shown: statuses\n"), f"{LIST}/x-not-shown", "must be a list, and is the text `statuses`"),
    (
        (PAGINATION, PAGINATION.replace("data", "dta")),
        f"{LIST}/x-pagination/items",
        "no member `dta`; did you mean `data`?",
    ),
    ((PAGINATION, PAGINATION.replace("data", "total")), f"{LIST}/x-pagination/items", "`total` is no array"),
    ((PAGINATION, PAGINATION.replace("next", "last")), f"{LIST}/x-pagination/end_cursor", "has no member `last`"),
    ((PAGINATION, PAGINATION.replace(": cursor", ": cursr")), f"{LIST}/x-pagination/after", "did you mean `cursor`?"),
    ((PAGINATION, "x-pagination: {items: data, after: cursor}"), f"{LIST}/x-pagination", "no member `end_cursor`"),
    ((PAGINATION, "x-pagination: data"), f"{LIST}/x-pagination", "must be a mapping (pagination)"),
    (
        (MAKE, f"{MAKE}      x-wildcard: true\n"),
        f"{CREATE}/x-wildcard",
        "belongs to a parameter, and not to an operation",
    ),
]


@pytest.mark.parametrize(("edit", "place", "words"), WRONG)
def test_a_wrong_keyword_of_ours_is_told(tmp_path: Path, edit: tuple[str, str], place: str, words: str) -> None:
    line = "x-rules: [id: lamps-nwest]" if "nwest" in edit[1] else None
    check_edit(tmp_path, edit, place, words, line)


def test_two_ids_of_a_resource_are_told(tmp_path: Path) -> None:
    lamp_id, color = "        lamp_id:\n", "          description: Its color.\n"
    old = LAMPS[LAMPS.index(lamp_id) : LAMPS.index(color)]
    mark = "          x-resource-id: true  # %s\n"
    edit = (old + color, old.replace(lamp_id, lamp_id + mark % "first") + mark % "second" + color)
    words = f"is also at {SCHEMAS}/Lamp/properties/lamp_id; leave it at the id"
    check_edit(tmp_path, edit, f"{SCHEMAS}/Lamp/properties/color/x-resource-id", words, mark % "second")


def test_an_id_of_a_resource_of_another_type_is_told(tmp_path: Path) -> None:
    edit = ("          type: number\n", "          x-resource-id: true\n          type: number\n")
    words = "an id is a string or an integer, and never null"
    check_edit(tmp_path, edit, f"{SCHEMAS}/Bulb/properties/watts/x-resource-id", words)


def test_a_gap_at_two_places_is_told(tmp_path: Path) -> None:
    words = f"the gap `lamp-list-errors` is also at {LIST}/x-not-shown/0; an id is used once"
    edit = (MAKE, f"{MAKE}      x-not-shown: [{{id: lamp-list-errors, what: The statuses.}}]\n")
    check_edit(tmp_path, edit, f"{CREATE}/x-not-shown/0/id", words)
