"""Check that every field and parameter of the contract is described."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.contract.checks.structure import Structure
from codegen.contract.finding import Finding, quote
from codegen.contract.nodes import child

WAY_OUT = "write what it is, as far as the API's description or the name says so"


def field_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the properties and parameters without a description."""
    for place, schema in structure.of("schema"):
        for name in schema.get("properties", ()):
            here = child(f"{place}/properties", name)
            if not described(structure, here):
                yield Finding(here, f"the property {quote(name)} has no description; {WAY_OUT}")
    for place, parameter in structure.of("parameter"):
        if not parameter.get("description") and not described(structure, f"{place}/schema"):
            yield Finding(place, f"the parameter {quote(parameter['name'])} has no description; {WAY_OUT}")


def described(structure: Structure, place: str) -> bool:
    """Return whether a schema has a description; a reference has that of its target, unless it has its own."""
    while not structure.nodes.get(place, {}).get("description"):
        if place not in structure.references:
            return False
        place = structure.references[place].target
    return True
