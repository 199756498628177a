"""The application: a sandbox without the ways into it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from .assumptions import GENERAL, Assumption, OpenGap, list_assumptions, list_open_gaps, parse_assumptions
from .contract import Requirement, operation_named
from .handlers import Handler
from .http import ApplicationContext, Faults, RateLimit
from .journal import Journal
from .population import Population, add_seed
from .resources import ASSUMPTIONS, HANDLERS, RUNS, reviews
from .snapshots import BEGINNING, Snapshots
from .state import State, synchronized
from .time import Clock

# Query parameters that one operation can be made to accept, and characters of each.
MAX_ACCEPTED: Final = 200


@synchronized
class Application(Population):
    """State, time and behaviour of a sandbox; the package `control` controls it over HTTP.

    Args:
        now: The fixed time of the clock, or a function that returns the current time.
        strict: True to check credentials and permissions.
    """

    def __init__(self, now: datetime | Callable[[], datetime], *, strict: bool) -> None:
        self.clock = Clock(now)
        super().__init__(State(self.clock, RUNS))
        self.snapshots = Snapshots(self.state)
        self.journal = Journal(self.accounts.redact)
        self.faults = Faults()
        self._context = ApplicationContext(self.state, strict)

    @property
    def rate_limit(self) -> RateLimit | None:
        """The rate limit of all requests to the API; None by default."""
        return self._context.rate_limit

    @rate_limit.setter
    def rate_limit(self, rate_limit: RateLimit | None) -> None:
        self._context.rate_limit = rate_limit

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """The assumptions of the sandbox where the API's description is silent, and how to change them."""
        return list_assumptions((*parse_assumptions(GENERAL), *ASSUMPTIONS), HANDLERS)

    @property
    def open_gaps(self) -> tuple[OpenGap, ...]:
        """The gaps of the description about which the sandbox assumes nothing, and why."""
        return list_open_gaps()

    @property
    def undecided(self) -> tuple[OpenGap, ...]:
        """The same as `open_gaps`."""
        return self.open_gaps

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
        self._context.handlers[operation_named(operation).id] = handler

    def require(
        self,
        operation: str,
        *,
        permissions: Iterable[str] | None = None,
        level: str | None = None,
        kinds: Iterable[str] | None = None,
    ) -> None:
        """Change the credential that an operation requires. A setting of None does not change.

        Args:
            operation: Name or id of the operation.
            permissions: Permissions that must all be held; empty requires none.
            level: `enterprise` or `organization`.
            kinds: Accepted kinds of credentials; empty accepts any.

        Raises:
            UnknownOperationError: There is no such operation (a KeyError).
            ValueError: There is no such kind or level.
        """
        operation_id = operation_named(operation).id
        before = self._context.requirements[operation_id]
        self._context.requirements[operation_id] = Requirement(
            before.kinds if kinds is None else tuple(kinds),
            before.permissions if permissions is None else tuple(permissions),
            level or before.level,
        )

    def accept(self, operation: str, *parameters: str) -> None:
        """Accept query parameters that the contract does not have, as text in the `query` of the Call.

        Raises:
            UnknownOperationError: There is no such operation (a KeyError).
            ValueError: A name is too long, or the operation would accept too many.
        """
        operation_id = operation_named(operation).id
        accepted = {*self._context.accepted.get(operation_id, ()), *parameters}
        if len(accepted) > MAX_ACCEPTED or any(len(name) > MAX_ACCEPTED for name in parameters):
            raise ValueError(f"an operation accepts at most {MAX_ACCEPTED} names of at most {MAX_ACCEPTED} characters")
        self._context.accepted[operation_id] = accepted

    def reset(self) -> None:
        """Restore the initial state and time, and clear the journal, the faults and the rate limit.

        The changes made by `handle`, `require` and `accept` stay.
        """
        self.snapshots.restore(BEGINNING)
        self.journal.reset()
        self.faults.clear()
        self.rate_limit = None

    def seed(self, document: Mapping[str, Any]) -> dict[str, list[str]]:
        """Add all items of a seed, or none if one of them is not valid.

        Args:
            document: The lists, such as `{"sessions": [{"title": "Fix it"}]}`.

        Returns:
            The ids of what was added, by list.

        Raises:
            ValueError: A list or an item is not valid. The message names the place and suggests a correction.
        """
        return add_seed(self, document)

    def settle_reviews(self, status: str = "completed") -> list[dict[str, Any]]:
        """Set the status of all pending and running reviews, and return them.

        On the platform, its workers do so. No operation of the API reads a review again.

        Args:
            status: `running`, `completed`, `errored` or `cancelled`.

        Raises:
            ValueError: There is no such status.
        """
        return reviews.settle(self.state, status)
