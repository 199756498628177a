"""Models keep all data, accept any data, and are easy to use, also if the description does not show their fields."""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from agent_session_platform import UNSET, AgentPlatform, MissingFieldError, OpenModel, errors, models, to_json
from agent_session_platform.models import Review, Schedule, Session, SessionPage, SessionPullRequest
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


def test_everything_that_was_received_is_kept_as_it_came() -> None:
    session = Session.from_dict(EVERYTHING)
    assert session.to_dict() == dict(session) == EVERYTHING
    assert (session.created_at, session.tags) == ("1760000000", "nightly")
    assert session.unknown_fields == {"new_field": {"a": [1, 2.5, None]}}
    assert json.dumps(session.to_dict()) == json.dumps(EVERYTHING)


def test_absent_and_null_are_none_unless_the_contract_states_a_default() -> None:
    session = Session.from_dict({"title": None})
    assert (session.title, session.url, session.tags, session.security_profile) == (None, None, None, None)
    assert (session.is_archived, SessionPage.from_dict({"items": []}).has_next_page) == (False, False)
    assert Schedule.from_dict({}).interval_count == 1


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
    assert Box(class_="c", x_y="y").to_dict() == {"class": "c", "x-y": "y"}
    # A field may have the name `self`, or the name of a method of dict.
    assert type("Mirror", (Model,), {"_fields": {"self": "self"}})(self=1).to_dict() == {"self": 1}
    assert not {"keys", "values", "items", "get", "pop", "update"} & set(dir(Model))


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


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(TypeError, match="a value of type bytes cannot be written as JSON"):
        Box(x_y=b"x")
    with pytest.raises(TypeError, match="Session is made of a JSON object, not of list"):
        Session.from_dict([])  # type: ignore[arg-type]  # that is the point


@pytest.mark.parametrize(
    ("keyword", "advice"),
    [("clas", "did you mean 'class_'?"), ("x-y", "did you mean 'x_y'?"), ("q", "it has box_id, class_, x_y, inner.")],
)
def test_an_unknown_keyword_is_refused_with_a_suggestion(keyword: str, advice: str) -> None:
    with pytest.raises(TypeError, match=re.escape(f"Box has no field {keyword!r}; {advice} Box.from_dict() takes")):
        Box(**{keyword: "x"})


def test_a_copy_with_changes_keeps_the_other_fields() -> None:
    session = Session.from_dict({"session_id": "a", "title": "t", "new": 1})
    changed = session.__replace__(title="u", tags=("x",), session_id=UNSET)
    assert changed.to_dict() == {"title": "u", "new": 1, "tags": ["x"]}
    assert session.title == "t"
    assert OpenModel(title="x", tags=("a",)).__replace__(title="y") == {"title": "y", "tags": ["a"]}
    with pytest.raises(TypeError, match="Session has no field 'titel'; did you mean 'title'?"):
        Session().__replace__(titel="x")


def test_models_are_written_by_json_with_the_default() -> None:
    sent = {"page": [Session.from_dict(EVERYTHING), Session.from_item(None)]}
    assert json.loads(json.dumps(sent, default=to_json)) == {"page": [EVERYTHING, None]}


def test_models_are_read_only() -> None:
    session = Session(session_id="a", tags=["x"], structured_output={"a": [1]})
    with pytest.raises(AttributeError, match="Session is read-only: title cannot be set"):
        session.title = "x"  # type: ignore[misc]  # that is the point
    with pytest.raises(AttributeError, match="session_id"):
        del session.session_id
    for model in (session, OpenModel(title="y")):
        with pytest.raises(AttributeError, match="read-only"):
            model.anything = 1  # type: ignore[attr-defined]  # that is the point


