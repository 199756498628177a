"""Change what the contract's checks refuse, until they accept the contract of a deployment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from codegen.adopt.foreign import Foreign, keys_of
from codegen.adopt.marks import referred
from codegen.contract.contract import Contract
from codegen.contract.example_values import example_of
from codegen.contract.source import ContractError, Finding, Node, Source
from codegen.render.parse import Parse
from codegen.render.runtime.contract import Contract as Reader, child

# Keywords without which a schema or an operation is still right.
OPTIONAL: tuple[str, ...] = (
    "const",
    "default",
    "discriminator",
    "enum",
    "example",
    "examples",
    "format",
    "pattern",
    "x-columns",
)
OPTIONAL += ("x-follow", "x-known-values", "x-pagination", "x-successor", "x-wait")
MOST_ROUNDS = 200


class Draft(Source):
    """A contract that is not in a file yet. A finding is described by its place and its text, with a tab between."""

    def __init__(self, document: Node) -> None:
        self.name = "openapi.yaml"
        self.findings = []
        self.document = document

    def describe(self, finding: Finding) -> str:
        """Return a finding in one line."""
        return f"{finding.place}\t{' '.join(finding.text.split())}"


class Repair:
    """What makes the contract of a deployment pass the contract's checks.

    Args:
        document: The contract of a deployment, which is changed.
        contract: The contract.
        foreign: The document, which gets the notes.
        places: The place in the document for which each component stands, by the name of the component.
        restore: Leaves out what the document says of the operation at a place; returns False if that is nothing.
    """

    def __init__(
        self,
        document: Node,
        contract: Contract,
        foreign: Foreign,
        places: Mapping[str, str],
        restore: Callable[[str, str], bool],
    ) -> None:
        self._document = document
        self._contract = contract
        self._foreign = foreign
        self._places = places
        self._restore = restore
        self._schemas: Node = document["components"]["schemas"]
        self._replaced: set[str] = set()

    def run(self) -> None:
        """Change what is refused: the smallest part of a schema, the whole schema, or the operation.

        Raises:
            ContractError: A finding is about no part of the document.
        """
        for _ in range(MOST_ROUNDS):
            self._remove_unused()
            findings = self._findings()
            changed: set[tuple[str, ...]] = set()
            for place, text in findings.items():
                keys = keys_of(place)
                owner = tuple(keys[:3])
                if owner not in changed and not self._change(keys, text):
                    raise ContractError(f"the contract cannot take {self._foreign.name}: {place}: {text}")
                changed.add(owner)
            if not findings:
                return
        raise ContractError(f"the contract cannot take {self._foreign.name}: too much of it is wrong")

    def _findings(self) -> dict[str, str]:
        """Return what the checks refuse: each place with the reason."""
        draft = Draft(self._document)
        try:
            Parse(Contract(Path(draft.name), draft))
        except ContractError as error:
            text = str(error)
            if "\t" not in text:
                text = str(draft.located(error))
            pairs = [line.partition("\t") for line in text.splitlines()]
            return {place: reason for place, _, reason in pairs}
        except RecursionError:
            raise ContractError(f"{self._foreign.name}: too many schemas, each within another one") from None
        return {}

    def _change(self, keys: list[str], text: str) -> bool:
        """Leave out what is refused. Return False if it is not there."""
        if keys[:2] == ["components", "schemas"]:
            return self._change_schema(keys[2], keys, text)
        operation = child(child("#/paths", keys[1]), keys[2]) if len(keys) > 2 else ""
        if self._without_keyword(keys):
            self._foreign.note("#/paths", f"{operation}: {text}; left out")
            return True
        return self._restore(operation, text)

    def _change_schema(self, name: str, keys: list[str], text: str) -> bool:
        origin = self._places.get(name, "#")
        if self._without_keyword(keys):
            if "examples" not in keys:
                self._foreign.note(origin, f"{text}; left out")
            return True
        if name in self._replaced:
            return False
        self._replaced.add(name)
        description = self._schemas[name].get("description", name)
        self._schemas[name] = {"description": description, "examples": [{}]}
        if name in self._contract.schemas:
            self._schemas[name] = deepcopy(self._contract.schemas[name])
        self._foreign.note(origin, f"{text}; it may be anything")
        return True

    def _without_keyword(self, keys: list[str]) -> bool:
        """Remove the keyword in a place without which a schema or an operation is still right."""
        node: Any = self._document
        for index, key in enumerate(keys):
            is_name = keys[index - 1] in ("properties", "patternProperties")
            if index > 2 and key in OPTIONAL and not is_name and isinstance(node, dict) and key in node:
                del node[key]
                return True
            try:
                node = node[int(key) if isinstance(node, list) else key]
            except (LookupError, ValueError):
                return False
        return False

    def _remove_unused(self) -> None:
        """Remove the components that the document brings, and that no operation uses."""
        document = self._document
        parts: list[object] = [document["paths"]]
        parts += [value for key, value in document["components"].items() if key != "schemas"]
        used = referred(parts, self._schemas)
        for name in self._schemas.keys() - used - self._contract.schemas.keys():
            del self._schemas[name]

    def add_examples(self) -> None:
        """Add an example to each schema of the document that has none."""
        reader = Reader(self._document)
        for name, schema in self._schemas.items():
            if name in self._places and not schema.get("examples"):
                schema["examples"] = [example_of(reader, schema)]
