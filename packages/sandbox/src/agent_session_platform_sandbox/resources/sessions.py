"""Sessions in both scopes, their messages, tags and insights."""

from __future__ import annotations

from typing import Any

import attrs

from ..assumptions import ACCEPT, HANDLE, Assumptions
from ..handlers import Call, Handler, Reply, paginate
from ..problems import RefusedError, invalid, suggestion
from ..state import Record, State, alive, check_organization, find
from . import assistant
from .assistant import RUNNING

SUSPENDED = "suspended"
TERMINATED = "terminated"


def create_session(call: Call) -> Reply:
    """Create a session, with `prompt` as its first message."""
    body = call.body
    fields: dict[str, Any] = {"tags": list(call.state.organization(call.org_id).default_session_tags)}
    if body.get("title") is not None:
        fields["title"] = call.text("title")
    if body.get("tags") is not None:
        fields["tags"] = call.texts("tags")
    if (user_id := body.get("create_as_user_id")) is not None:
        check_impersonation(call, user_id)
        fields["user_id"] = user_id
    check_capacity(call.state, call.org_id)
    record = add_session(
        call.state, call.org_id, assistant_mode=body.get("assistant_mode", "normal"), origin="api", **fields
    )
    if isinstance(body.get("prompt"), str):
        assistant.receive(call.state, record, body["prompt"], is_prompt=True)
    return Reply(record.fields)


def add_session(state: State, org_id: str, **fields: Any) -> Record:
    """Add a session to an organization, with the members that every session has, and *fields*."""
    session_id = state.new_id("assistant")
    now = state.seconds()
    session: dict[str, Any] = {
        "session_id": session_id,
        "org_id": org_id,
        "url": f"https://platform.invalid/sessions/{session_id}",
        "status": RUNNING,
        "created_at": now,
        "updated_at": now,
        "acus_consumed": 0,
        "tags": [],
        "pull_requests": [],
        "is_archived": False,
    }
    return state.add(state.collection("sessions", org_id), session_id, session | fields)


def check_capacity(state: State, org_id: str) -> None:
    """Refuse (429) one more session in an organization that has as many open ones as its capacity allows."""
    capacity, wait = state.session_capacity, state.capacity_retry_after
    if capacity is None or (count := sum(map(is_open, alive(state.collection("sessions", org_id))))) < capacity:
        return
    detail = (
        f"{org_id} has {count} open sessions, and capacity for {capacity}: this is a limit of capacity and not of the "
        "rate of requests; archive or terminate a session first"
    )
    raise RefusedError(429, detail, headers={} if wait is None else {"Retry-After": str(wait)})


def is_open(session: Record) -> bool:
    """Return whether a session counts towards the capacity: it is neither archived nor terminated."""
    return not session.fields["is_archived"] and session.fields["status"] != TERMINATED


def check_impersonation(call: Call, user_id: str) -> None:
    """Refuse (403) an impersonation that does not meet the conditions of rule schedule-impersonation."""
    if not call.strict:
        return
    user = call.state.users.get(user_id)
    if not call.account.holds("ImpersonateOrgSessions"):
        raise RefusedError(403, "create_as_user_id: the credential lacks ImpersonateOrgSessions")
    if user is None or call.org_id not in user.organizations:
        raise RefusedError(403, f"create_as_user_id: {user_id} is not a member of {call.org_id}")
    if "UseAssistantSessions" not in user.permissions:
        raise RefusedError(403, f"create_as_user_id: {user_id} lacks UseAssistantSessions")


def list_sessions_session(call: Call) -> Reply:
    """List the organization's sessions, optionally of some origins only."""
    records = alive(call.state.collection("sessions", call.org_id))
    if origins := call.query.get("origins"):
        records = [record for record in records if record.fields.get("origin") in origins]
    return Reply(paginate(records, call.query))


def get_session(call: Call) -> Reply:
    """Return a session."""
    return Reply(find_session(call).fields)


def send_message(call: Call) -> Reply:
    """Add a message and the assistant's; resume a suspended session (rule session-message-resumes)."""
    session, text = find_session(call), call.text("message")
    if session.fields["status"] == TERMINATED:
        raise RefusedError(409, f"{session.fields['session_id']} is terminated")
    if session.fields["status"] == SUSPENDED:
        session.fields["status"] = RUNNING
    return Reply(assistant.receive(call.state, session, text).fields)


