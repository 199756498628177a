"""Describe the fields of a model for its template."""

from __future__ import annotations

import attrs
from openapi_python_client.parser.properties.model_property import ModelProperty
from openapi_python_client.parser.properties.protocol import PropertyProtocol as Property

from codegen.contract import ENVELOPE, Contract, gaps_below, python_name
from codegen.render import properties
from codegen.render.docstrings import docstring, not_shown, plain, sentence

# Names that the base class of the models uses.
TAKEN = frozenset({"from_dict", "to_dict", "view", "item", "decode", "unknown_fields"})


@attrs.frozen
class Field:
    """One field of a model.

    Attributes:
        wire: The name in JSON.
        name: The name in Python.
        attribute: The type of the attribute.
        argument: The type of the constructor's argument.
        read: The expression that reads it from `self._data`.
        required: The contract calls it required.
        doc: The docstring, quoted.
    """

    wire: str
    name: str
    attribute: str
    argument: str
    read: str
    required: bool
    doc: str


class ModelFields:
    """The fields of one model, and the modules that it has to import."""

    def __init__(self, model: ModelProperty, contract: Contract) -> None:
        self.schema = contract.schemas.get(properties.schema_name(model), {})
        props = properties.model_fields(model)
        self.is_page = set(ENVELOPE) <= {plain(prop.name) for prop in props}
        self.fields = [self._field(prop, contract) for prop in props]
        self.required = sorted(field.wire for field in self.fields if field.required)
        itself = {(model.class_info.module_name, model.class_info.name)}
        self.models = sorted({pair for prop in props for pair in properties.models_of(prop)} - itself)
        self.enums = sorted({pair for prop in props for pair in properties.enums_of(prop)})
        gaps = not_shown(self.schema.get("x-not-shown", ()))
        self.doc = docstring(sentence(model.description) or f"{model.class_info.name}.", gaps)

    def _field(self, prop: Property, contract: Contract) -> Field:
        wire = plain(prop.name)
        schema = contract.property_schema(self.schema, wire)
        known = tuple(schema.get("x-known-values", ()))
        default = schema.get("default")
        # The pager relies on these two: `items` is required, and `has_next_page` has a default.
        always = prop.required or default is not None or (self.is_page and wire in ("items", "has_next_page"))
        deprecated = "Deprecated. " if schema.get("deprecated") else ""
        text = sentence(prop.description or schema.get("description")) or f"The `{wire}` that the server sent."
        return Field(
            wire=wire,
            name=python_name(wire, TAKEN),
            attribute=properties.attribute_type(prop, always=always, known=known),
            argument=properties.attribute_type(prop, always=False, known=known),
            read=properties.read(prop, f"self._data.get({wire!r}{'' if default is None else f', {default!r}'})"),
            required=prop.required,
            doc=docstring(deprecated + text, not_shown(gaps_below(schema, ""))),
        )
