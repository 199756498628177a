"""Ranges of files: what a request for one gets, and when it gets the whole file."""

from __future__ import annotations

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox

CONTENT = b"0123456789"


def upload(sandbox: Sandbox, address: str, content: bytes = CONTENT) -> str:
    """Upload an attachment, and return its URL."""
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    made = httpx.post(f"{address}/v3/organizations/org-acme/attachments", files={"file": content}, headers=headers)
    return address + str(made.json()["url"])


def get(sandbox: Sandbox, url: str, *fields: tuple[str, str], method: str = "GET") -> httpx.Response:
    """Request a file with headers."""
    return httpx.request(method, url, headers=[("Authorization", f"Bearer {sandbox.token}"), *fields])


def test_a_file_has_a_strong_etag_of_its_content(sandbox: Sandbox, address: str) -> None:
    urls = [upload(sandbox, address, content) for content in (b"a", b"a", b"b")]
    first, same, other = (get(sandbox, url).headers["etag"] for url in urls)
    assert first.startswith('"')
    assert (first == same, first == other) == (True, False)


def test_a_file_says_that_ranges_are_accepted(sandbox: Sandbox, address: str) -> None:
    assert get(sandbox, upload(sandbox, address)).headers["accept-ranges"] == "bytes"


@pytest.mark.parametrize(
    ("asked", "begin", "end"),
    [
        ("bytes=4-", 4, 10),
        ("bytes=0-", 0, 10),
        ("bytes=9-", 9, 10),
        ("bytes=2-4", 2, 5),
        ("bytes=2-99", 2, 10),
        ("BYTES=4-", 4, 10),
    ],
)
def test_a_range_is_sent_with_its_place(sandbox: Sandbox, address: str, asked: str, begin: int, end: int) -> None:
    response = get(sandbox, upload(sandbox, address), ("Range", asked))
    assert (response.status_code, response.content) == (206, CONTENT[begin:end])
    assert response.headers["content-range"] == f"bytes {begin}-{end - 1}/10"
    assert response.headers["content-length"] == str(end - begin)
    assert response.headers["content-type"] == "application/octet-stream"


@pytest.mark.parametrize(
    "asked",
    [
        "bytes=0-1,4-5",
        "bytes=4-2",
        "bytes=-",
        "bytes=-3",
        "bytes=",
        "bytes=a-",
        "items=0-1",
        "bytes=0-1-2",
        "4-",
        f"bytes={'9' * 30}-",
    ],
)
def test_any_other_range_is_ignored(sandbox: Sandbox, address: str, asked: str) -> None:
    response = get(sandbox, upload(sandbox, address), ("Range", asked))
    assert (response.status_code, response.content) == (200, CONTENT)


def test_several_range_headers_are_several_ranges(sandbox: Sandbox, address: str) -> None:
    response = get(sandbox, upload(sandbox, address), ("Range", "bytes=0-1"), ("Range", "bytes=4-5"))
    assert (response.status_code, response.content) == (200, CONTENT)


@pytest.mark.parametrize("asked", ["bytes=10-", "bytes=99-100"])
def test_a_range_outside_of_the_file_is_refused_with_its_size(sandbox: Sandbox, address: str, asked: str) -> None:
    response = get(sandbox, upload(sandbox, address), ("Range", asked))
    assert (response.status_code, response.headers["content-range"]) == (416, "bytes */10")
    assert response.json()["title"] == "Range Not Satisfiable"


def test_a_range_of_the_same_version_is_sent(sandbox: Sandbox, address: str) -> None:
    url = upload(sandbox, address)
    etag = get(sandbox, url).headers["etag"]
    assert get(sandbox, url, ("Range", "bytes=4-"), ("If-Range", etag)).status_code == 206


@pytest.mark.parametrize("asked", ["bytes=4-", "bytes=99-"])
@pytest.mark.parametrize("validator", ['"other"', "W/{etag}", "Wed, 01 Jan 2025 00:00:00 GMT", ""])
def test_another_version_is_sent_whole(sandbox: Sandbox, address: str, validator: str, asked: str) -> None:
    url = upload(sandbox, address)
    etag = get(sandbox, url).headers["etag"]
    response = get(sandbox, url, ("Range", asked), ("If-Range", validator.format(etag=etag)))
    assert (response.status_code, response.content) == (200, CONTENT)


def test_only_a_get_has_ranges(sandbox: Sandbox, address: str) -> None:
    response = get(sandbox, upload(sandbox, address), ("Range", "bytes=4-"), method="HEAD")
    assert (response.status_code, response.headers["content-length"]) == (200, "10")


def test_what_is_no_file_has_no_ranges(sandbox: Sandbox, address: str) -> None:
    response = get(sandbox, f"{address}/v3/enterprise/roles", ("Range", "bytes=4-"))
    assert (response.status_code, "etag" in response.headers) == (200, False)
