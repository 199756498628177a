"""Validation of bodies: JSON, text, forms and files."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agent_session_platform import AgentPlatform, UnprocessableContentError
from agent_session_platform_sandbox import Sandbox
from agent_session_platform_sandbox.validation import MAX_DEPTH, parse_json

from sandbox_tests.odd import OddSandbox
from sandbox_tests.plain_http import JSON, ORGANIZATION, SESSIONS, send

OWNER = {"name": "o", "age": 4}
FORM = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n'


def typed(content_type: str) -> dict[str, str]:
    return {"Content-Type": content_type}


async def test_the_other_validation_form_is_a_problem_detail(platform: AgentPlatform) -> None:
    with pytest.raises(UnprocessableContentError) as caught:
        await platform.request("POST", "/v3/enterprise/pr-reviews", body={"pr_url": "not a URL"})
    assert caught.value.title == "Unprocessable Content"
    assert caught.value.errors[0]["loc"] == ["body", "pr_url"]


async def test_a_body_must_be_json_in_utf_8(sandbox: Sandbox) -> None:
    accepted = [JSON, "Application/JSON", "application/json; charset=utf-8", "application/merge-patch+json"]
    refused = ["application/json; charset=latin-1", "text/json", ""]
    sent = [await send(sandbox, "POST", SESSIONS, content=b"{}", headers=typed(each)) for each in accepted + refused]
    assert [response.status_code for response in sent] == [200] * 4 + [415] * 3


async def test_a_refusal_names_a_value_but_no_whole_body(sandbox: Sandbox) -> None:
    body = {"name": {"a": "b" * 10_000}, "prompt": "p"}
    refused = await send(sandbox, "POST", f"{ORGANIZATION}/schedules", json=body)
    assert refused.status_code == 422
    assert ("{'a': 'bbb" in refused.text, len(refused.text) < 500) == (True, True)


async def test_the_detail_names_ten_failures_and_errors_all(sandbox: Sandbox) -> None:
    refused = (await send(sandbox, "GET", f"{SESSIONS}?{'&'.join(f'x{number}' for number in range(12))}")).json()
    assert refused["detail"].endswith("query.x9: unknown query parameter; and 2 more")
    assert len(refused["errors"]) == 12


@pytest.mark.parametrize(
    ("content_type", "content", "status"),
    [
        ("multipart/form-data; boundary=x", FORM + b"--x--\r\n", 200),
        ("multipart/form-data; boundary=x", FORM + FORM + b"--x--\r\n", 422),
        ("multipart/form-data", FORM + b"--x--\r\n", 400),
        ("multipart/form-data; boundary=x", FORM, 400),
        (JSON, b"{}", 415),
    ],
)
async def test_an_invalid_form_is_refused(sandbox: Sandbox, content_type: str, content: bytes, status: int) -> None:
    response = await send(
        sandbox, "POST", f"{ORGANIZATION}/attachments", content=content, headers={"Content-Type": content_type}
    )
    assert response.status_code == status


@pytest.mark.parametrize(
    ("path", "content_type", "content", "received"),
    [
        ("text", "text/plain", "hé".encode(), "hé"),
        ("text", "text/plain", b"", ""),
        ("text", "", b"", None),
        ("bytes", "application/octet-stream", b"\xff\x00", b"\xff\x00"),
        ("bytes", "", b"\xff\x00", b"\xff\x00"),
        ("lines", "application/jsonl", b'{"label":"a"}\n5\n', b'{"label":"a"}\n5\n'),
        ("json", JSON, b"[1, 2]", [1, 2]),
        ("json", JSON, b"null", None),
        ("json", "", b"", None),
        ("merged", JSON, b'{"name": "n", "size": 1}', {"name": "n", "size": 1}),
        ("merged", "", b"", {}),
        ("payment", JSON, b'{"kind": "bank", "iban": "abc"}', {"kind": "bank", "iban": "abc"}),
    ],
)
async def test_a_body_is_parsed_by_its_media_type(
    odd: OddSandbox, path: str, content_type: str, content: bytes, received: Any
) -> None:
    await odd.json("POST", f"/echo/{path}", content=content, headers=typed(content_type) if content_type else {})
    assert odd.received.body == received


@pytest.mark.parametrize(
    ("path", "content_type", "content", "status", "detail"),
    [
        ("text", "text/plain", b"\xff", 400, "the body is not text: it is not UTF-8"),
        ("text", "text/plain; charset=latin-1", b"a", 415, "text must be UTF-8, not latin-1"),
        ("text", "text/plain", b"0123456789", 422, "body: '0123456789' is too long"),
        ("bytes", "text/plain", b"a", 415, "the body must be application/octet-stream or image/*, not text/plain"),
        ("json", JSON, b'["a"]', 422, "body.0: 'a' is not of type 'integer'"),
        ("merged", JSON, b'{"name": "n", "sise": 1}', 422, "body.size: Field required; body.sise: unknown field; did"),
        ("payment", JSON, b'{"kind": "card", "number": "x"}', 422, "body.number: 'x' does not match"),
        ("payment", JSON, b'{"kind": "bank", "iban": "abc", "ibna": 1}', 422, "body.ibna: unknown field; did you mean"),
    ],
)
async def test_a_body_that_does_not_fit_its_media_type_is_refused(
    odd: OddSandbox, path: str, content_type: str, content: bytes, status: int, detail: str
) -> None:
    refused = await odd.refused("POST", f"/echo/{path}", content=content, headers=typed(content_type))
    assert (refused[0], refused[1][: len(detail)]) == (status, detail)


async def test_an_url_encoded_body_is_refused(sandbox: Sandbox) -> None:
    url_encoded = {"Content-Type": "application/x-www-form-urlencoded"}
    refused = await send(sandbox, "POST", SESSIONS, content=b"prompt=x", headers=url_encoded)
    assert refused.status_code == 415


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


MESSAGE = b"Subject: hi\r\nFrom: a@example.com\r\n\r\nbody\r\n"


@pytest.mark.parametrize(
    "media_type",
    [
        "message/rfc822",
        "message/partial",
        "message/external-body",
        "message/delivery-status",
        "multipart/mixed",
        "multipart/mixed; boundary=z",
        "multipart/related; boundary=x",
        "multipart/form-data; boundary=x",
        "text/plain; charset=utf-16",
        "text/html",
        "application/zip",
        "not a type",
        "",
    ],
)
@pytest.mark.parametrize("content", [MESSAGE, b"--z\r\n\r\nhi\r\n--z--\r\n", b"\r\n", b"", b"a\rb\n\r\x00\xff"])
async def test_a_file_is_kept_as_it_is_whatever_its_type(sandbox: Sandbox, media_type: str, content: bytes) -> None:
    head = f'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: {media_type}\r\n\r\n'
    form = head.encode() + content + b"\r\n--b--\r\n"
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    await send(sandbox, "POST", f"{ORGANIZATION}/attachments", content=form, headers=headers)
    assert [*sandbox.state.files.values()] == [content]


@pytest.mark.parametrize(
    ("parameter", "name"),
    [
        ('filename="\u00fc \u00e4.txt"'.encode(), "\u00fc \u00e4.txt"),
        ('filename="\u00fc.txt"'.encode("latin-1"), "\u00fc.txt"),
        (b'filename="a;b  c.txt"', "a;b  c.txt"),
        (b'filename="a\\"b.txt"', 'a"b.txt'),
        (b"filename=plain.txt", "plain.txt"),
    ],
)
async def test_the_name_of_a_file_is_read_as_clients_write_it(odd: OddSandbox, parameter: bytes, name: str) -> None:
    form = b"--x\r\nContent-Disposition: form-data; name=files; " + parameter + b"\r\n\r\nA\r\n--x--\r\n"
    await odd.json("POST", "/echo/multipart", content=form, headers=typed("multipart/form-data; boundary=x"))
    assert odd.received.body["files"] == [{"name": name, "content": b"A"}]


@pytest.mark.parametrize(
    ("disposition", "content", "status", "detail"),
    [
        (b'name="files"; filename=""', b"A", 422, "body.files: a file must have a name, not '': filename="),
        (b'name="files"; filename=".."', b"A", 422, "body.files: a file must have a name, not '..': filename="),
        (b'name="size"', b"\xff", 400, "the field 'size' of the form is not UTF-8"),
        (b'filename="a"', b"A", 400, "the body is not a form: Field name not found in Content-Disposition"),
    ],
)
async def test_a_part_that_cannot_be_kept_is_refused(
    odd: OddSandbox, disposition: bytes, content: bytes, status: int, detail: str
) -> None:
    form = b"--x\r\nContent-Disposition: form-data; " + disposition + b"\r\n\r\n" + content + b"\r\n--x--\r\n"
    headers = typed("multipart/form-data; boundary=x")
    refused = await odd.refused("POST", "/echo/multipart", content=form, headers=headers)
    assert (refused[0], refused[1][: len(detail)]) == (status, detail)


async def test_an_unknown_file_is_refused(odd: OddSandbox) -> None:
    refusal = await odd.refused("POST", "/echo/multipart", files={"file": ("a.txt", b"A")})
    assert refusal == (422, "body.files: Field required; body.file: unknown field; did you mean 'files'?")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"title": "a", "title": "b"}', 'the member "title" is repeated in one object'),
        (b'{"x": NaN}', "NaN is not a JSON number"),
        (b'{"x": 1e999}', "is too large"),
        (b'{"x": ' + b"9" * 5000 + b"}", "the body is not JSON"),
        (b'{"title": "\xff"}', "it is not UTF-8"),
        (b'\xef\xbb\xbf{"title": "a"}', "the body is not JSON"),
        (b'{"title": "\\ud800"}', "half of a surrogate pair"),
        (b'{"x": ' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}", f"nested deeper than {MAX_DEPTH} levels"),
    ],
)
async def test_ambiguous_json_is_refused(sandbox: Sandbox, content: bytes, message: str) -> None:
    refused = await send(sandbox, "POST", SESSIONS, content=content)
    assert (refused.status_code, refused.headers["Content-Type"]) == (400, "application/problem+json")
    assert message in refused.json()["detail"]


@pytest.mark.parametrize("text", ["[1, 2, 3, 4, 5, 6, 7]", "[[],[],[],[]", '{"a": {"b": {"c": {"d": {"e": [[]]}}}}}'])
def test_too_many_values_are_refused_before_they_are_parsed(text: str) -> None:
    with pytest.raises(ValueError, match="it has more than 6 values"):
        parse_json(text, max_values=6)
    # Commas in text separate no values.
    in_text = json.dumps(['a,b,c,"d",[{,\\"', "\\", 3])
    assert parse_json(in_text, max_values=4) == json.loads(in_text)
