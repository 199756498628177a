"""Wait for an object: it is polled, because the API's description shows no event.

A `WaitLoop` polls one object. `poll_schedule.py` decides when a poll is due, `shared_polls.py` reads the object, and
`conditions.py` decides whether it ends the wait.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import MutableMapping
from inspect import isawaitable
from typing import Any, Final, Generic, TypeVar, cast

from ._api import Model, OutcomeT, PolledChange, Reason, Wait
from .catalogue import bare_id, path_parameters
from .conditions import Conditions, values_of
from .errors import AgentPlatformError, DeadlineExceededError, NotFoundError
from .poll_schedule import PollSchedule, check_seconds, may_recover, requested_wait
from .runtime import Runtime, TimeUpError
from .shared_polls import SharedPolls

T = TypeVar("T")

logger = logging.getLogger("agent_session_platform")

# The last poll of a wait begins so many seconds before its deadline; or this share of the timeout, if that is less.
LAST_POLL_SECONDS: Final = 1.0
LAST_POLL_SHARE: Final = 0.05


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
        self._wait = wait
        self._runtime = runtime
        self._policy = runtime.configuration.retry
        self._now = runtime.loop.time
        self._began = self._changed_at = self._now()
        check_seconds(wait)
        self._conditions = Conditions(wait.until, wait.unexpected, wait.gone)
        parameter = path_parameters(wait.operation)[-1]
        self._object_id = bare_id(parameter, wait.key)
        self._polls = SharedPolls[T](wait.listed, wait.id, parameter, self._policy)
        # A function may read any field, also a field that the items of the list lack.
        if wait.shared is not None and not self._conditions.has_function:
            self._polls = polls.setdefault(wait.shared, self._polls)
        deadline = self._began + wait.timeout
        margin = min(LAST_POLL_SECONDS, LAST_POLL_SHARE * wait.timeout)
        # Waits that begin together share their last round.
        last = margin * (deadline // margin - 1.0)
        self._schedule = PollSchedule(wait.every, wait.max_every, self._polls.phase, last, deadline)
        self._last: T | None = None
        self._count = 0
        # The values that each field has had; None is never new.
        self._seen: dict[str, list[Any]] = defaultdict(lambda: [None])
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
        # Waits that begin together share their first round, which is due at once.
        due: float | None = 0.0
        while due is not None:
            change = None
            try:
                reading = self._polls.read(due, self._object_id, self._conditions.needed, self._wait.read)
                item = await self._runtime.while_open(reading, at_most=self._schedule.deadline - self._now())
            except TimeUpError:
                break
            except AgentPlatformError as error:
                if not self._is_gone(error) and not self._may_recover(error):
                    # Raised here, where the frame loses the error: otherwise both would stay in memory.
                    raise
                reason = self._reason_after(error)
            else:
                change = self._record(item)
                await self._report(change)
                reason = self._reason(item)
            if reason is not None:
                return self._end(reason)
            due = self._schedule.next(
                self._now(),
                changed=change is not None,
                requested_wait=requested_wait(self._error),
            )
        return self._end("deadline")

    def _reason_after(self, error: AgentPlatformError) -> Reason | None:
        """Keep the error of a failed poll, and return why the wait ends with it; None if it goes on."""
        # The traceback would keep the frames of this wait, which has the error.
        self._error = error.with_traceback(None)
        if self._is_gone(error):
            return "gone"
        self._log_failure(error)
        return None

    def _record(self, item: T) -> PolledChange[T] | None:
        """Record the object that was read; return the change, or None if nothing has changed."""
        before = self._last
        self._last = item
        self._count += 1
        self._error = None
        self._polls.failing = False
        if before is None:
            self._conditions.check_names(cast("Model", item))
        elif item == before:
            return None
        self._changed_at = self._now()
        return PolledChange(before, item, self._first_seen(item))

    def _first_seen(self, item: Any) -> dict[str, Any]:
        """Return each field whose value is seen for the first time, with this value."""
        fields = self._conditions.fields or plain_fields(item)
        new: dict[str, Any] = {}
        for name in fields:
            value = values_of(item, name)[0]
            if value not in self._seen[name]:
                self._seen[name].append(value)
                new[name] = value
        return new

    async def _report(self, change: PolledChange[T] | None) -> None:
        """Call the caller's function for a change, and await what it returns."""
        if change is not None and self._wait.on_change is not None:
            result = self._wait.on_change(change)
            if isawaitable(result):
                await result

    def _reason(self, item: T) -> Reason | None:
        """Return why the wait ends with this object; None if the wait goes on. An error of a condition is raised."""
        reason = self._conditions.reason(item)
        if reason is not None or self._wait.stalled_after is None:
            return reason
        if self._now() >= self._changed_at + self._wait.stalled_after:
            return "stalled"
        return None

    def _is_gone(self, error: AgentPlatformError) -> bool:
        """Return whether the object was there before, and is not any more."""
        return self._last is not None and isinstance(error, NotFoundError)

    def _may_recover(self, error: AgentPlatformError) -> bool:
        """Return whether another poll may succeed after a failed one."""
        elapsed = self._now() - self._began
        return may_recover(error, self._policy, has_succeeded=self._runtime.has_succeeded, elapsed=elapsed)

    def _log_failure(self, error: AgentPlatformError) -> None:
        """Log a failed poll, unless the poll before has failed, too."""
        # A failed poll of the list concerns all its waits, but is logged only once.
        if not self._polls.failing:
            logger.warning("%s: a poll has failed, and the wait goes on: %s", self._wait.operation, error)
        self._polls.failing = True

    def _end(self, reason: Reason) -> OutcomeT:
        return self._wait.outcome(
            reason=reason,
            last=self._last,
            elapsed=self._now() - self._began,
            polls=self._count,
            error=self._error,
        )


def plain_fields(item: Any) -> list[str]:
    """Return the names of the fields of an object whose value is text, a number or a flag."""
    fields: list[str] = []
    for name, value in item.to_dict().items():
        if isinstance(value, str | int | float):
            fields.append(name)
    return fields
