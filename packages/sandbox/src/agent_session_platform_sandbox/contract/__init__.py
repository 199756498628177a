"""The contract as the sandbox reads it: its routes, the shapes of values, and the credentials that it requires."""

from .content import BODY, COOKIE, HEADER, PATH, QUERY, Content, Kind, Parameter, find_content, kind_of
from .requirement import ENTERPRISE, KINDS, LEVELS, ORGANIZATION, Requirement, is_kind, is_level
from .routes import (
    ResponseForm,
    Route,
    UnknownOperationError,
    load_routes,
    operation_named,
    request_shape,
    routes,
)
from .samples import Sampler
from .schemas import SandboxContract, Shape, load_contract

__all__ = (
    "BODY",
    "COOKIE",
    "ENTERPRISE",
    "HEADER",
    "KINDS",
    "LEVELS",
    "ORGANIZATION",
    "PATH",
    "QUERY",
    "Content",
    "Kind",
    "Parameter",
    "Requirement",
    "ResponseForm",
    "Route",
    "Sampler",
    "SandboxContract",
    "Shape",
    "UnknownOperationError",
    "find_content",
    "is_kind",
    "is_level",
    "kind_of",
    "load_contract",
    "load_routes",
    "operation_named",
    "request_shape",
    "routes",
)
