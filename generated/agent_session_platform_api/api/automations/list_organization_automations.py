# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation organization.automations.list: GET /v3/organizations/{org_id}/automations."""

from __future__ import annotations

from typing import Final

from ...operation import Gap, Operation, Parameter, Rule

OPERATION: Final = Operation(
    id="list_organization_automations",
    method="GET",
    path="/v3/organizations/{org_id}/automations",
    scope="organization",
    resource="automations",
    verb="list",
    summary="List the automations of an organization.",
    permission="ViewOrgAutomations",
    credentials=("serviceUser",),
    parameters=(
        Parameter(
            name="org_id",
            location="path",
            kind="string",
            required=True,
            prefix="org-",
        ),
        Parameter(
            name="search",
            location="query",
        ),
        Parameter(
            name="creator",
            location="query",
        ),
        Parameter(
            name="enabled",
            location="query",
        ),
        Parameter(
            name="metadata",
            location="query",
        ),
        Parameter(
            name="event_type",
            location="query",
        ),
        Parameter(
            name="agent_type",
            location="query",
        ),
    ),
    rules=(
        Rule(
            "automation-enablement", "Automations must be enabled for an organization before its endpoints can be used."
        ),
    ),
    gaps=(
        Gap(
            "automation-list-level",
            "#/paths/~1v3~1organizations~1{org_id}~1automations/get",
            "The level of the permission, and the kinds of credential.",
        ),
        Gap(
            "automation-list-filters",
            "#/paths/~1v3~1organizations~1{org_id}~1automations/get",
            "The names and the types of the filters.",
        ),
        Gap(
            "automation-list-response",
            "#/paths/~1v3~1organizations~1{org_id}~1automations/get",
            "The success status, the response payload, and whether the list is paginated (list-pagination).",
        ),
        Gap("automation-list-errors", "#/paths/~1v3~1organizations~1{org_id}~1automations/get", "The error statuses."),
    ),
)
