"""The shape of a value that is one of several: its type, and the function that chooses and reads one."""

from __future__ import annotations

import attrs

from codegen.render.shapes import ListOf, Model, Scalar, Shape, Values


@attrs.frozen
class OneOf(Shape):
    """One of several shapes.

    Attributes:
        alternatives: The shapes.
        key: The discriminator, the member that names the model; empty if there is none.
        by: The name of the class for each value of that member.
    """

    alternatives: tuple[Shape, ...]
    key: str = ""
    by: tuple[tuple[str, str], ...] = ()

    def written(self, *, strict: bool) -> str:
        """Return the union, each type once."""
        found = [part for each in self.alternatives for part in split_union(each.type(strict=strict))]
        return "Any" if "Any" in found else " | ".join(dict.fromkeys(found))

    def reader(self) -> str | None:
        """Return the function that chooses by the JSON type of the value, and among models by its members."""
        expression = self.read("value")
        return None if expression == "value" else f"lambda value: {expression}"

    def read(self, source: str) -> str:
        """Return the expression that reads the value."""
        models = [each.name for each in self.alternatives if isinstance(each, Model)]
        lists = [each for each in self.alternatives if isinstance(each, ListOf)]
        readers = {each.reader() for each in self.alternatives if isinstance(each, Scalar)} - {None}
        expression = source
        if models:
            by = ", ".join(f"{value!r}: {name}" for value, name in self.by)
            discriminator = f", {self.key!r}, {{{by}}}" if self.key else ""
            expression = f"one_of({source}, ({', '.join(models)},){discriminator})"
            if not self.only_models:
                expression += f" if {source}.__class__ is dict else to_json({source})"
        elif len(readers) == 1:
            expression = f"{readers.pop()}({source})"
        elif any(not isinstance(each, Scalar | Values) for each in self.alternatives):
            expression = f"to_json({source})"
        if lists:
            items = [each.item for each in lists]
            merged = lists[0] if len(lists) == 1 else ListOf(OneOf(tuple(dict.fromkeys(items))))
            expression = f"{merged.read(source)} if {source}.__class__ is list else {expression}"
        return expression

    def item_reader(self) -> str:
        """Return the function that reads an item; null is one where the contract allows it."""
        reader = self.reader() or "to_json"
        first = self.alternatives[0]
        if self.only_models and not self.nullable and isinstance(first, Model):
            return f"{reader} or {first.name}.from_item(value)"
        return reader

    @property
    def only_models(self) -> bool:
        """True if every alternative is a model."""
        return all(isinstance(each, Model) for each in self.alternatives)

    def parts(self) -> tuple[Shape, ...]:
        """Return the alternatives."""
        return self.alternatives


def split_union(written: str) -> list[str]:
    """Return the members of a union, without those inside brackets."""
    depth, parts = 0, [""]
    for character in written:
        depth += (character == "[") - (character == "]")
        if character == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
