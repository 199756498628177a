"""Check the paths and the parameters: each is declared once, and those of a path are the ones in its template."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.contract.checks.operations import Operation, operations
from codegen.contract.checks.structure import Structure
from codegen.contract.finding import Finding, closest, listed, quote
from codegen.contract.nodes import Node, child, parts

PLACEHOLDER = re.compile(r"\{([^{}/]+)\}")

# OpenAPI ignores header parameters of these names.
RESERVED_HEADERS = {
    "accept": "write the media type below `content` of the responses",
    "content-type": "write the media type below `content` of `requestBody`",
    "authorization": "write `security`",
}

# Of the connection, the body or a proxy: the SDK refuses them, because the HTTP library sends its own.
HEADERS_OF_THE_CONNECTION = re.compile(
    "host|content-length|accept-encoding|content-encoding|connection|expect|http2-settings|keep-alive|te|trailer"
    "|transfer-encoding|upgrade|proxy-.*"
)

# The first is the default.
STYLES = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    "cookie": ("form",),
}


def parameter_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the findings about paths and parameters."""
    for place, node in structure.of("parameter"):
        yield from one_parameter(place, node)
    yield from path_templates(structure)
    for operation in operations(structure):
        yield from declared_parameters(structure, operation)
    for kind in ("path item", "operation"):
        for place, node in structure.of(kind):
            yield from repeated(structure, place, node)


def one_parameter(place: str, node: Node) -> Iterator[Finding]:
    """Yield the findings about a parameter by itself."""
    name, location = node["name"], node["in"]
    if ("schema" in node) == ("content" in node):
        what = "both `schema` and `content`; keep one" if "schema" in node else "no `schema`; add `schema: {type: ...}`"
        yield Finding(place, f"the parameter {quote(name)} has {what}")
    if len(node.get("content", "1")) != 1:
        yield Finding(f"{place}/content", "a parameter has one media type; keep one")
    if location == "path" and node.get("required") is not True:
        yield Finding(place, f"the path parameter {quote(name)} is always required; write `required: true`")
    if location == "header" and name.lower() in RESERVED_HEADERS:
        way_out = RESERVED_HEADERS[name.lower()]
        yield Finding(place, f"a header parameter {quote(name)} has no effect in OpenAPI; remove it and {way_out}")
    if location == "header" and HEADERS_OF_THE_CONNECTION.fullmatch(name.lower()):
        yield Finding(place, f"a header parameter {quote(name)} is set by HTTP libraries, not by callers; remove it")
    if (style := node.get("style", STYLES[location][0])) not in STYLES[location]:
        text = f"{quote(style)} is no style of a {location} parameter; write {listed(STYLES[location])}"
        yield Finding(f"{place}/style", text)
    if not name:
        yield Finding(f"{place}/name", "the name is empty; write the name of the parameter")


def path_templates(structure: Structure) -> Iterator[Finding]:
    """Yield the findings about the paths themselves."""
    seen: dict[str, str] = {}
    for place, kind in structure.kinds.items():
        if kind != "path item" or not place.startswith("#/paths/") or place.count("/") != 2:
            continue
        path = parts(place)[-1]
        names = PLACEHOLDER.findall(path)
        without = PLACEHOLDER.sub("{}", path)
        if re.search(r"[{}]", without.replace("{}", "")):
            yield Finding(place, f"the braces of {quote(path)} do not match; write each parameter as `{{name}}`")
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield Finding(place, f"{quote(f'{{{name}}}')} is in the path twice; give each parameter its own name")
        if re.search(r"[?#\s]", path):
            text = f"{quote(path)} is more than a path; write a query as parameters with `in: query`, and no spaces"
            yield Finding(place, text)
        if without in seen:
            text = f"{quote(path)} is the same path as {quote(seen[without])}; write the operations of both below one"
            yield Finding(place, text)
        seen.setdefault(without, path)


def declared_parameters(structure: Structure, operation: Operation) -> Iterator[Finding]:
    """Yield the path parameters that are declared and not in the path, or the other way round."""
    declared = parameters(structure, operation)
    if declared is None:
        return
    names = {name: place for (name, location), place in declared.items() if location == "path"}
    in_path = PLACEHOLDER.findall(operation.path)
    undeclared = [name for name in in_path if name not in names]
    unused = [name for name in names if name not in in_path]
    for name in undeclared:
        way_out = "add it to `parameters` with `in: path`"
        if meant := counterpart(name, undeclared, unused):
            way_out = f"`parameters` has {quote(meant)}: write the same name at both places"
        yield Finding(operation.place, f"the path parameter {quote(f'{{{name}}}')} is not declared; {way_out}")
    for name in unused:
        way_out = f"add {quote(f'{{{name}}}')} to the path, or remove the parameter"
        if meant := counterpart(name, unused, undeclared):
            way_out = f"did you mean `{meant}`?"
        yield Finding(names[name], f"the path {quote(operation.path)} has no {quote(f'{{{name}}}')}; {way_out}")


def counterpart(name: str, others: list[str], names: list[str]) -> str | None:
    """Return the one of *names* that *name*, one of *others*, seems to stand for, or None."""
    return closest(name, names) or (names[0] if len(names) == len(others) == 1 else None)


def parameters(structure: Structure, operation: Operation) -> dict[tuple[str, str], str] | None:
    """Return the JSON pointer of each parameter by its name and location; None if one of them is wrong."""
    declared: dict[tuple[str, str], str] = {}
    if not structure.sound(f"{operation.item_place}/parameters"):
        return None
    for place in (*entries(operation.item_place, operation.item), *entries(operation.place, operation.node)):
        found = structure.follow(place)
        if found is None:
            return None
        declared[found[1]["name"], found[1]["in"]] = place
    return declared


def repeated(structure: Structure, place: str, node: Node) -> Iterator[Finding]:
    """Yield the parameters that one list declares twice."""
    first: dict[tuple[str, str], str] = {}
    for each in entries(place, node):
        if found := structure.follow(each):
            key = found[1]["name"], found[1]["in"]
            if key in first:
                text = f"the {key[1]} parameter {quote(key[0])} is there already, as {first[key]}; remove one of them"
                yield Finding(each, text)
            first.setdefault(key, each)


def entries(place: str, node: Node) -> Iterator[str]:
    """Yield the JSON pointers of the parameters that a path item or an operation lists."""
    return (child(f"{place}/parameters", index) for index, _ in enumerate(node.get("parameters", ())))
