"""The contract as the sandbox reads it: the OpenAPI document, its routes, and the credentials that they require."""

from .document import Contract, load_contract, request_schema
from .operations import UnknownOperationError, operation_named
from .requirement import ENTERPRISE, LEVELS, ORGANIZATION, Requirement, is_kind, is_level
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
    "is_kind",
    "is_level",
    "load_contract",
    "operation_named",
    "request_schema",
    "routes",
)
