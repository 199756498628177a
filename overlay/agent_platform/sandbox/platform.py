"""The sandbox as its users see it: a platform with demo organizations and credentials, empty but for those."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from ..client import AgentPlatform
from .accounts import Accounts
from .app import make_app
from .assumptions import Assumption
from .families import ASSUMPTIONS, automations, blueprints, members, repositories, sessions
from .limiter import RateLimit
from .state import Organization, State, User

if TYPE_CHECKING:
    import httpx
    from starlette.applications import Starlette

ORGANIZATIONS: Final = ("org-acme", "org-globex")

# Fixed, so that a script can name them; they open nothing but a sandbox.
TOKEN: Final = "svc_sandbox_admin"
VIEWER_TOKEN: Final = "svc_sandbox_viewer"
PERSONAL_TOKEN: Final = "pat-sandbox"
ADMIN_KEY: Final = "apk_user_sandbox"


class Sandbox:
    """A platform of its own, in memory. *now* is its clock.

    `token` may do everything that a service user may, `viewer_token` only ViewOrgSessions; `personal_token` is a
    personal access token and `admin_key` a personal API key of an enterprise administrator. Set `rate_limit` to switch
    a limit on. `assumptions` lists what it does where the API's description is silent.
    """

    base_url: Final = "http://sandbox.invalid"
    token: Final = TOKEN
    viewer_token: Final = VIEWER_TOKEN
    personal_token: Final = PERSONAL_TOKEN
    admin_key: Final = ADMIN_KEY
    assumptions: Final[tuple[Assumption, ...]] = ASSUMPTIONS

    def __init__(self, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.state = State(now)
        self.accounts = Accounts()
        self.rate_limit: RateLimit | None = None
        self.app: Starlette = make_app(self.state, self.accounts, self._admit)
        for org_id in ORGANIZATIONS:
            self.add_organization(org_id)
        self.accounts.add(TOKEN, "serviceUser")
        self.accounts.add(VIEWER_TOKEN, "serviceUser", {"ViewOrgSessions"})
        self.accounts.add(PERSONAL_TOKEN, "personalAccessToken")
        self.accounts.add(ADMIN_KEY, "enterpriseAdminApiKey")

    def _admit(self) -> None:
        if self.rate_limit is not None:
            self.rate_limit.admit()

    def add_organization(self, org_id: str, **settings: Any) -> Organization:
        """Add an organization; settings are platforms, automations_enabled and migrated_to_automations."""
        organization = self.state.organizations[org_id] = Organization(org_id, **settings)
        return organization

    def add_credential(
        self,
        token: str,
        *,
        kind: str = "serviceUser",
        permissions: Iterable[str] | None = None,
        organizations: Iterable[str] | None = None,
    ) -> str:
        """Make a credential known, with some permissions and organizations or (None) all, and give it back."""
        return self.accounts.add(token, kind, permissions, organizations)

    def add_session(self, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add a session and give back its id."""
        session_id: str = sessions.add(self.state, org_id, **fields).fields["session_id"]
        return session_id

    def add_user(self, user: User, **fields: Any) -> str:
        """Add a user with direct role assignments and give back the id."""
        members.add(self.state, user, **fields)
        return user.user_id

    def add_blueprint(self, **fields: Any) -> str:
        """Add a blueprint and give back its id."""
        blueprint_id: str = blueprints.add(self.state, **fields).fields["blueprint_id"]
        return blueprint_id

    def add_repository(self, name: str, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add an indexed repository and give back its name."""
        repositories.add(self.state, org_id, name, **fields)
        return name

    def add_automation(self, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add an automation and give back its id."""
        automation_id: str = automations.add(self.state, org_id, **fields).fields["automation_id"]
        return automation_id

    def suspend_session(self, session_id: str, org_id: str = ORGANIZATIONS[0]) -> None:
        """Suspend a session, as the platform does by itself; a message resumes it."""
        self.state.collection("sessions", org_id)[session_id].fields["status"] = sessions.SUSPENDED

    def transport(self) -> httpx.AsyncBaseTransport:
        """An httpx transport into this process: no socket."""
        import httpx

        return httpx.ASGITransport(app=self.app)

    def client(self, token: str = TOKEN, **settings: Any) -> AgentPlatform:
        """A client of this sandbox, in process; *settings* are those of AgentPlatform."""
        settings = {"organization": ORGANIZATIONS[0], "transport": self.transport(), **settings}
        return AgentPlatform(self.base_url, token, **settings)

    def serve(self, port: int = 0) -> AbstractContextManager[str]:
        """Serve on the loopback interface while the context lasts; gives the base URL. Port 0 takes a free one."""
        from .server import serve

        return serve(self.app, port)
