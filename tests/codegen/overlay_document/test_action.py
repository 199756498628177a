"""The rules of a merge and of a removal, beside those that the examples of the specification show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codegen.contract import ContractError
from tests.codegen.overlay_document.documents import HEAD, HEAD_1_1, applied

DOCUMENT = "{x-a: {list: [1, [2]], map: {b: 1}, text: old}}"

MERGES: list[tuple[str, str, Any]] = [
    ("{list: [3]}", "$['x-a']", {"list": [1, [2], 3], "map": {"b": 1}, "text": "old"}),
    ("{map: {c: {d: 2}}}", "$['x-a']", {"list": [1, [2]], "map": {"b": 1, "c": {"d": 2}}, "text": "old"}),
    ("[3, [4]]", "$['x-a'].list", {"list": [1, [2], 3, [4]], "map": {"b": 1}, "text": "old"}),
    ("3", "$['x-a'].list", {"list": [1, [2], 3], "map": {"b": 1}, "text": "old"}),
    ("5", "$..list[1]", {"list": [1, [2, 5]], "map": {"b": 1}, "text": "old"}),
]


@pytest.mark.parametrize(("update", "target", "expected"), MERGES)
def test_objects_are_merged_and_lists_are_appended_to(tmp_path: Path, update: str, target: str, expected: Any) -> None:
    overlay = f'{HEAD}  - target: "{target}"\n    update: {update}\n'
    assert applied(tmp_path, DOCUMENT, overlay) == {"x-a": expected}


def test_every_match_gets_a_value_of_its_own(tmp_path: Path) -> None:
    overlay = f"{HEAD}  - target: $.*\n    update: {{list: []}}\n  - target: $.x.list\n    update: 1\n"
    assert applied(tmp_path, "{x: {}, y: {}}", overlay) == {"x": {"list": [1]}, "y": {"list": []}}


def test_a_later_action_sees_what_an_earlier_one_did(tmp_path: Path) -> None:
    overlay = f"{HEAD}  - target: $\n    update: {{y: {{}}}}\n  - target: $.y\n    update: {{z: 1}}\n"
    assert applied(tmp_path, "{x: 1}", overlay) == {"x": 1, "y": {"z": 1}}


def test_a_later_overlay_replaces_what_an_earlier_one_wrote(tmp_path: Path) -> None:
    first, second = (f"{HEAD}  - target: $\n    update: {{y: {value}}}\n" for value in (1, 2))
    assert applied(tmp_path, "{x: 1}", first, second) == {"x": 1, "y": 2}


REMOVALS = [
    ("$.list[2, 0, 0]", {"list": [1], "deep": {"x": {"x": 1}}}),
    ("$.list[*]", {"list": [], "deep": {"x": {"x": 1}}}),
    ("$..x", {"list": [0, 1, 2], "deep": {}}),
    ("$.list[-1]", {"list": [0, 1], "deep": {"x": {"x": 1}}}),
]


@pytest.mark.parametrize(("target", "expected"), REMOVALS)
def test_every_match_is_removed_once(tmp_path: Path, target: str, expected: Any) -> None:
    overlay = f'{HEAD}  - target: "{target}"\n    remove: true\n'
    assert applied(tmp_path, "{list: [0, 1, 2], deep: {x: {x: 1}}}", overlay) == expected


def test_overlay_1_0_changes_no_primitive_itself(tmp_path: Path) -> None:
    overlay = f"{HEAD}  - target: $.info.title\n    update: New\n"
    with pytest.raises(ContractError) as raised:
        applied(tmp_path, "info: {title: Old}", overlay)
    place = "0.overlay.yaml:4: #/actions/0/target: `target` selects a text (openapi.yaml:1), which Overlay 1.0 cannot"
    assert str(raised.value).startswith(place)
    assert str(raised.value).endswith("select the object around it, or write `overlay: 1.1.0`")


def test_overlay_1_1_replaces_a_primitive(tmp_path: Path) -> None:
    overlay = f"{HEAD_1_1}  - target: $.info.title\n    update: New\n"
    assert applied(tmp_path, "info: {title: Old}", overlay) == {"info": {"title": "New"}}


@pytest.mark.parametrize(("update", "kind"), [("[1]", "a list"), ("text", "a text"), ("null", "null")])
def test_an_update_of_another_kind_than_its_target_is_refused(tmp_path: Path, update: str, kind: str) -> None:
    with pytest.raises(ContractError) as raised:
        applied(tmp_path, "info: {}", f"{HEAD}  - target: $.info\n    update: {update}\n")
    message = f"#/actions/0/update: `update` is {kind}, but `target` selects an object; make them the same kind"
    assert message in str(raised.value)


@pytest.mark.parametrize("copy", ["$.none", "$.*"])
def test_a_copy_has_one_source(tmp_path: Path, copy: str) -> None:
    with pytest.raises(
        ContractError, match=r"#/actions/0/copy: `copy` selects [02] places, and must select one; correct it"
    ):
        applied(tmp_path, "{a: {}, b: {}}", f"{HEAD_1_1}  - target: $.a\n    copy: {copy}\n")
