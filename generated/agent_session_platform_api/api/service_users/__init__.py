# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of service users."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import api
from ...catalogue import OPERATIONS
from ...encoding import UNSET
from ...model import OpenModel
from ...operation import CallOptions, Request


class OrganizationServiceUsers(api.OrganizationMethods):
    """The service users of the organization."""

    scope = "organization"
    resource = "service_users"

    async def create(
        self,
        /,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Provision a service user of an organization.

        Still beta; the rule of the enterprise scope applies (service-user-role-subset).

        Beta.

        Sends `POST /v3beta1/organizations/{org_id}/service-users`.

        Not shown by the API's description: organization-service-user-create-level,
        organization-service-user-create-request, organization-service-user-create-response,
        organization-service-user-create-errors.

        Args:
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageOrgServiceUsers` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await organization.service_users.create(body=payload)

        Rules:
            service-user-role-subset: The target role's permissions must be a subset of the caller's
                permissions, and ManageServiceUsers permissions can never be granted.
        """
        request = Request(
            OPERATIONS["create_organization_service_user"],
            OpenModel.from_item,
            path={"org_id": self.org_id},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)


class EnterpriseServiceUsers(api.ResourceMethods):
    """The service users of the enterprise."""

    scope = "enterprise"
    resource = "service_users"

    async def create(
        self,
        /,
        *,
        body: Mapping[str, Any] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
        **members: Any,
    ) -> OpenModel:
        """Provision a service user.

        Still beta.

        Beta.

        Sends `POST /v3beta1/enterprise/service-users`.

        Not shown by the API's description: enterprise-service-user-create-level,
        enterprise-service-user-create-request, enterprise-service-user-create-response,
        enterprise-service-user-create-errors.

        Args:
            body: The request payload, which the description does not show.
            extra_body: More members of the body; use it for a name that is, or resembles, an argument.
            options: Timeout, retry policy, extra query or headers of this call.
            members: Members of the payload that the description does not show, each by its name.

        Returns:
            The response as an `OpenModel`, because the description does not show it; it is falsy without a
                body.

        Raises:
            PermissionDeniedError: The credential lacks `ManageAccountServiceUsers` at a level that the
                description does not show.
            CredentialMismatchError: The credential is of another kind than `serviceUser`; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            OutcomeUnknownError: The connection failed after the server may have received the request.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            await platform.enterprise.service_users.create(body=payload)

        Rules:
            service-user-role-subset: The target role's permissions must be a subset of the caller's
                permissions, and ManageServiceUsers permissions can never be granted.
        """
        request = Request(
            OPERATIONS["create_enterprise_service_user"],
            OpenModel.from_item,
            path={},
            query={},
            body=UNSET if body is None else body,
            extra_body=extra_body,
            members=members,
            options=options,
        )
        return await self._client.send(request)