def test_changing_what_a_model_returns_does_not_change_the_model() -> None:
    data: dict[str, Any] = {"tags": ["x"], "structured_output": {"a": [1]}, "pull_requests": [{"pr_url": "u"}]}
    session, before = Session.from_dict(data), copy.deepcopy(data)
    data["tags"].append("y")
    odd = Session.from_dict({"tags": {"a": [1]}, "pull_requests": [[1]]})
    odd.tags["a"].append(2)  # type: ignore[index,call-overload]  # an odd one
    assert odd.to_dict() == {"tags": {"a": [1]}, "pull_requests": [[1]]}
    for given in (session.tags, session.pull_requests):
        given.append("y")  # type: ignore[union-attr]  # a list it is
    session.structured_output["a"].append(2)  # type: ignore[index]  # a dict it is
    session.to_dict()["tags"].append("z")
    session.unknown_fields["b"] = 1
    assert session.to_dict() == before


def test_models_compare_by_class_and_content() -> None:
    assert Session(session_id="a") == Session.from_dict({"session_id": "a"})
    assert Session(session_id="a") != Session(session_id="b")
    assert Session.from_dict({"pr_url": "u"}) != SessionPullRequest(pr_url="u")
    assert Session(session_id="a") != {"session_id": "a"}
    assert len({Session.from_dict(EVERYTHING), Session.from_dict(copy.deepcopy(EVERYTHING)), Session()}) == 2


def test_models_match_patterns_by_the_members_that_they_have() -> None:
    match Session(session_id="a"), OpenModel(title="t", self=3), Box(class_="c"):
        case Session(session_id="a", title=None), OpenModel(title="t", self=3), Box(class_="c"):
            pass
        case _:
            raise AssertionError
    match Box(class_="c"):
        case Box(box_id=_):
            raise AssertionError


def test_the_repr_is_short_and_readable() -> None:
    assert repr(Session(session_id="a", title="t" * 100, tags=list("abcde"))) == (
        f"Session(session_id='a', tags=['a', 'b', 'c', ... 5 in all], title='{'t' * 55}...')"
    )
    assert repr(models.BlueprintList(data=[])) == "BlueprintList(data=[])"
    assert repr(Review(created_at=datetime(2026, 1, 1, tzinfo=UTC))) == "Review(created_at='2026-01-01T00:00:00+00:00')"
    assert repr(Session.from_dict({"new": 1})) == "Session(new=1)"
    assert repr(Box(class_="c", x_y="y")) == "Box(class_='c', x_y='y')"
    assert repr(OpenModel.from_dict({"a": "x", "b": [{"c": 1}]})) == "OpenModel(a='x', b=[{'c': 1}])"
    assert [repr(OpenModel.from_item(each)) for each in (None, [1])] == ["OpenModel(None)", "OpenModel([1])"]
    schedule = Schedule(name="n", playbook=models.SchedulePlaybook(title="t"))
    assert repr(schedule) == "Schedule(name='n', playbook=SchedulePlaybook(title='t'))"


def test_every_model_survives_an_empty_and_a_hostile_object() -> None:
    odd: list[Any] = [None, 7, "x", [], [None], {}, {"a": 1}, True, 1.5]
    for name in dir(models):
        cls = getattr(models, name)
        for fields in ({}, *(dict.fromkeys(getattr(cls, "_fields", {}).values(), value) for value in odd)):
            if isinstance(cls, type):
                model = cls.from_dict(fields)  # type: ignore[attr-defined]  # a model
                assert model.to_dict() == fields
                assert repr(model).startswith(f"{name}(")
                for field in cls._fields:  # type: ignore[attr-defined]  # a model
                    getattr(model, field, None)


def test_an_unknown_model_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Sesion'"):
        models.Sesion  # noqa: B018
    assert "Session" in dir(models)


# Required fields that are missing, and values that are no object where one should be.


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"class": "secret"}, "Box.box_id is absent, and the contract calls it required; to_dict() has what"),
        ({"box_id": None}, "Box.box_id is null, and the contract does not call it nullable; to_dict() has what"),
        (7, "Box.box_id is absent, because the server sent a number instead of an object; to_json() returns it"),
    ],
)
def test_reading_a_required_field_that_is_missing_is_an_error(sent: Any, message: str) -> None:
    with pytest.raises(MissingFieldError) as caught:
        _ = Box.from_item(sent).box_id
    assert str(caught.value).startswith(message)
    assert (caught.value.model, caught.value.field, caught.value.obj) == ("Box", "box_id", None)
    assert isinstance(caught.value, errors.AgentPlatformError)


