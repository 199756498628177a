"""Describe the fields of a model for its template."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
from openapi_python_client.parser.properties.protocol import PropertyProtocol

from codegen.contract.contract import Contract
from codegen.contract.naming import module_name, python_name, python_names
from codegen.contract.operations import Pagination
from codegen.contract.source import COMPONENT, ContractError, Node
from codegen.render.docstrings import OBSERVED, docstring, not_shown, observation, sentence
from codegen.render.methods import MODEL_NAMES, Method
from codegen.render.parse import Parse, PythonTypes, constants, is_nullable
from codegen.render.runtime.contract import Observed, gaps_at, gaps_below

# How a class body writes a type if a field has the same name. Fields with the names in TAKEN are renamed.
QUALIFIED = {
    **{name: f"builtins.{name}" for name in ("bool", "float", "frozenset", "int", "property", "str", "tuple")},
    **{name: f"_{name}" for name in ("date", "datetime", "timedelta")},
}
TAKEN = MODEL_NAMES | {"Any", "ClassVar", "Literal", "Mapping", "OpenModel", "Sequence", "UUID", "Unset", "builtins"}
# The types that have None already, or are None.
ANYTHING = ("Any", "None")


@attrs.frozen
class Field:
    """One member of a model as an attribute, as an argument of the constructor, and as a member of the TypedDict.

    Attributes:
        wire: The name of the member in JSON.
        name: The name of the attribute.
        type: The type of the attribute.
        read: The expression that reads the value.
        read_type: The type of this expression.
        promised: Whether the attribute is never None.
        argument: The type of the constructor's argument.
        default: The default of the argument; empty if the argument is required.
        member: The type of the member of the TypedDict.
        doc: The docstring of the attribute.
    """

    wire: str
    name: str
    type: str
    read: str
    read_type: str
    promised: bool
    argument: str
    default: str
    member: str
    doc: str


class ModelFields:
    """The fields of one model, and the names that it has to import.

    Args:
        name: The name of the class.
        parse: The parse of the contract.
        contract: The contract.
        is_argument: Whether a request body contains the model. Then the constructor requires the members that the
            contract requires.
        is_contained: Whether another model contains the model.
        page: The names that the pager needs, if the model is a page of a list; None for any other model.
    """

    def __init__(
        self,
        name: str,
        parse: Parse,
        contract: Contract,
        *,
        is_argument: bool,
        is_contained: bool,
        page: Pagination | None,
    ) -> None:
        schema = parse.sources[name]
        members = parse.members(name)
        self.name = name
        # The TypedDict of the model; empty if no argument contains the model.
        self.dict_name = ""
        if is_argument:
            self.dict_name = parse.dicts[name]
        self._types = PythonTypes(parse)
        self._is_argument = is_argument
        self._is_contained = is_contained
        self._page = page
        self._required = set(schema.get("required", ()))
        self.required = sorted(self._required & members.keys())
        self.imports: set[tuple[str, str]] = set()
        for prop in members.values():
            self.imports |= self._types.names(prop)
        self.imports -= {(module_name(name), name), (module_name(name), parse.dicts[name])}
        self.models: list[tuple[str, str]] = []
        self.closed_sets: list[tuple[str, str]] = []
        taken = {*TAKEN}
        for module, imported in sorted(self.imports):
            taken.add(imported)
            if imported in parse.models or imported in parse.dicts.values():
                self.models.append((module, imported))
            else:
                self.closed_sets.append((module, imported))
        self.names = python_names(members, taken)
        self.clashing = sorted(QUALIFIED.keys() & self.names.values())
        # Members with constant values, which distinguish a model from other models.
        self.constants: dict[str, tuple[Any, ...]] = {}
        self.defaults: Node = {}
        self.fields: list[Field] = []
        self.resource_id = ""
        for wire, prop in members.items():
            if values := constants(prop):
                self.constants[wire] = values
            member = contract.flatten(schema["properties"][wire])
            field = self._field(wire, prop, member)
            self.fields.append(field)
            if field.default not in ("", "UNSET"):
                self.defaults[wire] = values[0]
            if member.get("x-resource-id") and not self.resource_id:
                self.resource_id = wire
        self.base = "Model"
        if any(field.read.startswith("self._once(") for field in self.fields):
            self.base = "ListModel"
        self.keywords = sorted(self.fields, key=lambda field: bool(field.default))
        self.arguments = tuple(field.name for field in self.fields if not field.default)
        self.aliases: list[Node] = []
        if page:
            self.aliases += self._aliases(page)
        self.aliases += self._times(members)
        # The docstring names the gaps of the component itself, and not the gaps of components that it extends.
        own = contract.schemas.get(parse.places[name].removeprefix(COMPONENT), {})
        text = sentence(schema.get("description")) or f"{name}."
        self.doc = docstring(text, not_shown(gaps_at(own, "")))

    def _field(self, wire: str, prop: PropertyProtocol, schema: Node) -> Field:
        """Return the field of one member.

        Args:
            wire: The name of the member in JSON.
            prop: The property that the generator has read for the member.
            schema: The schema of the member in the contract.
        """
        page = self._page
        # The pager needs true or false. A page without the member has a next page if it has a cursor: the description
        # says that the last page has none, and so no item is lost.
        is_flag = page is not None and wire == page.has_next_page
        is_items = page is not None and wire == page.items
        response = self._types.not_null(prop, strict=False)
        is_open = response in ANYTHING
        is_required = wire in self._required or schema.get("x-resource-id", False)
        promised = is_items or (is_required and not is_nullable(prop))
        promised = promised and not is_flag and not is_open and not schema.get("writeOnly")
        source = f"self._data.get({wire!r})"
        default = schema.get("default")
        if default is not None and not is_flag:
            source = f"self._data.get({wire!r}, {default!r})"
        if is_items and is_nullable(prop):
            # The pager reads null as an empty list.
            source += " or []"
        read = self._types.read(prop, source)
        if page is not None and is_flag:
            read = f"has_more({source}, self._data.get({page.end_cursor!r}))"
        elif page is not None and wire == page.end_cursor and response != "str" and not is_open:
            # The pager keeps all cursors as text.
            response, read = "str", f"None if {source} is None else str({source})"
        read_type = response
        if not is_flag and not is_open:
            read_type = f"{response} | None"
        if not self._is_contained and "convert_list(" in read:
            read = f"self._once({wire!r}, lambda: {read})"
        argument, argument_default, member = self._argument(wire, prop, schema)
        return Field(
            wire=wire,
            name=self.names[wire],
            type=self.qualify(response if promised else read_type),
            read=read,
            read_type=self.qualify(read_type),
            promised=promised,
            argument=self.qualify(argument),
            default=argument_default,
            member=member,
            doc=self._doc(wire, schema),
        )

    def _argument(self, wire: str, prop: PropertyProtocol, schema: Node) -> tuple[str, str, str]:
        """Return the type of the constructor's argument, its default, and the type of the member of the TypedDict."""
        written = self._types.type(prop, strict=True)
        member = f"typing.NotRequired[{written}]"
        if not self._is_argument:
            written = self._types.not_null(prop, strict=False)
            if written not in ANYTHING:
                written += " | None"
        elif wire in self._required and not schema.get("readOnly"):
            values = self.constants.get(wire, ())
            if len(values) == 1:
                return written, repr(values[0]), written
            return written, "", written
        if written != "Any":
            written += " | Unset"
        return written, "UNSET", member

    def _doc(self, wire: str, schema: Node) -> str:
        """Return the docstring of an attribute."""
        text = sentence(schema.get("description")) or f"The `{wire}` that the server sent."
        if schema.get("deprecated"):
            text = f"Deprecated. {text}"
        seen = ""
        if "x-observed" in schema:
            seen = f"{OBSERVED}: {observation(Observed(**schema['x-observed']))}."
        return docstring(text, seen, not_shown(gaps_below(schema, "")))

    def _aliases(self, page: Pagination) -> Iterator[Node]:
        """Yield the attributes that the pager reads and that have other names on this page."""
        fields = {field.wire: field for field in self.fields}
        absent = {"has_next_page": ("bool", "self.end_cursor is not None"), "total": ("int | None", "None")}
        for name in ("items", "end_cursor", "has_next_page", "total"):
            wire = getattr(page, name)
            if wire and self.names[wire] == name:
                continue
            if name in self.names.values():
                place = self._types.parse.places[self.name]
                raise ContractError(f"{place}: another member has the pager's name {name}; remove x-pagination")
            if wire:
                written, expression = fields[wire].type, f"self.{fields[wire].name}"
                text = f"The value of `{wire}`, for the pager."
            else:
                written, expression = absent[name]
                text = "For the pager."
            yield {"name": name, "type": written, "expression": expression, "doc": docstring(text)}

    def _times(self, members: Mapping[str, PropertyProtocol]) -> Iterator[Node]:
        """Yield the times of members that are seconds since 1970."""
        taken = {*TAKEN, *self.names.values()}
        for field in self.fields:
            if not self._types.parse.is_unix_time(members[field.wire]):
                continue
            name = python_name(f"{field.wire}_time", taken)
            taken.add(name)
            text, written = f"`{field.name}` as a time in UTC", "datetime"
            expression = f"unix_time(self, {field.wire!r}, self.{field.name})"
            if not field.promised:
                text, written = f"{text}; None if it is absent or null", "datetime | None"
                expression = f"None if self.{field.name} is None else {expression}"
            doc = docstring(f"{text}. Raises ValueError if the number is out of range.")
            yield {"name": name, "type": self.qualify(written), "expression": expression, "doc": doc}

    def qualify(self, written: str) -> str:
        """Return a type without the names that are fields of this model; text between quotes is kept."""
        if not self.clashing:
            return written
        pattern = rf"'[^']*'|\"[^\"]*\"|\b(?:{'|'.join(self.clashing)})\b"
        return re.sub(pattern, lambda match: QUALIFIED.get(match[0], match[0]), written)


