"""Adopt small documents: each is a contract of some operations, and a document of a deployment."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from codegen import ROOT
from codegen.adopt.__main__ import adopt, applied
from codegen.contract.contract import Contract
from codegen.contract.operations import OperationFacts
from codegen.contract.source import Source
from codegen.contract.vendor_word import Renaming
from codegen.deployment import rename_contract

Node = dict[str, Any]
# The operations of the contract that the tests need; a small contract is checked in a moment.
KEPT = re.compile(
    r"/v3\w*/organizations/{org_id}/(sessions(/{assistant_id}(/tags|/insights)?)?|playbooks\b.*|searches)$"
)
KEPT_ALSO = ("/v3/enterprise/roles", "/v3/enterprise/pr-reviews", "/v3/enterprise/consumption/{tail}")


@cache
def small_contract() -> str:
    """Return the text of the contract with some of its operations."""
    document = Source(ROOT / "openapi.yaml").document
    paths = document["paths"]
    document["paths"] = {path: paths[path] for path in paths if KEPT.match(path) or path in KEPT_ALSO}
    text = json.dumps(document)
    names = [name for name in document["components"]["schemas"] if f'schemas/{name}"' not in text]
    for name in names:
        del document["components"]["schemas"][name]
    success = paths["/v3/organizations/{org_id}/sessions"]["post"]["responses"]["2XX"]
    success["links"] = {"get": success["links"]["get"]}
    return json.dumps(document)


BASES: dict[str | None, tuple[Contract, Renaming]] = {}


def base(word: str | None, folder: Path) -> tuple[Contract, Renaming]:
    """Return the small contract with a word, and the renaming. Each is read once."""
    if word not in BASES:
        BASES[word] = rename_contract(Contract(folder / "openapi.yaml"), word, None)
    return BASES[word]


class Adopted:
    """A document that was adopted.

    Attributes:
        lines: The lines of the report.
        contract: The contract with the Overlay.
        names: The text of the file of names.
    """

    def __init__(self, folder: Path, name: str, word: str | None = None) -> None:
        (folder / "openapi.yaml").write_text(small_contract(), encoding="utf-8")
        into = folder / "acme.overlay.json"
        self.lines = list(adopt(folder, folder / name, word, None, into))
        contract, renaming = base(word, folder)
        self.contract = applied(contract, into, renaming)
        names = folder / "acme.names.yaml"
        self.names = names.read_text(encoding="utf-8") if names.exists() else ""

    @property
    def text(self) -> str:
        """The report."""
        return "\n".join(self.lines)

    def operation(self, name: str) -> OperationFacts:
        """Return an operation by its name, such as `organization.widgets.list`."""
        return next(each for each in self.contract.operations.values() if str(each.name) == name)

    def schema(self, name: str) -> Node:
        """Return a component, with its `allOf` merged."""
        return self.contract.flatten(self.contract.schemas[name])


def adopted(folder: Path, paths: Node, schemas: Node | None = None, **more: Any) -> Adopted:
    """Adopt a document with some operations."""
    document = {"openapi": "3.1.0", "info": {"title": "Acme", "version": "1"}, "paths": paths, **more}
    if schemas is not None:
        document["components"] = {**document.get("components", {}), "schemas": schemas}
    word = more.pop("word", None)
    (folder / "acme-openapi.json").write_text(json.dumps(document, indent=1), encoding="utf-8")
    return Adopted(folder, "acme-openapi.json", word)


def returns(schema: Node, status: str = "200") -> Node:
    """Return the responses of an operation that returns a value."""
    return {status: {"description": "Done.", "content": {"application/json": {"schema": schema}}}}


def takes(schema: Node) -> Node:
    """Return the request body of an operation."""
    return {"required": True, "content": {"application/json": {"schema": schema}}}


def path_parameter(name: str) -> Node:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def query(name: str, schema: Node, **more: Any) -> Node:
    return {"name": name, "in": "query", "schema": schema, **more}


def reference(name: str) -> Node:
    return {"$ref": f"#/components/schemas/{name}"}


SESSIONS = "/v3/organizations/{org_id}/sessions"
PLAYBOOKS = "/v3/organizations/{org_id}/playbooks"
WIDGETS = "/v3/organizations/{org_id}/widgets"
ORG = path_parameter("org_id")
