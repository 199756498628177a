# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.acu_limits.delete: DELETE
/v3/enterprise/consumption/acu-limits/assistant-equivalent/{org_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="delete_enterprise_acu_limit",
    method="DELETE",
    path="/v3/enterprise/consumption/acu-limits/assistant-equivalent/{org_id}",
    scope="enterprise",
    resource="acu_limits",
    verb="delete",
    summary="Delete the compute-unit limit of an organization.",
    permission="ManageBilling",
    credentials=("serviceUser",),
    inferred='The description says "with PUT and DELETE per organization" and shows no path for it.',
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
    ),
    gaps=(
        Gap(
            "acu-limit-delete-method",
            "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/delete",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "acu-limit-delete-level",
            "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/delete",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "acu-limit-delete-response",
            "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/delete",
            "The success status and the response payload.",
        ),
        Gap(
            "acu-limit-delete-errors",
            "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/delete",
            "The error statuses.",
        ),
    ),
)