def archive(call: Call) -> Reply:
    """Archive a session."""
    session = find_session(call)
    call.members()
    session.fields["is_archived"] = True
    return Reply(session.fields)


def terminate(call: Call) -> Reply:
    """Terminate a session, cancel what was planned for it, and archive it if `archive` is true."""
    session, also_archive = find_session(call), call.flag("archive")
    assistant.cancel_turns(call.state, session)
    session.fields["status"] = TERMINATED
    if also_archive:
        session.fields["is_archived"] = True
    return Reply(session.fields)


def list_messages(call: Call) -> Reply:
    """List the messages of a session, in chronological order (rule messages-chronological)."""
    return Reply(paginate(find_session(call).parts, call.query))


def remove(state: State, session_id: str) -> None:
    """Remove a session and what was planned for it; refuse (404) an unknown one."""
    session = locate(state, session_id)
    assistant.cancel_turns(state, session)
    session.deleted = True


def locate(state: State, session_id: str, org_id: str | None = None) -> Record:
    """Return a session of an organization, or of any; refuse (404) an unknown one."""
    collections = [*state.collections("sessions")] if org_id is None else [state.collection("sessions", org_id)]
    for records in collections:
        if session_id in records and not records[session_id].deleted:
            return records[session_id]
    known = [key for records in collections for key, record in records.items() if not record.deleted]
    raise RefusedError(404, f"there is no session {session_id!r}{suggestion(session_id, known)}")


def find_session(call: Call) -> Record:
    """Return the session of the path; refuse (404) an unknown one."""
    return find(call.state.collection("sessions", call.org_id), call.path["assistant_id"], "session")


MODES = ("normal", "fast", "lite")


def in_its_organization(handler: Handler) -> Handler:
    """Return the enterprise-scope form of an organization's handler: it finds the organization by the session's id."""

    def handle(call: Call) -> Reply:
        session_id = call.path["assistant_id"]
        for org_id in call.state.organizations:
            if session_id in call.state.collection("sessions", org_id):
                return handler(within(call, org_id))
        raise RefusedError(404, f"no session {session_id}")

    return handle


def within(call: Call, org_id: str) -> Call:
    """Return the call as one of an organization; refuse (403) a credential that does not belong to it."""
    check_organization(call.account, org_id)
    return attrs.evolve(call, path={**call.path, "org_id": org_id})


def create_in_enterprise(call: Call) -> Reply:
    """Create a session in the organization of `org_id`."""
    body = call.members()
    org_id: Any = body.get("org_id")
    if not isinstance(org_id, str):
        raise invalid((["body", "org_id"], "must be the id of an organization", "missing"))
    if body.get("assistant_mode", "normal") not in MODES:
        raise invalid((["body", "assistant_mode"], f"must be one of {', '.join(MODES)}", "enum"))
    if not isinstance(body.get("create_as_user_id", ""), str | None):
        raise invalid((["body", "create_as_user_id"], "must be text or null", "type"))
    call.state.organization(org_id)
    return create_session(within(call, org_id))


def list_sessions_in_enterprise(call: Call) -> Reply:
    """List the sessions of some organizations or all, in the order of creation."""
    org_ids = requested_organizations(call)
    records = [record for org_id in org_ids for record in alive(call.state.collection("sessions", org_id))]
    return Reply(paginate(sorted(records, key=lambda record: record.number), call.query))


def requested_organizations(call: Call) -> set[str]:
    """Return the organizations of `org_ids`, or all organizations of the caller; refuse (404, 403) other ones."""
    requested: list[str] = call.query.get("org_ids", [])
    for org_id in requested:
        call.state.organization(org_id)
        check_organization(call.account, org_id)
    return set(requested or filter(call.account.belongs_to, call.state.organizations))


def list_tags(call: Call) -> Reply:
    """List the tags of a session."""
    return Reply({"tags": find_session(call).fields["tags"]})


def replace_tags(call: Call) -> Reply:
    """Replace the tags of a session."""
    session = find_session(call)
    session.fields["tags"] = call.texts("tags")
    session.fields["updated_at"] = call.state.seconds()
    return Reply({"tags": session.fields["tags"]})


def list_default_tags(call: Call) -> Reply:
    """List the default tags of the organization."""
    return Reply({"tags": call.state.organization(call.org_id).default_session_tags})


