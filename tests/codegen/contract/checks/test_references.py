"""References that point to nothing, to another file, to the wrong kind of object, or in a circle."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codegen.contract.checks.lamps import CREATE, LAMP_PATH, LAMPS, LIST, SCHEMAS, check_edit, findings

PAGE = '"#/components/schemas/Lamps"'
PAGE_REF = f"{LIST}/responses/200/content/application~1json/schema/$ref"
SIZE_REF = f"{LIST}/parameters/0/$ref"
BULB = "    Bulb:\n      type: object\n"

WRONG = [
    ((PAGE, '"#/components/schemas/Lapms"'), PAGE_REF, "is not defined; did you mean `#/components/schemas/Lamps`?"),
    ((PAGE, '"#/components/schemas/Chair"'), PAGE_REF, "is not defined; define it below `#/components/schemas`"),
    ((PAGE, '"#/components/schema/Lamps"'), PAGE_REF, "did you mean `#/components/schemas/Lamps`?"),
    ((PAGE, '"#/definitions/Lamps"'), PAGE_REF, "did you mean `#/components/schemas/Lamps`?"),
    ((PAGE, '"#components/schemas/Lamps"'), PAGE_REF, "did you mean `#/components/schemas/Lamps`?"),
    ((PAGE, "Lamps"), PAGE_REF, "is not in this file; write `#/components/schemas/Lamps`"),
    ((PAGE, '"/components/schemas/Lamps"'), PAGE_REF, "is not in this file; write `#/components/schemas/Lamps`"),
    ((PAGE, "./Lamps.yaml"), PAGE_REF, "is not in this file; write `#/components/schemas/Lamps`"),
    (
        (PAGE, "other.yaml#/Chair"),
        PAGE_REF,
        "the whole contract is in this file: write it below `#/components/schemas`",
    ),
    ((PAGE, "https://example.com/a.json"), PAGE_REF, "`https://example.com/a.json` is not in this file"),
    ((PAGE, "#/components/schemas/Lamps"), PAGE_REF, "`$ref` must be text, and is empty"),
    ((PAGE, "[Lamps]"), PAGE_REF, "`$ref` must be text, and is a list"),
    ((PAGE, '""'), PAGE_REF, "is not in this file"),
    ((PAGE, '"#/components/schemas"'), PAGE_REF, "a schema is expected here"),
    ((PAGE, '"#/info/title"'), PAGE_REF, "`#/info/title` is not a schema"),
    ((PAGE, '"#/components/responses/Lamp"'), PAGE_REF, "is a response, and a schema is expected here; did you mean"),
    (("parameters/Size", "parameters/Sise"), SIZE_REF, "did you mean `#/components/parameters/Size`?"),
    (("parameters/Size", "schemas/Bulb"), SIZE_REF, "is a schema, and a parameter is expected here; define it below"),
    (("requestBodies/Lamp", "requestBodies/Lam"), f"{CREATE}/requestBody/$ref", "`#/components/requestBodies/Lamp`?"),
    (("responses/Lamp", "responses/Lmap"), f"{LAMP_PATH}/get/responses/200/$ref", "`#/components/responses/Lamp`?"),
    (
        (f"{PAGE}\n    post", f'{PAGE}\n          links: {{a: {{$ref: "#/components/links/A"}}}}\n    post'),
        f"{LIST}/responses/200/links/a/$ref",
        "`#/components/links/A` is not defined; define it below `#/components/links`",
    ),
    (
        ("{propertyName: kind}", '{propertyName: kind, mapping: {bulb: "#/components/schemas/Bulp"}}'),
        f"{SCHEMAS}/Lamp/properties/bulb/discriminator/mapping/bulb",
        "did you mean `#/components/schemas/Bulb`?",
    ),
    (
        (
            '        - $ref: "#/components/parameters/Size"\n',
            '        - $ref: "#/components/parameters/Size"\n          in: x\n',
        ),
        f"{LIST}/parameters/0/in",
        "`in` has no effect beside `$ref`",
    ),
    (
        ("    get:\n", '    $ref: "#/components/pathItems/A"\n    get:\n'),
        LIST.removesuffix("/get") + "/$ref",
        "a path item is not found through `$ref`; write its operations here",
    ),
]

CIRCLES = [
    ((BULB, '    Bulb:\n      $ref: "#/components/schemas/Bulb"\n'), f"{SCHEMAS}/Bulb/$ref"),
    (
        (BULB, '    A: {$ref: "#/components/schemas/B"}\n    B: {$ref: "#/components/schemas/A"}\n' + BULB),
        f"{SCHEMAS}/A/$ref",
    ),
    ((BULB, f'{BULB}      allOf: [$ref: "#/components/schemas/Bulb"]\n'), f"{SCHEMAS}/Bulb/allOf/0/$ref"),
    (
        (
            "  parameters:\n    OrgId:\n      name: org_id\n",
            '  parameters:\n    OrgId:\n      $ref: "#/components/parameters/OrgId"\n',
        ),
        "#/components/parameters/OrgId/$ref",
    ),
]


@pytest.mark.parametrize(("edit", "place", "words"), WRONG)
def test_a_wrong_reference_is_told_with_what_is_meant(
    tmp_path: Path, edit: tuple[str, str], place: str, words: str
) -> None:
    check_edit(tmp_path, edit, place, words)


def test_a_section_that_is_gone_is_one_finding(tmp_path: Path) -> None:
    [found] = [each for each in findings(LAMPS[: LAMPS.index("  schemas:")], tmp_path) if "there is no" in each]
    assert "there is no `#/components/schemas`, to which 4 references point; add it" in found


@pytest.mark.parametrize(("edit", "place"), CIRCLES)
def test_a_circle_of_references_is_told(tmp_path: Path, edit: tuple[str, str], place: str) -> None:
    [line] = [line for line in edit[1].splitlines() if "$ref" in line][:1]
    check_edit(tmp_path, edit, place, "a circle of references: ", line)
