"""Sessions in both scopes, their messages, tags and insights, and the assistant.

The assistant does what the script of a test says, at once or when the clock has moved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from datetime import datetime
from itertools import chain
from typing import Any, Final

import attrs
from agent_session_platform import InvalidArgumentError
from agent_session_platform.contract import Node

from ..clock import parse_datetime, times_after
from ..contract import request_shape
from ..fitting import NOTHING
from ..handlers import Call, Handler, Reply, pick_members
from ..lists import list_reply
from ..problems import RefusedError, invalid, suggestion
from ..script import SentMessage, Turn, beyond_the_end, due_time, list_turns
from ..state import VIEWS, Record, RecurringRuns, State, alive, check_organization, find
from ..validation import SandboxContract, States, failures_of, states_of

RUNNING: Final = "running"
SUSPENDED: Final = "suspended"
TERMINATED: Final = "terminated"
# What the contract of a build may call these, the most similar first.
WORDS: Final = {
    RUNNING: ("working", "active", "in_progress", "processing", "started", "busy"),
    SUSPENDED: ("paused", "sleeping", "waiting", "blocked", "idle"),
    TERMINATED: ("stopped", "cancelled", "canceled", "closed", "ended", "exit"),
}
# Where `x-wait` names states: those that they may be. What runs is in none of them.
STATES: Final = {RUNNING: (), SUSPENDED: ("waiting",), TERMINATED: ("failed", "done")}
REPLY: Final = "On it."
# What the assistant says when a session without a script finishes.
FINISHED: Final = "Finished."
# Members of a session that a request may give. The contract does not show the request, so it must not refuse others.
GIVEN: Final = ("playbook_id", "parent_session_id", "security_profile", "category", "subcategory")
SESSION: Final = {"$ref": "#/components/schemas/Session"}
# The collection of the planned turns.
PLANNED: Final = "planned-turns"
# Key in the memory of a message: it is listed from this time on, in seconds since 1970.
LISTED: Final = "listed"


def status_words(contract: SandboxContract) -> dict[str, str]:
    """Return what the contract calls the statuses that the sandbox sets, where it has other words."""
    schemas: Node = contract.document.get("components", {}).get("schemas", {})
    if "Session" not in schemas:
        return {}
    status = contract.shape(schemas["Session"]).member("status")
    known: list[str] = status.known_values
    states = session_states(contract)
    named_states = [*chain.from_iterable(states.values())]
    words: dict[str, str] = {}
    for word, similar in WORDS.items():
        named: list[Any] = []
        for state in STATES[word]:
            named += states.get(state, ())
        if word == RUNNING and (status.mark("enum") or states):
            named = [value for value in known if value not in named_states]
        for choice in (word, *similar, *named):
            # Two statuses that are the same word could not be told apart.
            if choice in known and choice not in words.values():
                words.setdefault(word, choice)
    return words


def session_states(contract: SandboxContract) -> States:
    """Return the states of a session that the contract names: `done`, `waiting` and `failed`."""
    endpoint = contract.endpoints.get("get_organization_session")
    if endpoint is None:
        return {}
    return states_of(endpoint.node)


def add_session(state: State, org_id: str, /, **fields: Any) -> Record:
    """Add a session to an organization, with the members that every session has, and *fields*."""
    sessions, now = state.collection("sessions", org_id), state.seconds()
    session_id = state.new_id("assistant", sessions)
    session: dict[str, Any] = {
        "session_id": session_id,
        "org_id": org_id,
        "url": f"https://platform.invalid/sessions/{session_id}",
        "status": state.word(RUNNING),
        "created_at": now,
        "updated_at": now,
        "acus_consumed": 0,
        "tags": [],
        "pull_requests": [],
        "is_archived": False,
    }
    return state.add(sessions, str(session_id), session | fields)


def create_organization_session(call: Call) -> Reply:
    """Create a session, with `prompt` as its first message."""
    body, state = call.body, call.state
    fields: dict[str, Any] = {"tags": list(state.organization(call.org_id).default_session_tags)}
    if body.get("title") is not None:
        fields["title"] = call.text("title")
    if body.get("tags") is not None:
        fields["tags"] = call.texts("tags")
    fields |= _given_members(call)
    user_id = body.get("create_as_user_id")
    if user_id is not None:
        check_impersonation(call, user_id)
        fields["user_id"] = user_id
    check_capacity(state, call.org_id)
    mode = body.get("assistant_mode", "normal")
    record = add_session(state, call.org_id, assistant_mode=mode, origin="api", **fields)
    if isinstance(body.get("prompt"), str) or ("prompt" in body and call.route.shows("prompt")):
        receive_message(state, record, call.text("prompt"), is_prompt=True)
    return Reply(state.shown(record).fields)


def _given_members(call: Call) -> dict[str, Any]:
    """Return the members of a request that its session shows; refuse (422) a value that a session cannot show.

    If the contract shows the request, such a value is valid, and becomes the most similar one.
    """
    contract = call.route.contract
    shown = contract.shape(SESSION).members
    given: dict[str, Any] = {}
    for name in GIVEN:
        value = call.body.get(name)
        if value is None or name not in shown:
            continue
        failures = failures_of(shown[name], value, ["body", name])
        if failures and call.route.shows(name):
            value = call.fitter.similar(shown[name].schema, value)
        elif failures:
            raise invalid(*failures)
        if value is not NOTHING:
            given[name] = value
    return given


def check_capacity(state: State, org_id: str) -> None:
    """Refuse (429) one more session in an organization if its open sessions take up the whole capacity."""
    capacity, wait = state.session_capacity, state.capacity_retry_after
    if capacity is None:
        return
    count = 0
    for record in alive(state.collection("sessions", org_id)):
        count += not record.fields["is_archived"] and record.fields["status"] != state.word(TERMINATED)
    if count >= capacity:
        detail = (
            f"{org_id} has {count} open sessions, and capacity for {capacity}: this is a limit of capacity and not of "
            "the rate of requests; archive or terminate a session first"
        )
        headers: dict[str, str] = {}
        if wait is not None:
            headers["Retry-After"] = str(wait)
        raise RefusedError(429, detail, headers=headers)


def check_impersonation(call: Call, user_id: str) -> None:
    """Refuse (403) an impersonation that does not meet the conditions of rule schedule-impersonation."""
    user, lacking = call.state.users.get(user_id), None
    if not call.account.holds("ImpersonateOrgSessions"):
        lacking = "the credential lacks ImpersonateOrgSessions"
    elif user is None or call.org_id not in user.organizations:
        lacking = f"{user_id} is not a member of {call.org_id}"
    elif "UseAssistantSessions" not in user.permissions:
        lacking = f"{user_id} lacks UseAssistantSessions"
    if lacking and call.strict:
        raise RefusedError(403, f"create_as_user_id: {lacking}")


def create_enterprise_session(call: Call) -> Reply:
    """Create a session in the organization `org_id`; the other members are as in the organization scope."""
    org_id = _named_organization(call)
    if not call.route.shows("title"):
        shape = request_shape("create_organization_session", call.route.contract)
        failures = failures_of(shape, call.body, ["body"])
        if failures:
            raise invalid(*failures)
    call.state.organization(org_id)
    return create_organization_session(call_in_organization(call, org_id))


def _named_organization(call: Call) -> str:
    """Return the organization that a body names; if the contract has no `org_id`, the caller's first one."""
    if "org_id" in call.members() or not call.route.shows("org_id"):
        return call.text("org_id")
    for value in call.body.values():
        if isinstance(value, str) and value in call.state.organizations:
            return value
    return next(filter(call.account.belongs_to, call.state.organizations), "")


