"""Settings of a client and of a call come from arguments or the environment; the error of a bad one names it."""

from __future__ import annotations

import asyncio
import gc
import json
import math
import pickle
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from agent_session_platform import AgentPlatform, LocalRateLimiter, RequestOptions, RetryPolicy, errors
from agent_session_platform.network import parse_base_url
from agent_session_platform_sandbox import Sandbox
from pytest_httpx import HTTPXMock

from tests.fixtures import URL, all_clients, all_transports
from tests.servers.fault_server import TOKEN, client, fault_server
from tests.servers.scripts import response


def test_settings_come_from_the_environment_unless_they_are_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_PLATFORM_BASE_URL", f"{URL}/")
    monkeypatch.setenv("AGENT_PLATFORM_TOKEN", TOKEN)
    monkeypatch.setenv("AGENT_PLATFORM_ORG_ID", "org-acme")
    settings = AgentPlatform()._configuration
    assert (settings.base_url, settings.organization) == (URL, "org-acme")
    assert settings.credential_provider.latest.header == f"Bearer {TOKEN}"
    assert AgentPlatform("https://other.example.com")._configuration.base_url == "https://other.example.com"


@pytest.mark.parametrize(("given", "missing"), [({"token": TOKEN}, "base_url"), ({"base_url": URL}, "token")])
def test_a_missing_setting_is_refused_with_what_to_do(given: dict[str, str], missing: str) -> None:
    """Gap base-address: there is no default address."""
    message = rf"no {missing}: pass AgentPlatform\({missing}=...\) or set AGENT_PLATFORM_{missing.upper()}"
    with pytest.raises(errors.ConfigurationError, match=message):
        AgentPlatform(**given)


NO_NUMBERS = [None, True, "5", Decimal(5), Fraction(5), math.nan, -math.inf, 0, -1, [], object()]
OF_A_CLIENT: dict[str, list[Any]] = {
    "timeout": [*NO_NUMBERS, math.inf],
    "max_connections": [*NO_NUMBERS, math.inf, 1.5],
    "max_body": [*NO_NUMBERS, math.inf, 1.5],
    "preflight": [None, "no", 0, 1, []],
    "allow_http": [None, "no", 0, 1, []],
    "retry": [None, 3, True, {}, RetryPolicy],
    "organization": [5, b"org-acme", ["org-acme"], "", "acme", "org-", "org-a/b", "org-a b", "..", "org-a\n"],
    "rate_limiter": [5, "redis://localhost", LocalRateLimiter],
    "transport": [5, "AIOHTTP", "", True, object()],
    "http_client": [5, "httpx", True, object()],
    "on_exchange": [5, asyncio.sleep],
}
OF_A_NUMBER = [None, True, "5", Decimal(5), math.nan, -math.inf, -1]
OF_A_POLICY: dict[str, list[Any]] = {
    **dict.fromkeys(("attempts", "deadline", "backoff_base", "backoff_cap", "max_retry_after"), OF_A_NUMBER),
    "on_retry": [5, "print", True, object()],
}
OF_A_CALL: dict[str, list[Any]] = {
    "timeout": ["5"],
    "attempts": [0],
    "on_send": [3],
    "retry": [3],
}
REFUSED = [(partial(AgentPlatform, URL, TOKEN), OF_A_CLIENT), (RetryPolicy, OF_A_POLICY), (RequestOptions, OF_A_CALL)]


