"""Organizations, the queue of their sessions, their limits, and the IP access list."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import NotFoundError, PermissionDeniedError, UnprocessableContentError
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.plain_http import send
from sandbox_tests.resources.items import ids


@pytest.mark.parametrize(
    ("queued", "status"), [(0, "normal"), (9, "normal"), (10, "elevated"), (99, "elevated"), (100, "high")]
)
async def test_the_queue_counts_queued_sessions(sandbox: Sandbox, enterprise: Any, queued: int, status: str) -> None:
    sandbox.add_session()
    for number in range(queued):
        sandbox.add_session("org-globex" if number % 2 else "org-acme", status="queued")
    queue = await enterprise.queue.get()
    assert (queue.status, queue.unknown_fields["total"]) == (status, queued)


async def test_only_organizations_with_access_are_listed(sandbox: Sandbox, enterprise: Any) -> None:
    sandbox.add_organization("org-new")
    assert ids(await enterprise.organizations.list(), "org_id") == ["org-acme", "org-globex", "org-new"]
    sandbox.require("enterprise.organizations.list", level="organization")
    async with sandbox.client(sandbox.add_credential("svc_globex", organizations={"org-globex"})) as platform:
        assert ids(await platform.enterprise.organizations.list(), "org_id") == ["org-globex"]


async def test_group_limits_are_read_as_they_were_written_where_they_are_enabled(
    sandbox: Sandbox, enterprise: Any
) -> None:
    """Rule org-group-limits-enablement."""
    limits = {"groups": [{"org-acme": 100, "org-globex": None}]}
    assert await enterprise.org_group_limits.get() == {}
    await enterprise.org_group_limits.set(body=limits)
    assert await enterprise.org_group_limits.get() == limits
    sandbox.state.org_group_limits_enabled = False
    with pytest.raises(PermissionDeniedError, match="not enabled"):
        await enterprise.org_group_limits.get()
    with pytest.raises(PermissionDeniedError, match="not enabled"):
        await enterprise.org_group_limits.set(groups=[])


async def test_the_limit_of_an_organization_is_kept_until_it_is_deleted(enterprise: Any) -> None:
    for org_id, limit in (("org-acme", 5), ("org-globex", 7), ("org-acme", 6)):
        await enterprise.acu_limits.set(org_id, limit=limit)
    limits = {"org-acme": 6, "org-globex": 7}
    assert {each["org_id"]: each["limit"] for each in (await enterprise.acu_limits.get())["items"]} == limits
    await enterprise.acu_limits.delete("org-acme")
    assert ids(await enterprise.acu_limits.get(), "org_id") == ["org-globex"]
    with pytest.raises(NotFoundError, match="no org org-acme"):
        await enterprise.acu_limits.delete("org-acme")
    with pytest.raises(NotFoundError, match="no organization org-nowhere"):
        await enterprise.acu_limits.set("org-nowhere", limit=5)


RANGES = "/v3/enterprise/ip-access-list"
JSON = "application/json"


async def test_ranges_are_appended_replaced_and_deleted(enterprise: Any) -> None:
    """Rules ip-access-list-append and ip-access-list-replace."""
    ranges = enterprise.ip_access_list
    await ranges.append(ip_ranges=["192.0.2.7"])
    await ranges.append(ip_ranges=["198.51.100.0/24", "2001:db8::/32"])
    assert await ranges.get() == {"ip_ranges": ["192.0.2.7", "198.51.100.0/24", "2001:db8::/32"]}
    await ranges.replace(ip_ranges=["198.51.100.0/24"])
    assert await ranges.get() == {"ip_ranges": ["198.51.100.0/24"]}
    await ranges.delete()
    assert await ranges.get() == {"ip_ranges": []}


@pytest.mark.parametrize("verb", ["append", "replace"])
@pytest.mark.parametrize("wrong", ["example.com", "192.0.2.0/33", "192.0.2.256", ""])
async def test_an_invalid_range_does_not_change_the_access_list(enterprise: Any, verb: str, wrong: str) -> None:
    """Rules ip-access-list-append and ip-access-list-replace."""
    await enterprise.ip_access_list.append(ip_ranges=["192.0.2.7"])
    with pytest.raises(UnprocessableContentError, match=r"body.ip_ranges.1: .* is neither an address nor CIDR"):
        await getattr(enterprise.ip_access_list, verb)(body={"ip_ranges": ["192.0.2.9", wrong]})
    assert await enterprise.ip_access_list.get() == {"ip_ranges": ["192.0.2.7"]}


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({}, "body.ip_ranges: must be a list of text"),
        ({"ip_ranges": "192.0.2.7"}, "body.ip_ranges: must be a list of text"),
        ({"ip_ranges": [7]}, "body.ip_ranges: must be a list of text"),
        (["192.0.2.7"], "body: must be an object"),
        (7, "body: must be an object"),
        *(
            ({"ip_ranges": [text]}, f"body.ip_ranges.0: {text!r} is neither an address nor CIDR, such as 10.0.0.0/8")
            for text in ("10.0.0.0/255.0.0.0", "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/+8", "fe80::1%eth0")
        ),
    ],
)
async def test_a_body_without_ranges_in_cidr_is_refused(sandbox: Sandbox, body: Any, detail: str) -> None:
    refused = await send(sandbox, "POST", RANGES, json=body)
    assert (refused.status_code, refused.json()["detail"]) == (422, detail)


@pytest.mark.parametrize("text", ["10.0.0.0/8", "10.1.2.3/8", "10.1.2.3", "10.0.0.0/0", "2001:db8::/32", "::1"])
async def test_a_range_in_cidr_is_accepted(sandbox: Sandbox, text: str) -> None:
    assert (await send(sandbox, "POST", RANGES, json={"ip_ranges": [text]})).is_success
