"""What is kept of a value: types, members and formats, and of sets the values."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_observe.contract import Document, Schema, load_document
from agent_session_platform_observe.shape import DEPTH, Reader, add


def component(name: str, document: Document | None = None) -> Schema:
    return (document or load_document()).schema(f"#/components/schemas/{name}")


def shape_of(*values: Any, schema: Schema | None = None, **settings: Any) -> dict[str, Any]:
    """Return the shape of values."""
    shape: dict[str, Any] = {}
    for number, value in enumerate(values):
        Reader(load_document().vocabulary, number, set(), **settings).read(value, schema, shape)
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
    shape = shape_of({"title": "a"}, {"title": None}, {})
    assert (shape["n"], shape["members"]["title"]["n"]) == (3, 2)
    assert shape["members"]["title"]["types"] == {"string": 1, "null": 1}


def test_the_items_of_a_list_have_one_shape() -> None:
    assert shape_of([1, "a", None])["items"]["types"] == {"integer": 1, "string": 1, "null": 1}


FORMATS = [
    ("2026-11-20T09:00:00Z", "date-time"),
    ("2026-11-20T09:00:00.123456+01:00", "date-time"),
    ("2026-11-20 09:00:00", "local date-time"),
    ("2026-11-20", "date"),
    ("123e4567-e89b-12d3-a456-426614174000", "uuid"),
    ("https://example.com/a?b=secret", "uri"),
    ("org-acme", "plain"),
    ("2026-99", "plain"),
    (1_760_000_000, "unix-seconds"),
    (1_760_000_000_000, "unix-milliseconds"),
    (1_760_000_000_000_000, "unix-microseconds"),
    (200, "plain"),
    (-1_760_000_000, "plain"),
]


@pytest.mark.parametrize(("value", "form"), FORMATS)
def test_a_value_has_a_format(value: Any, form: str) -> None:
    assert shape_of(value)["formats"] == {form: 1}


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


MAPPINGS: list[dict[str, Any]] = [
    {"johanna_meier": 3},
    {"ada": "ada@example.com", "grace": None},
    {"ada": {"count": 1}, "grace": {"total": 2}},
    {"ada": 1, "grace": 2.5},
]


@pytest.mark.parametrize("value", MAPPINGS, ids=range(len(MAPPINGS)))
def test_of_an_object_with_members_of_one_kind_no_name_is_kept(value: dict[str, Any]) -> None:
    shape = shape_of(*[value] * 50)
    assert (shape["*others"], shape["*free"]) == ({}, 50)


def test_a_name_that_came_with_every_object_is_kept() -> None:
    shape = shape_of({"pinned": True, "weight": 3}, {"pinned": False, "weight": 3, "johanna_meier": 7})
    assert (shape["*others"].keys(), shape["*free"]) == ({"pinned", "weight"}, 1)


def test_a_name_that_was_missing_once_is_not_kept_any_more() -> None:
    one, other = {"pinned": True, "weight": 3}, {"pinned": True, "height": 3}
    assert shape_of(one, other, one)["*others"].keys() == {"pinned"}


def test_a_name_that_the_contract_knows_need_not_come_each_time() -> None:
    shape = shape_of({"title": "a", "weight": 3}, {"weight": 3}, {"title": "a", "weight": 3})
    assert shape["members"]["title"]["n"] == 2


@pytest.mark.parametrize("name", ["a b", "user@example.com", "a1b2c3d4", "123", "x" * 41, ""])
def test_a_key_that_is_no_identifier_is_no_name(name: str) -> None:
    assert shape_of({"pinned": "a", name: 1})["*others"].keys() == {"pinned"}


@pytest.mark.parametrize("name", ["a", "sha256", "createdAt", "_links"])
def test_an_identifier_is_a_name(name: str) -> None:
    assert name in shape_of({"pinned": "a", name: 1})["*others"]


def test_an_object_with_very_many_keys_keeps_none() -> None:
    shape = shape_of({"pinned": "a", **{f"{one}{two}": 1 for one in "abcdefgh" for two in "abcdefghi"}})
    assert (shape["*others"], shape["*free"]) == ({}, 1)


def test_an_object_that_is_the_users_own_is_not_looked_into() -> None:
    shape = shape_of({"structured_output": {"name": "Ada"}}, schema=component("Session"))
    assert shape["members"]["structured_output"] == {"n": 1, "types": {"object": 1}}


def test_of_a_request_only_the_names_and_types_of_further_members_are_kept() -> None:
    value = {"assistant_mode": "fast", "prompt": "Fix it", "metadata": {"name": "Ada"}}
    shape = shape_of(value, schema=component("SessionCreate"), is_sent=True)
    assert shape["*others"] | shape["members"] == {
        "assistant_mode": shape["members"]["assistant_mode"],
        "prompt": {"n": 1, "types": {"string": 1}},
        "metadata": {"n": 1, "types": {"object": 1}},
    }


def test_of_a_secret_only_the_type_is_kept() -> None:
    value = {"session_secrets": [{"name": "KEY", "value": "hunter"}]}
    shape = shape_of(value, schema=component("SessionCreate"), is_sent=True)
    assert shape["members"]["session_secrets"] == {"n": 1, "types": {"array": 1}}


def test_deep_json_is_read_as_far_as_a_level() -> None:
    value: Any = {}
    for _ in range(50):
        value = {"a": value, "b": 1}
    shape, depth = shape_of(value), 0
    while "*others" in shape:
        shape, depth = shape["*others"]["a"], depth + 1
    assert depth == DEPTH + 1


def test_the_members_of_an_unusual_contract_do_not_collide_with_what_is_counted() -> None:
    shape = shape_of({"values": "a", "many": 2, "free": 3, "others": 4, "n": 5, "first": 6, "types": 7})
    total: dict[str, Any] = {}
    for _ in range(2):
        add(total, shape)
    assert total["*others"]["many"] == {"n": 2, "types": {"integer": 2}, "formats": {"plain": 2}}
    assert len(total["*others"]) == 7


def test_what_is_read_of_one_body_is_bounded() -> None:
    value: Any = 1
    for _ in range(4):
        value = [value] * 40
    reader = Reader(frozenset(), 1, set())
    reader.read(value, None, {})
    assert 0 >= reader.left > -100


def test_a_member_is_never_missing_because_not_all_was_read() -> None:
    user: dict[str, Any] = {"user_id": "user-1", "email": None, "name": None, "role_assignments": []}
    value = {"items": [user] * 3000}
    shape, reader = dict[str, Any](), Reader(frozenset(), 1, set(), left=100)
    reader.read(value, component("EnterpriseUserPage"), shape)
    items = shape["members"]["items"]["items"]
    assert items["n"] < 3000
    assert {name: member["n"] for name, member in items["members"].items()} == dict.fromkeys(
        items["members"], items["n"]
    )


def test_of_a_very_large_object_the_members_of_the_contract_are_read() -> None:
    value = {**{f"a{number}": 1 for number in range(1000)}, "status": "running"}
    shape = shape_of(value, schema=component("Session"))
    assert (set(shape["members"]), shape["*free"], shape["*others"]) == ({"status"}, 1, {})


@pytest.mark.parametrize("name", ["größe", "\x1b[31m", "[a](b)", "`a`", "a" * 300])
def test_a_name_that_could_not_be_read_again_is_not_kept(name: str) -> None:
    assert Document({"properties": {name: {}, "a": {}}}).vocabulary == {"a"}
