"""Describe the arguments of a method of the facade."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import attrs
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol

from codegen.contract import (
    BYTES,
    FILES,
    JSON,
    PLACEHOLDER,
    TEXT,
    Content,
    Contract,
    ContractError,
    Node,
    OperationFacts,
    python_name,
)
from codegen.render.parse import Parse
from codegen.render.python_types import MAPPING, PythonTypes, alternatives, is_file, is_nullable

# Names that a method of the facade uses itself.
TAKEN = frozenset(
    {
        *("self", "options", "body", "extra_body", "members", "request", "warn", "models", "OPERATIONS", "Request"),
        *("UNSET", "OpenModel", "convert_list", "convert_mapping", "decode_nothing", "decode_text", "one_of"),
        *("open_value", "parse_date", "parse_datetime", "parse_uuid", "to_json", "whole"),
    }
)

# The order of the arguments, and the argument of `Request` for each location.
LOCATIONS = {"path": "path", "query": "query", "header": "headers", "cookie": "cookies", "body": "body"}


@attrs.frozen
class Argument:
    """One argument of a method; as text, as it is written in the signature.

    Attributes:
        wire: The name on the wire; empty for a whole body.
        location: `path`, `query`, `header`, `cookie` or `body`.
        name: The name in Python.
        type: The type that is written.
        default: The default that is written; None if the argument is required.
    """

    wire: str
    location: str
    name: str
    type: str
    default: str | None

    def __str__(self) -> str:
        return f"{self.name}: {self.type}" + (f" = {self.default}" if self.default else "")


class Arguments:
    """The arguments of one operation.

    Attributes:
        names: The Python name of each argument, by location and wire name.
        bound: The path arguments that the scope knows.
        positional: The other path arguments, in the order of the path.
        sent: The parameters, by the argument of `Request` that takes them.
        files: The files of a form.
        body: The members of the body.
        whole_body: The argument of a body that has no members of its own; None if there is none.
        extra_body: The argument for members that the contract does not know; None if there are none.
        properties: What the generator has read of all of them.

    Raises:
        ContractError: The SDK cannot send an argument.
    """

    def __init__(
        self, facts: OperationFacts, contract: Contract, parse: Parse, types: PythonTypes, taken: Collection[str]
    ) -> None:
        self._facts, self._contract, self._types = facts, contract, types
        self.names = names(facts, {*TAKEN, *taken})
        found = parse.parameters(facts)
        self.properties = list(found.values())
        parameters = [self._parameter(each, found[each["in"], each["name"]]) for each in facts.parameter_nodes]
        in_path = {each.wire: each for each in parameters if each.location == "path"}
        path = [in_path[name[1:-1]] for name in PLACEHOLDER.findall(facts.arguments["path"])]
        # The scope object knows the organization's id.
        bound = 1 if facts.name.scope == "organization" else 0
        self.bound, self.positional = path[:bound], path[bound:]
        self.sent = {
            name: [each for each in parameters if each.location == location]
            for location, name in LOCATIONS.items()
            if location not in ("path", "body")
        }
        self.files: list[Argument] = []
        self.body: list[Argument] = []
        self.whole_body: Argument | None = None
        self.extra_body: Argument | None = None
        if facts.request is not None:
            prop = parse.body(facts)
            if facts.members.properties:
                [model] = (each.class_info.name for each in alternatives(prop) if parse.is_model(each))
                self._describe_members(facts.request, parse.members(model), parse.rest(model))
            else:
                self._describe_body(facts.request, prop)

    @property
    def members(self) -> bool:
        """True if members that the contract does not know are keywords, too."""
        return self.extra_body is not None

    @property
    def keywords(self) -> list[Argument]:
        """The keyword arguments, the required ones first."""
        parameters = [each for sent in self.sent.values() for each in sent]
        whole = [each for each in (self.whole_body, self.extra_body) if each]
        found = [*parameters, *self.files, *self.body, *whole]
        return sorted(found, key=lambda argument: argument.default is not None)

    def _parameter(self, node: Node, prop: PropertyProtocol) -> Argument:
        wire, location = node["name"], node["in"]
        written, default = self._types.not_null(prop, strict=True), None
        if written == "Any":
            written = "str" if location == "path" else "QueryValue"
        if location != "path" and not node.get("required"):
            # Only in a body null is more than nothing: here None omits the argument.
            written, default = f"{written} | None", "None"
        return Argument(wire, location, self.names[location, wire], written, default)

    def _describe_members(
        self, request: Content, members: Mapping[str, PropertyProtocol], rest: PropertyProtocol | None
    ) -> None:
        """Describe a body with known members, and with others if *rest* allows them."""
        is_form = request.kind == FILES
        for wire, node in self._facts.members.properties.items():
            prop = members[wire]
            self.properties.append(prop)
            if is_form and isinstance(prop, ListProperty) and is_file(prop.inner_property):
                raise ContractError(f"{wire} is a list of files; the SDK can send a file for each member of a form")
            if is_form and is_file(prop):
                written = "FileSource | None" if is_nullable(prop) else "FileSource"
                self.files.append(self._member(wire, node, written))
            else:
                self.body.append(self._member(wire, node, self._types.type(prop, strict=True)))
        # The description shows no form completely, and no body that allows additional properties.
        if is_form:
            self.extra_body = extra_body("Any")
        elif rest is not None:
            self.properties.append(rest)
            self.extra_body = extra_body(self._types.type(rest, strict=True))

    def _member(self, wire: str, node: Node, written: str) -> Argument:
        default = None
        constant = self._contract.flatten(node).get("const")
        if wire not in self._facts.members.required:
            written, default = (written if written == "Any" else f"{written} | Unset"), "UNSET"
        elif constant is not None:
            default = repr(constant)
        return Argument(wire, "body", self.names["body", wire], written, default)

    def _describe_body(self, request: Content, prop: PropertyProtocol) -> None:
        """Describe a body that has no members of its own."""
        self.properties.append(prop)
        if request.kind not in (JSON, TEXT, BYTES):
            raise ContractError(f"a body of {request.media_type} whose members are not shown; name them in its schema")
        written = "bytes" if is_file(prop) else self._types.type(prop, strict=True)
        default = None if request.required else "None"
        if written == "Any" and request.schema:
            # A bare `{}` allows any JSON; anything else of any type is a body that the description does not show.
            written = MAPPING
            default = "None" if request.kind == JSON else default
        if default and is_nullable(prop):
            default = "UNSET"
            written += " | Unset"
        elif default:
            written += " | None"
        self.whole_body = Argument("", "body", "body", written, default)
        if written == f"{MAPPING} | None":
            self.extra_body = extra_body("Any")


def extra_body(value: str) -> Argument:
    """Return the argument of the members that the contract does not know, which have this type."""
    return Argument("", "body", "extra_body", f"Mapping[str, {value}] | None", "None")


def names(facts: OperationFacts, taken: Collection[str]) -> dict[tuple[str, str], str]:
    """Return the Python name of each argument by location and wire name, each name once."""
    found = {("body", ""): "body"}
    wires = [(each["in"], each["name"]) for each in facts.parameter_nodes]
    wires += [("body", name) for name in facts.members.properties]
    for location, wire in sorted(wires, key=lambda each: [*LOCATIONS].index(each[0])):
        # The names of headers are the same in capitals and in small letters (RFC 9110, section 5.1).
        written = wire.lower() if location == "header" else wire
        found[location, wire] = python_name(written, {*taken, *found.values()})
    return found
