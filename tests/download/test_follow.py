"""A download is followed to the hosts that the caller names, and the credential stays at home."""

from __future__ import annotations

import logging
import traceback
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, AgentPlatformError, RequestOptions, errors

from tests.faults.exposure import exposed
from tests.fixtures import ONE_ATTEMPT, all_clients, all_transports
from tests.servers.fault_server import TOKEN, FaultServer, Script, client as connect, fault_server
from tests.servers.scripts import HALF_A_FILE, FileScript, redirect_to, response, silence, then_close, then_reset

pytestmark = pytest.mark.usefixtures("trust")

SIGNATURE = "s1gnature-of-the-url-9876543210"
STORED = f"https://files.example.com/a%2Fb?X-Signature={SIGNATURE}&x=%2B"
HOSTS = ("files.example.com",)


class Recorder(httpx.AsyncBaseTransport):
    """The API, which redirects to a storage, and the storage itself; it records all requests."""

    def __init__(self, answer: Any = None, location: str = STORED, status: int = 302) -> None:
        self.answer = httpx.Response(200, content=b"file") if answer is None else answer
        self.headers = [(b"location", location.encode()), (b"set-cookie", b"session=secret")]
        self.status = status
        self.requests: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if request.url.host == "api.example.com":
            return httpx.Response(self.status, headers=self.headers)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer(request) if callable(self.answer) else self.answer

    def client(self, **settings: Any) -> AgentPlatform:
        """Make a client of the API with headers of its own."""
        own: dict[str, Any] = {"default_headers": {"X-Gateway-Key": "s3cret"}, "user_agent": "s3cret/1.0"}
        return connect("https://api.example.com", self, **own, **settings)


def download(platform: AgentPlatform) -> Any:
    """The download of an attachment, with a header of the caller."""
    options = RequestOptions(extra_headers={"X-Team-Key": "s3cret", "Cookie": "a=s3cret"})
    return platform.organization().attachments.download("uuid", "name", options=options)


def assert_hidden(error: BaseException) -> None:
    """Check that neither the signature nor a secret is in what an error shows."""
    shown = "".join([exposed(error), *traceback.format_exception(error)])
    assert [secret for secret in (SIGNATURE, TOKEN, "s3cret") if secret in shown] == []


async def content(recorder: Recorder, hosts: Collection[str] = HOSTS) -> bytes:
    """Return the file that the redirect leads to."""
    async with recorder.client() as platform:
        try:
            file: bytes = await download(platform).read(follow=True, hosts=hosts)
        finally:
            assert platform.rate_limiter.stats().in_flight == 0
    return file


async def refusal(recorder: Recorder, message: str, hosts: Collection[str] = HOSTS) -> errors.DecodeError:
    """Return the error of a redirect that is not followed."""
    with pytest.raises(errors.DecodeError, match=message) as caught:
        await content(recorder, hosts)
    return caught.value


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_followed_without_anything_of_ours(status: int) -> None:
    recorder = Recorder(status=status)
    assert await content(recorder) == b"file"
    [_, sent] = recorder.requests
    assert (sent.method, str(sent.url)) == ("GET", STORED)
    assert set(sent.headers) == {"host", "user-agent", "accept", "accept-encoding"}
    assert "s3cret" not in str(sent.headers)
    assert TOKEN not in str(sent.headers)


PLAIN = [
    (STORED, STORED),
    ("HTTPS://FILES.Example.COM:443/A#part", "https://files.example.com/A"),
    ("https://files.example.com/ä ö", "https://files.example.com/%C3%A4%20%C3%B6"),
    ("https://files.example.com/a?to=https://good@evil", "https://files.example.com/a?to=https://good@evil"),
    ("//files.example.com/a", "https://files.example.com/a"),
]


@pytest.mark.parametrize(("location", "url"), PLAIN)
async def test_a_location_is_followed_as_it_is(location: str, url: str) -> None:
    recorder = Recorder(location=location)
    assert await content(recorder) == b"file"
    assert str(recorder.requests[1].url) == url


