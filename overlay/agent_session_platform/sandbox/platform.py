"""The sandbox as its users see it: a platform with demo organizations and credentials, empty but for those."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from ..platform import AgentPlatform
from . import conventions
from .assumptions import Assumption
from .control.control import Control
from .http.app import House, make_app
from .http.call import Handler
from .http.faults import Faults
from .http.front import Front
from .http.limiter import RateLimit
from .journal.journal import Journal
from .operations import operation_named
from .population import ORGANIZATIONS, Population
from .resources import RUNS, reviews
from .seed import plant
from .snapshots.snapshots import BEGINNING, Snapshots
from .state.accounts import Requirement
from .state.state import State
from .time.clock import START, Clock
from .undecided import Undecided

if TYPE_CHECKING:
    import httpx
    from starlette.types import ASGIApp

# Fixed, so that a script can name them; they open nothing but a sandbox.
TOKEN: Final = "svc_sandbox_admin"
VIEWER_TOKEN: Final = "svc_sandbox_viewer"
PERSONAL_TOKEN: Final = "pat-sandbox"
ADMIN_KEY: Final = "apk_user_sandbox"


class Sandbox(Population):
    """A platform of its own, in memory.

    Its `clock` stands at *now* until `clock.advance(hours=1)` moves it and runs what is due; a function for *now* makes
    it tick. Raises ValueError for a *now* without a timezone.

    `token` may do everything that a service user may, `viewer_token` only ViewOrgSessions; `personal_token` is a
    personal access token and `admin_key` a personal API key of an enterprise administrator. Set `rate_limit` to switch
    a limit on, `faults.add(...)` to let something go wrong; `journal` has what was asked, `snapshots` keeps and brings
    back states. `assumptions` lists what it does where the API's description is silent, and how to change it:
    `handle` what an operation does, `require` what it asks of a credential, `accept` which query parameters it takes;
    `undecided` has the other gaps. Without *strict* nobody is asked for a credential or a permission, nor is anybody
    whom a request impersonates. Nearly all of it is to be had over HTTP, too: `GET /_sandbox` lists the addresses, and
    at `/` there is a page.
    """

    base_url: Final = "http://sandbox.invalid"
    token: Final = TOKEN
    viewer_token: Final = VIEWER_TOKEN
    personal_token: Final = PERSONAL_TOKEN
    admin_key: Final = ADMIN_KEY

    def __init__(self, *, now: datetime | Callable[[], datetime] = START, strict: bool = True) -> None:
        self.clock = Clock(now)
        super().__init__(State(self.clock, RUNS))
        self.rate_limit: RateLimit | None = None
        self.snapshots = Snapshots(self.state)
        self.journal = Journal(self.accounts.without_credentials, self.state.forgotten)
        self.faults = Faults()
        self._replaced: dict[str, Handler] = {}
        self._required: dict[str, Requirement] = {}
        self._accepted: dict[str, set[str]] = {}
        house = House(self.state, self.accounts, self._admit, strict, self._replaced, self._required, self._accepted)
        app = make_app(house)
        self.app: ASGIApp = Front(app, Control(self), self.clock, self.journal, self.faults)
        for org_id in ORGANIZATIONS:
            self.add_organization(org_id)
        self.accounts.add(TOKEN, "serviceUser")
        self.accounts.add(VIEWER_TOKEN, "serviceUser", {"ViewOrgSessions"})
        self.accounts.add(PERSONAL_TOKEN, "personalAccessToken")
        self.accounts.add(ADMIN_KEY, "enterpriseAdminApiKey")
        self.snapshots.take(BEGINNING)

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What the sandbox does where the API's description is silent, and how to change it."""
        return conventions.assumptions()

    @property
    def undecided(self) -> tuple[Undecided, ...]:
        """The other gaps of the description: nothing here depends on them, and why."""
        return conventions.undecided()

    def handle(self, operation: str, handler: Handler) -> None:
        """Let *operation* do something else: *handler* is given the Call, and gives the Reply or raises RefusedError.

        The request is authorized and validated before. Raises UnknownOperationError (a KeyError) for an operation that
        there is not.
        """
        self._replaced[operation_named(operation).id] = handler

    def require(
        self,
        operation: str,
        *,
        permissions: Iterable[str] | None = None,
        level: str | None = None,
        kinds: Iterable[str] | None = None,
    ) -> None:
        """Let *operation* ask something else of a credential; what is None stays as it is.

        All *permissions* (none: any) at *level*, `enterprise` or `organization`, of one of the *kinds* of credential
        (none: any). Raises KeyError for an operation that there is not, ValueError for a level or kind.
        """
        operation_id = operation_named(operation).id
        before = self._required[operation_id]
        self._required[operation_id] = Requirement(
            before.kinds if kinds is None else tuple(kinds),
            before.permissions if permissions is None else tuple(permissions),
            level or before.level,
        )

    def accept(self, operation: str, *parameters: str) -> None:
        """Let query parameters through that the contract does not know, as text in the `query` of the Call.

        Raises KeyError for an operation that there is not.
        """
        self._accepted.setdefault(operation_named(operation).id, set()).update(parameters)

    def reset(self) -> None:
        """Be as at the beginning: state, time, journal, and neither faults nor a rate limit.

        What `handle`, `require` and `accept` have changed stays as it is.
        """
        self.snapshots.restore(BEGINNING)
        self.journal.reset()
        self.faults.clear()
        self.rate_limit = None

    def seed(self, document: Mapping[str, Any]) -> dict[str, list[str]]:
        """Add what a document lists, such as `{"sessions": [{"title": "Fix it"}]}`, and give back the ids.

        All or nothing: raises ValueError for a list or a member that there is not, with what may have been meant.
        """
        return plant(self, document)

    def _admit(self) -> None:
        if self.rate_limit is not None:
            self.rate_limit.admit()

    def settle_reviews(self, status: str = "completed") -> list[dict[str, Any]]:
        """Bring the pending and running reviews to *status*, as the worker pool does, and give back what they became.

        No operation of the API reads a review again.
        """
        return reviews.settle(self.state, status)

    def transport(self) -> httpx.AsyncBaseTransport:
        """An httpx transport into this process: no socket."""
        from .http.in_process import InProcess

        return InProcess(app=self.app)

    def client(self, token: str = TOKEN, **settings: Any) -> AgentPlatform:
        """A client of this sandbox, in process; *settings* are those of AgentPlatform."""
        settings = {"organization": ORGANIZATIONS[0], "transport": self.transport(), **settings}
        return AgentPlatform(self.base_url, token, **settings)

    def serve(self, port: int = 0) -> AbstractContextManager[str]:
        """Serve on the loopback interface while the context lasts; gives the base URL. Port 0 takes a free one."""
        from .http.server import serve

        return serve(self.app, port)
