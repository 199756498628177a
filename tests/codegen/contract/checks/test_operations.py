"""Wrong operations, paths, parameters, credentials and links."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codegen.contract.checks.lamps import CREATE, LAMP_PATH, LAMPS_PATH, LIST, check_edit

ID = "operationId: list_organization_lamps"
SIZE_REF = '        - $ref: "#/components/parameters/Size"\n'
CURSOR = "        - name: cursor\n          in: query\n"
ORG_ID = "      name: org_id\n      in: path\n      required: true\n"
LINK = f"{CREATE}/responses/201/links/get"
LINK_ARGUMENTS = "{org_id: $request.path.org_id, lamp_id: $response.body#/lamp_id}"
LAMP_ID = "- {name: lamp_id, in: path, required: true,"
PATH = "  /v3/organizations/{org_id}/lamps:\n"
HTTP = "{type: http, scheme: bearer}"

# The line is the first one that the edit changes.
AT_THE_EDIT = [
    (
        ("operationId: create_organization_lamp", ID),
        f"{CREATE}/operationId",
        f"is also that of {LIST}; an id is used once",
    ),
    ((ID, 'operationId: ""'), f"{LIST}/operationId", "is no identifier"),
    ((ID, "operationId: list lamps"), f"{LIST}/operationId", "`list lamps` is no identifier; begin with a letter"),
    ((ID, "operationId: 1list"), f"{LIST}/operationId", "is no identifier"),
    (("tags: [lamps]", "tags: [lmaps]"), f"{LIST}/tags/0", "the tag `lmaps` is not declared; did you mean `lamps`?"),
    (("- user: [ViewLamps]", "- usr: [ViewLamps]"), f"{LIST}/security/0/usr", "is not declared; did you mean `user`?"),
    (("organization.lamps.list", "organization.lamps.lst"), f"{LAMP_PATH}/get/x-successor", "did you mean `organiz"),
    ((PATH, "  /v4/lamps/{org_id}:\n"), "#/paths/~1v4~1lamps~1{org_id}", "is in neither scope"),
    ((PATH, "  /v3/organizations/{org_id/lamps:\n"), "#/paths/~1v3~1organizations~1{org_id~1lamps", "do not match"),
    ((PATH, "  /v3/enterprise/{org_id}?a=b:\n"), "#/paths/~1v3~1enterprise~1{org_id}?a=b", "is more than a path"),
    (
        (PATH, "  /v3/enterprise/{org_id}/{org_id}:\n"),
        "#/paths/~1v3~1enterprise~1{org_id}~1{org_id}",
        "twice; give each",
    ),
    (
        (LAMP_ID, "- {name: id, in: path, required: true,"),
        f"{LAMP_PATH}/parameters/1",
        "has no `{id}`; did you mean `lamp_id`?",
    ),
    (
        (LAMP_ID, "- {name: lamp_id, in: path,"),
        f"{LAMP_PATH}/parameters/1",
        "is always required; write `required: true`",
    ),
    (
        (SIZE_REF, SIZE_REF * 2),
        f"{LIST}/parameters/1",
        f"the query parameter `size` is there already, as {LIST}/parameters/0",
    ),
    (
        (CURSOR, CURSOR.replace("cursor\n          in: query", "Accept\n          in: header")),
        f"{LIST}/parameters/1",
        "has no effect in OpenAPI; remove it and write the media type",
    ),
    (
        (CURSOR, CURSOR.replace("cursor\n          in: query", "authorization\n          in: header")),
        f"{LIST}/parameters/1",
        "remove it and write `security`",
    ),
    *(
        (
            (CURSOR, CURSOR.replace("cursor\n          in: query", f"{name}\n          in: header")),
            f"{LIST}/parameters/1",
            f"a header parameter `{name}` is set by HTTP libraries, not by callers; remove it",
        )
        for name in ("Expect", "Connection", "accept-encoding", "Proxy-Authorization")
    ),
    ((CURSOR, f"{CURSOR}          style: simple\n"), f"{LIST}/parameters/1/style", "is no style of a query parameter"),
    (
        ("operationId: get_organization_lamp\n", "operationId: get_organization_lmap\n"),
        f"{LINK}/operationId",
        "did you mean `get_organization_lamp`?",
    ),
    (
        (LINK_ARGUMENTS, "{org: $request.path.org_id}"),
        f"{LINK}/parameters/org",
        "no parameter `org`; did you mean `org_id`?",
    ),
    ((LINK_ARGUMENTS, "{org_id: $reqest.path.org_id}"), f"{LINK}/parameters/org_id", "is no expression"),
    (("openapi: 3.1.0", "openapi: 3.0.3"), "#/openapi", "the version of OpenAPI is `3.0.3`; write `3.1.0`"),
    (
        ("url: https://{host}", "url: https://{hots}"),
        "#/servers/0",
        "`hots` of the address is not declared; did you mean `host`?",
    ),
    (("name: shades,", "name: lamps,"), "#/tags/1", "the tag `lamps` is there already, as #/tags/0"),
    ((HTTP, "{type: http}"), "#/components/securitySchemes/user", "of the type `http` without `scheme`; add it"),
    ((HTTP, "{type: apiKey}"), "#/components/securitySchemes/user", "of the type `apiKey` without `in`; add it"),
    (
        ("x-adds-prefix: true}", 'x-adds-prefix: "a"}'),
        f"{LAMP_PATH}/parameters/1/x-adds-prefix",
        "must be `true` or `false`",
    ),
    (("x-id-prefix: lamp-, ", ""), f"{LAMP_PATH}/parameters/1/x-adds-prefix", "without `x-id-prefix`; add the prefix"),
    (
        (CURSOR, f"{CURSOR}          x-id-prefix: a-\n"),
        f"{LIST}/parameters/1/x-id-prefix",
        "belongs to a path parameter",
    ),
]

# The line is that of the object in which something is missing, or of the second of two.
ELSEWHERE = [
    ((f"      {ID}\n", ""), LIST, "an operation without `operationId`; add it", "    get:"),
    (
        ("      tags: [lamps]\n      operationId: list", "      operationId: list"),
        LIST,
        "an operation without a tag",
        "    get:",
    ),
    (
        (ID, "operationId: create_lamp"),
        f"{CREATE}/operationId",
        f"`organization.lamps.create` is also that of {LIST}",
        "operationId: create_organization_lamp",
    ),
    (
        ("[ViewLamps]", "[ViewLamps, SeeLamps]"),
        f"{LIST}/security",
        "several permissions, `SeeLamps` or `ViewLamps`",
        "security:",
    ),
    (
        (ORG_ID, ORG_ID.replace("path", "query")),
        LIST,
        "the path parameter `{org_id}` is not declared; add it",
        "    get:",
    ),
    ((ORG_ID, ORG_ID.replace("true", "false")), "#/components/parameters/OrgId", "is always required", "OrgId:"),
]


@pytest.mark.parametrize(("edit", "place", "words"), AT_THE_EDIT)
def test_a_wrong_operation_is_told_with_the_place_of_the_edit(
    tmp_path: Path, edit: tuple[str, str], place: str, words: str
) -> None:
    check_edit(tmp_path, edit, place, words)


@pytest.mark.parametrize(("edit", "place", "words", "line"), ELSEWHERE)
def test_what_is_missing_or_repeated_is_told_with_the_place_of_its_object(
    tmp_path: Path, edit: tuple[str, str], place: str, words: str, line: str
) -> None:
    check_edit(tmp_path, edit, place, words, line)


def test_two_paths_that_differ_in_the_name_of_a_parameter_are_told(tmp_path: Path) -> None:
    other = "  /v3/organizations/{id}/lamps:\n    parameters: [{name: id, in: path, required: true, schema: {}}]\n"
    words = "is the same path as `/v3/organizations/{id}/lamps`; write the operations of both below one"
    check_edit(tmp_path, (PATH, other + PATH), LAMPS_PATH, words, PATH)
