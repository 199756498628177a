"""A file has the credential: read at first use, when it has changed, and after a 401."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    AuthenticationError,
    ConfigurationError,
    CredentialUnavailableError,
)
from agent_session_platform.request import credentials

from tests.faults.exposure import leaks

URL = "https://platform.example.com"
OLD, NEW = "svc_never_show_this_old_1", "svc_never_show_this_new_2"


class Server(httpx.AsyncBaseTransport):
    """A server that accepts every credential but those that are refused, and keeps those that it was sent."""

    def __init__(self, *refused: str) -> None:
        self.refused = set(refused)
        self.sent: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request.headers["authorization"].removeprefix("Bearer "))
        return httpx.Response(401 if self.sent[-1] in self.refused else 200, json={})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text(f"{OLD}\n")
    return path


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the file at each call."""
    monkeypatch.setattr(credentials, "READ_SECONDS", 0.0)


def client(path: Any, server: Server | None = None, **settings: Any) -> AgentPlatform:
    return AgentPlatform(URL, token_file=path, transport=server or Server(), **settings)


async def ask(platform: AgentPlatform) -> Any:
    return await platform.request("GET", "/v3/x")


def replace(path: Path, text: str) -> None:
    """Write another file, and rename it to that path."""
    other = path.with_suffix(".new")
    other.write_text(text)
    other.rename(path)


@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
@pytest.mark.parametrize("kind", [str, Path])
async def test_the_token_is_read_at_the_first_call(tmp_path: Path, kind: type, ending: str) -> None:
    server = Server()
    async with client(kind(tmp_path / "token"), server) as platform:
        (tmp_path / "token").write_bytes(OLD.encode() + ending.encode())
        await ask(platform)
    assert server.sent == [OLD]


@pytest.mark.parametrize(
    ("environment", "given", "used"),
    [
        ({"TOKEN_FILE": True}, None, OLD),
        ({"TOKEN_FILE": True, "TOKEN": NEW}, None, NEW),
        ({"TOKEN_FILE": True}, "token", NEW),
        ({"TOKEN": NEW}, "file", OLD),
    ],
)
async def test_what_is_passed_comes_first_and_then_a_token_of_the_environment(
    file: Path, environment: dict[str, Any], given: str | None, used: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(f"AGENT_PLATFORM_{name}", str(file) if name == "TOKEN_FILE" else value)
    server = Server()
    settings: dict[str, Any] = {"token": {"token": NEW}, "file": {"token_file": file}}.get(given or "", {})
    async with AgentPlatform(URL, transport=server, **settings) as platform:
        await ask(platform)
    assert server.sent == [used]


def test_a_token_and_a_file_are_refused(file: Path) -> None:
    with pytest.raises(ConfigurationError, match="pass token or token_file, not both"):
        AgentPlatform(URL, OLD, token_file=file)


@pytest.mark.parametrize("path", ["", b"token", 5, True, ["token"]])
def test_what_is_no_path_is_refused_when_the_client_is_made(path: Any) -> None:
    with pytest.raises(ConfigurationError, match="token_file must be the path of a file, such as"):
        client(path)


def test_a_token_in_the_place_of_the_path_is_refused_and_not_shown() -> None:
    with pytest.raises(ConfigurationError, match="not a credential; pass that as token=") as caught:
        client(OLD)
    assert OLD not in str(caught.value)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("way", ["written", "renamed", "link"])
async def test_a_changed_file_is_read_again(file: Path, way: str) -> None:
    """Kubernetes changes a mounted secret by a symbolic link to another directory."""
    server, path = Server(), file
    if way == "link":
        for name, token in (("1", OLD), ("2", NEW)):
            (file.parent / name).mkdir()
            (file.parent / name / "token").write_text(token)
        (file.parent / "..data").symlink_to("1")
        path = file.parent / "..data" / "token"
    async with client(path, server) as platform:
        await ask(platform)
        if way == "written":
            file.write_text(NEW)
        elif way == "renamed":
            replace(file, NEW)
        else:
            (file.parent / "..new").symlink_to("2")
            (file.parent / "..new").rename(file.parent / "..data")
        await ask(platform)
    assert server.sent == [OLD, NEW]


async def test_the_file_is_read_about_once_a_second(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    async with client(file, server) as platform:
        await ask(platform)
        replace(file, NEW)
        await ask(platform)
        monkeypatch.setattr(credentials, "monotonic", lambda: time.monotonic() + 1.1)
        await ask(platform)
    assert server.sent == [OLD, OLD, NEW]


async def test_the_file_is_read_after_a_401(file: Path) -> None:
    """Also when it was read a moment ago."""
    server = Server(OLD)
    async with client(file, server) as platform:
        with pytest.raises(AuthenticationError):
            await ask(platform)
        file.write_text(f"{NEW}\n")
        await ask(platform)
    assert server.sent == [OLD, OLD, NEW]


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("content", [None, "", "\n", f"{NEW} {NEW}", "directory"])
async def test_a_file_that_cannot_be_read_later_leaves_the_token_of_before(
    file: Path, content: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    server = Server()
    async with client(file, server) as platform:
        await ask(platform)
        file.unlink()
        if content == "directory":
            file.mkdir()
        elif content is not None:
            file.write_text(content)
        await ask(platform)
        await ask(platform)
        if content == "directory":
            file.rmdir()
        replace(file, NEW)
        await ask(platform)
    assert server.sent == [OLD, OLD, OLD, NEW]
    [record] = caplog.records
    assert str(file) in record.getMessage()
    assert record.getMessage().endswith("; the token of before is used")
    assert "svc_" not in caplog.text


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (None, CredentialUnavailableError, "cannot be read: No such file or directory"),
        ("directory", CredentialUnavailableError, "cannot be read: Is a directory"),
        (b"\n", ConfigurationError, "token is empty"),
        (f" {NEW}\n".encode(), ConfigurationError, "token begins or ends with white space"),
        (f"Bearer {NEW}".encode(), ConfigurationError, "token must be given without the word Bearer"),
        (f"{NEW}\n{NEW}".encode(), ConfigurationError, "token has characters that no credential has"),
        (b"\xff\xfe", ConfigurationError, "token has characters that no credential has"),
    ],
)
async def test_a_file_that_cannot_be_read_at_first_is_an_error_with_its_path(
    file: Path, content: Any, error: type[Exception], message: str
) -> None:
    file.unlink()
    if content == "directory":
        file.mkdir()
    elif content is not None:
        file.write_bytes(content)
    async with client(file) as platform:
        with pytest.raises(error, match=message) as caught:
            await ask(platform)
    assert f"the file {str(file)!r} of" in str(caught.value)
    assert leaks(caught.value, NEW) == []


async def test_a_file_that_was_missing_is_read_by_the_next_call(file: Path) -> None:
    file.unlink()
    server = Server()
    async with client(file, server) as platform:
        with pytest.raises(CredentialUnavailableError):
            await ask(platform)
        file.write_text(NEW)
        await ask(platform)
    assert server.sent == [NEW]


def test_the_name_for_the_rate_limit_is_the_absolute_path(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    key = client("token")._configuration.rate_limit_key
    assert key == client(file)._configuration.rate_limit_key
    file.write_text(NEW)
    assert key == client(file)._configuration.rate_limit_key
    assert key != client("other")._configuration.rate_limit_key


def test_the_repr_of_a_client_names_the_file(file: Path) -> None:
    assert f"Credential(of the file {str(file)!r}, [hidden])" in repr(client(file))
