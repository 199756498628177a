"""The states of an object, as a caller or the contract of a build names them, and conditions that are alternatives."""

from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from agent_session_platform import SET, InvalidArgumentError, OrganizationScope, States, any_of, changed, operations
from agent_session_platform.models import Session
from agent_session_platform_api.catalogue import OPERATIONS
from agent_session_platform_sandbox import Sandbox

from tests.polling.waiting import Watched, requests, run_job

NAMED = States(
    done={"status": {"ready"}},
    waiting={"status_detail": {"question"}},
    failed=any_of({"status": "failed"}, {"is_archived": True}),
)


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"status": "ready"}, "done"),
        ({"status": "working", "status_detail": "question"}, "waiting"),
        ({"status": "failed"}, "failed"),
        ({"status": "ready", "is_archived": True}, "failed"),
        ({"status": "ready", "status_detail": "question"}, "waiting"),
        ({"status": "working"}, None),
        ({}, None),
    ],
)
def test_an_object_is_in_the_first_state_that_holds(fields: dict[str, Any], state: str | None) -> None:
    session = Session.from_dict(fields)
    assert NAMED.state_of(session) == state
    assert NAMED(session) is (state is not None)


@pytest.mark.parametrize(
    ("fields", "holds"),
    [
        ({"structured_output": {"a": 1}}, True),
        ({"structured_output": {}}, True),
        ({"structured_output": None}, False),
        ({}, False),
        ({"status": "failed"}, True),
    ],
)
def test_a_field_is_set_unless_it_is_null_or_absent(fields: dict[str, Any], holds: bool) -> None:
    condition = any_of({"status": {"failed"}}, {"structured_output": SET})
    assert condition(Session.from_dict(fields)) is holds


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda states: pickle.loads(pickle.dumps(states))])
def test_a_copy_of_states_finds_the_same_state(duplicate: Callable[[States], States]) -> None:
    states = States(done={"structured_output": SET}, failed={"status": "failed"})
    copied = duplicate(states)
    assert copied.state_of(Session.from_dict({"structured_output": {}})) == "done"
    assert repr(copied) == repr(states)


@pytest.mark.parametrize(
    ("field", "meant"),
    [("statos", "status"), ("titel", "title"), ("state", None), ("ended_at", None), ("tag", None), ("is_done", None)],
)
def test_only_a_misspelled_field_is_refused(field: str, meant: str | None) -> None:
    states = States(done={field: "x"})
    if meant is None:
        states.refuse_misspelled(Session)
        return
    with pytest.raises(InvalidArgumentError, match=f"did you mean '{meant}'"):
        states.refuse_misspelled(Session)


def test_a_wait_says_which_state_ended_it(sandbox: Sandbox) -> None:
    watched = Watched(sandbox, sandbox.add_session(status="working"))
    watched.change(100.0, status="ready")
    outcome = watched.wait(until=NAMED)
    assert (outcome.reason, outcome.state) == ("matched", "done")


def is_ready(session: Session) -> bool:
    return session.status == "ready"


@pytest.mark.parametrize("until", [{"status": {"ready"}}, is_ready])
def test_without_states_an_outcome_has_no_state(sandbox: Sandbox, until: Any) -> None:
    watched = Watched(sandbox, sandbox.add_session(status="ready"))
    assert watched.wait(until=until).state is None


def test_a_state_may_be_unexpected(sandbox: Sandbox) -> None:
    watched = Watched(sandbox, sandbox.add_session(status="failed"))
    outcome = watched.wait(until={"status": "ready"}, unexpected=any_of({"status": "failed"}, {"title": "x"}))
    assert outcome.reason == "unexpected"


def test_waits_for_states_share_their_polls(sandbox: Sandbox) -> None:
    ids = [sandbox.add_session(status="ready", status_detail="finished") for _ in range(50)]

    async def wait_together(org: OrganizationScope) -> None:
        await asyncio.gather(*(org.sessions.wait(session_id, until=NAMED) for session_id in ids))

    run_job(sandbox, wait_together)
    assert requests(sandbox) == (0, 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: States(), "States() names at least one state"),
        (lambda: States(done={}), "done must be values by field"),
        (lambda: States(failed=changed("title")), "failed must be values by field or a plain function: a change"),
        (lambda: States(done=any_of({"title": "x"}, changed("title"))), "done must be values by field or a plain"),
        (lambda: any_of(), "any_of() takes conditions"),
        (lambda: any_of({"title": "x"}, {}), "any_of must be values by field"),
    ],
)
def test_a_condition_that_cannot_hold_is_refused(make: Any, message: str) -> None:
    with pytest.raises(InvalidArgumentError) as raised:
        make()
    assert str(raised.value).startswith(message)


def test_a_name_that_no_session_has_is_refused(sandbox: Sandbox) -> None:
    watched = Watched(sandbox, sandbox.add_session(status="working"))
    with pytest.raises(InvalidArgumentError, match="until names 'statos'"):
        watched.wait(until=States(done={"status": "ready"}, failed=any_of({"statos": "failed"})))


def test_the_contract_of_a_build_may_name_the_states(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    operation = operations["get_organization_session"]
    named = attrs.evolve(operation, states={"done": {"status": ["ready"]}})
    monkeypatch.setitem(OPERATIONS, operation.id, named)
    watched = Watched(sandbox, sandbox.add_session(status="ready"))
    assert watched.wait(until=None).state == "done"


def test_without_states_of_the_contract_a_condition_is_required(sandbox: Sandbox) -> None:
    watched = Watched(sandbox, sandbox.add_session(status="ready"))
    with pytest.raises(InvalidArgumentError, match="until must be values by field"):
        watched.wait(until=None)
