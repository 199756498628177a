# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.audit_logs.list: GET /v3/organizations/{org_id}/audit-logs."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_organization_audit_logs",
    method="GET",
    path="/v3/organizations/{org_id}/audit-logs",
    scope="organization",
    resource="audit_logs",
    verb="list",
    summary="List the audit log of an organization.",
    credentials=("serviceUser",),
    inferred='The description says "(and organization scope)"; the path follows that of the enterprise scope.',
    job="follow",
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="order",
            location="query",
            kind="string",
        ),
    ),
    gaps=(
        Gap("organization-audit-logs-path", "#/paths/~1v3~1organizations~1{org_id}~1audit-logs/get", "The path."),
        Gap(
            "organization-audit-logs-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1audit-logs/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "organization-audit-logs-parameters",
            "#/paths/~1v3~1organizations~1{org_id}~1audit-logs/get",
            "Query parameters other than order.",
        ),
        Gap(
            "organization-audit-logs-response",
            "#/paths/~1v3~1organizations~1{org_id}~1audit-logs/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap(
            "organization-audit-logs-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1audit-logs/get",
            "The error statuses.",
        ),
    ),
)
