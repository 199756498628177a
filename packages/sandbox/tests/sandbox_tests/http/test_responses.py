"""Responses: their status, media type, headers and body, and ranges of files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform
from agent_session_platform_sandbox import Reply, Sandbox

from sandbox_tests.odd import OddSandbox
from sandbox_tests.plain_http import JSON, ORGANIZATION, send

TEXT = "text/plain; charset=utf-8"


@pytest.mark.parametrize("body", [None, {"a": 1}, "text", b"bytes"])
@pytest.mark.parametrize("status", [204, 205, 304])
async def test_a_status_without_a_body_has_none(odd: OddSandbox, body: Any, status: int) -> None:
    odd.handle("get_summary", lambda call: Reply(body, status))
    response = await odd.send("GET", "/summary")
    assert (response.status_code, response.content, "Content-Type" in response.headers) == (status, b"", False)


async def test_a_handler_can_respond_with_204_over_a_socket(sandbox: Sandbox, address: str) -> None:
    sandbox.handle("organization.playbooks.delete", lambda call: Reply(None, 204))
    async with AgentPlatform(address, sandbox.token, organization="org-acme") as platform:
        for _ in range(2):
            await platform.organization().playbooks.delete("playbook-1")
    assert [entry.status for entry in sandbox.journal] == [204, 204]


@pytest.mark.parametrize(
    ("operation_id", "path", "body", "media_type", "content"),
    [
        ("get_summary", "/summary", "text", TEXT, b"text"),
        ("get_summary", "/summary", b"\xff", TEXT, b"\xff"),
        ("get_summary", "/summary", {"a": 1}, JSON, b'{"a":1}'),
        ("get_count", "/count", "text", JSON, b'"text"'),
        ("get_count", "/count", None, JSON, b"null"),
        ("get_report", "/report", b"%PDF", "application/pdf", b"%PDF"),
        # If the contract declares no JSON, None is an empty body and not null.
        ("get_report", "/report", None, None, b""),
        ("export_boxes", "/boxes/export", b'{"a":1}\n2\n', "application/x-ndjson", b'{"a":1}\n2\n'),
    ],
)
async def test_the_body_of_a_reply_decides_on_the_media_type(
    odd: OddSandbox, operation_id: str, path: str, body: Any, media_type: str | None, content: bytes
) -> None:
    odd.handle(operation_id, lambda call: Reply(body))
    response = await odd.send("GET", path)
    assert (response.headers.get("Content-Type"), response.content) == (media_type, content)


@pytest.mark.parametrize(
    ("path", "accept", "media_type"),
    [
        ("/summary", "image/png, application/json;q=0.5", JSON),
        ("/summary", "image/png", TEXT),
        ("/files/file-1/preview", "text/plain, image/webp", "image/webp"),
    ],
)
async def test_the_accept_header_chooses_a_media_type(odd: OddSandbox, path: str, accept: str, media_type: str) -> None:
    odd.state.add(odd.state.collection("files"), "file-1", {})
    assert (await odd.send("GET", path, headers={"Accept": accept})).headers["Content-Type"] == media_type


async def test_another_status_than_the_first_has_its_own_form(odd: OddSandbox) -> None:
    odd.handle("rebuild_box", lambda call: Reply(True, 200))
    response = await odd.send("POST", "/boxes/box-1/rebuild")
    odd.check("rebuild_box", response)
    assert (response.status_code, response.json()) == (200, True)


async def test_a_required_header_is_sent(odd: OddSandbox) -> None:
    assert "Location" in (await odd.send("POST", "/boxes", {"name": "n", "size": 1})).headers


async def test_a_deletion_that_is_not_shown_responds_with_null(sandbox: Sandbox) -> None:
    made = (await send(sandbox, "POST", "/v3/organizations/org-acme/playbooks", json={})).json()
    response = await send(sandbox, "DELETE", f"/v3/organizations/org-acme/playbooks/{made['playbook_id']}")
    # The status is 204 in a contract that shows no body.
    assert (response.status_code, response.content) in ((200, b"null"), (204, b""))


CONTENT = b"0123456789"
Get = Callable[..., httpx.Response]


@pytest.fixture
def get(sandbox: Sandbox, tcp: httpx.Client) -> Get:
    """Return a function that requests an attachment with headers."""
    tcp.headers["Authorization"] = f"Bearer {sandbox.token}"

    def request(*fields: tuple[str, str], method: str = "GET", content: bytes = CONTENT) -> httpx.Response:
        made = tcp.post(f"{ORGANIZATION}/attachments", files={"file": content})
        return tcp.request(method, str(made.json()["url"]), headers=[*fields])

    return request


def test_a_file_has_a_strong_etag_of_its_content_and_accepts_ranges(get: Get) -> None:
    first, same, other = (get(content=content).headers for content in (b"a", b"a", b"b"))
    assert (first["etag"][0], first["etag"] == same["etag"], first["etag"] == other["etag"]) == ('"', True, False)
    assert first["accept-ranges"] == "bytes"


@pytest.mark.parametrize(
    ("asked", "begin", "end"),
    [("bytes=4-", 4, 10), ("bytes=0-", 0, 10), ("bytes=2-4", 2, 5), ("bytes=2-99", 2, 10), ("BYTES=9-", 9, 10)],
)
def test_a_range_is_sent_with_its_place(get: Get, asked: str, begin: int, end: int) -> None:
    response = get(("Range", asked))
    assert (response.status_code, response.content) == (206, CONTENT[begin:end])
    names = ("content-range", "content-length", "content-type")
    expected = [f"bytes {begin}-{end - 1}/10", str(end - begin), "application/octet-stream"]
    assert [response.headers[name] for name in names] == expected


OTHER = ["bytes=0-1,4-5", "bytes=4-2", "bytes=-", "bytes=-3", "bytes=", "bytes=a-", "items=0-1", "bytes=0-1-2", "4-"]


@pytest.mark.parametrize("asked", [*([each] for each in OTHER), [f"bytes={'9' * 30}-"], ["bytes=0-1", "bytes=4-5"]])
def test_any_other_range_is_ignored(get: Get, asked: list[str]) -> None:
    response = get(*(("Range", each) for each in asked))
    assert (response.status_code, response.content) == (200, CONTENT)


@pytest.mark.parametrize("asked", ["bytes=10-", "bytes=99-100"])
def test_a_range_outside_of_the_file_is_refused_with_its_size(get: Get, asked: str) -> None:
    response = get(("Range", asked))
    assert (response.status_code, response.headers["content-range"]) == (416, "bytes */10")
    assert response.json()["title"] == "Range Not Satisfiable"


def test_a_range_is_sent_only_of_the_same_version_and_to_a_get(get: Get) -> None:
    etag = get().headers["etag"]
    for validator in ('"other"', f"W/{etag}", "Wed, 01 Jan 2025 00:00:00 GMT", ""):
        statuses = [get(("Range", asked), ("If-Range", validator)).status_code for asked in ("bytes=4-", "bytes=99-")]
        assert statuses == [200, 200]
    statuses = [get(("Range", asked), ("If-Range", etag)).status_code for asked in ("bytes=4-", "bytes=99-")]
    response = get(("Range", "bytes=4-"), method="HEAD")
    assert (statuses, response.status_code, response.headers["content-length"]) == ([206, 416], 200, "10")


async def test_a_response_that_is_no_file_has_no_ranges(sandbox: Sandbox) -> None:
    response = await send(sandbox, "GET", "/v3/enterprise/roles", headers={"Range": "bytes=4-"})
    assert (response.status_code, "etag" in response.headers) == (200, False)