@pytest.mark.parametrize(
    ("make", "setting", "values"), [(make, *each) for make, refused in REFUSED for each in refused.items()]
)
def test_a_setting_of_another_kind_is_refused_with_its_name(make: Any, setting: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises((errors.ConfigurationError, errors.InvalidArgumentError), match=setting):
            make(**{setting: value})


# The facade: the settings that AgentPlatform accepts, and its scopes.


def test_a_missing_organization_is_an_error_when_it_is_needed() -> None:
    platform = AgentPlatform(URL, TOKEN)
    with pytest.raises(errors.InvalidOrganizationError, match="no organization.*AGENT_PLATFORM_ORG_ID"):
        platform.organization()


def test_the_organization_of_the_client_is_the_default() -> None:
    assert AgentPlatform(URL, TOKEN, organization="org-acme").organization().org_id == "org-acme"
    assert AgentPlatform(URL, TOKEN, organization="org-acme").organization("org-b").org_id == "org-b"


async def test_a_rate_limiter_of_another_client_is_refused_before_anything_is_opened() -> None:
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
    limiter = LocalRateLimiter()
    async with AgentPlatform(URL, TOKEN, transport="aiohttp", rate_limiter=limiter):
        other = AgentPlatform(URL, TOKEN, transport="aiohttp", rate_limiter=limiter)
        with pytest.raises(errors.ConfigurationError, match="this one is in use"):
            await other.enterprise.blueprints.list()
        gc.collect()
    assert told == []


def test_a_rate_limiter_that_lacks_methods_is_refused(sandbox: Sandbox) -> None:
    """A rate limiter that was written for an older version may lack methods."""

    class Older(LocalRateLimiter):
        stats = property()  # reading it raises an AttributeError

    limiter: Any = Older()
    with pytest.raises(errors.ConfigurationError, match=r"with all members of RateLimiter, not .*Older"):
        sandbox.client(rate_limiter=limiter)


def test_a_client_cannot_be_pickled(sandbox: Sandbox) -> None:
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(sandbox.client())


# The options of a single call.


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ({"Authorization": "hush"}, "must not set Authorization: the SDK or the HTTP library sets it"),
        ({"X-Agent-Platform-Attempt": "9"}, "must not set X-Agent-Platform-Attempt"),
        ({"Expect": "100-continue"}, "must not set Expect"),
        ({"X-A": "hush", "x-a": "b"}, "has x-a twice"),
        ({"Host": "x"}, "must not set Host"),
        ({"Transfer-Encoding": "chunked"}, "must not set Transfer-Encoding"),
        ({"Content-Encoding": "gzip"}, "must not set Content-Encoding"),
        ({"Proxy-Authorization": "hush"}, "must not set Proxy-Authorization"),
        ({"X(Trace)": "a"}, "not a valid header name"),
        ({"X-Trace": "hush\n"}, r"\['X-Trace'\] must be a string of printable ASCII characters"),
        (["hush"], "must be a mapping, not list"),
        ({"X-Trace": 7}, r"\['X-Trace'\] must be a string of printable ASCII characters"),
    ],
)
@pytest.mark.parametrize("name", ["extra_headers", "default_headers"])
def test_a_header_that_cannot_be_sent_is_refused_without_its_value(headers: Any, message: str, name: str) -> None:
    make: Any = RequestOptions
    if name == "default_headers":
        make = partial(AgentPlatform, "https://platform.example.com", "svc_x")
    with pytest.raises(errors.InvalidArgumentError, match=f"^{name}.* ?{message}") as caught:
        make(**{name: headers})
    assert "hush" not in str(caught.value)


async def test_options_that_are_a_mapping_are_refused(platform: AgentPlatform) -> None:
    with pytest.raises(errors.InvalidArgumentError, match="options must be RequestOptions.*, not dict"):
        await platform.enterprise.blueprints.list(options={"timeout": 5})  # type: ignore[arg-type]  # that is the point


@all_clients
async def test_extra_headers_override_in_any_case_and_are_sent_once(transport: Any) -> None:
    options = RequestOptions(extra_headers={"CONTENT-TYPE": "x/y", "User-Agent": "me"})
    async with fault_server(response({})) as server, server.client(transport) as platform:
        await platform.request("POST", "/v3/enterprise/whatever", body={"a": 1}, options=options)
    sent = [value for name, value in server.requests[0].fields if name.lower() in ("content-type", "user-agent")]
    assert sorted(sent) == ["me", "x/y"]


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


# A client refuses a base URL that is not the address of a server, and one with http to another host.