def replace_default_tags(call: Call) -> Reply:
    """Replace the default tags of the organization."""
    organization = call.state.organization(call.org_id)
    organization.default_session_tags = call.texts("tags")
    return Reply({"tags": organization.default_session_tags})


def generate(call: Call) -> Reply:
    """Generate insights, unless they exist already (rule insights-generate-status)."""
    session = find_session(call)
    call.members()
    session_id = session.fields["session_id"]
    insights = call.state.collection("insights", call.org_id)
    if session_id in insights:
        return Reply({"status": "already_exists"})
    fields = {"session_id": session_id, "created_at": call.state.seconds(), "message_count": len(session.parts)}
    call.state.add(insights, session_id, fields)
    return Reply({"status": "started"})


def get_insights(call: Call) -> Reply:
    """Return the insights that were generated (rule insights-generate-status)."""
    session_id = find_session(call).fields["session_id"]
    return Reply(find(call.state.collection("insights", call.org_id), session_id, "insights of session").fields)


ASSUMPTIONS: Assumptions = {
    "session-create-request": "Any member is accepted; `title` and `tags` are kept, `prompt` is the first message.",
    "session-create-response": "200 with the session.",
    "session-status-values": (
        "`running`; `suspended` after `sandbox.suspend_session`; `terminated`; any text that a test sets.",
        "Sandbox(finish_after=5, finished_status='ready') lets a session work for so many seconds after each message, "
        "and then sets that status; sandbox.update_session(session_id, status=...) sets any; "
        "sandbox.plan_session(session_id, after=60, status=...) does when the clock has moved; "
        "so does the script of sandbox.on_message.",
    ),
    "session-message-request": "`message` is the text, and required (422); any other member is ignored.",
    "session-message-response": (
        "200 with the message. The assistant responds at once, always with the same text; a prompt gets no response.",
        "sandbox.on_message(script) lets a function decide what it does after each message, prompts included; "
        f"{HANDLE} lets the operation do something else.",
    ),
    "organization-messages-response": "200 with the envelope, as in the enterprise scope.",
    "session-archive-response": "200 with the session, `is_archived` true.",
    "session-terminate-archive": "`true` also archives it, `false` does not; other values are refused (422).",
    "session-terminate-response": "200 with the session; a terminated one accepts no more messages (409).",
    "session-created-at-unit": ("Seconds since 1970.", "sandbox.add_session(created_at=...) accepts any number."),
    "session-create-errors": (
        "403 also for an impersonation that is not allowed; 422 for a `title` that is not text or invalid `tags`. With "
        "a capacity, of which there is none by default, 429 for one session more in an organization: a session counts "
        "until it is archived or terminated, whatever else its status is. Sessions of schedules and automations count, "
        "and are never refused.",
        "sandbox.session_capacity = 10 sets it, and sandbox.capacity_retry_after = 30 adds Retry-After; "
        f"{HANDLE} may refuse for other reasons.",
    ),
    "session-create-parameter-types": "`create_as_user_id` is the id of a user; the others may be anything, and have "
    "no effect.",
    "session-get-response": "200 with the session.",
    "session-archive-request": "An object or nothing; it is ignored.",
    "session-message-errors": "409 for a session that is terminated.",
    "session-transitions": (
        "`running` in the beginning; `terminated` after termination, for good: turns of the assistant that were "
        "planned for the session are cancelled; archiving changes only `is_archived`; a message makes a suspended "
        "session `running`.",
        "sandbox.suspend_session(session_id) suspends one, sandbox.add_session(status=...) adds one in any state, "
        "sandbox.update_session and sandbox.plan_session change it, sandbox.remove_session(session_id) removes it "
        f"(404); {HANDLE} lets an operation do something else.",
    ),
    "session-required-fields": (
        "`session_id`, `org_id`, `url`, `status`, `created_at`, `updated_at`, `acus_consumed`, `tags`, "
        "`pull_requests` and `is_archived` are always there; the others only with a value, and never null.",
        "sandbox.add_session(**fields) adds one with any others.",
    ),
    "session-updated-at-unit": ("Seconds since 1970.", "sandbox.add_session(updated_at=...) accepts any number."),
    "session-mode-values": (
        "No others at creation; `normal` is the default in every organization.",
        "sandbox.add_session(assistant_mode=...) accepts any.",
    ),
    "session-origin-values": (
        "`api` for a session that a request created; `add_session` accepts any other.",
        "sandbox.add_session(origin=...) accepts any.",
    ),
    "message-source-values": (
        "`user` for messages that are sent, and `assistant`.",
        "sandbox.add_message(session_id, text, source=...) adds one of any source.",
    ),
    "message-required-fields": "All four are always there.",
    "message-created-at-unit": "Seconds since 1970.",
    "enterprise-sessions-org-ids": "Repeated in the query; an unknown organization is a 404.",
    "enterprise-sessions-response": "200 with the sessions of the organizations that the caller belongs to.",
    "enterprise-session-create-request": "`org_id` names the organization; the rest is as in the organization.",
    "enterprise-session-create-response": "200 with the session.",
    "enterprise-session-get-response": "200 with the session, which is the same in both scopes.",
    "enterprise-session-archive-response": "200 with the session, `is_archived` true.",
    "enterprise-session-terminate-archive": (
        "Refused with 422.",
        "sandbox.accept(operation, 'archive') accepts it, as in an organization.",
    ),
    "enterprise-session-terminate-response": "200 with the session, `terminated`.",
    "enterprise-session-message-request": "As in the organization scope.",
    "enterprise-session-message-response": "200 with the message; a suspended session is resumed.",
    "enterprise-sessions-parameters": (
        "`first` and `after` are accepted, as in an organization; any other is refused with 422.",
        ACCEPT,
    ),
    "enterprise-session-create-errors": "As in an organization; 422 also without `org_id`, 404 for an unknown "
    "organization.",
    "enterprise-session-message-errors": "409 for a session that is terminated.",
    "enterprise-session-archive-request": "An object or nothing; it is ignored.",
    "default-session-tags-list-response": "200 with `tags`, an array of strings.",
    "default-session-tags-replace-request": "`tags`, an array of strings; a session that is created later, without "
    "`tags`, gets them.",
    "default-session-tags-replace-response": "200 with the new `tags`.",
    "organization-session-tags-list-response": "200 with `tags`, an array of strings.",
    "organization-session-tags-replace-request": "`tags`, an array of strings; any other member is ignored.",
    "organization-session-tags-replace-response": "200 with the new `tags`.",
    "enterprise-session-tags-list-response": "The same as in the organization scope.",
    "enterprise-session-tags-replace-request": "The same as in the organization scope.",
    "enterprise-session-tags-replace-response": "The same as in the organization scope.",
    "organization-insights-generate-request": "An object or nothing; it is ignored.",
    "organization-insights-generate-response": "200; insights are generated at once and only once, the same in both "
    "scopes.",
    "organization-insights-response": "200 with `session_id`, `created_at` and `message_count`, as of when they were "
    "generated.",
    "organization-insights-errors": "404 until they have been generated.",
    "enterprise-insights-generate-request": "An object or nothing; it is ignored.",
    "enterprise-insights-response": "The same as in the organization scope.",
    "enterprise-insights-errors": "404 until they have been generated.",
    "insights-generation-members": "`status`, and nothing else.",
    "enterprise-insights-generate-response": "200; as in the organization scope.",
}

