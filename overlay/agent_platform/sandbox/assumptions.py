"""What the sandbox does where the API's description is silent: assumptions, each with the gap that it fills."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Assumption:
    """A behaviour that is the sandbox's own; `gap` is the id of what the description does not show."""

    gap: str
    assumed: str


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption("rate-limits", "Off unless `rate_limit` is set: a token bucket for all callers, with Retry-After."),
    Assumption("error-code-values", "`error_code` is the title in snake_case, such as `forbidden`."),
    Assumption(
        "error-status-mapping",
        "401 without a known credential; 403 for one of the wrong kind, without the permission or of another "
        "organization; 404 for what does not exist; 422 for what is not valid. Checked in this order.",
    ),
    Assumption("personal-access-token-format", "The sandbox's own begin with `pat-`."),
    Assumption("session-list-parameters", "Any other query parameter is refused with 422."),
    Assumption("session-create-permission", "Any permission will do where none is shown."),
    Assumption(
        "session-create-request", "Any member is taken; `title` and `tags` are kept, `prompt` is the first message."
    ),
    Assumption("session-create-response", "200 with the session."),
    Assumption("session-status-values", "`running`; `suspended` when told so; `terminated`."),
    Assumption("session-message-request", "`message` is the text; any other member is ignored."),
    Assumption("session-message-response", "200 with the message; the assistant answers at once."),
    Assumption("session-archive-response", "200 with the session, `is_archived` true."),
    Assumption("session-terminate-archive", "`true` also archives the session."),
    Assumption("session-terminate-response", "200 with the session; a terminated one takes no more messages (409)."),
    Assumption("schedule-create-errors", "422 for a validation failure."),
    Assumption("schedule-platform-labels", "The labels stand in `detail` and in the member `available_platforms`."),
    Assumption("review-error-statuses", "422 for a URL that does not end in a number."),
    Assumption("blueprint-delete-response", "204 without a body; deleting again is a 404, and it is no longer listed."),
    Assumption("blueprint-list-parameters", "Any query parameter is refused with 422."),
    Assumption("automation-update-media-type", "Any JSON media type is taken."),
    Assumption("automation-update-response", "200 with the automation."),
    Assumption("automation-update-errors", "403 where automations are not enabled; an unknown automation is a 404."),
    Assumption("attachment-upload-request", "A multipart form with a part `file`."),
    Assumption("attachment-upload-response", "200 with `uuid`, `name` and `url`."),
    Assumption("attachment-download-response", "200 with the bytes that were uploaded."),
    Assumption("problem-errors-members", "`loc`, `msg` and `type`, as in the schedule's form."),
    Assumption("session-created-at-unit", "Seconds since 1970."),
)
