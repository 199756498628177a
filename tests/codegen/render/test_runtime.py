"""The modules of the generated package that do not depend on the contract."""

from __future__ import annotations

import pickle
from typing import Any

import attrs
import pytest
from agent_session_platform import Download, Page, Pager
from agent_session_platform.models import SessionPage
from agent_session_platform_api.api import OrganizationScope
from agent_session_platform_api.operation import Gap, Operation, Parameter, Request, Rule

OPERATION = Operation(id="x", method="GET", path="/x", scope="organization", resource="xs", verb="get")


def request() -> Request[Any]:
    return Request(OPERATION, dict, {"id": "1"}, {"first": 1})


@pytest.mark.parametrize(
    "value",
    [Gap("g", "#/x", "All."), Rule("r", "Always."), Parameter("p", "query"), OPERATION, request()],
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


def test_the_protocols_are_accepted_by_isinstance() -> None:
    assert isinstance(SessionPage(items=[]), Page)
    assert not isinstance([], Page | Pager | Download)


def test_a_resource_is_made_once_for_its_scope() -> None:
    organization = OrganizationScope(None, "org-a")  # type: ignore[arg-type]  # never called
    assert organization.sessions is organization.sessions
    assert type(organization).sessions.__doc__ == "The sessions of the organization."
