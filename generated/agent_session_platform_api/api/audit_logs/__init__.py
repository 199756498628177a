# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of audit logs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...decoding import decode_any
from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client
    from ...models.audit_log_order import AuditLogOrder
    from ...operation import CallOptions


class OrganizationAuditLogs:
    """The audit logs of the organization."""

    __slots__ = ("_client", "_org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self._org_id = org_id

    async def list(
        self,
        *,
        order: AuditLogOrder | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the audit log of an organization.

        Neither the request nor the response is shown.

        Inferred: The description says "(and organization scope)"; the path follows that of the enterprise
        scope.

        Sends `GET /v3/organizations/{org_id}/audit-logs`.

        Args:
            order: Order of the entries; by what they are ordered is not shown; the server's default is
                `'desc'`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await organization.audit_logs.list()

        Not shown by the API's description:
            organization-audit-logs-path: The path.
            organization-audit-logs-permission: The permission, its level and the kinds of credential.
            organization-audit-logs-parameters: Query parameters other than order.
            organization-audit-logs-response: The success status, the response payload, and whether the list
                is paginated (list-pagination).
            organization-audit-logs-errors: The error statuses.
        """
        from .list_organization_audit_logs import OPERATION

        request = Request(
            OPERATION,
            decode_any,
            path={
                "org_id": self._org_id,
            },
            query={
                "order": order,
            },
            options=options,
        )
        del order, options
        return await self._client.send(request)


class EnterpriseAuditLogs:
    """The audit logs of the enterprise."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def list(
        self,
        *,
        order: AuditLogOrder | None = None,
        options: CallOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the audit log of the enterprise.

        Neither the request nor the response is shown.

        Sends `GET /v3/enterprise/audit-logs`.

        Args:
            order: Order of the entries; by what they are ordered is not shown; the server's default is
                `'desc'`.
            options: Timeout, retry policy, extra query or headers of this call.

        Returns:
            The response as a mapping, because the description does not show it; empty if it has no body.

        Raises:
            PermissionDeniedError: The credential lacks the permission, which the description does not show.
            CredentialMismatchError: The credential is not a service user; nothing is sent.
            InvalidArgumentError: An argument has a wrong type or is out of its bounds; nothing is sent.
            AgentPlatformError: Any other failure; see `agent_session_platform.errors`.

        Example:
            response = await platform.enterprise.audit_logs.list()

        Not shown by the API's description:
            enterprise-audit-logs-permission: The permission, its level and the kinds of credential.
            enterprise-audit-logs-parameters: Query parameters other than order.
            enterprise-audit-logs-response: The success status, the response payload, and whether the list
                is paginated (list-pagination).
            enterprise-audit-logs-errors: The error statuses.
        """
        from .list_enterprise_audit_logs import OPERATION

        request = Request(
            OPERATION,
            decode_any,
            path={},
            query={
                "order": order,
            },
            options=options,
        )
        del order, options
        return await self._client.send(request)
