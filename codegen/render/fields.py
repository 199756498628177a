"""Describe the fields of a model for its template."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from openapi_python_client.parser.properties.protocol import PropertyProtocol

from codegen.contract.contract import Contract
from codegen.contract.naming import python_name, python_names
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
        self.name = name
        self._is_contained = is_contained
        self._types = PythonTypes(parse)
        self._is_argument = is_argument
        self._page = page
        self._required = set(schema.get("required", ()))
        members = parse.members(name)
        # The TypedDict of the model; empty if no argument contains the model.
        self.dict_name = parse.dicts[name] if is_argument else ""
        self.imports: set[tuple[str, str]] = set()
        for prop in members.values():
            self.imports |= self._types.names(prop)
        self.imports -= {each for each in self.imports if each[1] in (name, parse.dicts[name])}
        classes = parse.models.keys() | parse.dicts.values()
        self.models = sorted(each for each in self.imports if each[1] in classes)
        self.closed_sets = sorted(self.imports - set(self.models))
        self.names = python_names(members, TAKEN | {each for _, each in self.imports})
        self.clashing = sorted(QUALIFIED.keys() & self.names.values())
        # Members with constant values, which distinguish a model from other models.
        self.constants = {wire: found for wire, prop in members.items() if (found := constants(prop))}
        schemas = {wire: contract.flatten(schema["properties"][wire]) for wire in members}
        self.fields = [self._field(wire, prop, schemas[wire]) for wire, prop in members.items()]
        keeps_arrays = any(field["read"].startswith("self._once(") for field in self.fields)
        self.base = "ListModel" if keeps_arrays else "Model"
        self.keywords = sorted(self.fields, key=lambda field: bool(field["default"]))
        self.aliases = list(self._aliases(page)) if page else []
        self.aliases += self._times({wire for wire, prop in members.items() if parse.is_unix_time(prop)})
        self.arguments = tuple(field["name"] for field in self.fields if not field["default"])
        preset = [field["wire"] for field in self.fields if field["default"] not in ("", "UNSET")]
        self.defaults = {wire: self.constants[wire][0] for wire in preset}
        self.required = sorted(self._required & members.keys())
        self.resource_id = next((wire for wire, schema in schemas.items() if schema.get("x-resource-id")), None)
        # The docstring names the gaps of the component itself, and not the gaps of components that it extends.
        own = contract.schemas.get(parse.places[name].removeprefix(COMPONENT), {})
        text = sentence(schema.get("description")) or f"{name}."
        self.doc = docstring(text, not_shown(gaps_at(own, "")))

    def _field(self, wire: str, prop: PropertyProtocol, schema: Node) -> Node:
        """Return a description of the field of one member, for the template.

        The expression `read` reads the value and has the type `read_type`. If `promised`, the attribute is never None.
        `argument` and `default` are the type and the default of the constructor's argument. The argument is required if
        `default` is empty. `member` is the type of the member of the TypedDict.

        Args:
            wire: The name of the member in JSON.
            prop: The property that the generator has read for the member.
            schema: The schema of the member in the contract.
        """
        required = wire in self._required
        page = self._page
        # The pager needs true or false. A page without the member has a next page if it has a cursor: the description
        # says that the last page has none, and so no item is lost.
        is_flag = page is not None and wire == page.has_next_page
        is_items = page is not None and wire == page.items
        response = self._types.not_null(prop, strict=False)
        is_open = response in ("Any", "None")
        promised = is_items or ((required or schema.get("x-resource-id", False)) and not is_nullable(prop))
        promised = promised and not is_flag and not is_open and not schema.get("writeOnly")
        default = None if is_flag else schema.get("default")
        source = f"self._data.get({wire!r}{'' if default is None else f', {default!r}'})"
        # The pager reads null as an empty list.
        source += " or []" if is_items and is_nullable(prop) else ""
        read = self._types.read(prop, source)
        if is_flag and page is not None:
            read = f"has_more({source}, self._data.get({page.end_cursor!r}))"
        argument = member = self._types.type(prop, strict=True)
        if not required or schema.get("readOnly"):
            member = f"typing.NotRequired[{member}]"
        if not self._is_argument:
            argument = response if is_open else f"{response} | None"
        if page is not None and wire == page.end_cursor and response != "str" and not is_open:
            # The pager keeps all cursors as text.
            response, read = "str", f"None if {source} is None else str({source})"
        read_type = self.qualify(response if is_flag or is_open else f"{response} | None")
        argument_default = "UNSET"
        if self._is_argument and required and not schema.get("readOnly"):
            values = self.constants.get(wire, ())
            argument_default = repr(values[0]) if len(values) == 1 else ""
        elif argument != "Any":
            argument += " | Unset"
        deprecated = "Deprecated. " if schema.get("deprecated") else ""
        text = sentence(schema.get("description")) or f"The `{wire}` that the server sent."
        seen = f"{OBSERVED}: {observation(Observed(**schema['x-observed']))}." if schema.get("x-observed") else ""
        return {
            "wire": wire,
            "name": self.names[wire],
            "type": self.qualify(response) if promised else read_type,
            "read_type": read_type,
            "read": read if self._is_contained else converted_once(wire, read),
            "promised": promised,
            "argument": self.qualify(argument),
            "member": member,
            "default": argument_default,
            "doc": docstring(deprecated + text, seen, not_shown(gaps_below(schema, ""))),
        }

    def _aliases(self, page: Pagination) -> Iterator[Node]:
        """Yield the attributes that the pager reads and that have other names on this page."""
        read = {field["wire"]: (field["type"], f"self.{field['name']}") for field in self.fields}
        absent = {"has_next_page": ("bool", "self.end_cursor is not None"), "total": ("int | None", "None")}
        for name in ("items", "end_cursor", "has_next_page", "total"):
            wire = getattr(page, name)
            if wire and self.names[wire] == name:
                continue
            if name in self.names.values():
                place = self._types.parse.places[self.name]
                raise ContractError(f"{place}: another member has the pager's name {name}; remove x-pagination")
            written, expression = read[wire] if wire else absent[name]
            text = docstring(f"The value of `{wire}`, for the pager." if wire else "For the pager.")
            yield {"name": name, "type": written, "expression": expression, "doc": text}

    def _times(self, wires: Collection[str]) -> Iterator[Node]:
        """Yield the times of members that are seconds since 1970.

        Args:
            wires: The names of the members in JSON.
        """
        taken = {*TAKEN, *self.names.values(), *(alias["name"] for alias in self.aliases)}
        for field in self.fields:
            wire = field["wire"]
            if wire not in wires:
                continue
            name = python_name(f"{wire}_time", taken)
            taken.add(name)
            text, written = f"`{field['name']}` as a time in UTC", "datetime"
            expression = f"unix_time(self, {wire!r}, self.{field['name']})"
            if not field["promised"]:
                text, written = f"{text}; None if it is absent or null", "datetime | None"
                expression = f"None if self.{field['name']} is None else {expression}"
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
    contained = {model for name in model_names for model in models_in(name, parse)}
    return {
        name: ModelFields(
            name,
            parse,
            contract,
            is_argument=name in in_arguments,
            is_contained=name in contained,
            page=pages.get(name),
        )
        for name in model_names
    }


def models_in(name: str, parse: Parse) -> set[str]:
    """Return the names of the models that the members of a model are made of, directly."""
    types = PythonTypes(parse)
    return {model for prop in parse.members(name).values() for _, model in types.names(prop)}


def converted_once(wire: str, read: str) -> str:
    """Return an expression that reads a member as *read* does, but converts an array only once."""
    return f"self._once({wire!r}, lambda: {read})" if "convert_list(" in read else read
