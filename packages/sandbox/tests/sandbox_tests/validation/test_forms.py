"""Forms: URL-encoded ones, and multipart ones with files."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox_tests.odd import OddSandbox

OWNER = {"name": "o", "age": 4}


@pytest.mark.parametrize(
    ("fields", "received"),
    [
        ({"name": "n", "size": "4"}, {"name": "n", "size": 4}),
        ({"name": "n", "tags": ["a", "b"]}, {"name": "n", "tags": ["a", "b"]}),
        ({"name": "n", "tags": "a"}, {"name": "n", "tags": ["a"]}),
        ({"name": "n", "ids": "1,2"}, {"name": "n", "ids": [1, 2]}),
        ({"name": "n", "owner": '{"name": "o", "age": 4}'}, {"name": "n", "owner": OWNER}),
        ({"name": "n", "filter[name]": "o", "filter[age]": "4"}, {"name": "n", "filter": OWNER}),
    ],
)
async def test_the_fields_of_a_form_have_the_types_of_the_contract(
    odd: OddSandbox, fields: dict[str, Any], received: dict[str, Any]
) -> None:
    await odd.json("POST", "/echo/form", data=fields)
    assert odd.received.body == received


@pytest.mark.parametrize(
    ("fields", "detail"),
    [
        ({"nmae": "n"}, "body.name: Field required; body.nmae: unknown field; did you mean 'name'?"),
        ({"name": "n", "size": "x"}, "body.size: 'x' is not of type 'integer'"),
        ({"name": ["a", "b"]}, "body.name: given 2 times; it takes one value"),
        ({"name": "n", "owner": "x"}, "body.owner: not JSON: Expecting value: line 1 column 1 (char 0)"),
    ],
)
async def test_a_form_that_does_not_fit_the_contract_is_refused(
    odd: OddSandbox, fields: dict[str, Any], detail: str
) -> None:
    assert await odd.refused("POST", "/echo/form", data=fields) == (422, detail)


async def test_an_empty_form_has_no_fields(odd: OddSandbox) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    refusal = await odd.refused("POST", "/echo/form", content=b"", headers=headers)
    assert refusal == (422, "body.name: Field required")


async def test_a_form_that_is_not_utf_8_is_refused(odd: OddSandbox) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    refusal = await odd.refused("POST", "/echo/form", content=b"name=\xff", headers=headers)
    assert refusal == (400, "the body is not a form: it is not UTF-8")


async def test_arrays_in_a_multipart_form_repeat_the_name(odd: OddSandbox) -> None:
    files = [("files", ("a.txt", b"A")), ("files", ("b.txt", b"B"))]
    fields = {"tags": ["x", "y"], "size": "3", "owner": '{"name": "o", "age": 4}'}
    await odd.json("POST", "/echo/multipart", files=files, data=fields)
    assert odd.received.body == {
        "files": [{"name": "a.txt", "content": b"A"}, {"name": "b.txt", "content": b"B"}],
        "tags": ["x", "y"],
        "size": 3,
        "owner": OWNER,
    }


async def test_an_unknown_file_is_refused(odd: OddSandbox) -> None:
    refusal = await odd.refused("POST", "/echo/multipart", files={"file": ("a.txt", b"A")})
    assert refusal == (422, "body.files: Field required; body.file: unknown field; did you mean 'files'?")
