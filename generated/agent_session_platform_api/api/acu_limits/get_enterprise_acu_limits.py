# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.acu_limits.get: GET
/v3/enterprise/consumption/acu-limits/assistant-equivalent.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation

OPERATION: Final = Operation(
    id="get_enterprise_acu_limits",
    method="GET",
    path="/v3/enterprise/consumption/acu-limits/assistant-equivalent",
    scope="enterprise",
    resource="acu_limits",
    verb="get",
    summary="Read the compute-unit limits.",
    permission="ManageBilling",
    credentials=("serviceUser",),
    gaps=(
        Gap(
            "acu-limits-get-level",
            "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "acu-limits-get-path",
            "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent/get",
            'Whether the segment ends here: the description says "endpoints".',
        ),
        Gap(
            "acu-limits-get-response",
            "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent/get",
            "The success status and the response payload.",
        ),
        Gap(
            "acu-limits-get-errors",
            "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent/get",
            "The error statuses.",
        ),
    ),
)
