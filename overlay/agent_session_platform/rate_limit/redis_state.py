"""The pace that processes share: a script in Redis, told what happened here, and asked who may go."""

from __future__ import annotations

import asyncio
import json
import random
import uuid
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from . import adaptive_rate as pace
from . import token_bucket as refill

if TYPE_CHECKING:
    from redis.asyncio import Redis

    from .interface import Permit

# What the script needs to know of pace.py and refill.py: each number is written down once.
CONSTANTS = json.dumps({name: value for name, value in {**vars(pace), **vars(refill)}.items() if name.isupper()})


class Reply(NamedTuple):
    """What the script answered: see there."""

    granted: int
    round: int
    now: float
    opens_in: float
    closed_for: float
    window: float
    rate: float | None


class Refusal(NamedTuple):
    """A 429 that Redis has not heard of: to which permit, and until when to send nothing, or None without a hint."""

    permit: Permit
    until: float | None


class SharedPace:
    """The state under *key* of *redis*, as one of those who share it."""

    def __init__(self, redis: Redis, key: str, timeout: float) -> None:
        self._key = key
        self._timeout = timeout
        self._member = uuid.uuid4().hex
        self._script = redis.register_script(files(str(__package__)).joinpath("gate.lua").read_text(encoding="utf-8"))
        self._loop = asyncio.get_running_loop()
        self._accepted: dict[int, int] = {}
        self.refusals: list[Refusal] = []
        # How many requests Redis believes to be under way here, and since when.
        self._told = 0
        self.told_at = 0.0

    def accepted(self, permit: Permit) -> None:
        """Report an answer that was no 429 with the next call."""
        self._accepted[permit.round] = self._accepted.get(permit.round, 0) + 1

    def limited(self, permit: Permit, seconds: float | None) -> None:
        """Report a 429 with the next call, or with one after it, should that get lost."""
        self.refusals.append(Refusal(permit, None if seconds is None else self._loop.time() + seconds))

    def has_news(self, under_way: int) -> bool:
        """Whether there is anything to tell."""
        return bool(self._accepted or self.refusals) or under_way != self._told

    async def ask(self, wanted: int, under_way: int, closed_for: float) -> Reply:
        """Tell what happened, and that the gate is closed for so long at least, and ask for *wanted* permits.

        Raises whatever redis-py does, and TimeoutError.
        """
        told, self.refusals = self.refusals, []
        answers, self._accepted = self._accepted, {}
        now = self._loop.time()
        news: list[Any] = [("accepted", number, count) for number, count in answers.items()]
        for permit, until in told:
            news.append(("limited", permit.round, permit.at, False if until is None else max(0.0, until - now)))
        arguments: list[str | int | float] = [json.dumps(news), wanted, self._member, under_way, random.random()]
        try:
            async with asyncio.timeout(self._timeout):
                answer: Any = self._script(keys=[self._key], args=[*arguments, CONSTANTS, "", closed_for])
                reply = read(await answer)
        except BaseException:
            # A 429 that is told twice does no harm; one that is lost would be the only one to know its round is over.
            self.refusals = told + self.refusals
            raise
        self._told, self.told_at = under_way + reply.granted, now
        return reply


def read(answer: list[Any]) -> Reply:
    """Read the answer of the script, from a client that decodes what it gets or from one that does not."""
    granted, *rest = (value.decode() if isinstance(value, bytes) else value for value in answer)
    number, now, opens_in, closed_for, window, rate = rest
    return Reply(
        int(granted),
        int(float(number)),
        float(now),
        float(opens_in),
        float(closed_for),
        float(window),
        float(rate) if rate else None,
    )
