"""Ranges of files: what a request for one gets, and when it gets the whole file."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from agent_session_platform_sandbox import Sandbox

CONTENT = b"0123456789"
Get = Callable[..., httpx.Response]


@pytest.fixture
def get(sandbox: Sandbox, address: str) -> Get:
    """Return a function that requests an attachment with headers."""
    credential = ("Authorization", f"Bearer {sandbox.token}")
    attachments = f"{address}/v3/organizations/org-acme/attachments"

    def request(*fields: tuple[str, str], method: str = "GET", content: bytes = CONTENT) -> httpx.Response:
        made = httpx.post(attachments, files={"file": content}, headers=[credential])
        return httpx.request(method, address + str(made.json()["url"]), headers=[credential, *fields])

    return request


def test_a_file_has_a_strong_etag_of_its_content_and_accepts_ranges(get: Get) -> None:
    first, same, other = (get(content=content).headers for content in (b"a", b"a", b"b"))
    assert (first["etag"][0], first["etag"] == same["etag"], first["etag"] == other["etag"]) == ('"', True, False)
    assert first["accept-ranges"] == "bytes"


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


@pytest.mark.parametrize("validator", ['"other"', "W/{etag}", "Wed, 01 Jan 2025 00:00:00 GMT", "", "{etag}"])
def test_a_range_is_sent_only_of_the_same_version(get: Get, validator: str) -> None:
    etag = get().headers["etag"]
    for asked in ("bytes=4-", "bytes=99-"):
        response = get(("Range", asked), ("If-Range", validator.format(etag=etag)))
        if validator == "{etag}":
            assert response.status_code == (206 if asked == "bytes=4-" else 416)
        else:
            assert (response.status_code, response.content) == (200, CONTENT)


def test_only_a_get_has_ranges(get: Get) -> None:
    response = get(("Range", "bytes=4-"), method="HEAD")
    assert (response.status_code, response.headers["content-length"]) == (200, "10")


def test_what_is_no_file_has_no_ranges(sandbox: Sandbox, address: str) -> None:
    headers = {"Authorization": f"Bearer {sandbox.token}", "Range": "bytes=4-"}
    response = httpx.get(f"{address}/v3/enterprise/roles", headers=headers)
    assert (response.status_code, "etag" in response.headers) == (200, False)
