"""Wait for an object: it is polled, because the API's description shows no event.

`poll_schedule.py` decides when a poll is due, `shared_polls.py` reads the object, alone or from a list, and
`conditions.py` decides whether the object ends the wait.
"""

from __future__ import annotations

import logging
from collections.abc import MutableMapping
from inspect import isawaitable
from typing import Any, Final, Generic, TypeVar, cast

from .._api import Model, OutcomeT, PolledChange, Reason, Until, Wait
from ..errors import (
    AgentPlatformError,
    DeadlineExceededError,
    NotFoundError,
)
from ..paths import comparable_id, path_parameters
from ..runtime import Runtime, TimeUpError
from .conditions import Conditions, States
from .poll_schedule import PollSchedule, check_seconds, last_round, may_recover
from .shared_polls import SharedPolls

T = TypeVar("T")

logger = logging.getLogger("agent_session_platform")

# The round of the first poll is due at once, and is shared by waits that begin together.
FIRST_ROUND: Final = 0.0


class WaitLoop(Generic[T, OutcomeT]):
    """One wait for an object: what it has seen so far, and when it polls next.

    Args:
        wait: How to read the object, and when the wait ends.
        runtime: The parts that the calls of the client share.
        polls: The shared polls of the client, by list.

    Raises:
        InvalidArgumentError: A setting is refused.
    """

    def __init__(self, wait: Wait[T, OutcomeT], runtime: Runtime, polls: MutableMapping[Any, SharedPolls[Any]]) -> None:
        check_seconds(wait)
        self._wait = wait
        self._runtime = runtime
        self._now = runtime.loop.time
        self._began = self._changed_at = self._now()
        self._conditions = Conditions(until_of(wait), wait.unexpected, wait.gone)
        parameter = path_parameters(wait.operation)[-1]
        self._object_id = comparable_id(parameter, wait.key)
        self._polls = SharedPolls[T](wait.listed, wait.id, parameter, runtime.configuration.retry)
        # A function may read any field, also a field that the items of the list lack.
        if wait.shared is not None and not self._conditions.has_function:
            self._polls = polls.setdefault(wait.shared, self._polls)
        self._deadline = self._began + wait.timeout
        last = last_round(self._deadline, wait.timeout)
        self._schedule = PollSchedule(wait.every, wait.max_every, self._polls.phase, last)
        self._last: T | None = None
        self._is_listed = False
        self._count = 0
        # Why the latest poll has failed. Until a poll has ended, this is the reason.
        no_poll = f"no poll has ended within the {wait.timeout:g} s of the wait"
        self._error: AgentPlatformError | None = DeadlineExceededError(no_poll, operation=wait.operation)

    async def run(self) -> OutcomeT:
        """Poll until the wait ends.

        Returns:
            How the wait has ended.

        Raises:
            InvalidArgumentError: A condition names a field that the object does not have.
            NotFoundError: There is no such object at the first poll.
            AgentPlatformError: A poll failed, and another poll would fail as well; or the client was closed.
        """
        round_at: float | None = FIRST_ROUND
        while round_at is not None:
            try:
                reading = self._polls.read(round_at, self._object_id, self._conditions.needed, self._wait.read)
                item, is_listed = await self._runtime.while_open(reading, at_most=self._deadline - self._now())
            except TimeUpError:
                break
            except AgentPlatformError as error:
                is_gone = self._last is not None and isinstance(error, NotFoundError)
                if not is_gone and not may_recover(error, self._runtime, self._began):
                    # Raised here, where the frame loses the error: otherwise both would stay in memory.
                    raise
                # The traceback would keep the frames of this wait, which has the error.
                self._error = error.with_traceback(None)
                if is_gone:
                    return self._end("gone")
                # A failed poll of the list concerns all its waits, but is logged only once.
                if not self._polls.failing:
                    logger.warning("%s: a poll has failed, and the wait goes on: %s", self._wait.operation, error)
                self._polls.failing = True
                round_at = self._schedule.after_failure(self._now(), error)
            else:
                is_changed = await self._record(item, is_listed)
                reason = self._reason(item)
                if reason is not None:
                    return self._end(reason)
                round_at = self._schedule.after_success(self._now(), changed=is_changed)
        return self._end("deadline")

    async def _record(self, item: T, is_listed: bool) -> bool:
        """Record the object that was read, and report a change of it; return whether it has changed.

        Args:
            item: The object.
            is_listed: Whether it is an item of the list. Then it may have other fields than the object itself.
        """
        before, self._last = self._last, item
        was_listed, self._is_listed = self._is_listed, is_listed
        self._count += 1
        self._error = None
        self._polls.failing = False
        if before is None:
            self._conditions.check_names(cast("Model", item))
        elif item == before or (is_listed != was_listed and not differs(before, item)):
            return False
        self._changed_at = self._now()
        if self._wait.on_change is not None:
            result = self._wait.on_change(PolledChange(before, item))
            if isawaitable(result):
                await result
        return True

    def _reason(self, item: T) -> Reason | None:
        """Return why the wait ends with this object; None if the wait goes on. An error of a condition is raised."""
        reason = self._conditions.reason(item)
        stalled_after = self._wait.stalled_after
        if reason is None and stalled_after is not None and self._now() >= self._changed_at + stalled_after:
            return "stalled"
        return reason

    def _end(self, reason: Reason) -> OutcomeT:
        state = None
        if reason == "matched":
            state = self._conditions.state(self._last)
        return self._wait.outcome(
            reason=reason,
            state=state,
            last=self._last,
            elapsed=self._now() - self._began,
            polls=self._count,
            error=self._error,
        )


def differs(before: Any, after: Any) -> bool:
    """Return whether a field has changed that an object has in both of its forms: alone, and as an item of a list."""
    members, members_now = before.to_dict(), after.to_dict()
    return any(members[name] != members_now[name] for name in members.keys() & members_now.keys())


def until_of(wait: Wait[T, Any]) -> Until[T] | None:
    """Return the condition of a wait; without `until`, the states that the contract names. None if there are none."""
    states = wait.operation.states
    if wait.until is None and states:
        return States(**states)
    return wait.until
