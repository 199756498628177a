# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.playbooks.update: PUT /v3/organizations/{org_id}/playbooks/{playbook_id}."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="update_organization_playbook",
    method="PUT",
    path="/v3/organizations/{org_id}/playbooks/{playbook_id}",
    scope="organization",
    resource="playbooks",
    verb="update",
    summary="Update a playbook.",
    credentials=("serviceUser",),
    inferred='The legacy path `/v1/playbooks` maps to this one, "with `/{playbook_id}`"; the methods are the usual ones of a collection and of one of its things.',
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
            name="playbook_id",
            location="path",
            kind="string",
            required=True,
        ),
        Parameter(
            name="",
            location="body",
            argument="body",
        ),
    ),
    gaps=(
        Gap(
            "playbook-update-method",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks~1{playbook_id}/put",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "playbook-update-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks~1{playbook_id}/put",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "playbook-update-request",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks~1{playbook_id}/put",
            "The request payload.",
        ),
        Gap(
            "playbook-update-response",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks~1{playbook_id}/put",
            "The success status and the response payload.",
        ),
        Gap(
            "playbook-update-errors",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks~1{playbook_id}/put",
            "The error statuses.",
        ),
    ),
)
