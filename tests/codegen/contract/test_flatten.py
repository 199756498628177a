"""The parts of `allOf` are one schema."""

from __future__ import annotations

from typing import Any

from codegen.contract.document import flatten

A: Any = {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}, "description": "A."}


def same(node: Any) -> Any:
    return node


def test_members_and_required_ones_are_joined_in_order() -> None:
    whole = flatten({"allOf": [A, {"properties": {"b": {}}, "required": ["b"]}], "properties": {"c": {}}}, same)
    assert (list(whole["properties"]), whole["required"]) == (["a", "b", "c"], ["a", "b"])


def test_what_a_part_says_of_itself_does_not_hold_for_the_whole() -> None:
    assert "description" not in flatten({"allOf": [A, {}]}, same)
    assert flatten({"allOf": [A], "description": "B."}, same)["description"] == "B."


def test_both_descriptions_of_a_member_hold() -> None:
    whole = flatten({"allOf": [A, {"properties": {"a": {"minLength": 1}}}]}, same)
    assert flatten(whole["properties"]["a"], same) == {"type": "string", "minLength": 1}


def test_alternatives_beside_members_add_optional_ones() -> None:
    whole = flatten({**A, "oneOf": [{"properties": {"x": {}}, "required": ["x"]}, {"required": ["a"]}]}, same)
    assert (list(whole["properties"]), whole["required"]) == (["x", "a"], ["a"])
    assert "oneOf" not in whole


def test_the_parts_are_not_changed() -> None:
    before = repr(A)
    flatten({"allOf": [A, {"properties": {"a": {"minLength": 1}}, "required": ["z"]}]}, same)
    assert repr(A) == before
