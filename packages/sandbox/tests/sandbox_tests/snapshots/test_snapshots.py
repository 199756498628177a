"""Snapshots: taking, restoring and comparing states, and their files."""

from __future__ import annotations

import json
import os
import stat
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from agent_session_platform_sandbox import Sandbox, User
from agent_session_platform_sandbox.clock import START
from agent_session_platform_sandbox.snapshots import dump, load, locked
from agent_session_platform_sandbox.validation import MAX_DEPTH

from sandbox_tests.odd import OddSandbox
from sandbox_tests.plain_http import ORGANIZATION, send
from sandbox_tests.timeline import HOURLY, START_SESSION, SUNDAY, hours, schedule

NONE: dict[str, list[str]] = {"added": [], "removed": [], "changed": []}
SETTING = "settings/org_group_limits_enabled"


def reload(sandbox: Sandbox, directory: Path, **settings: Any) -> Sandbox:
    """Save the state of a sandbox, and load it into another one."""
    sandbox.snapshots.save(directory / "state.json")
    other = Sandbox(**settings)
    other.snapshots.load(directory / "state.json")
    return other


async def test_a_snapshot_restores_everything(sandbox: Sandbox, org: Any) -> None:
    await org.sessions.create(prompt="Before")
    made = await org.attachments.upload(file=b"content")
    sandbox.snapshots.take("before")
    before = sandbox.clock()
    await org.sessions.create(prompt="After")
    await org.sessions.archive("assistant-1")
    sandbox.clock.advance(days=1)
    sandbox.snapshots.restore("before")
    assert [session.is_archived async for session in org.sessions.list()] == [False]
    assert await org.attachments.download(made["uuid"], made["name"]).read() == b"content"
    assert sandbox.clock() == before
    # The ids also continue from the restored state.
    assert (await org.sessions.create()).session_id == "assistant-2"


async def test_a_state_is_saved_and_loaded_elsewhere(sandbox: Sandbox, org: Any, tmp_path: Path) -> None:
    await org.sessions.create(prompt="Hello")
    await org.automations.create(trigger={"type": "schedule:recurring", "rrule": "FREQ=DAILY"})
    sandbox.add_credential("svc_mine", permissions={"ViewOrgSessions"})
    other = reload(sandbox, tmp_path)
    async with other.client("svc_mine") as platform:
        assert len(await platform.organization().sessions.list().collect()) == 1
    other.snapshots.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "state.json").read_bytes()


async def test_a_loaded_state_continues_where_it_ended(sandbox: Sandbox, org: Any, tmp_path: Path) -> None:
    await schedule(org, interval_count=3)
    sandbox.add_automation(trigger=HOURLY, action=START_SESSION)
    sandbox.clock.advance(hours=4)
    other = reload(sandbox, tmp_path)
    for each in (sandbox, other):
        each.clock.advance(hours=3)
    async with other.client() as platform:
        assert await hours(platform.organization("org-acme")) == await hours(org) == [1, 2, 3, 3, 4, 5, 6, 6, 7]


async def test_a_state_of_a_ticking_clock_is_saved_with_its_due_runs(tmp_path: Path) -> None:
    now = SUNDAY
    sandbox = Sandbox(now=lambda: now)
    async with sandbox.client() as platform:
        await schedule(platform.organization())
        now += timedelta(hours=2)
        other = reload(sandbox, tmp_path, now=lambda: now)
    async with other.client() as platform:
        assert await hours(platform.organization("org-acme")) == [1, 2]


async def test_the_plans_of_a_snapshot_are_restored_and_no_others(sandbox: Sandbox, org: Any) -> None:
    session_id = sandbox.add_session()
    sandbox.plan_session(session_id, after=60, status="ready")
    sandbox.snapshots.take()
    sandbox.plan_session(session_id, after=30, status="lost")
    sandbox.clock.advance(minutes=2)
    sandbox.snapshots.restore()
    statuses = []
    for _ in range(2):
        sandbox.clock.advance(seconds=30)
        statuses.append((await org.sessions.get(session_id)).status)
    assert statuses == ["running", "ready"]


@pytest.mark.parametrize(
    ("change", "section", "named"),
    [
        (lambda sandbox: sandbox.add_organization("org-new"), "added", "organizations/org-new"),
        (lambda sandbox: sandbox.state.organizations.pop("org-acme"), "removed", "organizations/org-acme"),
        (lambda sandbox: sandbox.clock.advance(hours=1), "changed", "clock"),
        (lambda sandbox: setattr(sandbox.state, "org_group_limits_enabled", False), "changed", SETTING),
        (lambda sandbox: sandbox.add_session(), "added", "sessions/org-acme/assistant-2"),
        (lambda sandbox: sandbox.update_session("assistant-1", title="x"), "changed", "sessions/org-acme/assistant-1"),
    ],
)
def test_a_diff_names_what_has_changed(sandbox: Sandbox, change: Any, section: str, named: str) -> None:
    sandbox.add_session()
    sandbox.snapshots.take()
    change(sandbox)
    assert sandbox.snapshots.diff() == NONE | {section: [named]}


