"""One row of a batch: its steps, the functions that they call, and the meaning of errors."""

from __future__ import annotations

import asyncio
import reprlib
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from inspect import iscoroutinefunction, signature
from typing import Any, Final, Literal, TypeAlias, cast

import attrs
from agent_session_platform import (
    InvalidArgumentError,
    Outcome,
    RequestOptions,
    RetryPolicy,
    errors,
    operations,
    to_json,
)

from ..lists.pages import base_url_of
from ..states import named_states
from .item import BatchItem, BatchStore, BatchStoreError, IdTakenError, State

Create: TypeAlias = Callable[..., Awaitable[Any]]
Finder: TypeAlias = Callable[[str], Awaitable[Any]]
Waiter: TypeAlias = Callable[..., Awaitable[Outcome[Any]]]
Until: TypeAlias = Mapping[str, Any] | Callable[[Any], bool]
NamedStates: TypeAlias = Literal["states"]
"""The states that the contract of a private build names."""
ResourceId: TypeAlias = str | Callable[[Any], str]


class NotSent:
    """The type of `NOT_SENT`."""

    def __repr__(self) -> str:
        return "NOT_SENT"


NOT_SENT: Final = NotSent()
"""Returned by `find` if the request of a row was not carried out and never will be: the row is sent again."""


