"""Write schemas for what was seen, and name the objects among them after their resources.

An object of the proposal is a component, such as `Playbook`, not a schema inside an operation: the build would name its
class after the place, as in `ListOrganizationPlaybooks200`. Objects that have the same name and the same form share one
component, whatever operations they came from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import attrs
from agent_session_platform.contract import Node

from .contract import COMPONENTS, Document, Schema
from .facts import MAYBE_IGNORED, Finding, Line, json_path, summed_up
from .shape import FORMAT, ITEMS, PLAIN, TYPE, Tally

SCHEMAS: Final = f"{COMPONENTS}/schemas"
# What makes a response a page, by the description's part about lists: the rest of the envelope may be absent.
ENVELOPE: Final = {"items", "end_cursor", "has_next_page"}
PAGE_INFO: Final = f"{SCHEMAS}/PageInfo"
PAGE_PARAMETERS: Final = {
    "first": f"{COMPONENTS}/parameters/First",
    "after": f"{COMPONENTS}/parameters/After",
}

SCOPES: Final = ("organization", "enterprise")
# A word of an operationId or a tag.
WORD: Final = re.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
# The verbs of operations whose response is the resource itself.
RETURN_RESOURCE: Final = ("get", "create", "update", "replace", "set")
NEVER: Final = 10**9


def format_name(form: str) -> str:
    """Return the name that a format has in the contract."""
    if form == "unix-seconds":
        return "unix-time"
    return form


def singular(word: str) -> str:
    """Return the singular of an English plural, such as `policy` for `policies`."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if re.search("(ss|x|ch|sh|us)es$", word):
        return word[:-2]
    if re.search("(ss|us|is)$", word):
        return word
    return word.removesuffix("s")


def camel_case(words: Iterable[str]) -> str:
    """Return words as the name of a class, such as `KnowledgeNote`."""
    return "".join(map(str.capitalize, words))


@attrs.frozen
class ClassNames:
    """The names that the objects of an operation may have, the best one first.

    Attributes:
        verb: The first word of the operationId, such as `list`.
        noun: The words that name the resource, such as `KnowledgeNote`.
        scope: `Organization`, `Enterprise` or nothing.
    """

    verb: str
    noun: str
    scope: str

    @classmethod
    def of(cls, operation_id: str, *, is_one: bool = False) -> ClassNames:
        """Return the names for an operation.

        Args:
            operation_id: The operationId, such as `list_organization_playbooks`.
            is_one: Whether the names are those of one item of a list.
        """
        verb, *words = WORD.findall(operation_id)
        for preposition in ("of", "by"):
            if preposition in words:
                words = words[: words.index(preposition)]
        scope = ""
        if words and words[0].lower() in SCOPES:
            scope = words.pop(0)
        words = words or [verb]
        if is_one:
            words[-1] = singular(words[-1])
        return cls(verb.lower(), camel_case(words), scope.capitalize())

    def ending_with(self, ending: str) -> list[str]:
        """Return the noun with an ending, without and with the scope."""
        name = f"{self.noun}{ending}"
        return [name, f"{self.scope}{name}"]

    @property
    def of_response(self) -> list[str]:
        """The names of a response: that of the resource, if the verb says that the resource is returned."""
        own = self.ending_with(f"{self.verb.capitalize()}Response")
        resource = self.ending_with("")
        if self.verb not in RETURN_RESOURCE:
            return [*own, *resource]
        return [resource[0], own[0], resource[1], own[1]]


@attrs.define
class NamedObject:
    """An object of the proposal that becomes a component.

    Attributes:
        seen: The values, from all operations.
        lines: The evidence.
        is_sent: Whether programs sent it.
    """

    seen: Tally
    lines: list[Line]
    is_sent: bool


