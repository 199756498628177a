# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.playbooks.create: POST /v3/organizations/{org_id}/playbooks."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="create_organization_playbook",
    method="POST",
    path="/v3/organizations/{org_id}/playbooks",
    scope="organization",
    resource="playbooks",
    verb="create",
    summary="Create a playbook.",
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
            name="",
            location="body",
            argument="body",
        ),
    ),
    gaps=(
        Gap(
            "playbook-create-method",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks/post",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "playbook-create-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks/post",
            "The permission, its level and the kinds of credential.",
        ),
        Gap("playbook-create-request", "#/paths/~1v3~1organizations~1{org_id}~1playbooks/post", "The request payload."),
        Gap(
            "playbook-create-response",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks/post",
            "The success status and the response payload.",
        ),
        Gap("playbook-create-errors", "#/paths/~1v3~1organizations~1{org_id}~1playbooks/post", "The error statuses."),
    ),
)
