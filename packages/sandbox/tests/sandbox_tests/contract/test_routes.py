"""The routes of the contract."""

from __future__ import annotations

from agent_session_platform.catalogue import Catalogue
from agent_session_platform_sandbox.contract import load_routes, routes

from sandbox_tests.odd import odd_contract


def test_the_level_is_the_one_in_the_contract_or_that_of_the_path() -> None:
    levels = {route.operation_id: route.requirement.level for route in load_routes()}
    assert levels == {operation.id: operation.level or operation.scope for operation in Catalogue()}


def test_the_first_success_of_several_is_the_status() -> None:
    [rebuild] = [route for route in routes(odd_contract()) if route.operation_id == "rebuild_box"]
    assert rebuild.success == 202
