"""Which response can be continued, and what continues it."""

from __future__ import annotations

import pytest
from agent_session_platform.download.version import Version, version_of

MODIFIED = "Tue, 01 Apr 2025 10:00:00 GMT"


@pytest.mark.parametrize(
    ("fields", "version"),
    [
        ({"etag": '"v1"', "content-length": "10"}, Version('"v1"', 10)),
        ({"etag": '"v1"', "last-modified": MODIFIED}, Version('"v1"', None)),
        ({"etag": '""'}, Version('""', None)),
        ({"etag": 'W/"v1"'}, None),
        ({"etag": "v1"}, None),
        ({"etag": '"a" "b"'}, None),
        ({"etag": '"\x01"'}, None),
        ({"etag": f'"{"x" * 2000}"'}, None),
        ({"etag": 'W/"v1"', "last-modified": MODIFIED}, Version(MODIFIED, None)),
        ({"last-modified": MODIFIED, "date": "Tue, 01 Apr 2025 10:00:01 GMT"}, Version(MODIFIED, None)),
        ({"last-modified": MODIFIED, "date": MODIFIED}, None),
        ({"last-modified": MODIFIED, "date": "yesterday"}, None),
        ({"last-modified": "yesterday"}, None),
        ({"last-modified": f"{MODIFIED} (ä)"}, None),
        ({"last-modified": f"{MODIFIED} ({'x' * 99})"}, None),
        ({"etag": '"v1"', "content-encoding": "gzip"}, None),
        ({"etag": '"v1"', "content-encoding": "identity"}, Version('"v1"', None)),
        ({"etag": '"v1"', "content-length": "-5"}, Version('"v1"', None)),
        ({"etag": '"v1"', "content-length": "9" * 30}, Version('"v1"', None)),
        ({}, None),
    ],
)
def test_a_file_is_continued_by_a_strong_validator(fields: dict[str, str], version: Version | None) -> None:
    assert version_of(fields) == version


@pytest.mark.parametrize(
    ("fields", "end"),
    [
        ({"content-range": "bytes 4-9/10"}, 10),
        ({"content-range": "Bytes 4-9/10", "etag": '"v1"'}, 10),
        ({"content-range": "bytes 4-9/*"}, 10),
        ({"content-range": "bytes 4-9/10", "content-encoding": "identity"}, 10),
        ({"content-range": "bytes 4-9/10", "last-modified": MODIFIED}, 10),
        ({"content-range": "bytes 4-9/10", "etag": '"v2"'}, None),
        ({"content-range": "bytes 4-9/10", "etag": 'W/"v1"'}, None),
        ({"content-range": "bytes 4-9/10", "content-encoding": "gzip"}, None),
        ({"content-range": "bytes 3-9/10"}, None),
        ({"content-range": "bytes 5-9/10"}, None),
        ({"content-range": "bytes 0-9/10"}, None),
        ({"content-range": "bytes 4-8/10"}, None),
        ({"content-range": "bytes 4-9/11"}, None),
        ({"content-range": "bytes 4-10/11"}, None),
        ({"content-range": "bytes 4-3/10"}, None),
        ({"content-range": "bytes 4-8/*"}, None),
        ({"content-range": "bytes */10"}, None),
        ({"content-range": "items 4-9/10"}, None),
        ({"content-range": "bytes 4-9"}, None),
        ({"content-range": "bytes ٤-9/10"}, None),
        ({"content-range": "bytes 4-9/10, bytes 4-9/10"}, None),
        ({}, None),
    ],
)
def test_only_the_whole_rest_of_the_same_version_fits(fields: dict[str, str], end: int | None) -> None:
    assert Version('"v1"', 10).end_of(fields, 4) == end


@pytest.mark.parametrize(
    ("content_range", "end"), [("bytes 4-9/10", 10), ("bytes 4-9/12", None), ("bytes 4-9/*", None)]
)
def test_where_the_size_is_not_known_the_range_must_name_it(content_range: str, end: int | None) -> None:
    assert Version('"v1"', None).end_of({"content-range": content_range}, 4) == end


def test_a_range_asks_for_the_bytes_as_they_are() -> None:
    assert Version('"v1"', 10).range_headers(4) == {
        "accept-encoding": "identity",
        "range": "bytes=4-",
        "if-range": '"v1"',
    }
