"""The modules of the generated package that do not depend on the contract."""

from __future__ import annotations

import pickle
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import attrs
import pytest
from agent_session_platform import Download, Pager
from agent_session_platform_api.api import OrganizationScope
from agent_session_platform_api.decoding import convert_mapping, parse_date, parse_uuid, read_payload
from agent_session_platform_api.encoding import NotAnObject, to_json
from agent_session_platform_api.model import Model, OpenModel, discriminated, one_of
from agent_session_platform_api.operation import Gap, Operation, Parameter, Rule

OPERATION = Operation(id="x", method="GET", path="/x", scope="organization", resource="xs", verb="get")


@pytest.mark.parametrize(
    "value",
    [Gap("g", "#/x", "All."), Rule("r", "Always."), Parameter("p", "query"), OPERATION],
    ids=lambda value: type(value).__name__,
)
def test_a_value_is_pickled_compared_and_frozen(value: Any) -> None:
    assert pickle.loads(pickle.dumps(value)) == value
    assert not hasattr(value, "__dict__")
    name = attrs.fields(type(value))[0].name
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        setattr(value, name, "other")


def test_an_operation_without_a_scope_is_named_by_its_id() -> None:
    assert (OPERATION.name, str(attrs.evolve(OPERATION, scope=""))) == ("organization.xs.get", "x")


def test_an_item_that_is_no_object_takes_little_memory() -> None:
    assert not hasattr(NotAnObject(7), "__dict__")


def test_a_plain_list_is_neither_a_pager_nor_a_download() -> None:
    assert not isinstance([], Pager | Download)


def test_a_resource_is_made_once_for_its_scope() -> None:
    organization = OrganizationScope(None, "org-a")  # type: ignore[arg-type]  # never called
    assert organization.sessions is organization.sessions
    assert type(organization).sessions.__doc__ == "The sessions of the organization."


def model(name: str, *fields: str, required: tuple[str, ...] = (), **constants: tuple[Any, ...]) -> type[Model]:
    """Make a model with all fields of the other models, and some more."""
    names = dict.fromkeys([*fields, *required, *constants])
    members = {"_fields": {each: each for each in names}, "_required": frozenset(required), "_constants": constants}
    return type(name, (Model,), members)


CARD = model("Card", "number", "owner", required=("kind",), kind=("card", "credit"))
BANK = model("Bank", "iban", required=("kind",), kind=("bank",))
CASH = model("Cash", "owner", required=("amount",))
WAYS = (CARD, BANK, CASH)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"kind": "credit"}, CARD),
        ({"kind": "bank", "number": 1, "owner": "a"}, BANK),
        ({"amount": 1, "number": 2}, CASH),
        ({"kind": "card", "amount": 1, "owner": "a"}, CARD),
        ({"kind": "new", "amount": 5}, CASH),
        ({"kind": None, "iban": "x"}, BANK),
        ({}, CARD),
    ],
)
def test_one_of_several_models_is_the_one_that_fits_best(sent: dict[str, Any], expected: type[Model]) -> None:
    chosen = one_of(sent, WAYS)
    assert (type(chosen), chosen.to_dict()) == (expected, sent)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"type": "c", "iban": "x", "kind": "bank"}, CARD),
        ({"type": 5, "kind": "bank"}, CARD),
        ({"type": "unknown", "kind": "bank"}, OpenModel),
        ({"type": ["odd"], "kind": "bank"}, OpenModel),
        ({"kind": "bank"}, OpenModel),
    ],
)
def test_a_discriminator_names_the_model_or_none(sent: dict[str, Any], expected: type[Model]) -> None:
    assert type(discriminated(sent, "type", {"c": CARD, "5": CARD})) is expected


@pytest.mark.parametrize("value", [None, 7, "x", [{"kind": "card"}]])
def test_one_of_several_models_keeps_what_is_no_object(value: Any) -> None:
    assert to_json(one_of(value, WAYS)) == value


def test_the_values_of_a_mapping_are_converted_and_anything_else_stays_what_it_is() -> None:
    cards = convert_mapping({"a": {"number": 1}, "b": None}, CARD.from_item)
    assert {name: type(card) for name, card in cards.items()} == {"a": CARD, "b": CARD}
    assert to_json(cards) == {"a": {"number": 1}, "b": None}
    assert [convert_mapping(odd, CARD.from_item) for odd in (None, 7, [1])] == [None, 7, [1]]


def test_a_whole_response_is_of_an_expected_type_or_an_error() -> None:
    expected = ["an object", "null"]
    assert read_payload(CARD.from_item, expected, {"number": 1}) == CARD.from_item({"number": 1})
    with pytest.raises(TypeError, match="an array instead of an object or null"):
        read_payload(CARD.from_item, expected, [])


@pytest.mark.parametrize(
    ("parse", "sent", "parsed"),
    [
        (parse_date, "2026-11-20", date(2026, 11, 20)),
        (parse_uuid, "00000000-0000-0000-0000-00000000000A", UUID(int=10)),
        *((parse, odd, odd) for parse in (parse_date, parse_uuid) for odd in ("x", "", 20261120, None, ["x"], {})),
    ],
)
def test_a_date_and_a_uuid_are_parsed_and_never_lost(parse: Any, sent: Any, parsed: Any) -> None:
    assert parse(sent) == parsed


@pytest.mark.parametrize(
    ("duration", "written"),
    [
        (timedelta(hours=1, minutes=30), "PT5400S"),
        (timedelta(days=1, seconds=1, microseconds=20), "PT86401.00002S"),
    ],
)
def test_a_duration_is_written_in_iso_8601(duration: timedelta, written: str) -> None:
    assert to_json(duration) == written
