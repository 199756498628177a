"""Records, lists and values of operations that no resource handles."""

from __future__ import annotations

from typing import Any

import pytest
from agent_session_platform import UnprocessableContentError
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.odd import OddSandbox

BOX = {"name": "n", "size": 3}


@pytest.fixture
async def box(odd: OddSandbox) -> dict[str, Any]:
    """A box."""
    made: dict[str, Any] = await odd.json("POST", "/boxes", BOX)
    return made


async def test_a_record_has_the_id_and_what_the_contract_requires_but_no_secret(odd: OddSandbox) -> None:
    response = await odd.send("POST", "/boxes", {**BOX, "owner": {"name": "o"}, "password": "hush"})
    odd.check("create_box", response)
    assert response.status_code == 201
    assert response.json() == {
        **BOX,
        "owner": {"name": "o"},
        "color": "red",
        "box_id": "box-1",
        "kind": "box",
        "created_at": "2026-11-01T00:00:00Z",
    }
    assert await odd.json("GET", "/boxes/box-1") == response.json()


async def test_a_replaced_record_keeps_what_no_request_can_set(odd: OddSandbox, box: dict[str, Any]) -> None:
    odd.state.now.advance(hours=1)
    replaced = await odd.json("PUT", "/boxes/box-1", {"name": "m", "size": 4})
    assert replaced == {"name": "m", "size": 4, **{name: box[name] for name in ("box_id", "kind", "created_at")}}
    assert await odd.json("GET", "/boxes/box-1") == replaced


async def test_a_merge_patch_removes_a_member(odd: OddSandbox) -> None:
    await odd.json("POST", "/boxes", {**BOX, "owner": {"name": "o"}})
    headers = {"Content-Type": "application/merge-patch+json"}
    changed = await odd.json("PATCH", "/boxes/box-1", {"name": "m", "owner": None}, headers=headers)
    assert (changed["name"], "owner" in changed) == ("m", False)


async def test_a_delete_may_have_a_body(odd: OddSandbox, box: dict[str, Any]) -> None:
    response = await odd.send("DELETE", "/boxes/box-1", {"reason": "r"})
    assert (response.status_code, response.content) == (204, b"")
    assert await odd.refused("GET", "/boxes/box-1") == (404, "no box box-1")


async def test_any_id_names_a_record_of_a_collection_to_which_nothing_is_added(odd: OddSandbox) -> None:
    assert await odd.json("GET", "/racks") == []
    assert (await odd.send("DELETE", "/racks/rack-9")).status_code == 204
    assert await odd.refused("DELETE", "/racks/rack-9") == (404, "no rack rack-9")


async def test_a_list_without_a_total_has_none(odd: OddSandbox, box: dict[str, Any]) -> None:
    assert await odd.json("GET", "/boxes?first=1") == {"items": [box], "end_cursor": None}


async def test_an_id_may_be_a_uuid_that_is_the_same_in_every_run(odd: OddSandbox) -> None:
    accepted = await odd.send("POST", "/users")
    assert (accepted.status_code, accepted.content) == (202, b"")
    [user] = await odd.json("GET", "/users")
    assert user == {"id": "c8c2f45e-6f32-5e84-8663-0eb9ddca2a6c"}
    assert await odd.json("GET", f"/users/{user['id']}") == user


async def test_an_id_is_the_member_that_the_contract_marks(odd: OddSandbox) -> None:
    assert await odd.json("POST", "/assistants") == {"key": "assistant-1"}
    assert await odd.json("GET", "/assistants/assistant-1") == {"key": "assistant-1"}


async def test_a_file_is_downloaded_as_it_was_uploaded(odd: OddSandbox) -> None:
    made = await odd.send("POST", "/files", files={"file": ("a.bin", b"\xff")}, data={"title": "t"})
    assert (made.json(), made.headers["Content-Type"]) == ({"id": "file-1", "title": "t"}, "application/vnd.odd+json")
    assert (await odd.send("GET", "/files/file-1")).content == b"\xff"
    preview = await odd.send("GET", "/files/file-1/preview")
    assert (preview.content, preview.headers["Content-Type"]) == (b"\xff", "image/png")
    # An action may follow a colon.
    assert await odd.json("POST", "/files/file-1:lock") == made.json()


