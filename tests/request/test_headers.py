"""Header parameters and cookies are written as headers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform._api import Operation, Request
from agent_session_platform.request.headers import write_headers

OPERATION = Operation(id="do", method="GET", path="/do", scope="", resource="", verb="")


def request(headers: Mapping[str, Any] | None = None, cookies: Mapping[str, Any] | None = None) -> Request[Any]:
    return Request(OPERATION, lambda payload: payload, {}, {}, headers=headers, cookies=cookies)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("plain", "plain"),
        (7, "7"),
        (True, "true"),
        (date(2026, 1, 2), "2026-01-02"),
        (["a", "b"], "a,b"),
    ],
)
def test_a_header_parameter_is_written_as_text(value: Any, written: str) -> None:
    assert write_headers(request({"X-Tag": value}), {}, {}) == {"x-tag": written}


def test_a_header_parameter_may_be_json() -> None:
    assert write_headers(request({"X-Tag": {"a": 1}}), {"X-Tag": "json"}, {}) == {"x-tag": '{"a":1}'}


def test_an_argument_that_is_none_is_not_sent() -> None:
    assert write_headers(request({"X-Tag": None}, {"theme": None}), {}, {}) == {}


def test_cookies_are_quoted_and_joined() -> None:
    written = write_headers(request(cookies={"theme": "dark; x=1", "ids": [1, 2]}), {}, {})
    assert written == {"cookie": "theme=dark%3B%20x%3D1; ids=1,2"}


@pytest.mark.parametrize("value", ["line\r\nbreak", "Zoë"])
def test_a_value_that_a_header_cannot_carry_is_refused_without_showing_it(value: str) -> None:
    with pytest.raises(InvalidArgumentError, match="X-Tag has characters that a header cannot carry") as caught:
        write_headers(request({"X-Tag": value}), {}, {})
    assert value not in str(caught.value)


def test_extra_headers_must_not_repeat_a_header_parameter() -> None:
    with pytest.raises(InvalidArgumentError, match="extra_headers has x-tag, which the operation takes by name"):
        write_headers(request({"X-Tag": "a"}), {}, {"X-TAG": "b"})
