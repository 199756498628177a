"""Keywords that are unknown, missing or have a value of the wrong kind."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from codegen.contract.checks import check
from codegen.contract.source import Source
from tests.codegen.contract.checks.lamps import LAMPS, LAMPS_PATH, LIST, SCHEMAS, SIZE, check_edit, findings

ID = "      operationId: list_organization_lamps\n"
STATUS = '        "200":\n          description: The lamps.\n'
CONTENT = LAMPS[LAMPS.index("          content:") : LAMPS.index("    post:")]
COLOR = "          description: Its color.\n          type: string\n"

WRONG_KEYWORDS = [
    ((ID, "      operationID: list_organization_lamps\n"), f"{LIST}/operationID", "did you mean `operationId`?"),
    (("      responses:\n", "      responces:\n"), f"{LIST}/responces", "did you mean `responses`?"),
    (
        ("      description: A lamp.\n      type", "      desciption: A lamp.\n      type"),
        f"{SCHEMAS}/Lamp/desciption",
        "`description`",
    ),
    (("      required: [lamp_id]", "      requried: [lamp_id]"), f"{SCHEMAS}/Lamp/requried", "`required`"),
    (("      properties:\n", "      propertes:\n"), f"{SCHEMAS}/Lamps/propertes", "`properties`"),
    (("    get:\n", "    gte:\n"), f"{LAMPS_PATH}/gte", "did you mean `get`?"),
    (("    get:\n", "    GET:\n"), f"{LAMPS_PATH}/GET", "did you mean `get`?"),
    (("\ncomponents:\n", "\ncomponets:\n"), "#/componets", "did you mean `components`?"),
    (("  schemas:\n", "  shemas:\n"), "#/components/shemas", "did you mean `schemas`?"),
    (("paths:\n", "path:\n"), "#/path", "did you mean `paths`?"),
    (("  - url:", "  - uri:"), "#/servers/0/uri", "did you mean `url`?"),
    (("x-permission-level:", "x-permision-level:"), f"{LIST}/x-permision-level", "did you mean `x-permission-level`?"),
    (
        (ID, f"{ID}      colour: red\n"),
        f"{LIST}/colour",
        "is not a keyword of an operation; check its indentation, remove it",
    ),
    (
        (CONTENT, textwrap.indent(textwrap.dedent(CONTENT), "        ")),
        f"{LIST}/responses/content",
        "it belongs to a response: move it there",
    ),
    (
        ("          schema: {type: string}", "          type: string"),
        f"{LIST}/parameters/1/type",
        "write `schema: {type: ...}`",
    ),
    (
        (COLOR, f"          nullable: true\n{COLOR}"),
        f"{SCHEMAS}/Lamp/properties/color/nullable",
        'type: [string, "null"]',
    ),
    (
        ("          schema:\n            $ref", "          $ref"),
        "#/components/requestBodies/Lamp/content/application~1json/$ref",
        "belongs to `schema`; write `schema:` above it",
    ),
    (("openapi: 3.1.0\n", 'swagger: "2.0"\n'), "#/swagger", "is of OpenAPI 2.0; write `openapi: 3.1.0`"),
    (
        ("x-pagination: {items: data,", "x-pagination: {item: data,"),
        f"{LIST}/x-pagination/item",
        "did you mean `items`?",
    ),
]

WRONG_KEYS = [
    (
        ('"200":\n          description: The', '"20O":\n          description: The'),
        f"{LIST}/responses/20O",
        "a status is `200` to `599`",
    ),
    (
        ('"200":\n          description: The', '"999":\n          description: The'),
        f"{LIST}/responses/999",
        "a status is",
    ),
    (
        ('"200":\n          description: The', "2xx:\n          description: The"),
        f"{LIST}/responses/2xx",
        "write `2XX`",
    ),
    (("  /v3/organizations/{org_id}/lamps:\n", "  v3/lamps:\n"), "#/paths/v3~1lamps", "write `/v3/lamps`"),
    (
        ("        application/json:\n          schema:\n", "        json:\n          schema:\n"),
        "#/components/requestBodies/Lamp/content/json",
        "a media type is written as `application/json`",
    ),
    (
        ("        application/json:\n          schema:\n", "        aplication/json:\n          schema:\n"),
        "#/components/requestBodies/Lamp/content/aplication~1json",
        "did you mean `application/json`?",
    ),
    (("    Bulb:\n", "    The Bulb:\n"), f"{SCHEMAS}/The Bulb", "a name has only letters"),
]

MISSING = [
    ((STATUS, '        "200":\n'), f"{LIST}/responses/200", "a response without `description`; add it", '"200":'),
    (("info: {title: Lamps,", "info: {"), "#/info", "the info without `title`", 'info: { version: "3"}'),
    (("      name: size\n", ""), SIZE, "a parameter without `name`", "Size:"),
    (("      in: query\n      required", "      required"), SIZE, "a parameter without `in`", "Size:"),
    (
        ("        - id: lamp-list-errors\n          what: The statuses.\n", "        - id: lamp-list-errors\n"),
        f"{LIST}/x-not-shown/0",
        "a gap without `what`",
        "- id: lamp-list-errors",
    ),
    (
        ("        - id: lamps-newest\n          text:", "        - text:"),
        f"{LIST}/x-rules/0",
        "a rule without `id`",
        "- text: The newest first.",
    ),
]


@pytest.mark.parametrize(("edit", "place", "words"), [*WRONG_KEYWORDS, *WRONG_KEYS])
def test_a_wrong_keyword_is_told_with_its_place(tmp_path: Path, edit: tuple[str, str], place: str, words: str) -> None:
    check_edit(tmp_path, edit, place, words)


@pytest.mark.parametrize(("edit", "place", "words", "line"), MISSING)
def test_a_missing_keyword_is_told_with_the_place_of_its_object(
    tmp_path: Path, edit: tuple[str, str], place: str, words: str, line: str
) -> None:
    check_edit(tmp_path, edit, place, words, line)


@pytest.mark.parametrize(
    ("responses", "words"),
    [
        ("", "an operation without `responses`; add it"),
        ("      responses:\n", "`responses` must be a mapping, and is empty"),
        ("      responses: {}\n", "`responses` is empty"),
        ("      responses: []\n", "`responses` must be a mapping, and is a list"),
    ],
)
def test_an_operation_without_responses_is_told(tmp_path: Path, responses: str, words: str) -> None:
    operation = LAMPS[LAMPS.index("      responses:\n") : LAMPS.index("    post:\n")]
    [found] = findings(LAMPS.replace(operation, responses, 1), tmp_path)
    assert f"{LIST}" in found
    assert words in found


def test_a_misspelled_keyword_is_one_finding_and_what_it_hides_is_none(tmp_path: Path) -> None:
    assert len(findings(LAMPS.replace("\ncomponents:", "\ncomponets:"), tmp_path)) == 1


def test_all_findings_are_told_at_once(tmp_path: Path) -> None:
    text = LAMPS.replace("tags: [lamps]", "tags: lamps").replace("summary:", "sumary:")
    assert len(findings(text, tmp_path)) == 4


def test_a_legal_document_of_any_shape_has_no_finding() -> None:
    path = Path(__file__).parent / "shapes.yaml"
    assert check(Source(path)) == []


def test_the_contract_before_its_edits_has_no_finding(tmp_path: Path) -> None:
    assert findings(LAMPS, tmp_path) == []
