"""Describe the fields of a model for its template."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import attrs

from codegen.contract import COMPONENT, Contract, ContractError, Pagination, gaps_below, python_names
from codegen.render.docstrings import OBSERVED, docstring, not_shown, observation, sentence
from codegen.render.methods import MODEL_NAMES, Method
from codegen.render.parse import Parse
from codegen.render.shapes import Scalar, Shape

# The modules of the names that a class body uses, and how it uses them where a field has the same name.
ORIGINS = {
    **dict.fromkeys(("Any", "ClassVar", "Literal"), "typing"),
    **dict.fromkeys(("Mapping", "Sequence"), "collections.abc"),
    **dict.fromkeys(("date", "datetime", "timedelta"), "datetime"),
    "UUID": "uuid",
    "Unset": "..encoding",
}
QUALIFIED = {
    **{name: f"builtins.{name}" for name in ("bool", "float", "frozenset", "int", "property", "str", "tuple")},
    **{name: f"_{name}" for name in ORIGINS},
}


@attrs.frozen
class Field:
    """One field of a model.

    Attributes:
        wire: The name in JSON.
        name: The name in Python.
        attribute: The type of the attribute.
        argument: The type of the constructor's argument.
        default: The default of that argument; empty where the argument is required.
        optional: The type of what is read, which may be absent.
        promised: Whether the attribute is never None.
        read: The expression that reads it from `self._data`.
        doc: The docstring, quoted.
    """

    wire: str
    name: str
    attribute: str
    argument: str
    default: str
    optional: str
    promised: bool
    read: str
    doc: str


@attrs.frozen
class Alias:
    """An attribute by which the pager reads a member of another name.

    Attributes:
        name: The name that the pager reads.
        type: The type of the attribute.
        expression: The expression that reads it.
        wire: The member; empty if there is none.
    """

    name: str
    type: str
    expression: str
    wire: str

    @property
    def doc(self) -> str:
        """The docstring, quoted."""
        return docstring(
            f"What `{self.wire}` says, for the pager." if self.wire else "None: the response has no total."
        )


class ModelFields:
    """The fields of one model, and the names that it has to import.

    Args:
        name: The name of the class.
        parse: The parse of the contract.
        contract: The contract.
        is_argument: Whether a request body contains it: then the constructor requires what the contract requires.
        page: The names of the page of a list, if it is one.
    """

    def __init__(
        self, name: str, parse: Parse, contract: Contract, *, is_argument: bool, page: Pagination | None
    ) -> None:
        named = parse.sources[name]
        self.name = name
        self._contract = contract
        self._schema = named.schema
        self._is_argument = is_argument
        self._page = page
        self._required = set(named.schema.get("required", ()))
        members = [*parse.members(name).items()]
        imported = {each for _, shape in members for each in shape.names() if each[1] != name}
        self.models = sorted(each for each in imported if each[1] in parse.models)
        self.closed_sets = sorted(imported - set(self.models))
        taken = MODEL_NAMES | {"builtins"} | {name for _, name in imported}
        self._names = python_names((wire for wire, _ in members), taken)
        self.clashing = sorted(QUALIFIED.keys() & self._names.values())
        self.property = self.qualify("property")
        self.constants = {wire: values for wire, _ in members if (values := self._values(wire))}
        self.fields = [self._field(wire, shape) for wire, shape in members]
        self.keywords = sorted(self.fields, key=lambda field: field.default != "")
        self.has_self = "self" in self._names.values()
        self.aliases = self._aliases()
        self.arguments = tuple(field.name for field in self.fields if not field.default)
        self.defaults = {
            field.wire: self.constants[field.wire][0] for field in self.fields if field.default not in ("", "UNSET")
        }
        self.required = sorted(self._required & self._names.keys())
        properties = {wire: contract.property_schema(named.schema, wire) for wire, _ in members}
        self.resource_id = next((wire for wire, schema in properties.items() if schema.get("x-resource-id")), None)
        # The description of what the class shows: of a component without its own text, its name.
        own = contract.schemas.get(named.place.removeprefix(COMPONENT), {})
        gaps = not_shown(own.get("x-not-shown", ()))
        self.doc = docstring(sentence(named.schema.get("description")) or f"{name}.", gaps)

    def _field(self, wire: str, shape: Shape) -> Field:
        schema = self._contract.property_schema(self._schema, wire)
        default = schema.get("default")
        required = wire in self._required
        identifies = schema.get("x-resource-id", False)
        response, argument = shape.written(strict=False), shape.type(strict=True)
        # The pager needs true or false; the description's default is false.
        is_flag = self._page is not None and wire == self._page.has_next_page
        is_items = self._page is not None and wire == self._page.items
        is_number = any(each == Scalar("integer", nullable=each.nullable) for each in shape.below())
        is_cursor = is_number and self._page is not None and wire == self._page.end_cursor
        promised = (required or identifies or is_items) and not shape.nullable and not schema.get("writeOnly")
        always = promised or is_flag or response in ("Any", "None")
        if not self._is_argument:
            argument = response if response in ("Any", "None") else f"{response} | None"
        is_required = self._is_argument and required and not schema.get("readOnly")
        constant = self.constants.get(wire, ())
        argument_default = "" if is_required else "UNSET"
        if is_required and len(constant) == 1:
            argument_default = repr(constant[0])
        elif not is_required and response != "Any":
            argument += " | Unset"
        deprecated = "Deprecated. " if schema.get("deprecated") else ""
        text = sentence(schema.get("description")) or f"The `{wire}` that the server sent."
        observed = schema.get("x-observed")
        seen = f"{OBSERVED}: {observation(observed)}." if observed else ""
        source = f"self._data.get({wire!r}{'' if default is None or is_flag else f', {default!r}'})"
        read = f"{source} or False" if is_flag else shape.read(source)
        if is_cursor:
            # The pager keeps all cursors as text.
            response, read = "str", f"None if {source} is None else str({source})"
        return Field(
            wire=wire,
            name=self._names[wire],
            attribute=self.qualify(response if always else f"{response} | None"),
            argument=self.qualify(argument),
            default=argument_default,
            optional=self.qualify(f"{response} | None"),
            promised=promised and not is_flag and response not in ("Any", "None"),
            read=read,
            doc=docstring(deprecated + text, seen, not_shown(gaps_below(schema, ""))),
        )

    def _values(self, wire: str) -> tuple[Any, ...]:
        """Return the values of a const or a closed set, which distinguishes one model from another."""
        schema = self._contract.property_schema(self._schema, wire)
        return (schema["const"],) if "const" in schema else tuple(schema.get("enum", ()))

    def _aliases(self) -> list[Alias]:
        """Return the attributes that the pager reads and that have other names on this page."""
        if self._page is None:
            return []
        types = {field.wire: field.attribute for field in self.fields}
        # What a page without such a member says instead.
        others = {
            "has_next_page": Alias("has_next_page", "bool", "self.end_cursor is not None", self._page.end_cursor),
            "total": Alias("total", "int | None", "None", ""),
        }
        found = [
            Alias(name, types[wire], f"self.{self._names[wire]}", wire) if wire else others[name]
            for name, wire in attrs.asdict(self._page).items()
            if name != "after"
        ]
        aliases = [each for each in found if each.expression != f"self.{each.name}"]
        if taken := sorted({each.name for each in aliases} & set(self._names.values())):
            raise ContractError(
                f"the page {self.name} has another member {taken[0]}, which the pager needs by that name"
            )
        return aliases

    def qualify(self, written: str) -> str:
        """Return a type without the names that are fields of this model; text between quotes is kept."""
        if not self.clashing:
            return written
        pattern = rf"'[^']*'|\"[^\"]*\"|\b(?:{'|'.join(self.clashing)})\b"
        return re.sub(pattern, lambda match: QUALIFIED.get(match[0], match[0]), written)


def describe_models(contract: Contract, parse: Parse, methods: Iterable[Method]) -> dict[str, ModelFields]:
    """Return the models that methods take or return, by the names of their classes.

    Raises:
        ContractError: Two operations read the same page by different names.
    """
    arguments: list[Shape] = []
    responses: list[Shape] = []
    pages: dict[str, Pagination] = {}
    for method in methods:
        facts, returned = method.facts, method.returned
        arguments += [each.shape for each in method.arguments.all]
        responses += returned.shapes
        if (
            returned.page
            and facts.pagination is not None
            and pages.setdefault(returned.page, facts.pagination) != facts.pagination
        ):
            raise ContractError(f"{facts.place}/x-pagination: another operation reads {returned.page} by other names")
    in_arguments = parse.models_of(arguments)
    return {
        name: ModelFields(name, parse, contract, is_argument=name in in_arguments, page=pages.get(name))
        for name in sorted(in_arguments | parse.models_of(responses))
    }
