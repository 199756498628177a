"""The token appears in no repr, message, log, pickle or traceback."""

from __future__ import annotations

import copy
import logging
import pickle
import traceback

import pytest
from agent_platform import AgentPlatform, AgentPlatformError, RetryPolicy
from agent_platform.configuration import Configuration
from agent_platform.credentials import Credential
from stranger import hang_up, response, stranger

TOKEN = "svc_do_not_show_me"


async def failures() -> list[AgentPlatformError]:
    """Errors of many kinds, one of a server that echoes what it was sent."""
    echo = response(f'{{"title": "No", "detail": "bad token {TOKEN}", "seen": "{TOKEN}"}}'.encode(), "401 Unauthorized")
    found: list[AgentPlatformError] = []
    for script in (echo, hang_up, response(b"<html>", Content_Type="text/html")):
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
    shown = [
        platform,
        platform.enterprise,
        platform._configuration,
        Credential(TOKEN),
        vars(platform),
        platform._sender,
    ]
    assert TOKEN not in repr(shown)
    assert TOKEN not in f"{Credential(TOKEN)} {Configuration('u', Credential(TOKEN), None)}"


async def test_no_error_shows_it() -> None:
    for error in await failures():
        text = "".join(traceback.format_exception(error))
        assert TOKEN not in text + repr(error) + repr(vars(error))


async def test_no_traceback_with_locals_shows_it() -> None:
    for error in await failures():
        text = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
        # Only this module's own frames hold it.
        ours = "\n".join(
            part for part in text.split("  File ") if "test_secrecy" not in part and "stranger.py" not in part
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
    assert caplog.records
    assert TOKEN not in caplog.text


async def test_no_error_of_httpx_comes_along() -> None:
    """Its frames hold the request with its headers."""
    for error in await failures():
        while error.__cause__ or error.__context__:
            error = error.__cause__ or error.__context__  # type: ignore[assignment]  # any exception
            assert isinstance(error, AgentPlatformError)
