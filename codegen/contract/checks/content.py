"""Check the bodies of requests and responses, and the headers of responses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.contract.checks.members import Members
from codegen.contract.checks.structure import Structure
from codegen.contract.content import LINE_TYPES
from codegen.contract.finding import Finding, closest, instead, quote
from codegen.contract.nodes import child, parts

# Media types whose content is known by its schema only.
WITH_SCHEMA = re.compile(r"application/([\w.-]+\+)?json|application/x-www-form-urlencoded|multipart/.*")
# Media types that are often misspelled.
MEDIA_TYPES = (
    "application/json",
    "application/merge-patch+json",
    "application/octet-stream",
    "application/problem+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "text/csv",
    "text/event-stream",
    "text/plain",
    *(f"application/{name}" for name in LINE_TYPES),
)


def content_findings(structure: Structure) -> Iterator[Finding]:
    """Yield the findings about media types, and about examples that are written in two ways."""
    members = Members(structure)
    for place, node in structure.of("media type"):
        media_type = parts(place)[-1].partition(";")[0].strip()
        if "schema" not in node and WITH_SCHEMA.fullmatch(media_type):
            yield Finding(place, f"{quote(media_type)} without `schema`; add it, or `schema: {{}}` for anything")
        meant = closest(media_type, MEDIA_TYPES, 0.9)
        if meant and meant != media_type:
            yield Finding(place, f"the media type {quote(media_type)} is unknown; did you mean `{meant}`?")
        known = members.of(f"{place}/schema")
        for name in node.get("encoding", ()):
            if known and name not in known.names and not known.open:
                way_out = instead(name, known.names, "add it to the schema, or remove it here")
                yield Finding(child(f"{place}/encoding", name), f"the body has no member {quote(name)}; {way_out}")
    for kind in ("media type", "parameter", "header"):
        for place, node in structure.of(kind):
            if "example" in node and "examples" in node:
                yield Finding(f"{place}/example", "`example` beside `examples`; keep one of them")
    for place, node in structure.of("response"):
        for name in node.get("headers", ()):
            if name.lower() == "content-type":
                text = "a header `Content-Type` has no effect in OpenAPI; remove it: the key of `content` is its value"
                yield Finding(child(f"{place}/headers", name), text)
