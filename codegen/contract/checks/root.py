"""Check the version, the servers, the tags, and the kinds of credential."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.contract.checks.structure import Structure
from codegen.contract.finding import Finding, closest, instead, quote
from codegen.contract.nodes import child

# The keywords that each type of credential needs.
NEEDED = {
    "apiKey": ("name", "in"),
    "http": ("scheme",),
    "mutualTLS": (),
    "oauth2": ("flows",),
    "openIdConnect": ("openIdConnectUrl",),
}
SCHEMES = "#/components/securitySchemes"


def root_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the findings about what holds for the whole document."""
    version = structure.document.get("openapi")
    if isinstance(version, str) and not re.fullmatch(r"3\.1\.\d+", version):
        yield Finding("#/openapi", f"the version of OpenAPI is {quote(version)}; write `3.1.0`, and its notation")
    for place, node in structure.of("server"):
        variables = node.get("variables", {})
        for name in re.findall(r"\{([^{}]+)\}", node["url"]):
            if name not in variables:
                way_out = instead(name, variables, "add it to `variables`")
                yield Finding(place, f"the variable {quote(name)} of the address is not declared; {way_out}")
    seen: dict[str, str] = {}
    for place, node in structure.of("tag"):
        if seen.setdefault(node["name"], place) != place:
            yield Finding(place, f"the tag {quote(node['name'])} is there already, as {seen[node['name']]}; remove one")
    for place, node in structure.of("operation"):
        for index, tag in enumerate(node.get("tags", ())):
            if tag not in seen and (meant := closest(tag, seen, 0.8)):
                text = f"the tag {quote(tag)} is not declared; did you mean `{meant}`? Else add it to `tags` at the top"
                yield Finding(f"{place}/tags/{index}", text)
    yield from credentials(structure)


def credentials(structure: Structure) -> Iterator[Finding]:
    """Yield the kinds of credential that are not declared, or not completely."""
    for place, node in structure.of("security scheme"):
        for name in NEEDED[node["type"]]:
            if name not in node:
                yield Finding(place, f"a credential of the type {quote(node['type'])} without `{name}`; add it")
    declared = [place.rpartition("/")[2] for place in structure.kinds if place.rpartition("/")[0] == SCHEMES]
    for place, node in structure.of("requirement"):
        for kind in node:
            if kind not in declared and not structure.misspelled(SCHEMES):
                way_out = instead(kind, declared, f"declare it below {quote(SCHEMES)}")
                yield Finding(child(place, kind), f"the kind of credential {quote(kind)} is not declared; {way_out}")
