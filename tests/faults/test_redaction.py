"""The token appears in no repr, message, log, pickle or traceback."""

from __future__ import annotations

import copy
import logging
import pickle
import traceback
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, AgentPlatformError, ConfigurationError, RetryPolicy
from agent_session_platform.request.credentials import Credential

from tests.faults.exposure import exposed
from tests.fixtures import ONE_ATTEMPT, all_transports
from tests.servers.fault_server import TOKEN, Script, fault_server
from tests.servers.scripts import response, then_close, then_reset

PROBLEM = "application/problem+json"


def problem(body: Any, status: str = "422 Unprocessable", *fields: str, media_type: str = PROBLEM) -> bytes:
    return response(body, status, *fields, media_type=media_type)


ECHOES = [
    problem({"title": TOKEN, "detail": f"Bearer {TOKEN}", "type": TOKEN, "instance": f"/x?{TOKEN}"}),
    problem({"detail": [{"loc": [TOKEN], "msg": TOKEN, TOKEN: {TOKEN: [TOKEN]}}]}),
    problem({"title": "x" * 290 + TOKEN, "detail": " " * 1190 + TOKEN}),
    problem(f'{{"title": "{TOKEN.replace("_", chr(92) + "u005f")}"}}'.encode("utf-16")),
    problem(f'{{"title": "No", "detail": "{TOKEN.replace("_", chr(92) + "u005f")}"}}'.encode(), "401 X"),
    problem(f"<p>{TOKEN}".encode(), media_type=f"text/{TOKEN}"),
    problem({}, f"401 {TOKEN}", f"WWW-Authenticate: Bearer {TOKEN}", f"X-Seen: {TOKEN}"),
    problem({}, "429 X", f"Retry-After: {TOKEN}"),
    problem({}, "302 X", f"Location: https://e.example/{TOKEN}"),
    response(f"<p>Bearer {TOKEN}".encode(), "403 Forbidden", media_type="text/html"),
    response(f"<p>Bearer {TOKEN}".encode(), media_type="text/html"),
    response(f"{'x' * 70}{TOKEN}".encode()),
    response([TOKEN]),
    response(b"", media_type=f"text/{TOKEN}"),
    then_close(f"HTTP/1.1 {TOKEN}\r\n\r\n".encode()),
    then_close(f"HTTP/1.1 200 OK\r\n{TOKEN}\r\n\r\n".encode()),
    then_close(f"HTTP/1.1 200 OK\r\nContent-Length: {TOKEN}\r\n\r\n".encode()),
    then_close(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{TOKEN}\r\n".encode()),
    then_close(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: {TOKEN}\r\n\r\n".encode()),
    then_close(f"HTTP/1.1 200 OK\r\nX: {TOKEN}".encode()),
    then_close(f"{TOKEN}\r\n\r\n".encode()),
    then_close(f"HTTP/1.1 200 OK\r\nX: {TOKEN * 9000}\r\n\r\n".encode()),
    then_reset(),
]
echoes = pytest.mark.parametrize("script", ECHOES, ids=range(len(ECHOES)))


async def failure(script: Script, transport: Any = None) -> AgentPlatformError:
    async with fault_server(script) as server, server.client(transport, retry=ONE_ATTEMPT) as platform:
        with pytest.raises(AgentPlatformError) as caught:
            await platform.enterprise.blueprints.list()
    return caught.value


def test_no_repr_shows_it() -> None:
    platform = AgentPlatform("https://platform.example.com", TOKEN)
    attributes = [getattr(platform, name) for name in dir(platform)]
    assert TOKEN not in repr([platform, *attributes, Credential(TOKEN)])
    assert TOKEN not in f"{Credential(TOKEN)} {platform._configuration}"


@all_transports
@echoes
async def test_no_error_shows_a_token_that_the_server_echoes(
    transport: Any, script: Script, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the error nor the log; httpcore logs a malformed line in its own words."""
    caplog.set_level(logging.DEBUG)
    error = await failure(script, transport)
    assert TOKEN not in exposed(error)
    logged = [record.getMessage() for record in caplog.records if not record.name.startswith("httpcore")]
    assert TOKEN not in "\n".join(logged)


async def test_the_token_is_replaced_in_the_message() -> None:
    assert "401 [credential]" in str(await failure(problem({"title": TOKEN}, "401 X")))


@echoes
async def test_no_error_of_the_http_library_is_chained(script: Script) -> None:
    """Its traceback would hold the request with its headers."""
    error: BaseException | None = await failure(script)
    while error is not None:
        assert isinstance(error, AgentPlatformError)
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize(
    "script",
    [then_reset(), response(b"<html>", media_type="text/html"), response(b"", "403 Forbidden")],
    ids=["reset", "html", "403"],
)
async def test_no_traceback_with_local_variables_shows_it(script: Script) -> None:
    """Of servers that do not echo it: the text of a response is in the frames that read it."""
    error = await failure(script)
    text = "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
    # The frames of the tests hold it on purpose.
    frames = [frame for frame in text.split("  File ") if "test_redaction" not in frame and "servers" not in frame]
    assert TOKEN not in "\n".join(frames)


def test_a_credential_cannot_be_pickled_or_copied() -> None:
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be pickled"):
            copied(Credential(TOKEN))  # type: ignore[operator]  # three functions of one argument


async def test_no_log_of_a_retry_shows_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "agent_session_platform")
    retry = RetryPolicy(attempts=2, backoff_base=0.0)
    async with (
        fault_server(then_close(f"HTTP/1.1 {TOKEN}\r\n\r\n".encode())) as server,
        server.client(retry=retry) as platform,
    ):
        with pytest.raises(AgentPlatformError):
            await platform.enterprise.blueprints.list()
    assert "before attempt 2" in caplog.text
    assert TOKEN not in caplog.text


def test_no_message_about_swapped_arguments_shows_it() -> None:
    for arguments in ((TOKEN, "https://platform.example.com"), ("https://platform.example.com", TOKEN, TOKEN)):
        with pytest.raises(ConfigurationError) as caught:
            AgentPlatform(*arguments[:2], organization=arguments[2] if len(arguments) > 2 else None)
        assert TOKEN not in str(caught.value)
