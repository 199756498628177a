"""What is kept of a value: types, members, formats and lengths, and of sets the values."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_observe.contract import Document, Schema, load_document
from agent_session_platform_observe.shape import DEPTH, Reader
from agent_session_platform_observe.tally import Room


def component(name: str, document: Document | None = None) -> Schema:
    return (document or load_document()).schema(f"#/components/schemas/{name}")


def shape_of(*values: Any, schema: Schema | None = None, name: str = "", **settings: Any) -> dict[str, Any]:
    """Return the shape of values."""
    shape: dict[str, Any] = {}
    reader = Reader(Room(), **settings)
    for value in values:
        reader.read(value, schema, shape, name)
    return shape


TYPES: list[tuple[Any, str]] = [
    (None, "null"),
    (True, "boolean"),
    (1, "integer"),
    (1.5, "number"),
    ("a", "string"),
    ([], "array"),
    ({}, "object"),
]


@pytest.mark.parametrize(("value", "kind"), TYPES)
def test_a_value_has_a_type(value: Any, kind: str) -> None:
    assert shape_of(value)["types"] == {kind: 1}


def test_a_member_counts_how_often_it_is_present() -> None:
    shape = shape_of({"a": 1}, {"a": None}, {})
    assert (shape["n"], shape["*others"]["a"]["n"]) == (3, 2)
    assert shape["*others"]["a"]["types"] == {"integer": 1, "null": 1}


def test_the_items_of_a_list_have_one_shape() -> None:
    assert shape_of([1, "a", None])["items"]["types"] == {"integer": 1, "string": 1, "null": 1}


FORMATS = [
    ("2026-11-20T09:00:00Z", "", "date-time"),
    ("2026-11-20T09:00:00.123456+01:00", "", "date-time"),
    ("2026-11-20 09:00:00", "", "local date-time"),
    ("2026-11-20", "", "date"),
    ("123e4567-e89b-12d3-a456-426614174000", "", "uuid"),
    ("https://example.com/a?b=secret", "", "uri"),
    ("org-acme", "", "prefix org-"),
    ("user-7", "user_id", "prefix user-"),
    ("session-7", "child_session_ids", "prefix session-"),
    ("user-7", "title", "plain"),
    ("ada-lovelace", "user_id", "plain"),
    ("2026-99", "", "plain"),
    (1_760_000_000, "", "unix-seconds"),
    (1_760_000_000_000, "", "unix-milliseconds"),
    (1_760_000_000_000_000, "", "unix-microseconds"),
    (200, "", "plain"),
    (-1_760_000_000, "", "plain"),
]


@pytest.mark.parametrize(("value", "name", "found"), FORMATS)
def test_a_value_has_a_format(value: Any, name: str, found: str) -> None:
    assert shape_of(value, name=name)["formats"] == {found: 1}


@pytest.mark.parametrize(
    ("length", "found"), [(0, "0"), (1, "1"), (2, "2"), (3, "4"), (4, "4"), (5, "8"), (100, "128")]
)
def test_a_length_is_a_power_of_two(length: int, found: str) -> None:
    assert shape_of("a" * length)["lengths"] == {found: 1}


def test_the_values_of_a_set_are_kept() -> None:
    members = shape_of({"status": "timed_out", "origin": "api", "title": "api"}, schema=component("Session"))["members"]
    assert members["status"]["*new"] == {"timed_out": 1}
    assert members["origin"]["*values"] == {"api": 1}
    assert not {"*new", "*values"} & members["title"].keys()


@pytest.mark.parametrize(
    "value", ["assistant-a", "a1b2c3", "a text", "a@b", "/a", "12345", "svc_a1b2", "aBcDeFg", "x" * 41]
)
def test_one_value_that_is_no_name_shows_that_none_of_them_is_one(value: str) -> None:
    shape = shape_of({"status": "running"}, {"status": value}, {"status": "other"}, schema=component("Session"))
    assert "*new" not in shape["members"]["status"]
    assert shape["members"]["status"]["*many"] == 2


def test_a_set_of_too_many_values_is_none() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    values = [{"status": f"{one}{two}"} for one in letters for two in letters[:2]]
    assert "*new" not in shape_of(*values, schema=component("Session"))["members"]["status"]


def test_other_values_are_kept_where_asked_for() -> None:
    value = {"color": "red", "title": "Fix", "user_id": "ada", "detail": "a text"}
    others = shape_of(value, values=True)["*others"]
    assert {name for name, shape in others.items() if "*new" in shape} == {"color"}
    assert "*new" not in shape_of(value)["*others"]["color"]


@pytest.mark.parametrize(
    "name", ["a b", "A", "user@example.com", "a1b2c3d4", "123", "assistant-1", "x" * 41, "", "color2"]
)
def test_an_object_with_a_key_that_is_no_field_has_free_keys(name: str) -> None:
    shape = shape_of({"a": 1, name: 1})
    assert ("*others" in shape, shape["*free"]) == (False, 1)


@pytest.mark.parametrize("name", ["a", "created_at", "sha256", "createdAt", "_links"])
def test_a_field_name_is_kept(name: str) -> None:
    assert shape_of({name: 1})["*others"].keys() == {name}


def test_an_object_with_very_many_keys_has_free_keys() -> None:
    shape = shape_of({f"{one}{two}": 1 for one in "abcdefgh" for two in "abcdefghi"})
    assert ("*others" in shape, shape["*free"]) == (False, 1)


def test_an_object_that_is_the_users_own_is_not_looked_into() -> None:
    shape = shape_of({"structured_output": {"name": "Ada"}}, schema=component("Session"))
    assert shape["members"]["structured_output"] == {"n": 1, "types": {"object": 1}}


def test_of_a_request_only_the_names_and_types_of_further_members_are_kept() -> None:
    value = {"assistant_mode": "fast", "prompt": "Fix it", "metadata": {"name": "Ada"}}
    shape = shape_of(value, schema=component("SessionCreate"), sent=True)
    assert shape["*others"] == {
        "prompt": {"n": 1, "types": {"string": 1}},
        "metadata": {"n": 1, "types": {"object": 1}},
    }


def test_of_a_secret_only_the_type_is_kept() -> None:
    value = {"session_secrets": [{"name": "KEY", "value": "hunter"}]}
    shape = shape_of(value, schema=component("SessionCreate"), sent=True)
    assert shape["members"]["session_secrets"] == {"n": 1, "types": {"array": 1}}


def test_deep_json_is_read_as_far_as_a_level() -> None:
    value: Any = {}
    for _ in range(50):
        value = {"a": value}
    shape, depth = shape_of(value), 0
    while "*others" in shape:
        shape, depth = shape["*others"]["a"], depth + 1
    assert depth == DEPTH + 1


def test_nothing_is_added_without_room() -> None:
    shape: dict[str, Any] = {}
    Reader(Room(5)).read({f"a_{letter}": 1 for letter in "abcdefgh"}, None, shape)
    assert len(str(shape)) < 200


def test_the_members_of_an_unusual_contract_do_not_collide_with_what_is_counted() -> None:
    shape = shape_of({"values": 1, "many": 2, "free": 3, "others": 4, "n": 5, "first": 6, "types": 7})
    total: dict[str, Any] = {}
    for _ in range(2):
        Room().add(total, shape)
    assert total["*others"]["many"] == {"n": 2, "types": {"integer": 2}, "formats": {"plain": 2}}
    assert len(total["*others"]) == 7


def test_what_is_read_of_one_body_is_bounded() -> None:
    value: Any = 1
    for _ in range(4):
        value = [value] * 40
    reader = Reader(Room())
    reader.read(value, None, {})
    assert 0 >= reader.left > -100


def test_a_member_is_never_missing_because_not_all_was_read() -> None:
    user: dict[str, Any] = {"user_id": "user-1", "email": None, "name": None, "role_assignments": []}
    value = {"items": [user] * 3000}
    shape, reader = dict[str, Any](), Reader(Room(), items=3000)
    reader.read(value, component("EnterpriseUserPage"), shape)
    items = shape["members"]["items"]["items"]
    assert items["n"] < 3000
    assert {name: member["n"] for name, member in items["members"].items()} == dict.fromkeys(
        items["members"], items["n"]
    )


def test_of_a_very_large_object_the_members_of_the_contract_are_read() -> None:
    value = {**{f"a{number}": 1 for number in range(1000)}, "status": "running"}
    shape = shape_of(value, schema=component("Session"))
    assert (set(shape["members"]), shape["*free"], "*others" in shape) == ({"status"}, 1, False)
