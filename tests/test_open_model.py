"""A response that the description does not show, and any member of a model by its name in JSON."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import httpx
import pytest
from agent_session_platform import AgentPlatform, OpenModel, to_json
from agent_session_platform.models import Session

SENT = {"title": "Fix it", "items": [{"a": {"b": 1}}, [{"c": 2}], None], "self": 3, "to_dict": 4, "__len__": 5}
OPEN = OpenModel.from_dict(SENT)
NOT_OBJECTS = [None, 7, "x", True, [], [{"a": 1}, [{"b": 2}]]]


def test_each_member_is_an_attribute_and_nested_ones_too() -> None:
    assert (OPEN.title, OPEN.items[0].a.b, OPEN.items[1][0].c, OPEN.items[2], OPEN.self) == ("Fix it", 1, 2, None, 3)
    # Names of methods are read by their names in JSON, and those with two underscores are no members.
    assert (OPEN["to_dict"], OPEN.to_dict(), len(OPEN)) == (4, SENT, len(SENT))
    assert not hasattr(OpenModel.from_dict({"__html__": 1}), "__html__")


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


def test_every_model_has_its_members_by_their_names_in_json() -> None:
    session = Session.from_dict(
        {"session_id": "assistant-1", "pull_requests": [{"pr_url": "u"}], "color": {"dark": True}}
    )
    assert (session["session_id"], session["pull_requests"][0].pr_url, session["color"].dark) == (
        "assistant-1",
        "u",
        True,
    )
    assert ("color" in session, "title" in session, session.color["dark"]) == (True, False, True)  # type: ignore[attr-defined]  # pyright: ignore


def test_an_array_is_iterable_and_has_a_length() -> None:
    array = OpenModel.from_item([{"a": 1}, [{"b": 2}], 3])
    assert (len(array), next(iter(array)).a, array[1][0].b, array[-1], 3 in array) == (3, 1, 2, 3, True)
    assert (array.to_dict(), to_json(array)) == ({}, [{"a": 1}, [{"b": 2}], 3])


@pytest.mark.parametrize("value", [None, {}, []])
def test_an_empty_response_is_false(value: Any) -> None:
    assert not OpenModel.from_item(value)
    assert OpenModel.from_item([0])


@pytest.mark.parametrize("value", [SENT, *NOT_OBJECTS], ids=repr)
def test_it_is_lossless_and_survives_copies(value: Any) -> None:
    model = OpenModel.from_item(value)
    for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert (other, hash(other), to_json(other)) == (model, hash(model), value)
    assert model == value


def test_it_is_immutable() -> None:
    with pytest.raises(AttributeError, match="read-only"):
        OPEN.title = "x"
    OPEN.items.append(1)
    OPEN.to_dict()["items"].append(1)
    assert OPEN == SENT


def test_it_matches_by_its_members() -> None:
    match OPEN:
        case OpenModel(title=title, self=3):
            assert title == "Fix it"
        case _:
            raise AssertionError


def test_it_has_a_repr_worth_reading() -> None:
    assert repr(OpenModel.from_dict({"a": "x", "b": [{"c": 1}]})) == "OpenModel(a='x', b=[{'c': 1}])"
    assert [repr(OpenModel.from_item(each)) for each in (None, [1])] == ["OpenModel(None)", "OpenModel([1])"]


def test_it_is_made_and_replaced_by_any_keyword() -> None:
    made = OpenModel(title="x", tags=("a",))
    assert made == {"title": "x", "tags": ["a"]}
    assert made.__replace__(title="y") == {"title": "y", "tags": ["a"]}


@pytest.mark.parametrize("value", [SENT, *NOT_OBJECTS], ids=repr)
def test_pydantic_takes_it_and_writes_it_as_it_came(value: Any) -> None:
    adapter = pytest.importorskip("pydantic").TypeAdapter(OpenModel)
    assert adapter.dump_python(adapter.validate_python(value)) == value


@pytest.mark.parametrize("payload", [SENT, [1], {}], ids=repr)
async def test_what_is_not_shown_is_returned_as_it_came(payload: Any) -> None:
    transport = httpx.MockTransport(lambda request: httpx.Response(200, json=payload))
    async with AgentPlatform("https://p.example.com", "svc_x", organization="org-a", transport=transport) as platform:
        found = await platform.organization().secrets.list()
        empty = await platform.organization().secrets.delete("secret-1")
    assert (type(found), to_json(found), type(empty)) == (OpenModel, payload, OpenModel)
