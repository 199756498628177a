"""Follow a list: each item at least once across a crash, and exactly once within a run."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import httpx
import pytest
from agent_session_platform import (
    AgentPlatform,
    InvalidArgumentError,
    NotFoundError,
    ProblemError,
    ServerError,
)
from agent_session_platform_sandbox import Sandbox

from tests.polling.messages import Messages, Wide, follow, message, numbers, take, texts, use, without_ids


@pytest.mark.parametrize(("first", "added"), [(7, 0), (4, 1), (2, 11), (3, 1)])
def test_each_item_comes_once_in_the_order_of_the_list(first: int, added: int) -> None:
    server = Messages(first)

    async def work(platform: AgentPlatform) -> list[str | None]:
        follower = follow(platform)
        found = texts(await follower.poll())
        server.add(added)
        return found + await take(follower, added) + texts(await follower.poll())

    assert use(server, work) == numbers(range(first + added))


def test_a_poll_reads_only_the_last_page_again() -> None:
    server = Messages(7)

    async def work(platform: AgentPlatform) -> None:
        follower = follow(platform)
        await follower.poll()
        server.requests.clear()
        await follower.poll()

    use(server, work)
    assert server.requests == ["6"]


@pytest.mark.parametrize("delivered", range(1, 9))
def test_a_position_continues_after_any_item(delivered: int) -> None:
    server = Messages(8)

    async def work(platform: AgentPlatform) -> list[str | None]:
        follower = follow(platform)
        first = await take(follower, delivered)
        return first + texts(await follow(platform, start=follower.position).poll())

    assert use(server, work) == numbers(range(8))


def test_an_item_that_was_not_kept_comes_again_after_a_crash() -> None:
    async def work(platform: AgentPlatform) -> list[str | None]:
        follower = follow(platform)
        kept = ""
        async for each in follower:
            if each.message == "4":
                break
            kept = follower.position
        return texts(await follow(platform, start=kept).poll())

    assert use(Messages(6), work) == ["4", "5"]


def test_a_position_is_text_of_a_few_kilobytes_at_most() -> None:
    async def work(platform: AgentPlatform) -> int:
        follower = follow(platform)
        await follower.poll()
        return len(follower.position)

    assert use(Wide(200), work) < 3_000


STARTS = ["", "event-3", "{}", '{"cursor": 3}', "[1]", '{"cursor": null, "delivered": "x"}']
REFUSED = [({"start": start}, "start must be the `position` of a follower") for start in STARTS]
REFUSED += [({"every": every}, "every must be") for every in (0, -1, float("nan"), float("inf"), True, "5")]


@pytest.mark.parametrize(("settings", "message"), REFUSED)
def test_a_setting_that_cannot_be_used_is_refused(settings: dict[str, Any], message: str) -> None:
    async def work(platform: AgentPlatform) -> None:
        with pytest.raises(InvalidArgumentError, match=message):
            follow(platform, **settings)

    use(Messages(), work)


def test_a_position_of_another_list_is_refused() -> None:
    async def work(platform: AgentPlatform) -> None:
        position = platform.enterprise.sessions.follow_messages("assistant-2").position
        with pytest.raises(
            InvalidArgumentError, match=r"start is a position in .*='assistant-2'\), and not in .*='assistant-1'\)"
        ):
            follow(platform, start=position)

    use(Messages(), work)


def test_only_new_passes_over_what_is_there() -> None:
    server = Messages(7)

    async def work(platform: AgentPlatform) -> list[str | None]:
        follower = follow(platform, only_new=True)
        first = texts(await follower.poll())
        server.add(2)
        return first + texts(await follower.poll())

    assert use(server, work) == ["7", "8"]


# The messages after the first poll, the statuses of the next requests, what comes, and what is logged.
REFUSALS: dict[str, tuple[list[int], list[int | None], list[str], str]] = {
    **{
        str(each): ([*range(10)], [each], ["8", "9"], f"cursor of the last page ({each})")
        for each in (400, 404, 410, 422)
    },
    # The last page, the beginning, and the page after it.
    "twice in a poll": ([*range(10)], [410, None, 410], ["8", "9"], "refuses the cursor"),
    "other pages": ([0, *range(2, 9)], [400], ["8"], "refuses the cursor"),
    "without the latest": ([10, 11], [400], ["10", "11"], "the latest item is not in the list any more"),
}


@pytest.mark.parametrize(("now", "statuses", "new", "logged"), REFUSALS.values(), ids=REFUSALS)
@pytest.mark.parametrize("restarts", [False, True], ids=["", "after a restart"])
def test_a_refused_cursor_neither_loses_nor_repeats_anything(
    now: list[int],
    statuses: list[int | None],
    new: list[str],
    logged: str,
    restarts: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = Messages(8)

    async def work(platform: AgentPlatform) -> list[str | None]:
        follower = follow(platform)
        await follower.poll()
        server.items = [message(number) for number in now]
        server.statuses = list(statuses)
        return texts(await (follow(platform, start=follower.position) if restarts else follower).poll())

    with caplog.at_level(logging.WARNING):
        assert use(server, work) == new
    assert logged in caplog.text
    assert {each.name for each in caplog.records} == {"agent_session_platform"}


def test_a_list_whose_cursors_are_refused_without_end_raises() -> None:
    server = Messages(8)

    async def work(platform: AgentPlatform) -> None:
        follower = follow(platform)
        await follower.poll()
        server.statuses = [410, *[None, 410] * 20]
        with pytest.raises(ProblemError, match="410"):
            await follower.poll()

    use(server, work)


def test_a_session_that_is_gone_ends_the_iteration() -> None:
    server = Messages(5)

    async def work(platform: AgentPlatform) -> None:
        follower = follow(platform)
        await follower.poll()
        server.statuses = [404, 404]
        with pytest.raises(NotFoundError):
            await take(follower, 1)

    use(server, work)


def test_a_refused_cursor_may_repeat_items_without_ids_and_loses_none(caplog: pytest.LogCaptureFixture) -> None:
    server = Messages()
    server.items = without_ids(*"abca")

    async def work(platform: AgentPlatform) -> list[str | None]:
        follower = follow(platform)
        await follower.poll()
        server.items += without_ids("d")
        server.statuses = [400]
        return texts(await follower.poll())

    with caplog.at_level(logging.WARNING):
        assert use(server, work) == ["b", "c", "a", "d"]
    assert "items without an id may come again" in caplog.text


def test_an_error_between_two_pages_loses_nothing() -> None:
    server = Messages(7)
    server.statuses = [None, 500]

    async def work(platform: AgentPlatform) -> list[str | None]:
        follower = follow(platform, give_up_after=0)
        found: list[str | None] = []

        async def read() -> None:
            async for each in follower:
                found.append(each.message)  # noqa: PERF401  # what came before the error counts

        with pytest.raises(ServerError):
            await read()
        return found + await take(follower, 7 - len(found))

    assert use(server, work) == numbers(range(7))


def test_a_poll_that_fails_delivers_its_items_with_the_next_one() -> None:
    server = Messages(7)
    server.statuses = [None, 500]

    async def work(platform: AgentPlatform) -> list[str | None]:
        follower = follow(platform)
        with pytest.raises(ServerError):
            await follower.poll()
        return texts(await follower.poll())

    assert use(server, work) == numbers(range(7))


def test_polls_that_fail_for_a_time_do_not_end_the_iteration() -> None:
    server = Messages(2)
    server.statuses = [503, 503, 503, 503]
    assert use(server, lambda platform: take(follow(platform), 2)) == ["0", "1"]


def test_polls_that_fail_for_longer_end_it() -> None:
    server = Messages()
    server.statuses = [503] * 1000

    async def work(platform: AgentPlatform) -> float:
        started = asyncio.get_running_loop().time()
        with pytest.raises(ServerError):
            await take(follow(platform, every=1, give_up_after=100), 1)
        return asyncio.get_running_loop().time() - started

    assert 100 <= use(server, work) < 110


def test_polls_without_anything_new_become_rarer() -> None:
    server = Messages(1)

    async def work(platform: AgentPlatform) -> int:
        async with asyncio.timeout(3600):
            await take(follow(platform, every=5), 2)
        return 0

    with pytest.raises(TimeoutError):
        use(server, work)
    assert 3600 / 33 < len(server.requests) < 3600 / 20


def test_a_new_iteration_ends_the_one_before() -> None:
    server = Messages(3)

    async def work(platform: AgentPlatform) -> tuple[list[str | None], list[str | None]]:
        follower = follow(platform)
        first, second = [], []
        async for each in follower:
            first.append(each.message)
            second += await take(follower, 2) if not second else []
        return first, second

    assert use(server, work) == (["0"], ["1", "2"])


def test_a_list_that_is_not_shown_is_followed_from_page_to_page() -> None:
    def respond(request: httpx.Request) -> httpx.Response:
        last = "after" in request.url.params
        entry = {"id": request.url.params.get("after", "1")}
        return httpx.Response(
            200, json={"items": [entry], "has_next_page": not last, "end_cursor": None if last else "2"}
        )

    async def work(platform: AgentPlatform) -> int:
        return len(await platform.enterprise.audit_logs.follow().poll())

    assert use(respond, work) == 2


@pytest.mark.parametrize("scope", ["organization", "enterprise"])
async def test_the_audit_log_is_followed_although_its_form_is_not_shown(scope: str) -> None:
    """Gaps organization-audit-logs-response and enterprise-audit-logs-response."""
    sandbox = Sandbox()
    async with sandbox.client() as platform:
        logs = platform.organization().audit_logs if scope == "organization" else platform.enterprise.audit_logs
        follower = logs.follow()
        before = await follower.poll()
        await platform.organization().sessions.create()
        new = await follower.poll()
    assert (len(new), [each for each in new if each in before]) == (1, [])


@pytest.mark.parametrize(
    "parts",
    [("ping", *["a"] * 1500, "ping"), ("a",) * 1502, tuple(map(str, range(1502)))],
    ids=["ends", "equal", "all"],
)
def test_a_long_page_of_items_without_ids_comes_once(parts: tuple[str, ...]) -> None:
    server = Wide()
    server.items = without_ids(*parts)

    async def work(platform: AgentPlatform) -> list[int]:
        follower = follow(platform)
        counts = [len(await follower.poll()), len(await follow(platform, start=follower.position).poll())]
        server.items += without_ids("ping", "a")
        return [*counts, len(await follower.poll()), len(await follower.poll())]

    assert use(server, work) == [1502, 0, 2, 0]


@pytest.mark.parametrize("gone", [0, 700, 1499])
def test_a_long_page_that_loses_an_item_repeats_none(gone: int) -> None:
    server = Wide(1500)

    async def work(platform: AgentPlatform) -> list[str | None]:
        follower = follow(platform)
        await follower.poll()
        del server.items[gone]
        server.items.append(message(1500))
        return texts(await follower.poll()) + texts(await follower.poll())

    assert use(server, work) == ["1500"]


def test_a_position_from_before_the_first_poll_still_passes_over_what_is_there() -> None:
    async def work(platform: AgentPlatform) -> list[str | None]:
        return texts(await follow(platform, start=follow(platform, only_new=True).position).poll())

    assert use(Messages(7), work) == []


def test_two_polls_at_once_give_each_item_to_one_of_them() -> None:
    async def work(platform: AgentPlatform) -> list[int]:
        follower = follow(platform)
        return [len(items) for items in await asyncio.gather(follower.poll(), follower.poll())]

    assert use(Messages(7), work) == [7, 0]


async def test_messages_of_the_sandbox_are_followed_in_both_scopes() -> None:
    sandbox = Sandbox()
    async with sandbox.client() as platform:
        org = platform.organization()
        session = await org.sessions.create(prompt="Fix it")
        followers = [
            each.follow_messages(session.session_id, first=1) for each in (org.sessions, platform.enterprise.sessions)
        ]
        before = [await each.poll() for each in followers]
        await org.sessions.send_message(session.session_id, message="And test it")
        assert [texts(each) for each in before] == [["Fix it"], ["Fix it"]]
        assert [texts(await each.poll())[0] for each in followers] == ["And test it"] * 2
