"""The contract as the sandbox reads it: the OpenAPI document, its routes, and what each operation requires."""

from __future__ import annotations

from .document import Contract, load_contract, request_schema
from .operations import UnknownOperationError, operation_named
from .requirement import ENTERPRISE, LEVELS, ORGANIZATION, Requirement, check_known
from .routes import QueryParameter, Route, routes

__all__ = (
    "ENTERPRISE",
    "LEVELS",
    "ORGANIZATION",
    "Contract",
    "QueryParameter",
    "Requirement",
    "Route",
    "UnknownOperationError",
    "check_known",
    "load_contract",
    "operation_named",
    "request_schema",
    "routes",
)