async def test_put_adds_a_record_that_nothing_else_adds(odd: OddSandbox) -> None:
    assert await odd.refused("GET", "/flags/new") == (404, "no flag new")
    assert (await odd.send("PUT", "/flags/new", True)).content == b""
    assert await odd.json("GET", "/flags/new") is True


SETTINGS = {"theme": "dark", "limits": [2], "note": None}


@pytest.mark.parametrize(
    ("path", "initial", "value"),
    [
        ("/settings", {"theme": "", "limits": [0]}, SETTINGS),
        ("/tags", [], ["b", "c", "c"]),
    ],
)
async def test_a_value_is_kept_until_it_is_deleted(odd: OddSandbox, path: str, initial: Any, value: Any) -> None:
    assert await odd.json("GET", path) == initial
    assert await odd.json("PUT", path, value) == await odd.json("GET", path) == value
    assert (await odd.send("DELETE", path)).status_code == 204
    assert await odd.json("GET", path) == initial


@pytest.mark.parametrize("body", [{"body": {"theme": "light"}}, {"files": {"theme": (None, "light")}}])
async def test_a_patch_is_merged_into_settings(odd: OddSandbox, body: dict[str, Any]) -> None:
    await odd.json("PUT", "/settings", SETTINGS)
    response = await odd.send("PATCH", "/settings", **body)
    assert (response.status_code, response.content) == (204, b"")
    assert await odd.json("GET", "/settings") == {**SETTINGS, "theme": "light"}
    # Without a PUT, the value is the contract's example.
    await odd.send("PATCH", "/theme", {"size": 2})
    assert await odd.json("GET", "/theme") == {"name": "dark", "size": 2}


async def test_a_value_of_one_of_several_variants_is_read_as_it_was_put(odd: OddSandbox) -> None:
    bank = {"kind": "bank", "iban": "DE99"}
    assert await odd.json("PUT", "/payment", bank) == await odd.json("GET", "/payment") == bank


async def test_bytes_are_read_as_they_were_put(odd: OddSandbox) -> None:
    await odd.json("POST", "/boxes", BOX)
    kept = await odd.send("PUT", "/boxes/box-1/picture", content=b"\xff\x00", headers={"Content-Type": "image/png"})
    assert (kept.status_code, kept.content) == (204, b"")
    assert (await odd.send("GET", "/report")).content == b""
    read = await odd.send("GET", "/boxes/box-1/picture")
    assert (read.content, read.headers["Content-Type"]) == (b"\xff\x00", "image/png")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/count", 3),
        ("/colors", ["green"]),
        ("/tree", {"label": "", "children": [], "twin": None}),
    ],
)
async def test_a_value_without_a_state_is_the_example_or_minimal(odd: OddSandbox, path: str, value: Any) -> None:
    assert await odd.json("GET", path) == value


async def test_an_action_returns_its_record_and_no_other_id(odd: OddSandbox, box: dict[str, Any]) -> None:
    assert await odd.json("POST", "/boxes/box-1/open") == box
    response = await odd.send("POST", "/boxes/box-1/rebuild", {"deep": True})
    odd.check("rebuild_box", response)
    assert response.status_code == 202
    assert response.json() == {"state": "queued", "box_id": "box-1", "progress": 1, "since": "2026-11-01T00:00:00Z"}


async def test_head_may_be_an_operation_of_its_own(odd: OddSandbox) -> None:
    response = await odd.send("HEAD", "/count")
    assert (response.status_code, "Content-Type" in response.headers) == (200, False)


async def test_a_cursor_stays_valid_while_sessions_are_added(sandbox: Sandbox, org: Any) -> None:
    for number in range(4):
        sandbox.add_session(title=str(number))
    first = await org.sessions.list(first=2).first_page()
    sandbox.add_session(title="4")
    rest = await org.sessions.list(after=first.end_cursor).collect()
    assert [session.title for session in rest] == ["2", "3", "4"]


@pytest.mark.parametrize("cursor", ["x", "", "ä", "YWZ0ZXI6eA==", "YWZ0ZXI6MV8w", "YWZ0ZXI6MQ==\n", "YWZ0ZXI6LTU="])
async def test_an_unknown_cursor_is_refused(org: Any, cursor: str) -> None:
    with pytest.raises(UnprocessableContentError, match="query.after: not a cursor of this list"):
        await org.sessions.list(after=cursor).first_page()
