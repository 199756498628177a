"""Describe an operation as a method of the facade, for the templates."""

from __future__ import annotations

from collections.abc import Iterable

from codegen.contract import Contract, ContractError, OperationFacts, python_name
from codegen.render.arguments import Argument, Arguments
from codegen.render.parse import Parse
from codegen.render.returned import Returned, describe_returned
from codegen.render.runtime.model import Model as ModelClass
from codegen.render.shapes import Model, Shape

# Names that the base class of the models uses.
MODEL_NAMES = frozenset(name for name in dir(ModelClass) if not name.startswith("__"))


class Method:
    """One operation as a method of its resource."""

    def __init__(self, operation_id: str, contract: Contract, parse: Parse) -> None:
        self.facts: OperationFacts = contract.operations[operation_id]
        self._parse = parse
        method = self.facts.arguments["method"].lower()
        node = contract.document["paths"][self.facts.arguments["path"]][method]
        self.summary, self.description = node.get("summary", ""), node.get("description", "")
        try:
            self.returned: Returned = describe_returned(self.facts, parse)
            taken = {name for _, name in self.returned.imports}
            self.arguments = Arguments(self.facts, contract, parse, taken)
        except ContractError as error:
            raise ContractError(f"{self.facts.place}: {operation_id}: {error}") from error
        self.facts.arguments["takes_members"] = self.arguments.members
        names = self.arguments.names
        self.parameters = [
            each | ({"argument": names[key]} if names[key] != each["name"] else {})
            for each in self.facts.parameters
            if (key := (each["location"], each["name"])) in names
        ]
        shapes = [*(each.shape for each in self.arguments.all), *self.returned.shapes]
        self.imports = sorted(frozenset[tuple[str, str]]().union(*(shape.names() for shape in shapes)))

    def first_field(self, item: Shape) -> str:
        """Return the attribute to show of an item in an example; empty if it is no model."""
        if not isinstance(item, Model):
            return ""
        return python_name(next(iter(self._parse.members(item.name))), MODEL_NAMES)

    @property
    def signature(self) -> list[Argument]:
        """The arguments in the order of the signature, without those that the scope knows."""
        return [*self.arguments.positional, *self.arguments.keywords]


def describe(contract: Contract, parse: Parse) -> list[Method]:
    """Return every operation as a method, in order of name."""
    methods = [Method(operation_id, contract, parse) for operation_id in contract.operations]
    return sorted(methods, key=lambda method: method.facts.name)


def by_resource(methods: Iterable[Method]) -> dict[str, dict[str, list[Method]]]:
    """Return the methods of each resource of each scope."""
    found: dict[str, dict[str, list[Method]]] = {"organization": {}, "enterprise": {}}
    for method in methods:
        found[method.facts.name.scope].setdefault(method.facts.name.resource, []).append(method)
    return found