NOT_FOLLOWED = [
    (STORED, ["other.example.com"], r"which is not followed \(follow=True, hosts=\['files.example.com'\] would follow"),
    (STORED, ["example.com"], "to https://files.example.com/a%2Fb, which"),
    (STORED.replace(".com", ".com:8443"), HOSTS, "to https://files.example.com:8443/a%2Fb, which"),
    (STORED.replace("files", "a.files"), HOSTS, "to https://a.files.example.com/a%2Fb, which"),
    (STORED.replace(".com/", ".com.evil.example/"), HOSTS, "to https://files.example.com.evil.example/a%2Fb, which"),
    ("//evil.example/x", HOSTS, "to //evil.example/x, which"),
    ("https://files.example.com@evil.example/", HOSTS, "to https://evil.example/, which"),
    ("https://user:s3cret@files.example.com/", HOSTS, "to https://files.example.com/, which"),
    ("https://user:s3cret@evil.example//x", HOSTS, "to https://evil.example//x, which"),
    ("https://evil.example:8443/@x", HOSTS, "to https://evil.example:8443/@x, which"),
    ("https:user:s3cret@files.example.com", HOSTS, "with a redirect to files.example.com, which"),
    ("https://user:pa/s3cret@files.example.com/a", HOSTS, "to https://files.example.com/a, which"),
    ("https://evil.example/login;jsessionid=s3cret", HOSTS, "to https://evil.example/login, which"),
    ("https://evil.example/login%3Fsignature=s3cret#s3cret", HOSTS, "to https://evil.example/login, which"),
    ("https://files.example.com%2eevil.example/", HOSTS, "with a redirect to "),
    ("https://ﬁles.example.com/", HOSTS, "with a redirect to "),
    ("https://files\t.example.com/", HOSTS, "with a redirect to "),
    ("http://files.example.com/a?sig=s3cret", HOSTS, "only a single https address is followed"),
    ("https://[files.example.com/", HOSTS, "only a single https address is followed"),
    ("ftp://files.example.com/a", HOSTS, "only a single https address is followed"),
    ("", HOSTS, "only a single https address is followed"),
]


@pytest.mark.parametrize(("location", "hosts", "message"), NOT_FOLLOWED)
async def test_a_redirect_elsewhere_is_not_followed(location: str, hosts: Collection[str], message: str) -> None:
    recorder = Recorder(location=location)
    error = await refusal(recorder, message, hosts)
    assert len(recorder.requests) == 1
    assert_hidden(error)


async def test_a_redirect_with_two_locations_is_not_followed() -> None:
    recorder = Recorder()
    recorder.headers.append((b"location", b"https://evil.example/"))
    await refusal(recorder, "only a single https address is followed", [*HOSTS, "evil.example"])


async def test_a_relative_location_of_a_server_without_tls_is_not_followed() -> None:
    async with fault_server(redirect_to("/other")) as server, server.client() as platform:
        with pytest.raises(errors.DecodeError, match="only a single https address is followed"):
            await download(platform).read(follow=True, hosts=[server.base_url.removeprefix("http://")])


async def test_the_server_itself_is_followed_only_if_it_is_named() -> None:
    recorder = Recorder(location="/moved")
    await refusal(recorder, "302 with more than 5 redirects", ["api.example.com"])
    assert [("authorization" in each.headers, each.url.path == "/moved") for each in recorder.requests] == [
        (True, False),
        *[(False, True)] * 5,
    ]


@pytest.mark.parametrize(("hops", "fits"), [(5, True), (6, False)])
async def test_five_redirects_are_followed(hops: int, fits: bool) -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        if len(recorder.requests) > hops:
            return httpx.Response(200, content=b"file")
        return httpx.Response(302, headers={"location": STORED})

    recorder = Recorder(handle)
    if fits:
        assert await content(recorder) == b"file"
    else:
        await refusal(recorder, "302 with more than 5 redirects, which are not followed")


async def test_every_host_on_the_way_must_be_named() -> None:
    recorder = Recorder(httpx.Response(302, headers={"location": "https://evil.example/2"}))
    await refusal(recorder, "to https://evil.example/2, which is not followed")


@pytest.mark.parametrize("follow", [False, True])
async def test_a_host_that_echoes_the_token_does_not_show_it(follow: bool) -> None:
    token = TOKEN.lower().replace("_", "-")
    recorder = Recorder(httpx.ConnectError("refused"), f"https://{token}.example.com/a")
    options: Any = {"follow": True, "hosts": [f"{token}.example.com"]} if follow else {}
    async with AgentPlatform("https://api.example.com", token, transport=recorder, retry=ONE_ATTEMPT) as platform:
        with pytest.raises(AgentPlatformError) as caught:
            await platform.organization("org-acme").attachments.download("uuid", "name").read(**options)
    assert token not in str(caught.value)


