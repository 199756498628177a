"""Check that the contract is made of the objects of OpenAPI: known keywords with values of the right kind.

The walk also collects what the other checks need: the objects of each kind, and the references.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from typing import Any

import attrs

from codegen.contract.checks.shapes import EXTENSIONS, KEYWORDS, MAPS, REQUIRED, SCALARS, SECTIONS, WORDS
from codegen.contract.checks.wording import a, elsewhere, should_be, subject, unknown_keyword, unknown_word
from codegen.contract.finding import Finding, closest, instead, quote
from codegen.contract.nodes import Node, child, parts

# What may stand beside `$ref` where it does not refer to a schema; OpenAPI ignores everything else.
BESIDE_REF = ("summary", "description")
IN_WORDS = {
    "text": "text",
    "date": "a date such as `2026-11-20`",
    "flag": "`true` or `false`",
    "number": "a number",
    "count": "a whole number from 0",
    "positive count": "a whole number from 1",
}


def is_date(text: str) -> bool:
    """Return whether a text is a date, as in `2026-11-20`."""
    with suppress(ValueError):
        return date.fromisoformat(text).isoformat() == text
    return False


# The scalars of which not every value of the type is allowed.
ALLOWED: dict[str, Callable[[Any], bool]] = {
    "count": lambda value: value >= 0,
    "positive count": lambda value: value >= 1,
    "date": is_date,
}


@attrs.frozen
class Reference:
    """A `$ref`: where it points, and the kind of object that is expected there."""

    target: str
    kind: str


class Structure:
    """The objects of a document.

    Attributes:
        findings: Unknown, missing and wrongly written keywords.
        kinds: The kind of the object or reference at each JSON pointer.
        nodes: Every object by its JSON pointer, in order; of the references only those to schemas.
        references: Every reference by the JSON pointer of the object that has `$ref`.
        meant: The JSON pointers that misspelled keywords would have.
    """

    def __init__(self, document: Any) -> None:
        self.document = document
        self.findings: list[Finding] = []
        self.kinds: dict[str, str] = {}
        self.nodes: dict[str, Node] = {}
        self.references: dict[str, Reference] = {}
        self.meant: list[str] = []
        self._visit(document, "document", "#")

    def of(self, kind: str) -> Iterator[tuple[str, Node]]:
        """Yield the objects of a kind with their JSON pointers, without those in which something is wrong."""
        return ((place, node) for place, node in self.nodes.items() if self.kinds[place] == kind and self.sound(place))

    def sound(self, place: str) -> bool:
        """Return whether nothing is wrong at or below *place*."""
        return not any(f"{finding.place}/".startswith(f"{place}/") for finding in self.findings)

    def follow(self, place: str) -> tuple[str, Node] | None:
        """Return the object at *place* or, of a reference, the one it points to; None if that is wrong."""
        # A circle of references is found first, so that it ends here.
        while self.sound(place) and place in self.references:
            place = self.references[place].target
        return (place, self.nodes[place]) if place in self.nodes and self.sound(place) else None

    def _report(self, place: str, text: str) -> None:
        self.findings.append(Finding(place, text))

    def misspelled(self, place: str) -> bool:
        """Return whether a place would be there if a misspelled keyword was right."""
        return any(f"{place}/".startswith(f"{each}/") for each in self.meant)

    def _is(self, value: Any, expected: type | tuple[type, ...], kind: str, in_words: str, place: str) -> bool:
        # In Python a bool is an int.
        found = isinstance(value, expected) and (expected is bool or not isinstance(value, bool))
        if not found:
            self._report(place, f"{subject(place)} {should_be(kind, in_words, value)}")
        return found

    def _visit(self, value: Any, kind: str, place: str) -> None:
        if kind.endswith("+"):
            kind = kind.removesuffix("+")
            if value == ([] if kind[0] == "[" else {}):
                self._report(place, f"{subject(place)} is empty; add at least one entry")
        if kind[0] == "[":
            if self._is(value, list, kind, "a list", place):
                for index, member in enumerate(value):
                    self._visit(member, kind[1:-1], child(place, index))
        elif kind[0] == "{":
            if self._is(value, dict, kind, "a mapping", place):
                for name, member in value.items():
                    self._visit(member, kind[1:-1], child(place, name))
        elif kind in MAPS:
            if self._is(value, dict, kind, "a mapping", place):
                self._visit_map(value, kind, place)
        elif kind in SCALARS:
            is_type = self._is(value, SCALARS[kind], kind, IN_WORDS[kind], place)
            if is_type and kind in ALLOWED and not ALLOWED[kind](value):
                self._report(place, f"{subject(place)} {should_be(kind, IN_WORDS[kind], value)}")
        elif kind in WORDS:
            if self._is(value, str, kind, "text", place) and value not in WORDS[kind]:
                self._report(place, unknown_word(value, kind))
        elif kind == "types":
            self._visit(value, "[type]+" if isinstance(value, list) else "type", place)
        elif kind != "any" and not (kind == "schema?" and isinstance(value, bool)):
            self._visit_object(value, kind, place)

    def _visit_map(self, value: Node, kind: str, place: str) -> None:
        form = MAPS[kind]
        self.kinds[place], self.nodes[place] = kind, value
        for name, member in value.items():
            here = child(place, name)
            if form.extensible and name.startswith("x-"):
                self._visit_extension(name, member, kind, here)
            elif form.key.fullmatch(name):
                self._visit(member, form.member, here)
            else:
                self._report(here, f"{quote(name)} is no key here: {form.form}; {self._key_instead(name, kind)}")

    def _key_instead(self, name: str, kind: str) -> str:
        if kind == "responses" and name[1:].lower() == "xx":
            return f"write `{name.upper()}`"
        if kind == "paths":
            return f"write `/{name}`, or check its indentation"
        return instead(name, ["application/json", "default"], elsewhere(name, "correct it"))

    def _visit_object(self, value: Any, kind: str, place: str) -> None:
        written = kind
        kind = kind.removesuffix("?")
        above, name = (["", "", *parts(place)])[-2:]
        if above == "properties" and kind == "schema" and name in KEYWORDS[kind] and not isinstance(value, dict):
            self._report(place, f"{quote(name)} is not a schema; check its indentation: it belongs beside `properties`")
            return
        if not self._is(value, dict, written, f"a mapping ({kind})", place):
            return
        self.kinds[place] = kind
        if "$ref" in value and kind in SECTIONS:
            self._visit_reference(value, kind, place)
            if kind != "schema":
                return
        self.nodes[place] = value
        misspelled: set[str | None] = set()
        for name, member in value.items():
            if name.startswith("x-"):
                self._visit_extension(name, member, kind, child(place, name))
            elif name in KEYWORDS[kind]:
                self._visit_keyword(name, member, kind, child(place, name))
            elif name != "$ref" or kind not in SECTIONS:
                text, meant = unknown_keyword(kind, name)
                self._report(child(place, name), text)
                misspelled.add(meant)
        self.meant += [child(place, meant) for meant in misspelled if meant]
        for name in REQUIRED[kind]:
            if name not in value and name not in misspelled:
                self._report(place, f"{a(kind)} without `{name}`; add it")

    def _visit_keyword(self, name: str, value: Any, kind: str, place: str) -> None:
        if kind == "schema" and name == "required" and isinstance(value, bool):
            *_, above, member, _ = place.split("/")
            wanted = f"required: [{member}]" if above == "properties" else "required: [...]"
            listing = f"write `{wanted}` beside `properties` of the object"
            text = f"`required` of a schema is a list of properties, and here `{str(value).lower()}`"
            self._report(place, f"{text}; {listing if value else 'remove it'}")
        elif kind == "schema" and name in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool):
            limit = f"{name}: N` instead of `{name[9:].lower()}: N"
            self._report(place, f"`{name}` is a number in OpenAPI 3.1; write `{limit}`, or remove it")
        else:
            self._visit(value, KEYWORDS[kind][name], place)

    def _visit_extension(self, name: str, value: Any, kind: str, place: str) -> None:
        if name not in EXTENSIONS:
            if meant := closest(name, EXTENSIONS, 0.8):
                self._report(place, f"`{name}` is unknown; did you mean `{meant}`?")
            return
        value_kind, holders = EXTENSIONS[name]
        if holders is not None and kind not in holders:
            self._report(place, f"`{name}` belongs to {a(next(iter(holders)))}, and not to {a(kind)}; move it there")
        self._visit(value, value_kind, place)

    def _visit_reference(self, value: Node, kind: str, place: str) -> None:
        target = value["$ref"]
        here = child(place, "$ref")
        if not self._is(target, str, "text", "text", here):
            return
        if kind == "path item":
            self._report(here, "a path item is not found through `$ref`; write its operations here")
            return
        self.references[place] = Reference(target, kind)
        if kind == "schema":
            return
        for name, member in value.items():
            if name.startswith("x-"):
                self._visit_extension(name, member, kind, child(place, name))
            elif name not in ("$ref", *BESIDE_REF):
                self._report(
                    child(place, name), f"`{name}` has no effect beside `$ref`; remove it, or write it all out"
                )
