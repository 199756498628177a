"""Validation: requests against the contract, and documents of people and programs against a schema."""

from .body import read_body
from .parameters import WHOLE_NUMBER, Arguments, read_arguments
from .schemas import (
    FLAG,
    MAX_DEPTH,
    TEXT,
    TEXTS,
    Node,
    check,
    closed_object,
    excerpt,
    failure_of,
    is_deeper_than,
    parse_json,
)

__all__ = (
    "FLAG",
    "MAX_DEPTH",
    "TEXT",
    "TEXTS",
    "WHOLE_NUMBER",
    "Arguments",
    "Node",
    "check",
    "closed_object",
    "excerpt",
    "failure_of",
    "is_deeper_than",
    "parse_json",
    "read_arguments",
    "read_body",
)