def call_in_organization(call: Call, org_id: str) -> Call:
    """Return the call as a call in an organization; refuse (403) a credential that does not belong to it."""
    check_organization(call.account, org_id)
    return attrs.evolve(call, path={**call.path, "org_id": org_id})


def in_its_organization(handler: Handler) -> Handler:
    """Make a handler for the enterprise scope: find the organization of the session, then call *handler*."""

    def handle(call: Call) -> Reply:
        session_id = str(call.path["assistant_id"])
        for org_id in call.state.organizations:
            if session_id in call.state.collection("sessions", org_id):
                return handler(call_in_organization(call, org_id))
        raise RefusedError(404, f"no session {session_id}")

    return handle


def list_organization_sessions(call: Call) -> Reply:
    """List the organization's sessions, optionally of some origins only."""
    return list_reply(call, map(call.state.shown, alive(call.state.collection("sessions", call.org_id))))


def list_enterprise_sessions(call: Call) -> Reply:
    """List the sessions of some organizations or all, in the order of creation."""
    records: list[Record] = []
    for org_id in requested_organizations(call):
        records += alive(call.state.collection("sessions", org_id))
    return list_reply(call, map(call.state.shown, sorted(records, key=lambda record: record.number)))


def requested_organizations(call: Call) -> set[str]:
    """Return the organizations of `org_ids`, or all organizations of the caller; refuse (404, 403) others."""
    requested: str | list[str] = call.query.get("org_ids", [])
    if isinstance(requested, str):
        requested = requested.split(",")
    for org_id in requested:
        call.state.organization(org_id)
        check_organization(call.account, org_id)
    return set(requested or filter(call.account.belongs_to, call.state.organizations))


