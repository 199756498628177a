# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.audit_logs.list: GET /v3/enterprise/audit-logs."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_enterprise_audit_logs",
    method="GET",
    path="/v3/enterprise/audit-logs",
    scope="enterprise",
    resource="audit_logs",
    verb="list",
    summary="List the audit log of the enterprise.",
    credentials=("serviceUser",),
    job="follow",
    parameters=(
        Parameter(
            name="order",
            location="query",
            kind="string",
        ),
    ),
    gaps=(
        Gap(
            "enterprise-audit-logs-permission",
            "#/paths/~1v3~1enterprise~1audit-logs/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "enterprise-audit-logs-parameters",
            "#/paths/~1v3~1enterprise~1audit-logs/get",
            "Query parameters other than order.",
        ),
        Gap(
            "enterprise-audit-logs-response",
            "#/paths/~1v3~1enterprise~1audit-logs/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap("enterprise-audit-logs-errors", "#/paths/~1v3~1enterprise~1audit-logs/get", "The error statuses."),
    ),
)
