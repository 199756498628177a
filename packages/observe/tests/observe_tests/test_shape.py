"""The type, the members and the format of a value are kept, and the values of a set."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from agent_session_platform_observe.contract import Document, Schema, load_document
from agent_session_platform_observe.shape import DEPTH, MOST_NODES, Reader, Tally


def component(name: str) -> Schema:
    return load_document().schema(f"#/components/schemas/{name}")


def tally_of(*values: Any, schema: Schema | None = None, is_sent: bool = False) -> Tally:
    """Return the tally of bodies."""
    found = Tally()
    for value in values:
        body = Tally()
        Reader(load_document().vocabulary, is_sent=is_sent).read(value, schema, body)
        found.add(body)
    found.settle()
    return found


def unknown(tally: Tally) -> set[str]:
    """Return the names that the contract does not know."""
    return {step[1:] for step in tally.below if step.startswith("?")}


def test_a_member_counts_how_often_it_is_present_and_of_which_types() -> None:
    tally = tally_of({"title": "a"}, {"title": None}, {})
    title = tally.members()["title"]
    assert (tally.n, title.n, title.facts("type:")) == (3, 2, {"string": 1, "null": 1})


VALUES: list[tuple[Any, str, str | None]] = [
    (None, "null", None),
    (True, "boolean", None),
    (1.5, "number", None),
    ([], "array", None),
    ({}, "object", None),
    ("2026-11-20T09:00:00Z", "string", "date-time"),
    ("2026-11-20T09:00:00.123456+01:00", "string", "date-time"),
    ("2026-11-20 09:00:00", "string", "local date-time"),
    ("2026-11-20", "string", "date"),
    ("123e4567-e89b-12d3-a456-426614174000", "string", "uuid"),
    ("https://example.com/a?b=secret", "string", "uri"),
    ("org-acme", "string", "plain"),
    ("2026-99", "string", "plain"),
    (1_760_000_000, "integer", "unix-seconds"),
    (1_760_000_000_000, "integer", "unix-milliseconds"),
    (1_760_000_000_000_000, "integer", "unix-microseconds"),
    (200, "integer", "plain"),
    (-1_760_000_000, "integer", "plain"),
]


@pytest.mark.parametrize(("value", "kind", "form"), VALUES)
def test_a_value_has_a_type_and_a_format(value: Any, kind: str, form: str | None) -> None:
    tally = tally_of(value)
    assert tally.facts("type:") == {kind: 1}
    assert tally.facts("format:") == ({form: 1} if form else {})


def test_only_the_values_of_a_set_are_kept() -> None:
    value = {"status": "timed_out", "origin": "api", "title": "api"}
    members = tally_of(value, schema=component("Session")).members()
    assert {name: each.values() for name, each in members.items()} == {
        "status": {"timed_out": 1},
        "origin": {"api": 1},
        "title": {},
    }


NO_WORDS = ["assistant-a", "a1b2c3", "a text", "a@b", "/a", "12345", "svc_a1b2", "aBcDeFg", "x" * 41]
MANY = ["".join(each) for each in itertools.product("abcdefghijklmnopqrstuvwxyz", "ab")]


@pytest.mark.parametrize("values", [*(["running", value, "other"] for value in NO_WORDS), MANY], ids=range(10))
def test_words_that_are_no_set_of_values_are_not_kept(values: list[str]) -> None:
    """If one text is not a word, or there are very many texts, they are not taken for a set of values."""
    status = tally_of(*({"status": value} for value in values), schema=component("Session")).members()["status"]
    assert (status.values(), status.counts["unkept"]) == ({}, len(values))


NAMED: list[tuple[str, list[dict[str, Any]], set[str]]] = [
    ("one had it", [{"title": "a", "weight": 3}, {"title": "a", "weight": 3, "johanna": 7}], {"weight"}),
    ("one did not", [{"title": "a", "pinned": 1, "weight": 3}, {"title": "a", "pinned": 1}], {"pinned"}),
    ("no identifier", [{"title": "a", "a b": 1, "a@b.c": 1, "a1b2c3d4": 1, "123": 1, "x" * 41: 1, "": 1}], set()),
    ("identifiers", [{"title": "a", "sha256": 1, "createdAt": 1, "_links": 1}], {"sha256", "createdAt", "_links"}),
    ("very many", [{"title": "a", **{f"{a}{b}": 1 for a in "abcdefgh" for b in "abcdefghi"}}], set()),
]


@pytest.mark.parametrize(("values", "names"), [each[1:] for each in NAMED], ids=[each[0] for each in NAMED])
def test_an_unknown_name_is_kept_if_every_record_has_it(values: list[dict[str, Any]], names: set[str]) -> None:
    assert unknown(tally_of(*values)) == names


def test_only_names_and_types_of_further_members_of_a_request_are_kept() -> None:
    value = {
        "assistant_mode": "fast",
        "prompt": "Fix it",
        "metadata": {"name": "Ada"},
        "session_secrets": [{"name": "KEY", "value": "hunter"}],
    }
    members = tally_of(value, {"assistant_mode": "slow"}, schema=component("SessionCreate"), is_sent=True).members()
    assert members["assistant_mode"].values() == {"fast": 1}
    rest = {name: each.to_dict() for name, each in members.items() if name != "assistant_mode"}
    text = {"n": 1, "type:string": 1}
    assert rest == {
        "prompt": text,
        "metadata": {"n": 1, "type:object": 1, "objects": 1, ".name": text},
        # This member is a secret.
        "session_secrets": {"n": 1, "type:array": 1},
    }


def test_deep_json_is_read_down_to_a_level() -> None:
    value: Any = {}
    for _ in range(50):
        value = {"title": value}
    tally, depth = tally_of(value), 0
    while tally.below:
        tally, depth = tally.below[".title"], depth + 1
    assert depth == DEPTH + 1


def test_what_is_read_of_one_body_is_bounded() -> None:
    value: Any = 1
    for _ in range(4):
        value = [value] * 40
    reader = Reader(frozenset())
    reader.read(value, None, Tally())
    assert 0 >= reader.left > -MOST_NODES / 4


def test_a_member_is_never_missing_because_not_all_was_read() -> None:
    user: dict[str, Any] = {"user_id": "user-1", "email": None, "name": None, "role_assignments": []}
    tally, reader = Tally(), Reader(load_document().vocabulary, left=100)
    reader.read({"items": [user] * 3000}, component("EnterpriseUserPage"), tally)
    items = tally.members()["items"].below["*"]
    assert items.counts["objects"] < items.n
    assert {each.n for each in items.members().values()} == {items.counts["objects"]}


@pytest.mark.parametrize("name", ["größe", "\x1b[31m", "[a](b)", "`a`", "a" * 300])
def test_a_name_that_could_not_be_read_again_is_not_kept(name: str) -> None:
    assert Document({"properties": {name: {}, "a": {}}}).vocabulary == {"a", "id"}
