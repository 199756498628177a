"""The options of a download are checked before anything is sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import InvalidArgumentError

from tests.servers.fault_server import fault_server
from tests.servers.scripts import response


async def coroutine(chunk: bytes) -> None:
    """Be no plain function."""


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"max_bytes": -1}, "max_bytes must be a whole number of at least 0, not -1"),
    ({"max_bytes": True}, "max_bytes must be a whole number"),
    ({"max_bytes": 1.5}, "max_bytes must be a whole number"),
    ({"timeout": 0}, "timeout must be a positive number of seconds, not 0"),
    ({"timeout": float("nan")}, "timeout must be a positive number of seconds"),
    ({"timeout": float("inf")}, "timeout must be a positive number of seconds"),
    ({"timeout": "5"}, "timeout must be a positive number of seconds, not '5'"),
    ({"follow": 1, "hosts": ["x"]}, "follow must be True or False, not 1"),
    ({"follow": True}, "follow=True needs the hosts"),
    ({"follow": True, "hosts": "files.example.com"}, "hosts must be a list of host names, not 'files.example.com'"),
    ({"follow": True, "hosts": [b"files.example.com"]}, "hosts must have the names of hosts"),
    ({"follow": True, "hosts": ["*.example.com"]}, r"hosts must have the names of hosts .* not '\*.example.com'"),
    ({"follow": True, "hosts": None}, "hosts must be a list of host names, not None"),
    ({"hosts": ["files.example.com"]}, "hosts is of no use without follow=True"),
]
ONLY_SAVE: list[tuple[dict[str, Any], str]] = [
    ({"resume": 1}, "resume must be True or False, not 1"),
    ({"checksum": 7}, "checksum must be a plain function"),
    ({"checksum": coroutine}, "checksum must be a plain function"),
]


@pytest.mark.parametrize(("options", "message"), WRONG + ONLY_SAVE)
async def test_save_refuses_a_wrong_option(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    async with fault_server(response(b"x")) as server, server.client() as platform:
        with pytest.raises(InvalidArgumentError, match=message):
            await platform.organization().attachments.download("uuid", "name").save(tmp_path / "x", **options)
        assert server.requests == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("options", "message"), WRONG)
async def test_read_and_stream_refuse_a_wrong_option(options: dict[str, Any], message: str) -> None:
    async with fault_server(response(b"x")) as server, server.client() as platform:
        download = platform.organization().attachments.download("uuid", "name")
        with pytest.raises(InvalidArgumentError, match=message):
            await download.read(**options)
        with pytest.raises(InvalidArgumentError, match=message):
            download.stream(**options)
        assert server.requests == []
