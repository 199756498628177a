"""The contract as the sandbox reads it: the OpenAPI document, its routes, and the credentials that they require."""

from .content import Content, Kind, find_content, kind_of
from .document import Contract, load_contract, request_schema
from .json_values import is_array, is_object
from .operations import UnknownOperationError, operation_named
from .parameters import BODY, COOKIE, HEADER, PATH, QUERY, Parameter
from .requirement import ENTERPRISE, LEVELS, ORGANIZATION, Requirement, is_kind, is_level
from .routes import PLACEHOLDER, ResponseForm, Route, load_routes, routes
from .samples import Sampler
from .shape import Shape

__all__ = (
    "BODY",
    "COOKIE",
    "ENTERPRISE",
    "HEADER",
    "LEVELS",
    "ORGANIZATION",
    "PATH",
    "PLACEHOLDER",
    "QUERY",
    "Content",
    "Contract",
    "Kind",
    "Parameter",
    "Requirement",
    "ResponseForm",
    "Route",
    "Sampler",
    "Shape",
    "UnknownOperationError",
    "find_content",
    "is_array",
    "is_kind",
    "is_level",
    "is_object",
    "kind_of",
    "load_contract",
    "load_routes",
    "operation_named",
    "request_schema",
    "routes",
)
