"""Follow a list: each item at least once across a crash, and exactly once within a run."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, Follower, errors
from agent_session_platform.models import SessionMessage

from tests.fixtures import URL, in_virtual_time
from tests.servers.growing_list import GrowingList


def message(number: int) -> dict[str, Any]:
    return {"event_id": f"event-{number}", "message": str(number), "created_at": 1, "source": "assistant"}


def without_ids(*parts: str) -> list[dict[str, Any]]:
    return [{"event_id": None, "message": text, "created_at": 1, "source": "assistant"} for text in parts]


class Messages(GrowingList):
    """A server with the messages of one session, and a client of it."""

    def __init__(self, count: int = 0, size: int = 3) -> None:
        super().__init__([message(number) for number in range(count)], size)
        self.sessions = self.client().enterprise.sessions

    def follow(self, **settings: Any) -> Follower[SessionMessage]:
        return self.sessions.follow_messages("assistant-1", **settings)

    def add(self, count: int) -> None:
        self.items += [message(number) for number in range(len(self.items), len(self.items) + count)]


async def new(follower: Follower[SessionMessage]) -> list[str | None]:
    """Poll, and return the messages."""
    return [each.message for each in await follower.poll()]


async def take(follower: Follower[SessionMessage], count: int, into: list[Any] | None = None) -> list[str | None]:
    """Iterate until that many messages have come, and return them. After an error, *into* has the earlier messages."""
    found: list[str | None] = [] if into is None else into
    if count == 0:
        return found
    async for each in follower:
        found.append(each.message)
        if len(found) == count:
            break
    return found


def numbers(count: int) -> list[str]:
    return [str(number) for number in range(count)]


@pytest.mark.parametrize(("first", "added"), [(7, 0), (4, 1), (2, 11), (3, 1)])
@in_virtual_time
async def test_each_item_comes_once_in_the_order_of_the_list(first: int, added: int) -> None:
    server = Messages(first)
    follower = server.follow()
    found = await new(follower)
    server.add(added)
    assert found + await take(follower, added) + await new(follower) == numbers(first + added)


@in_virtual_time
async def test_closing_the_client_ends_a_follower_that_waits() -> None:
    async with Messages(1).client() as platform:
        messages = aiter(platform.enterprise.sessions.follow_messages("assistant-1", every=3600.0))
        await anext(messages)
        following = asyncio.ensure_future(anext(messages))
        await asyncio.sleep(1.0)
    began = asyncio.get_running_loop().time()
    with pytest.raises(errors.ClientClosedError):
        await following
    assert asyncio.get_running_loop().time() == began


async def test_a_poll_reads_only_the_last_page_again() -> None:
    server = Messages(7)
    follower = server.follow()
    await follower.poll()
    await follower.poll()
    assert server.requested == [None, "3", "6", "6"]


@pytest.mark.parametrize("delivered", range(1, 9))
async def test_a_position_continues_after_any_item(delivered: int) -> None:
    server = Messages(8)
    follower = server.follow()
    first = await take(follower, delivered)
    assert first + await new(server.follow(start=follower.position)) == numbers(8)


async def test_an_item_that_was_not_kept_comes_again_after_a_crash() -> None:
    server = Messages(6)
    follower = server.follow()
    kept = ""
    async for each in follower:
        if each.message == "4":
            break
        kept = follower.position
    assert await new(server.follow(start=kept)) == ["4", "5"]


async def test_a_position_is_text_of_a_few_kilobytes_at_most() -> None:
    follower = Messages(200, size=200).follow()
    await follower.poll()
    assert len(follower.position) < 3_000


STARTS: list[Any] = ["", "event-3", "{}", '{"cursor": 3}', "[1]", 5, {"a": 1}]
OF_OTHER_TYPES = [
    {"source": 5},
    {"cursor": 7},
    {"delivered": 5},
    {"delivered": "abc"},
    {"delivered": [5]},
    {"delivered": None},
    {"skipping": "no"},
]
STARTS += [json.dumps({"source": "x", **members}) for members in OF_OTHER_TYPES]
REFUSED = [({"start": start}, "start must be the `position` of a follower") for start in STARTS]
REFUSED += [({"every": every}, "every must be") for every in (0, -1, float("nan"), float("inf"), True, "5")]
ELSEWHERE = Messages().sessions.follow_messages("assistant-2").position
REFUSED += [
    ({"start": ELSEWHERE}, r"start is a position in .*='assistant-2'\) at .*, and not in .*='assistant-1'\) at ")
]


@pytest.mark.parametrize(("settings", "message"), REFUSED)
def test_a_setting_that_cannot_be_used_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(errors.InvalidArgumentError, match=message):
        Messages().follow(**settings)


@pytest.mark.parametrize("restarts", [False, True])
async def test_only_new_passes_over_what_is_there(restarts: bool) -> None:
    server = Messages(7)
    follower = server.follow(only_new=True)
    if restarts:
        follower = server.follow(start=follower.position)
    assert await new(follower) == []
    server.add(2)
    assert await new(follower) == ["7", "8"]


# The messages after the first poll, the statuses of the next requests, what comes, and what is logged.
REFUSALS: dict[str, tuple[list[int], list[int | None], list[str], str]] = {
    **{
        str(each): ([*range(10)], [each], ["8", "9"], f"cursor of the last page ({each})")
        for each in (400, 404, 410, 422)
    },
    "other pages": ([0, *range(2, 9)], [400], ["8"], "refuses the cursor"),
    "without the latest": ([10, 11], [400], ["10", "11"], "the latest item is not in the list any more"),
}


@pytest.mark.parametrize(("now", "statuses", "found", "logged"), REFUSALS.values(), ids=REFUSALS)
@pytest.mark.parametrize("restarts", [False, True], ids=["", "after a restart"])
async def test_a_refused_cursor_neither_loses_nor_repeats_anything(
    now: Any, statuses: Any, found: Any, logged: str, restarts: bool, caplog: pytest.LogCaptureFixture
) -> None:
    server = Messages(8)
    follower = server.follow()
    await follower.poll()
    server.items = [message(number) for number in now]
    server.statuses = list(statuses)
    with caplog.at_level(logging.WARNING):
        assert await new(server.follow(start=follower.position) if restarts else follower) == found
    assert logged in caplog.text
    assert {each.name for each in caplog.records} == {"agent_session_platform"}


@in_virtual_time
async def test_a_session_that_is_gone_is_an_error() -> None:
    server = Messages(8)
    follower = server.follow()
    await follower.poll()
    server.statuses = [404, 404]
    with pytest.raises(errors.NotFoundError):
        await take(follower, 1)


@in_virtual_time
async def test_a_cursor_that_is_refused_twice_in_one_poll_does_not_end_a_follower() -> None:
    server = Messages(8)
    follower = server.follow()
    await follower.poll()
    server.statuses = [410, None, 410]
    server.add(1)
    assert await take(follower, 1) == ["8"]


@in_virtual_time
async def test_cursors_that_are_always_refused_are_an_error_after_give_up_after() -> None:
    server = Messages(8)
    follower = server.follow(give_up_after=60.0)
    await follower.poll()
    began = asyncio.get_running_loop().time()
    server.failing = {"3": 410, "6": 410}
    with pytest.raises(errors.ProblemError, match="410"):
        await take(follower, 1)
    assert asyncio.get_running_loop().time() - began == pytest.approx(60.0, abs=10.0)


def test_a_position_of_another_server_is_refused() -> None:
    position = Messages().follow().position.replace("platform.example.com", "other.example.com")
    with pytest.raises(
        errors.InvalidArgumentError,
        match=" at https://other.example.com, and not in .* at https://platform.example.com",
    ):
        Messages().follow(start=position)


async def test_a_refused_cursor_may_repeat_items_without_ids_and_loses_none(caplog: pytest.LogCaptureFixture) -> None:
    server = Messages()
    server.items = without_ids(*"abca")
    follower = server.follow()
    await follower.poll()
    server.items += without_ids("d")
    server.statuses = [400]
    with caplog.at_level(logging.WARNING):
        assert await new(follower) == ["b", "c", "a", "d"]
    assert "some items may come again" in caplog.text


async def test_an_error_between_two_pages_loses_nothing() -> None:
    server = Messages(7)
    server.statuses = [None, 500]
    follower = server.follow(give_up_after=0)
    found: list[str | None] = []
    with pytest.raises(errors.ServerError):
        await take(follower, 7, found)
    assert found + await take(follower, 7 - len(found)) == numbers(7)


async def test_a_poll_that_fails_delivers_its_items_with_the_next_one() -> None:
    server = Messages(7)
    server.statuses = [None, 500]
    follower = server.follow()
    with pytest.raises(errors.ServerError):
        await follower.poll()
    assert await new(follower) == numbers(7)


@in_virtual_time
async def test_polls_that_fail_for_a_time_do_not_end_the_iteration() -> None:
    server = Messages(2)
    server.statuses = [503, 503, 503, 503]
    assert await take(server.follow(), 2) == ["0", "1"]


@in_virtual_time
async def test_polls_that_fail_for_longer_end_the_iteration() -> None:
    server = Messages()
    server.statuses = [503] * 1000
    with pytest.raises(errors.ServerError):
        await take(server.follow(every=1, give_up_after=100), 1)
    assert 100 <= asyncio.get_running_loop().time() < 110


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(("retry_after", "give_up_after"), [(300, 600), (600, 600), (3600, 7200)])
@in_virtual_time
async def test_a_follower_polls_no_sooner_than_the_server_asks(
    status: int, retry_after: float, give_up_after: float
) -> None:
    server = Messages(1)
    server.statuses, server.retry_after = [status], str(retry_after)
    assert await take(server.follow(give_up_after=give_up_after), 1) == ["0"]
    assert retry_after <= asyncio.get_running_loop().time() <= 1.05 * retry_after
    assert len(server.requested) == 2


@pytest.mark.parametrize("give_up_after", [0, 600, 3599])
@in_virtual_time
async def test_a_wait_that_is_longer_than_a_follower_may_fail_raises_at_once(
    give_up_after: float, caplog: pytest.LogCaptureFixture
) -> None:
    server = Messages(1)
    server.statuses, server.retry_after = [429], "3600"
    follower = server.follow(give_up_after=give_up_after)
    with pytest.raises(errors.RateLimitedError) as caught, caplog.at_level(logging.WARNING):
        await take(follower, 1)
    assert (caught.value.retry_after, len(server.requested), asyncio.get_running_loop().time()) == (3600.0, 1, 0.0)
    assert caught.value.retry_at is not None
    assert caplog.text == ""
    await asyncio.sleep(3600.0)
    assert await take(follower, 1) == ["0"]


@in_virtual_time
async def test_polls_without_anything_new_become_rarer() -> None:
    server = Messages(1)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(3600):
            await take(server.follow(every=5), 2)
    assert 3600 / 33 < len(server.requested) < 3600 / 20


@in_virtual_time
async def test_a_new_iteration_ends_the_one_before() -> None:
    follower = Messages(3).follow()
    first, second = [], []
    async for each in follower:
        first.append(each.message)
        second += await take(follower, 2) if not second else []
    assert (first, second) == (["0"], ["1", "2"])


@in_virtual_time
async def test_an_iteration_that_a_poll_has_ended_reads_nothing_more() -> None:
    server = Messages(1)
    follower = server.follow()
    messages = aiter(follower)
    await anext(messages)
    following = asyncio.ensure_future(anext(messages, None))
    await asyncio.sleep(1.0)
    await follower.poll()
    requested = len(server.requested)
    assert await following is None
    assert len(server.requested) == requested


async def test_two_polls_at_once_give_each_item_to_one_of_them() -> None:
    follower = Messages(7).follow()
    assert [len(items) for items in await asyncio.gather(follower.poll(), follower.poll())] == [7, 0]


async def test_a_list_that_is_not_shown_is_followed_from_page_to_page() -> None:
    async with GrowingList([{"id": "1"}, {"id": "2"}], size=1).client() as platform:
        assert len(await platform.enterprise.audit_logs.follow().poll()) == 2


@pytest.mark.parametrize("scope", ["organization", "enterprise"])
async def test_the_audit_log_is_followed_although_its_form_is_not_shown(scope: str, platform: AgentPlatform) -> None:
    """Gaps organization-audit-logs-response and enterprise-audit-logs-response."""
    logs = platform.organization().audit_logs if scope == "organization" else platform.enterprise.audit_logs
    follower = logs.follow()
    before = await follower.poll()
    await platform.organization().sessions.create()
    found = await follower.poll()
    assert (len(found), [each for each in found if each in before]) == (1, [])


@pytest.mark.parametrize(
    "parts",
    [("ping", *["a"] * 1500, "ping"), ("a",) * 1502, tuple(map(str, range(1502)))],
    ids=["ends", "equal", "all"],
)
async def test_a_long_page_of_items_without_ids_comes_once(parts: tuple[str, ...]) -> None:
    server = Messages(size=2000)
    server.items = without_ids(*parts)
    follower = server.follow()
    assert (len(await new(follower)), await new(server.follow(start=follower.position))) == (1502, [])
    server.items += without_ids("ping", "a")
    assert (await new(follower), await new(follower)) == (["ping", "a"], [])


@pytest.mark.parametrize("gone", [0, 700, 1499])
async def test_a_long_page_that_loses_an_item_repeats_none(gone: int) -> None:
    server = Messages(1500, size=2000)
    follower = server.follow()
    await follower.poll()
    del server.items[gone]
    server.items.append(message(1500))
    assert (await new(follower), await new(follower)) == (["1500"], [])


async def test_messages_of_the_sandbox_are_followed_in_both_scopes(platform: AgentPlatform) -> None:
    """Rule messages-chronological: a message that is sent later is also listed later."""
    org = platform.organization()
    session = await org.sessions.create(prompt="Fix it")
    scopes = org.sessions, platform.enterprise.sessions
    followers = [each.follow_messages(session.session_id, first=1) for each in scopes]
    assert [await new(each) for each in followers] == [["Fix it"], ["Fix it"]]
    await org.sessions.send_message(session.session_id, message="And test it")
    assert [(await new(each))[0] for each in followers] == ["And test it"] * 2


async def test_a_list_without_a_flag_is_followed_while_it_has_a_cursor() -> None:
    pages = {None: {"items": [{"n": 1}], "end_cursor": "x"}, "x": {"items": [{"n": 2}]}}
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=pages[request.url.params.get("after")]))
    async with AgentPlatform(URL, "svc_token", organization="org-acme", transport=transport) as platform:
        items = await platform.organization().audit_logs.follow().poll()
    assert [each["n"] for each in items] == [1, 2]
