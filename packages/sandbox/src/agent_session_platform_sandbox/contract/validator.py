"""The validator of schemas: JSON Schema 2020-12 with the discriminators of OpenAPI."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend  # pyright: ignore[reportUnknownVariableType]  # it has no types

from .json_values import is_object

Node = dict[str, Any]

Discriminated: TypeAlias = Callable[[Node], tuple[str, dict[str, list[Any]]]]
"""Returns the name of the discriminator of a schema, and the variants that each of its values may choose."""

ANY_OF: Any = Draft202012Validator.VALIDATORS["anyOf"]


def validator_class(discriminated: Discriminated) -> type[Validator]:
    """Return the class of the validators of a document.

    A value that fits several variants is valid: as objects are open, few contracts say which members exclude each
    other. A discriminator chooses the variant.
    """

    def check_variants(validator: Any, variants: list[Any], value: Any, schema: Node) -> Iterator[ValidationError]:
        name, by_value = discriminated(schema) if "discriminator" in schema else ("", {})
        chosen = value.get(name) if by_value and is_object(value) else None
        if not isinstance(chosen, str):
            yield from ANY_OF(validator, variants, value, schema)
        elif chosen not in by_value:
            message = f"{chosen!r} is not one of {[*by_value]}"
            yield ValidationError(message, "enum", [name], instance=chosen, validator_value=[*by_value], schema=schema)
        elif len(by_value[chosen]) == 1:
            yield from validator.descend(value, by_value[chosen][0])
        else:
            yield from ANY_OF(validator, by_value[chosen], value, schema)

    make: Callable[..., type[Validator]] = extend  # pyright: ignore[reportUnknownVariableType]
    return make(Draft202012Validator, {"oneOf": check_variants, "anyOf": check_variants})
