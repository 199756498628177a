"""What the template of a model needs to know of its fields."""

from __future__ import annotations

from dataclasses import dataclass

import annotations
from contract import Contract, gaps_below
from docstrings import docstring, gap_lines, plain, section, sentence
from naming import python_name
from openapi_python_client.parser.properties import ModelProperty, Property

# Names that the base class of the models uses itself.
TAKEN = frozenset({"from_dict", "to_dict", "view", "decode", "unknown_fields"})


@dataclass(frozen=True)
class Field:
    """One field of a model: `attribute` is what reading it gives, `argument` what the constructor takes."""

    wire: str
    name: str
    attribute: str
    argument: str
    read: str
    doc: str


class ModelFields:
    """The fields of one model, and the modules that its own has to import."""

    def __init__(self, model: ModelProperty, contract: Contract) -> None:
        self.schema = contract.document["components"]["schemas"].get(annotations.schema_name(model), {})
        props = annotations.model_fields(model)
        self.fields = [self._field(prop, contract) for prop in props]
        itself = {(model.class_info.module_name, model.class_info.name)}
        self.models = sorted({pair for prop in props for pair in annotations.models_of(prop)} - itself)
        self.enums = sorted({pair for prop in props for pair in annotations.enums_of(prop)})
        gaps = section("Not shown", gap_lines(self.schema.get("x-not-shown", ())))
        self.doc = docstring(sentence(model.description) or f"{model.class_info.name}.", gaps)

    def _field(self, prop: Property, contract: Contract) -> Field:
        wire = plain(prop.name)
        schema = contract.property_schema(self.schema, wire)
        known = tuple(schema.get("x-known-values", ()))
        default = schema.get("default")
        text = sentence(prop.description or schema.get("description")) or f"`{wire}` of the response."
        return Field(
            wire=wire,
            name=python_name(wire, TAKEN),
            attribute=annotations.answer_type(prop, always=prop.required or default is not None, known=known),
            argument=annotations.answer_type(prop, always=False, known=known),
            read=annotations.read(prop, f"self._data.get({wire!r}{'' if default is None else f', {default!r}'})"),
            doc=docstring(text, section("Not shown", gap_lines(gaps_below(schema, "")))),
        )
