"""Validation of JSON: requests against the contract, and documents of people and programs against a schema."""

from .body import read_body
from .json_parser import MAX_DEPTH, excerpt, is_deeper_than, parse_json
from .query import WHOLE_NUMBER, failure_of, read_query
from .schema import FLAG, TEXT, TEXTS, Node, check, closed_object

__all__ = (
    "FLAG",
    "MAX_DEPTH",
    "TEXT",
    "TEXTS",
    "WHOLE_NUMBER",
    "Node",
    "check",
    "closed_object",
    "excerpt",
    "failure_of",
    "is_deeper_than",
    "parse_json",
    "read_body",
    "read_query",
)
