"""Values of a wrong kind: a text for a list, a number for a text, a word that is none of the known ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codegen.contract.checks.lamps import LIST, SCHEMAS, SIZE, check_edit

ID = "      operationId: list_organization_lamps\n"
LAMP_ID = "        lamp_id:\n          type: string\n"
LAMP_STATE = "        state:\n          type: string\n"

WRONG_KINDS = [
    (("        minimum: 1\n", '        maxItems: "5"\n'), f"{SIZE}/schema/maxItems", "write `5` without quotes"),
    (
        ("          schema: {type: string}\n", '          schema: "#/components/schemas/Lamp"\n'),
        f"{LIST}/parameters/1/schema",
        'write `$ref: "#/components/schemas/Lamp"`',
    ),
    (
        (LAMP_ID, f"        required: [lamp_id]\n{LAMP_ID}"),
        f"{SCHEMAS}/Lamp/properties/required",
        "check its indentation: it belongs beside `properties`",
    ),
    (("tags: [lamps]", "tags: lamps"), f"{LIST}/tags", "must be a list, and is the text `lamps`; write `[lamps]`"),
    (("tags: [lamps]", "tags: [5]"), f"{LIST}/tags/0", 'must be text, and is the number 5; put it in quotes: `"5"`'),
    (("tags: [lamps]", "tags:"), f"{LIST}/tags", "must be a list, and is empty; write it, or check the indentation"),
    (("required: [lamp_id]", "required: lamp_id"), f"{SCHEMAS}/Lamp/required", "write `[lamp_id]`"),
    (
        (LAMP_STATE, f"{LAMP_STATE}          required: true\n"),
        f"{SCHEMAS}/Lamp/properties/state/required",
        "write `required: [state]` beside",
    ),
    (
        ("enum: [red, blue]", "enum: red"),
        f"{SCHEMAS}/Lamp/properties/color/enum",
        "must be a list, and is the text `red`",
    ),
    (("enum: [red, blue]", "enum: []"), f"{SCHEMAS}/Lamp/properties/color/enum", "is empty; add at least one entry"),
    ((ID, "      operationId: 5\n"), f"{LIST}/operationId", "must be text, and is the number 5"),
    ((ID, "      operationId:\n"), f"{LIST}/operationId", "must be text, and is empty"),
    (('version: "3"', "version: 3"), "#/info/version", 'put it in quotes: `"3"`'),
    (("openapi: 3.1.0", "openapi: 3.1"), "#/openapi", "must be text, and is the number 3.1"),
    (("      required: false\n", '      required: "no"\n'), f"{SIZE}/required", "write `false` without quotes"),
    (
        ("        minimum: 1\n", '        minimum: "1"\n'),
        f"{SIZE}/schema/minimum",
        "must be a number, and is the text `1`",
    ),
    (("        minimum: 1\n", "        minLength: -1\n"), f"{SIZE}/schema/minLength", "a whole number from 0"),
    (
        ("        minimum: 1\n", "        exclusiveMinimum: true\n"),
        f"{SIZE}/schema/exclusiveMinimum",
        "is a number in OpenAPI 3.1",
    ),
    (
        ('        - $ref: "#/components/parameters/Size"\n', "        - Size\n"),
        f"{LIST}/parameters/0",
        'write `$ref: "#/components/parameters/Size"`',
    ),
    ((LAMP_ID, "        lamp_id: string\n"), f"{SCHEMAS}/Lamp/properties/lamp_id", "write `{type: string}`"),
    (("        - user: [ViewLamps]\n", "        - user\n"), f"{LIST}/security/0", "write `user: []`"),
    (("- user: [ViewLamps]", "- user: ViewLamps"), f"{LIST}/security/0/user", "write `[ViewLamps]`"),
    (
        (
            '          oneOf:\n            - $ref: "#/components/schemas/Bulb"\n',
            "          oneOf: Bulb\n          anyOf:\n",
        ),
        f"{SCHEMAS}/Lamp/properties/bulb/oneOf",
        "must be a list",
    ),
    (
        (
            '          allOf:\n            - $ref: "#/components/schemas/Shade"\n',
            "          allOf: []\n          anyOf:\n",
        ),
        f"{SCHEMAS}/Lamp/properties/shade/allOf",
        "is empty",
    ),
    (
        ("          type: number", "          type: nmuber"),
        f"{SCHEMAS}/Bulb/properties/watts/type",
        "did you mean `number`?",
    ),
    (
        ("          type: number", "          type: float"),
        f"{SCHEMAS}/Bulb/properties/watts/type",
        "did you mean `number`?",
    ),
    (
        ("          type: number", "          type: file"),
        f"{SCHEMAS}/Bulb/properties/watts/type",
        "and `format: binary`",
    ),
    (
        ('type: [string, "null"]', "type: [string, null]"),
        f"{SCHEMAS}/Lamps/properties/next/type/1",
        'put it in quotes: `"null"`',
    ),
    (
        ("in: query\n      required", "in: qurey\n      required"),
        f"{SIZE}/in",
        "`qurey` is unknown here; did you mean `query`?",
    ),
    (("in: query\n      required", "in: body\n      required"), f"{SIZE}/in", "write the body as `requestBody`"),
    (
        ("          in: query\n", "          in: query\n          style: frm\n"),
        f"{LIST}/parameters/1/style",
        "did you mean `form`?",
    ),
    (("type: http,", "type: htp,"), "#/components/securitySchemes/user/type", "did you mean `http`?"),
    (
        ("x-permission-level: organization", "x-permission-level: planet"),
        f"{LIST}/x-permission-level",
        "write `enterprise` or",
    ),
    (
        ("        - id: lamps-lit\n          text: Only those that are lit.\n", "        - lamps-lit\n"),
        f"{LIST}/x-rules/1",
        "must be a mapping (rule)",
    ),
    (
        ("x-known-values: [lit]", "x-known-values: lit"),
        f"{SCHEMAS}/Lamp/properties/state/x-known-values",
        "write `[lit]`",
    ),
    (
        ("x-id-prefix: lamp-", "x-id-prefix: [lamp-]"),
        "#/paths/~1v3~1organizations~1{org_id}~1lamps~1{lamp_id}/parameters/1/x-id-prefix",
        "must be text",
    ),
]


@pytest.mark.parametrize(("edit", "place", "words"), WRONG_KINDS)
def test_a_value_of_a_wrong_kind_is_told_with_what_to_write(
    tmp_path: Path, edit: tuple[str, str], place: str, words: str
) -> None:
    check_edit(tmp_path, edit, place, words)
