"""Fixtures: `asp doctor` in a thread of its own, beside servers of the test."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from typing import Any

import attrs
import pytest
from agent_session_platform_cli.group import asp
from click.testing import CliRunner

from tests.servers.fault_server import TOKEN


@attrs.frozen
class Report:
    """What the command has printed, and its exit code; `text` is without line breaks."""

    code: int
    output: str

    @property
    def text(self) -> str:
        return " ".join(self.output.split())

    @property
    def findings(self) -> dict[str, Any]:
        """The findings of a report in JSON, by their check."""
        return {each["check"]: each for each in json.loads(self.output)["findings"]}


class Doctor:
    """The command, with settings of its own."""

    environment = dict.fromkeys(("SSL_CERT_FILE", "SSL_CERT_DIR"), None) | {
        "AGENT_PLATFORM_TOKEN": TOKEN,
        "AGENT_PLATFORM_ORG_ID": "org-acme",
    }

    def run(self, base_url: str | None, *arguments: str, **environment: str | None) -> Report:
        """Run it; servers of the test must have an event loop of their own."""
        settings = {**self.environment, "AGENT_PLATFORM_BASE_URL": base_url, **environment}
        result = CliRunner().invoke(asp, ["doctor", *arguments], env=settings)
        return Report(result.exit_code, result.stdout)

    async def __call__(self, base_url: str | None, *arguments: str, **environment: str | None) -> Report:
        """Run it beside servers in the event loop of the test."""
        return await asyncio.to_thread(self.run, base_url, *arguments, **environment)


@pytest.fixture
def doctor() -> Doctor:
    """Return the command."""
    return Doctor()


@pytest.fixture
def dead() -> Iterator[str]:
    """Return host and port where nothing listens, and nothing else can."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"
