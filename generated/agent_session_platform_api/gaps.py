# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
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
        "permission-levels",
        "#/info",
        "Whether a permission at enterprise level holds in organizations, too, and what the type of a role says of it.",
    ),
    Gap(
        "list-order",
        "#/info",
        "In which order lists are given, but for audit logs and the session messages of the enterprise scope.",
    ),
    Gap(
        "list-pagination",
        "#/info",
        "Whether lists other than these are paginated: users, sessions and session messages, which the title of the envelope names, and the lists whose own entries name `first` and `after` or pagination. Versioning says only that pagination is cursor-based.",
    ),
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
        "organization-insights-method",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights/get",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "organization-insights-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "organization-insights-response",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights/get",
        "The success status and the response payload.",
    ),
    Gap(
        "organization-insights-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights/get",
        "The error statuses.",
    ),
    Gap(
        "session-message-legacy",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/post",
        "The legacy path that messages are mapped from.",
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
        "organization-messages-method",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/get",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "organization-messages-legacy",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/get",
        "The legacy path that messages are mapped from.",
    ),
    Gap(
        "organization-messages-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "organization-messages-response",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/get",
        "The success status and the response payload.",
    ),
    Gap(
        "organization-messages-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1messages/get",
        "The error statuses.",
    ),
    Gap(
        "organization-session-tags-list-method",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1tags/get",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "organization-session-tags-list-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1tags/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "organization-session-tags-list-response",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1tags/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap(
        "organization-session-tags-list-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1tags/get",
        "The error statuses.",
    ),
    Gap(
        "organization-session-tags-replace-method",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1tags/put",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "organization-session-tags-replace-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1tags/put",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "organization-session-tags-replace-request",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1tags/put",
        "The request payload.",
    ),
    Gap(
        "organization-session-tags-replace-response",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1tags/put",
        "The success status and the response payload.",
    ),
    Gap(
        "organization-session-tags-replace-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1tags/put",
        "The error statuses.",
    ),
    Gap(
        "organization-insights-generate-level",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights~1generate/post",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "organization-insights-generate-request",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights~1generate/post",
        "Whether a request payload is taken.",
    ),
    Gap(
        "organization-insights-generate-response",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights~1generate/post",
        "The success status.",
    ),
    Gap(
        "organization-insights-generate-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1sessions~1{assistant_id}~1insights~1generate/post",
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
        "schedule-list-level",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules/get",
        "The level of the permission (at creation, organization), and the kinds of credential.",
    ),
    Gap(
        "schedule-list-response",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap("schedule-list-errors", "#/paths/~1v3~1organizations~1{org_id}~1schedules/get", "The error statuses."),
    Gap(
        "schedule-get-level",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/get",
        "The level of the permission (at creation, organization), and the kinds of credential.",
    ),
    Gap(
        "schedule-get-replacement",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/get",
        "How the response points to the replacement automation.",
    ),
    Gap(
        "schedule-get-response",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/get",
        "The success status and the response payload.",
    ),
    Gap(
        "schedule-get-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/get",
        "The error statuses.",
    ),
    Gap(
        "schedule-update-level",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/patch",
        "The level of the permission (at creation, organization), and the kinds of credential.",
    ),
    Gap(
        "schedule-update-request",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/patch",
        "The request payload.",
    ),
    Gap(
        "schedule-update-response",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/patch",
        "The success status and the response payload.",
    ),
    Gap(
        "schedule-update-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/patch",
        "The error statuses.",
    ),
    Gap(
        "schedule-delete-level",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/delete",
        "The level of the permission (at creation, organization), and the kinds of credential.",
    ),
    Gap(
        "schedule-delete-response",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/delete",
        "The success status and the response payload.",
    ),
    Gap(
        "schedule-delete-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1schedules~1{schedule_id}/delete",
        "The error statuses.",
    ),
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
    Gap(
        "automation-create-level",
        "#/paths/~1v3~1organizations~1{org_id}~1automations/post",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap("automation-create-request", "#/paths/~1v3~1organizations~1{org_id}~1automations/post", "The request payload."),
    Gap(
        "automation-create-response",
        "#/paths/~1v3~1organizations~1{org_id}~1automations/post",
        "The success status and the response payload.",
    ),
    Gap("automation-create-errors", "#/paths/~1v3~1organizations~1{org_id}~1automations/post", "The error statuses."),
    Gap(
        "automation-schemas-level",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1schemas/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "automation-schemas-response",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1schemas/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap(
        "automation-schemas-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1schemas/get",
        "The error statuses.",
    ),
    Gap(
        "automation-templates-level",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1templates/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "automation-templates-response",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1templates/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap(
        "automation-templates-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1templates/get",
        "The error statuses.",
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
        "automation-get-level",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "automation-get-response",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/get",
        "The success status and the response payload.",
    ),
    Gap(
        "automation-get-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/get",
        "The error statuses.",
    ),
    Gap(
        "automation-delete-level",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/delete",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "automation-delete-response",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/delete",
        "The success status and the response payload.",
    ),
    Gap(
        "automation-delete-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1automations~1{automation_id}/delete",
        "The error statuses.",
    ),
    Gap(
        "default-session-tags-list-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "default-session-tags-list-path",
        "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/get",
        "The path and the methods.",
    ),
    Gap(
        "default-session-tags-list-response",
        "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap(
        "default-session-tags-list-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/get",
        "The error statuses.",
    ),
    Gap(
        "default-session-tags-replace-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/put",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "default-session-tags-replace-path",
        "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/put",
        "The path and the methods.",
    ),
    Gap(
        "default-session-tags-replace-request",
        "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/put",
        "The request payload.",
    ),
    Gap(
        "default-session-tags-replace-response",
        "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/put",
        "The success status and the response payload.",
    ),
    Gap(
        "default-session-tags-replace-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1default-session-tags/put",
        "The error statuses.",
    ),
    Gap(
        "knowledge-note-list-method",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/get",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "knowledge-note-list-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "knowledge-note-list-response",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap(
        "knowledge-note-list-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/get",
        "The error statuses.",
    ),
    Gap(
        "knowledge-note-create-method",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/post",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "knowledge-note-create-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/post",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "knowledge-note-create-request",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/post",
        "The request payload.",
    ),
    Gap(
        "knowledge-note-create-response",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/post",
        "The success status and the response payload.",
    ),
    Gap(
        "knowledge-note-create-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes/post",
        "The error statuses.",
    ),
    Gap(
        "knowledge-note-update-method",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/put",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "knowledge-note-update-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/put",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "knowledge-note-update-request",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/put",
        "The request payload.",
    ),
    Gap(
        "knowledge-note-update-response",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/put",
        "The success status and the response payload.",
    ),
    Gap(
        "knowledge-note-update-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/put",
        "The error statuses.",
    ),
    Gap(
        "knowledge-note-delete-method",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/delete",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "knowledge-note-delete-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/delete",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "knowledge-note-delete-response",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/delete",
        "The success status and the response payload.",
    ),
    Gap(
        "knowledge-note-delete-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1knowledge~1notes~1{note_id}/delete",
        "The error statuses.",
    ),
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
    Gap(
        "playbook-get-method",
        "#/paths/~1v3~1organizations~1{org_id}~1playbooks~1{playbook_id}/get",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "playbook-get-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1playbooks~1{playbook_id}/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "playbook-get-response",
        "#/paths/~1v3~1organizations~1{org_id}~1playbooks~1{playbook_id}/get",
        "The success status and the response payload.",
    ),
    Gap(
        "playbook-get-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1playbooks~1{playbook_id}/get",
        "The error statuses.",
    ),
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
    Gap(
        "secret-list-level",
        "#/paths/~1v3~1organizations~1{org_id}~1secrets/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "secret-list-response",
        "#/paths/~1v3~1organizations~1{org_id}~1secrets/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap("secret-list-errors", "#/paths/~1v3~1organizations~1{org_id}~1secrets/get", "The error statuses."),
    Gap(
        "secret-create-type",
        "#/paths/~1v3~1organizations~1{org_id}~1secrets/post",
        "The name of the member that has the type, and further types.",
    ),
    Gap(
        "secret-create-level",
        "#/paths/~1v3~1organizations~1{org_id}~1secrets/post",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap("secret-create-request", "#/paths/~1v3~1organizations~1{org_id}~1secrets/post", "The request payload."),
    Gap(
        "secret-create-response",
        "#/paths/~1v3~1organizations~1{org_id}~1secrets/post",
        "The success status and the response payload.",
    ),
    Gap("secret-create-errors", "#/paths/~1v3~1organizations~1{org_id}~1secrets/post", "The error statuses."),
    Gap(
        "secret-delete-level",
        "#/paths/~1v3~1organizations~1{org_id}~1secrets~1{secret_id}/delete",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "secret-delete-response",
        "#/paths/~1v3~1organizations~1{org_id}~1secrets~1{secret_id}/delete",
        "The success status and the response payload.",
    ),
    Gap(
        "secret-delete-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1secrets~1{secret_id}/delete",
        "The error statuses.",
    ),
    Gap(
        "attachment-upload-level",
        "#/paths/~1v3~1organizations~1{org_id}~1attachments/post",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "attachment-upload-request",
        "#/paths/~1v3~1organizations~1{org_id}~1attachments/post",
        "The media type and the names of the parts; a multipart form with a part `file` is used.",
    ),
    Gap(
        "attachment-upload-response",
        "#/paths/~1v3~1organizations~1{org_id}~1attachments/post",
        "The success status and the response payload.",
    ),
    Gap("attachment-upload-errors", "#/paths/~1v3~1organizations~1{org_id}~1attachments/post", "The error statuses."),
    Gap(
        "attachment-download-level",
        "#/paths/~1v3~1organizations~1{org_id}~1attachments~1{uuid}~1{name}/get",
        "The level of the permission (of the session list, organization), and the kinds of credential.",
    ),
    Gap(
        "attachment-download-response",
        "#/paths/~1v3~1organizations~1{org_id}~1attachments~1{uuid}~1{name}/get",
        "The success status and the response payload.",
    ),
    Gap(
        "attachment-download-errors",
        "#/paths/~1v3~1organizations~1{org_id}~1attachments~1{uuid}~1{name}/get",
        "The error statuses.",
    ),
    Gap("organization-audit-logs-path", "#/paths/~1v3~1organizations~1{org_id}~1audit-logs/get", "The path."),
    Gap(
        "organization-audit-logs-permission",
        "#/paths/~1v3~1organizations~1{org_id}~1audit-logs/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "organization-audit-logs-parameters",
        "#/paths/~1v3~1organizations~1{org_id}~1audit-logs/get",
        "Query parameters other than order.",
    ),
    Gap(
        "organization-audit-logs-response",
        "#/paths/~1v3~1organizations~1{org_id}~1audit-logs/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap(
        "organization-audit-logs-errors", "#/paths/~1v3~1organizations~1{org_id}~1audit-logs/get", "The error statuses."
    ),
    Gap(
        "member-idp-users-permission",
        "#/paths/~1v3~1enterprise~1members~1idp-users/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap("member-idp-users-path", "#/paths/~1v3~1enterprise~1members~1idp-users/get", "The path."),
    Gap(
        "member-idp-users-response",
        "#/paths/~1v3~1enterprise~1members~1idp-users/get",
        "The success status, the response payload, and whether the list is paginated, as that of the organization scope is (list-pagination).",
    ),
    Gap("member-idp-users-errors", "#/paths/~1v3~1enterprise~1members~1idp-users/get", "The error statuses."),
    Gap(
        "review-error-statuses",
        "#/paths/~1v3~1enterprise~1pr-reviews/post",
        "The statuses of the six problem-detail bodies.",
    ),
    Gap(
        "enterprise-sessions-permission",
        "#/paths/~1v3~1enterprise~1sessions/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "enterprise-sessions-org-ids",
        "#/paths/~1v3~1enterprise~1sessions/get",
        "The type of org_ids and how several are written into the query.",
    ),
    Gap(
        "enterprise-sessions-parameters",
        "#/paths/~1v3~1enterprise~1sessions/get",
        "Query parameters other than first, after and org_ids.",
    ),
    Gap(
        "enterprise-sessions-response",
        "#/paths/~1v3~1enterprise~1sessions/get",
        "The success status and the response payload.",
    ),
    Gap("enterprise-sessions-errors", "#/paths/~1v3~1enterprise~1sessions/get", "The error statuses."),
    Gap(
        "enterprise-session-create-method",
        "#/paths/~1v3~1enterprise~1sessions/post",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "enterprise-session-create-permission",
        "#/paths/~1v3~1enterprise~1sessions/post",
        "The permission, its level and the kinds of credential.",
    ),
    Gap("enterprise-session-create-request", "#/paths/~1v3~1enterprise~1sessions/post", "The request payload."),
    Gap(
        "enterprise-session-create-response",
        "#/paths/~1v3~1enterprise~1sessions/post",
        "The success status and the response payload.",
    ),
    Gap("enterprise-session-create-errors", "#/paths/~1v3~1enterprise~1sessions/post", "The error statuses."),
    Gap(
        "enterprise-session-get-method",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/get",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "enterprise-session-get-permission",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "enterprise-session-get-response",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/get",
        "The success status and the response payload.",
    ),
    Gap(
        "enterprise-session-get-errors", "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/get", "The error statuses."
    ),
    Gap(
        "enterprise-session-terminate-method",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/delete",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "enterprise-session-terminate-archive",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/delete",
        "Whether the query parameter `archive` is taken here.",
    ),
    Gap(
        "enterprise-session-terminate-permission",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/delete",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "enterprise-session-terminate-response",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/delete",
        "The success status and the response payload.",
    ),
    Gap(
        "enterprise-session-terminate-errors",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}/delete",
        "The error statuses.",
    ),
    Gap(
        "enterprise-session-archive-method",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1archive/post",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "enterprise-session-archive-permission",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1archive/post",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "enterprise-session-archive-request",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1archive/post",
        "Whether a request payload is taken.",
    ),
    Gap(
        "enterprise-session-archive-response",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1archive/post",
        "The success status and the response payload.",
    ),
    Gap(
        "enterprise-session-archive-errors",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1archive/post",
        "The error statuses.",
    ),
    Gap(
        "enterprise-insights-method",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights/get",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "enterprise-insights-permission",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "enterprise-insights-response",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights/get",
        "The success status and the response payload.",
    ),
    Gap(
        "enterprise-insights-errors",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights/get",
        "The error statuses.",
    ),
    Gap(
        "messages-error-statuses",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1messages/get",
        "The statuses of the six problem-detail bodies.",
    ),
    Gap(
        "enterprise-session-message-method",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1messages/post",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "enterprise-session-message-permission",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1messages/post",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "enterprise-session-message-request",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1messages/post",
        "The request payload.",
    ),
    Gap(
        "enterprise-session-message-response",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1messages/post",
        "The success status and the response payload.",
    ),
    Gap(
        "enterprise-session-message-errors",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1messages/post",
        "The error statuses.",
    ),
    Gap(
        "enterprise-session-tags-list-method",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/get",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "enterprise-session-tags-list-permission",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "enterprise-session-tags-list-response",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap(
        "enterprise-session-tags-list-errors",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/get",
        "The error statuses.",
    ),
    Gap(
        "enterprise-session-tags-replace-method",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/put",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "enterprise-session-tags-replace-permission",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/put",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "enterprise-session-tags-replace-request",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/put",
        "The request payload.",
    ),
    Gap(
        "enterprise-session-tags-replace-response",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/put",
        "The success status and the response payload.",
    ),
    Gap(
        "enterprise-session-tags-replace-errors",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1tags/put",
        "The error statuses.",
    ),
    Gap(
        "enterprise-insights-generate-level",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights~1generate/post",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "enterprise-insights-generate-request",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights~1generate/post",
        "Whether a request payload is taken.",
    ),
    Gap(
        "enterprise-insights-generate-response",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights~1generate/post",
        "The success status.",
    ),
    Gap(
        "enterprise-insights-generate-errors",
        "#/paths/~1v3~1enterprise~1sessions~1{assistant_id}~1insights~1generate/post",
        "The error statuses.",
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
    Gap(
        "organization-list-permission",
        "#/paths/~1v3~1enterprise~1organizations/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "organization-list-response",
        "#/paths/~1v3~1enterprise~1organizations/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap("organization-list-errors", "#/paths/~1v3~1enterprise~1organizations/get", "The error statuses."),
    Gap(
        "role-list-permission",
        "#/paths/~1v3~1enterprise~1roles/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "role-list-response",
        "#/paths/~1v3~1enterprise~1roles/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap("role-list-errors", "#/paths/~1v3~1enterprise~1roles/get", "The error statuses."),
    Gap(
        "enterprise-audit-logs-permission",
        "#/paths/~1v3~1enterprise~1audit-logs/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "enterprise-audit-logs-parameters",
        "#/paths/~1v3~1enterprise~1audit-logs/get",
        "Query parameters other than order.",
    ),
    Gap(
        "enterprise-audit-logs-response",
        "#/paths/~1v3~1enterprise~1audit-logs/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap("enterprise-audit-logs-errors", "#/paths/~1v3~1enterprise~1audit-logs/get", "The error statuses."),
    Gap(
        "consumption-permission",
        "#/paths/~1v3~1enterprise~1consumption~1{tail}/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "consumption-paths", "#/paths/~1v3~1enterprise~1consumption~1{tail}/get", "The sub-paths and their parameters."
    ),
    Gap(
        "consumption-response",
        "#/paths/~1v3~1enterprise~1consumption~1{tail}/get",
        "The success status and the response payload.",
    ),
    Gap("consumption-errors", "#/paths/~1v3~1enterprise~1consumption~1{tail}/get", "The error statuses."),
    Gap(
        "metrics-permission",
        "#/paths/~1v3~1enterprise~1metrics~1{tail}/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap("metrics-paths", "#/paths/~1v3~1enterprise~1metrics~1{tail}/get", "The sub-paths and their parameters."),
    Gap(
        "metrics-response",
        "#/paths/~1v3~1enterprise~1metrics~1{tail}/get",
        "The success status and the response payload.",
    ),
    Gap("metrics-errors", "#/paths/~1v3~1enterprise~1metrics~1{tail}/get", "The error statuses."),
    Gap(
        "active-users-permission",
        "#/paths/~1v3~1enterprise~1metrics~1active-users/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "active-users-parameters",
        "#/paths/~1v3~1enterprise~1metrics~1active-users/get",
        "The names of the date range's parameters, and the names and types of the others.",
    ),
    Gap(
        "active-users-response",
        "#/paths/~1v3~1enterprise~1metrics~1active-users/get",
        "The success status and the response payload.",
    ),
    Gap("active-users-errors", "#/paths/~1v3~1enterprise~1metrics~1active-users/get", "The error statuses."),
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
    Gap(
        "acu-limit-replace-method",
        "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/put",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "acu-limit-replace-level",
        "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/put",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "acu-limit-replace-request",
        "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/put",
        "The request payload.",
    ),
    Gap(
        "acu-limit-replace-response",
        "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/put",
        "The success status and the response payload.",
    ),
    Gap(
        "acu-limit-replace-errors",
        "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/put",
        "The error statuses.",
    ),
    Gap(
        "acu-limit-delete-method",
        "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/delete",
        "That there is such an operation is inferred, and so are its method and path.",
    ),
    Gap(
        "acu-limit-delete-level",
        "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/delete",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "acu-limit-delete-response",
        "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/delete",
        "The success status and the response payload.",
    ),
    Gap(
        "acu-limit-delete-errors",
        "#/paths/~1v3~1enterprise~1consumption~1acu-limits~1assistant-equivalent~1{org_id}/delete",
        "The error statuses.",
    ),
    Gap(
        "ip-access-list-get-level",
        "#/paths/~1v3~1enterprise~1ip-access-list/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "ip-access-list-get-response",
        "#/paths/~1v3~1enterprise~1ip-access-list/get",
        "The success status and the response payload.",
    ),
    Gap("ip-access-list-get-errors", "#/paths/~1v3~1enterprise~1ip-access-list/get", "The error statuses."),
    Gap(
        "ip-access-list-append-level",
        "#/paths/~1v3~1enterprise~1ip-access-list/post",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap("ip-access-list-append-request", "#/paths/~1v3~1enterprise~1ip-access-list/post", "The request payload."),
    Gap(
        "ip-access-list-append-response",
        "#/paths/~1v3~1enterprise~1ip-access-list/post",
        "The success status and the response payload.",
    ),
    Gap("ip-access-list-append-errors", "#/paths/~1v3~1enterprise~1ip-access-list/post", "The error statuses."),
    Gap(
        "ip-access-list-replace-level",
        "#/paths/~1v3~1enterprise~1ip-access-list/put",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap("ip-access-list-replace-request", "#/paths/~1v3~1enterprise~1ip-access-list/put", "The request payload."),
    Gap(
        "ip-access-list-replace-response",
        "#/paths/~1v3~1enterprise~1ip-access-list/put",
        "The success status and the response payload.",
    ),
    Gap("ip-access-list-replace-errors", "#/paths/~1v3~1enterprise~1ip-access-list/put", "The error statuses."),
    Gap("ip-access-list-delete-effect", "#/paths/~1v3~1enterprise~1ip-access-list/delete", "What exactly is deleted."),
    Gap(
        "ip-access-list-delete-level",
        "#/paths/~1v3~1enterprise~1ip-access-list/delete",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "ip-access-list-delete-response",
        "#/paths/~1v3~1enterprise~1ip-access-list/delete",
        "The success status and the response payload.",
    ),
    Gap("ip-access-list-delete-errors", "#/paths/~1v3~1enterprise~1ip-access-list/delete", "The error statuses."),
    Gap(
        "git-permission-read-only",
        "#/paths/~1v3~1enterprise~1organizations~1{org_id}~1git-providers~1permissions~1{git_permission_id}/patch",
        "Whether read_only is a member or a value.",
    ),
    Gap(
        "git-permission-update-level",
        "#/paths/~1v3~1enterprise~1organizations~1{org_id}~1git-providers~1permissions~1{git_permission_id}/patch",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "git-permission-update-request",
        "#/paths/~1v3~1enterprise~1organizations~1{org_id}~1git-providers~1permissions~1{git_permission_id}/patch",
        "The request payload.",
    ),
    Gap(
        "git-permission-update-response",
        "#/paths/~1v3~1enterprise~1organizations~1{org_id}~1git-providers~1permissions~1{git_permission_id}/patch",
        "The success status and the response payload.",
    ),
    Gap(
        "git-permission-update-errors",
        "#/paths/~1v3~1enterprise~1organizations~1{org_id}~1git-providers~1permissions~1{git_permission_id}/patch",
        "The error statuses.",
    ),
    Gap(
        "git-connection-repositories-level",
        "#/paths/~1v3~1enterprise~1git-providers~1connections~1{connection_id}~1repositories/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "git-connection-repositories-filter-name",
        "#/paths/~1v3~1enterprise~1git-providers~1connections~1{connection_id}~1repositories/get",
        "The type of filter_name, and how it matches.",
    ),
    Gap(
        "git-connection-repositories-response",
        "#/paths/~1v3~1enterprise~1git-providers~1connections~1{connection_id}~1repositories/get",
        "The success status and the response payload.",
    ),
    Gap(
        "git-connection-repositories-errors",
        "#/paths/~1v3~1enterprise~1git-providers~1connections~1{connection_id}~1repositories/get",
        "The error statuses.",
    ),
    Gap(
        "idp-group-list-level",
        "#/paths/~1v3~1enterprise~1idp-groups/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "idp-group-list-response",
        "#/paths/~1v3~1enterprise~1idp-groups/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap("idp-group-list-errors", "#/paths/~1v3~1enterprise~1idp-groups/get", "The error statuses."),
    Gap(
        "idp-group-create-level",
        "#/paths/~1v3~1enterprise~1idp-groups/post",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap("idp-group-create-request", "#/paths/~1v3~1enterprise~1idp-groups/post", "The request payload."),
    Gap(
        "idp-group-create-response",
        "#/paths/~1v3~1enterprise~1idp-groups/post",
        "The success status and the response payload.",
    ),
    Gap("idp-group-create-errors", "#/paths/~1v3~1enterprise~1idp-groups/post", "The error statuses."),
    Gap(
        "idp-group-delete-level",
        "#/paths/~1v3~1enterprise~1idp-groups~1{idp_group_name}/delete",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "idp-group-delete-refusal",
        "#/paths/~1v3~1enterprise~1idp-groups~1{idp_group_name}/delete",
        "The status of the refusal.",
    ),
    Gap(
        "idp-group-delete-response",
        "#/paths/~1v3~1enterprise~1idp-groups~1{idp_group_name}/delete",
        "The success status and the response payload.",
    ),
    Gap(
        "idp-group-delete-errors",
        "#/paths/~1v3~1enterprise~1idp-groups~1{idp_group_name}/delete",
        "The error statuses.",
    ),
    Gap(
        "queue-level",
        "#/paths/~1v3~1enterprise~1queue/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "queue-total-name",
        "#/paths/~1v3~1enterprise~1queue/get",
        "The name of the field that has the total of queued sessions.",
    ),
    Gap("queue-response", "#/paths/~1v3~1enterprise~1queue/get", "The success status."),
    Gap("queue-errors", "#/paths/~1v3~1enterprise~1queue/get", "The error statuses."),
    Gap(
        "org-group-limits-get-level",
        "#/paths/~1v3~1enterprise~1org-group-limits/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "org-group-limits-get-response",
        "#/paths/~1v3~1enterprise~1org-group-limits/get",
        "The success status and the response payload.",
    ),
    Gap("org-group-limits-get-errors", "#/paths/~1v3~1enterprise~1org-group-limits/get", "The error statuses."),
    Gap(
        "org-group-limits-replace-level",
        "#/paths/~1v3~1enterprise~1org-group-limits/put",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap("org-group-limits-replace-request", "#/paths/~1v3~1enterprise~1org-group-limits/put", "The request payload."),
    Gap(
        "org-group-limits-replace-response",
        "#/paths/~1v3~1enterprise~1org-group-limits/put",
        "The success status and the response payload.",
    ),
    Gap("org-group-limits-replace-errors", "#/paths/~1v3~1enterprise~1org-group-limits/put", "The error statuses."),
    Gap(
        "hypervisors-utilization-place",
        "#/paths/~1v3~1enterprise~1hypervisors/get",
        "Where in the response utilization_percentage stands, and its type.",
    ),
    Gap(
        "hypervisors-permission",
        "#/paths/~1v3~1enterprise~1hypervisors/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "hypervisors-response",
        "#/paths/~1v3~1enterprise~1hypervisors/get",
        "The success status, the response payload, and whether the list is paginated (list-pagination).",
    ),
    Gap("hypervisors-errors", "#/paths/~1v3~1enterprise~1hypervisors/get", "The error statuses."),
    Gap(
        "hypervisors-status-values",
        "#/paths/~1v3~1enterprise~1hypervisors/get/parameters/0/schema",
        "Values other than `available` and `all`.",
    ),
    Gap(
        "organization-member-idp-users-level",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1idp-users/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "organization-member-idp-users-email",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1idp-users/get",
        "The type of the email filter, and whether it is exact.",
    ),
    Gap(
        "organization-member-idp-users-response",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1idp-users/get",
        "The success status and the response payload.",
    ),
    Gap(
        "organization-member-idp-users-errors",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1idp-users/get",
        "The error statuses.",
    ),
    Gap(
        "organization-member-users-level",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "organization-member-users-email",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users/get",
        "The type of the email filter, and whether it is exact.",
    ),
    Gap(
        "organization-member-users-response",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users/get",
        "The success status and the response payload.",
    ),
    Gap(
        "organization-member-users-errors",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users/get",
        "The error statuses.",
    ),
    Gap(
        "organization-member-user-level",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users~1{user_id}/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "organization-member-user-response",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users~1{user_id}/get",
        "The success status and the response payload.",
    ),
    Gap(
        "organization-member-user-errors",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1members~1users~1{user_id}/get",
        "The error statuses.",
    ),
    Gap(
        "enterprise-service-user-create-level",
        "#/paths/~1v3beta1~1enterprise~1service-users/post",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "enterprise-service-user-create-request",
        "#/paths/~1v3beta1~1enterprise~1service-users/post",
        "The request payload.",
    ),
    Gap(
        "enterprise-service-user-create-response",
        "#/paths/~1v3beta1~1enterprise~1service-users/post",
        "The success status and the response payload.",
    ),
    Gap(
        "enterprise-service-user-create-errors",
        "#/paths/~1v3beta1~1enterprise~1service-users/post",
        "The error statuses.",
    ),
    Gap(
        "organization-service-user-create-level",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1service-users/post",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "organization-service-user-create-request",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1service-users/post",
        "The request payload.",
    ),
    Gap(
        "organization-service-user-create-response",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1service-users/post",
        "The success status and the response payload.",
    ),
    Gap(
        "organization-service-user-create-errors",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1service-users/post",
        "The error statuses.",
    ),
    Gap(
        "enterprise-guardrail-violations-level",
        "#/paths/~1v3beta1~1enterprise~1guardrail-violations/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "enterprise-guardrail-violations-parameters",
        "#/paths/~1v3beta1~1enterprise~1guardrail-violations/get",
        "The names of the time range's parameters, and the types of all filters.",
    ),
    Gap(
        "enterprise-guardrail-violations-response",
        "#/paths/~1v3beta1~1enterprise~1guardrail-violations/get",
        "The success status and the response payload.",
    ),
    Gap(
        "enterprise-guardrail-violations-errors",
        "#/paths/~1v3beta1~1enterprise~1guardrail-violations/get",
        "The error statuses.",
    ),
    Gap(
        "organization-guardrail-violations-level",
        "#/paths/~1v3beta1~1enterprise~1organizations~1{org_id}~1guardrail-violations/get",
        "The level of the permission, and the kinds of credential.",
    ),
    Gap(
        "organization-guardrail-violations-parameters",
        "#/paths/~1v3beta1~1enterprise~1organizations~1{org_id}~1guardrail-violations/get",
        "The names of the time range's parameters, and the types of all filters.",
    ),
    Gap(
        "organization-guardrail-violations-response",
        "#/paths/~1v3beta1~1enterprise~1organizations~1{org_id}~1guardrail-violations/get",
        "The success status and the response payload.",
    ),
    Gap(
        "organization-guardrail-violations-errors",
        "#/paths/~1v3beta1~1enterprise~1organizations~1{org_id}~1guardrail-violations/get",
        "The error statuses.",
    ),
    Gap(
        "enterprise-searches-permission",
        "#/paths/~1v3beta1~1enterprise~1searches/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "enterprise-searches-parameters", "#/paths/~1v3beta1~1enterprise~1searches/get", "The filters and their names."
    ),
    Gap(
        "enterprise-searches-response",
        "#/paths/~1v3beta1~1enterprise~1searches/get",
        "The success status and the response payload.",
    ),
    Gap("enterprise-searches-errors", "#/paths/~1v3beta1~1enterprise~1searches/get", "The error statuses."),
    Gap(
        "organization-searches-permission",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1searches/get",
        "The permission, its level and the kinds of credential.",
    ),
    Gap(
        "organization-searches-parameters",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1searches/get",
        "The filters and their names.",
    ),
    Gap(
        "organization-searches-response",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1searches/get",
        "The success status and the response payload.",
    ),
    Gap(
        "organization-searches-errors",
        "#/paths/~1v3beta1~1organizations~1{org_id}~1searches/get",
        "The error statuses.",
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
        "insights-generation-members",
        "#/components/schemas/InsightsGeneration",
        "Members other than status, and whether that is always present.",
    ),
    Gap(
        "queue-members", "#/components/schemas/Queue", "Members other than status, and whether that is always present."
    ),
    Gap(
        "enterprise-joined-at-unit",
        "#/components/schemas/EnterpriseUser/properties/enterprise_joined_at",
        "Unit of the integer timestamp.",
    ),
    Gap("review-required-fields", "#/components/schemas/Review", "Which fields are always present."),
    Gap("review-transitions", "#/components/schemas/ReviewStatus", "The transitions between the statuses."),
    Gap(
        "schedule-session",
        "#/components/schemas/Schedule",
        "What a session that it starts takes over from it, what `target_assistant_id` targets, and what else becomes of a run.",
    ),
    Gap(
        "schedule-id",
        "#/components/schemas/Schedule/properties/scheduled_session_id",
        "Whether it is the id by which paths name the schedule (`schedule_id`).",
    ),
    Gap(
        "schedule-interval-count-values",
        "#/components/schemas/Schedule/properties/interval_count",
        "What it counts, and which values are allowed.",
    ),
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
    Gap(
        "session-mode-values",
        "#/components/schemas/Session/properties/assistant_mode",
        "Whether there are values beyond those accepted at creation.",
    ),
    Gap("session-is-advanced-type", "#/components/schemas/Session/properties/is_advanced", "The type."),
    Gap(
        "session-origin-values",
        "#/components/schemas/Session/properties/origin",
        "Whether there are values beyond those of the filter.",
    ),
    Gap(
        "session-pull-request-required-fields",
        "#/components/schemas/SessionPullRequest",
        "Which members are always present.",
    ),
    Gap("session-pr-state-values", "#/components/schemas/SessionPullRequest/properties/pr_state", "Allowed values."),
    Gap(
        "session-security-profile-required-fields",
        "#/components/schemas/SessionSecurityProfile",
        "Which members are always present.",
    ),
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
    Gap(
        "validation-issue-required-fields", "#/components/schemas/ValidationIssue", "Which members are always present."
    ),
)