@pytest.mark.parametrize(
    "use",
    [
        repr,
        hash,
        to_json,
        copy.deepcopy,
        lambda box: box == Box(),
        lambda box: pickle.loads(pickle.dumps(box)),
        lambda box: (box.to_dict(), box.unknown_fields, box.class_),
        lambda box: getattr(box, "box_id", None),
        lambda box: hasattr(box, "box_id"),
    ],
)
def test_only_reading_a_missing_field_is_an_error(use: Callable[[Box], object]) -> None:
    for box in (Box(), Box.from_dict({"box_id": None}), Box.from_item(None)):
        use(box)


@pytest.mark.parametrize(
    ("page", "read"),
    [
        (models.SessionPage.from_dict({"items": [{"session_id": "a"}, None]}), lambda page: page.items),
        (models.NotShownPage.from_dict({"items": [{"a": 1}, 2]}), lambda page: page.items),
        (models.BlueprintList.from_dict({"data": [{"blueprint_id": "b"}]}), lambda page: page.data),
    ],
    ids=["page", "not shown", "no page"],
)
def test_the_items_of_a_page_are_converted_once(page: Any, read: Callable[[Any], Any]) -> None:
    assert read(page) is read(page)
    # A copy has its own items, and neither the page nor its content changes by reading them.
    for other in (copy.copy(page), copy.deepcopy(page), pickle.loads(pickle.dumps(page)), page.__replace__()):
        assert read(other) is not read(page)
        assert (other, read(other), hash(other)) == (page, read(page), hash(page))
    with pytest.raises(AttributeError, match="read-only"):
        page.items = []


def test_a_page_without_items_stays_without() -> None:
    page = models.SessionPage.from_item({"items": None})
    for _ in range(2):
        with pytest.raises(MissingFieldError):
            _ = page.items


def test_a_nested_value_is_a_model_even_if_it_is_no_object() -> None:
    session = Session.from_dict({"pull_requests": [{"pr_url": "u"}, None, 7, []], "security_profile": "inherit"})
    assert [each.pr_url for each in session.pull_requests or ()] == ["u", None, None, None]
    assert to_json(session.pull_requests) == session.to_dict()["pull_requests"] == [{"pr_url": "u"}, None, 7, []]
    assert isinstance(session.security_profile, models.SessionSecurityProfile)
    assert (session.security_profile.selection, to_json(session.security_profile)) == (None, "inherit")


# Responses that the description does not show, and access to any member of a model by its name in JSON.

SENT = {"title": "Fix it", "items": [{"a": {"b": 1}}, [{"c": 2}], None], "self": 3, "to_dict": 4, "__len__": 5}
OPEN = OpenModel.from_dict(SENT)
NOT_OBJECTS = [None, 7, "x", True, [], [{"a": 1}, [{"b": 2}]]]


