"""The position of a follower among many items, without ids and on pages that change."""

from __future__ import annotations

import asyncio

import pytest
from agent_session_platform import AgentPlatform

from tests.polling.follow.messages import Messages, Wide, follow, message, texts, use, without_ids


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


def test_a_refused_cursor_finds_the_place_by_several_items_without_ids() -> None:
    server = Messages()
    server.items = without_ids(*"abcabdab")

    async def work(platform: AgentPlatform) -> list[str | None]:
        follower = follow(platform)
        await follower.poll()
        server.items += without_ids(*"cd")
        server.statuses = [400]
        return texts(await follower.poll())

    assert use(server, work) == ["c", "d"]


def test_a_position_from_before_the_first_poll_still_passes_over_what_is_there() -> None:
    async def work(platform: AgentPlatform) -> list[str | None]:
        return texts(await follow(platform, start=follow(platform, only_new=True).position).poll())

    assert use(Messages(7), work) == []


def test_two_polls_at_once_give_each_item_to_one_of_them() -> None:
    async def work(platform: AgentPlatform) -> list[int]:
        follower = follow(platform)
        return [len(items) for items in await asyncio.gather(follower.poll(), follower.poll())]

    assert use(Messages(7), work) == [7, 0]