def test_time_is_not_compared_on_a_ticking_clock() -> None:
    moments = iter(START + timedelta(seconds=second) for second in range(100))
    sandbox = Sandbox(now=lambda: next(moments))
    sandbox.snapshots.take()
    assert sandbox.snapshots.diff() == NONE


posix = pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")


@pytest.fixture
def state_file(tmp_path: Path) -> Path:
    return tmp_path / "state.json"


@posix
def test_a_saved_state_is_a_new_file_for_its_owner_only(sandbox: Sandbox, state_file: Path, tmp_path: Path) -> None:
    (tmp_path / "target").write_text("mine")
    (tmp_path / "target").chmod(0o666)
    state_file.hardlink_to(tmp_path / "target")
    sandbox.snapshots.save(state_file)
    assert stat.S_IMODE(state_file.stat().st_mode) == 0o600
    assert (tmp_path / "target").read_text() == "mine"
    assert {each.name for each in tmp_path.iterdir()} == {"target", "state.json"}


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_the_old_state_stays_whole_if_a_new_one_cannot_be_written(
    sandbox: Sandbox, state_file: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    state_file.write_text("older")

    def fail(path: Path, content: str, encoding: str) -> None:
        with path.open("w") as file:
            file.write(content[:10])
        raise error

    monkeypatch.setattr(Path, "write_text", fail)
    with pytest.raises(type(error)):
        sandbox.snapshots.save(state_file)
    assert [(each.name, each.read_text()) for each in state_file.parent.iterdir()] == [("state.json", "older")]


@posix
@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.mkdir(),
        lambda path: os.mkfifo(path),
        lambda path: path.symlink_to("target"),
        lambda path: path.symlink_to("nowhere"),
    ],
    ids=["directory", "fifo", "symlink", "dead symlink"],
)
def test_only_regular_files_are_states(sandbox: Sandbox, state_file: Path, tmp_path: Path, make: Any) -> None:
    target = tmp_path / "target"
    target.write_text("mine")
    make(state_file)
    for use in (sandbox.snapshots.save, sandbox.snapshots.load):
        with pytest.raises(OSError, match="it is not a regular file"):
            use(state_file)
    assert target.read_text() == "mine"


@posix
def test_a_lock_is_not_made_through_a_link(state_file: Path, tmp_path: Path) -> None:
    (tmp_path / "state.json.lock").symlink_to(tmp_path / "target")
    with pytest.raises(OSError, match="it is not a regular file"), locked(state_file):
        pass
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("version", 2, "the state.version: 1 was expected"),
        ("number", "1", "the state.number: must be of type integer"),
        ("now", "soon", "not an ISO 8601 date-time"),
        ("now", "9999-12-31T23:59:59Z", "the clock cannot go as far as"),
        ("organizations", [{"org_id": 1}], r"the state.organizations\[0\].org_id: must be of type string"),
        ("accounts", {"svc_hidden": {"kind": "x"}}, "kind must be one of"),
        ("accounts", {"": {"kind": "serviceUser"}}, "a credential must be text of visible ASCII"),
        ("accounts", {"svc_hidden": {"kind": "serviceUser", "permissions": "x"}}, "must be of type array or null"),
        ("ids", {"assistant": "many"}, "the state.ids.assistant: must be of type integer"),
        ("users", [{"user_id": 5}], r"the state.users\[0\].user_id: must be of type string"),
        ("files", {"a": 5}, "the state.files.a: must be of type string"),
        ("files", {"a": "?"}, "the state cannot be loaded: "),
        (
            "collections",
            [{"name": ["x"], "records": {"x": []}}],
            r"the state.collections\[0\].records.x: must be of type",
        ),
        ("collections", [{"name": [], "records": {}}], r"the state.collections\[0\].name: \[\] "),
        ("collections", [{"name": ["x"], "records": {}}] * 2, "there are two collections x"),
        ("surprise", 1, "there is no 'surprise'"),
    ],
)
def test_an_invalid_state_is_refused(sandbox: Sandbox, state_file: Path, name: str, value: Any, message: str) -> None:
    sandbox.snapshots.save(state_file)
    state_file.write_text(json.dumps(json.loads(state_file.read_text()) | {name: value}))
    sandbox.add_session()
    sandbox.snapshots.take()
    with pytest.raises(ValueError, match=message) as caught:
        sandbox.snapshots.load(state_file)
    assert ("svc_hidden" in str(caught.value), sandbox.snapshots.diff()) == (False, NONE)


