"""One row: what its step was, and which comes next."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias

import attrs
from agent_session_platform import RequestOptions, RetryPolicy, errors

from .calls import NOT_SENT, Calls, as_mapping, options_of
from .item import BatchItem, BatchStore, BatchStoreError, IdTakenError, State

Verdict: TypeAlias = Literal["postponed", "stop", "failed", "unknown"]
"""`postponed`: nothing was carried out, and the row may be sent again later. `stop`: nothing was carried out,
and other rows would fail in the same way. `failed`: nothing was carried out, because of this row. `unknown`: it may
have been."""


CONCERN_ALL: Final = (
    errors.AuthenticationError,
    errors.ConfigurationError,
    errors.CredentialMismatchError,
    errors.PermissionDeniedError,
)


def concerns_all(error: BaseException) -> bool:
    """Return whether other rows would meet the same error."""
    is_unreachable = isinstance(error, errors.ConnectionFailedError) and not error.received
    return is_unreachable or isinstance(error, CONCERN_ALL)


def judge(error: BaseException) -> Verdict:
    """Return what the error of a create means.

    A 429, a call that got no permit or connection in time, and a server that cannot be reached have carried out
    nothing. Of a 5xx and of a success that cannot be read nobody knows, and so of any error that is not the SDK's.
    """
    if isinstance(error, errors.RateLimitedError | errors.DeadlineExceededError | errors.PoolTimeoutError):
        return "postponed"
    if concerns_all(error):
        return "stop"
    is_refusal = isinstance(error, errors.ProblemError) and not isinstance(error, errors.ServerError)
    return "failed" if is_refusal or isinstance(error, errors.InvalidArgumentError) else "unknown"


def describe(error: BaseException) -> str:
    """Return an error as text for the store: the SDK's have no credential; of others it has only the type."""
    name = type(error).__name__
    text = f"{name}: {error}" if isinstance(error, errors.AgentPlatformError) else name
    # A server may send half a surrogate pair, which cannot be written in UTF-8.
    return text.encode(errors="backslashreplace").decode()


NO_FIND = "nothing looks for its object: pass Batch(..., find=), or call batch.assign() or batch.forget()"
NOT_FOUND = "find did not find its object, which may still appear; the next run looks again"


class PostponedError(Exception):
    """A request was not carried out, and may be sent later, such as after a 429.

    Attributes:
        item: The row, `planned` again.
        cause: Its error; None if the row was withdrawn because another one got an error.
    """

    def __init__(self, item: BatchItem, cause: Exception | None) -> None:
        super().__init__(item.key)
        self.item = item
        self.cause = cause


@attrs.define(eq=False)
class Flight:
    """A row in flight.

    Attributes:
        item: What the store has of it.
        arguments: The arguments of its request.
        may_send: Returns whether its request may still be sent.
        on_accepted: Called when its object is there.
        round: The round of the capacity in which it got its place.
        is_sent: Whether its request may have left; it has not left before.
        is_accepted: Whether its object is there.
        is_sending: Whether it must not be cancelled, because its request may have left and its outcome is not kept yet.
        is_ended: Whether the run ends: what is sent comes to its end, and nothing follows.
    """

    item: BatchItem
    arguments: Mapping[str, Any]
    may_send: Callable[[Flight], bool]
    on_accepted: Callable[[Flight], None]
    round: int = 0
    is_sent: bool = False
    is_accepted: bool = False
    is_sending: bool = False
    is_ended: bool = False

    def accept(self) -> None:
        """Note that its object is there."""
        if not self.is_accepted:
            self.is_accepted = True
            self.on_accepted(self)


