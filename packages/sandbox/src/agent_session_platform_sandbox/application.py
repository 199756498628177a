"""The application: a sandbox without its clients and servers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from inspect import iscoroutinefunction
from typing import Any

from agent_session_platform import InvalidArgumentError, gaps

from .api import Api
from .assumptions import Assumption, OpenGap, list_assumptions, list_open_gaps
from .clock import Clock
from .contract import Requirement, operation_named
from .faults import Faults, RateLimit
from .fields import text_set
from .handlers import Handler
from .journal import Journal
from .lists import selections
from .population import Population, add_seed
from .problems import is_seconds
from .resources import HANDLERS, RUNS, repositories
from .script import Script, ScriptData, read_script
from .snapshots import BEGINNING, Snapshots
from .state import State, synchronized
from .validation import check_json


@synchronized
class Application(Population):
    """State, time and behaviour of a sandbox; the module `control` controls it over HTTP.

    Args:
        now: The fixed time of the clock, or a function that returns the current time.
        strict: True to check credentials and permissions.
    """

    __slots__ = ("_api", "clock", "faults", "journal", "snapshots")

    def __init__(self, now: datetime | Callable[[], datetime], *, strict: bool) -> None:
        self.clock = Clock(now)
        super().__init__(State(self.clock, RUNS))
        self.snapshots = Snapshots(self.state)
        self.journal = Journal(self.accounts.redact)
        self.faults = Faults()
        self._api = Api(self.state, strict=strict)

    @property
    def rate_limit(self) -> RateLimit | None:
        """The rate limit of all requests to the API; None by default."""
        return self._api.rate_limit

    @rate_limit.setter
    def rate_limit(self, rate_limit: RateLimit | None) -> None:
        self._api.rate_limit = rate_limit

    @property
    def session_capacity(self) -> int | None:
        """The number of open sessions that an organization may have; None, the default, for any number.

        A request for one more session is refused with 429, until a session is archived or terminated.
        """
        return self.state.session_capacity

    @session_capacity.setter
    def session_capacity(self, capacity: int | None) -> None:
        check_json({"type": ["integer", "null"], "minimum": 0}, capacity, "session_capacity")
        self.state.session_capacity = capacity

    @property
    def capacity_retry_after(self) -> float | None:
        """Seconds in the Retry-After header when one more session is refused; None, the default, for no header."""
        return self.state.capacity_retry_after

    @capacity_retry_after.setter
    def capacity_retry_after(self, seconds: float | None) -> None:
        if seconds is not None and not is_seconds(seconds):
            raise InvalidArgumentError(f"capacity_retry_after must be a number of seconds or None, not {seconds!r}")
        self.state.capacity_retry_after = seconds

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """The assumptions of the sandbox where the API's description is silent, and how to change them."""
        return list_assumptions(gaps, HANDLERS, selections(self._api.routes.values()))

    @property
    def open_gaps(self) -> tuple[OpenGap, ...]:
        """The gaps of the description about which the sandbox assumes nothing, and why."""
        return list_open_gaps(gaps)

    def handle(self, operation: str, handler: Handler) -> None:
        """Replace the handler of an operation. Requests are authorized and validated before it is called.

        Args:
            operation: Name or id of the operation.
            handler: A function that gets the Call, and returns a Reply or raises RefusedError.

        Raises:
            UnknownOperationError: There is no such operation (a KeyError).

        Example:
            sandbox.handle("enterprise.reviews.create", lambda call: Reply({"status": "running"}))
        """
        self._api.handlers[operation_named(operation).id] = handler

    def on_message(self, script: Script | ScriptData) -> None:
        """Say what the assistant does after each message of a user: with a function, or with data.

        The function is called for each message that is sent through the API, and for the prompt of each session that a
        request, a schedule or an automation creates. The turns that it returns are taken at once, or later by the
        sandbox's clock. Delays count from the message.

        Args:
            script: A function that gets a `SentMessage`, and returns a text, a `Turn`, a sequence of these or
                None for nothing. The function may also call methods of the sandbox; other requests wait meanwhile.
                Or data: what such a function would return, for each message; or a mapping with `rules`, whose first one
                that applies has the `turns`. A rule may say what the text `contains` (a list, of which one is enough),
                and the `number` of the message in its session. A turn may be a mapping with the arguments of `Turn`.
                None as the script restores the default: the assistant sends the same text after each message, and
                nothing after a prompt.

        Raises:
            InvalidArgumentError: The script is neither a function nor data, or is a coroutine function.
            ValueError: The data is not a script. The message names the place.

        Example:
            def script(message):
                return [
                    Turn(after=60, fields={"status": "working"}),
                    Turn("Done.", after=600, fields={"status": "ready"}),
                ]

            sandbox.on_message(script)
            session = await organization.sessions.create(prompt="Fix it")
            sandbox.clock.advance(minutes=1)     # The session's status is "working".
            sandbox.clock.advance(minutes=9)     # It is "ready", and has another message.

            question = {"text": "Also the examples?", "fields": {"status": "question"}}
            sandbox.on_message({"rules": [{"contains": ["docs"], "turns": [question]}, {"turns": ["Done."]}]})
        """
        if iscoroutinefunction(script):
            raise InvalidArgumentError("the script must be a plain function: it is called, and not awaited")
        if script is not None and not callable(script):
            script = read_script(script, self.state.now())
        self.state.script = script

    def require(
        self,
        operation: str,
        *,
        permissions: Iterable[str] | None = None,
        level: str | None = None,
        kinds: Iterable[str] | None = None,
    ) -> None:
        """Change the credential that an operation requires. A setting of None stays as it is.

        Args:
            operation: Name or id of the operation.
            permissions: Permissions that must all be held; empty requires none.
            level: `enterprise` or `organization`.
            kinds: Accepted kinds of credentials; empty accepts any.

        Raises:
            UnknownOperationError: There is no such operation (a KeyError).
            ValueError: There is no such kind or level.
            InvalidArgumentError: The permissions or the kinds are a single text.
        """
        operation_id = operation_named(operation).id
        before = self._api.requirements[operation_id]
        self._api.requirements[operation_id] = Requirement(
            before.kinds if kinds is None else _in_order("kinds", kinds),
            before.permissions if permissions is None else _in_order("permissions", permissions),
            before.level if level is None else level,
        )

    def accept(self, operation: str, *parameters: str) -> None:
        """Accept query parameters that the contract does not have. A handler finds them as text in `Call.query`.

        A parameter that the contract has is read as before.

        Raises:
            UnknownOperationError: There is no such operation (a KeyError).
            InvalidArgumentError: A name is not text.
        """
        text_set("parameters", parameters)
        self._api.accepted.setdefault(operation_named(operation).id, set()).update(parameters)

    def reset(self) -> None:
        """Restore the initial state and time, and clear the journal, the faults, the rate limit and the capacity.

        The changes made by `handle`, `on_message`, `require` and `accept` stay.
        """
        self.snapshots.restore(BEGINNING)
        self.journal.reset()
        self.faults.clear()
        self.rate_limit = None
        self.session_capacity = self.capacity_retry_after = None

    def seed(self, document: Mapping[str, Any]) -> dict[str, list[str]]:
        """Add all items of a seed, or none if one of them is not valid.

        Args:
            document: The lists, such as `{"sessions": [{"title": "Fix it"}]}`.

        Returns:
            The ids of the added items, by list.

        Raises:
            ValueError: A list or an item is not valid. The message names the place and suggests a correction.
        """
        return add_seed(self, document)

    def settle_reviews(self, status: str = "completed") -> list[dict[str, Any]]:
        """Set the status of all pending and running reviews, and return them.

        On the platform, workers do this. No operation of the API reads a review after its creation.

        Args:
            status: `running`, `completed`, `errored` or `cancelled`.

        Raises:
            ValueError: There is no such status.
        """
        return repositories.settle_reviews(self.state, status)


def _in_order(name: str, values: Iterable[str]) -> tuple[str, ...]:
    """Return texts in a fixed order, because the first one that a credential lacks is named."""
    return tuple(sorted(text_set(name, values)))
