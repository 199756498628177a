"""The status decides what a response is."""

from __future__ import annotations

import pytest
from agent_session_platform import DecodeError
from agent_session_platform._api import Operation
from agent_session_platform.response.outcome import WholeResponse
from agent_session_platform.response.problem import judge

OPERATION = Operation(id="get", method="GET", path="/", scope="", resource="", verb="")


@pytest.mark.parametrize("status", [200, 204, 299])
def test_a_2xx_is_no_error(status: int) -> None:
    assert judge(WholeResponse(status), OPERATION) is None


@pytest.mark.parametrize(
    ("received", "message"),
    [
        (WholeResponse(304), "get: 304 with a redirect, which is not followed"),
        (WholeResponse(302, location="/login"), "get: 302 with a redirect to /login, which is not followed"),
        (WholeResponse(199), "get: 199 with no final response"),
    ],
    ids=["304", "302", "199"],
)
def test_a_status_that_is_neither_success_nor_error_is_a_decode_error(received: WholeResponse, message: str) -> None:
    error = judge(received, OPERATION)
    assert isinstance(error, DecodeError)
    assert (str(error), error.status) == (message, received.status)


@pytest.mark.parametrize(
    ("location", "shown"),
    [
        ("/login/svc_x", "/login/***"),
        ("/login?next=svc_x", "/login"),
        ("https://files.example/a/b?X-Signature=0123#part", "https://files.example/a/b"),
        ("https://user:pass@files.example/a", "https://files.example/a"),
        ("https://user:pa/ss@files.example/a", "https://files.example/a"),
        ("//user:pass@files.example", "//files.example"),
        ("/login;jsessionid=0123", "/login"),
        ("/login%3Fsignature=0123", "/login"),
        ("https:user:pass@files.example", "files.example"),
    ],
)
def test_of_the_location_of_a_redirect_only_scheme_host_and_path_are_shown(location: str, shown: str) -> None:
    error = judge(WholeResponse(302, location=location), OPERATION, lambda text: text.replace("svc_x", "***"))
    assert str(error) == f"get: 302 with a redirect to {shown}, which is not followed"
