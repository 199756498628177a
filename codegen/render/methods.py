"""Methods of the facade: what they return, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterable

import attrs

from codegen.contract import (
    BYTES,
    JSON,
    LINES,
    NOTHING,
    TEXT,
    Content,
    Contract,
    ContractError,
    OperationFacts,
    python_name,
)
from codegen.render.arguments import Argument, Arguments
from codegen.render.parse import Parse
from codegen.render.runtime.model import Model as ModelClass
from codegen.render.shapes import OPEN, ListOf, MappingOf, Model, OneOf, Scalar, Shape

NUMBERS = ("integer", "number", "boolean")


@attrs.frozen
class Returned:
    """The returned value of a method.

    Attributes:
        type: The type that is returned.
        decode: The expression of the function that decodes the response.
        by_status: Status and function where a status has a function of its own.
        call: The method of the client that sends the request: `send`, `paginate`, `download` or `stream`.
        shapes: The shapes that the type and the functions name.
        item: What a list or a stream is of; None for anything else.
        page: The model of a page; empty if the operation is not paginated.
    """

    type: str
    decode: str
    by_status: tuple[tuple[str, str], ...] = ()
    call: str = "send"
    shapes: tuple[Shape, ...] = ()
    item: Shape | None = None
    page: str = ""

    @property
    def imports(self) -> list[tuple[str, str]]:
        """Module and name of the models that the functions use."""
        found = {(each.module, each.name) for shape in self.shapes for each in shape.below() if isinstance(each, Model)}
        return sorted(found)

    def qualified(self, expression: str) -> str:
        """Return an expression with the names of models as members of the package `models`."""
        names = "|".join(re.escape(name) for _, name in self.imports)
        return re.sub(rf"\b({names})\b", r"models.\1", expression) if names else expression


def describe_returned(facts: OperationFacts, parse: Parse) -> Returned:
    """Return what a method returns.

    Raises:
        ContractError: The SDK cannot read the responses.
    """
    contents = facts.responses or [Content(JSON, "", {}, facts.place)]
    if facts.arguments["method"] == "HEAD":
        contents = [attrs.evolve(each, kind=NOTHING) for each in contents]
    main = next((each for each in contents if each.status.upper() == "2XX"), contents[0])
    if len(contents) > 1 and (facts.arguments["streamed"] or facts.pagination is not None):
        what = "a file or JSON Lines" if facts.arguments["streamed"] else "a paginated list"
        raise ContractError(
            f"{what} beside another success ({contents[1].status}); the SDK can return only one of them"
        )
    shapes = {each.place: parse.response(facts, each) for each in contents}
    shape = shapes[main.place]
    if any(each.media_type.startswith("text/event-stream") for each in contents):
        raise ContractError("the SDK cannot read text/event-stream; JSON Lines (application/x-ndjson) it can")
    if main.kind == BYTES:
        return Returned("Download", "decode_nothing", call="download")
    if main.kind == LINES:
        # The schema is of one line, or of the array of them all.
        shape = shape.item if isinstance(shape, ListOf) else shape
        read = f"lambda payload: {shape.read('payload')}" if shape.reader() else "lambda payload: payload"
        decode = shape.item_reader() if isinstance(shape, Model) else read
        return Returned(f"JsonLines[{shape.type(strict=False)}]", decode, call="stream", shapes=(shape,), item=shape)
    if facts.pagination is not None:
        return paginated(facts, parse, shape)
    found = {each.status: decoded(each, shapes[each.place]) for each in contents}
    types = [written for written, _ in found.values()]
    written = (
        " | ".join(dict.fromkeys(part for each in types for part in each.split(" | "))) if len(found) > 1 else types[0]
    )
    decode = found[main.status][1]
    by_status = tuple((status, function) for status, (_, function) in found.items() if function != decode)
    used = tuple(shapes[each.place] for each in contents if each.kind == JSON)
    return Returned(written, decode, by_status, shapes=used)


def paginated(facts: OperationFacts, parse: Parse, shape: Shape) -> Returned:
    """Return the pager of a list.

    Raises:
        ContractError: The response has no members of its own.
    """
    assert facts.pagination is not None
    if not isinstance(shape, Model):
        raise ContractError("the response of a paginated list must be an object with known members")
    items = parse.members(shape.name)[facts.pagination.items]
    assert isinstance(items, ListOf)
    return Returned(
        f"Pager[{items.item.written(strict=False)}]",
        f"{shape.name}.from_payload",
        call="paginate",
        shapes=(shape, items.item),
        item=items.item,
        page=shape.name,
    )


def decoded(content: Content, shape: Shape) -> tuple[str, str]:
    """Return the type of a response, and the function that decodes it."""
    if content.kind == NOTHING:
        return "None", "decode_nothing"
    if content.kind == TEXT:
        return "str", "decode_text"
    if isinstance(shape, Model) and not shape.nullable:
        return shape.name, f"{shape.name}.from_payload"
    written = shape.type(strict=False)
    if isinstance(shape, ListOf) and not shape.nullable:
        return written, f"lambda payload: decode_list(payload, {shape.item.item_reader()})"
    if isinstance(shape, MappingOf) and shape.value.reader() != "to_json" and not shape.nullable:
        return written, f"lambda payload: decode_mapping(payload, {shape.value.item_reader()})"
    if isinstance(shape, OneOf) and shape.only_models and not shape.nullable:
        first = shape.alternatives[0].written(strict=False)
        read = f"{shape.read('payload')} if payload.__class__ is dict else {first}.from_payload(payload)"
        return written, f"lambda payload: {read}"
    if type(shape) is Shape or (isinstance(shape, MappingOf) and not shape.nullable):
        return OPEN, f"{OPEN}.from_item"
    if isinstance(shape, Scalar) and shape.kind != "null":
        kind = shape.kind if shape.kind in NUMBERS else "string"
        scalar = f"decode_scalar(payload, {kind!r}{', nullable=True' if shape.nullable else ''})"
        return written, f"lambda payload: {shape.read(scalar)}"
    return written, f"lambda payload: {shape.read('payload')}"


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