LOCAL = ["localhost", "LOCALHOST:8080", "api.localhost", "127.0.0.1", "127.255.3.4:1", "[::1]", "[0:0:0:0:0:0:0:1]:80"]
OTHERS = ["platform.example.com", "10.0.0.1", "0.0.0.0", "[::]", "[::127.0.0.1]", "[::ffff:10.0.0.1]", "localhost."]
OTHERS += ["127.1", "127.0.0.1.", "127.0.0.1.evil.example", "localhost.evil.example", "evillocalhost", "localhost-"]
# Some resolvers take these for an address; httpx or the socket refuses them.
UNCLEAR = ["0x7f000001", "2130706433", "127.0.0.01", "\uff11\uff12\uff17.0.0.1", "\u24dbocalhost", ".localhost"]
NO_HOSTS = ["☃.example", "bücher.example", f"{'a' * 64}.example", "a." * 127 + "a", "a..b", "a%2eb", "a\\b"]
NO_HOSTS += ["h:0", "h:65536", "h:-1", "h:x", "[::1", "[fe80::1%eth0]", "[::g]"]


@pytest.mark.parametrize(("host", "is_local"), [*((each, True) for each in LOCAL), *((each, False) for each in OTHERS)])
def test_only_this_machine_is_reached_over_http(host: str, is_local: bool) -> None:
    client(f"http://{host}", allow_http=True)
    if is_local:
        client(f"http://{host}")
    else:
        with pytest.raises(errors.ConfigurationError, match="use https://, or set allow_http to true"):
            client(f"http://{host}")


@all_transports
@pytest.mark.parametrize("host", ["platform.example.com", *UNCLEAR])
def test_http_to_a_host_that_is_not_clearly_this_machine_is_refused(host: str, transport: Any) -> None:
    with pytest.raises(errors.ConfigurationError, match="base_url"):
        client(f"http://{host}", transport=transport)


async def application(scope: Any, receive: Any, send: Any) -> None:
    raise NotImplementedError


MOCK = httpx.MockTransport(lambda request: httpx.Response(200, json={}))
MOUNTED = {"transport": MOCK, "mounts": {"http://service": httpx.AsyncHTTPTransport()}}
# What a client is made with, and whether that is inside this process.
PASSED: dict[str, tuple[Callable[[], dict[str, Any]], bool]] = {
    "mock": (lambda: {"transport": MOCK}, True),
    "asgi": (lambda: {"transport": httpx.ASGITransport(application)}, True),
    "sandbox": (lambda: {"transport": Sandbox().transport()}, True),
    "httpx": (lambda: {"transport": httpx.AsyncHTTPTransport()}, False),
    "a transport of the caller": (lambda: {"transport": httpx.AsyncBaseTransport()}, False),
    "a client": (lambda: {"http_client": httpx.AsyncClient(transport=MOCK)}, False),
    "a client with a mount": (lambda: {"http_client": httpx.AsyncClient(**MOUNTED)}, False),
}


@pytest.mark.parametrize(("make", "in_process"), PASSED.values(), ids=PASSED)
async def test_http_is_allowed_inside_this_process(make: Callable[[], dict[str, Any]], in_process: bool) -> None:
    client("http://service", allow_http=True, **make())
    if in_process:
        client("http://service", **make())
    else:
        with pytest.raises(errors.ConfigurationError, match="allow_http"):
            client("http://service", **make())