HANDLERS: dict[str, Handler] = {
    "archive_organization_session": archive,
    "create_organization_session": create_session,
    "get_organization_session": get_session,
    "list_organization_session_messages": list_messages,
    "list_organization_sessions": list_sessions_session,
    "send_organization_session_message": send_message,
    "terminate_organization_session": terminate,
    "archive_enterprise_session": in_its_organization(archive),
    "create_enterprise_session": create_in_enterprise,
    "get_enterprise_session": in_its_organization(get_session),
    "list_enterprise_session_messages": in_its_organization(list_messages),
    "list_enterprise_sessions": list_sessions_in_enterprise,
    "send_enterprise_session_message": in_its_organization(send_message),
    "terminate_enterprise_session": in_its_organization(terminate),
    "list_enterprise_session_tags": in_its_organization(list_tags),
    "list_organization_default_session_tags": list_default_tags,
    "list_organization_session_tags": list_tags,
    "replace_enterprise_session_tags": in_its_organization(replace_tags),
    "replace_organization_default_session_tags": replace_default_tags,
    "replace_organization_session_tags": replace_tags,
    "generate_enterprise_session_insights": in_its_organization(generate),
    "generate_organization_session_insights": generate,
    "get_enterprise_session_insights": in_its_organization(get_insights),
    "get_organization_session_insights": get_insights,
}
