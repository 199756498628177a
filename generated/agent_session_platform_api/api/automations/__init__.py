# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of automations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import api
from ...catalogue import OPERATIONS
from ...encoding import UNSET
from ...interface import OpenList
from ...model import OpenModel
from ...operation import CallOptions, QueryValue, Refused, Request


class OrganizationAutomations(api.OrganizationMethods):
    """The automations of the organization."""

    scope = "organization"
    resource = "automations"

    async def create(
        self,
        /,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Create an automation.

        A `schedule:recurring` trigger (an iCalendar RRULE evaluated in UTC) and a `start_session` action
        replace a schedule.

        Sends `POST /v3/organizations/{org_id}/automations`.

        Not shown by the API's description: automation-create-level, automation-create-request,
        automation-create-response, automation-create-errors.

        Args:
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgAutomations` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
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
        """
        request = Request(
            OPERATIONS["create_organization_automation"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)

    async def delete(
        self,
        automation_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Soft-delete an automation.

        The automation that the path names.

        Sends `DELETE /v3/organizations/{org_id}/automations/{automation_id}`.

        Not shown by the API's description: automation-delete-level, automation-delete-response,
        automation-delete-errors.

        Args:
            automation_id: Id of the automation.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgAutomations` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.automations.delete("automation-1")

        Rules:
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.
            automation-soft-delete: Deletion is a soft delete.
        """
        request = Request(
            OPERATIONS["delete_organization_automation"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "automation_id": automation_id},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    async def get(
        self,
        automation_id: str,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenModel:
        """Get an automation.

        Neither the request nor the response is shown.

        Sends `GET /v3/organizations/{org_id}/automations/{automation_id}`.

        Not shown by the API's description: automation-get-level, automation-get-response,
        automation-get-errors.

        Args:
            automation_id: Id of the automation.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgAutomations` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await organization.automations.get("automation-1")

        Rules:
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.
        """
        request = Request(
            OPERATIONS["get_organization_automation"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "automation_id": automation_id},
            query={},
            members=unknown,
            options=options,
        )
        return await self._client.send(request)

    def list(
        self,
        *,
        search: QueryValue | None = None,
        creator: QueryValue | None = None,
        enabled: QueryValue | None = None,
        metadata: QueryValue | None = None,
        event_type: QueryValue | None = None,
        agent_type: QueryValue | None = None,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List the automations of an organization.

        Filters exist for search, creator, enabled, event type, agent type and metadata.

        Sends `GET /v3/organizations/{org_id}/automations`.

        Not shown by the API's description: automation-list-level, automation-list-filters,
        automation-list-response, automation-list-errors.

        Args:
            search: Filter by a search; what is searched, and how, is not shown.
            creator: Filter by creator; how a creator is named is not shown.
            enabled: Filter by whether an automation is enabled; the values are not shown.
            metadata: Filter by metadata; its form is not shown.
            event_type: Filter by event type; the types are not shown.
            agent_type: Filter by agent type; the types are not shown.
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A list: iterate over it for items; await it for the first response, as `OpenModel`, because the
                description does not show it.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgAutomations` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in organization.automations.list():
                print(item)

        Rules:
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.
        """
        request = Request(
            OPERATIONS["list_organization_automations"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={
                "search": search,
                "creator": creator,
                "enabled": enabled,
                "metadata": metadata,
                "event_type": event_type,
                "agent_type": agent_type,
            },
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)

    def list_schemas(
        self,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List trigger event schemas, condition operators and reply verbs.

        Neither the request nor the response is shown.

        Sends `GET /v3/organizations/{org_id}/automations/schemas`.

        Not shown by the API's description: automation-schemas-level, automation-schemas-response,
        automation-schemas-errors.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A list: iterate over it for items; await it for the first response, as `OpenModel`, because the
                description does not show it.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgAutomations` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in organization.automations.list_schemas():
                print(item)

        Rules:
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.
        """
        request = Request(
            OPERATIONS["list_organization_automation_schemas"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)

    def list_templates(
        self,
        *,
        options: CallOptions | None = None,
        **unknown: Refused,
    ) -> OpenList[OpenModel]:
        """List the built-in templates.

        Neither the request nor the response is shown.

        Sends `GET /v3/organizations/{org_id}/automations/templates`.

        Not shown by the API's description: automation-templates-level, automation-templates-response,
        automation-templates-errors.

        Args:
            options: Timeout, retry policy, extra query or headers of this call.
            unknown: Any other keyword is refused; the error says what to write instead.

        Returns:
            A list: iterate over it for items; await it for the first response, as `OpenModel`, because the
                description does not show it.

        Raises:
            PermissionDeniedError: The credential lacks `ViewOrgAutomations` at a level that the description
                does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            async for item in organization.automations.list_templates():
                print(item)

        Rules:
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.
        """
        request = Request(
            OPERATIONS["list_organization_automation_templates"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={},
            members=unknown,
            options=options,
        )
        return self._client.read_list(request)

    async def update(
        self,
        /,
        automation_id: str,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Update an automation.

        The body is merged into the automation member by member.

        Sends `PATCH /v3/organizations/{org_id}/automations/{automation_id}`.

        Not shown by the API's description: automation-update-level, automation-update-media-type,
        automation-update-request, automation-update-response, automation-update-errors.

        Args:
            automation_id: Id of the automation.
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgAutomations` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.automations.update("automation-1", body=payload)

        Rules:
            automation-update-merge: An update is a member-wise merge.
            automation-enablement: Automations must be enabled for an organization before its endpoints can
                be used.
        """
        request = Request(
            OPERATIONS["update_organization_automation"],
            OpenModel.from_item,
            path={"org_id": self.org_id, "automation_id": automation_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)