@attrs.frozen
class RowSteps:
    """The steps of a row.

    Attributes:
        store: Where it is kept.
        calls: The functions of the batch.
        wait: The arguments of the wait; None if nothing is waited for.
    """

    store: BatchStore
    calls: Calls
    wait: Mapping[str, Any] | None = None

    async def advance(self, flight: Flight) -> BatchItem:
        """Take a row as far as it goes, and return it.

        Raises:
            PostponedError: Its request was not carried out, and may be sent later.
            Exception: Other rows would fail in the same way; the next run continues this one from its state.
        """
        # Its new state was not delivered yet.
        item = attrs.evolve(flight.item, delivered=False)
        if item.state in ("sending", "unknown"):
            item = await self.recover(item)
        if item.state == "planned":
            item = await self.send(item, flight)
            if item.state == "unknown" and not flight.is_ended:
                item = await self.recover(item)
                if item.state == "planned":
                    item = await self.send(item, flight)
        if item.state != "created" or flight.is_ended:
            return item
        flight.accept()
        return await self.wait_for(item)

    async def send(self, item: BatchItem, flight: Flight) -> BatchItem:
        """Create the object of a row; a server that cannot be reached is tried again, as the retry policy says."""
        options = options_of(self.calls.create, flight.arguments)
        policy = (options and options.retry) or RetryPolicy()
        tried = 0
        while True:
            tried += 1
            flight.is_sent = False
            try:
                return await self._send_once(item, flight, options)
            except errors.ConnectionFailedError as error:
                delay = None if options is None else policy.decide("POST", error, tried, math.inf).delay
                if delay is None or flight.is_ended:
                    raise
                item = await self.store.read(item.key) or item
            finally:
                flight.is_sending = False
            await asyncio.sleep(delay)

    async def _send_once(self, item: BatchItem, flight: Flight, options: RequestOptions | None) -> BatchItem:
        arguments = flight.arguments
        on_send = None if options is None else options.on_send

        async def begin() -> None:
            nonlocal item
            if on_send is not None:
                await on_send()
            if not flight.may_send(flight):
                raise PostponedError(item, None)
            flight.is_sent = flight.is_sending = True
            item = await self.keep(item, state="sending", attempts=item.attempts + 1, error=None)

        if options is None:
            await begin()
        else:
            # One attempt: whether and when another one is made is for the batch to say, which knows who holds a place.
            options = attrs.evolve(options, attempts=1, on_send=begin)
            arguments = {**arguments, "options": options}
        try:
            created = await self.calls.create(**arguments)
        except (BatchStoreError, PostponedError):
            # Of `begin`: nothing was sent.
            raise
        except Exception as error:
            verdict = judge(error)
            if verdict == "unknown" and not flight.is_sent:
                verdict = "stop"
            state: State = verdict if verdict == "failed" or verdict == "unknown" else "planned"
            item = await self.keep(item, state=state, error=describe(error))
            if verdict == "postponed":
                raise PostponedError(item, error) from error
            if verdict == "stop" or not isinstance(error, errors.AgentPlatformError):
                # Others would meet it, too; what is not of the SDK is a mistake in the caller's function.
                raise
            return item
        if self.wait is not None:
            flight.accept()
        return await self.keep_created(item, created)

    async def keep_created(self, item: BatchItem, created: Any) -> BatchItem:
        """Keep the object of a row."""
        result = as_mapping(created)
        try:
            name = self.calls.id_of(created)
        except Exception as error:
            # The object exists, and its id is not known: nothing is sent again for this row.
            await self.keep(item, state="unknown", result=result, error=f"created, but: {describe(error)}")
            raise
        state = "created" if self.wait is not None else "settled"
        try:
            return await self.keep(item, state=state, id=name, result=result, error=None)
        except (IdTakenError, UnicodeEncodeError) as error:
            # Half a surrogate pair is text in JSON, and cannot be written in UTF-8.
            return await self.keep(item, state="unknown", result=result, error=f"its id cannot be kept: {error}")

    async def recover(self, item: BatchItem) -> BatchItem:
        """Look for the object of a request that may or may not have been carried out; never guess."""
        if self.calls.find is None:
            return await self.keep(item, state="unknown", error=_join(item.error, NO_FIND))
        try:
            found = await self.calls.find(item.key)
        except errors.AgentPlatformError as error:
            item = await self.keep(item, state="unknown", error=describe(error))
            if concerns_all(error) or isinstance(error, errors.InvalidArgumentError):
                raise
            return item
        if found is None:
            return await self.keep(item, state="unknown", error=_join(item.error, NOT_FOUND))
        if found is NOT_SENT:
            return await self.keep(item, state="planned", error=None)
        return await self.keep_created(item, found)

    async def wait_for(self, item: BatchItem) -> BatchItem:
        """Wait for the object of a row, if there is something to wait for."""
        if self.wait is None or self.calls.wait is None or item.id is None:
            return await self.keep(item, state="settled", reason=None)
        try:
            outcome = await self.calls.wait(item.id, **self.wait)
        except errors.AgentPlatformError as error:
            if concerns_all(error) or isinstance(error, errors.InvalidArgumentError):
                raise
            return await self.keep(item, error=describe(error))
        result = item.result if outcome.last is None else as_mapping(outcome.last)
        text = None if outcome.error is None else describe(outcome.error)
        # The deadline of a wait ends the wait, and not the work: the next run waits again.
        state = "created" if outcome.reason == "deadline" else "settled"
        return await self.keep(item, state=state, result=result, reason=outcome.reason, error=text)

    async def release(self, before: BatchItem) -> BatchItem:
        """Release the object of a row; once more where an earlier release has an unknown outcome."""
        assert self.calls.release is not None
        assert before.id is not None
        began_before = before.state == "releasing"
        item = await self.keep(before, state="releasing", error=None)
        try:
            await self.calls.release(before.id)
        except Exception as error:
            if not (began_before and isinstance(error, errors.NotFoundError)):
                # Again does no harm: it names this object, and no other.
                state = "releasing" if began_before or judge(error) == "unknown" else before.state
                await self.keep(item, state=state, error=describe(error))
                raise
        return await self.keep(item, state="released")

    async def keep(self, item: BatchItem, **changes: Any) -> BatchItem:
        """Write a row with some changes, and return it."""
        changed = attrs.evolve(item, **changes)
        await self.store.write(changed)
        return changed


def _join(error: str | None, more: str) -> str:
    return more if error is None or more in error else f"{error}; {more}"
