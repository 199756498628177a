# Generated from openapi.yaml by codegen/generate.py: change those, not this file.
"""Every fact that the API's description does not show."""

from __future__ import annotations

from typing import Final

from .operation import Gap

GAPS: Final[tuple[Gap, ...]] = (
    Gap("base-address", "#/info", "A value of the service's base address {base_url}."),
    Gap(
        "rate-limits",
        "#/info",
        "Rate limits (numbers, windows, headers). Status 429 is listed for the enterprise user list.",
    ),
    Gap(
        "error-status-mapping",
        "#/info",
        "Which failure condition gives which status for each endpoint, beyond the rules stated.",
    ),
    Gap("size-limits", "#/info", "Maximum sizes of prompt, name, tags or attachments."),
    Gap("events", "#/info", "Events; no webhook or push notification mechanism is described."),
    Gap(
        "session-list-parameters",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions/get",
        "Query parameters other than first, after and origins.",
    ),
    Gap(
        "session-list-error-statuses",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions/get",
        "The statuses of the problem-detail bodies.",
    ),
    Gap(
        "session-list-origins-encoding",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions/get/parameters/2/schema",
        "How several origins are written into the query (repeated here, the OpenAPI default).",
    ),
    Gap(
        "session-create-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions/post",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "session-create-request",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions/post",
        "The request payload beyond the parameters named, and whether one is required.",
    ),
    Gap(
        "session-create-response",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions/post",
        "The success status and the response payload.",
    ),
    Gap("session-create-errors", "#/paths/~1v3~1organizations~1{org_id}~1sessions/post", "The error statuses."),
    Gap(
        "session-get-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "session-get-response",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/get",
        "The success status and the response payload.",
    ),
    Gap(
        "session-get-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/get",
        "The error statuses.",
    ),
    Gap(
        "session-terminate-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/delete",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "session-terminate-archive",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/delete",
        "The type, the values and the effect of the query parameter `archive`.",
    ),
    Gap(
        "session-terminate-response",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/delete",
        "The success status, the response payload and the effect on the session's status.",
    ),
    Gap(
        "session-terminate-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}/delete",
        "The error statuses.",
    ),
    Gap(
        "session-message-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/post",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "session-message-request",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/post",
        "The request payload.",
    ),
    Gap(
        "session-message-response",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/post",
        "The success status and the response payload.",
    ),
    Gap(
        "session-message-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/post",
        "The error statuses.",
    ),
    Gap(
        "session-archive-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1archive/post",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "session-archive-request",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1archive/post",
        "Whether a request payload is taken.",
    ),
    Gap(
        "session-archive-response",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1archive/post",
        "The success status, the response payload and the effect on the session's status.",
    ),
    Gap(
        "session-archive-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1archive/post",
        "The error statuses.",
    ),
    Gap(
        "schedule-create-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules/post",
        "The error statuses other than 400 and 403, that of a validation failure among them.",
    ),
    Gap(
        "schedule-create-credential",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules/post",
        "The kinds of credential.",
    ),
    Gap(
        "schedule-platform-labels",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules/post",
        "The shape in which the 400 body lists the available platform labels.",
    ),
    Gap(
        "automation-update-level",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/patch",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "automation-update-media-type",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/patch",
        "The media type of the request body (a member-wise merge; merge-patch, RFC 7396, is used).",
    ),
    Gap(
        "automation-update-request",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/patch",
        "The request payload.",
    ),
    Gap(
        "automation-update-response",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/patch",
        "The success status and the response payload.",
    ),
    Gap(
        "automation-update-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/patch",
        "The error statuses, that of an organization without automations among them.",
    ),
    Gap(
        "review-error-statuses",
        "#/paths/~1v3~1enterprise~1pr-reviews/post",
        "The statuses of the six problem-detail bodies.",
    ),
    Gap(
        "messages-error-statuses",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1messages/get",
        "The statuses of the six problem-detail bodies.",
    ),
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
    Gap(
        "repository-index-permission",
        "#/paths/~1beta~1v2~1enterprise~1repositories~1{org_id}/get",
        "A permission name; the kind of credential is all that is stated.",
    ),
    Gap(
        "repository-index-error-statuses",
        "#/paths/~1beta~1v2~1enterprise~1repositories~1{org_id}/get",
        "The error statuses.",
    ),
    Gap("credential-lifetime", "#/components/securitySchemes/serviceUser", "Credential lifetime and rotation."),
    Gap(
        "personal-access-token-format",
        "#/components/securitySchemes/personalAccessToken",
        "Format of a personal access token.",
    ),
    Gap(
        "enterprise-joined-at-unit",
        "#/components/schemas/EnterpriseUser/properties/enterprise_joined_at",
        "Unit of the integer timestamp.",
    ),
    Gap("review-required-fields", "#/components/schemas/Review", "Which fields are always present."),
    Gap("review-transitions", "#/components/schemas/ReviewStatus", "The transitions between the statuses."),
    Gap(
        "schedule-playbook-required-fields", "#/components/schemas/SchedulePlaybook", "Which fields are always present."
    ),
    Gap(
        "session-create-parameter-types",
        "#/components/schemas/SessionCreate",
        "The types of the parameters other than assistant_mode.",
    ),
    Gap(
        "session-required-fields",
        "#/components/schemas/Session",
        'Which fields are always present. Of their types, "for example whether null is allowed", it is said only that they "follow the names".',
    ),
    Gap(
        "session-transitions",
        "#/components/schemas/Session",
        "Session states and transitions (including the effect of archive, terminate and message sending on status).",
    ),
    Gap("session-status-values", "#/components/schemas/Session/properties/status", "Allowed values."),
    Gap("session-status-detail-values", "#/components/schemas/Session/properties/status_detail", "Allowed values."),
    Gap(
        "session-created-at-unit",
        "#/components/schemas/Session/properties/created_at",
        "Unit of the integer timestamp.",
    ),
    Gap(
        "session-updated-at-unit",
        "#/components/schemas/Session/properties/updated_at",
        "Unit of the integer timestamp.",
    ),
    Gap("session-category-values", "#/components/schemas/Session/properties/category", "Allowed values."),
    Gap("session-is-advanced-type", "#/components/schemas/Session/properties/is_advanced", "The type."),
    Gap("session-pr-state-values", "#/components/schemas/SessionPullRequest/properties/pr_state", "Allowed values."),
    Gap(
        "session-security-profile-selection-values",
        "#/components/schemas/SessionSecurityProfile/properties/selection",
        "Allowed values beyond `inherit`.",
    ),
    Gap("message-required-fields", "#/components/schemas/SessionMessage", "Which fields are always present."),
    Gap(
        "message-created-at-unit",
        "#/components/schemas/SessionMessage/properties/created_at",
        "Unit of the integer timestamp.",
    ),
    Gap("message-source-values", "#/components/schemas/SessionMessage/properties/source", "Values beyond `assistant`."),
    Gap("blueprint-list-required-fields", "#/components/schemas/BlueprintList", "Whether `data` is always present."),
    Gap("blueprint-required-fields", "#/components/schemas/Blueprint", "Which fields are always present."),
    Gap(
        "blueprint-created-at-unit",
        "#/components/schemas/Blueprint/properties/created_at",
        "Unit of the integer timestamp.",
    ),
    Gap(
        "blueprint-updated-at-unit",
        "#/components/schemas/Blueprint/properties/updated_at",
        "Unit of the integer timestamp.",
    ),
    Gap("blueprint-type-values", "#/components/schemas/Blueprint/properties/type", "Values beyond `enterprise`."),
    Gap("blueprint-source-values", "#/components/schemas/Blueprint/properties/source", "Values beyond `git`."),
    Gap("repo-index-job-required-fields", "#/components/schemas/RepoIndexJob", "Which fields are always present."),
    Gap(
        "repo-index-job-status-values", "#/components/schemas/RepoIndexJob/properties/status", "Values beyond `failed`."
    ),
    Gap(
        "problem-errors-members",
        "#/components/schemas/ProblemFieldError",
        "The members of a field-level validation failure.",
    ),
    Gap("error-code-values", "#/components/schemas/ProblemWithCode/allOf/1/properties/error_code", "The values."),
    Gap(
        "schedule-validation-required-fields",
        "#/components/schemas/ValidationFailure",
        "Which members are always present.",
    ),
)