def find_session(call: Call) -> Record:
    """Return the session of the path; refuse (404) an unknown one."""
    return find(call.state.collection("sessions", call.org_id), call.path["assistant_id"], "session")


def locate_session(state: State, session_id: str) -> Record:
    """Return a session of any organization; refuse (404) an unknown one."""
    known: list[str] = []
    for records in state.collections("sessions"):
        for record in alive(records):
            known.append(str(record.fields["session_id"]))
        if session_id in known:
            return records[session_id]
    raise RefusedError(404, f"there is no session {session_id!r}{suggestion(session_id, known)}")


def get_organization_session(call: Call) -> Reply:
    """Return a session."""
    return Reply(call.state.shown(find_session(call)).fields)


def send_organization_session_message(call: Call) -> Reply:
    """Add a message and the assistant's reply; resume a suspended session (rule session-message-resumes)."""
    session, text = find_session(call), call.text("message")
    if session.fields["status"] == call.state.word(TERMINATED):
        raise RefusedError(409, f"{session.fields['session_id']} is terminated")
    return Reply(receive_message(call.state, session, text).fields)


def list_organization_session_messages(call: Call) -> Reply:
    """List the messages of a session, in chronological order (rule messages-chronological)."""
    now = call.state.now().timestamp()
    return list_reply(call, [part for part in find_session(call).parts if part.memory.get(LISTED, now) <= now])


def archive_organization_session(call: Call) -> Reply:
    """Archive a session."""
    session = find_session(call)
    call.members()
    session.fields["is_archived"] = True
    return Reply(session.fields)


def terminate_organization_session(call: Call) -> Reply:
    """Terminate a session, cancel what was planned for it, and archive it if `archive` is true."""
    session, also_archive = find_session(call), call.flag("archive")
    cancel_turns(call.state, session)
    session.fields["status"] = call.state.word(TERMINATED)
    if also_archive:
        session.fields["is_archived"] = True
    return Reply(session.fields)


def list_organization_session_tags(call: Call) -> Reply:
    """List the tags of a session."""
    return Reply({"tags": find_session(call).fields["tags"]})


def replace_organization_session_tags(call: Call) -> Reply:
    """Replace the tags of a session."""
    change_session(call.state, find_session(call), {"tags": call.texts("tags")})
    return list_organization_session_tags(call)


def list_organization_default_session_tags(call: Call) -> Reply:
    """List the default tags of the organization."""
    return Reply({"tags": call.state.organization(call.org_id).default_session_tags})


def replace_organization_default_session_tags(call: Call) -> Reply:
    """Replace the default tags of the organization."""
    call.state.organization(call.org_id).default_session_tags = call.texts("tags")
    return list_organization_default_session_tags(call)


def generate_organization_session_insights(call: Call) -> Reply:
    """Generate insights, unless they exist already (rule insights-generate-status)."""
    session = find_session(call)
    call.members()
    session_id, insights = session.fields["session_id"], call.state.collection("insights", call.org_id)
    if str(session_id) in insights:
        return Reply({"status": "already_exists"})
    fields = {"session_id": session_id, "created_at": call.state.seconds(), "message_count": len(session.parts)}
    call.state.add(insights, str(session_id), fields)
    return Reply({"status": "started"})


def get_organization_session_insights(call: Call) -> Reply:
    """Return the insights that were generated (rule insights-generate-status)."""
    session_id = find_session(call).fields["session_id"]
    return Reply(find(call.state.collection("insights", call.org_id), session_id, "insights of session").fields)


# The enterprise scope has the same operations, so it uses the same handlers.
archive_enterprise_session = in_its_organization(archive_organization_session)
generate_enterprise_session_insights = in_its_organization(generate_organization_session_insights)
get_enterprise_session = in_its_organization(get_organization_session)
get_enterprise_session_insights = in_its_organization(get_organization_session_insights)
list_enterprise_session_messages = in_its_organization(list_organization_session_messages)
list_enterprise_session_tags = in_its_organization(list_organization_session_tags)
replace_enterprise_session_tags = in_its_organization(replace_organization_session_tags)
send_enterprise_session_message = in_its_organization(send_organization_session_message)
terminate_enterprise_session = in_its_organization(terminate_organization_session)


# The functions below let the assistant respond.


