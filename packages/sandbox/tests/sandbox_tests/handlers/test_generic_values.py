"""Operations on what is neither a record nor a list, and actions."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox_tests.odd import OddSandbox

SETTINGS = {"theme": "dark", "limits": [2], "note": None}


async def test_settings_are_read_as_they_were_put(odd: OddSandbox) -> None:
    assert await odd.json("PUT", "/settings", SETTINGS) == SETTINGS
    assert await odd.json("GET", "/settings") == SETTINGS


async def test_settings_that_nobody_put_are_minimal(odd: OddSandbox) -> None:
    assert await odd.json("GET", "/settings") == {"theme": "", "limits": [0]}


@pytest.mark.parametrize("body", [{"json": {"theme": "light"}}, {"data": {"theme": "light"}}])
async def test_a_patch_is_merged_into_settings(odd: OddSandbox, body: dict[str, Any]) -> None:
    await odd.json("PUT", "/settings", SETTINGS)
    response = await odd.send("PATCH", "/settings", **body)
    assert (response.status_code, response.content) == (204, b"")
    assert await odd.json("GET", "/settings") == {**SETTINGS, "theme": "light"}


async def test_deleted_settings_are_minimal_again(odd: OddSandbox) -> None:
    await odd.json("PUT", "/settings", SETTINGS)
    assert (await odd.send("DELETE", "/settings")).status_code == 204
    assert await odd.json("GET", "/settings") == {"theme": "", "limits": [0]}


async def test_bytes_are_read_as_they_were_put(odd: OddSandbox) -> None:
    kept = await odd.send("PUT", "/boxes/box-1/picture", content=b"\xff\x00", headers={"Content-Type": "image/png"})
    assert (kept.status_code, kept.content) == (204, b"")
    read = await odd.send("GET", "/boxes/box-1/picture")
    assert (read.content, read.headers["Content-Type"]) == (b"\xff\x00", "image/png")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/count", 4),
        ("/colors", ["green"]),
        ("/nothing", None),
        ("/payment", {"kind": "card", "number": "000"}),
        ("/tree", {"label": "", "children": [], "twin": None}),
    ],
)
async def test_a_value_without_a_state_is_the_example_or_minimal(odd: OddSandbox, path: str, value: Any) -> None:
    assert await odd.json("GET", path) == value


async def test_a_value_may_be_one_of_several_variants(odd: OddSandbox) -> None:
    bank = {"kind": "bank", "iban": "abc"}
    assert await odd.json("PUT", "/payment", bank) == bank
    assert await odd.json("GET", "/payment") == bank


async def test_a_file_without_a_state_is_empty(odd: OddSandbox) -> None:
    response = await odd.send("GET", "/report")
    assert (response.content, response.headers["Content-Type"]) == (b"", "application/pdf")


async def test_an_action_returns_the_record_that_it_is_about(odd: OddSandbox) -> None:
    box = await odd.json("POST", "/boxes", {"name": "n", "size": 3})
    assert await odd.json("POST", "/boxes/box-1/open") == box


async def test_an_action_invents_no_id(odd: OddSandbox) -> None:
    response = await odd.send("POST", "/boxes/box-1/rebuild", {"deep": True})
    odd.check("rebuild_box", response)
    assert response.status_code == 202
    assert response.json() == {"state": "queued", "box_id": "box-1", "progress": 1, "since": "2026-11-01T00:00:00Z"}


async def test_head_may_be_an_operation_of_its_own(odd: OddSandbox) -> None:
    response = await odd.send("HEAD", "/count")
    assert (response.status_code, "Content-Type" in response.headers) == (200, False)
