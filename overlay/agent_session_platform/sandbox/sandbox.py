"""The sandbox as its users see it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from ..platform import AgentPlatform
from .application import Application
from .control import Control
from .http import JournalAndFaults, make_app
from .population import ORGANIZATIONS
from .snapshots import BEGINNING
from .time import START

if TYPE_CHECKING:
    import httpx
    from starlette.types import ASGIApp

# Fixed, so that scripts can name them; they give access to nothing but sandboxes.
TOKEN: Final = "svc_sandbox_admin"
VIEWER_TOKEN: Final = "svc_sandbox_viewer"
PERSONAL_TOKEN: Final = "pat-sandbox"
ADMIN_KEY: Final = "apk_user_sandbox"


class Sandbox(Application):
    """A double of the platform in memory, with two organizations, and credentials for them.

    Almost all of its methods are available over HTTP, too: `GET /_sandbox` lists the addresses, and `/` is a page.

    Args:
        now: The time at which the clock stands until `clock.advance(hours=1)` moves it and runs what is due, or a
            function that makes it tick. Must have a timezone.
        strict: Whether credentials and permissions are checked, also those of users whom a request impersonates.

    Attributes:
        token: Service user with all permissions.
        viewer_token: Service user with ViewOrgSessions only.
        personal_token: Personal access token.
        admin_key: Personal API key of an enterprise administrator.
        clock: Time of the sandbox.
        rate_limit: A `RateLimit`, or None.
        faults: Scripted faults; `faults.add(...)` lets requests fail.
        journal: The requests that were received.
        snapshots: States that are kept and restored.
        assumptions: What the sandbox does where the API's description is silent. `handle`, `require` and `accept`
            change it.

    Raises:
        ValueError: *now* has no timezone.

    Example:
        sandbox = Sandbox()
        async with sandbox.client() as platform:
            session = await platform.organization("org-acme").sessions.create(extra_body={"prompt": "Fix it"})
    """

    base_url: Final = "http://sandbox.invalid"
    token: Final = TOKEN
    viewer_token: Final = VIEWER_TOKEN
    personal_token: Final = PERSONAL_TOKEN
    admin_key: Final = ADMIN_KEY

    def __init__(self, *, now: datetime | Callable[[], datetime] = START, strict: bool = True) -> None:
        super().__init__(now, strict=strict)
        for org_id in ORGANIZATIONS:
            self.add_organization(org_id)
        self.accounts.add(TOKEN, "serviceUser")
        self.accounts.add(VIEWER_TOKEN, "serviceUser", {"ViewOrgSessions"})
        self.accounts.add(PERSONAL_TOKEN, "personalAccessToken")
        self.accounts.add(ADMIN_KEY, "enterpriseAdminApiKey")
        self.snapshots.take(BEGINNING)
        api = JournalAndFaults(make_app(self._context), self.clock, self.journal, self.faults)
        self.app: ASGIApp = Control(self, api)

    def transport(self) -> httpx.AsyncBaseTransport:
        """Return an httpx transport into this process, without a socket."""
        from .http.in_process import InProcess

        return InProcess(app=self.app)

    def client(self, token: str = TOKEN, **settings: Any) -> AgentPlatform:
        """Return a client of this sandbox, in process.

        Args:
            token: The credential.
            settings: Further arguments of `AgentPlatform`.
        """
        settings = {"organization": ORGANIZATIONS[0], "transport": self.transport(), **settings}
        return AgentPlatform(self.base_url, token, **settings)

    def serve(self, port: int = 0) -> AbstractContextManager[str]:
        """Serve on the loopback interface while the context lasts, and yield the base URL.

        Args:
            port: Port to listen on; 0 takes a free one.

        Raises:
            OSError: The port cannot be used.
        """
        from .http.server import serve

        return serve(self.app, port)
