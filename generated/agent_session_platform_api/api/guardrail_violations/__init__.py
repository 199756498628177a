# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The methods of guardrail violations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...operation import Request

if TYPE_CHECKING:
    from ...client import Client, Pager, RequestOptions
    from ...operation import QueryValue


class EnterpriseGuardrailViolations:
    """Guardrail violations in the enterprise scope."""

    __slots__ = ("_client",)

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(
        self,
        *,
        first: int | None = None,
        after: str | None = None,
        session_id: QueryValue | None = None,
        guardrail_id: QueryValue | None = None,
        options: RequestOptions | None = None,
    ) -> Pager[Any]:
        """List the guardrail violations of the enterprise.

        Still beta.

        Beta.

        Permission: `ManageEnterpriseSettings` (level not shown). Credential: service user.

        `GET /v3beta1/enterprise/guardrail-violations`

        Arguments:
            first: Page size.
            after: Cursor from the `end_cursor` of the page before.
            session_id: Only violations of this session.
            guardrail_id: Only violations of this guardrail.

        Not shown:
            enterprise-guardrail-violations-level: The level of the permission, and the kinds of credential.
            enterprise-guardrail-violations-parameters: The names of the time range's parameters, and the
                types of all filters.
            enterprise-guardrail-violations-response: The success status and the response payload.
            enterprise-guardrail-violations-errors: The error statuses.
        """
        from .list_enterprise_guardrail_violations import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={},
            query={
                "first": first,
                "after": after,
                "session_id": session_id,
                "guardrail_id": guardrail_id,
            },
        )
        return self._client.paginate(request, options)

    def list_of_organization(
        self,
        org_id: str,
        *,
        first: int | None = None,
        after: str | None = None,
        session_id: QueryValue | None = None,
        guardrail_id: QueryValue | None = None,
        options: RequestOptions | None = None,
    ) -> Pager[Any]:
        """List the guardrail violations of an organization.

        Still beta.

        Beta.

        Permission: `ManageEnterpriseSettings` (level not shown). Credential: service user.

        `GET /v3beta1/enterprise/organizations/{org_id}/guardrail-violations`

        Arguments:
            org_id: Id of the organization, with the prefix `org-`.
            first: Page size.
            after: Cursor from the `end_cursor` of the page before.
            session_id: Only violations of this session.
            guardrail_id: Only violations of this guardrail.

        Not shown:
            organization-guardrail-violations-level: The level of the permission, and the kinds of
                credential.
            organization-guardrail-violations-parameters: The names of the time range's parameters, and the
                types of all filters.
            organization-guardrail-violations-response: The success status and the response payload.
            organization-guardrail-violations-errors: The error statuses.
        """
        from .list_enterprise_guardrail_violations_of_organization import OPERATION, decode

        request = Request(
            OPERATION,
            decode,
            path={
                "org_id": org_id,
            },
            query={
                "first": first,
                "after": after,
                "session_id": session_id,
                "guardrail_id": guardrail_id,
            },
        )
        return self._client.paginate(request, options)