@attrs.frozen
class Calls:
    """The functions of a batch.

    Attributes:
        create: Creates the object of a row.
        id: The field with the id of an object, or a function that returns it; None if the contract declares the field.
        wait: Waits for an object, by default the `wait` of the resource of `create`; None if there is no such function.
        find: Looks for the object of a row by its key; None if there is no such function.
        release: Releases an object by its id; None if there is no such function.
    """

    create: Create
    id: ResourceId | None
    wait: Waiter | None
    find: Finder | None
    release: Finder | None

    def check(self, key: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Check that `create` takes the arguments of a row, and return them.

        Raises:
            InvalidArgumentError: `create` does not take the arguments.
        """
        if not isinstance(arguments, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers without a type checker
            text = f"arguments must return a mapping for row {key!r}"
            raise InvalidArgumentError(f"{text}, not {reprlib.repr(arguments)}")
        try:
            operations.check_arguments(self.create, arguments)
        except InvalidArgumentError as error:
            raise InvalidArgumentError(f"create does not take the arguments of row {key!r}: {error}") from None
        return arguments

    async def read(self, id: str) -> Any:
        """Return the object with an id, by the `get` of the resource that `create` is a method of.

        Returns:
            The object; None if there is no `get` that takes an id alone.

        Raises:
            InvalidArgumentError: There is no such object.
            AgentPlatformError: The object could not be read.
        """
        get = method_beside(self.create, "get")
        try:
            signature(get).bind(id)
        except TypeError:
            return None
        try:
            return await get(id)
        except errors.NotFoundError as error:
            raise InvalidArgumentError(f"there is no object with the id {id!r}: {error}") from None

    def id_of(self, created: Any) -> str:
        """Return the id of an object.

        Raises:
            InvalidArgumentError: The contract declares no id, or the object has none.
        """
        field = self.id or operations.resource_id(created.__class__)
        if field is None:
            text = "pass Batch(..., id=) the field with the id, or a function that returns the id"
            raise InvalidArgumentError(f"the contract declares no id for {type(created).__name__}: {text}")
        found: Any = field(created) if callable(field) else (as_mapping(created) or {}).get(field)
        if not isinstance(found, str) or not found:
            raise InvalidArgumentError(f"the id of {type(created).__name__} must be non-empty text (id={field!r})")
        return found


def check_id(id: str) -> str:
    """Return the id of an object as plain text.

    Raises:
        InvalidArgumentError: The value cannot be an id.
    """
    text = plain_text(id)
    if text is None or not text.strip():
        raise InvalidArgumentError(f"id must be text that is not empty, not {reprlib.repr(id)}")
    return text


def plain_text(value: object) -> str | None:
    """Return text that is not empty; a member of an Enum that is text stands for its value.

    Returns:
        The text; None for any other value, and for half of a surrogate pair, which no file or request can contain.
    """
    if not isinstance(value, str) or not value or any("\ud800" <= character <= "\udfff" for character in value):
        return None
    return str.__str__(value)


def as_mapping(value: Any) -> Mapping[str, Any] | None:
    """Return a value as a JSON object; None if it is something else."""
    try:
        shown = to_json(value)
    except TypeError:
        return None
    return cast("dict[str, Any]", shown) if isinstance(shown, dict) else None


def method_beside(create: Create, name: str) -> Any:
    """Return another method of the resource that *create* is a method of, such as `wait`; None if there is none."""
    method: Any = create.func if isinstance(create, partial) else create
    return getattr(getattr(method, "__self__", None), name, None)


def target_of(create: Create) -> str | None:
    """Return where *create* creates objects: the operation, its path arguments and the server.

    Returns:
        Text for people and for comparison; None if *create* is no method of a client.
    """
    try:
        name = str(operations.of(create))
    except InvalidArgumentError:
        return None
    with suppress(InvalidArgumentError):
        # Otherwise the path arguments are part of each row, and so they are not part of the target.
        name = operations.source_of(create)
    return f"{name} at {base_url_of(create)}"


def wait_arguments(
    wait: Waiter | None,
    until: Until | NamedStates | None,
    unexpected: Until | None,
    timeout: float,
    every: float,
) -> Mapping[str, Any] | None:
    """Return the arguments of a wait; None if nothing is waited for.

    Raises:
        InvalidArgumentError: An argument is wrong, or no function waits.
    """
    if until is None:
        if unexpected is not None:
            raise InvalidArgumentError("unexpected ends a wait, and without until nothing is waited for: pass both")
        return None
    if wait is None:
        text = "an async function that takes (id, until=, unexpected=, timeout=, every=) and returns an Outcome"
        raise InvalidArgumentError(f"create is not a method of a resource with `wait`: pass Batch(..., wait=) {text}")
    if until == "states":
        until = named_states(wait, "until='states'")
    # The arguments of the wait are checked here, before any object is created.
    given: dict[str, object] = {"until": until, "unexpected": unexpected}
    for name, wanted in given.items():
        is_function = callable(wanted) and not iscoroutinefunction(wanted)
        if not is_function and wanted is not None and (wanted == {} or not isinstance(wanted, Mapping)):
            raise InvalidArgumentError(f"{name} must be a mapping of fields to values, or a function that is not async")
    return {**given, "timeout": timeout, "every": every}


def options_of(create: Create, arguments: Mapping[str, Any]) -> RequestOptions | None:
    """Return the options of a call; None if *create* is no method of the client and takes none."""
    try:
        operations.of(create)
    except InvalidArgumentError:
        return None
    bound: Mapping[str, Any] = create.keywords if isinstance(create, partial) else {}
    given = {**bound, **arguments}.get("options")
    return given if isinstance(given, RequestOptions) else RequestOptions() if given is None else None


Verdict: TypeAlias = Literal["postponed", "stop", "failed", "unknown"]
"""`postponed`: nothing was carried out, and the row may be sent again later. `stop`: nothing was carried out,
and other rows would fail in the same way. `failed`: nothing was carried out, because of this row. `unknown`: the
request may have been carried out."""


CONCERN_ALL: Final = (
    errors.AuthenticationError,
    errors.ConfigurationError,
    errors.CredentialMismatchError,
    errors.PermissionDeniedError,
)


def concerns_all(error: BaseException) -> bool:
    """Return whether other rows would meet the same error."""
    is_unreachable = isinstance(error, errors.ConnectionFailedError) and not error.may_have_arrived
    return is_unreachable or isinstance(error, CONCERN_ALL)


def judge(error: BaseException) -> Verdict:
    """Return the verdict about an error of `create`: whether the request was carried out, and what to do next.

    Nothing was carried out after a 429, after a call that got no permit or connection in time, and if the server cannot
    be reached. After a 5xx, a success that cannot be read, or an error that is not the SDK's, the outcome is unknown.
    """
    if isinstance(error, errors.RateLimitedError | errors.DeadlineExceededError | errors.PoolTimeoutError):
        return "postponed"
    if concerns_all(error):
        return "stop"
    is_refusal = isinstance(error, errors.ProblemError) and not isinstance(error, errors.ServerError)
    return "failed" if is_refusal or isinstance(error, InvalidArgumentError) else "unknown"


def describe(error: BaseException) -> str:
    """Return an error as text for the store.

    Messages of the SDK contain no credential, so they are kept. For any other error, only the type is kept.
    """
    name = type(error).__name__
    text = f"{name}: {error}" if isinstance(error, errors.AgentPlatformError) else name
    # A server may send half of a surrogate pair, which UTF-8 cannot encode.
    return text.encode(errors="backslashreplace").decode()


NO_FIND = "the batch has no `find`: look for the object yourself, then assign it to the row, or forget the row"
NOT_FOUND = "find did not find its object, which may still appear; the next run looks again"


class PostponedError(Exception):
    """A request was not carried out, and may be sent later, such as after a 429.

    Attributes:
        item: The row, `planned` again.
        cause: The error of the request; None if the row was withdrawn because another row got an error.
    """

    def __init__(self, item: BatchItem, cause: Exception | None) -> None:
        super().__init__(item.key)
        self.item = item
        self.cause = cause


@attrs.define(eq=False)
class Flight:
    """A row in flight.

    Attributes:
        item: The row, as the store has it.
        arguments: The arguments of its request.
        may_send: Returns whether its request may still be sent.
        on_accepted: Called when its object exists.
        round: The round of the capacity in which the row got its place.
        is_sent: Whether its request may have been sent.
        is_accepted: Whether its object exists.
        is_sending: Whether its request may have been sent, and the outcome is not kept yet. Then do not cancel the row.
        is_ended: Whether the run ends: a request that was sent is awaited, and nothing follows.
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
        """Record that its object exists."""
        if not self.is_accepted:
            self.is_accepted = True
            self.on_accepted(self)


@attrs.frozen
class RowSteps:
    """The steps of a row.

    Attributes:
        store: The store of the row.
        calls: The functions of the batch.
        wait: The arguments of the wait; None if nothing is waited for.
    """

    store: BatchStore
    calls: Calls
    wait: Mapping[str, Any] | None = None

    async def advance(self, flight: Flight) -> BatchItem:
        """Carry out all steps of a row that are possible now, and return the row.

        Raises:
            PostponedError: Its request was not carried out, and may be sent later.
            Exception: Other rows would fail in the same way. The next run continues the row from its state.
        """
        # The row has a new state, which was not delivered yet.
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
        """Create the object of a row. If the server cannot be reached, try again as the retry policy says."""
        options = options_of(self.calls.create, flight.arguments)
        policy = (options and options.retry) or RetryPolicy()
        tried = 0
        while True:
            tried += 1
            flight.is_sent = False
            try:
                return await self._send_once(item, flight, options)
            except errors.ConnectionFailedError as error:
                may_try_again = options is not None and tried < policy.attempts and policy.is_retryable("POST", error)
                if flight.is_ended or not may_try_again:
                    raise
                item = await self.store.read(item.key) or item
            finally:
                flight.is_sending = False
            await asyncio.sleep(policy.backoff(tried))

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
            # Each call has only one attempt. The batch decides when to try again, because it knows the free places.
            options = attrs.evolve(options, attempts=1, on_send=begin)
            arguments = {**arguments, "options": options}
        try:
            created = await self.calls.create(**arguments)
        except (BatchStoreError, PostponedError):
            # These errors come from `begin`, before anything was sent.
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
                # Other rows would get the same error, or the caller's function has a mistake.
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
            # The object exists, but its id is not known. So nothing is sent again for this row.
            await self.keep(item, state="unknown", result=result, error=f"created, but: {describe(error)}")
            raise
        state = "created" if self.wait is not None else "settled"
        try:
            return await self.keep(item, state=state, id=name, result=result, error=None)
        except (IdTakenError, UnicodeEncodeError) as error:
            # The id has half of a surrogate pair. JSON allows this, but UTF-8 cannot encode it.
            return await self.keep(item, state="unknown", result=result, error=f"its id cannot be kept: {error}")

    async def recover(self, item: BatchItem) -> BatchItem:
        """Look for the object of a request that may or may not have been carried out.

        If it is not found, the outcome stays unknown, unless `find` says that nothing was sent.
        """
        if self.calls.find is None:
            return await self.keep(item, state="unknown", error=_join(item.error, NO_FIND))
        try:
            found = await self.calls.find(item.key)
        except errors.AgentPlatformError as error:
            item = await self.keep(item, state="unknown", error=describe(error))
            if concerns_all(error) or isinstance(error, InvalidArgumentError):
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
            if concerns_all(error) or isinstance(error, InvalidArgumentError):
                raise
            return await self.keep(item, error=describe(error))
        result = item.result if outcome.last is None else as_mapping(outcome.last)
        text = None if outcome.error is None else describe(outcome.error)
        # The deadline ends only the wait, and not the work on the platform. So the next run waits again.
        state = "created" if outcome.reason == "deadline" else "settled"
        return await self.keep(item, state=state, result=result, reason=outcome.reason, error=text)

    async def release(self, before: BatchItem) -> BatchItem:
        """Release the object of a row. If the outcome of an earlier release is unknown, release the object again."""
        assert self.calls.release is not None
        assert before.id is not None
        began_before = before.state == "releasing"
        item = await self.keep(before, state="releasing", error=None)
        try:
            await self.calls.release(before.id)
        except Exception as error:
            if not (began_before and isinstance(error, errors.NotFoundError)):
                # Releasing again does no harm: the id names only this object.
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
