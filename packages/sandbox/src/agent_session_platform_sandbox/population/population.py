"""Methods that add content to a sandbox without a request."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Any, Final

from ..contract import ENTERPRISE
from ..problems import UnknownNameError
from ..resources import (
    assistant,
    automations,
    blueprints,
    git,
    guardrail_violations,
    hypervisors,
    idp_groups,
    members,
    repositories,
    roles,
    searches,
    sessions,
    usage,
)
from ..state import Organization, State, Turn, User, check_fields, synchronized

ORGANIZATIONS: Final = ("org-acme", "org-globex")


@synchronized
class Population:
    """The content of a sandbox. Further keyword arguments of an `add_` method become members of the new record.

    Args:
        state: State of the sandbox.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.accounts = state.accounts

    def add_organization(self, org_id: str, **settings: Any) -> Organization:
        """Add an organization; settings are the attributes of `Organization`."""
        organization = self.state.organizations[org_id] = Organization(org_id, **settings)
        return organization

    def add_credential(
        self,
        token: str,
        *,
        kind: str = "serviceUser",
        permissions: Iterable[str] | None = None,
        organizations: Iterable[str] | None = None,
        level: str = ENTERPRISE,
    ) -> str:
        """Add a credential, and return it.

        Args:
            token: The credential.
            kind: `serviceUser`, `personalAccessToken` or `enterpriseAdminApiKey`.
            permissions: Granted permissions; None grants all.
            organizations: Organizations it belongs to; None for all. With any, it has no access at enterprise level.
            level: `enterprise` or `organization`.

        Raises:
            ValueError: There is no such kind or level.
        """
        return self.accounts.add(token, kind, permissions, organizations, level)

    def remove_credential(self, token: str) -> None:
        """Remove a credential, as if it had expired.

        Raises:
            UnknownNameError: The credential is not known (a KeyError).
        """
        known = {**self.accounts.by_token}
        if known.pop(token, None) is None:
            raise UnknownNameError(
                "the credential is not known (its value is left out, because it may be a real credential)"
            )
        self.accounts.by_token = known

    def add_session(self, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add a session, and return its id."""
        return str(sessions.add(self.state, org_id, **fields).fields["session_id"])

    def add_user(self, user: User, **fields: Any) -> str:
        """Add a user with direct role assignments, and return the id."""
        members.add(self.state, user, **fields)
        return user.user_id

    def add_idp_group(self, name: str, role_assignments: Iterable[dict[str, Any]] = ()) -> str:
        """Register a group of the identity provider, and return its name.

        Args:
            name: Name of the group.
            role_assignments: Objects with `role` and `org_id`.
        """
        idp_groups.add(self.state, name, role_assignments)
        return name

    def add_idp_user(self, user: User, group_names: Iterable[str], **fields: Any) -> str:
        """Add a user who is a member through registered groups, and return the id."""
        members.add_by_groups(self.state, user, group_names, **fields)
        return user.user_id

    def add_role(self, role_id: str, permissions: Iterable[str], *, name: str = "Role", role_type: str = "org") -> str:
        """Add a role for service users, and return its id.

        Args:
            role_id: Id of the role.
            permissions: Permissions that it grants.
            name: Name of the role.
            role_type: `org` grants the permissions in organizations, `enterprise` everywhere.

        Raises:
            ValueError: There is no such type.
        """
        roles.add(self.state, role_id, permissions, name=name, role_type=role_type)
        return role_id

    def add_hypervisor(self, **fields: Any) -> str:
        """Add a hypervisor, and return its id."""
        return str(hypervisors.add(self.state, **fields).fields["hypervisor_id"])

    def add_guardrail_violation(self, org_id: str, session_id: str, guardrail_id: str, **fields: Any) -> str:
        """Add the violation of a guardrail by a session, and return its id."""
        violation = guardrail_violations.add(self.state, org_id, session_id, guardrail_id, **fields)
        return str(violation.fields["violation_id"])

    def add_blueprint(self, **fields: Any) -> str:
        """Add a blueprint, and return its id."""
        return str(blueprints.add(self.state, **fields).fields["blueprint_id"])

    def add_repository(self, name: str, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add an indexed repository, and return its name."""
        repositories.add(self.state, org_id, name, **fields)
        return name

    def add_automation(self, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add an automation, and return its id."""
        return str(automations.add(self.state, org_id, **fields).fields["automation_id"])

    def add_search(self, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add a search, and return its id; with `user_id` the user counts as active."""
        return str(searches.add(self.state, org_id, **fields).fields["search_id"])

    def add_git_permission(self, org_id: str = ORGANIZATIONS[0], **fields: Any) -> str:
        """Add a git permission of an organization, and return its id."""
        return str(git.add_permission(self.state, org_id, **fields).fields["git_permission_id"])

    def add_git_repository(self, connection_id: str, name: str, **fields: Any) -> str:
        """Add a repository of a git connection, and return its name."""
        git.add_repository(self.state, connection_id, name, **fields)
        return name

    def add_consumption(self, tail: str, **fields: Any) -> str:
        """Set the response of `enterprise.consumption.get(tail)`, and return *tail*."""
        usage.add(self.state, usage.CONSUMPTION, tail, fields)
        return tail

    def add_metrics(self, tail: str, **fields: Any) -> str:
        """Set the response of `enterprise.metrics.get(tail)`, and return *tail*."""
        usage.add(self.state, usage.METRICS, tail, fields)
        return tail

    def suspend_session(self, session_id: str, org_id: str | None = None) -> None:
        """Suspend a session, as the platform sometimes does. A message resumes it.

        Args:
            session_id: The session.
            org_id: Its organization; None for any.

        Raises:
            RefusedError: There is no such session in the organization.
        """
        sessions.locate(self.state, session_id, org_id).fields["status"] = sessions.SUSPENDED

    def update_session(self, session_id: str, /, **fields: Any) -> dict[str, Any]:
        """Set members of a session, and return all of its members.

        Args:
            session_id: The session, of any organization.
            fields: The members: any names and JSON values except `session_id` and `org_id`. None is sent as null.
                `updated_at` becomes the current time unless it is given.

        Raises:
            InvalidArgumentError: A member cannot be set.
            RefusedError: There is no such session.

        Example:
            sandbox.update_session(session_id, status="ready", pull_requests=[{"pr_url": "https://..."}])
        """
        session = sessions.locate(self.state, session_id)
        assistant.change(self.state, session, check_fields(fields))
        return deepcopy(session.fields)

    def add_message(self, session_id: str, text: str, /, source: str = "assistant", **fields: Any) -> dict[str, Any]:
        """Add a message to a session, and return it. The script of `on_message` is not called.

        Args:
            session_id: The session, of any organization.
            text: The text.
            source: Who sent it.
            fields: Further members, or other values than the sandbox's own, such as `created_at`.

        Raises:
            InvalidArgumentError: A member is not JSON.
            RefusedError: There is no such session.
        """
        session = sessions.locate(self.state, session_id)
        return deepcopy(assistant.add_message(self.state, session, source, text, check_fields(fields)).fields)

    def plan_session(
        self, session_id: str, /, *, after: float, text: str | None = None, source: str = "assistant", **fields: Any
    ) -> None:
        """Plan a message, a change of a session or both. It happens when the clock has moved far enough.

        Termination and removal of the session cancel it; a snapshot keeps it.

        Args:
            session_id: The session, of any organization.
            after: Seconds of the sandbox's clock from now on; 0 is at once.
            text: Text of a message; None for none.
            source: `source` of the message.
            fields: Members to set, as for `update_session`.

        Raises:
            InvalidArgumentError: A setting is not valid, or there is neither a text nor a member.
            RefusedError: There is no such session.

        Example:
            sandbox.plan_session(session_id, after=600, text="Done.", status="ready")
            sandbox.clock.advance(minutes=10)
        """
        session = sessions.locate(self.state, session_id)
        assistant.take_turn(self.state, session, Turn(text, after=after, fields=fields, source=source))

    def remove_session(self, session_id: str, /) -> None:
        """Remove a session, which is then unknown to all operations (404).

        Raises:
            RefusedError: There is no such session.
        """
        sessions.remove(self.state, session_id)
