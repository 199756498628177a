"""The IP access list."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from agent_session_platform import (
    UnprocessableContentError,
)
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.plain_http import send

RANGES = "/v3/enterprise/ip-access-list"
JSON = "application/json"


async def test_ranges_are_appended_to_the_access_list(enterprise: Any) -> None:
    """Rule ip-access-list-append."""
    await enterprise.ip_access_list.append(ip_ranges=["192.0.2.7"])
    await enterprise.ip_access_list.append(ip_ranges=["198.51.100.0/24", "2001:db8::/32"])
    assert await enterprise.ip_access_list.get() == {"ip_ranges": ["192.0.2.7", "198.51.100.0/24", "2001:db8::/32"]}


async def test_the_whole_access_list_is_replaced(enterprise: Any) -> None:
    """Rule ip-access-list-replace."""
    await enterprise.ip_access_list.append(ip_ranges=["192.0.2.7", "192.0.2.8"])
    await enterprise.ip_access_list.replace(ip_ranges=["198.51.100.0/24"])
    assert await enterprise.ip_access_list.get() == {"ip_ranges": ["198.51.100.0/24"]}


async def test_a_deleted_access_list_is_empty(enterprise: Any) -> None:
    await enterprise.ip_access_list.append(ip_ranges=["192.0.2.7"])
    await enterprise.ip_access_list.delete()
    assert await enterprise.ip_access_list.get() == {"ip_ranges": []}


@pytest.mark.parametrize("verb", ["append", "replace"])
@pytest.mark.parametrize("wrong", ["example.com", "192.0.2.0/33", "192.0.2.256", ""])
async def test_an_invalid_range_does_not_change_the_access_list(enterprise: Any, verb: str, wrong: str) -> None:
    """Rules ip-access-list-append and ip-access-list-replace."""
    await enterprise.ip_access_list.append(ip_ranges=["192.0.2.7"])
    with pytest.raises(UnprocessableContentError, match=r"body.ip_ranges.1: .* is neither an address nor CIDR"):
        await getattr(enterprise.ip_access_list, verb)(body={"ip_ranges": ["192.0.2.9", wrong]})
    assert await enterprise.ip_access_list.get() == {"ip_ranges": ["192.0.2.7"]}


@pytest.mark.parametrize("body", [{}, {"ip_ranges": "192.0.2.7"}, {"ip_ranges": [7]}])
async def test_a_body_without_ranges_is_refused(enterprise: Any, body: Any) -> None:
    with pytest.raises(UnprocessableContentError, match="body.ip_ranges: must be a list of text"):
        await enterprise.ip_access_list.append(body=body)


@pytest.mark.parametrize("body", [["192.0.2.7"], "192.0.2.7", 7])
async def test_a_body_that_is_not_an_object_is_refused(sandbox: Sandbox, body: Any) -> None:
    """With httpx: the client sends no such body."""
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url, headers=headers) as client:
        refused = await client.post("/v3/enterprise/ip-access-list", json=body)
    assert (refused.status_code, refused.json()["detail"]) == (422, "body: must be an object")


@pytest.mark.parametrize(
    "text", ["10.0.0.0/255.0.0.0", "10.0.0.0/0.255.255.255", "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/+8", "fe80::1%eth0"]
)
async def test_a_range_that_is_not_cidr_is_refused(sandbox: Sandbox, text: str) -> None:
    refused = await send(sandbox, "POST", RANGES, json={"ip_ranges": [text]})
    assert refused.status_code == 422
    assert f"body.ip_ranges.0: {text!r} is neither an address nor CIDR" in refused.json()["detail"]


@pytest.mark.parametrize("text", ["10.0.0.0/8", "10.1.2.3/8", "10.1.2.3", "10.0.0.0/0", "2001:db8::/32", "::1"])
async def test_a_range_in_cidr_is_accepted(sandbox: Sandbox, text: str) -> None:
    assert (await send(sandbox, "POST", RANGES, json={"ip_ranges": [text]})).is_success
