"""Describe the fields of a model for its template."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import attrs
from openapi_python_client.parser.properties import LiteralEnumProperty
from openapi_python_client.parser.properties.const import ConstProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol

from codegen.contract import COMPONENT, Contract, ContractError, Node, Pagination, gaps_below, python_names
from codegen.render.docstrings import OBSERVED, docstring, not_shown, observation, sentence
from codegen.render.methods import MODEL_NAMES, Method
from codegen.render.parse import Parse
from codegen.render.python_types import PythonTypes, alternatives, constants, is_nullable

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
        self._types = PythonTypes(parse)
        self._is_argument = is_argument
        self._page = page
        self._required = set(named.schema.get("required", ()))
        members = parse.members(name)
        imported = {each for prop in members.values() for each in self._types.names(prop) if each[1] != name}
        self.models = sorted(each for each in imported if each[1] in parse.models)
        self.closed_sets = sorted(imported - set(self.models))
        self._names = python_names(members, MODEL_NAMES | {"builtins"} | {each for _, each in imported})
        self.clashing = sorted(QUALIFIED.keys() & self._names.values())
        self.property = self.qualify("property")
        self.constants = {wire: values for wire, prop in members.items() if (values := closed_set(prop))}
        schemas = {wire: contract.property_schema(named.schema, wire) for wire in members}
        self.fields = [self._field(wire, prop, schemas[wire]) for wire, prop in members.items()]
        self.keywords = sorted(self.fields, key=lambda field: field.default != "")
        self.has_self = "self" in self._names.values()
        self.aliases = self._aliases()
        self.arguments = tuple(field.name for field in self.fields if not field.default)
        self.defaults = {
            field.wire: self.constants[field.wire][0] for field in self.fields if field.default not in ("", "UNSET")
        }
        self.required = sorted(self._required & members.keys())
        self.resource_id = next((wire for wire, schema in schemas.items() if schema.get("x-resource-id")), None)
        # The gaps of what the class shows: those of the component itself, not of what it extends.
        own = contract.schemas.get(named.place.removeprefix(COMPONENT), {})
        text = sentence(named.schema.get("description")) or f"{name}."
        self.doc = docstring(text, not_shown(own.get("x-not-shown", ())))

    def _field(self, wire: str, prop: PropertyProtocol, schema: Node) -> Field:
        """Describe the field of one member; *schema* is what the contract says of it."""
        required = wire in self._required
        # The pager needs true or false; the description's default is false.
        is_flag = self._page is not None and wire == self._page.has_next_page
        is_items = self._page is not None and wire == self._page.items
        is_cursor = self._page is not None and wire == self._page.end_cursor
        response, argument = self._types.not_null(prop, strict=False), self._types.type(prop, strict=True)
        is_untyped = response in ("Any", "None")
        promised = (required or is_items or schema.get("x-resource-id", False)) and not is_nullable(prop)
        promised = promised and not schema.get("writeOnly")
        if not self._is_argument:
            argument = response if is_untyped else f"{response} | None"
        argument_default = "UNSET"
        if self._is_argument and required and not schema.get("readOnly"):
            values = self.constants.get(wire, ())
            argument_default = repr(values[0]) if len(values) == 1 else ""
        elif response != "Any":
            argument += " | Unset"
        default = None if is_flag else schema.get("default")
        source = f"self._data.get({wire!r}{'' if default is None else f', {default!r}'})"
        read = f"{source} or False" if is_flag else self._types.read(prop, source)
        if is_cursor and "int" in response:
            # The pager keeps all cursors as text.
            response, read = "str", f"None if {source} is None else str({source})"
        deprecated = "Deprecated. " if schema.get("deprecated") else ""
        text = sentence(schema.get("description")) or f"The `{wire}` that the server sent."
        seen = f"{OBSERVED}: {observation(schema['x-observed'])}." if schema.get("x-observed") else ""
        return Field(
            wire=wire,
            name=self._names[wire],
            attribute=self.qualify(response if promised or is_flag or is_untyped else f"{response} | None"),
            argument=self.qualify(argument),
            default=argument_default,
            optional=self.qualify(f"{response} | None"),
            promised=promised and not is_flag and not is_untyped,
            read=read,
            doc=docstring(deprecated + text, seen, not_shown(gaps_below(schema, ""))),
        )

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


def closed_set(prop: PropertyProtocol) -> tuple[Any, ...]:
    """Return the values of a constant or a closed set, which distinguishes one model from another."""
    parts = alternatives(prop)
    enums = [value for each in parts if isinstance(each, LiteralEnumProperty) for value in sorted(each.values)]
    values = [*constants(prop), *enums]
    return tuple(values) if all(isinstance(each, ConstProperty | LiteralEnumProperty) for each in parts) else ()


def describe_models(contract: Contract, parse: Parse, methods: Iterable[Method]) -> dict[str, ModelFields]:
    """Return the models that methods take or return, by the names of their classes.

    Raises:
        ContractError: Two operations read the same page by different names.
    """
    arguments: list[PropertyProtocol] = []
    responses: list[PropertyProtocol] = []
    pages: dict[str, Pagination] = {}
    for method in methods:
        facts, returned = method.facts, method.returned
        arguments += method.arguments.properties
        responses += returned.properties
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
