"""Each mistake in a small contract is reported with its line, its place and a remedy."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from codegen.contract.contract import declaration_findings, example_findings, schema_findings
from codegen.contract.document import Document
from codegen.contract.source import ContractError, Source
from tests.codegen.contract.lamps import LAMPS, findings

SCHEMAS, BULB = "#/components/schemas/", "Bulb:\n      type: object"
GET = "lamps]\n      operationId: get_organization_lamp"
# For each edit: the text to replace, the new text, the reported line, and a part of the message.
YAML = [
    ("operationId:", " operationId:", 16, "not valid YAML: while parsing a block mapping: did not find expected key"),
    ("      operationId:", "\toperationId:", 16, "check the indentation, and the quotes and brackets above"),
    ("List the lamps.", "*lamps", 17, "an alias: write it out, or use `$ref`"),
    ("List the lamps.", "!lamps a", 17, "get/summary: the YAML tag `!lamps` is not supported; remove it"),
    ("List the lamps.", ".nan", 17, "get/summary: `.nan` is not a number in JSON; write a number, or quote it"),
    ("lamps.\n", "lamps.\n      summary: List the lamps.\n", 18, "/summary: `summary` is there already, in line 17"),
    ('"200":', "200:", 37, 'responses/200: the key `200` is not text in YAML; put it in quotes: `"200"`'),
    ("summary: List the lamps.", "? [a, b]\n      : c", 17, "a key that is not text"),
]
KEYWORDS = [
    ("description: A lamp.\n      type:", "desciption: A lamp.\n      type:", 119, "did you mean `description`?"),
    ("      operationId:", "      servers: []\n      operationId:", 16, "`servers` is no keyword of `operation`"),
    ("x-permission-level:", "x-permision-level:", 20, "`x-permision-level` is no keyword of `operation`"),
    (
        "description: Its",
        "nullable: true\n          description: Its",
        126,
        "is no keyword of `schema`; write `type: [..., ",
    ),
    ("application/json:\n          schema:", "aplication/json:\n          schema:", 96, "it is not a media type; wr"),
]
KINDS = [
    ("[lamps]", "lamps", 15, 'the text `lamps` breaks `type: "array"`; correct it'),
    ("query\n", "query\n          style: frm\n", 34, "did you mean `form`?"),
]
NO_BOOLEAN = "write `{}` with a description for any value, or remove what may have no value"
KINDS += [
    (old, new, line, f'{place}: `{value}` breaks `type: "object"`; {NO_BOOLEAN}')
    for value in ("true", "false")
    for old, new, line, place in (
        ("\n    Bulb:\n", f"\n    Any: {value}\n    Bulb:\n", 154, "#/components/schemas/Any"),
        ("total:\n          type: integer", f"total: {value}", 116, "Lamps/properties/total"),
        ("schema: {type: string}\n", f"schema: {value}\n", 35, "parameters/1/schema"),
        ('Shade"\n          disc', f'Shade"\n            - {value}\n          disc', 144, "bulb/oneOf/2"),
    )
]
NOTHING_ALLOWED = "next:\n          prefixItems: [false]\n          example: [7]"
VALUES = [
    ('next:\n          type: [string, "null"]', NOTHING_ALLOWED, 116, "a value where the schema `false` allows none"),
    ("blue", "5", 128, '`5` breaks `type: "string"`; put it in quotes: `"5"`'),
    ("label:\n          type: string", 'label:\n          type: string\n          pattern: "[a-"', 154, "correct it"),
    ("date-time", "datetime", 134, "made_at/format: the format `datetime` is unknown; did you mean `date-time`?"),
    ("lamp_id]", "lamp_id, x]", 121, "required: `x` is not a property, but required; correct it"),
    ("kind", "knid", 144, "/propertyName: `knid` is not a property of each alternative"),
    ("label:\n", '"":\n', 152, "give the member a name"),
    ("color: red", "color: rde", 146, 'the text `rde` breaks `enum: ["red", "blue"]`; did you mean `red`?'),
    ("lamp_id: lamp-1,", "", 146, "`lamp_id` is missing; add it"),
    ('"2026-11-20T09:00:00Z"', "yesterday", 146, 'the text `yesterday` breaks `format: "date-time"`; correct it'),
]
TWO_KINDS = """user: {type: http, scheme: bearer, x-credential-prefix: key_}
    robot: {type: http, scheme: bearer, x-credential-prefix: key_}"""
OPERATIONS = [
    ("user: {type: http, scheme: bearer}", TWO_KINDS, 76, "the credential prefix `key_` is also at #/comp"),
    ("create_organization_lamp", "list_organization_lamps", 45, "change one operationId"),
    ("list_organization_lamps", "list lamps", 16, "/operationId: the text `list lamps` breaks `pattern: "),
    ("user: [ViewLamps]", "{user: [], usr: []}", 19, "one credential: write an entry for each"),
    ("organization.lamps.list", "organization.lamps.lst", 69, "did you mean `organization.lamps.list`?"),
    ("v3/organizations/{org_id}/lamps:", "v4/lamps{org_id*}:", 14, "is not a path that the SDK can send"),
    ("organizations/{org_id}/lamps:", "enterprise/{org_id}/{org_id}:", 14, "has the parameters org_id, org_id, and de"),
    ("lamp_id,", "id,", 65, "has the parameters org_id, lamp_id, and declared are org_id, id; name"),
    (
        "cursor\n          in: query",
        "Accept\n          in: header",
        32,
        "parameters/1: the header parameter Accept is set by",
    ),
    ('"200":', '"303":', 37, "the SDK cannot use a 3xx response: remove it"),
    ("query\n", "cookie\n", 33, 'parameters/1/in: the text `cookie` breaks `not: {"const": "cookie"}`; the SDK sends'),
    ("query\n", "query\n          style: simple\n", 34, "write `form`, `spaceDelimited`, `pipeDelimited` or `deepObje"),
    ("3.1.0", "3.0.3", 1, 'the text `3.0.3` breaks `pattern: "^3\\\\.1\\\\.\\\\d+(-.+)?$"`; correct it'),
    ("      operationId: list_organization_lamps\n", "", 14, "/get: `operationId` is missing; add it"),
    ("list_organization_lamps", "create_lamp", 45, "its words that are not in scope and tag"),
    ("ViewLamps]", "ViewLamps, SeeLamps]", 14, "list one in every entry"),
    ("path\n", "query\n", 14, "/get: the path has the parameters org_id, and declared are none; name"),
    ("lamps/{lamp_id}", "lamps/{lamp_id*}", 65, "is not a path that the SDK can send"),
    ("user: [ViewLamps]", "usr: []", 14, "the credential usr is not declared; add it to"),
    ('"200":', "4XX:", 14, "no success is declared; write its status, or `2XX` where that is not shown"),
    (
        "query\n",
        "query\n          schema: {type: string}\n        - name: cursor\n          in: query\n",
        35,
        "is also at",
    ),
]
REFERENCES = [
    ('Lamps"', 'Lapms"', 42, "/$ref: `#/components/schemas/Lapms` is not defined"),
    ('"#/components/schemas/Lamps"', "other.yaml#/Chair", 42, "define the schema below `#/components`"),
    ("schemas/Lamps", "responses/Lamp", 42, "/$ref: `#/components/responses/Lamp` is a response, and not a schema"),
    ("kind}", 'kind, mapping: {bulb: "#/components/schemas/Bulp"}}', 144, "did you mean `#/components/schemas/Bulb`?"),
    ('Size"', 'Size"\n          in: x', 32, "`in` is no keyword of `reference`; correct or remove it"),
    ("type: number", f'$ref: "{SCHEMAS}Bulb/properties/watts"', 159, "circle"),
    (BULB, f'{BULB}\n      allOf: [$ref: "{SCHEMAS}Bulb"]', 154, "write out one of the"),
]
REGISTRIES = [
    ("MakeLamps]", "MakeLamps]\n      x-legacy: v1/lamps", 48, 'the text `v1/lamps` breaks `pattern: "^/"`; correct i'),
    ("lamps-lit", "lamps-newest", 24, "an id is used once: change one"),
    ("MakeLamps]", "MakeLamps]\n      x-not-shown: [{id: lamp-list-errors, what: A.}]", 48, "the gap `lamp-list-err"),
    ("MakeLamps", "MakeLamps]\n      x-rules: [id: lamps-nwest", 48, "did you mean `lamps-newest`?"),
    ("data", "dta", 29, "x-pagination/items: `dta` is not an argument or a member of the response; did you mean `data"),
    ("cursor}", "cursr}", 29, "x-pagination/after: `cursr` is not an argument or a member of the response; did you me"),
    (
        "cursor}\n      parameters:",
        "mark}\n      requestBody: {content: {application/json: {schema: {type: object, properties: {mark: {}}}}}}"
        "\n      parameters:",
        29,
        "x-pagination/after: the cursor `mark` is a member of the request body, and the SDK sends cursors in the q",
    ),
    ("MakeLamps]", "MakeLamps]\n      x-wildcard: true", 48, "it belongs to another object"),
]
JOBS = [
    ("list_organization_lamps\n", "list_organization_lamps\n      x-follow: {id: lamp}\n", 17, "did you mean `lamp_id"),
    ("create_organization_lamp\n", "create_organization_lamp\n      x-follow: {}\n", 46, "`create` is not a list, whi"),
    (GET, GET + "\n      x-wait: {gone: [colour]}", 68, "did you mean `color`?"),
    (GET, GET + "\n      x-wait: {list: get_organization_lamp}", 68, "did you mean `list_organization_lamps`?"),
    (GET, GET + "\n      x-wait: {list: create_organization_lamp}", 68, "list of the same scope whose items are shown"),
    ("create_organization_lamp\n", "create_organization_lamp\n      x-wait: {}\n", 46, "`POST` is not a GET of an obj"),
]


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [*YAML, *KEYWORDS, *KINDS, *VALUES, *OPERATIONS, *REFERENCES, *REGISTRIES, *JOBS],
)
def test_a_mistake_is_told_with_its_line_and_the_way_out(
    tmp_path: Path, old: str, new: str, line: int, words: str
) -> None:
    assert old in LAMPS
    found = findings(LAMPS.replace(old, new, 1), tmp_path)
    assert [each for each in found if each.startswith(f"openapi.yaml:{line}: ") and words in each], found
    assert all("; " in each for each in found), "a finding says what to do"


def test_a_legal_document_of_any_shape_has_no_finding() -> None:
    document = Document(Path(__file__).parent / "shapes.yaml")
    assert [*declaration_findings(document), *schema_findings(document), *example_findings(document)] == []


def test_a_page_whose_cursor_is_in_the_request_body_is_refused_at_the_body(tmp_path: Path) -> None:
    envelope = LAMPS.replace("      x-pagination: {items: data, end_cursor: next, after: cursor}\n", "")
    envelope = envelope.replace("        data:\n", "        items:\n").replace(
        "        next:\n", "        end_cursor:\n"
    )
    members = "has_next_page: {description: More., type: boolean}"
    envelope = envelope.replace("        total:\n", f"        {members}\n        total:\n")
    body = "requestBody: {content: {application/json: {schema: {type: object, properties: {after: {}}}}}}"
    [found] = findings(
        envelope.replace("      x-permission-level", f"      {body}\n      x-permission-level", 1), tmp_path
    )
    assert "/get/requestBody: the cursor `after` is a member of the request body" in found


def test_the_contract_before_its_edits_has_no_finding(tmp_path: Path) -> None:
    assert findings(LAMPS, tmp_path) == []


def test_a_misspelled_keyword_is_one_finding_and_what_it_hides_is_none(tmp_path: Path) -> None:
    assert len(findings(LAMPS.replace("\ncomponents:", "\ncomponets:"), tmp_path)) == 1


def test_all_mistakes_of_the_structure_are_told_at_once(tmp_path: Path) -> None:
    text = LAMPS.replace("tags: [lamps]", "tags: lamps").replace("summary:", "sumary:")
    assert len(findings(text, tmp_path)) == 4


@pytest.mark.parametrize(
    "responses", ["", "      responses:\n", "      responses: {}\n", "      responses: {x-a: 1}\n"]
)
def test_an_operation_without_responses_is_told(tmp_path: Path, responses: str) -> None:
    operation = LAMPS[LAMPS.index("      responses:\n") : LAMPS.index("    post:\n")]
    found = findings(LAMPS.replace(operation, responses, 1), tmp_path)
    assert "responses" in found[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", '1: #: `null` breaks `type: "object"`; it begins with `openapi: 3.1.0`'),
        ("- a\n", '1: #: `["a"]` breaks `type: "object"`; it begins with'),
        ("a: b\x07\n", "1: #: a character that YAML does not allow"),
        ('a: "\\0"\n', "1: #/a: a text with the character NUL, which no file may have; remove it"),
        ('"a\\0b": 1\n', "1: #: a key that is not text, or has a NUL"),
        (f"a: {'9' * 5000}\n", "1: #/a: a number of 5,000 digits"),
        (f"a: 0x{'f' * 4200}\n", "1: #/a: a number of 4,202 digits"),
        ("a: 1e999\n", "1: #/a: `1e999` is not a number in JSON"),
        (f"a: {'[' * 100_000}", "1: #: nested too deeply; use `$ref`"),
    ],
    ids=str.split("empty list control-character nul nul-in-a-key digits hexadecimal infinite deep"),
)
def test_hostile_text_is_told(tmp_path: Path, text: str, words: str) -> None:
    [found] = findings(text, tmp_path)
    assert found.startswith(f"openapi.yaml:{words}")


def test_aliases_that_stand_for_billions_of_values_are_refused(tmp_path: Path) -> None:
    lines = (f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in pairwise("abcdefghijklm"))
    found = findings("a: &a [x]\n" + "".join(lines), tmp_path)
    assert found[0].startswith("openapi.yaml:2: #: not valid YAML: an alias: write it out, or use `$ref`")


def test_a_file_that_is_not_utf_8_is_told_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "openapi.yaml"
    path.write_bytes(b"a: b\nc: \xff\n")
    with pytest.raises(ContractError, match=r"^openapi\.yaml:2: #: not UTF-8; save the file as UTF-8$"):
        Source(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match=r"^openapi\.yaml:1: #: cannot be read \(No such file or directory\)"):
        Source(tmp_path / "openapi.yaml")


def test_plain_words_and_dates_are_text_as_in_yaml_1_2() -> None:
    text = "[on, no, 2026-11-20, 1:30, 0x1f, 1e3, ~, true, 007]"
    expected = ["on", "no", "2026-11-20", "1:30", 31, 1000.0, None, True, 7]
    assert Source(Path("openapi.yaml"), text).document == expected
