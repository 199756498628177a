"""The application context: state and settings that all endpoints of one sandbox share."""

from __future__ import annotations

import attrs

from ..contract import Requirement, Route, SandboxContract, load_contract, load_routes, routes
from ..handlers import GenericHandlers, Handler
from ..resources import HANDLERS
from ..state import State
from .rate_limit import RateLimit


@attrs.define
class ApplicationContext:
    """Shared settings and tables of all endpoints. Changes apply to the next request.

    Attributes:
        state: State of the sandbox.
        strict: True to check credentials and permissions.
        contract: The contract; that of the generated package by default.
        rate_limit: The rate limit, or None.
        routes: The route of each operation.
        handlers: The handler of each operation, by its id.
        requirements: The credential that each operation requires, by its id.
        accepted: Additional query parameters of operations, by their ids.
    """

    state: State
    strict: bool
    contract: SandboxContract = attrs.field(factory=load_contract)
    rate_limit: RateLimit | None = None
    routes: list[Route] = attrs.field(init=False)
    handlers: dict[str, Handler] = attrs.field(init=False)
    requirements: dict[str, Requirement] = attrs.field(init=False)
    accepted: dict[str, set[str]] = attrs.field(init=False, factory=lambda: dict[str, set[str]]())

    def __attrs_post_init__(self) -> None:
        # The routes of the generated package are made once.
        is_own = self.contract is load_contract()
        self.routes = list(load_routes() if is_own else routes(self.contract))
        generic = GenericHandlers(self.contract, self.routes, HANDLERS)
        self.handlers = {
            route.operation_id: HANDLERS.get(route.operation_id) or generic.handler(route) for route in self.routes
        }
        self.requirements = {route.operation_id: route.requirement for route in self.routes}
