"""The journal: entries, expectations and numbers; and the redaction of credentials and secrets."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import ANY

import httpx
import pytest
from agent_session_platform import NotFoundError
from agent_session_platform_sandbox import Sandbox

from sandbox_tests.odd import OddSandbox
from sandbox_tests.plain_http import ORGANIZATION, SESSIONS, send

SECRETS = f"{ORGANIZATION}/secrets"
CUSTOM = "quite-unlike-the-others"
SECRET = ["value", "api_key", "apiKey", "clientSecret", "X-Auth-Token", "TOTP", "session_secrets"]
HARMLESS = ["secret_id", "password_length", "token_count", "keyboard", "tokenizer", "prompt", "values_of"]


async def everything_shown(sandbox: Sandbox) -> str:
    """Return all that the journal shows: in Python, in a failed expectation and over HTTP."""
    texts = [text for entry in sandbox.journal for text in (str(entry), repr(entry), json.dumps(entry.to_dict()))]
    with pytest.raises(AssertionError) as caught:
        sandbox.journal.expect("enterprise.reviews.create")
    return "\n".join([*texts, str(caught.value), (await send(sandbox, "GET", "/_sandbox/journal")).text])


async def test_the_journal_has_every_request_with_its_status_and_id(sandbox: Sandbox, org: Any) -> None:
    await org.sessions.create(assistant_mode="fast", prompt="Hello")
    with pytest.raises(NotFoundError, match=r"\(request id request-2\)"):
        await org.sessions.get("assistant-9")
    await org.sessions.list(origins=["api"]).first_page()
    await send(sandbox, "POST", "/v3/nothing", json={"title": "a"})
    assert [str(entry) for entry in sandbox.journal] == [
        "#1 POST /v3/organizations/org-acme/sessions -> 200 (organization.sessions.create)",
        "#2 GET /v3/organizations/org-acme/sessions/assistant-9 -> 404 (organization.sessions.get)",
        "#3 GET /v3/organizations/org-acme/sessions?origins=api -> 200 (organization.sessions.list)",
        "#4 POST /v3/nothing -> 404 (unknown)",
    ]
    assert sandbox.journal[3].body == {"title": "a"}
    assert [entry.request_id for entry in sandbox.journal] == [f"request-{number}" for number in range(1, 5)]
    [entry] = sandbox.journal.expect("organization.sessions.create", times=1, prompt="Hello")
    assert entry.body == {"assistant_mode": "fast", "prompt": "Hello"}
    sandbox.reset()
    await org.sessions.list().first_page()
    assert [entry.request_id for entry in sandbox.journal] == ["request-1"]


async def test_a_failed_expectation_lists_all_requests(sandbox: Sandbox, org: Any) -> None:
    await org.sessions.create(prompt="Hello")
    with pytest.raises(AssertionError) as caught:
        sandbox.journal.expect("organization.sessions.create", prompt="Bye")
    first, *requests = str(caught.value).splitlines()
    expected = "expected organization.sessions.create with {'prompt': 'Bye'} at least once, it was requested 0 times"
    received = f"  #1 POST {SESSIONS} -> 200 (organization.sessions.create) {{'prompt': 'Hello'}}"
    assert (first, requests) == (f"{expected}; all requests:", [received])


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", SESSIONS, {"session_secrets": [{"name": "KEY", "content": "hunter2"}]}),
        ("POST", SECRETS, {"name": "KEY", "type": "key-value", "key": "hunter2"}),
        ("POST", SECRETS, {"name": {"nested": "hunter2"}, "type": ["hunter2"]}),
        ("POST", f"{SECRETS}/", {"secret_value": "hunter2", "totpSecret": "hunter2", "COOKIE": "hunter2"}),
        ("POST", f"{ORGANIZATION}/knowledge/notes", {"deep": [{"password": {"is": "hunter2"}}]}),
        ("POST", f"{ORGANIZATION}/knowledge/notes", dict.fromkeys(SECRET, "hunter2")),
        ("GET", f"{SESSIONS}?api_key=hunter2&accessToken=hunter2", None),
        ("GET", f"{SESSIONS}?{CUSTOM}=quite%2Dunlike-the-others", None),
        ("GET", f"{SESSIONS}/x{CUSTOM}y", None),
        ("POST", SESSIONS, {f"x{CUSTOM}": [f"{CUSTOM}y"]}),
        # The longer one of two credentials that begin alike.
        ("POST", SESSIONS, {"prompt": f"{CUSTOM}-er"}),
        ("POST", SESSIONS, {"prompt": "the key is svc_of_somebody_else_9f86d081884c7d65"}),
        ("GET", f"{SESSIONS}/x-apk_user_of_somebody_else_QmFzZTY0dXJsVG9rZW4", None),
        ("GET", f"{SESSIONS}?after=tok", None),
        ("GET", f"{SESSIONS}?name=value&more", None),
    ],
)
async def test_the_journal_hides_secrets(sandbox: Sandbox, method: str, path: str, body: Any) -> None:
    for token in (CUSTOM, f"{CUSTOM}-er", "tok", "name=value&more"):
        sandbox.add_credential(token)
    await send(sandbox, method, path, json=body)
    text = await everything_shown(sandbox)
    assert "[hidden]" in text
    hidden = ("hunter2", CUSTOM, "]-er", "of_somebody_else", "=tok", "name=value")
    assert [each for each in hidden if each in text] == []


@pytest.mark.parametrize(
    ("path", "body", "shown"),
    [
        (SESSIONS, {"prompt": "a secret handshake", "title": "Tokens", "max_token_count": 3}, {}),
        (SESSIONS, dict.fromkeys(HARMLESS, "x"), {}),
        (SESSIONS, {"max_tokens": 5, "promptTokens": 7, "token_limit": 9, "total_tokens": "11"}, {}),
        (SESSIONS, {"prompt": "https://git.example.com/acme/svc_payments/pull/7, svc_payments_gateway-v2.1"}, {}),
        (SESSIONS, {"prompt": "Rename apk_user_interface and apk_tools"}, {}),
        # A prefix alone is no credential. A short credential is hidden only as a whole word.
        (SESSIONS, {"prompt": "credentials begin with svc_ or apk_"}, {}),
        (SESSIONS, {"prompt": "token, a tok."}, {"prompt": "token, a [hidden]."}),
        (SECRETS, {"name": "KEY", "type": "totp", "seed": "hunter2"}, {"seed": "[hidden]"}),
        (SECRETS, {"name": "KEY", "type": "totp", "note": Sandbox.token}, {"note": "[hidden]"}),
    ],
)
async def test_the_journal_shows_everything_else(sandbox: Sandbox, path: str, body: Any, shown: Any) -> None:
    sandbox.add_credential("tok")
    await send(sandbox, "POST", f"{path}?first=2&origins=api%20x", json=body)
    assert (sandbox.journal[0].body, sandbox.journal[0].query) == (body | shown, "first=2&origins=api%20x")


async def test_hidden_members_cannot_be_expected(sandbox: Sandbox) -> None:
    """No request could match such members, so `times=0` would always be true."""
    await send(sandbox, "POST", SESSIONS, json={"session_secrets": {"KEY": "hunter2"}})
    with pytest.raises(ValueError, match="the journal hides the values of session_secrets") as caught:
        sandbox.journal.expect("organization.sessions.create", times=0, session_secrets={"KEY": "hunter2"})
    assert "hunter2" not in str(caught.value)
    assert len(sandbox.journal.expect("organization.sessions.create", session_secrets=ANY)) == 1


async def test_a_new_credential_is_hidden_in_its_own_request(sandbox: Sandbox) -> None:
    """The journal does not have responses, and hides the credential in requests."""
    sandbox.add_role("role-1", ["ViewOrgSessions"])
    body = {"name": "n", "role_id": "role-1"}
    token = (await send(sandbox, "POST", "/v3beta1/enterprise/service-users", json=body)).json()["token"]
    await send(sandbox, "POST", SESSIONS, json={"prompt": token})
    assert token not in await everything_shown(sandbox)


@pytest.mark.parametrize(
    ("path", "content_type", "content", "body"),
    [
        ("/echo/text", "text/plain", b"svc_0123456789ab", "[hidden]"),
        ("/echo/lines", "application/jsonl", b'{"label":"a"}\n{"token":"x"}', None),
        ("/echo/bytes", "image/png", b"\xff", None),
        ("/echo/secrets", "text/plain", b"hunter2", "[hidden]"),
    ],
)
async def test_the_journal_has_bodies_of_other_media_types(
    odd: OddSandbox, path: str, content_type: str, content: bytes, body: Any
) -> None:
    await odd.send("POST", path, content=content, headers={"Content-Type": content_type})
    assert odd.journal[0].body == body


async def test_headers_are_not_in_the_journal(odd: OddSandbox) -> None:
    headers = {"X-Key": "hunter2", "Cookie": "session=hunter2"}
    await odd.send("GET", "/echo/required?page=1", headers=headers)
    assert "hunter2" not in str(odd.journal[0].to_dict())


async def test_a_full_journal_drops_the_oldest_requests(sandbox: Sandbox, org: Any, http: httpx.AsyncClient) -> None:
    sandbox.journal.max_entries = 3
    for _ in range(5):
        await org.sessions.create()
    assert [entry.number for entry in sandbox.journal] == [3, 4, 5]
    response = (await http.get("/_sandbox/journal?after=1")).json()
    assert (len(response["entries"]), response["last"], response["dropped"]) == (3, 5, 2)


@pytest.mark.parametrize(("max_bytes", "kept"), [(100_000, 2), (10_000, 0)])
async def test_a_journal_is_bounded_by_what_its_bodies_take(sandbox: Sandbox, max_bytes: int, kept: int) -> None:
    sandbox.journal.max_bytes = max_bytes
    await send(sandbox, "GET", SESSIONS)
    for _ in range(9):
        await send(sandbox, "POST", SESSIONS, content=json.dumps({"tags": [""] * 500}))
    # A body that would fill the journal alone is not kept.
    bodies = [entry.body for entry in sandbox.journal if entry.body is not None]
    assert (len(bodies), len(sandbox.journal) + sandbox.journal.dropped) == (kept, 10)


async def test_what_was_dropped_is_not_counted_until_the_journal_is_cleared(sandbox: Sandbox, org: Any) -> None:
    sandbox.journal.max_entries = 1
    for _ in range(2):
        await org.sessions.create()
    with pytest.raises(AssertionError, match=r"1 times \(1 requests were dropped: the journal was full"):
        sandbox.journal.expect("organization.sessions.create", times=1)
    assert len(sandbox.journal.expect("organization.sessions.create")) == 1
    sandbox.journal.clear()
    assert sandbox.journal.permissions().unknown == {}
    await org.sessions.create()
    assert [entry.number for entry in sandbox.journal.expect("organization.sessions.create", times=1)] == [3]


async def test_the_permissions_of_all_requests_are_listed(sandbox: Sandbox, org: Any) -> None:
    """Dropped requests count as well, and requests without an operation of the contract are named."""
    sandbox.journal.max_entries = 1
    await org.sessions.list().first_page()
    await org.sessions.create(prompt="Hello")
    await send(sandbox, "GET", "/v3/nothing")
    required = sandbox.journal.permissions()
    assert required.organization == {"ViewOrgSessions": ("organization.sessions.list",)}
    assert required.unknown == {"organization.sessions.create": None, "GET /v3/nothing": None}


@pytest.mark.parametrize(
    "content",
    [
        b'{"message": NaN}',
        b'{"message": -Infinity}',
        b'{"message": 1e999}',
        b'{"message": "\\ud800"}',
        b'{"\\udfff": 1}',
        b"[" * 600 + b"]" * 600,
        b'{"a":' * 400 + b"1" + b"}" * 400,
        b"[" * 100_000,
        b'"\xff"',
    ],
    ids=range(9),
)
@pytest.mark.parametrize("path", [SESSIONS, "/v3/nothing"])
async def test_no_body_ends_the_journal(sandbox: Sandbox, http: httpx.AsyncClient, path: str, content: bytes) -> None:
    headers = {"Authorization": f"Bearer {sandbox.token}", "Content-Type": "application/json"}
    refused = await http.post(path, content=content, headers=headers)
    assert refused.status_code == (404 if path == "/v3/nothing" else 400)
    shown = await http.get("/_sandbox/journal")
    assert (shown.status_code, [each["body"] for each in shown.json()["entries"]]) == (200, [None])
