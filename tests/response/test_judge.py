"""The status decides what a response is."""

from __future__ import annotations

import pytest
from agent_session_platform import DecodeError, NotFoundError
from agent_session_platform._api import Operation
from agent_session_platform.response.judge import judge
from agent_session_platform.response.response import Response

OPERATION = Operation(id="get", method="GET", path="/", scope="", resource="", verb="")


@pytest.mark.parametrize("status", [200, 204, 299])
def test_a_2xx_is_no_error(status: int) -> None:
    assert judge(Response(status), OPERATION) is None


@pytest.mark.parametrize(
    ("received", "message"),
    [
        (Response(304), "get: 304 with a redirect, which is not followed"),
        (Response(302, location="/login"), "get: 302 with a redirect to /login, which is not followed"),
        (Response(199), "get: 199 with no final response"),
    ],
    ids=["304", "302", "199"],
)
def test_a_status_that_is_neither_success_nor_error_is_a_decode_error(received: Response, message: str) -> None:
    error = judge(received, OPERATION)
    assert isinstance(error, DecodeError)
    assert (str(error), error.status) == (message, received.status)


def test_a_status_of_400_or_more_is_a_problem() -> None:
    assert isinstance(judge(Response(404), OPERATION), NotFoundError)


def test_the_location_of_a_redirect_shows_no_credential() -> None:
    error = judge(Response(302, location="/login?token=svc_x"), OPERATION, lambda text: text.replace("svc_x", "***"))
    assert str(error) == "get: 302 with a redirect to /login?token=***, which is not followed"
