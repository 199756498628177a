"""What a wait has seen."""

from __future__ import annotations

from typing import Any

from agent_session_platform.models import Session
from agent_session_platform.polling.wait.condition import condition
from agent_session_platform.polling.wait.progress import WaitProgress


def progress(until: Any = None, unexpected: Any = None, **settings: Any) -> WaitProgress[Any]:
    """Return the progress of a new wait."""
    wanted = condition("until", until or {"status": "ready"}, every=True)
    feared = None if unexpected is None else condition("unexpected", unexpected, every=False)
    return WaitProgress(wanted, feared, **settings)


def never(item: object) -> bool:
    return False


def test_an_object_without_a_change_is_no_observation() -> None:
    seen = progress()
    assert seen.note(Session(status="a"), 0.0) is not None
    assert seen.note(Session(status="a"), 1.0) is None
    assert seen.polls == 2


def test_without_named_fields_each_plain_value_is_first_seen() -> None:
    seen = progress(never)
    first = seen.note(Session(status="a", title="t", is_archived=False, tags=["x"], category=None), 0.0)
    assert first is not None
    assert first.first_seen == {"status": "a", "title": "t", "is_archived": False}
    second = seen.note(Session(status="b", title="t", is_archived=True, tags=["y"]), 1.0)
    assert second is not None
    assert second.first_seen == {"status": "b", "is_archived": True}


def test_of_named_fields_any_value_is_first_seen() -> None:
    seen = progress({"tags": "x"}, {"status": "b"})
    first = seen.note(Session(status="a", title="t", tags=["x"]), 0.0)
    assert first is not None
    assert first.first_seen == {"tags": ["x"], "status": "a"}
    second = seen.note(Session(status="a", title="u", tags=["x"]), 1.0)
    assert second is not None
    assert second.first_seen == {}


def test_what_is_wanted_comes_before_what_is_unexpected() -> None:
    seen = progress({"status": "a"}, {"status": "a"})
    seen.note(Session(status="a"), 0.0)
    assert seen.reason(0.0) == "matched"


def test_what_is_unexpected_comes_before_what_is_gone() -> None:
    seen = progress(unexpected={"status": "a"}, gone=("is_archived",))
    seen.note(Session(status="a", is_archived=True), 0.0)
    assert seen.reason(0.0) == "unexpected"


def test_a_flag_that_is_not_true_is_not_gone() -> None:
    seen = progress(gone=("is_archived",))
    seen.note(Session.from_dict({"is_archived": "no"}), 0.0)
    assert seen.reason(0.0) is None


def test_a_flag_that_a_condition_names_does_not_end_the_wait() -> None:
    seen = progress({"is_archived": True, "status": "b"}, gone=("is_archived",))
    seen.note(Session(status="a", is_archived=True), 0.0)
    assert seen.reason(0.0) is None


def test_an_object_stalls_after_its_latest_change() -> None:
    seen = progress(stalled_after=10.0)
    for at, status in ((0.0, "a"), (5.0, "b"), (14.9, "b")):
        seen.note(Session(status=status), at)
    assert (seen.reason(14.9), seen.reason(15.0)) == (None, "stalled")


def test_the_next_poll_is_when_the_object_may_have_stalled() -> None:
    seen = progress(stalled_after=10.0)
    assert seen.due(60.0, 0.0) == 60.0
    seen.note(Session(status="a"), 0.0)
    assert (seen.due(60.0, 1.0), seen.due(5.0, 1.0), seen.due(60.0, 10.0)) == (10.0, 5.0, 60.0)
