"""Models keep all data, accept any data, and are easy to use."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import agent_session_platform.models
import pytest
from agent_session_platform import UNSET, to_json
from agent_session_platform.models import (
    BlueprintList,
    EnterpriseUser,
    Review,
    RoleAssignment,
    Schedule,
    SchedulePlaybook,
    Session,
    SessionPage,
    SessionPullRequest,
)
from agent_session_platform_api.model import Model

from tests.box import Box

EVERYTHING: dict[str, Any] = {
    "session_id": "assistant-1",
    "status": "a status of next year",
    "created_at": "1760000000",
    "title": None,
    "tags": "nightly",
    "pull_requests": [{"pr_url": "u", "draft": True}, None, 7, {"pr_state": ["odd"]}],
    "security_profile": "inherit",
    "structured_output": {"deep": [{"er": None}]},
    "is_advanced": True,
    "new_field": {"a": [1, 2.5, None]},
}


def test_to_dict_returns_exactly_what_was_received() -> None:
    assert Session.from_dict(EVERYTHING).to_dict() == EVERYTHING
    assert json.dumps(Session.from_dict(EVERYTHING).to_dict()) == json.dumps(EVERYTHING)


def test_absent_and_null_are_none() -> None:
    session = Session.from_dict({"title": None})
    assert (session.title, session.url, session.tags, session.security_profile) == (None, None, None, None)


def test_an_absent_field_has_the_default_that_the_contract_states() -> None:
    assert Session.from_dict({}).is_archived is False
    assert SessionPage.from_dict({"items": []}).has_next_page is False
    assert Schedule.from_dict({}).interval_count == 1


def test_values_of_an_unexpected_type_stay_what_they_are() -> None:
    session = Session.from_dict(EVERYTHING)
    assert (session.created_at, session.tags) == ("1760000000", "nightly")


def test_unknown_fields_are_accessible() -> None:
    assert Session.from_dict(EVERYTHING).unknown_fields == {"new_field": {"a": [1, 2.5, None]}}


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-20T09:00:00Z", datetime(2026, 11, 20, 9, tzinfo=UTC)),
        ("2026-11-20T09:00:00.123456789Z", datetime(2026, 11, 20, 9, 0, 0, 123456, tzinfo=UTC)),
        ("2026-11-20T10:00:00+01:00", datetime(2026, 11, 20, 9, tzinfo=UTC)),
        ("2026-11-20t09:00:00z", datetime(2026, 11, 20, 9, tzinfo=UTC)),
        ("2026-11-20T24:00:00Z", "2026-11-20T24:00:00Z"),
        ("yesterday", "yesterday"),
        (1760000000, 1760000000),
        (None, None),
    ],
)
def test_a_date_time_is_parsed_and_never_lost(text: Any, moment: Any) -> None:
    review = Review.from_dict({"created_at": text})
    assert review.created_at == moment
    assert review.to_dict() == {"created_at": text}


def test_a_model_is_made_by_keywords() -> None:
    session = Session(session_id="assistant-1", title=None, pull_requests=[SessionPullRequest(pr_url="u")])
    assert session.to_dict() == {"session_id": "assistant-1", "title": None, "pull_requests": [{"pr_url": "u"}]}


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (datetime(2026, 1, 1, tzinfo=UTC), "2026-01-01T00:00:00+00:00"),
        (date(2026, 1, 1), "2026-01-01"),
        (UUID(int=10), "00000000-0000-0000-0000-00000000000a"),
        (timedelta(hours=36, seconds=0.5), "PT129600.5S"),
        ((Box(class_="c"), {"a": {1}}), [{"class": "c"}, {"a": [1]}]),
    ],
)
def test_a_value_given_by_keyword_is_written_as_json(value: Any, written: Any) -> None:
    assert Box(x_y=value).to_dict() == {"x-y": written}


def test_a_value_that_json_cannot_have_is_refused() -> None:
    with pytest.raises(TypeError, match="a value of type bytes cannot be written as JSON"):
        Box(x_y=b"x")


def test_keywords_are_named_like_the_attributes() -> None:
    box = Box(class_="c", x_y="y")
    assert (box.class_, box.x_y, box.to_dict()) == ("c", "y", {"class": "c", "x-y": "y"})


@pytest.mark.parametrize(
    ("keyword", "advice"),
    [("clas", "did you mean 'class_'?"), ("x-y", "did you mean 'x_y'?"), ("q", "it has box_id, class_, x_y, inner.")],
)
def test_an_unknown_keyword_is_refused_with_a_suggestion(keyword: str, advice: str) -> None:
    with pytest.raises(TypeError) as caught:
        Box(**{keyword: "x"})
    end = "Box.from_dict() takes fields that the contract does not know"
    assert str(caught.value) == f"Box has no field {keyword!r}; {advice} {end}"


def test_a_field_may_be_called_self() -> None:
    model = type("Mirror", (Model,), {"_fields": {"self": "self"}})
    assert model(self=1).to_dict() == {"self": 1}


def test_a_copy_with_changes_keeps_the_other_fields() -> None:
    session = Session.from_dict({"session_id": "a", "title": "t", "new": 1})
    changed = session.__replace__(title="u", tags=("x",), session_id=UNSET)
    assert changed.to_dict() == {"title": "u", "new": 1, "tags": ["x"]}
    assert session.title == "t"


def test_a_copy_with_an_unknown_change_is_refused() -> None:
    with pytest.raises(TypeError, match="Session has no field 'titel'; did you mean 'title'?"):
        Session().__replace__(titel="x")


@pytest.mark.skipif(not hasattr(copy, "replace"), reason="Python 3.13 has it")
def test_copy_replace_changes_a_model() -> None:
    assert copy.replace(Session(title="a"), title="b") == Session(title="b")  # type: ignore[attr-defined]  # only there


def test_dict_of_a_model_has_everything_that_was_sent() -> None:
    assert dict(Session.from_dict(EVERYTHING)) == EVERYTHING


def test_fields_may_be_called_like_the_methods_of_a_dict() -> None:
    assert not {"keys", "values", "items", "get", "pop", "update"} & set(dir(Model))


def test_models_are_written_by_json_with_the_default() -> None:
    sent = {"page": [Session.from_dict(EVERYTHING), Session.from_item(None)]}
    assert json.loads(json.dumps(sent, default=to_json)) == {"page": [EVERYTHING, None]}


def test_a_model_is_made_from_a_json_object_only() -> None:
    with pytest.raises(TypeError, match="Session is made of a JSON object, not of list"):
        Session.from_dict([])  # type: ignore[arg-type]  # that is the point


def test_models_are_read_only() -> None:
    session = Session(session_id="a", tags=["x"], structured_output={"a": [1]})
    with pytest.raises(AttributeError, match="Session is read-only: title cannot be set"):
        session.title = "x"  # type: ignore[misc]  # that is the point
    with pytest.raises(AttributeError, match="session_id"):
        del session.session_id
    with pytest.raises(AttributeError, match="read-only"):
        session.anything = 1  # type: ignore[attr-defined]  # that is the point


def test_changing_what_a_model_returns_does_not_change_the_model() -> None:
    session = Session(tags=["x"], structured_output={"a": [1]}, pull_requests=[{"pr_url": "u"}])
    before = session.to_dict()
    odd = Session.from_dict({"tags": {"a": [1]}, "pull_requests": [[1]]})
    odd.tags["a"].append(2)  # type: ignore[index,call-overload]  # an odd one
    assert odd.to_dict() == {"tags": {"a": [1]}, "pull_requests": [[1]]}
    for given in (session.tags, session.pull_requests):
        given.append("y")  # type: ignore[union-attr]  # a list it is
    session.structured_output["a"].append(2)  # type: ignore[index]  # a dict it is
    session.to_dict()["tags"].append("z")
    session.unknown_fields["b"] = 1
    assert session.to_dict() == before


def test_a_model_keeps_a_copy_of_its_data() -> None:
    data: dict[str, Any] = {"tags": ["x"]}
    session = Session.from_dict(data)
    data["tags"].append("y")
    assert session.tags == ["x"]


def test_models_compare_by_class_and_content() -> None:
    assert Session(session_id="a") == Session.from_dict({"session_id": "a"})
    assert Session(session_id="a") != Session(session_id="b")
    assert Session.from_dict({"pr_url": "u"}) != SessionPullRequest(pr_url="u")
    assert Session(session_id="a") != {"session_id": "a"}


def test_equal_models_have_equal_hashes() -> None:
    assert len({Session.from_dict(EVERYTHING), Session.from_dict(copy.deepcopy(EVERYTHING)), Session()}) == 2


@pytest.mark.parametrize("through", [copy.copy, copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_models_copy_and_pickle(through: Any) -> None:
    session = Session.from_dict(EVERYTHING)
    assert through(session) == session
    assert through([session])[0].pull_requests == session.pull_requests


def test_models_match_patterns() -> None:
    match Session(session_id="a", security_profile={"selection": "inherit"}):
        case Session(session_id=found, title=None):
            assert found == "a"
        case _:
            raise AssertionError


def test_the_repr_is_short_and_readable() -> None:
    assert repr(Session(session_id="a", title="t" * 100, tags=list("abcde"))) == (
        f"Session(session_id='a', tags=['a', 'b', 'c', ... 5 in all], title='{'t' * 55}...')"
    )
    assert repr(BlueprintList(data=[])) == "BlueprintList(data=[])"
    assert repr(Review(created_at=datetime(2026, 1, 1, tzinfo=UTC))) == "Review(created_at='2026-01-01T00:00:00+00:00')"
    assert repr(Session.from_dict({"new": 1})) == "Session(new=1)"


def test_the_repr_has_the_names_of_the_attributes() -> None:
    assert repr(Box(class_="c", x_y="y")) == "Box(class_='c', x_y='y')"


def test_nested_models_are_shown_in_the_repr() -> None:
    schedule = Schedule(name="n", playbook=SchedulePlaybook(title="t"))
    assert repr(schedule) == "Schedule(name='n', playbook=SchedulePlaybook(title='t'))"


def test_nested_models_are_models() -> None:
    user = EnterpriseUser.from_dict({"role_assignments": [{"role": {"role_type": "galactic"}, "org_id": None}]})
    [assignment] = user.role_assignments
    assert isinstance(assignment, RoleAssignment)
    assert assignment.role.role_type == "galactic"


def test_every_model_survives_an_empty_and_a_hostile_object() -> None:
    odd: list[Any] = [None, 7, "x", [], [None], {}, {"a": 1}, True, 1.5]
    for name in dir(agent_session_platform.models):
        cls = getattr(agent_session_platform.models, name)
        for fields in ({}, *(dict.fromkeys(getattr(cls, "_fields", {}).values(), value) for value in odd)):
            if isinstance(cls, type):
                model = cls.from_dict(fields)  # type: ignore[attr-defined]  # a model
                assert model.to_dict() == fields
                assert repr(model).startswith(f"{name}(")
                for field in cls._fields:  # type: ignore[attr-defined]  # a model
                    getattr(model, field, None)


def test_an_unknown_model_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Sesion'"):
        agent_session_platform.models.Sesion  # noqa: B018
    assert "Session" in dir(agent_session_platform.models)
