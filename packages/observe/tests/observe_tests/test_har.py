"""What a browser or a proxy has saved as HAR counts like what the SDK saw, and nothing of it vanishes in silence."""

from __future__ import annotations

import json
import tracemalloc
from base64 import b64encode
from pathlib import Path
from typing import Any

import httpx
import pytest
from agent_session_platform import ExchangeRecord, InvalidArgumentError
from agent_session_platform_observe import Observations, import_har, make_report, propose_overlay, read_observations
from agent_session_platform_sandbox import Sandbox

from observe_tests.deployment import observing, page, session
from observe_tests.test_other_contract import components

BASE = "https://acme.example/api"
SESSIONS = f"{BASE}/v3/organizations/org-acme/sessions"
PLAYBOOK = {"playbook_id": "playbook-1", "title": "johanna_meier", "size_left": 3}


def entry(url: str = SESSIONS, body: Any = None, method: str = "GET", status: int = 200, **more: Any) -> dict[str, Any]:
    """Return an entry, with the members that Chrome and Firefox write."""
    content = {"mimeType": "application/json", "text": json.dumps(body), "size": 100}
    response = {
        "status": status,
        "headers": [{"name": "content-type", "value": "application/json"}],
        "content": content,
    }
    request = {"method": method, "url": url, "headers": [{"name": "authorization", "value": "Bearer svc_secret"}]}
    times = {"startedDateTime": "2026-11-20T23:30:00.123-02:00", "time": 12.5}
    return times | {"request": request, "response": response} | more


def har(folder: Path, *entries: Any, name: str = "traffic.har") -> Path:
    file = folder / name
    file.write_text(json.dumps({"log": {"version": "1.2", "pages": [], "entries": entries}}), encoding="utf-8")
    return file


def imported(path: Path, *entries: Any, **settings: Any) -> Any:
    return import_har([har(path.parent, *entries)], path, **settings)


