# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.playbooks.delete: DELETE
/v3/organizations/{org_id}/playbooks/{playbook_id}.
"""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="delete_organization_playbook",
    method="DELETE",
    path="/v3/organizations/{org_id}/playbooks/{playbook_id}",
    scope="organization",
    resource="playbooks",
    verb="delete",
    summary="Delete a playbook.",
    credentials=("serviceUser",),
    inferred='The legacy path `/v1/playbooks` maps to this one, "with `/{playbook_id}`"; the methods are the usual ones of a collection and of one of its things.',
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="playbook_id",
            location="path",
            kind="string",
            required=True,
        ),
    ),
    gaps=(
        Gap(
            "playbook-delete-method",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks~1{playbook_id}/delete",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "playbook-delete-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks~1{playbook_id}/delete",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "playbook-delete-response",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks~1{playbook_id}/delete",
            "The success status and the response payload.",
        ),
        Gap(
            "playbook-delete-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks~1{playbook_id}/delete",
            "The error statuses.",
        ),
    ),
)
