# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.blueprints.list: GET /v3/enterprise/snapshot-setup/blueprints."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation

OPERATION: Final = Operation(
    id="list_enterprise_blueprints",
    method="GET",
    path="/v3/enterprise/snapshot-setup/blueprints",
    scope="enterprise",
    resource="blueprints",
    verb="list",
    summary="List the enterprise-tier blueprints.",
    permission="ManageAccountSnapshots",
    level="enterprise",
    credentials=("serviceUser", "personalAccessToken"),
    gaps=(
        Gap(
            "blueprint-list-parameters",
            "#/paths/~1v3~1enterprise~1snapshot-setup~1blueprints/get",
            "Parameters; none are shown.",
        ),
        Gap(
            "blueprint-list-error-statuses",
            "#/paths/~1v3~1enterprise~1snapshot-setup~1blueprints/get",
            "The statuses of the problem-detail bodies.",
        ),
    ),
)