class SchemaWriter:
    """Writes the schemas of a proposal.

    Args:
        document: The contract.
        at_least: A member is called required only if this many objects were seen, and all of them had it.
    """

    def __init__(self, document: Document, at_least: int) -> None:
        self.document = document
        self.at_least = at_least
        # The build has a class of this name for the methods of each resource.
        self._resources: set[str] = set()
        for endpoint in document.endpoints.values():
            tag = WORD.findall(endpoint.node["tags"][0])
            self._resources |= {camel_case([scope, *tag]) for scope in SCOPES}
        self._objects: dict[str, NamedObject] = {}
        # Pages and other lists. Each belongs to one operation.
        self._lists: dict[str, tuple[Node, Line]] = {}

    def of_sent(self) -> SchemaWriter:
        """Return a writer for what programs sent: accepted requests never show that a member is required."""
        return SchemaWriter(self.document, NEVER)

    def of_response(self, operation_id: str, method: str, declared: Schema | None, seen: Tally, line: Line) -> Node:
        """Return the schema of the body of a response. If the contract shows the body, return a reference.

        Args:
            operation_id: The operation.
            method: Its HTTP method.
            declared: The schema in the contract; None if there is none.
            seen: The bodies.
            line: The evidence.
        """
        names = ClassNames.of(operation_id)
        members = seen.members()
        envelope: list[Schema] = []
        if declared is not None and declared.properties.keys() & members.keys():
            if declared.shows_all:
                return declared.as_reference()
            # The contract may show only the envelope of a page.
            envelope = [part for part in declared.parts[:-1] if part.properties and part.shows_all]
        elif self.is_page(method, seen):
            envelope = [self.document.schema(PAGE_INFO)]
        if not members:
            return self._of_items(operation_id, seen, line)
        known = self.fitting(seen)
        if known and not envelope:
            return known
        if envelope or names.verb == "list":
            return self._list(operation_id, envelope, seen, line)
        return self._named(names.of_response, seen, line)

    def of_request(self, operation_id: str, seen: Tally, line: Line) -> Node:
        """Return the schema of the bodies that programs sent."""
        names = ClassNames.of(operation_id)
        return self._named(names.ending_with(names.verb.capitalize()), seen, line, is_sent=True)

    def is_page(self, method: str, seen: Tally) -> bool:
        """Return whether responses to GET have the envelope of a page, as the description of the API states it."""
        members = seen.members()
        if method != "GET" or not members.keys() >= ENVELOPE or not self.document.has(PAGE_INFO):
            return False
        # The SDK cannot follow cursors of another type.
        for name, schema in self.document.schema(PAGE_INFO).properties.items():
            if name in members and not members[name].facts(TYPE).keys() <= schema.types:
                return False
        return "array" in members["items"].facts(TYPE)

    def findings(self) -> Iterator[Finding]:
        """Yield the components that the other findings refer to."""
        for name, named in self._objects.items():
            text = f"objects came with {', '.join(sorted(named.seen.members()))}"
            line = summed_up(name, text, named.lines)
            if named.is_sent:
                node = self.of_sent().schema_of(named.seen)
                node["additionalProperties"] = True
                node["description"] = MAYBE_IGNORED
            else:
                node = self.schema_of(named.seen)
                node["description"] = "Seen in responses; not shown by the description of the API."
            yield component(name, node, line)
        for name, (node, line) in self._lists.items():
            node["description"] = "Seen in responses; a list."
            yield component(name, node, line)

    def _list(self, operation_id: str, envelope: list[Schema], seen: Tally, line: Line) -> Node:
        """Return a reference to a new component for the body of a list."""
        always = seen.always(self.at_least)
        ending = "List"
        if envelope:
            always = seen.always()
            ending = "Page"
        members = seen.members()
        for part in envelope:
            for name in part.properties:
                members.pop(name, None)
        properties: Node = {}
        for name, member in members.items():
            properties[name] = self._of_items(operation_id, member, line)
        node: Node = {"type": "object", "properties": properties}
        required = sorted(always & members.keys())
        if required:
            node["required"] = required
        if envelope:
            parts = [part.as_reference() for part in envelope]
            node = {"allOf": [*parts, node]}
        for name in ClassNames.of(operation_id, is_one=True).ending_with(ending):
            if self._is_free(name):
                self._lists[name] = node, line
                return {"$ref": f"{SCHEMAS}/{name}"}
        return node

    def _of_items(self, operation_id: str, seen: Tally, line: Line) -> Node:
        """Return the schema of a value. If it is an array, its items have the name of the resource."""
        node = self.schema_of(seen)
        if "items" in node and "$ref" not in node["items"]:
            names = ClassNames.of(operation_id, is_one=True)
            names_of_item = [*names.ending_with(""), *names.ending_with("Item")]
            node["items"] = self._named(names_of_item, seen.at(ITEMS), line)
        return node

    def _named(self, names: Sequence[str], seen: Tally, line: Line, *, is_sent: bool = False) -> Node:
        """Return a reference to the component of an object.

        Args:
            names: The names that the component may have. The component that has one of them already, and the same form,
                is taken.
            seen: The values.
            line: The evidence.
            is_sent: Whether programs sent the objects.
        """
        if seen.facts(TYPE).keys() != {"object"} or not seen.members():
            return self.schema_of(seen)
        free: list[str] = []
        for name in names:
            known = self._objects.get(name)
            if known is not None and known.is_sent == is_sent and has_same_form(known.seen, seen):
                known.seen.add(seen)
                known.lines.append(line)
                return {"$ref": f"{SCHEMAS}/{name}"}
            if self._is_free(name):
                free.append(name)
        if not free:
            return self.schema_of(seen)
        copied = Tally()
        copied.add(seen)
        self._objects[free[0]] = NamedObject(copied, [line], is_sent)
        return {"$ref": f"{SCHEMAS}/{free[0]}"}

    def _is_free(self, name: str) -> bool:
        is_taken = name in self._objects or name in self._lists or name in self._resources
        return not is_taken and not self.document.has(f"{SCHEMAS}/{name}")

    def schema_of(self, seen: Tally) -> Node:
        """Return a schema for the values that were seen."""
        types = {*seen.facts(TYPE)}
        if "number" in types:
            types.discard("integer")
        if not types or types == {"null"}:
            # A value that was always null shows no type.
            return {}
        node: Node = {"type": sorted(types)}
        if len(types) == 1:
            [node["type"]] = types
        properties: Node = {}
        for name, member in sorted(seen.members().items()):
            properties[name] = self.schema_of(member)
        if properties:
            node["properties"] = properties
        elif "object" in types:
            node["additionalProperties"] = True
        always = seen.always(self.at_least)
        if always:
            node["required"] = sorted(always)
        if "array" in types:
            items = seen.at(ITEMS)
            node["items"] = self.fitting(items) or self.schema_of(items)
        formats = [*seen.facts(FORMAT)]
        if len(formats) == 1 and formats[0] not in (PLAIN, "local date-time"):
            node["format"] = format_name(*formats)
        values = seen.values()
        if values:
            node["x-known-values"] = [*values]
        return node

    def fitting(self, seen: Tally) -> Node:
        """Return a reference to the smallest schema of the contract that shows all members of an object."""
        if seen.facts(TYPE).keys() != {"object"}:
            return {}
        members = seen.members().keys()
        always = seen.always()
        fits: list[tuple[int, str]] = []
        for name in self.document.document["components"]["schemas"]:
            schema = self.document.schema(f"{SCHEMAS}/{name}")
            # With fewer members, a match may be chance.
            is_telling = len(members) > 2 or len(schema.required) > 1
            is_fit = members <= schema.properties.keys() and schema.required.keys() <= always
            if is_telling and is_fit:
                fits.append((len(schema.properties), schema.place))
        fits.sort()
        if not fits or (len(fits) > 1 and fits[0][0] == fits[1][0]):
            return {}
        return {"$ref": fits[0][1]}


def component(name: str, node: Node, line: Line) -> Finding:
    """Return the finding that adds a component."""
    node["x-observed"] = line.evidence
    return Finding(line, [(json_path(SCHEMAS), {name: node})], section="")


def has_same_form(one: Tally, other: Tally) -> bool:
    """Return whether objects are of one kind: what always came here may come there."""
    for here, there in ((one, other), (other, one)):
        # A name that not every object had is not kept, so it may be missing there.
        has_all_names = not there.counts["unnamed"]
        if has_all_names and not here.always() <= there.members().keys():
            return False
    return True
