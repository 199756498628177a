"""Check that every `$ref` points to an object of the right kind in this file, and that none goes in a circle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codegen.contract.checks.shapes import SECTIONS
from codegen.contract.checks.structure import Reference, Structure
from codegen.contract.checks.wording import a
from codegen.contract.finding import Finding, closest, quote
from codegen.contract.nodes import child, parts

# The keywords whose schemas describe the same value as the schema that has them.
SAME_VALUE = ("allOf", "anyOf", "oneOf")


def reference_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the references that point to nothing, to the wrong kind of object, or in a circle."""
    wrong: dict[str, list[str]] = {}
    for place, reference in structure.references.items():
        section = f"#/components/{SECTIONS[reference.kind]}"
        if structure.kinds.get(reference.target) != reference.kind and not structure.misspelled(reference.target):
            lost = reference.target.startswith(f"{section}/") and section not in structure.kinds
            wrong.setdefault(section if lost else place, []).append(place)
    for cause, (place, *others) in wrong.items():
        if others:
            text = f"there is no {quote(cause)}, to which {len(others) + 1} references point; add it"
            yield Finding(child(place, "$ref"), f"{text}, or check its indentation")
        else:
            yield Finding(child(place, "$ref"), wrong_target(structure, structure.references[place]))
    for place, node in structure.of("schema"):
        mapping = node.get("discriminator", {}).get("mapping", {})
        for value, target in mapping.items():
            pointer = target if "/" in target else f"#/components/schemas/{target}"
            if structure.kinds.get(pointer) != "schema":
                text = wrong_target(structure, Reference(pointer, "schema"))
                yield Finding(child(f"{place}/discriminator/mapping", value), text)
    yield from circles(structure)


def wrong_target(structure: Structure, reference: Reference) -> str:
    """Explain why a reference is wrong."""
    target, kind = reference.target, reference.kind
    section = f"#/components/{SECTIONS[kind]}"
    if not target.startswith("#"):
        name = target.rpartition("/")[2].rpartition("#")[2].removesuffix(".yaml").removesuffix(".json")
        beside = f"the whole contract is in this file: write it below {quote(section)}"
        known = structure.kinds.get(child(section, name)) == kind
        way_out = f"write {quote(child(section, name))}" if known else beside
        return f"{quote(target)} is not in this file; {way_out}"
    if found := structure.kinds.get(target):
        return f"{quote(target)} is {a(found)}, and {a(kind)} is expected here; {way_out_of(structure, reference)}"
    if exists(structure.document, target):
        return f"{quote(target)} is not {a(kind)}; {way_out_of(structure, reference)}"
    return f"{quote(target)} is not defined; {way_out_of(structure, reference)}"


def way_out_of(structure: Structure, reference: Reference) -> str:
    """Return the reference that seems to be meant, or where to define one."""
    section = f"#/components/{SECTIONS[reference.kind]}"
    name = reference.target.rpartition("/")[2]
    known = [place for place, kind in structure.kinds.items() if kind == reference.kind]
    names = {place.rpartition("/")[2]: place for place in known if place.rpartition("/")[0] == section}
    # A quote that is not closed adds the next words to the name.
    meant = (
        names.get(name.partition(" ")[0])
        or closest(reference.target, known, 0.9)
        or names.get(closest(name, names) or "")
    )
    return f"did you mean {quote(meant)}?" if meant else f"define it below {quote(section)}, or correct the name"


def exists(document: Any, target: str) -> bool:
    """Return whether anything is at a JSON pointer."""
    node = document
    for key in parts(target):
        if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
            node = node[int(key)]
        elif isinstance(node, dict) and key in node:
            node = node[key]
        else:
            return False
    return True


def circles(structure: Structure) -> Iterator[Finding]:
    """Yield the references that lead back to their own object before any property or list member."""
    done: set[str] = set()

    def visit(place: str, path: tuple[str, ...]) -> Iterator[Finding]:
        if place in path:
            names = [*path[path.index(place) :], place]
            readable = " -> ".join(quote(each) for each in names if each in structure.references or each == place)
            at = next((each for each in names if each in structure.references), place)
            text = f"a circle of references: {readable}; write out one of them"
            yield Finding(child(at, "$ref"), text)
        elif place not in done:
            done.add(place)
            for each in same_value(structure, place):
                yield from visit(each, (*path, place))

    for place in structure.references:
        yield from visit(place, ())


def same_value(structure: Structure, place: str) -> Iterator[str]:
    """Yield the JSON pointers of the objects that a reference or a schema consists of."""
    if place in structure.references:
        yield structure.references[place].target
    for keyword in SAME_VALUE:
        members = structure.nodes.get(place, {}).get(keyword)
        yield from (
            f"{place}/{keyword}/{index}" for index, _ in enumerate(members if isinstance(members, list) else ())
        )
