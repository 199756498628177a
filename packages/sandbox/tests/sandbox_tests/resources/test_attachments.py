"""Attachments."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform_sandbox import Sandbox

from tests.fixtures import QUICK, all_transports

DOWNLOAD = "organization.attachments.download"
CONTENT = bytes(range(256)) * 400


async def attachment(platform: AgentPlatform) -> Any:
    """Upload a file, and return its download."""
    attachments = platform.organization("org-acme").attachments
    made: Any = await attachments.upload(file=CONTENT)
    return attachments.download(made["uuid"], made["name"])


def statuses(sandbox: Sandbox) -> list[int | None]:
    """Return the statuses of the requests for the file; None for one that was cut off."""
    return [each.status for each in sandbox.journal if each.operation == DOWNLOAD]


@pytest.mark.parametrize("name", ["a b.txt", "50%.txt", "Zürich.pdf", "a?b#c.txt", "a/b.txt"])
async def test_an_attachment_of_any_name_is_downloaded(
    sandbox: Sandbox, platform: AgentPlatform, org: Any, name: str
) -> None:
    form = {"file": (name, b"content")}
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url, headers=headers) as client:
        made = (await client.post("/v3/organizations/org-acme/attachments", files=form)).json()
        assert (await client.get(made["url"])).content == b"content"
    assert made["name"] == name
    assert await org.attachments.download(made["uuid"], name).read() == b"content"


@all_transports
async def test_a_download_that_is_cut_off_goes_on_within_the_call(
    sandbox: Sandbox, address: str, transport: Any, tmp_path: Path
) -> None:
    sandbox.faults.add(DOWNLOAD, lose=True, truncate=True)
    digest = hashlib.sha256()
    async with AgentPlatform(address, sandbox.token, transport=transport, retry=QUICK) as platform:
        await (await attachment(platform)).save(tmp_path / "copy", checksum=digest.update)
    assert digest.digest() == hashlib.sha256(CONTENT).digest()
    assert statuses(sandbox) == [None, 206]
