"""Validation: requests against the contract, and documents of people and programs against a schema."""

from .body import read_body
from .failures import failure_of
from .json_parser import MAX_DEPTH, excerpt, is_deeper_than, parse_json
from .parameters import Arguments, read_arguments
from .schema import FLAG, TEXT, TEXTS, Node, check, closed_object
from .styles import WHOLE_NUMBER

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