def receive_message(state: State, session: Record, text: str, *, is_prompt: bool = False) -> Record:
    """Add a message of a user to a session, let the assistant respond, and return the message.

    Without a script, the assistant responds to each message with the same text, but does not respond to a prompt.

    Raises:
        InvalidArgumentError: The script returned something that is not a turn.
    """
    fields = session.fields
    before: Mapping[str, Any] | None = deepcopy(fields)
    if fields["status"] == state.word(SUSPENDED):
        fields["status"] = state.word(RUNNING)
    message = add_message(state, session, "user", text)
    number = sum(part.fields.get("source") == "user" for part in session.parts)
    sent = SentMessage(fields["session_id"], fields["org_id"], text, is_prompt, deepcopy(fields), number)
    if state.script is not None:
        turns = list_turns(state.script(sent))
    elif is_prompt:
        turns = []
    else:
        turns = [Turn(REPLY)]
    if state.script is None and state.finish is not None:
        # The time counts from the latest message, so the turns that an earlier message planned are cancelled.
        cancel_turns(state, session)
        turns += [Turn(fields={"status": state.word(RUNNING)}), state.finish]
    for turn in turns:
        # The clock never reaches a later time.
        if due_time(state.now(), turn) is None:
            continue
        take_turn(state, session, turn, before)
        if not turn.after and (turn.fields or not turn.late):
            before = None
    return message


def add_message(state: State, session: Record, source: str, text: str, /, **fields: Any) -> Record:
    """Add a message to a session; *fields* are further members, or replace the sandbox's own values."""
    created_at = state.seconds()
    message = {"event_id": state.new_id("event"), "created_at": created_at, "message": text, "source": source}
    session.fields["updated_at"] = created_at
    return state.add_part(session, message | fields)


def change_session(state: State, session: Record, fields: Mapping[str, Any]) -> None:
    """Set members of a session; `updated_at` becomes the current time, unless *fields* has it."""
    session.fields |= {"updated_at": state.seconds(), **fields}


def take_turn(state: State, session: Record, turn: Turn, before: Mapping[str, Any] | None = None) -> None:
    """Take a turn of the assistant in a session: at once, or when the clock has moved far enough.

    Args:
        state: State of the sandbox.
        session: The session.
        turn: The turn.
        before: The members that the API shows while it does not show a turn that is taken at once; by default those of
            the session.

    Raises:
        InvalidArgumentError: The clock ends before the turn.
    """
    if turn.after:
        at = due_time(state.now(), turn)
        if at is None:
            raise InvalidArgumentError(beyond_the_end("after", turn.after))
        names = pick_members(session.fields, ("org_id", "session_id"))
        planned = {"enabled": True, "at": at.isoformat(), **names, "turn": attrs.asdict(turn)}
        state.plan(RUNS, state.create(state.collection(PLANNED), "planned_turn", planned))
        return
    now = state.now().timestamp()
    if turn.late and turn.fields:
        view = {"until": now + turn.late, "fields": deepcopy(before or session.fields)}
        session.memory[VIEWS] = [*state.views(session), view]
    # The fields are set last, because the message also sets `updated_at`.
    if turn.text is not None:
        message = add_message(state, session, turn.source, turn.text)
        if turn.late:
            message.memory[LISTED] = now + turn.late
    if turn.fields:
        change_session(state, session, turn.fields)


def cancel_turns(state: State, session: Record) -> None:
    """Cancel the planned turns in a session."""
    planned = state.owned.get(session.fields["session_id"], {})
    for record in [*planned.values()]:
        _remove(state, record)


def _remove(state: State, record: Record) -> None:
    session_id = _session_of(record)
    record.deleted = True
    state.now.cancel(record.number)
    state.collection(PLANNED).pop(record.fields["planned_turn_id"], None)
    planned = state.owned.get(session_id, {})
    planned.pop(record.number, None)
    if not planned:
        state.owned.pop(session_id, None)


def _session_of(record: Record) -> str:
    session_id: str = record.fields["session_id"]
    return session_id


def _times(record: Record, after: datetime) -> Iterator[datetime]:
    """Return the one time of a planned turn; check the turn now, because it may come from a file."""
    _target(record)
    return times_after((parse_datetime(record.fields["at"]),), after)


def _run(state: State, record: Record, at: datetime) -> None:
    _remove(state, record)
    org_id, session_id, turn = _target(record)
    session = state.collection("sessions", org_id).get(str(session_id))
    # A saved state may plan a turn for a session that the state does not have.
    if session is not None:
        take_turn(state, session, attrs.evolve(turn, after=0))


def _target(record: Record) -> tuple[str, str, Turn]:
    """Return the organization, the session and the turn of a record."""
    return record.fields["org_id"], record.fields["session_id"], Turn(**record.fields["turn"])


RUNS = RecurringRuns(PLANNED, _times, _run, _session_of)
