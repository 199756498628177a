"""The options of a single call."""

from __future__ import annotations

from functools import partial
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, InvalidArgumentError, RequestOptions
from pytest_httpx import HTTPXMock


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ({"Authorization": "hush"}, "must not set Authorization: the client sets it"),
        ({"Expect": "100-continue"}, "must not set Expect: it is about the connection"),
        ({"Host": "x"}, "must not set Host"),
        ({"Transfer-Encoding": "chunked"}, "must not set Transfer-Encoding"),
        ({"Content-Encoding": "gzip"}, "must not set Content-Encoding"),
        ({"Proxy-Authorization": "hush"}, "must not set Proxy-Authorization"),
        ({"X(Trace)": "a"}, "not a valid header name"),
        ({"X-Trace": "hush\n"}, "characters that a header cannot carry"),
        (["hush"], "must be a mapping, not list"),
        ({"X-Trace": 7}, r"\['X-Trace'\] must be a string, not int"),
    ],
)
@pytest.mark.parametrize("name", ["extra_headers", "default_headers"])
def test_a_header_that_cannot_be_sent_is_refused_without_its_value(headers: Any, message: str, name: str) -> None:
    make: Any = RequestOptions
    if name == "default_headers":
        make = partial(AgentPlatform, "https://platform.example.com", "svc_x")
    with pytest.raises(InvalidArgumentError, match=f"^{name}.* ?{message}") as caught:
        make(**{name: headers})
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"timeout": "5"}, "timeout must be a positive number of seconds, not '5'"),
        ({"attempts": 0}, "attempts must be a whole number of at least 1, not 0"),
        ({"on_send": 3}, "on_send must be an async function, not int"),
        ({"retry": 3}, r"retry must be a RetryPolicy such as RetryPolicy\(attempts=3\), not int"),
    ],
)
def test_an_invalid_option_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        RequestOptions(**settings)


async def test_options_that_are_a_mapping_are_refused(platform: AgentPlatform) -> None:
    with pytest.raises(InvalidArgumentError, match=r"options must be RequestOptions\(timeout=..., ...\), not dict"):
        await platform.enterprise.blueprints.list(options={"timeout": 5})  # type: ignore[arg-type]  # that is the point


@pytest.mark.parametrize("own_client", [False, True])
async def test_extra_headers_override_in_any_case_and_are_sent_once(own_client: bool) -> None:
    requests: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, json={})

    transport = httpx.MockTransport(handle)
    options = RequestOptions(extra_headers={"CONTENT-TYPE": "x/y", "User-Agent": "me"})
    async with httpx.AsyncClient(transport=transport) as client:
        passed: dict[str, Any] = {"http_client": client} if own_client else {"transport": transport}
        async with AgentPlatform("https://platform.example.com", "svc_x", **passed) as platform:
            await platform.request("POST", "/v3/enterprise/whatever", body={"a": 1}, options=options)
    assert requests[0].headers.get_list("content-type") == ["x/y"]
    assert requests[0].headers.get_list("user-agent") == ["me"]


def test_options_keep_a_copy_of_their_headers() -> None:
    headers = {"X-A": "b"}
    options = RequestOptions(extra_headers=headers)
    headers["Host"] = "elsewhere.example"
    assert options.extra_headers == {"X-A": "b"}


async def test_options_reach_the_wire(httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(json={"items": []})
    options = RequestOptions(timeout=3.0, extra_query={"debug": True}, extra_headers={"X-Trace": "t"})
    async with AgentPlatform("https://platform.example.com", "svc_x", organization="org-acme") as platform:
        await platform.organization().sessions.list(first=5, options=options).collect()
    [request] = httpx_mock.get_requests()
    assert (request.url.query, request.headers["X-Trace"]) == (b"first=5&debug=true", "t")
    assert request.extensions["timeout"] == {"connect": 3.0, "read": 3.0, "write": 3.0, "pool": 3.0}
