# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of automations."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from ...decoding import decode_any
from ...operation import Request
from ...unset import UNSET

if TYPE_CHECKING:
    from ...client import Client
    from ...operation import CallOptions, Operation, QueryValue


class OrganizationAutomations:
    """The automations of the organization."""

    __slots__ = ("_client", "org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self.org_id = org_id

    async def create(
        self,
        *,
        body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Create an automation.

        A `schedule:recurring` trigger (an iCalendar RRULE evaluated in UTC) and a `start_session` action
        replace a schedule.

        Sends `POST /v3/organizations/{org_id}/automations`.

        Args:
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgAutomations` at a level that the
                description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.automations.create(body=payload)

        Rules:
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.
            automation-recurring: Automations use a `schedule:recurring` trigger (an iCalendar RRULE
                evaluated in UTC) and a `start_session` action in the place of schedules.

        Not shown by the API's description:
            automation-create-level: The level of the permission, and the kinds of credential.
            automation-create-request: The request payload.
            automation-create-response: The success status and the response payload.
            automation-create-errors: The error statuses.
        """
        OPERATION = _create_organization_automation()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
            },
            query={},
            body=UNSET if body is None else body,
            options=options,
        )
        return await self._client.send(request)

    async def delete(
        self,
        automation_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Soft-delete an automation.

        The automation that the path names.

        Sends `DELETE /v3/organizations/{org_id}/automations/{automation_id}`.

        Args:
            automation_id: Id of the automation.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgAutomations` at a level that the
                description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.automations.delete("automation-1")

        Rules:
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.
            automation-soft-delete: Deletion is a soft delete.

        Not shown by the API's description:
            automation-delete-level: The level of the permission, and the kinds of credential.
            automation-delete-response: The success status and the response payload.
            automation-delete-errors: The error statuses.
        """
        OPERATION = _delete_organization_automation()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "automation_id": automation_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def get(
        self,
        automation_id: str,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Get an automation.

        Neither the request nor the response is shown.

        Sends `GET /v3/organizations/{org_id}/automations/{automation_id}`.

        Args:
            automation_id: Id of the automation.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgAutomations` at a level that the description
                does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await organization.automations.get("automation-1")

        Rules:
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.

        Not shown by the API's description:
            automation-get-level: The level of the permission, and the kinds of credential.
            automation-get-response: The success status and the response payload.
            automation-get-errors: The error statuses.
        """
        OPERATION = _get_organization_automation()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "automation_id": automation_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def list(
        self,
        *,
        search: QueryValue | None = None,
        creator: QueryValue | None = None,
        enabled: QueryValue | None = None,
        metadata: QueryValue | None = None,
        event_type: QueryValue | None = None,
        agent_type: QueryValue | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the automations of an organization.

        Filters exist for search, creator, enabled, event type, agent type and metadata.

        Sends `GET /v3/organizations/{org_id}/automations`.

        Args:
            search: Filter by a search; what is searched, and how, is not shown.
            creator: Filter by creator; how a creator is named is not shown.
            enabled: Filter by whether an automation is enabled; the values are not shown.
            metadata: Filter by metadata; its form is not shown.
            event_type: Filter by event type; the types are not shown.
            agent_type: Filter by agent type; the types are not shown.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgAutomations` at a level that the description
                does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await organization.automations.list()

        Rules:
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.

        Not shown by the API's description:
            automation-list-level: The level of the permission, and the kinds of credential.
            automation-list-filters: The names and the types of the filters.
            automation-list-response: The success status, the response payload, and whether the list is
                paginated (list-pagination).
            automation-list-errors: The error statuses.
        """
        OPERATION = _list_organization_automations()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
            },
            query={
                "search": search,
                "creator": creator,
                "enabled": enabled,
                "metadata": metadata,
                "event_type": event_type,
                "agent_type": agent_type,
            },
            options=options,
        )
        return await self._client.send(request)

    async def list_schemas(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """List trigger event schemas, condition operators and reply verbs.

        Neither the request nor the response is shown.

        Sends `GET /v3/organizations/{org_id}/automations/schemas`.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgAutomations` at a level that the description
                does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await organization.automations.list_schemas()

        Rules:
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.

        Not shown by the API's description:
            automation-schemas-level: The level of the permission, and the kinds of credential.
            automation-schemas-response: The success status, the response payload, and whether the list is
                paginated (list-pagination).
            automation-schemas-errors: The error statuses.
        """
        OPERATION = _list_organization_automation_schemas()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def list_templates(
        self,
        *,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the built-in templates.

        Neither the request nor the response is shown.

        Sends `GET /v3/organizations/{org_id}/automations/templates`.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgAutomations` at a level that the description
                does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await organization.automations.list_templates()

        Rules:
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.

        Not shown by the API's description:
            automation-templates-level: The level of the permission, and the kinds of credential.
            automation-templates-response: The success status, the response payload, and whether the list is
                paginated (list-pagination).
            automation-templates-errors: The error statuses.
        """
        OPERATION = _list_organization_automation_templates()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
            },
            query={},
            options=options,
        )
        return await self._client.send(request)

    async def update(
        self,
        automation_id: str,
        *,
        body: Mapping[str, Any],
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """Update an automation.

        The body is merged into the automation member by member.

        Sends `PATCH /v3/organizations/{org_id}/automations/{automation_id}`.

        Args:
            automation_id: Id of the automation.
            body: The request payload, which the description does not show.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgAutomations` at a level that the
                description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.automations.update("automation-1", body=payload)

        Rules:
            automation-update-merge: An update is a member-wise merge.
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.

        Not shown by the API's description:
            automation-update-level: The level of the permission, and the kinds of credential.
            automation-update-media-type: The media type of the request body (a member-wise merge;
                merge-patch, RFC 7396, is used).
            automation-update-request: The request payload.
            automation-update-response: The success status and the response payload.
            automation-update-errors: The error statuses, that of an organization without automations among
                them.
        """
        OPERATION = _update_organization_automation()
        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self.org_id,
                "automation_id": automation_id,
            },
            query={},
            body=body,
            options=options,
        )
        return await self._client.send(request)


# What a method needs is imported at its first call, because it would add to the start-up of every program; once, because
# an import takes longer than it looks, even of what is there.


@cache
def _create_organization_automation() -> Operation:
    from .create_organization_automation import OPERATION

    return OPERATION


@cache
def _delete_organization_automation() -> Operation:
    from .delete_organization_automation import OPERATION

    return OPERATION


@cache
def _get_organization_automation() -> Operation:
    from .get_organization_automation import OPERATION

    return OPERATION


@cache
def _list_organization_automations() -> Operation:
    from .list_organization_automations import OPERATION

    return OPERATION


@cache
def _list_organization_automation_schemas() -> Operation:
    from .list_organization_automation_schemas import OPERATION

    return OPERATION


@cache
def _list_organization_automation_templates() -> Operation:
    from .list_organization_automation_templates import OPERATION

    return OPERATION


@cache
def _update_organization_automation() -> Operation:
    from .update_organization_automation import OPERATION

    return OPERATION
