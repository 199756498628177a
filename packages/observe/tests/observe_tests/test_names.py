"""Names that may be values are not kept: keys of mappings, tokens of letters, and members about people."""

from __future__ import annotations

import random
import string
from typing import Any

import pytest
from agent_session_platform_observe.names import header_name, is_field_name, is_private, is_value_name
from agent_session_platform_observe.shape import Reader
from agent_session_platform_observe.tally import Room

MAPPINGS: list[tuple[str, dict[str, Any]]] = [
    ("users", {"ada": 3, "grace": 4}),
    ("emails", {"ada": "ada@example.com"}),
    ("tokens", {"hunter": True}),
    ("apiKeys", {"hunter": True}),
    ("repositories", {"analytics": 3, "compiler": 4}),
    ("sessions_by_user", {"ada": {"count": 1}}),
    ("usageByOwner", {"ada": 1}),
    ("metadata", {"ada": "lovelace"}),
    ("labels", {"hunter": "seven"}),
    ("environment", {"hunter": "seven"}),
    ("results", {"ada": {"count": 1}, "grace": {"count": 2}, "alan": {"count": 3}}),
    ("", {"ada": {"count": 1}, "grace": {"count": 2}, "alan": {"count": 3}}),
    ("results", {"ada@example.com": 1, "grace": 2}),
    ("results", {"ghxkqzvwplmtrwsd": 1}),
]


@pytest.mark.parametrize(("name", "value"), MAPPINGS, ids=range(len(MAPPINGS)))
@pytest.mark.parametrize("values", [False, True])
def test_of_a_mapping_no_name_is_kept(name: str, value: dict[str, Any], values: bool) -> None:
    shape: dict[str, Any] = {}
    Reader(Room(), values=values).read({name: value} if name else value, None, shape)
    kept = shape["*others"][name] if name else shape
    assert ("*others" in kept, kept["*free"]) == (False, 1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("user", {"name": "Ada", "active": True}),
        ("limits", {"daily": 3, "monthly": 4}),
        ("status", {"phase": "queued", "code": 3}),
        ("range", {"start": {"at": 1}, "end": {"at": 2}}),
        ("diagnosis", {"state": "idle", "since": None}),
    ],
)
def test_the_members_of_a_record_are_kept(name: str, value: dict[str, Any]) -> None:
    shape: dict[str, Any] = {}
    Reader(Room()).read({name: value}, None, shape)
    assert shape["*others"][name]["*others"].keys() == value.keys()


def test_tokens_of_letters_are_no_names() -> None:
    draw = random.Random(3)
    tokens = ["".join(draw.choices(string.ascii_lowercase, k=24)) for _ in range(500)]
    mixed = ["".join(draw.choices(string.ascii_letters + string.digits, k=24)) for _ in range(500)]
    hexadecimal = [f"{draw.getrandbits(96):024x}" for _ in range(500)]
    found = [each for each in [*tokens, *mixed, *hexadecimal] if is_field_name(each) or header_name(each)]
    assert found == []


def test_half_of_a_token_is_hardly_ever_a_name() -> None:
    draw = random.Random(3)
    tokens = ["".join(draw.choices(string.ascii_lowercase, k=20)) for _ in range(1000)]
    assert sum(map(is_field_name, tokens)) < 100
    assert sum(map(is_value_name, tokens)) < 100


@pytest.mark.parametrize("name", ["lengths", "https_only", "postscript", "max_concurrent_sessions", "sqlQuery", "p95"])
def test_words_are_names(name: str) -> None:
    assert is_field_name(name)


@pytest.mark.parametrize("name", ["userName", "apiKey", "access_tokens", "reviewers", "addresses", "ids"])
def test_a_member_about_a_person_or_a_secret_is_private(name: str) -> None:
    assert is_private(name)


@pytest.mark.parametrize("name", ["status", "category", "state", "priority", "kind"])
def test_a_member_of_a_set_is_not_private(name: str) -> None:
    assert not is_private(name)
