"""Check openapi.yaml against our own conventions: `python -m codegen.contract.lint [openapi.yaml]`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.tokens import AliasToken, AnchorToken

from codegen import ROOT
from codegen.contract.contract import Contract
from codegen.contract.field_lint import field_findings
from codegen.contract.nodes import ContractError, Node, rules_below
from codegen.contract.word_lint import word_findings


def findings(contract: Contract) -> Iterator[str]:
    """Yield the findings, one line each, with their places."""
    document = contract.document
    tags = {tag["name"] for tag in document.get("tags", ())}
    for path, method, item in contract.routes():
        place = f"{method.upper()} {path}"
        yield from (f"{place}: {finding}" for finding in operation_findings(contract, item[method], tags))
    for name, schema in contract.schemas.items():
        if not schema.get("examples"):
            yield f"schema {name}: no example; write `examples: [...]`"
        if not schema.get("description"):
            yield f"schema {name}: no description"
        yield from (f"schema {name}: {finding}" for finding in inline_objects(schema, top=True))
    yield from duplicates(contract)
    yield from open_sets(document, "#")


def operation_findings(contract: Contract, node: Node, tags: set[str]) -> Iterator[str]:
    """Yield the findings of one operation."""
    gaps = " ".join(gap["id"] for gap in node.get("x-not-shown", ()))
    if not set(node["tags"]) <= tags:
        yield f"a tag of {node['tags']} is not declared; add it to the list of `tags` at the top"
    if not node.get("security"):
        yield "no kind of credential; add `security`"
    permissions = [name for entry in node.get("security", ()) for names in entry.values() for name in names]
    if not permissions and "permission" not in gaps:
        yield "neither a permission nor a gap with `permission` in its id"
    if permissions and "x-permission-level" not in node and "level" not in gaps:
        yield "neither x-permission-level nor a gap with `level` in its id"
    if node.get("x-permission-level", "enterprise") not in ("enterprise", "organization"):
        yield f"x-permission-level is {node['x-permission-level']!r}"
    statuses = {str(status) for status in node["responses"]}
    if "2XX" in statuses and "response" not in gaps:
        yield "2XX without a gap with `response` in its id; write the status, or the gap into x-not-shown"
    if "default" in statuses and "error" not in gaps:
        yield "default without a gap with `error` in its id; write the statuses, or the gap into x-not-shown"
    for response in node["responses"].values():
        for media in contract.resolve(response).get("content", {}).values():
            yield from inline_objects(media.get("schema", {}))
    for media in contract.resolve(node.get("requestBody", {})).get("content", {}).values():
        yield from inline_objects(media.get("schema", {}))


def inline_objects(schema: Any, *, top: bool = False) -> Iterator[str]:
    """Yield objects with fields inside another schema, where they have no name; parts of `allOf` are allowed."""
    if not isinstance(schema, dict):
        return
    if "properties" in schema and not top:
        yield f"an object with {', '.join(schema['properties'])} is written inline; make it a named schema"
    for key in ("properties", "patternProperties"):
        for name, child in schema.get(key, {}).items():
            yield from (f"{name}: {finding}" for finding in inline_objects(child))
    yield from inline_objects(schema.get("items"))
    for key in ("anyOf", "oneOf"):
        for child in schema.get(key, ()):
            yield from inline_objects(child)
    for child in schema.get("allOf", ()):
        yield from inline_objects(child, top=True)


def duplicates(contract: Contract) -> Iterator[str]:
    """Yield ids of operations and rules that are used twice; `Contract.gaps` checks those of gaps."""
    for what, ids in (
        ("operationId", [item[method]["operationId"] for _, method, item in contract.routes()]),
        ("rule", [rule["id"] for rule in rules_below(contract.document) if "text" in rule]),
    ):
        for each in sorted({each for each in ids if ids.count(each) > 1}):
            yield f"{what} {each} is used twice"


def open_sets(node: Any, place: str) -> Iterator[str]:
    """Yield sets of values that are declared both open and closed."""
    if isinstance(node, dict):
        if "x-known-values" in node and "enum" in node:
            yield f"{place}: x-known-values beside enum"
        if "enum" in node and any(gap["id"].endswith("-values") for gap in node.get("x-not-shown", ())):
            yield f"{place}: an enum whose values are a gap"
        for name, child in node.items():
            yield from open_sets(child, f"{place}/{name}")
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from open_sets(child, f"{place}/{index}")


def anchors(path: Path) -> Iterator[str]:
    """Yield YAML anchors and aliases: some parsers refuse a document with more than fifty."""
    for token in YAML().scan(path.read_text(encoding="utf-8")):
        if isinstance(token, AnchorToken | AliasToken):
            yield f"line {token.start_mark.line + 1}: a YAML anchor or alias, {token.value}; write it out, or use $ref"


def main() -> None:
    """Print the findings; exit with status 1 if there are any."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "openapi.yaml"
    try:
        contract = Contract(path)
        contract.gaps()
    except ContractError as error:
        sys.exit(f"{path.name}: {error}")
    text = path.read_text(encoding="utf-8")
    lines = [*findings(contract), *field_findings(contract), *anchors(path), *word_findings(text)]
    print("\n".join(lines) or f"{path.name}: all in order")
    sys.exit(bool(lines))


if __name__ == "__main__":
    main()
