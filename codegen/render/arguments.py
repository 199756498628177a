"""Describe the arguments of a method of the facade."""

from __future__ import annotations

from collections.abc import Collection

import attrs

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
from codegen.render.shapes import MAPPING, ListOf, MappingOf, Model, Scalar, Shape

# Names that a method of the facade uses itself.
TAKEN = frozenset(
    {
        *(
            "self",
            "options",
            "body",
            "extra_body",
            "members",
            "request",
            "warn",
            "models",
            "OPERATIONS",
            "Request",
            "UNSET",
        ),
        *("convert_list", "convert_mapping", "decode_list", "decode_mapping", "decode_nothing"),
        *(
            "decode_scalar",
            "decode_text",
            "one_of",
            "open_value",
            "OpenModel",
            "parse_date",
            "parse_datetime",
            "parse_uuid",
            "to_json",
        ),
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
        shape: The shape of its values.
    """

    wire: str
    location: str
    name: str
    type: str
    default: str | None
    shape: Shape

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
        members: Whether such members are keywords, too.

    Raises:
        ContractError: The SDK cannot send an argument.
    """

    def __init__(self, facts: OperationFacts, contract: Contract, parse: Parse, taken: Collection[str]) -> None:
        self._facts, self._contract, self._parse = facts, contract, parse
        self.names = names(facts, {*TAKEN, *taken})
        shapes = parse.parameters(facts)
        parameters = [self._parameter(each, shapes[each["in"], each["name"]]) for each in facts.parameter_nodes]
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
        self.members = False
        if facts.request is not None:
            self._describe_body(facts.request)

    @property
    def keywords(self) -> list[Argument]:
        """The keyword arguments, the required ones first."""
        parameters = [each for sent in self.sent.values() for each in sent]
        whole = [each for each in (self.whole_body, self.extra_body) if each]
        found = [*parameters, *self.files, *self.body, *whole]
        return sorted(found, key=lambda argument: argument.default is not None)

    @property
    def all(self) -> list[Argument]:
        """All arguments, also those that the scope knows."""
        return [*self.bound, *self.positional, *self.keywords]

    def _parameter(self, node: Node, shape: Shape) -> Argument:
        wire, location = node["name"], node["in"]
        written, default = shape.written(strict=True), None
        if location != "path":
            # Only in a body null is more than nothing: here None omits the argument.
            written = "QueryValue" if written == "Any" else written
            if not node.get("required"):
                written, default = f"{written} | None", "None"
        elif written == "Any":
            written = "str"
        return Argument(wire, location, self.names[location, wire], written, default, shape)

    def _describe_body(self, request: Content) -> None:
        members, shape = self._facts.members, self._parse.body(self._facts)
        if not members.properties:
            if request.kind not in (JSON, TEXT, BYTES):
                raise ContractError(
                    f"a body of {request.media_type} whose members are not shown; name them in its schema"
                )
            self.whole_body = whole_body(request, shape)
            self.members = self.whole_body.type == f"{MAPPING} | None"
            if self.members:
                self.extra_body = extra_body(Shape())
            return
        model = next(each.name for each in shape.below() if isinstance(each, Model))
        shapes = self._parse.members(model)
        found = [
            self._member(request, name, node, shapes[name], name in members.required)
            for name, node in members.properties.items()
        ]
        is_form = request.kind == FILES
        self.files = [each for each in found if is_form and is_file(each.shape)]
        self.body = [each for each in found if each not in self.files]
        # The description shows no form completely, and no body that allows additional properties.
        more = Shape() if is_form else self._parse.rest(model)
        if more is not None:
            self.extra_body = extra_body(more)
            self.members = True

    def _member(self, request: Content, wire: str, node: Node, shape: Shape, required: bool) -> Argument:
        if isinstance(shape, ListOf) and is_file(shape.item) and request.kind == FILES:
            raise ContractError(f"{wire} is a list of files; the SDK can send a file for each member of a form")
        written = shape.type(strict=True)
        if request.kind == FILES and is_file(shape):
            written = "FileSource | None" if shape.nullable else "FileSource"
        default = None
        constant = self._contract.flatten(node).get("const")
        if required and constant is not None:
            default = repr(constant)
        elif not required:
            written, default = (written if written == "Any" else f"{written} | Unset"), "UNSET"
        return Argument(wire, "body", self.names["body", wire], written, default, shape)


def extra_body(value: Shape) -> Argument:
    """Return the argument of the members that the contract does not know."""
    shape = MappingOf(value)
    return Argument("", "body", "extra_body", f"{shape.written(strict=True)} | None", "None", shape)


def whole_body(request: Content, shape: Shape) -> Argument:
    """Return the argument of a body that has no members of its own."""
    written = shape.type(strict=True)
    # A bare `{}` allows any JSON; anything else of any type is a body that the description does not show.
    is_open = written == "Any" and bool(request.schema) and request.kind == JSON
    written = MAPPING if written == "Any" and request.schema else "bytes" if is_file(shape) else written
    if request.required and not is_open:
        return Argument("", "body", "body", written, None, shape)
    if shape.nullable and not is_open:
        return Argument("", "body", "body", f"{written} | Unset", "UNSET", shape)
    return Argument("", "body", "body", f"{written} | None", "None", shape)


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


def is_file(shape: Shape) -> bool:
    """Return whether a member of a form is a file."""
    return isinstance(shape, Scalar) and shape.kind == "file"