@pytest.mark.parametrize(
    ("collection", "part", "changed", "message"),
    [
        ("automations", "memory", {"since": "soon"}, "ValueError"),
        ("automations", "fields", {"trigger": {"type": "schedule:recurring", "rrule": "FREQ=X"}}, "ValueError"),
        ("planned-turns", "fields", {"at": "soon"}, "ValueError"),
        ("planned-turns", "fields", {"turn": {}}, "InvalidArgumentError"),
    ],
)
def test_a_state_with_records_that_cannot_run_is_refused(
    sandbox: Sandbox, collection: str, part: str, changed: dict[str, Any], message: str
) -> None:
    trigger = {"type": "schedule:recurring", "rrule": "FREQ=DAILY"}
    sandbox.add_automation(trigger=trigger, action={"type": "start_session"})
    sandbox.plan_session(sandbox.add_session(), after=60, status="ready")
    sandbox.snapshots.take("mine")
    document = sandbox.snapshots.document("mine")
    [found] = [each for each in document["collections"] if each["name"][0] == collection]
    [record] = found["records"].values()
    record[part] |= changed
    with pytest.raises(ValueError, match=f"the state cannot be loaded: {message}"):
        sandbox.snapshots.keep("mine", document)


async def test_a_body_of_the_greatest_depth_can_be_saved_and_restored(sandbox: Sandbox) -> None:
    content = b'{"x": ' + b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1) + b"}"
    assert (await send(sandbox, "POST", f"{ORGANIZATION}/automations", content=content)).is_success
    sandbox.snapshots.take()
    sandbox.snapshots.keep("again", sandbox.snapshots.document())
    assert sandbox.snapshots.diff("again") == NONE


async def test_values_and_files_of_any_operation_are_saved(odd: OddSandbox) -> None:
    odd.state.add(odd.state.collection("boxes"), "box-1", {})
    await odd.send("PUT", "/boxes/box-1/picture", content=b"\xff", headers={"Content-Type": "image/png"})
    await odd.json("PUT", "/tags", ["a"])
    await odd.send("PUT", "/flags/new", True)
    saved = json.dumps(dump(odd.state))
    other = OddSandbox()
    load(other.state, json.loads(saved))
    async with other.client:
        assert (await other.send("GET", "/boxes/box-1/picture")).content == b"\xff"
        assert await other.json("GET", "/tags") == ["a"]
        assert await other.json("GET", "/flags/new") is True


RECORDS: dict[str, Any] = {
    "sessions": lambda sandbox: sandbox.add_session(tags=["a"]),
    "members": lambda sandbox: sandbox.add_user(User("user-1")),
    "idp-members": lambda sandbox: sandbox.add_idp_user(User("user-1"), []),
    "idp-groups": lambda sandbox: sandbox.add_idp_group("staff"),
    "roles": lambda sandbox: sandbox.add_role("role-1", []),
    "searches": lambda sandbox: sandbox.add_search(),
    "guardrail-violations": lambda sandbox: sandbox.add_guardrail_violation("org-acme", "assistant-1", "g"),
    "hypervisors": lambda sandbox: sandbox.add_hypervisor(),
    "git-repositories": lambda sandbox: sandbox.add_git_repository("c", "r"),
    "git-permissions": lambda sandbox: sandbox.add_git_permission(),
    "automations": lambda sandbox: sandbox.add_automation(),
}


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize(
    ("member", "value", "message"),
    [
        ("fields", [], "fields: must be of type object"),
        ("fields", {}, "is missing"),
        ("number", "7", "number: must be of type integer"),
        ("number", 99, "number 99 is in use, or greater than that of the state"),
        ("number", 0, "number: 0 is less than the minimum of 1"),
        ("memory", 5, "memory: must be of type object"),
        ("parts", [5], r"parts\[0\]: must be of type object"),
        ("surprise", 5, "there is no 'surprise'"),
    ],
)
def test_a_state_with_records_that_are_none_is_refused(
    sandbox: Sandbox, name: str, member: str, value: Any, message: str
) -> None:
    RECORDS[name](sandbox)
    sandbox.snapshots.take("mine")
    document = sandbox.snapshots.document("mine")
    [found] = [each for each in document["collections"] if each["name"][0] == name]
    [record] = found["records"].values()
    record[member] = value
    with pytest.raises(ValueError, match=message):
        sandbox.snapshots.keep("mine", document)


async def test_a_state_without_its_counters_replaces_no_record(sandbox: Sandbox, org: Any) -> None:
    sandbox.add_session(title="Kept")
    sandbox.snapshots.take("mine")
    sandbox.snapshots.keep("mine", sandbox.snapshots.document("mine") | {"ids": {}})
    sandbox.snapshots.restore("mine")
    await org.sessions.create(title="New")
    assert [each.title async for each in org.sessions.list()] == ["Kept", "New"]
