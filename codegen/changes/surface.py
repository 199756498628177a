"""The contract as callers of the SDK see it: the arguments and responses of its methods, its models and closed sets."""

from __future__ import annotations

import attrs

from codegen.changes.json_types import ANYTHING, OBJECT, STRING, JsonType, types_of
from codegen.changes.schema_summary import SchemaSummary, summarize
from codegen.contract import (
    BYTES,
    JSON,
    LINES,
    NOTHING,
    TEXT,
    Content,
    Contract,
    ContractError,
    Node,
)
from codegen.contract.parameters import DEFAULT_STYLES
from codegen.render.arguments import Argument
from codegen.render.job_methods import describe_jobs
from codegen.render.methods import Method, describe
from codegen.render.normalise import NamedSchema
from codegen.render.parse import Parse
from codegen.render.shapes import Shape

MAPPING, NONE, FILE = JsonType("a mapping"), JsonType("None"), JsonType("file")


class Surface:
    """The methods and models of a contract.

    Attributes:
        contract: The contract.
        methods: The methods by their names.
        jobs: The names of the methods that do jobs.
        named: The models, and the closed sets that have a name, by their names.
        in_arguments: The models and closed sets that callers pass.
        in_responses: The models and closed sets that callers read.

    Raises:
        ContractError: The SDK cannot send or read something.
    """

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        try:
            self._parse = parse = Parse(contract)
            self.methods = {str(each.facts.name): each for each in describe(contract, parse)}
            self.jobs = {".".join([*each.place, each.name]) for each in describe_jobs(contract, self.methods.values())}
        except ContractError as error:
            raise contract.source.located(error) from error
        methods = self.methods.values()
        passed = [argument.shape for method in methods for argument in method.arguments.all]
        read = [shape for method in methods for shape in method.returned.shapes]
        self.in_arguments, self.in_responses = self._names(passed), self._names(read)
        self.named = {name: parse.sources[name] for name in self.in_arguments | self.in_responses}

    def _names(self, shapes: list[Shape]) -> set[str]:
        """Return the names of the models and closed sets in *shapes*, and in the members of these models."""
        below = [shape for model in self._parse.models_of(shapes) for shape in self._parse.members(model).values()]
        return {name for shape in (*shapes, *below) for _, name in shape.names()}

    def fields(self, name: str) -> dict[str, SchemaSummary]:
        """Summarize the members of a model by their wire names; a closed set has none."""
        found = {}
        model: NamedSchema = self.named[name]
        for wire, shape in self._parse.members(name).items() if name in self._parse.models else ():
            schema = self.contract.property_schema(model.schema, wire)
            # The id of a resource is in every response.
            required = wire in model.schema.get("required", ()) or bool(schema.get("x-resource-id"))
            found[wire] = summarize(self.contract, shape, schema, required=required)
        return found

    def arguments(self, method: Method) -> dict[str, ArgumentSummary]:
        """Summarize the arguments of a method by their wire names; those without one are `body` and `extra_body`."""
        found: dict[str, ArgumentSummary] = {}
        for each in method.arguments.all:
            # The names of headers are the same in capitals and in small letters.
            name = each.wire.lower() if each.location == "header" else each.wire or each.name
            schema = self._schema(method, each)
            value = summarize(self.contract, each.shape, schema, required=each.default is None)
            if not each.wire and value.types == {ANYTHING}:
                value = attrs.evolve(value, types=frozenset({OBJECT}))
            key = f"{name} ({each.location})" if name in found else name
            found[key] = ArgumentSummary(each.location, written_as(schema) if each.location != "body" else "", value)
        return found

    def _schema(self, method: Method, argument: Argument) -> Node:
        """Return the merged schema of an argument; of a parameter with the keywords of the parameter."""
        facts = method.facts
        if argument.wire:
            return facts.documented[argument.location, argument.wire]
        is_body = argument.name == "body" and facts.request is not None
        return self.contract.flatten(facts.request.schema) if is_body and facts.request else {}

    def response(self, method: Method) -> SchemaSummary:
        """Summarize what a method returns; what the contract does not show is a mapping."""
        contents = method.facts.responses or [Content(JSON, "", {}, method.facts.place)]
        is_head = method.facts.arguments["method"] == "HEAD"
        contents = [attrs.evolve(each, kind=NOTHING) if is_head else each for each in contents]
        summaries = [self._content(method, each) for each in contents]
        return SchemaSummary(
            frozenset[JsonType]().union(*(each.types for each in summaries)),
            nullable=any(each.nullable for each in summaries),
        )

    def _content(self, method: Method, content: Content) -> SchemaSummary:
        if content.kind in (NOTHING, TEXT, BYTES):
            return SchemaSummary(frozenset({{NOTHING: NONE, TEXT: STRING, BYTES: FILE}[content.kind]}))
        shape = self._parse.response(method.facts, content)
        types = types_of(shape)
        if content.kind == LINES:
            return SchemaSummary(frozenset({JsonType("JSON Lines", types)}))
        return SchemaSummary(frozenset({MAPPING}) if types & {ANYTHING, OBJECT} else types, nullable=shape.nullable)


@attrs.frozen
class ArgumentSummary:
    """An argument of a method.

    Attributes:
        location: `path`, `query`, `header`, `cookie` or `body`.
        written: How a parameter is written; empty in a body.
        value: Its value.
    """

    location: str
    written: str
    value: SchemaSummary


def written_as(parameter: Node) -> str:
    """Return how a parameter is written: its style and explode, or its media type."""
    if "content" in parameter:
        return f"`{next(iter(parameter['content']))}`"
    style = parameter.get("style", DEFAULT_STYLES[parameter["in"]])
    explode = parameter.get("explode", style in ("form", "deepObject"))
    return f"style {style}, {'exploded' if explode else 'not exploded'}"
