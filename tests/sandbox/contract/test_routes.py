"""The routes of the contract."""

from __future__ import annotations

from agent_session_platform.catalogue import Catalogue
from agent_session_platform.sandbox.contract import Contract, routes


def test_the_level_is_the_one_in_the_contract_or_that_of_the_path() -> None:
    levels = {route.operation_id: route.requirement.level for route in routes(Contract())}
    assert levels == {operation.id: operation.level or operation.scope for operation in Catalogue()}