async def test_an_import_counts_what_the_sdk_counts(path: Path) -> None:
    records: list[ExchangeRecord] = []

    class Both(Observations):
        def __call__(self, record: ExchangeRecord, /) -> None:
            records.append(record)
            super().__call__(record)

    def respond(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            return httpx.Response(201, json=session(1), headers={"x-region": "eu"})
        return httpx.Response(200, json=page([session(number) for number in range(5)]))

    async with observing(Sandbox(), Both(path), respond) as platform:
        org = platform.organization("org-acme")
        for _ in range(3):
            await org.sessions.create(prompt="Fix it", speed_up=3)
            await org.sessions.list(first=3).first_page()
            await platform.request("GET", "/v3/enterprise/new/johanna_meier/sessions", query={"size": "3"})
    entries: list[Any] = []
    for record in records:
        assert record.content is not None
        assert record.status is not None
        url = str(httpx.URL(BASE + record.path, params=record.query))
        found = entry(url, None, record.operation.method, record.status)
        found["response"]["content"]["text"] = record.content.decode()
        found["response"]["headers"] = [{"name": name, "value": value} for name, value in record.headers]
        if record.request_body is not None:
            found["request"]["postData"] = {"mimeType": record.request_type, "text": record.request_body.decode()}
        entries.append(found)
    other = path.with_name("imported.json")
    import_har([har(path.parent, *entries)], other)

    def without_dates(file: Path) -> Any:
        def strip(node: dict[str, Any]) -> dict[str, Any]:
            return {key: value for key, value in node.items() if key not in ("first", "last")}

        return json.loads(file.read_text(), object_hook=strip)

    assert without_dates(other) == without_dates(path)


def test_the_dates_are_those_of_the_traffic(path: Path) -> None:
    imported(path, entry(body=page([])), entry(body=page([]), startedDateTime="2026-11-02T09:00:00Z"))
    assert read_observations([path])["list_organization_sessions"].dates() == ("2026-11-02", "2026-11-21")


def test_a_time_of_no_clock_is_today(path: Path) -> None:
    imported(path, entry(body=page([]), startedDateTime="0001-01-01T00:00:00Z"))
    assert read_observations([path])["list_organization_sessions"].dates()[0] > "2026"


def test_a_proposal_has_what_was_imported(path: Path) -> None:
    url = f"{BASE}/v3/organizations/org-acme/playbooks/playbook-1"
    imported(path, *[entry(url, PLAYBOOK)] * 3)
    assert components(propose_overlay(read_observations([path])))["Playbook"]["properties"].keys() == PLAYBOOK.keys()


def test_no_value_is_kept(path: Path) -> None:
    url = f"{BASE}/v3/organizations/johanna_meier/playbooks/johanna_meier?search=johanna_meier"
    found = imported(path, *[entry(url, PLAYBOOK)] * 3, entry(f"{BASE}/v3/johanna_meier"))
    report = str(make_report(read_observations([path])))
    assert not {"johanna_meier", "svc_secret", "acme.example"} & {*path.read_text().split('"'), *report.split()}
    assert "johanna_meier" not in f"{found}{path.read_text()}{report}"


@pytest.mark.parametrize("base_url", [None, BASE, f"{BASE}/", "https://ACME.example/api"])
def test_the_address_is_given_or_the_most_frequent_one(path: Path, base_url: str | None) -> None:
    other = entry("https://user:secret@other.example/v3/enterprise/roles")
    found = imported(path, entry(), entry(), other, base_url=base_url)
    assert (found.base_url, found.read) == (BASE, {"organization.sessions.list": 2})
    assert found.other_base_urls == {"https://other.example": 1}
    assert str(found).startswith(f"2 responses read from {BASE}\n  organization.sessions.list: 2\n1 request ignored\n")


def test_another_address_can_be_chosen(path: Path) -> None:
    other = entry("https://other.example/v3/enterprise/roles")
    found = imported(path, entry(), entry(), other, base_url="https://other.example")
    assert (found.read, found.other_base_urls) == ({"enterprise.roles.list": 1}, {BASE: 2})


IGNORED: list[tuple[Any, str]] = [
    (entry("https://cdn.example/a.js"), "to another address"),
    (entry(f"{BASE}2/v3/enterprise/roles"), "to another address"),
    (entry("data:image/png;base64,AAAA"), "to another address"),
    (entry("wss://acme.example/api/v3/enterprise/roles"), "to another address"),
    (entry(f"{BASE}/index.html"), "to a path that the contract does not have"),
    (entry(f"{BASE}/v3/enterprise/news"), "to a path that the contract does not have"),
    (entry(method="OPTIONS"), "with a method that no operation has, such as OPTIONS of a browser"),
    (entry(method="Grüße"), "with a method that no operation has, such as OPTIONS of a browser"),
    (entry(status=0), "without a response: failed, blocked or cancelled"),
    (entry(startedDateTime=None), "malformed"),
    (entry(startedDateTime="now"), "malformed"),
    (entry(request={"method": "GET"}), "malformed"),
    (entry(request=None), "malformed"),
    (entry(response={"status": 200, "headers": ["a"]}), "malformed"),
    (entry(response={"status": 1e400}), "malformed"),
    (entry(response={"status": 200, "content": {"text": "*", "encoding": "base64"}}), "malformed"),
    (entry("https://[/v3"), "malformed"),
    ({"comment": "an entry without a request"}, "malformed"),
    (7, "malformed"),
]


@pytest.mark.parametrize(("ignored", "why"), IGNORED, ids=range(len(IGNORED)))
def test_what_is_ignored_is_counted_with_the_reason(path: Path, ignored: Any, why: str) -> None:
    found = imported(path, entry(body=page([])), ignored)
    assert [(reason.partition(":")[0], number) for reason, number in found.ignored.items()] == [
        (why.partition(":")[0], 1)
    ]
    assert read_observations([path])["list_organization_sessions"].below["200"].counts["count"] == 1


def test_a_path_that_the_contract_lacks_is_in_the_report(path: Path) -> None:
    imported(path, entry(), entry(f"{BASE}/v3/enterprise/johanna_meier"), entry(f"{BASE}/assets/a.js"))
    lines = make_report(read_observations([path])).additions
    assert [line.subject for line in lines if " /" in line.subject] == ["GET /v3/enterprise/{}"]


def test_a_path_that_is_named_is_read(path: Path) -> None:
    widgets = entry(f"{BASE}/v3/enterprise/widgets", page([{"widget_id": "1", "size_left": 1}] * 3))
    found = imported(path, entry(), widgets, paths=["/v3/enterprise/widgets"])
    assert (found.read["GET /v3/enterprise/widgets"], found.ignored) == (1, {})
    assert "list_enterprise_widgets" in propose_overlay(read_observations([path]))


def with_content(**content: Any) -> dict[str, Any]:
    return entry(response={"status": 200, "content": content})


def test_a_body_in_base64_is_read(path: Path) -> None:
    text = b64encode(json.dumps(page([session(1)])).encode()).decode()
    imported(path, with_content(mimeType="application/json; charset=utf-8", text=text, encoding="base64"))
    assert "items" in read_observations([path])["list_organization_sessions"].below["200"].at("body").members()


def test_a_body_that_the_file_lacks_is_counted(path: Path) -> None:
    found = imported(path, with_content(mimeType="application/json", size=90), with_content(size=0))
    assert (found.unread, found.read) == (1, {"organization.sessions.list": 2})
    assert "1 response not read: the file lacks the body" in str(found)
    assert read_observations([path])["list_organization_sessions"].below["200"].at("body").counts == {
        "unread": 1,
        "empty": 1,
    }


def test_a_name_that_is_too_rare_is_counted(path: Path) -> None:
    found = imported(path, entry(body=page([{"session_id": "assistant-1", "zeal": 1, "zest": 2}])))
    assert (found.rare_names, "2 members not kept" in str(found)) == (2, True)
    assert "zeal" not in path.read_text()


def test_several_files_are_added_up(path: Path) -> None:
    one = entry(body=page([{"session_id": "assistant-1", "zeal": 1}]))
    files = [har(path.parent, one, name=f"{number}.har") for number in range(3)]
    assert import_har(files, path).read == {"organization.sessions.list": 3}
    assert "zeal" in path.read_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1 column 1"),
        ("<html>", "line 1 column 1"),
        ('{"log":\n{"entries": [{"request"', "line 2 column 24"),
        ('{"log": {}}', "it has no `log.entries`"),
        ('{"log": {"entries": 7}}', "it has no `log.entries`"),
        ("[]", "it has no `log.entries`"),
        ("[" * 100_000, "recursion"),
        ("\x80", "position 0"),
    ],
)
def test_what_is_no_har_is_refused_with_the_place(path: Path, text: str, message: str) -> None:
    file = path.with_name("traffic.har")
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(InvalidArgumentError, match=r"no HAR file: '.*traffic.har' ") as caught:
        import_har([file], path)
    assert message in str(caught.value)
    assert not path.exists()


def test_a_missing_file_is_refused(path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="No such file"):
        import_har(["missing.har"], path)


@pytest.mark.parametrize("base_url", [None, "https://acme.example", "acme", ""])
def test_traffic_of_no_deployment_is_refused(path: Path, base_url: str | None) -> None:
    with pytest.raises(InvalidArgumentError, match="no request leads from .* to an operation of the contract"):
        imported(path, entry("https://cdn.example/a.js"), base_url=base_url)
    assert not path.exists()


def test_a_byte_order_mark_and_control_characters_are_read(path: Path) -> None:
    file = har(path.parent, entry(body=page([])) | {"comment": "TAB"})
    file.write_text("\ufeff" + file.read_text().replace("TAB", "\t"), encoding="utf-8")
    assert import_har([file], path).read == {"organization.sessions.list": 1}


def test_memory_has_one_file_as_text_and_no_entries(path: Path) -> None:
    many = {f"x-{number}": "v" for number in range(100)}
    headers = [{"name": name, "value": value} for name, value in many.items()]
    ignored = entry("https://cdn.example/a.js") | {"timings": many, "cookies": headers}
    file = har(path.parent, entry(), *[ignored] * 500)
    tracemalloc.start()
    import_har([file], path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * file.stat().st_size
