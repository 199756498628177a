"""Check openapi.yaml against our own conventions: `python -m codegen.contract.lint [openapi.yaml]`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from codegen import ROOT
from codegen.contract.contract import Contract
from codegen.contract.operations import permissions
from codegen.contract.source import ContractError, Finding, Node, quote
from codegen.contract.vendor_word import word_findings
from codegen.render.runtime.contract import child, schema_of

# The JSON pointers of schemas that are not written inline: a schema with a name, or a part of a merged schema.
NOT_INLINE = re.compile(r"#/components/schemas/[^/]+|.*/(allOf/\d+|\$defs/[^/]+)")

DESCRIBE = "write what it is, as far as the API's description or the name says so"


def findings(contract: Contract) -> Iterator[Finding]:
    """Yield a finding for each place that breaks a convention."""
    for facts in contract.operations.values():
        yield from operation_findings(facts.node, facts.place)
    for name, schema in contract.schemas.items():
        for keyword in ("examples", "description"):
            if not schema.get(keyword):
                yield Finding(child("#/components/schemas", name), f"the schema {name} has no `{keyword}`; add it")
    for place, schema in contract.of("schema"):
        for name, node in schema.get("properties", {}).items():
            # A reference may leave the description to its target.
            if not contract.flatten(node).get("description"):
                text = f"the property {quote(name)} has no description; {DESCRIBE}"
                yield Finding(child(f"{place}/properties", name), text)
        for column in {*schema.get("x-columns", ())} - contract.flatten(schema).get("properties", {}).keys():
            yield Finding(f"{place}/x-columns", f"{quote(column)} is no property of the schema; correct or remove it")
        if "properties" in schema and not NOT_INLINE.fullmatch(place):
            names = ", ".join(schema["properties"])
            yield Finding(place, f"an object with {names} is written inline; make it a named schema")
        if "x-known-values" in schema and "enum" in schema:
            yield Finding(place, "x-known-values beside enum; keep enum if the set is closed, else x-known-values")
        if "enum" in schema and any(gap["id"].endswith("-values") for gap in schema.get("x-not-shown", ())):
            yield Finding(place, "an enum whose values are a gap; write x-known-values, or remove the gap")
    for place, parameter in contract.of("parameter"):
        if not parameter.get("description") and not contract.flatten(schema_of(parameter)).get("description"):
            yield Finding(place, f"the parameter {quote(parameter['name'])} has no description; {DESCRIBE}")
    yield from word_findings(contract.source)


def operation_findings(node: Node, place: str) -> Iterator[Finding]:
    """Yield the findings of one operation."""
    gaps = " ".join(gap["id"] for gap in node.get("x-not-shown", ()))
    if not permissions(node) and "permission" not in gaps:
        text = "neither a permission nor a gap with `permission` in its id; write one of them"
        yield Finding(f"{place}/security", text)
    if permissions(node) and "x-permission-level" not in node and "level" not in gaps:
        yield Finding(place, "neither x-permission-level nor a gap with `level` in its id; write one of them")
    statuses = {"2XX": ("response", "the status"), "default": ("error", "the statuses")}
    for status, (word, missing) in statuses.items():
        if status in node["responses"] and word not in gaps:
            text = f"{status} without a gap with `{word}` in its id; write {missing}, or the gap into x-not-shown"
            yield Finding(f"{place}/responses/{status}", text)


def main() -> None:
    """Print the findings; exit with status 1 if there are any."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "openapi.yaml"
    try:
        contract = Contract(path)
        contract.source.refuse(sorted(findings(contract), key=lambda each: contract.source.line(each.place)))
    except ContractError as error:
        sys.exit(str(error))
    print(f"{path.name}: all in order")


if __name__ == "__main__":
    main()
