"""Rows in flight, in virtual time: a 429 lowers the concurrency, the row is sent again, and the run is patient."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform import ConfigurationError, DeadlineExceededError, Outcome, RateLimitedError
from agent_session_platform_jobs import Batch

from benchmarks.virtual_time import run as in_virtual_time
from jobs_tests.batch.batches import arguments, key, rows, run

pytestmark = pytest.mark.usefixtures("no_threads")


def refusal(retry_in: float | None = None) -> RateLimitedError:
    error = RateLimitedError("too many", status=429)
    if retry_in is not None:
        error.retry_at = datetime.now(UTC) + timedelta(seconds=retry_in)
    return error


class Server:
    """A platform with a number of places; each object takes one for a minute."""

    def __init__(self, places: int, error: Callable[[], Exception] = refusal) -> None:
        self.places = places
        self.error = error
        self.used = 0
        self.peaks: list[int] = []
        self.sent: list[float] = []
        self.made: list[str] = []

    async def create(self, **members: Any) -> dict[str, Any]:
        self.sent.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0.1)
        if self.used >= self.places:
            raise self.error()
        self.used += 1
        self.peaks.append(self.used)
        self.made.append(members["title"])
        await asyncio.sleep(60)
        self.used -= 1
        return {"id": members["title"]}

    def batch(self, store: Path, concurrency: int = 20) -> Batch:
        return Batch(self.create, store=store, concurrency=concurrency, id="id")


def unsent() -> DeadlineExceededError:
    return DeadlineExceededError("the rate limiter was closed")


@pytest.mark.parametrize("error", [refusal, unsent])
@pytest.mark.parametrize("places", [1, 7, 20])
def test_every_row_is_made_once_with_fewer_places_than_concurrency(
    places: int, error: Callable[[], Exception], store: Path
) -> None:
    """The run takes much longer than the patience, but time does not count while rows are in flight."""
    server = Server(places, error)
    items = in_virtual_time(run(server.batch(store), rows(100), patience=1.5))
    assert {item.state for item in items.values()} == {"settled"}
    assert sorted(server.made) == sorted(items)


def test_at_most_so_many_rows_are_in_flight(store: Path) -> None:
    server = Server(100)
    in_virtual_time(run(server.batch(store, 7), rows(40)))
    assert max(server.peaks) == 7


def test_rows_in_flight_settle_before_the_error_is_raised(store: Path) -> None:
    async def create(**members: Any) -> dict[str, Any]:
        if members["title"] == "row-1":
            raise ConfigurationError("no more")
        await asyncio.sleep(1)
        return {"id": "one"}

    async def main() -> None:
        items = Batch(create, store=store, concurrency=2, id="id").run(rows(5), key=key, arguments=arguments)
        assert (await anext(items)).key == "row-0"
        with pytest.raises(ConfigurationError):
            await anext(items)

    in_virtual_time(main())


def test_the_concurrency_falls_where_there_are_few_places(store: Path) -> None:
    server = Server(5)
    in_virtual_time(run(server.batch(store), rows(100)))
    # 20 at once in the beginning, and then about one refusal for each time that the limit grows beyond the places.
    assert len(server.sent) < 200


def test_the_concurrency_comes_back_when_there_are_places_again(store: Path) -> None:
    server = Server(2)

    async def main() -> None:
        seen = 0
        async for _ in server.batch(store, 8).run(rows(200), key=key, arguments=arguments):
            seen += 1
            if seen == 5:
                server.places = 100

    in_virtual_time(main())
    assert max(server.peaks[:5]) <= 2
    assert max(server.peaks[150:]) >= 7


def test_the_patience_begins_when_nothing_is_in_flight(store: Path) -> None:
    """The run waits for a row of an earlier run as long as needed. Then two minutes are left for the other rows."""

    async def create(**members: Any) -> dict[str, Any]:
        if members["title"] != "row-0" and asyncio.get_running_loop().time() < 1060:
            raise refusal()
        return {"id": members["title"]}

    async def wait(id: str, **options: Any) -> Outcome[Any]:
        await asyncio.sleep(1000 if id == "row-0" else 0)
        return Outcome(reason="matched", last=None, elapsed=0.0, polls=1)

    in_virtual_time(run(Batch(create, store=store, id="id"), rows(1)))
    batch = Batch(create, store=store, id="id", wait=wait)
    items = in_virtual_time(run(batch, rows(3), until={"a": "b"}, patience=120))
    assert {item.state for item in items.values()} == {"settled"}


@pytest.mark.parametrize(
    ("retry_in", "patience", "shortest", "longest", "most"),
    # The next attempt may be up to a minute later. The run ends at once if the wait is longer than the patience.
    [(None, 600, 600 - 61, 600, 60), (1000, 600, 0, 0, 1), (300, 700, 299, 700, 3)],
)
def test_a_run_gives_up_after_its_patience_and_waits_as_long_as_the_server_says(
    retry_in: float | None, patience: float, shortest: float, longest: float, most: int, store: Path
) -> None:
    server = Server(0, lambda: refusal(retry_in))
    with pytest.raises(RateLimitedError):
        in_virtual_time(run(server.batch(store, 1), rows(1), patience=patience))
    assert shortest <= server.sent[-1] - server.sent[0] <= longest
    assert len(server.sent) <= most