@pytest.mark.parametrize(
    ("value", "message"),
    [
        *((f"https://{host}", "base_url") for host in NO_HOSTS),
        ("", "base_url must be an http or https address"),
        ("platform.example.com", "base_url must be an http or https address; it should look like"),
        ("ftp://platform.example.com", "base_url must be an http or https address"),
        ("https://platform example.com", "base_url must have an ASCII host name or address, not 'platform example"),
        ("https://platform.example.com:port", "base_url is malformed"),
        ("https://platform.example.com?x=1", "base_url must have no query"),
        ("https://me:secret@platform.example.com", "base_url must not contain credentials"),
        ("https://platform.example.com/v3", "base_url must not end in the version"),
        *((f"{URL}/a/{dots}/b", "base_url must have no dot segments") for dots in (".", "..", "%2e%2E", ".%2e")),
    ],
)
def test_a_malformed_base_url_is_refused(value: str, message: str) -> None:
    with pytest.raises(errors.ConfigurationError, match=f"^{message}") as caught:
        client(value)
    assert "secret" not in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("base_url", "written"),
    [
        ("HTTPS://platform.example.com:8443/base/", "https://platform.example.com:8443/base"),
        (" https://platform.example.com\n", URL),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("https://under_score.example.", "https://under_score.example."),
        ("https://[2001:DB8::1]:8443", "https://[2001:DB8::1]:8443"),
        ("https://platform.example.com/präfix/{env}/a%20b%zz", f"{URL}/pr%C3%A4fix/%7Benv%7D/a%20b%25zz"),
    ],
)
def test_a_base_url_is_kept_without_a_slash_at_its_end(base_url: str, written: str) -> None:
    assert parse_base_url(base_url) == written


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("BASE_URL", "platform.example.com", "base_url must be an http or https address"),
        ("TOKEN", "Bearer svc_1", "token must be given without the word Bearer"),
        ("TOKEN", "svc_" + "x" * 20_000, "token has 20,004 characters; a header has room for 16,384"),
        ("TOKEN_FILE", "svc_1", "token_file must be the path of a file; pass a credential as token="),
        ("ORG_ID", "acme", "organization must be an id that starts with 'org-', not 'acme'"),
    ],
)
def test_the_error_of_a_variable_names_it(
    variable: str, value: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"BASE_URL": URL, "TOKEN": "", "TOKEN_FILE": "/run/secrets/token", "ORG_ID": "org-acme", variable: value}
    for name, text in given.items():
        monkeypatch.setenv(f"AGENT_PLATFORM_{name}", text)
    with pytest.raises(errors.ConfigurationError, match=message) as caught:
        AgentPlatform()
    assert str(caught.value).endswith(f" (it is taken from AGENT_PLATFORM_{variable})")


@all_transports
@pytest.mark.parametrize("path", ["/gateway", "/präfix", "/{env}", "/a%20b", "/a;b=c,d"])
async def test_every_transport_sends_the_same_target(transport: Any, path: str) -> None:
    async with (
        fault_server(response(b"{}")) as server,
        AgentPlatform(f"{server.base_url}{path}", TOKEN, transport=transport) as platform,
    ):
        await platform.request("GET", "/v3/x")
    assert [request.path for request in server.requests] == [f"{quote(path, safe='/%;=,')}/v3/x"]


class Name(str, Enum):  # noqa: UP042  # the members of a StrEnum need no care
    """Texts whose `str()` is another text."""

    BASE_URL = URL
    TOKEN = TOKEN
    ORGANIZATION = "org-acme"
    SESSION = "abc123"
    CURSOR = "next"
    FILE = "report.txt"
    HEADER = "nightly"


async def test_a_member_of_an_enum_of_texts_is_its_value(httpx_mock: HTTPXMock) -> None:
    httpx_mock.add_response(json={"session_id": "assistant-abc123", "items": []}, is_reusable=True)
    async with AgentPlatform(Name.BASE_URL, Name.TOKEN, organization=Name.ORGANIZATION) as platform:
        org = platform.organization()
        await org.sessions.get(Name.SESSION)
        await org.sessions.list(after=Name.CURSOR).first_page()
        await org.sessions.send_message(Name.SESSION, message=Name.FILE)
        await org.attachments.upload(file=(Name.FILE, b"content"))
        await org.attachments.download(Name.SESSION, Name.FILE).read()
        await platform.request("GET", "/v3/x", options=RequestOptions(extra_headers={"X-Run": Name.HEADER}))
        for request in httpx_mock.get_requests():
            sent = f"{request.url} {request.headers} {request.read()!r}"
            assert "Name." not in sent
        follower = org.sessions.follow_messages(Name.SESSION)
        assert "assistant_id='assistant-abc123'" in json.loads(follower.position)["source"]
    assert httpx_mock.get_requests()[0].url.path == "/v3/organizations/org-acme/sessions/assistant-abc123"
    assert httpx_mock.get_requests()[0].headers["authorization"] == f"Bearer {TOKEN}"