@pytest.mark.parametrize("value", [EVERYTHING, SENT, *NOT_OBJECTS], ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize("cls", [Session, OpenModel])
def test_a_model_of_anything_is_lossless_and_survives_copies(cls: Any, value: Any) -> None:
    model = cls.from_item(value)
    for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert (other, to_json(other)) == (model, value)
    assert model != cls.from_item({"another": value})


@pytest.mark.parametrize("value", [EVERYTHING, *NOT_OBJECTS], ids=lambda value: repr(value)[:20])
def test_equal_models_have_the_same_hash(value: Any) -> None:
    model = Session.from_item(value)
    assert hash(copy.deepcopy(model)) == hash(model)


@pytest.mark.parametrize("value", [None, 7, 1.5, "x", True])
def test_an_open_model_is_found_in_a_set_as_its_value_is(value: Any) -> None:
    model = OpenModel.from_item(value)
    assert model in {value}
    assert value in {model}
    assert {model: 1}[value] == 1


@pytest.mark.parametrize("value", [{}, {"a": 1}, [], [1]])
def test_an_open_model_of_an_object_or_an_array_has_no_hash(value: Any) -> None:
    """A dict and a list have none, and the model is equal to them."""
    with pytest.raises(TypeError, match="unhashable"):
        hash(OpenModel.from_item(value))


@pytest.mark.parametrize("value", NOT_OBJECTS, ids=repr)
def test_what_is_no_object_is_an_empty_model(value: Any) -> None:
    model = Session.from_item(value)
    assert (model.title, model.to_dict(), model.unknown_fields, vars(model)) == (None, {}, {}, value)
    # An empty dict would be another value than the server sent.
    with pytest.raises(TypeError, match="Session has no members: the server sent"):
        dict(model)
    assert repr(model) == f"Session({value!r})"
    assert bool(OpenModel.from_item(value)) is (value not in (None, []))


@pytest.mark.parametrize("value", [SENT, *NOT_OBJECTS], ids=repr)
def test_an_open_model_is_what_was_sent_for_pydantic_too(value: Any) -> None:
    assert OpenModel.from_item(value) == value
    adapter = pytest.importorskip("pydantic").TypeAdapter(OpenModel)
    assert adapter.dump_python(adapter.validate_python(value)) == value


def test_each_member_is_an_attribute_and_nested_ones_too() -> None:
    assert (OPEN.title, OPEN.items[0].a.b, OPEN.items[1][0].c, OPEN.items[2], OPEN.self) == ("Fix it", 1, 2, None, 3)
    # A member with the name of a method is read by its name in JSON; a name with two underscores is no member.
    assert (OPEN["to_dict"], OPEN.to_dict(), len(OPEN)) == (4, SENT, len(SENT))
    assert not hasattr(OpenModel.from_dict({"__html__": 1}), "__html__")
    # In every model, a member can be read by its name in JSON.
    session: Any = Session.from_dict({"pull_requests": [{"pr_url": "u"}], "color": {"dark": True}})
    assert (session["pull_requests"][0].pr_url, session["color"].dark, session.color["dark"]) == ("u", True, True)
    assert ("color" in session, "title" in session) == (True, False)


@pytest.mark.parametrize(
    ("read", "error", "message"),
    [
        (lambda: OPEN.titel, AttributeError, "OpenModel has no member 'titel'; did you mean 'title'?"),
        (lambda: OPEN["titel"], KeyError, "OpenModel has no member 'titel'; did you mean 'title'?"),
        (lambda: OPEN.items[0].zzz, AttributeError, "OpenModel has no member 'zzz'"),
        (lambda: Session(title="x")["titel"], KeyError, "Session has no member 'titel'; did you mean 'title'?"),
    ],
)
def test_an_absent_member_is_an_error_with_a_suggestion(read: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        read()
    assert raised.value.args[0] == message


def test_an_array_is_iterable_and_has_a_length() -> None:
    array = OpenModel.from_item([{"a": 1}, [{"b": 2}], 3])
    assert (len(array), next(iter(array)).a, array[1][0].b, array[-1], 3 in array) == (3, 1, 2, 3, True)
    assert (array.to_dict(), to_json(array)) == ({}, [{"a": 1}, [{"b": 2}], 3])


@pytest.mark.parametrize("payload", [SENT, [1], {}], ids=repr)
async def test_what_is_not_shown_is_returned_as_it_came(payload: Any) -> None:
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=payload))
    async with AgentPlatform("https://p.example.com", "svc_x", organization="org-a", transport=transport) as platform:
        found = await platform.organization().secrets.list()
        empty = await platform.organization().secrets.delete("secret-1")
    assert (type(found), to_json(found), type(empty)) == (OpenModel, payload, OpenModel)
