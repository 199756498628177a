# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.acu_limits.set: PUT
/v3/enterprise/consumption/acu-limits/assistant-equivalent/{org_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="set_enterprise_acu_limit",
    method="PUT",
    path="/v3/enterprise/consumption/acu-limits/assistant-equivalent/{org_id}",
    scope="enterprise",
    resource="acu_limits",
    verb="set",
    summary="Set the compute-unit limit of an organization.",
    permission="ManageBilling",
    credentials=("serviceUser",),
    inferred='The description says "with PUT and DELETE per organization" and shows no path for it.',
    media_type="application/json",
    optional_body=True,
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="",
            location="body",
            argument="body",
        ),
    ),
    gaps=(
        Gap(
            "acu-limit-replace-method",
            "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/put",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "acu-limit-replace-level",
            "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/put",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "acu-limit-replace-request",
            "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/put",
            "The request payload.",
        ),
        Gap(
            "acu-limit-replace-response",
            "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/put",
            "The success status and the response payload.",
        ),
        Gap(
            "acu-limit-replace-errors",
            "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/put",
            "The error statuses.",
        ),
    ),
)
