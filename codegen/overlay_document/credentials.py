"""Refuse a second entry of `security` for a kind of credential: it would read as a choice between the same two."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.contract import Finding, Source, quote
from codegen.overlay_document.judgement import pointer
from codegen.overlay_document.targets import Place
from codegen.overlay_document.tree import Placed


def repeated_kinds(tree: Placed, base: Source) -> Iterator[Finding]:
    """Yield the entries by which an action names a kind of credential again, each with what to write instead.

    Several permissions are another mistake, which the check of the contract reports.

    Args:
        tree: The contract with Overlays applied; it may be wrong anywhere.
        base: The contract without them.
    """
    for place, entries in securities(tree):
        first: dict[str, Placed] = {}
        for index, entry in enumerate(entries):
            for kind, permissions in members(entry).items():
                earlier = first.setdefault(kind, permissions)
                if earlier is permissions or entry.source is base:
                    continue
                names = permissions.plain()
                if earlier.plain() in ([], names):
                    found = pointer((*place, index))
                    yield Finding(found, f"{quote(kind)} has an entry already; {way_out(place, kind, names)}")


def way_out(place: Place, kind: str, permissions: object) -> str:
    """Return how a permission is added to the entry that is there."""
    if not permissions:
        return "remove this one"
    target = "".join(f"['{key}']" for key in place)
    target = f"${target}[?@['{kind}']]['{kind}']"
    written = ", ".join(map(str, permissions)) if isinstance(permissions, list) else permissions
    return f"instead of this one write `target: {target}` and `update: [{written}]`"


def securities(tree: Placed) -> Iterator[tuple[Place, list[Placed]]]:
    """Yield the `security` of each operation, with its place."""
    paths = tree.member("paths")
    for path, item in members(paths).items():
        for method, operation in members(item).items():
            security = operation.member("security")
            if security is not None and isinstance(security.content, list):
                yield ("paths", path, method, "security"), security.content


def members(node: Placed | None) -> dict[str, Placed]:
    """Return the members of an object; none of anything else."""
    return node.content if node is not None and isinstance(node.content, dict) else {}
