"""How much of a result an assistant gets."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform_cli.mcp.bounds import HIDDEN, LONGEST, bounded, length_of


def deep(levels: int) -> Any:
    return [deep(levels - 1)] * 6 if levels else "x" * 40


def test_a_short_result_is_as_it_was_sent() -> None:
    value = {"items": [1, None, {"a": "é"}], "end_cursor": None}
    assert bounded(value) == value


def test_a_long_text_is_cut_with_a_mark() -> None:
    cut = bounded({"log": "x" * 100_000, "id": "a"})
    assert cut["id"] == "a"
    assert cut["log"].endswith(" [cut: 90,000 more characters; `asp call` prints all]")


def test_a_long_array_is_cut_with_a_mark() -> None:
    cut = bounded({"items": ["x" * 200] * 1000})
    assert cut["items"][-1] == "[cut: 900 more items; `asp call` prints all]"


def test_a_wide_object_is_cut_with_a_mark() -> None:
    cut = bounded({str(number): "x" * 200 for number in range(1000)})
    assert cut["cut"] == "[cut: 900 more members; `asp call` prints all]"


@pytest.mark.parametrize("value", [deep(6), "x" * 10**6, [[["x" * 1000] * 100] * 100], {"a": deep(7)}])
def test_nothing_is_longer_than_the_bound(value: Any) -> None:
    assert length_of(bounded(value)) <= LONGEST + 1000


def test_a_credential_in_a_result_is_hidden() -> None:
    assert bounded({"token": "svc_0123456789", "keys": ["apk_user_0123456789"]}) == {"token": HIDDEN, "keys": [HIDDEN]}


def test_a_text_that_only_mentions_a_prefix_is_kept() -> None:
    value = {"note": "Begins with svc_ and more", "name": "svc_x"}
    assert bounded(value) == value
