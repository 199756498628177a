# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.playbooks.list: GET /v3/organizations/{org_id}/playbooks."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter

OPERATION: Final = Operation(
    id="list_organization_playbooks",
    method="GET",
    path="/v3/organizations/{org_id}/playbooks",
    scope="organization",
    resource="playbooks",
    verb="list",
    summary="List the playbooks of an organization.",
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
    ),
    gaps=(
        Gap(
            "playbook-list-method",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks/get",
            "That there is such an operation is inferred, and so are its method and path.",
        ),
        Gap(
            "playbook-list-permission",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks/get",
            "The permission, its level and the kinds of credential.",
        ),
        Gap(
            "playbook-list-response",
            "#/paths/~1v3~1organizations~1{org_id}~1playbooks/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap("playbook-list-errors", "#/paths/~1v3~1organizations~1{org_id}~1playbooks/get", "The error statuses."),
    ),
)
