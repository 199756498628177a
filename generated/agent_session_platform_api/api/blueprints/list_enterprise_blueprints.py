# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The operation enterprise.blueprints.list: GET /v3/enterprise/snapshot-setup/blueprints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...operation import Gap, Operation

if TYPE_CHECKING:
    from ...models.blueprint_list import BlueprintList

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
    paginated=False,
    deprecated=False,
    beta=False,
    inferred=None,
    media_type=None,
    streamed=False,
    successor=None,
    parameters=(),
    rules=(),
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


def decode(payload: Any) -> BlueprintList:
    """Show the decoded JSON of a success as what the operation answers with."""
    from ...models.blueprint_list import BlueprintList

    answer: BlueprintList = BlueprintList.decode(payload)
    return answer
