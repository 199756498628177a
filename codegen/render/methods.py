"""The methods of the resources: their arguments and their results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import attrs
from openapi_python_client.parser.properties.list_property import ListProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol

from codegen.contract.content import BYTES, FILES, JSON, NOTHING, TEXT, Content
from codegen.contract.contract import Contract
from codegen.contract.naming import python_name, words
from codegen.contract.operations import OperationFacts
from codegen.contract.source import ContractError, Node
from codegen.render.parse import MAPPING, OPEN, Parse, PythonTypes, alternatives, is_file, is_nullable, json_types
from codegen.render.runtime.model import Model as ModelClass

# Names that a method of the facade uses itself.
TAKEN = frozenset(
    {
        *(
            "self",
            "options",
            "body",
            "extra_body",
            "members",
            "unknown",
            "request",
            "warn",
            "models",
            "OPERATIONS",
            "Request",
        ),
        *("UNSET", "OpenModel", "convert_list", "convert_mapping", "decode_nothing", "decode_text", "partial"),
        *(
            "discriminated",
            "read_payload",
            "one_of",
            "open_value",
            "parse_date",
            "parse_datetime",
            "parse_uuid",
            "to_json",
        ),
    }
)

# The locations in the order in which arguments get their names.
LOCATIONS = ("path", "query", "header", "body")


@attrs.frozen
class Argument:
    """One argument of a method. `str()` returns it as it is written in the signature.

    Attributes:
        wire: The name on the wire; empty for a whole body.
        location: `path`, `query`, `header` or `body`.
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
        bound: The path arguments that the scope object already has.
        positional: The other path arguments, in the order of the path.
        sent: The parameters and the members of the body, by location. Files of a form have the location `file`.
        whole_body: The argument for a whole body; None if the members of the body are arguments, or there is no body.
        extra_body: The argument for members that the contract does not know; None if there cannot be such members. A
            body whose gap was closed keeps it, so that no call breaks.
        takes_members: Whether members that the contract does not know are also keywords.
        properties: The properties that the generator has read for all arguments.

    Raises:
        ContractError: The SDK cannot send an argument.
    """

    def __init__(
        self, facts: OperationFacts, contract: Contract, parse: Parse, types: PythonTypes, taken: Collection[str]
    ) -> None:
        self._facts, self._contract, self._types = facts, contract, types
        self.names = {("body", ""): "body"}
        wires = [(each["in"], each["name"]) for each in [*facts.parameters, *facts.members]]
        for location, wire in sorted(wires, key=lambda each: LOCATIONS.index(each[0])):
            # The names of headers are the same in capitals and in small letters (RFC 9110, section 5.1).
            written = wire.lower() if location == "header" else wire
            self.names[location, wire] = python_name(written, {*TAKEN, *taken, *self.names.values()})
        found = parse.parameters(facts)
        self.properties = list(found.values())
        self.sent: dict[str, list[Argument]] = {location: [] for location in (*LOCATIONS, "file")}
        for each in facts.parameters:
            self.sent[each["in"]].append(self._parameter(each, found[each["in"], each["name"]]))
        path = sorted(self.sent["path"], key=lambda each: facts.arguments["path"].index(f"{{{each.wire}}}"))
        # The scope object knows the organization's id.
        bound = 1 if facts.name.scope == "organization" else 0
        self.bound, self.positional = path[:bound], path[bound:]
        self.whole_body: Argument | None = None
        self.extra_body: Argument | None = None
        self.takes_members = False
        if facts.request is not None:
            prop = parse.body(facts)
            if facts.members:
                [model] = (each.class_info.name for each in alternatives(prop) if parse.is_model(each))
                self._describe_members(facts.request, parse.members(model), parse.models[model].additional_properties)
            else:
                self._describe_body(facts.request, prop)

    @property
    def keywords(self) -> list[Argument]:
        """The keyword arguments, the required ones first."""
        found = [each for location in ("query", "header", "file", "body") for each in self.sent[location]]
        found += [each for each in (self.whole_body, self.extra_body) if each]
        return sorted(found, key=lambda argument: argument.default is not None)

    def _parameter(self, node: Node, prop: PropertyProtocol) -> Argument:
        wire, location = node["name"], node["in"]
        written, default = self._types.not_null(prop, strict=True), None
        if written == "Any":
            written = "str" if location == "path" else "QueryValue"
        if location != "path" and not node.get("required"):
            # Null has a meaning only in a body. Here None omits the argument.
            written, default = f"{written} | None", "None"
        return Argument(wire, location, self.names[location, wire], written, default)

    def _describe_members(
        self, request: Content, members: Mapping[str, PropertyProtocol], rest: PropertyProtocol | None
    ) -> None:
        """Describe a body with known members. It may have other members if *rest* allows them."""
        is_form, parse = request.kind == FILES, self._types.parse
        for node in self._facts.members:
            wire = node["name"]
            prop = members[wire]
            self.properties.append(prop)
            if is_form and any(map(is_file, parse.below(prop))) and not all(map(is_file, alternatives(prop))):
                text = f"{wire} is a list of files, or a file among others"
                raise ContractError(f"{text}; the SDK sends one file for a member: name a member for each file")
            if is_form and is_file(prop):
                written = "FileSource | None" if is_nullable(prop) else "FileSource"
                self.sent["file"].append(self._member(node, written))
            else:
                self.sent["body"].append(self._member(node, self._types.type(prop, strict=True)))
        # A form is never shown completely, and neither is a body that allows additional properties.
        self.takes_members = is_form or rest is not None
        if is_form:
            self.extra_body = extra_body("Any")
        elif rest is not None:
            self.properties.append(rest)
            self.extra_body = extra_body(self._types.type(rest, strict=True))
        elif any(gap.closed for gap in self._facts.gaps):
            self.extra_body = extra_body("Any")

    def _member(self, node: Node, written: str) -> Argument:
        wire, default = node["name"], None
        constant = self._contract.flatten(node["schema"]).get("const")
        if not node["required"]:
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
            # A bare `{}` allows any JSON. Any other schema without a type is a body that is not shown.
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
            self.takes_members = True


def extra_body(value: str) -> Argument:
    """Return the argument for members that the contract does not know. *value* is the type of their values."""
    return Argument("", "body", "extra_body", f"Mapping[str, {value}] | None", "None")


@attrs.frozen
class Returned:
    """The returned value of a method.

    Attributes:
        type: The type that is returned; for an open list, the type of its response.
        decode: The expression of the function that decodes the response.
        call: The method of the client that sends the request: `send`, `paginate`, `read_list` or `download`.
        properties: The properties that the generator has read for the responses.
        by_status: Pairs of a status and its function, for each status that has a function of its own.
        item: The item of a list with pages; None for any other response.
        page: The model of a page; empty if the operation is not paginated.
        is_model: Whether the returned value is a model of the contract.
    """

    type: str
    decode: str
    call: str = "send"
    properties: Sequence[PropertyProtocol] = ()
    by_status: Sequence[tuple[str, str]] = ()
    item: PropertyProtocol | None = None
    page: str = ""
    is_model: bool = False

    @property
    def annotation(self) -> str:
        """The type that the signature names."""
        return f"OpenList[{self.type}]" if self.call == "read_list" else self.type


def describe_returned(facts: OperationFacts, parse: Parse, types: PythonTypes) -> Returned:
    """Return a description of the result of a method.

    Raises:
        ContractError: The SDK cannot read the responses.
    """
    contents = facts.successes
    if facts.arguments["method"] == "HEAD":
        contents = [attrs.evolve(each, kind=NOTHING) for each in contents]
    main = next((each for each in contents if each.status.upper() == "2XX"), contents[0])
    if len(contents) > 1 and (facts.arguments["streamed"] or facts.pagination is not None):
        raise ContractError(f"a file or a list beside {contents[1].status}; the SDK reads one: remove one")
    if main.kind == BYTES:
        return Returned("Download", "decode_nothing", "download")
    prop = parse.response(facts, main)
    if facts.pagination is not None:
        if not parse.is_model(prop):
            raise ContractError("the page is not an object with known members; write the `properties` of the page")
        page = prop.class_info.name
        parts = alternatives(parse.members(page)[facts.pagination.items])
        lists = [each for each in parts if isinstance(each, ListProperty)]
        if len(lists) > 1:
            raise ContractError("the list of a page is one of several arrays; write one array with all kinds of items")
        item = lists[0].inner_property
        written = f"Pager[{types.not_null(item, strict=False)}]"
        return Returned(written, decoded(JSON, prop, types)[1], "paginate", [prop, item], item=item, page=page)
    properties = {each.status: parse.response(facts, each) for each in contents}
    found = {each.status: decoded(each.kind, properties[each.status], types) for each in contents}
    written = " | ".join(dict.fromkeys(each for each, _ in found.values()))
    decode = found[main.status][1]
    by_status = [(status, function) for status, (_, function) in found.items() if function != decode]
    used = [properties[each.status] for each in contents if each.kind == JSON]
    is_model = len(contents) == 1 and parse.is_model(prop) and main.kind == JSON
    call = "read_list" if is_open_list(facts, written) else "send"
    return Returned(written, decode, call, properties=used, by_status=by_status, is_model=is_model)


def is_open_list(facts: OperationFacts, written: str) -> bool:
    """Return whether an operation is a list whose pages the contract does not show.

    The form of use must not change when a gap is closed, so a list whose gap was closed counts, too.
    """
    if "x-follow" in facts.node:
        return True
    is_list = facts.arguments["method"] == "GET" and "list" in words(facts.name.verb)
    return is_list and (written == OPEN or any(gap.closed for gap in facts.gaps))


def decoded(kind: str, prop: PropertyProtocol, types: PythonTypes) -> tuple[str, str]:
    """Return the type of a response, and the function that decodes it."""
    if kind in (NOTHING, TEXT):
        return ("None", "decode_nothing") if kind == NOTHING else ("str", "decode_text")
    written, reader = types.type(prop, strict=False), types.reader(prop)
    if written in ("Any", MAPPING):
        return OPEN, f"{OPEN}.from_item"
    return written, f"partial(read_payload, {reader}, {json_types(prop)})"


# Names that the base class of the models uses.
MODEL_NAMES = frozenset(name for name in dir(ModelClass) if not name.startswith("__"))


class Method:
    """One operation as a method of its resource.

    Attributes:
        facts: The facts of the contract about the operation.
        returned: The returned value.
        arguments: The arguments.
        parameters: The parameters of the operation for the catalogue.
        imports: Module and name of the models and the closed sets that its types name.
        item_words: The words that name one item of the returned list.

    Raises:
        ContractError: The operation has no form in Python.
    """

    def __init__(self, operation_id: str, contract: Contract, parse: Parse) -> None:
        self.facts: OperationFacts = contract.operations[operation_id]
        types = PythonTypes(parse, "models.")
        try:
            self.returned: Returned = describe_returned(self.facts, parse, types)
            taken = {name for prop in self.returned.properties for _, name in types.names(prop)}
            self.arguments = Arguments(self.facts, contract, parse, types, taken)
        except ContractError as error:
            raise ContractError(f"{self.facts.place}: {operation_id}: {error}") from error
        self.facts.arguments["takes_members"] = self.arguments.takes_members
        self.parameters: list[Node] = []
        for each in self.facts.catalogued:
            argument = self.arguments.names[each["location"], each["name"]]
            self.parameters.append(each if argument == each["name"] else {**each, "argument_name": argument})
        properties = [*self.arguments.properties, *self.returned.properties]
        self.imports = sorted({each for prop in properties for each in types.names(prop)})
        item = self.returned.item
        model = item.class_info.name if item and parse.is_model(item) else ""
        self.item_words = words(model) if model else ["item"]

    def call(self, verb: str, values: Iterable[str]) -> str:
        """Return a call of a method of its resource."""
        scope = self.facts.name.scope
        if scope == "enterprise":
            scope = "platform.enterprise"
        return f"{scope}.{self.facts.name.resource}.{verb}({', '.join(values)})"
