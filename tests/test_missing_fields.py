"""Required fields that are missing, and values that are no object where one should be."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from agent_session_platform import AgentPlatformError, MissingFieldError, to_json
from agent_session_platform.models import Session, SessionSecurityProfile

from tests.box import Box


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
    assert isinstance(caught.value, AgentPlatformError)


@pytest.mark.parametrize(
    "use",
    [
        repr,
        hash,
        dict,
        to_json,
        copy.copy,
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


def test_a_pattern_with_a_missing_field_does_not_match() -> None:
    match Box(class_="c"):
        case Box(box_id=_):
            raise AssertionError
        case Box(class_=found):
            assert found == "c"


def test_an_item_that_is_no_object_is_an_empty_model() -> None:
    session = Session.from_dict({"pull_requests": [{"pr_url": "u"}, None, 7, []]})
    assert [each.pr_url for each in session.pull_requests or ()] == ["u", None, None, None]
    assert to_json(session.pull_requests) == session.to_dict()["pull_requests"] == [{"pr_url": "u"}, None, 7, []]


def test_a_field_of_a_model_that_holds_something_else_is_an_empty_model() -> None:
    profile = Session.from_dict({"security_profile": "inherit"}).security_profile
    assert isinstance(profile, SessionSecurityProfile)
    assert (profile.selection, to_json(profile)) == (None, "inherit")


@pytest.mark.parametrize("value", [None, 7, 1.5, True, "x", [], [1, {"a": []}]], ids=repr)
def test_an_empty_model_keeps_what_was_sent(value: Any) -> None:
    model = Session.from_item(value)
    assert (model.title, model.to_dict(), model.unknown_fields, dict(model)) == (None, {}, {}, {})
    assert to_json(model) == value
    for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert (other, to_json(other), hash(other)) == (model, value, hash(model))


def test_empty_models_of_different_values_are_different() -> None:
    assert len({Session.from_item(value) for value in ("x", "x", None)}) == 2
    assert Session.from_item({}) != Session.from_item([]) != Session.from_item(None)


def test_the_repr_of_an_empty_model_shows_what_was_sent() -> None:
    assert repr(Session.from_item(5)) == "Session(<no object: 5>)"
    assert repr(Session.from_item(["x"])) == "Session(<no object: ['x']>)"
