"""A download is followed to the hosts that the caller names, and the credential stays at home."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    AgentPlatformError,
    ConnectionFailedError,
    DeadlineExceededError,
    DecodeError,
    ProblemError,
    RateLimitedError,
    RequestOptions,
    RetryPolicy,
    ServerError,
)

from tests.faults.exposure import exposed
from tests.fixtures import ONE_ATTEMPT, QUICK, all_clients, all_transports
from tests.servers.fault_server import CERTIFICATES, TOKEN, FaultServer, Script, fault_server
from tests.servers.file_server import FileScript
from tests.servers.scripts import response, then_close, then_reset, then_silence

SIGNATURE = "s1gnature-of-the-url-9876543210"
STORED = f"https://files.example.com/a%2Fb?X-Signature={SIGNATURE}&x=%2B"
HOSTS = ["files.example.com"]

Handler = Callable[[httpx.Request], httpx.Response]


def storage(answer: httpx.Response | Exception | Handler, location: str = STORED, status: int = 302) -> Handler:
    """The API, which redirects to a storage, and the storage."""

    def handle(request: httpx.Request) -> httpx.Response:
        if request.url.host == "api.example.com":
            return httpx.Response(
                status, headers=[(b"location", location.encode()), (b"set-cookie", b"session=secret")]
            )
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else answer(request)

    return handle


class Recorder(httpx.AsyncBaseTransport):
    """A transport that keeps the requests."""

    def __init__(self, handle: Handler) -> None:
        self.handle = handle
        self.requests: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self.handle(request)

    def sent(self, host: str) -> list[dict[str, str]]:
        """The headers of the requests to a host."""
        return [dict(each.headers) for each in self.requests if each.url.host == host]


def client_of(recorder: Recorder, own: bool = False, **settings: Any) -> AgentPlatform:
    """A client that sends through the transport, or through an httpx client with secrets of its own."""
    defaults: dict[str, Any] = {"default_headers": {"X-Gateway-Key": "s3cret"}, "user_agent": "s3cret/1.0"}
    settings = {"retry": QUICK, "organization": "org-acme", **defaults, **settings}
    if not own:
        return AgentPlatform("https://api.example.com", TOKEN, transport=recorder, **settings)
    client = httpx.AsyncClient(
        transport=recorder,
        headers={"Authorization": "Basic s3cret", "X-Api-Key": "s3cret"},
        cookies={"session": "s3cret"},
        params={"key": "s3cret"},
        follow_redirects=True,
    )
    return AgentPlatform("https://api.example.com", TOKEN, http_client=client, **settings)


def download(platform: AgentPlatform) -> Any:
    """The download of an attachment, with a header of the caller."""
    options = RequestOptions(extra_headers={"X-Team-Key": "s3cret", "Cookie": "a=s3cret"})
    return platform.organization().attachments.download("uuid", "name", options=options)


@pytest.mark.parametrize("own", [False, True], ids=["transport", "http_client"])
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_followed_without_anything_of_ours(status: int, own: bool) -> None:
    recorder = Recorder(storage(httpx.Response(200, content=b"file"), status=status))
    async with client_of(recorder, own) as platform:
        assert await download(platform).read(follow=True, hosts=HOSTS) == b"file"
        assert platform.rate_limiter.stats().in_flight == 0
    [sent] = recorder.sent("files.example.com")
    assert set(sent) == {"host", "user-agent", "accept", "accept-encoding"}
    assert "s3cret" not in str(sent)
    assert TOKEN not in str(sent)
    assert [(each.method, str(each.url)) for each in recorder.requests][1:] == [("GET", STORED)]


PLAIN = [
    (STORED, STORED),
    ("HTTPS://FILES.Example.COM:443/A#part", "https://files.example.com/A"),
    ("https://files.example.com/ä ö", "https://files.example.com/%C3%A4%20%C3%B6"),
    ("https://files.example.com/a?to=https://good@evil", "https://files.example.com/a?to=https://good@evil"),
    ("//files.example.com/a", "https://files.example.com/a"),
]


@pytest.mark.parametrize(("location", "url"), PLAIN)
async def test_a_location_is_followed_as_it_is(location: str, url: str) -> None:
    recorder = Recorder(storage(httpx.Response(200, content=b"file"), location))
    async with client_of(recorder) as platform:
        assert await download(platform).read(follow=True, hosts=HOSTS) == b"file"
    assert str(recorder.requests[1].url) == url


NOT_FOLLOWED = [
    (STORED, ["other.example.com"], r"which is not followed \(follow=True, hosts=\['files.example.com'\] would do so"),
    (STORED, ["example.com"], "to https://files.example.com/a%2Fb, which"),
    (STORED.replace(".com", ".com:8443"), HOSTS, "to https://files.example.com:8443/a%2Fb, which"),
    (STORED.replace("files", "a.files"), HOSTS, "to https://a.files.example.com/a%2Fb, which"),
    (STORED.replace(".com/", ".com.evil.example/"), HOSTS, "to https://files.example.com.evil.example/a%2Fb, which"),
    ("//evil.example/x", HOSTS, "to //evil.example/x, which"),
    ("https://files.example.com@evil.example/", HOSTS, "to https://evil.example/, which"),
    ("https://user:s3cret@files.example.com/", HOSTS, "to https://files.example.com/, which"),
    ("https://files.example.com%2eevil.example/", HOSTS, "with a redirect to "),
    ("https://ﬁles.example.com/", HOSTS, "with a redirect to "),
    ("https://files\t.example.com/", HOSTS, "with a redirect to "),
    ("http://files.example.com/a?sig=s3cret", HOSTS, "only one address with https is"),
    ("https://[files.example.com/", HOSTS, "only one address with https is"),
    ("ftp://files.example.com/a", HOSTS, "only one address with https is"),
    ("", HOSTS, "only one address with https is"),
]


@pytest.mark.parametrize(("location", "hosts", "message"), NOT_FOLLOWED)
async def test_nothing_else_is_followed(location: str, hosts: list[str], message: str) -> None:
    recorder = Recorder(storage(httpx.Response(200, content=b"evil"), location))
    async with client_of(recorder) as platform:
        with pytest.raises(DecodeError, match=message) as caught:
            await download(platform).read(follow=True, hosts=hosts)
    assert len(recorder.requests) == 1
    assert_hidden(caught.value)


async def test_two_locations_are_none() -> None:
    headers = [("location", STORED), ("location", "https://evil.example/")]
    recorder = Recorder(lambda request: httpx.Response(302, headers=headers))
    async with client_of(recorder) as platform:
        with pytest.raises(DecodeError, match="only one address with https is"):
            await download(platform).read(follow=True, hosts=[*HOSTS, "evil.example"])


async def test_a_relative_location_of_a_server_without_tls_is_not_followed() -> None:
    recorder = Recorder(lambda request: httpx.Response(302, headers={"location": "/other"}))
    async with AgentPlatform("http://127.0.0.1", TOKEN, transport=recorder, organization="org-acme") as platform:
        with pytest.raises(DecodeError, match="only one address with https is"):
            await download(platform).read(follow=True, hosts=["127.0.0.1"])


async def test_the_server_itself_is_followed_only_if_it_is_named() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/moved":
            return httpx.Response(200, content=b"file")
        return httpx.Response(307, headers={"location": "/moved"})

    recorder = Recorder(handle)
    async with client_of(recorder) as platform:
        assert await download(platform).read(follow=True, hosts=["api.example.com"]) == b"file"
    assert "authorization" not in recorder.requests[1].headers


@pytest.mark.parametrize(("hops", "fits"), [(5, True), (6, False)])
async def test_five_redirects_are_followed(hops: int, fits: bool) -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params.get("n", 0))
        if number == hops:
            return httpx.Response(200, content=b"file")
        return httpx.Response(302, headers={"location": f"https://files.example.com/?n={number + 1}"})

    async with client_of(Recorder(handle)) as platform:
        if fits:
            assert await download(platform).read(follow=True, hosts=HOSTS) == b"file"
        else:
            with pytest.raises(DecodeError, match="302 with more than 5 redirects, which are not followed"):
                await download(platform).read(follow=True, hosts=HOSTS)
        assert platform.rate_limiter.stats().in_flight == 0


async def test_every_host_on_the_way_must_be_named() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        to = {"api.example.com": "https://files.example.com/1", "files.example.com": "https://evil.example/2"}
        return httpx.Response(302, headers={"location": to[request.url.host]})

    async with client_of(Recorder(handle)) as platform:
        with pytest.raises(DecodeError, match="to https://evil.example/2, which is not followed"):
            await download(platform).read(follow=True, hosts=HOSTS)


async def test_without_follow_the_error_says_what_would_follow_it() -> None:
    location = f"https://user:{SIGNATURE}@files.example.com/a?X={SIGNATURE}#{SIGNATURE}"
    recorder = Recorder(storage(httpx.Response(200), location))
    async with client_of(recorder) as platform:
        expected = r"to https://files.example.com/a, which is not followed \(follow=True, hosts=\['files.exam"
        with pytest.raises(DecodeError, match=expected) as caught:
            await download(platform).read()
    assert len(recorder.requests) == 1
    assert_hidden(caught.value)


@pytest.mark.parametrize("options", [{}, {"follow": True, "hosts": HOSTS}, {"follow": True, "hosts": None}])
async def test_a_host_that_echoes_the_token_does_not_show_it(options: dict[str, Any]) -> None:
    host = f"{TOKEN.lower().replace('_', '-')}.example.com"
    token = host.partition(".")[0]
    options = {**options, "hosts": [host]} if "hosts" in options and options["hosts"] is None else options
    recorder = Recorder(storage(httpx.ConnectError("refused"), f"https://{host}/a"))
    async with AgentPlatform("https://api.example.com", token, transport=recorder, retry=ONE_ATTEMPT) as platform:
        with pytest.raises(AgentPlatformError) as caught:
            await platform.organization("org-acme").attachments.download("uuid", "name").read(**options)
    assert token not in str(caught.value)


async def test_a_status_that_is_no_redirect_is_not_followed() -> None:
    for status in (300, 304, 305, 306, 399):
        async with client_of(Recorder(storage(httpx.Response(200), status=status))) as platform:
            with pytest.raises(DecodeError, match=f"{status} with a redirect"):
                await download(platform).read(follow=True, hosts=HOSTS)


def quoting(status: int, **headers: str) -> Handler:
    """Respond with an error whose body quotes the URL, as storage servers do."""
    body = f"<Error><Url>{STORED}</Url><Given>{SIGNATURE}</Given></Error>"
    return lambda request: httpx.Response(status, text=body, headers=headers)


@pytest.mark.parametrize(
    ("status", "cls"),
    [(401, ProblemError), (403, ProblemError), (404, ProblemError), (429, RateLimitedError), (500, ServerError)],
)
async def test_an_error_of_the_storage_is_typed_and_hides_the_signature(
    status: int, cls: type[AgentPlatformError], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG, "agent_session_platform")
    async with client_of(Recorder(storage(quoting(status)))) as platform:
        with pytest.raises(cls, match=f"{status} .* from files.example.com, to which the download was") as caught:
            await download(platform).save(tmp_path / "x", follow=True, hosts=HOSTS)
    assert_hidden(caught.value)
    assert caught.value.response is not None
    assert caught.value.response.status == status
    # It is not the platform that refused the credential.
    assert type(caught.value) is cls
    assert SIGNATURE not in caplog.text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "error",
    [
        httpx.ConnectError("refused"),
        httpx.ReadTimeout(f"silence at {STORED}"),
        OSError(f"{STORED} is gone"),
        ValueError("an error of an application"),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_a_failed_exchange_with_the_storage_hides_the_signature(error: Exception) -> None:
    async with client_of(Recorder(storage(error)), retry=ONE_ATTEMPT) as platform:
        with pytest.raises((AgentPlatformError, ValueError)) as caught:
            await download(platform).read(follow=True, hosts=HOSTS)
        assert platform.rate_limiter.stats().in_flight == 0
    assert isinstance(error, ValueError) or isinstance(caught.value, AgentPlatformError)
    assert_hidden(caught.value)


async def test_a_storage_that_does_not_respond_is_told_apart_from_the_timeout_of_the_file() -> None:
    async def hang(request: httpx.Request) -> httpx.Response:
        if request.url.host == "api.example.com":
            return httpx.Response(302, headers={"location": STORED})
        return await asyncio.Event().wait()  # type: ignore[return-value]  # never

    settings: dict[str, Any] = {"retry": RetryPolicy(deadline=0.05), "organization": "org-acme"}
    async with AgentPlatform(
        "https://api.example.com", TOKEN, transport=httpx.MockTransport(hang), **settings
    ) as platform:
        with pytest.raises(DeadlineExceededError, match=r"files\.example\.com did not respond within 0\.05 s"):
            await download(platform).read(follow=True, hosts=HOSTS, timeout=20)


async def test_a_storage_that_fails_sometimes_is_asked_again() -> None:
    answers = iter([httpx.ConnectError("refused"), quoting(503), quoting(429)])

    def answer(request: httpx.Request) -> httpx.Response:
        now = next(answers, None)
        if isinstance(now, Exception):
            raise now
        return httpx.Response(200, content=b"file") if now is None else now(request)

    recorder = Recorder(storage(answer))
    async with client_of(recorder) as platform:
        assert await download(platform).read(follow=True, hosts=HOSTS) == b"file"
        assert platform.rate_limiter.retry_quota.used == 0
    assert len(recorder.sent("api.example.com")) == 1
    assert len(recorder.sent("files.example.com")) == 4


def assert_hidden(error: BaseException) -> None:
    """Check that neither the signature nor a secret is in what an error shows."""
    shown = "".join([exposed(error), *traceback.format_exception(error)])
    assert [secret for secret in (SIGNATURE, TOKEN, "s3cret") if secret in shown] == []


# Redirects of downloads to a real server with TLS, on every transport and every client.


@pytest.fixture(autouse=True)
def trust(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust the authority of the tests."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "authority.pem"))


@asynccontextmanager
async def stored(script: Script, transport: Any, **settings: Any) -> AsyncIterator[tuple[FaultServer, AgentPlatform]]:
    """A storage, and a client of a server that redirects to it."""
    async with fault_server(script, certificate="loopback") as storage:
        redirect = response(b"", "302 Found", f"Location: {storage.base_url}/a%2Fb?X-Signature={SIGNATURE}%2B")
        async with fault_server(redirect) as server, server.client(transport, **settings) as platform:
            yield storage, platform


def hosts(storage: FaultServer) -> list[str]:
    return [storage.base_url.removeprefix("https://")]


@all_clients
async def test_a_file_comes_over_tls_and_is_continued(transport: Any, tmp_path: Path) -> None:
    async with stored(FileScript(b"x" * 100_000, cuts=[50_000]), transport) as (storage, platform):
        size = await download(platform).save(tmp_path / "copy", follow=True, hosts=hosts(storage))
        assert platform.rate_limiter.stats().in_flight == 0
    assert size == (tmp_path / "copy").stat().st_size == 100_000
    allowed = {"host", "user-agent", "accept", "accept-encoding", "range", "if-range", "connection"}
    assert [set(each.headers) <= allowed for each in storage.requests] == [True, True]
    assert storage.requests[0].target == f"/a%2Fb?X-Signature={SIGNATURE}%2B"


@all_clients
async def test_the_certificate_of_the_other_server_is_verified(transport: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    async with stored(response(b"evil"), transport, retry=ONE_ATTEMPT) as (storage, platform):
        with pytest.raises(ConnectionFailedError) as caught:
            await download(platform).read(follow=True, hosts=hosts(storage))
    assert storage.requests == []
    assert_hidden(caught.value)


@all_clients
@pytest.mark.parametrize("script", [then_reset(), then_close(b"nonsense\r\n\r\n")], ids=["reset", "no HTTP"])
async def test_a_storage_that_breaks_off_is_named_without_the_path_of_the_file(transport: Any, script: Script) -> None:
    async with stored(script, transport) as (storage, platform):
        with pytest.raises(ConnectionFailedError, match=r"the exchange broke off.*given up after 5 attempts") as caught:
            await download(platform).read(follow=True, hosts=hosts(storage))
    assert len(storage.requests) == 5
    assert_hidden(caught.value)
    assert "a%2Fb" not in str(caught.value)


@all_transports
async def test_as_many_files_are_held_as_there_may_be_connections(transport: Any) -> None:
    half = then_silence(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
    settings: Any = {"timeout": 1, "retry": ONE_ATTEMPT, "max_connections": 12}
    async with stored(half, transport, **settings) as (storage, platform):
        streams = [download(platform).stream(follow=True, hosts=hosts(storage)) for _ in range(11)]
        assert [await anext(each) for each in streams] == [b"abc"] * 11
