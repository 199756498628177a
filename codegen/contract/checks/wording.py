"""Say what is wrong with a keyword or its value, and what to write instead."""

from __future__ import annotations

from typing import Any

from codegen.contract.checks.shapes import KEYWORDS, SECTIONS, WORDS
from codegen.contract.finding import closest, instead, listed, quote
from codegen.contract.nodes import parts

# The types of other notations.
OTHER_TYPES = {
    **dict.fromkeys(("int", "long", "int32", "int64"), "integer"),
    **dict.fromkeys(("float", "double", "decimal"), "number"),
    **dict.fromkeys(("dict", "map", "hash"), "object"),
    "bool": "boolean",
    "str": "string",
    "list": "array",
}
FORMATTED = ("date", "date-time", "datetime", "uuid", "email", "uri", "binary")
# Keywords of other versions and at wrong places: what to do, and the keyword that is meant.
ELSEWHERE = {
    ("schema", "nullable"): ('is of OpenAPI 3.0; add "null" to the types: `type: [string, "null"]`', None),
    ("schema", "optional"): ("is not a keyword; a property is optional unless `required` of its object lists it", None),
    ("parameter", "type"): ("belongs to `schema`; write `schema: {type: ...}`", "schema"),
    ("header", "type"): ("belongs to `schema`; write `schema: {type: ...}`", "schema"),
    ("media type", "$ref"): ("belongs to `schema`; write `schema:` above it, and indent it", "schema"),
    ("media type", "type"): ("belongs to `schema`; write `schema:` above it, and indent it", "schema"),
    ("response", "schema"): (
        "belongs below `content` and a media type, such as `application/json`; move it",
        "content",
    ),
    ("request body", "schema"): (
        "belongs below `content` and a media type; move it below `application/json`",
        "content",
    ),
    ("operation", "body"): ("is not a keyword; write `requestBody`", None),
    ("operation", "consumes"): ("is of OpenAPI 2.0; write the media type below `requestBody`, `content`", None),
    ("operation", "produces"): ("is of OpenAPI 2.0; write the media type below the response, `content`", None),
    ("document", "swagger"): ("is of OpenAPI 2.0; write `openapi: 3.1.0`", "openapi"),
    ("document", "definitions"): ("is of OpenAPI 2.0; write the schemas below `components`, `schemas`", None),
}
NAMES = {
    **{kind: f"the {kind}" for kind in ("document", "info", "components", "flows", "xml")},
    "pagination": "`x-pagination`",
    "follow": "`x-follow`",
    "wait": "`x-wait`",
    "vendor": "`x-vendor`",
}


def a(kind: str) -> str:
    """Return the kind of an object with its article."""
    return NAMES.get(kind) or (f"an {kind}" if kind[0] in "aeio" else f"a {kind}")


def subject(place: str) -> str:
    """Return the last part of a JSON pointer for the beginning of a sentence; an index has at most two digits."""
    last = parts(place)[-1]
    return "the entry" if last.isdecimal() and len(last) < 3 else quote(last)


def described(value: Any) -> str:
    """Return a value with its type in words."""
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    if isinstance(value, bool | None):
        return quote(value)
    return f"the text {quote(value)}" if isinstance(value, str) else f"the number {value}"


def should_be(kind: str, expected: str, value: Any) -> str:
    """Describe a value of the wrong kind; *expected* is the right kind in words."""
    found = "empty" if value is None else described(value)
    return f"must be {expected}, and is {found}; {way_out(kind, expected, value)}"


def way_out(kind: str, expected: str, value: Any) -> str:
    """Return what to do about a value of the wrong kind."""
    if value is None and kind == "type":
        return 'put it in quotes: `"null"`'
    if value is None:
        return "write it, or check the indentation of the lines below"
    if expected == "text" and not isinstance(value, dict | list):
        return f'put it in quotes: `"{quote(value)[1:-1]}"`'
    if expected == "a list":
        return f"write `[{value}]`" if isinstance(value, str) else "begin each entry with `- `"
    if isinstance(value, str) and value.lower() in ("true", "false", "yes", "no") and kind in ("flag", "schema?"):
        return f"write `{'true' if value.lower() in ('true', 'yes') else 'false'}` without quotes"
    if kind in ("number", "count", "positive count") and isinstance(value, str) and value.isdecimal():
        return f"write `{value}` without quotes"
    if not expected.startswith("a mapping"):
        return f"write {expected}"
    if isinstance(value, list):
        return "write `name: value` without `- `"
    if kind == "requirement":
        return f"write `{value}: []`"
    kind = kind.removesuffix("?")
    if value in WORDS["type"] and kind == "schema":
        return f"write `{{type: {value}}}`"
    if kind not in SECTIONS:
        return "write it as `name: value`"
    target = value if str(value).startswith("#/") else f"#/components/{SECTIONS[kind]}/{value}"
    return f'write `$ref: "{target}"`, or write it out here'


def unknown_keyword(kind: str, name: str) -> tuple[str, str | None]:
    """Describe a keyword that *kind* does not have; also return the keyword that seems to be meant, if any."""
    if (kind, name) in ELSEWHERE:
        text, meant = ELSEWHERE[kind, name]
        return f"`{name}` {text}", meant
    text = f"`{name}` is not a keyword of {a(kind)}"
    if meant := closest(name, [*KEYWORDS[kind], *(["$ref"] if kind in SECTIONS else [])]):
        return f"{text}; did you mean `{meant}`?", meant
    otherwise = "check its indentation, remove it, or begin its name with `x-`"
    return f"{text}; {elsewhere(name, otherwise)}", None


def elsewhere(name: str, otherwise: str) -> str:
    """Return what to do about a keyword that is not known at its place, and *otherwise* about any other key."""
    owners = [kind for kind in ("operation", "response", "schema", *KEYWORDS) if name in KEYWORDS[kind]]
    return f"it belongs to {a(owners[0])}: move it there, or check its indentation" if owners else otherwise


def unknown_word(value: str, kind: str) -> str:
    """Describe a value that is none of the words of *kind*."""
    words = WORDS[kind]
    if kind == "type" and value == "file":
        do = "write `type: string` and `format: binary`"
    elif kind == "type" and value == "any":
        do = "leave `type` out"
    elif kind == "type" and value in FORMATTED:
        do = f"write `type: string` and `format: {value}`"
    elif kind == "location" and value in ("body", "formData"):
        do = "write the body as `requestBody` of the operation"
    elif kind == "type" and value.lower() in OTHER_TYPES:
        do = f"did you mean `{OTHER_TYPES[value.lower()]}`?"
    else:
        do = instead(value, words, f"write {listed(words)}")
    return f"{quote(value)} is unknown here; {do}"
