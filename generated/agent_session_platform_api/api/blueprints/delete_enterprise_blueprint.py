# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.blueprints.delete: DELETE
/v3/enterprise/snapshot-setup/blueprints/{blueprint_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="delete_enterprise_blueprint",
    method="DELETE",
    path="/v3/enterprise/snapshot-setup/blueprints/{blueprint_id}",
    scope="enterprise",
    resource="blueprints",
    verb="delete",
    summary="Soft-delete an enterprise blueprint.",
    permission="ManageAccountSnapshots",
    level="enterprise",
    credentials=("serviceUser", "personalAccessToken"),
    parameters=(
        Parameter(
            name="blueprint_id",
            location="path",
            kind="string",
            required=True,
        ),
    ),
    rules=(
        Rule(
            "blueprint-soft-delete",
            "The record is soft-deleted; the name of the resulting state is not stated as a value.",
        ),
    ),
    gaps=(
        Gap(
            "blueprint-deleted-state",
            "#/paths/~1v3~1enterprise~1snapshot-setup~1blueprints~1{blueprint_id}/delete",
            "The name of the resulting state.",
        ),
        Gap(
            "blueprint-delete-response",
            "#/paths/~1v3~1enterprise~1snapshot-setup~1blueprints~1{blueprint_id}/delete",
            "The success status and body.",
        ),
        Gap(
            "blueprint-delete-error-statuses",
            "#/paths/~1v3~1enterprise~1snapshot-setup~1blueprints~1{blueprint_id}/delete",
            "The statuses of the problem-detail bodies.",
        ),
    ),
)
