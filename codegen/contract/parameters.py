"""Describe a parameter: where it is sent, how it is written, and which values it accepts."""

from __future__ import annotations

from codegen.contract.content import JSON, kind_of_media_type
from codegen.contract.document import Document
from codegen.contract.nodes import ContractError, Node

FORMATS = {"date-time": "date-time", "date": "date", "uuid": "uuid", "duration": "duration", "binary": "file"}

DEFAULT_STYLES = {"query": "form", "cookie": "form", "path": "simple", "header": "simple"}

# How the SDK writes arrays and objects, by location, style and explode; "" is its default in that location.
STYLES = {
    ("query", "form", True): "",
    ("query", "form", False): "comma",
    ("query", "spaceDelimited", False): "space",
    ("query", "pipeDelimited", False): "pipe",
    ("query", "deepObject", True): "deep",
    ("cookie", "form", False): "",
    ("path", "simple", False): "",
    ("header", "simple", False): "",
}


def parameter_facts(contract: Document, parameter: Node) -> Node:
    """Return the literal arguments of a `Parameter`, without those that are its defaults.

    Args:
        contract: The contract.
        parameter: The resolved parameter, or a member of a body in the same form.

    Raises:
        ContractError: It is written in a way that the SDK does not support.
    """
    schema = contract.flatten(value_schema(parameter))
    kind, nullable = kind_of(contract, schema)
    if not parameter["name"] and not kind and (not schema or {"type", "oneOf", "anyOf", "enum"} & schema.keys()):
        # Several kinds, or `{}`: unlike a body that is not shown, it may be a bare value.
        kind = "any"
    facts = {
        "name": parameter["name"],
        "location": parameter["in"],
        "kind": kind,
        "style": parameter_style(parameter, kind, contract, schema),
        "required": parameter.get("required", False),
        "nullable": nullable,
        "minimum": finite(schema.get("minimum")),
        "maximum": finite(schema.get("maximum")),
        "wildcard": parameter.get("x-wildcard", False),
        "prefix": parameter.get("x-id-prefix"),
        "adds_prefix": parameter.get("x-adds-prefix", False),
    }
    return {key: value for key, value in facts.items() if value not in (None, False, "") or key == "name"}


def value_schema(parameter: Node) -> Node:
    """Return the schema of a parameter's values, not resolved."""
    media: Node = next(iter(parameter.get("content", {}).values()), parameter)
    schema: Node = media.get("schema", {})
    return schema


def kind_of(contract: Document, schema: Node) -> tuple[str, bool]:
    """Return the kind of the values of a merged schema, empty if there are several, and whether null is one."""
    alternatives = [contract.flatten(each) for key in ("oneOf", "anyOf") for each in schema.get(key, ())]
    if alternatives:
        found = [kind_of(contract, each) for each in alternatives]
        kinds = {kind for kind, _ in found if kind != "null"}
        return (kinds.pop() if len(kinds) == 1 else ""), any(kind == "null" or nullable for kind, nullable in found)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else list(types)
    nullable = "null" in types or None in schema.get("enum", ())
    others = [each for each in types if each != "null"]
    if len(others) != 1:
        only_null = nullable and types and not others
        return ("null" if only_null else "object" if schema.get("properties") and not others else ""), nullable
    kind = others[0]
    return (FORMATS.get(schema.get("format", ""), kind) if kind == "string" else kind), nullable


def parameter_style(parameter: Node, kind: str, contract: Document, schema: Node) -> str:
    """Return how arrays and objects of a parameter are written; empty for the way that is usual in its location.

    Raises:
        ContractError: The SDK cannot write them as declared.
    """
    name, location = parameter["name"], parameter["in"]
    if location == "body":
        return ""
    if parameter.get("allowReserved"):
        raise ContractError(f"the parameter {name} has allowReserved, which the SDK cannot send; leave it out")
    if content := parameter.get("content"):
        media_type = next(iter(content))
        if kind_of_media_type(media_type) != JSON:
            raise ContractError(f"the parameter {name} has a content of {media_type}; only JSON can be sent")
        return "json"
    style = parameter.get("style", DEFAULT_STYLES[location])
    explode = parameter.get("explode", style in ("form", "deepObject"))
    if kind not in ("array", "object", ""):
        # Style and explode matter only for arrays and objects.
        if style in ("form", "simple"):
            return ""
        raise ContractError(f"the parameter {name} has the style {style}, which is for arrays and objects only")
    if location in ("cookie", "header", "path") and style in ("form", "simple") and kind == "array":
        if location == "cookie" and explode:
            raise ContractError(f"the cookie {name} is an array that is exploded; write `explode: false`")
        return ""
    if location != "query" and kind == "object":
        raise ContractError(f"the {location} parameter {name} is an object; the SDK can send one in a query or a body")
    written = STYLES.get((location, style, explode))
    if kind == "object" and written == "":
        return "members"
    if written is None and kind == "" and style == DEFAULT_STYLES[location]:
        return ""
    if written is None or (written == "deep" and kind == "array"):
        how = f"style: {style}, explode: {str(explode).lower()}"
        raise ContractError(f"the {location} parameter {name} has {how}, which the SDK cannot send for its values")
    nested = [key for key, each in schema.get("properties", {}).items() if is_nested(contract, each)]
    if kind == "object" and written != "json" and nested:
        raise ContractError(
            f"the member {nested[0]} of the parameter {name} is an array or an object, which OpenAPI cannot write in a "
            "query; make it a parameter of its own"
        )
    if kind == "object" and written in ("space", "pipe"):
        raise ContractError(f"the parameter {name} is an object with the style {style}, which is for arrays")
    return written


def is_nested(contract: Document, schema: Node) -> bool:
    """Return whether a member of an object is an array or an object itself."""
    return kind_of(contract, contract.flatten(schema))[0] in ("array", "object")


def finite(bound: float | None) -> float | None:
    """Return a bound, or None for one that is beyond all numbers."""
    return bound if bound is not None and abs(bound) != float("inf") else None
