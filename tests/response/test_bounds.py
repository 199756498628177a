"""What a body may become in memory is bounded."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform.response.bounds import (
    MAX_DEPTH,
    MAX_MEMBERS,
    MAX_NON_OBJECTS,
    TooManyValuesError,
    check_depth,
    check_members,
)

EMPTY: dict[str, Any] = {}


def nested(depth: int, inner: Any) -> Any:
    for number in range(depth):
        inner = [0, inner] if number % 2 else {"a": inner, "b": "x"}
    return inner


@pytest.mark.parametrize("inner", [0, "text", None])
def test_depth_is_exact(inner: Any) -> None:
    check_depth(nested(MAX_DEPTH, inner))
    with pytest.raises(RecursionError):
        check_depth(nested(MAX_DEPTH + 1, inner))


def test_an_empty_container_counts() -> None:
    check_depth(nested(MAX_DEPTH - 1, []))
    with pytest.raises(RecursionError):
        check_depth(nested(MAX_DEPTH, {}))


@pytest.mark.parametrize(
    "value",
    [
        [EMPTY] * MAX_MEMBERS,
        {"items": [EMPTY] * MAX_MEMBERS},
        {"items": [0] * MAX_NON_OBJECTS},
        {"items": {"x": [0] * 10**6}},
    ],
)
def test_members_within_the_bounds_pass(value: Any) -> None:
    check_members(value)


@pytest.mark.parametrize(
    "value",
    [
        [EMPTY] * (MAX_MEMBERS + 1),
        {"items": [EMPTY] * (MAX_MEMBERS + 1)},
        {"items": [0] * (MAX_NON_OBJECTS + 1)},
        dict.fromkeys(map(str, range(MAX_MEMBERS + 1))),
    ],
)
def test_too_many_members_are_refused(value: Any) -> None:
    with pytest.raises(TooManyValuesError, match="more than"):
        check_members(value)
