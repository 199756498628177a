# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of audit logs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, RequestOptions
    from ...models.audit_log_order import AuditLogOrder


class OrganizationAuditLogs:
    """Audit logs in the organization scope."""

    __slots__ = ("_client", "_org_id")

    def __init__(self, client: Client, org_id: str) -> None:
        self._client = client
        self._org_id = org_id

    async def list(
        self,
        *,
        order: AuditLogOrder | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the audit log of an organization.

        Neither the request nor the response is shown.

        Inferred: The description says "(and organization scope)"; the path follows that of the enterprise
        scope.

        Permission: not shown. Credential: service user.

        `GET /v3/organizations/{org_id}/audit-logs`

        Arguments:
            order: Order of the entries.

        Not shown:
            organization-audit-logs-path: The path.
            organization-audit-logs-permission: The permission, its level and the kinds of credential.
            organization-audit-logs-parameters: Query parameters other than order.
            organization-audit-logs-response: The success status and the response payload.
            organization-audit-logs-errors: The error statuses.
        """
        from .list_organization_audit_logs import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": self._org_id,
            },
            query={
                "order": order,
            },
        )
        return await self._client.send(request, options)


class EnterpriseAuditLogs:
    """Audit logs in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    async def list(
        self,
        *,
        order: AuditLogOrder | None = None,
        options: RequestOptions | None = None,
    ) -> Mapping[str, Any]:
        """List the audit log of the enterprise.

        Neither the request nor the response is shown.

        Permission: not shown. Credential: service user.

        `GET /v3/enterprise/audit-logs`

        Arguments:
            order: Order of the entries.

        Not shown:
            enterprise-audit-logs-permission: The permission, its level and the kinds of credential.
            enterprise-audit-logs-parameters: Query parameters other than order.
            enterprise-audit-logs-response: The success status and the response payload.
            enterprise-audit-logs-errors: The error statuses.
        """
        from .list_enterprise_audit_logs import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={
                "order": order,
            },
        )
        return await self._client.send(request, options)
