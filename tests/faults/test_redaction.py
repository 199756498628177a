"""The token appears in no repr, message, log, pickle or traceback."""

from __future__ import annotations

import copy
import logging
import pickle
import traceback
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, AgentPlatformError, ConfigurationError, RetryPolicy
from agent_session_platform.configuration import Configuration
from agent_session_platform.request.credentials import Credential

from tests.servers.stranger import hang_up, response, stranger

TOKEN = "svc_do_not_show_me"


ECHOES = (
    response(f'{{"title": "No", "detail": "bad token {TOKEN}", "seen": ["{TOKEN}"]}}'.encode(), "401 Unauthorized"),
    response(f'{{"title": "No", "detail": "{TOKEN.replace("_", chr(92) + "u005f")}"}}'.encode(), "401 Unauthorized"),
    response(f"<p>Bearer {TOKEN}".encode(), "403 Forbidden", Content_Type="text/html"),
    response(f"<p>Bearer {TOKEN}".encode(), Content_Type="text/html"),
    response(f"{'x' * 70}{TOKEN}".encode()),
    response(f'["{TOKEN}"]'.encode()),
    response(b"", Content_Type=f"text/{TOKEN}"),
    response(b"", "302 Found", Location=f"https://e.example/?token={TOKEN}"),
    f"HTTP/1.1 {TOKEN}\r\n\r\n".encode(),
    hang_up,
)


async def failures(*scripts: Any) -> list[AgentPlatformError]:
    """Errors of many kinds, of servers that echo what they were sent among them."""
    found: list[AgentPlatformError] = []
    for script in scripts or ECHOES:
        async with (
            stranger(script) as server,
            AgentPlatform(server.base_url, TOKEN, retry=RetryPolicy.none()) as platform,
        ):
            with pytest.raises(AgentPlatformError) as caught:
                await platform.enterprise.blueprints.list()
            found.append(caught.value)
    return found


def test_no_repr_shows_it() -> None:
    platform = AgentPlatform("https://platform.example.com", TOKEN)
    attributes = [getattr(platform, name) for name in dir(platform)]
    assert TOKEN not in repr([platform, *attributes, Credential(TOKEN)])
    assert TOKEN not in f"{Credential(TOKEN)} {Configuration('u', Credential(TOKEN), None)}"


async def test_no_error_shows_it() -> None:
    for error in await failures():
        text = "".join(traceback.format_exception(error))
        assert TOKEN not in text + repr(error) + repr(vars(error))


async def test_no_traceback_with_locals_shows_it() -> None:
    # Of servers that do not echo it: what a server sent is in the frames that read it.
    for error in await failures(hang_up, response(b"<html>", Content_Type="text/html"), response(b"", "403 Forbidden")):
        text = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
        # Only this module's own frames hold it.
        ours = "\n".join(
            part for part in text.split("  File ") if "test_redaction" not in part and "stranger.py" not in part
        )
        assert TOKEN not in ours


async def test_no_pickle_contains_it() -> None:
    for error in await failures():
        assert TOKEN.encode() not in pickle.dumps(error)
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be pickled"):
            copied(Credential(TOKEN))  # type: ignore[operator]  # three functions of one argument


async def test_no_log_shows_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    await failures()
    # What httpcore logs of a malformed line is the server's own text, and httpcore's.
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith("httpcore")]
    assert ours
    assert TOKEN not in "\n".join(ours)


async def test_no_retry_that_is_told_shows_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "agent_session_platform")
    script = f"HTTP/1.1 {TOKEN}\r\n\r\n".encode()
    quick = RetryPolicy(attempts=2, backoff_base=0.0)
    async with stranger(script) as server, AgentPlatform(server.base_url, TOKEN, retry=quick) as platform:
        with pytest.raises(AgentPlatformError):
            await platform.enterprise.blueprints.list()
    assert "before try 2" in caplog.text
    assert TOKEN not in caplog.text


def test_no_message_shows_it_where_arguments_are_swapped() -> None:
    for arguments in ((TOKEN, "https://platform.example.com"), ("https://platform.example.com", TOKEN, TOKEN)):
        with pytest.raises(ConfigurationError) as caught:
            AgentPlatform(*arguments[:2], organization=arguments[2] if len(arguments) > 2 else None)
        assert TOKEN not in str(caught.value)


async def test_no_error_of_httpx_comes_along() -> None:
    """Its frames hold the request with its headers."""
    for error in await failures():
        while error.__cause__ or error.__context__:
            error = error.__cause__ or error.__context__  # type: ignore[assignment]  # any exception
            assert isinstance(error, AgentPlatformError)