@pytest.mark.parametrize("status", [300, 304, 305, 306, 399])
async def test_a_status_that_is_no_redirect_is_not_followed(status: int) -> None:
    await refusal(Recorder(status=status), "304 Not Modified" if status == 304 else f"{status} with a redirect")


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500])
async def test_storage_errors_hide_the_signature(status: int, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    """The response of the test quotes the URL, as storage servers do."""
    # The storage refused the request, and not the platform, so the error is not about the credential.
    cls = {429: errors.RateLimitedError, 500: errors.ServerError}.get(status, errors.ProblemError)
    caplog.set_level(logging.DEBUG, "agent_session_platform")
    quoting = httpx.Response(status, text=f"<Error><Url>{STORED}</Url><Given>{SIGNATURE}</Given></Error>")
    async with Recorder(quoting).client(retry=ONE_ATTEMPT) as platform:
        with pytest.raises(cls, match=f"{status} .* from files.example.com, to which the download was") as caught:
            await download(platform).save(tmp_path / "x", follow=True, hosts=HOSTS)
    assert_hidden(caught.value)
    assert caught.value.response is not None
    assert caught.value.response.status == status
    assert type(caught.value) is cls
    assert SIGNATURE not in caplog.text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "cls"),
    [
        (httpx.ConnectError("refused"), AgentPlatformError),
        (httpx.ReadTimeout(f"silence at {STORED}"), AgentPlatformError),
        (OSError(f"{STORED} is gone"), AgentPlatformError),
        (ValueError("an error of an application"), ValueError),
    ],
)
async def test_a_failed_exchange_with_the_storage_hides_the_signature(error: Exception, cls: type[Exception]) -> None:
    async with Recorder(error).client(retry=ONE_ATTEMPT) as platform:
        with pytest.raises(cls) as caught:
            await download(platform).read(follow=True, hosts=HOSTS)
        assert platform.rate_limiter.stats().in_flight == 0
    assert_hidden(caught.value)


# Redirects of downloads to a real server with TLS, on every transport and every client.


@asynccontextmanager
async def stored(*scripts: Script, transport: Any, **settings: Any) -> AsyncIterator[tuple[FaultServer, Any, Any]]:
    """Yield a storage, a client of a server that redirects to it, and the options that follow the redirect."""
    async with fault_server(*scripts, certificate="loopback") as storage:
        redirect = redirect_to(f"{storage.base_url}/a%2Fb?X-Signature={SIGNATURE}%2B")
        async with fault_server(redirect) as server, server.client(transport, **settings) as platform:
            yield storage, platform, {"follow": True, "hosts": [storage.base_url.removeprefix("https://")]}
        assert platform.rate_limiter.stats().in_flight == 0


@all_clients
async def test_a_file_comes_over_tls_and_is_continued(transport: Any, tmp_path: Path) -> None:
    script = FileScript(b"x" * 100_000, cuts=[50_000])
    async with stored(script, transport=transport) as (storage, platform, follow):
        size = await download(platform).save(tmp_path / "copy", **follow)
    assert size == (tmp_path / "copy").stat().st_size == 100_000
    allowed = {"host", "user-agent", "accept", "accept-encoding", "range", "if-range", "connection"}
    assert [set(each.headers) <= allowed for each in storage.requests] == [True, True]
    assert storage.requests[0].target == f"/a%2Fb?X-Signature={SIGNATURE}%2B"


@all_clients
async def test_a_storage_that_fails_sometimes_is_asked_again(transport: Any) -> None:
    scripts = [then_reset(), response(b"", "503 X"), response(b"", "429 X", "Retry-After: 0"), response(b"file")]
    async with stored(*scripts, transport=transport) as (storage, platform, follow):
        assert await download(platform).read(**follow) == b"file"
        assert platform.rate_limiter.retry_quota.used == 0
    assert len(storage.requests) == 4


async def test_a_storage_that_does_not_respond_is_told_apart_from_the_timeout_of_the_file() -> None:
    async with stored(silence, transport=None, timeout=0.2, retry=ONE_ATTEMPT) as (_, platform, follow):
        with pytest.raises(errors.ConnectionFailedError, match=r"0\.2 s"):
            await download(platform).read(**follow, timeout=20)


@all_clients
async def test_the_certificate_of_the_other_server_is_verified(transport: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    async with stored(response(b"evil"), transport=transport) as (storage, platform, follow):
        with pytest.raises(errors.CertificateError) as caught:
            await download(platform).read(**follow)
    assert storage.requests == []
    assert_hidden(caught.value)


@all_clients
@pytest.mark.parametrize("script", [then_reset(), then_close(b"nonsense\r\n\r\n")], ids=["reset", "no HTTP"])
async def test_a_storage_that_breaks_off_is_named_without_the_path_of_the_file(transport: Any, script: Script) -> None:
    async with stored(script, transport=transport) as (storage, platform, follow):
        expected = r"the exchange broke off.*given up after 5 attempts"
        with pytest.raises(errors.ConnectionFailedError, match=expected) as caught:
            await download(platform).read(**follow)
    assert len(storage.requests) == 5
    assert_hidden(caught.value)
    assert "a%2Fb" not in str(caught.value)


@all_transports
async def test_as_many_files_are_held_as_there_may_be_connections(transport: Any) -> None:
    settings: Any = {"timeout": 1, "retry": ONE_ATTEMPT, "max_connections": 12}
    async with stored(HALF_A_FILE, transport=transport, **settings) as (_, platform, follow):
        streams = [download(platform).stream(**follow) for _ in range(11)]
        assert [await anext(each) for each in streams] == [b"abc"] * 11
