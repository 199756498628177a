"""The sandbox: the class that users create."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import httpx
from agent_session_platform import AgentPlatform, ConfigurationError, InvalidArgumentError

from .application import Application
from .clock import START
from .control import Control
from .faults import JournalAndFaults
from .population import ORGANIZATIONS
from .resources.sessions import FINISHED, session_states
from .script import Turn
from .server import EVERYWHERE, LOOPBACK, MAX_BODY, Guard, in_url, serve
from .snapshots import BEGINNING
from .validation import load_contract

if TYPE_CHECKING:
    from starlette.types import ASGIApp

# The credentials are fixed, so that scripts can name them. They give access to nothing but sandboxes.
TOKEN: Final = "svc_sandbox_admin"


class Sandbox(Application):
    """A double of the platform in memory, with two organizations, and credentials for them.

    Almost all of its methods are also available over HTTP: `GET /_sandbox` lists the addresses, and `/` is a page.

    Args:
        now: The fixed time of the clock, which `clock.advance(hours=1)` moves; or a function that returns the current
            time. Must have a timezone.
        strict: True to check credentials and permissions, including those of users that a request impersonates.
        max_body: Largest body of a request in bytes; by default 32 MiB. A longer body is refused with 413.
        finish_after: How long a session without a script works after each message, in seconds of the clock. Then the
            assistant sends the message "Finished." With None, the default, the status of a session stays as it is.
        finished_status: The status that a session gets after these seconds, such as "ready". The API's description
            names no status of a finished session; in a build whose contract does (`x-wait`), it is the default.

    Attributes:
        token: Service user with all permissions.
        viewer_token: Service user with ViewOrgSessions only.
        personal_token: Personal access token.
        admin_key: Personal API key of an enterprise administrator.
        clock: Time of the sandbox.
        rate_limit: A `RateLimit`, or None.
        faults: Scripted faults; `faults.add(...)` makes requests fail.
        journal: The requests that were received.
        snapshots: Saved states of the sandbox, which can be restored.
        assumptions: What the sandbox does where the API's description is silent. `handle`, `require` and `accept`
            change it.

    Raises:
        ValueError: *now* has no timezone, or is outside the years 1970 to 2199.
        InvalidArgumentError: Only one of `finish_after` and `finished_status` is given, or a value is not valid.

    Example:
        sandbox = Sandbox()
        async with sandbox.client() as platform:
            session = await platform.organization("org-acme").sessions.create(prompt="Fix it")
    """

    __slots__ = ("_control", "_max_body", "app")

    base_url: Final = "https://sandbox.invalid"
    token: Final = TOKEN
    viewer_token: Final = "svc_sandbox_viewer"
    personal_token: Final = "pat-sandbox"
    admin_key: Final = "apk_user_sandbox"

    def __init__(
        self,
        *,
        now: datetime | Callable[[], datetime] = START,
        strict: bool = True,
        max_body: int = MAX_BODY,
        finish_after: float | None = None,
        finished_status: str | None = None,
    ) -> None:
        super().__init__(now, strict=strict)
        if not isinstance(max_body, int) or isinstance(max_body, bool) or max_body < 0:
            raise InvalidArgumentError(f"max_body must be a number of bytes, 0 or more, not {max_body!r}")
        if finish_after is not None and finished_status is None:
            finished_status = next(iter(session_states(load_contract()).get("done", ())), None)
        if (finish_after is None) != (finished_status is None):
            raise InvalidArgumentError("finish_after and finished_status must be given together")
        if finish_after is not None and finished_status is not None:
            self.state.finish = Turn(FINISHED, after=finish_after, fields={"status": finished_status})
        for org_id in ORGANIZATIONS:
            self.add_organization(org_id)
        self.add_credential(TOKEN)
        self.add_credential(self.viewer_token, permissions={"ViewOrgSessions"})
        self.add_credential(self.personal_token, kind="personalAccessToken")
        self.add_credential(self.admin_key, kind="enterpriseAdminApiKey")
        self.snapshots.take(BEGINNING)
        self._control = Control(self, JournalAndFaults(self._api, self.clock, self.journal, self.faults))
        self._max_body = max_body
        self.app: ASGIApp = Guard(self._control, self.journal.redact, max_body)

    def transport(self) -> httpx.AsyncBaseTransport:
        """Return an httpx transport into this process, without a socket."""
        return httpx.ASGITransport(app=self.app)

    def client(self, token: str | Callable[[], str | Awaitable[str]] | None = None, **settings: Any) -> AgentPlatform:
        """Return a client of this sandbox, in process. Clients may be used in several event loops and threads at once.

        Args:
            token: The credential, or a function that returns it. The default is the `token` of the sandbox, unless the
                settings have a `token_file`.
            settings: Further arguments of `AgentPlatform`. With the `base_url` that `serve` yields, the client uses a
                socket.

        Raises:
            ConfigurationError: `transport` names a transport that needs a socket, and there is no `base_url`.
        """
        if isinstance(settings.get("transport"), str) and "base_url" not in settings:
            raise ConfigurationError(
                f"transport={settings['transport']!r} needs a port: pass base_url= with the URL of "
                "sandbox.serve(); with the pytest fixtures, use the option --agent-platform-tcp"
            )
        if token is None and settings.get("token_file") is None:
            token = TOKEN
        if not {"base_url", "http_client"} & settings.keys():
            settings = {"transport": self.transport(), **settings}
        settings = {"base_url": self.base_url, "organization": ORGANIZATIONS[0], **settings}
        return AgentPlatform(token=token, **settings)

    def serve(
        self, port: int = 0, *, host: str = LOOPBACK, allow_hosts: Iterable[str] = ()
    ) -> AbstractContextManager[str]:
        """Serve the sandbox on the loopback interface or another one while the context lasts, and yield the base URL.

        The server is for programs on this machine. A request is refused with 403 if its Host header names anything
        other than the loopback interface, or if its Origin header names another site.

        Args:
            port: Port to listen on; 0 takes a free one.
            host: IP address or name of the interface to listen on. The Host header of a request may also name this
                host. `0.0.0.0` and `::` mean all interfaces, and allow no further Host header. Whoever reaches the port
                may use and control the sandbox.
            allow_hosts: Further host names that the Host header of a request may have, such as the name of a proxy in
                front of the sandbox.

        Raises:
            OSError: The address or the port cannot be used.
            ValueError: One of `allow_hosts`, or `host`, is not a host name.
        """
        if isinstance(allow_hosts, str):
            raise InvalidArgumentError(f"allow_hosts must be a list of host names, such as [{allow_hosts!r}]")
        names = [*allow_hosts, *(() if host in EVERYWHERE else (in_url(host),))]
        return serve(Guard(self._control, self.journal.redact, self._max_body, names), port, host)
