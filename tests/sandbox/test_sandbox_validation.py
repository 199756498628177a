"""What the sandbox refuses: each with the value, the place and the way out, and nothing in silence."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from agent_session_platform.sandbox import Sandbox
from agent_session_platform.sandbox.validation.json_parser import MAX_DEPTH

ORGANIZATION = "/v3/organizations/org-acme"
SESSIONS = f"{ORGANIZATION}/sessions"
SESSION = f"{SESSIONS}/assistant-1"
ENTERPRISE_SESSION = "/v3/enterprise/sessions/assistant-1"
MESSAGES = f"{SESSION}/messages"
AUTOMATIONS = f"{ORGANIZATION}/automations"
MEMBERS = "/v3/enterprise/members/users"
HYPERVISORS = "/v3/enterprise/hypervisors"
RANGES = "/v3/enterprise/ip-access-list"
JSON = "application/json"


async def ask(
    sandbox: Sandbox, method: str, path: str, content: bytes | None = None, headers: dict[str, str] | None = None
) -> httpx.Response:
    sandbox.add_session()
    sent = {"Authorization": f"Bearer {sandbox.token}", "Content-Type": JSON, **(headers or {})}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url) as client:
        return await client.request(method, path, content=content, headers=sent)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        # int() takes all of these, JSON none.
        (f"{SESSIONS}?first=1_0", "query.first: '1_0' is not of type 'integer'"),
        (f"{SESSIONS}?first=%205", "query.first: ' 5' is not of type 'integer'"),
        (f"{SESSIONS}?first=5%0A", "is not of type 'integer'"),
        (f"{SESSIONS}?first=%2B5", "query.first: '+5' is not of type 'integer'"),
        (f"{SESSIONS}?first=05", "query.first: '05' is not of type 'integer'"),
        (f"{SESSIONS}?first=5.0", "query.first: '5.0' is not of type 'integer'"),
        (f"{SESSIONS}?first=1e1", "query.first: '1e1' is not of type 'integer'"),
        (f"{SESSIONS}?first=%D9%A5", "query.first: '\u0665' is not of type 'integer'"),
        (f"{SESSIONS}?first=true", "query.first: 'true' is not of type 'integer'"),
        (f"{SESSIONS}?first=", "query.first: '' is not of type 'integer'"),
        (f"{SESSIONS}?first", "query.first: '' is not of type 'integer'"),
        (f"{SESSIONS}?first=0", "query.first: 0 is less than the minimum of 1"),
        (f"{SESSIONS}?first=201", "query.first: 201 is greater than the maximum of 200"),
        (f"{SESSIONS}?first=1&first=2", "query.first: given 2 times; it takes one value"),
        (f"{MEMBERS}?email=a&email=b", "query.email: given 2 times; it takes one value"),
        (f"{SESSIONS}?origins=api&origins=web", "query.origins.1: 'web' is not one of"),
        (f"{SESSIONS}?origins=webap", "did you mean 'webapp'?"),
        (f"{SESSIONS}?%66irst%20=5", "query.first : unknown query parameter; did you mean 'first'?"),
        (f"{SESSIONS}?order=asc", "query.order: unknown query parameter"),
        (f"{HYPERVISORS}?status=al", "'al' is the status of no hypervisor; did you mean 'all'?"),
        (f"{HYPERVISORS}?status=all&status=all", "query.status: given 2 times"),
        (f"{AUTOMATIONS}?enabled=maybe", "query.enabled: must be true or false, not 'maybe'"),
        (f"{AUTOMATIONS}?enabled=True", "query.enabled: must be true or false, not 'True'"),
        (f"{AUTOMATIONS}?enabled=true&enabled=false", "query.enabled: given 2 times"),
        (f"{AUTOMATIONS}?search=a&search=b", "query.search: given 2 times"),
        ("/v3beta1/enterprise/guardrail-violations?session_id=a&session_id=b", "query.session_id: given 2 times"),
    ],
)
async def test_a_query_is_refused(sandbox: Sandbox, path: str, message: str) -> None:
    refused = await ask(sandbox, "GET", path)
    assert (refused.status_code, refused.headers["Content-Type"]) == (422, "application/problem+json")
    assert message in refused.json()["detail"]


@pytest.mark.parametrize("archive", ["1", "yes", "True", "", "fals"])
async def test_an_odd_archive_is_refused_and_nothing_is_terminated(sandbox: Sandbox, archive: str) -> None:
    refused = await ask(sandbox, "DELETE", f"{SESSION}?archive={archive}")
    assert (refused.status_code, refused.json()["errors"][0]["loc"]) == (422, ["query", "archive"])
    assert (await ask(sandbox, "GET", SESSION)).json()["status"] == "running"


async def test_without_archive_nothing_is_archived(sandbox: Sandbox) -> None:
    assert (await ask(sandbox, "DELETE", f"{SESSION}?archive=false")).json()["is_archived"] is False


@pytest.mark.parametrize("path", [MESSAGES, f"{ENTERPRISE_SESSION}/messages"])
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "body.message: must be text"),
        (b"{}", "body.message: must be text"),
        (b'{"mesage": "Hello"}', "body.message: must be text; the body has 'mesage', did you mean 'message'?"),
        (b'{"message": null}', "body.message: must be text"),
        (b'{"message": ["Hello"]}', "body.message: must be text"),
        (b'"Hello"', "body: must be an object"),
    ],
)
async def test_a_message_without_a_text_is_refused(sandbox: Sandbox, path: str, body: bytes, message: str) -> None:
    refused = await ask(sandbox, "POST", path, body)
    assert (refused.status_code, refused.json()["detail"]) == (422, message)
    assert (await ask(sandbox, "GET", MESSAGES)).json()["items"] == []


@pytest.mark.parametrize("number", ["\u0665", "9" * 5000])
async def test_the_number_of_a_pull_request_is_one_that_can_be_told(sandbox: Sandbox, number: str) -> None:
    body = json.dumps({"pr_url": f"https://git.example.com/acme/shop/pull/{number}"}).encode()
    assert (await ask(sandbox, "POST", "/v3/enterprise/pr-reviews", body)).status_code == 422


@pytest.mark.parametrize("action", ["archive", "insights/generate"])
@pytest.mark.parametrize("session", [SESSION, ENTERPRISE_SESSION])
async def test_what_takes_no_member_still_takes_no_array(sandbox: Sandbox, session: str, action: str) -> None:
    assert (await ask(sandbox, "POST", f"{session}/{action}", b"[1]")).status_code == 422
    assert (await ask(sandbox, "POST", f"{session}/{action}", b"{}")).is_success


@pytest.mark.parametrize(
    "text", ["10.0.0.0/255.0.0.0", "10.0.0.0/0.255.255.255", "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/+8", "fe80::1%eth0"]
)
async def test_a_range_that_is_no_cidr_is_refused(sandbox: Sandbox, text: str) -> None:
    refused = await ask(sandbox, "POST", RANGES, json.dumps({"ip_ranges": [text]}).encode())
    assert refused.status_code == 422
    assert f"body.ip_ranges.0: {text!r} is neither an address nor CIDR" in refused.json()["detail"]


@pytest.mark.parametrize("text", ["10.0.0.0/8", "10.1.2.3/8", "10.1.2.3", "10.0.0.0/0", "2001:db8::/32", "::1"])
async def test_a_range_in_cidr_is_taken(sandbox: Sandbox, text: str) -> None:
    assert (await ask(sandbox, "POST", RANGES, json.dumps({"ip_ranges": [text]}).encode())).is_success


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"title": "a", "title": "b"}', 'the member "title" is repeated in one object'),
        (b'{"tags": [{"a": 1, "a": 2}]}', 'the member "a" is repeated in one object'),
        (b'{"x": NaN}', "NaN is not a JSON number"),
        (b'{"x": -Infinity}', "-Infinity is not a JSON number"),
        (b'{"x": 1e999}', "is too large"),
        (b'{"x": ' + b"9" * 5000 + b"}", "the body is not JSON"),
        (b'{"title": "\xff"}', "it is not UTF-8"),
        ('{"title": "a"}'.encode("utf-16"), "it is not UTF-8"),
        (b'\xef\xbb\xbf{"title": "a"}', "the body is not JSON"),
        (b'{"title": "\\ud800"}', "half of a surrogate pair"),
        (b'{"x": ' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}", f"nested deeper than {MAX_DEPTH} levels"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"title": "a"} {}', "the body is not JSON"),
        (b"{'title': 'a'}", "the body is not JSON"),
    ],
)
async def test_a_body_that_readers_take_differently_is_refused(sandbox: Sandbox, content: bytes, message: str) -> None:
    refused = await ask(sandbox, "POST", SESSIONS, content)
    assert (refused.status_code, refused.headers["Content-Type"]) == (400, "application/problem+json")
    assert message in refused.json()["detail"]


async def test_a_body_at_the_deepest_level_can_be_kept_and_brought_back(sandbox: Sandbox) -> None:
    content = b'{"x": ' + b"[" * (MAX_DEPTH - 1) + b"]" * (MAX_DEPTH - 1) + b"}"
    assert (await ask(sandbox, "POST", AUTOMATIONS, content)).is_success
    sandbox.snapshots.take()
    sandbox.snapshots.keep("again", sandbox.snapshots.document())
    assert sandbox.snapshots.diff("again") == {"added": [], "removed": [], "changed": []}


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        (JSON, 200),
        ("Application/JSON", 200),
        ("application/json; charset=utf-8", 200),
        ('application/json; charset="UTF-8"', 200),
        ("application/merge-patch+json", 200),
        ("application/json; charset=latin-1", 415),
        ("application/json; charset=utf-16", 415),
        ("text/json", 415),
        ("application/jsonx", 415),
        ("", 415),
    ],
)
async def test_a_body_has_to_be_json_in_utf_8(sandbox: Sandbox, content_type: str, status: int) -> None:
    answer = await ask(sandbox, "POST", SESSIONS, b"{}", {"Content-Type": content_type})
    assert answer.status_code == status


async def test_a_refusal_names_a_value_but_no_whole_body(sandbox: Sandbox) -> None:
    body = {"name": {"a": "b" * 10_000}, "prompt": "p"}
    refused = await ask(sandbox, "POST", f"{ORGANIZATION}/schedules", json.dumps(body).encode())
    assert refused.status_code == 422
    assert ("{'a': 'bbb" in refused.text, len(refused.text) < 500) == (True, True)


async def test_of_many_failures_the_first_ten_are_told_and_all_are_listed(sandbox: Sandbox) -> None:
    refused = (await ask(sandbox, "GET", f"{SESSIONS}?{'&'.join(f'x{number}' for number in range(12))}")).json()
    assert refused["detail"].endswith("query.x9: unknown query parameter; and 2 more")
    assert len(refused["errors"]) == 12


async def test_a_refusal_shows_no_credential(sandbox: Sandbox) -> None:
    body = {"name": [sandbox.token], "prompt": "p"}
    refused = await ask(sandbox, "POST", f"{ORGANIZATION}/schedules", json.dumps(body).encode())
    assert (refused.status_code, sandbox.token in refused.text) == (422, False)
    assert sandbox.token not in (await ask(sandbox, "GET", f"{SESSIONS}/{sandbox.token}")).text


FORM = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n'


@pytest.mark.parametrize(
    ("content_type", "content", "status"),
    [
        ("multipart/form-data; boundary=x", FORM + b"--x--\r\n", 200),
        ("multipart/form-data; boundary=x", FORM + FORM + b"--x--\r\n", 422),
        ("multipart/form-data", FORM + b"--x--\r\n", 400),
        ("multipart/form-data; boundary=y", FORM + b"--x--\r\n", 400),
        ("multipart/form-data; boundary=x", FORM, 400),
        ("multipart/form-data; boundary=x", b"abc", 400),
        (JSON, b"{}", 415),
    ],
)
async def test_a_form_has_to_be_one(sandbox: Sandbox, content_type: str, content: bytes, status: int) -> None:
    answer = await ask(sandbox, "POST", f"{ORGANIZATION}/attachments", content, {"Content-Type": content_type})
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        (f"{SESSIONS}/", "; remove the slash at the end"),
        (f"{SESSION}/", "; remove the slash at the end"),
        ("/v3/organizations/org-acme/session", "; did you mean '/v3/organizations/{org_id}/sessions'?"),
        (f"{SESSION}/mesages", "; did you mean '/v3/organizations/{org_id}/sessions/{assistant_id}/messages'?"),
        ("/nothing/of/the/kind/at/all/here/zzz", ""),
    ],
)
async def test_a_path_that_nothing_serves_is_told_without_a_redirect(sandbox: Sandbox, path: str, hint: str) -> None:
    refused = await ask(sandbox, "POST", path, b"{}")
    assert (refused.status_code, refused.headers["Content-Type"]) == (404, "application/problem+json")
    assert refused.json()["detail"] == f"no operation POST {path}{hint}"


@pytest.mark.parametrize("method", ["PUT", "OPTIONS", "TRACE", "BREW"])
async def test_a_method_that_a_path_does_not_take_is_told_with_those_that_it_does(
    sandbox: Sandbox, method: str
) -> None:
    refused = await ask(sandbox, method, SESSIONS)
    assert (refused.status_code, refused.headers["Allow"]) == (405, "GET, HEAD, POST")
    assert refused.json()["detail"] == f"no operation {method} {SESSIONS}; it takes GET, HEAD, POST"


async def test_a_head_has_no_body(sandbox: Sandbox) -> None:
    answer = await ask(sandbox, "HEAD", SESSIONS)
    assert (answer.status_code, answer.content) == (200, b"")


async def test_two_authorization_headers_are_refused(sandbox: Sandbox) -> None:
    headers = [("Authorization", f"Bearer {sandbox.token}"), ("Authorization", f"Bearer {sandbox.viewer_token}")]
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url) as client:
        refused = await client.get(SESSIONS, headers=headers)
    assert (refused.status_code, refused.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert refused.json()["detail"] == "the request has 2 Authorization headers; send one"


def exchange(address: str, request: bytes, *, half: bool = False) -> bytes:
    """What a server answers to bytes; with *half* the connection is closed for sending after them."""
    parts = urlsplit(address)
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), timeout=30) as connection:
        connection.sendall(request)
        if half:
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    return answer


def head(sandbox: Sandbox, method: str, path: str, *lines: str) -> bytes:
    common = ["Host: localhost", f"Authorization: Bearer {sandbox.token}", "Connection: close"]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *common, *lines, "", ""]).encode()


def test_a_body_in_chunks_is_read_whole(sandbox: Sandbox, address: str) -> None:
    lines = ("Content-Type: application/json", "Transfer-Encoding: chunked")
    chunks = b'8\r\n{"title"\r\n6\r\n: "a"}\r\n0\r\n\r\n'
    assert b'"title":"a"' in exchange(address, head(sandbox, "POST", SESSIONS, *lines) + chunks)
    assert sandbox.journal[0].body == {"title": "a"}


def test_who_goes_away_in_the_middle_is_answered_nothing_and_noted(
    sandbox: Sandbox, address: str, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = ("Content-Type: application/json", "Content-Length: 100")
    assert exchange(address, head(sandbox, "POST", SESSIONS, *lines) + b'{"title"', half=True) == b""
    httpx.get(address)
    assert [(entry.operation, entry.status) for entry in sandbox.journal] == [("organization.sessions.create", None)]
    assert sandbox.state.by_name.get(("sessions", "org-acme"), {}) == {}
    assert "Traceback" not in capfd.readouterr().err


async def test_a_request_that_nothing_serves_is_noted_with_its_body(sandbox: Sandbox) -> None:
    await ask(sandbox, "POST", "/v3/nothing", b'{"title": "a"}')
    assert sandbox.journal[0].body == {"title": "a"}


async def test_many_at_once_are_each_answered_for_themselves(sandbox: Sandbox) -> None:
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    async with httpx.AsyncClient(transport=sandbox.transport(), base_url=sandbox.base_url, headers=headers) as client:

        async def make(number: int) -> Any:
            made = (await client.post(SESSIONS, json={"title": f"{number}"})).json()
            return (await client.get(f"{SESSIONS}/{made['session_id']}")).json()["title"]

        assert await asyncio.gather(*(make(number) for number in range(100))) == [f"{number}" for number in range(100)]
    assert sorted(entry.number for entry in sandbox.journal) == list(range(1, 201))
