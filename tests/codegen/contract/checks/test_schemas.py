"""Schemas that contradict themselves, and examples that they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codegen.contract.checks.lamps import LIST, SCHEMAS, SIZE, check_edit

COLOR = f"{SCHEMAS}/Lamp/properties/color"
LABEL = "        label:\n          type: string\n"
DATA = '          type: array\n          items:\n            $ref: "#/components/schemas/Lamp"\n'
EXAMPLE = f"{SCHEMAS}/Lamp/examples/0"
STATE = f"{SCHEMAS}/Lamp/properties/state"
BODY = "#/components/requestBodies/Lamp/content"

WRONG_SCHEMAS = [
    (("enum: [red, blue]", "enum: [red, blue, red]"), f"{COLOR}/enum/2", "the value `red` is there twice"),
    (
        ("enum: [red, blue]", "enum: [red, 5]"),
        f"{COLOR}/enum/1",
        'the number 5 is not of the type `string`; put it in quotes: `"5"`',
    ),
    (("enum: [red, blue]", "enum: [red, true]"), f"{COLOR}/enum/1", "`true` is not of the type `string`"),
    (("enum: [red, blue]", "const: 5"), f"{COLOR}/const", "is not of the type `string`"),
    (
        ("        minimum: 1\n", "        minimum: 500\n"),
        f"{SIZE}/schema/minimum",
        "`minimum` 500 is greater than `maximum` 200",
    ),
    (("        minimum: 1\n", "        multipleOf: 0\n"), f"{SIZE}/schema/multipleOf", "write a number above 0"),
    (
        ("        minimum: 1\n", "        minLength: 1\n"),
        f"{SIZE}/schema/minLength",
        "has no effect on the type `integer`, but on `string`",
    ),
    (
        (LABEL, f'{LABEL}          pattern: "[a-"\n'),
        f"{SCHEMAS}/Shade/properties/label/pattern",
        "is no regular expression",
    ),
    (
        ("format: date-time", "format: datetime"),
        f"{SCHEMAS}/Lamp/properties/made_at/format",
        "did you mean `date-time`?",
    ),
    (
        ("required: [lamp_id]", "required: [lamp_ids]"),
        f"{SCHEMAS}/Lamp/required/0",
        "and not a property; did you mean `lamp_id`?",
    ),
    (
        ("required: [lamp_id]", "required: [lamp_id, x]"),
        f"{SCHEMAS}/Lamp/required/1",
        "`x` is required and not a property; add it",
    ),
    (("required: [lamp_id]", "required: [lamp_id, lamp_id]"), f"{SCHEMAS}/Lamp/required/1", "is there twice"),
    (
        ("required: [label]", "required: [lable]"),
        f"{SCHEMAS}/Lamp/properties/shade/allOf/1/required/0",
        "did you mean `label`?",
    ),
    (
        ("{propertyName: kind}", "{propertyName: knid}"),
        f"{SCHEMAS}/Lamp/properties/bulb/discriminator/propertyName",
        "did you mean `kind`?",
    ),
    (("x-known-values: [lit]", "x-known-values: [1]"), f"{STATE}/x-known-values/0", "is not of the type `string`"),
    (("x-known-values: [lit]", "x-known-values: [lit, lit]"), f"{STATE}/x-known-values/1", "is there twice"),
    (
        (
            "        application/json:\n          schema:\n            $ref:",
            "        application/json:  # no schema\n          x-a:\n            b:",
        ),
        f"{BODY}/application~1json",
        "without `schema`; add it",
    ),
    (
        (
            "        application/json:\n          schema:\n            $ref",
            "        application/jsn:\n          schema:\n            $ref",
        ),
        f"{BODY}/application~1jsn",
        "did you mean `application/json`?",
    ),
]

WRONG_EXAMPLES = [
    (
        ("default: 100", "default: 500"),
        f"{SIZE}/schema/default",
        "the default does not match its schema: `500` breaks `maximum: 200`",
    ),
    (("default: 100", 'default: "100"'), f"{SIZE}/schema/default", "the text `100` is not of the type `integer`"),
    (("example: 100", "example: many"), f"{SIZE}/example", "the text `many` is not of the type `integer`"),
    (("color: red", "color: rde"), f"{EXAMPLE}/color", "`rde` is not in `enum`; did you mean `red`?"),
    (("color: red", "colour: red"), f"{EXAMPLE}/colour", "`colour` is not a property; did you mean `color`?"),
    (("{lamp_id: lamp-1,", "{"), EXAMPLE, "`lamp_id` is missing; add it, or remove it from `required`"),
    (('"2026-11-20T09:00:00Z"', "yesterday"), f"{EXAMPLE}/made_at", "does not have the format `date-time`"),
    (
        ("enum: [red, blue]", "enum: [red, blue]\n          default: green"),
        f"{COLOR}/default",
        "`green` is not in `enum`",
    ),
    (
        ("          schema: {type: string}", "          schema: {type: string}\n          example: 5"),
        f"{LIST}/parameters/1/example",
        "put it in quotes",
    ),
]


@pytest.mark.parametrize(("edit", "place", "words"), WRONG_SCHEMAS)
def test_a_wrong_schema_is_told(tmp_path: Path, edit: tuple[str, str], place: str, words: str) -> None:
    check_edit(tmp_path, edit, place, words)


@pytest.mark.parametrize(("edit", "place", "words"), WRONG_EXAMPLES)
def test_an_example_or_default_that_the_schema_refuses_is_told(
    tmp_path: Path, edit: tuple[str, str], place: str, words: str
) -> None:
    check_edit(tmp_path, edit, place, words)


def test_items_of_another_type_than_array_are_told(tmp_path: Path) -> None:
    place, words = f"{SCHEMAS}/Lamps/properties/data/items", "has no effect on the type `object`, but on `array`"
    check_edit(tmp_path, (DATA, DATA.replace("array", "object")), place, words, "          items:")


def test_a_format_of_another_type_is_told(tmp_path: Path) -> None:
    edit = ("          type: number\n", "          type: number\n          format: date\n")
    words = "the format `date` has no effect on the type `number`, but on `string`"
    check_edit(tmp_path, edit, f"{SCHEMAS}/Bulb/properties/watts/format", words)


def test_an_array_without_items_is_told(tmp_path: Path) -> None:
    edit = (DATA, "          type: array\n")
    check_edit(tmp_path, edit, f"{SCHEMAS}/Lamps/properties/data", "an array without `items`; add", "        data:")