def describe_models(contract: Contract, parse: Parse, methods: Sequence[Method]) -> dict[str, ModelFields]:
    """Return the models that methods take or return, by the names of their classes.

    Raises:
        ContractError: Two operations read the same page by different names.
    """
    in_arguments = parse.models_of(each for method in methods for each in method.arguments.properties)
    in_responses = parse.models_of(each for method in methods for each in method.returned.properties)
    pages: dict[str, Pagination | None] = {}
    for method in methods:
        page, names = method.returned.page, method.facts.pagination
        if page and pages.setdefault(page, names) != names:
            text = f"another operation reads {page} by other names; write the same names"
            raise ContractError(f"{method.facts.place}/x-pagination: {text}")
    model_names = sorted(in_arguments | in_responses)
    contained: set[str] = set()
    for name in model_names:
        contained |= models_in(name, parse)
    found: dict[str, ModelFields] = {}
    for name in model_names:
        found[name] = ModelFields(
            name,
            parse,
            contract,
            is_argument=name in in_arguments,
            is_contained=name in contained,
            page=pages.get(name),
        )
    return found


def models_in(name: str, parse: Parse) -> set[str]:
    """Return the names of the models that the members of a model are made of, directly."""
    found: set[str] = set()
    for prop in parse.members(name).values():
        found |= {model for _, model in PythonTypes(parse).names(prop)}
    return found
