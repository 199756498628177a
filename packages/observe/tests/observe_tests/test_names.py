"""Words that may be values reach neither a file nor a proposal. Names that are in every response reach both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform_observe import Line, Observations, make_report, propose_overlay, read_observations
from agent_session_platform_sandbox import Sandbox

from observe_tests.deployment import observing

SESSION = {"session_id": "assistant-1", "org_id": "org-acme", "title": "A text", "status": "running"}
PEOPLE = ("johanna_meier", "ada_lovelace", "grace_hopper", "alan_turing")


async def observed(path: Path, responses: list[httpx.Response], **arguments: Any) -> dict[str, Any]:
    """Return the observations of a client that gets these responses, one after the other."""
    answers = iter(responses)
    async with observing(Sandbox(), Observations(path), lambda _: next(answers)) as platform:
        for number in range(len(responses)):
            given = {name: make(number) for name, make in arguments.items()}
            await platform.request("GET", "/v3/organizations/org-acme/sessions/assistant-1", **given)
    return read_observations([path])


def additions(tallies: dict[str, Any]) -> list[Line]:
    return [line for line in make_report(tallies).additions if "that are not kept" not in line.text]


def required(tallies: dict[str, Any]) -> list[str]:
    """Return the members that a proposal requires."""
    updates = [action.get("update", {}) for action in json.loads(propose_overlay(tallies))["actions"]]
    return [name for update in updates for name in update.get("required", ())]


def session(**members: Any) -> httpx.Response:
    return httpx.Response(200, json={**SESSION, **members})


MAPPINGS: list[dict[str, Any]] = [
    {"johanna_meier": 3},
    {"johanna_meier": 3, "name": "a", "_note": "a text"},
    {"johanna_meier": {"total": 1}, "ada_lovelace": {"total": 2}},
]


@pytest.mark.parametrize("times", [1, 3, 65])
@pytest.mark.parametrize("scores", MAPPINGS, ids=["alone", "beside known names", "of objects"])
async def test_no_key_of_a_mapping_by_people_reaches_a_file(path: Path, scores: dict[str, Any], times: int) -> None:
    tallies = await observed(path, [session(scores=scores) for _ in range(times)])
    assert "johanna" not in path.read_text() + propose_overlay(tallies)
    assert ("scores" in propose_overlay(tallies)) == (times > 2)


async def test_names_that_several_objects_of_a_list_have_are_kept(tmp_path: Path) -> None:
    parts = [{"name": "a", "limit_left": number, "unit_name": "hours"} for number in range(5)]
    assert "unit_name" in propose_overlay(await observed(tmp_path / "a.json", [session(parts=parts)] * 3))


@pytest.mark.parametrize("place", ["member", "header"])
async def test_no_word_that_comes_now_and_then_reaches_a_file(path: Path, place: str) -> None:
    responses = [session(**({name: 3} if place == "member" else {})) for name in PEOPLE * 2]
    if place == "header":
        responses = [httpx.Response(200, json=SESSION, headers={f"x-{name}": "1"}) for name in PEOPLE * 2]
    tallies = await observed(path, responses)
    text = path.read_text() + propose_overlay(tallies)
    assert [name for name in PEOPLE if name in text] == []


async def test_a_query_parameter_that_came_once_is_proposed_with_how_often_it_came(path: Path) -> None:
    names = ["updated_after", "created_by", "created_by"]
    tallies = await observed(path, [session()] * 3, query=lambda number: {names[number]: "1"})
    [created, updated] = additions(tallies)
    assert (created.text, created.times) == ("the query parameter created_by was accepted 2 times", 2)
    assert (updated.text, updated.times) == ("the query parameter updated_after was accepted once", 1)
    assert '"updated_after"' in propose_overlay(tallies)


async def test_very_many_query_parameters_and_ids_are_not_kept(path: Path) -> None:
    names = [f"{first}_{second}" for first in "abcdef" for second in "abcdef"] + ["org-kanarie", "x12345678"]
    tallies = await observed(path, [session()] * len(names), query=lambda number: {names[number]: "1"})
    assert additions(tallies) == []
    assert "kanarie" not in path.read_text()


async def test_the_names_of_a_request_are_kept_as_those_of_a_response(path: Path) -> None:
    def accept(request: httpx.Request) -> httpx.Response:
        return session()

    parts = [{"name": "a", "unit_price": 3}] * 2
    async with observing(Sandbox(), Observations(path), accept) as platform:
        org = platform.organization("org-acme")
        for _ in range(3):
            await org.sessions.create(prompt="x", extra_body={"parts_wanted": parts, "johanna_by": {"johanna": 1}})
            await org.knowledge_notes.create(body={"johanna_meier": 3})
    written = path.read_text()
    assert [name for name in ("parts_wanted", "unit_price") if name not in written] == []
    assert [name for name in ('johanna"', "johanna_meier") if name in written] == []


async def test_a_header_that_came_with_every_response_is_reported(path: Path) -> None:
    responses = [httpx.Response(200, json=SESSION, headers={"X-Region": "eu"}) for _ in range(5)]
    [line] = additions(await observed(path, responses))
    assert (line.text, line.times, line.total) == ("responses with 200 have a header x-region", 5, 5)


async def test_a_member_that_came_in_65_of_65_responses_is_proposed_as_required(path: Path) -> None:
    tallies = await observed(path, [session(priority=1) for _ in range(65)])
    assert "priority" in required(tallies)


async def test_a_member_that_another_operation_lacks_is_not_required(sandbox: Sandbox, path: Path) -> None:
    for number in range(20):
        sandbox.add_session(queue_position=number)
    async with observing(sandbox, Observations(path)) as platform:
        org = platform.organization("org-acme")
        await org.sessions.list().collect()
        await org.sessions.create(prompt="Fix it")
    tallies = read_observations([path])
    [line] = [line for line in additions(tallies) if "queue_position" in line.text]
    assert ((line.times, line.total), "queue_position" in required(tallies)) == ((20, 21), False)


async def test_names_that_came_too_rarely_wait_for_the_next_time(path: Path) -> None:
    observations = Observations(path)
    for known in (False, False, True):
        async with observing(Sandbox(), observations, lambda _: session(priority=1)) as platform:
            await platform.organization("org-acme").sessions.get("assistant-1")
        assert ("priority" in path.read_text()) == known
