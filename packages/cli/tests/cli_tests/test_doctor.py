"""`asp doctor`: it finds the cause of a wrong set-up, and its report has no secrets."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import attrs
import pytest
from agent_session_platform import __version__
from agent_session_platform_cli import profiles
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp
from tests.servers.fault_server import CERTIFICATES, TOKEN, Connection, fault_server
from tests.servers.proxy_server import proxy_server
from tests.servers.scripts import EMPTY_LIST, response

DENIED, NOT_FOUND, RATE_LIMITED, NETWORK, SERVER, USAGE, FAILURE = 3, 4, 6, 8, 9, 2, 1
NOWHERE = "https://platform.example.com"
PASSWORD = "s3cret-word"


@attrs.frozen
class Report:
    """The output and the exit code of the command. `text` has no line breaks."""

    code: int
    output: str

    @property
    def text(self) -> str:
        return " ".join(self.output.split())

    def findings(self) -> dict[str, Any]:
        """Return the findings of a JSON report, by the name of the check."""
        return {each["check"]: each for each in json.loads(self.output)["findings"]}

    def shows(self, code: int, *sentences: str) -> bool:
        """Return whether the report has a code and sentences, but no token and no password."""
        assert [each for each in sentences if each not in self.text] == [], self.output
        return self.code == code and TOKEN not in self.output and PASSWORD not in self.output


Doctor: TypeAlias = Callable[..., Report]


@pytest.fixture
def doctor(offline: Asp) -> Doctor:
    """Return the command. A test with a server runs it in a thread."""
    settings = {"AGENT_PLATFORM_TOKEN": TOKEN, "AGENT_PLATFORM_ORG_ID": "org-acme", "COLUMNS": "100"}

    def run(base_url: str | None, *arguments: str, **environment: str | None) -> Report:
        given = settings | {"AGENT_PLATFORM_BASE_URL": base_url, "SSL_CERT_FILE": None} | environment
        result = offline("doctor", *arguments, **given)
        return Report(result.exit_code, result.stdout)

    return run


@pytest.fixture
def dead() -> Iterator[str]:
    """Return a host and a port on which nothing listens during the test."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


REFUSED = "problem credential: The credential from AGENT_PLATFORM_TOKEN is refused: "
NOT_THERE = "problem response: No response came: enterprise.blueprints.list: could not connect to "
# The variables, the exit code, and sentences of the report.
SETTINGS: list[tuple[dict[str, str | None], int, list[str]]] = [
    ({"ORG_ID": "acme"}, USAGE, ["settings: organization must be an id that starts", "Correct AGENT_PLATFORM_ORG_ID"]),
    ({"BASE_URL": None}, USAGE, ["problem settings: no server: use --base-url or set AGENT_PLATFORM_BASE_URL"]),
    ({"BASE_URL": "platform.example.com"}, USAGE, ["base_url must be an http or https address"]),
    ({"BASE_URL": f"{NOWHERE}/v3"}, USAGE, ["must not end in the version", "Correct AGENT_PLATFORM_BASE_URL."]),
    ({"BASE_URL": "http://platform.example.com"}, USAGE, ["set allow_http to true", "not tried response:"]),
    ({"BASE_URL": "SANDBOX"}, DENIED, [f"{REFUSED}enterprise.blueprints.list: 401", "-> Check that it belongs to"]),
    ({"BASE_URL": "SANDBOX/api"}, NOT_FOUND, ["The API is not at http://127", "it must be the part before /v3"]),
    ({"BASE_URL": "SANDBOX", "TOKEN": "RIGHT", "ORG_ID": "org-no"}, NOT_FOUND, ["organization org-no, from AGENT"]),
    ({"BASE_URL": "http://DEAD"}, NETWORK, [f"{NOT_THERE}http://127.0.0.1", "Check the proxy, too"]),
    ({"BASE_URL": "https:SANDBOX"}, NETWORK, ["WRONG_VERSION_NUMBER", "and whether the server speaks http only"]),
    ({"HTTPS_PROXY": f"http://u:{PASSWORD}@DEAD"}, NETWORK, [f"{NOT_THERE}{NOWHERE} through the proxy", "Check the"]),
    ({"TOKEN": None}, DENIED, ["problem credential: no credential: set AGENT_PLATFORM_TOKEN, or"]),
    ({"TOKEN": "Bearer svc_x"}, DENIED, ["token must be given without the word Bearer", "in AGENT_PLATFORM_TOKEN"]),
    ({"TOKEN": "apk_x"}, DENIED, [REFUSED, "make a key of a service user in the settings area"]),
    ({"TOKEN_FILE": "/nowhere", "TOKEN": None}, DENIED, ["No such file or directory", "in AGENT_PLATFORM_TOKEN_FILE"]),
]


@pytest.mark.parametrize(("environment", "code", "sentences"), SETTINGS)
def test_a_wrong_setting(
    doctor: Doctor, sandbox: Sandbox, address: str, dead: str, environment: Any, code: int, sentences: list[str]
) -> None:
    given: dict[str, str | None] = {"BASE_URL": NOWHERE, **environment}
    https = address.replace("http", "https")
    for word, value in {"https:SANDBOX": https, "SANDBOX": address, "DEAD": dead, "RIGHT": sandbox.token}.items():
        given = {name: text and text.replace(word, value) for name, text in given.items()}
    named = {name if "PROXY" in name else f"AGENT_PLATFORM_{name}": value for name, value in given.items()}
    assert doctor(None, **named).shows(code, *sentences)


@pytest.mark.parametrize(
    ("base_url", "proxy"), [("https://platfrom.example.com", None), (NOWHERE, "http://porxy:3128")]
)
def test_a_typo_in_a_host(doctor: Doctor, base_url: str, proxy: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*arguments: object, **settings: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    report = doctor(base_url, HTTPS_PROXY=proxy)
    assert report.shows(NETWORK, proxy or base_url, "Name or service not known", "Check the proxy, too")


async def hang_up(connection: Connection) -> None:
    connection.reset()


# The fault of a server, the trusted certificates, the exit code, and a sentence of the report.
AUTHORITY = str(CERTIFICATES / "authority.pem")
SERVERS: list[tuple[dict[str, Any], str | None, int, str]] = [
    ({"certificate": "loopback"}, None, NETWORK, "set SSL_CERT_FILE to a file with the certificate of the authority"),
    ({"certificate": "expired"}, AUTHORITY, NETWORK, "(certificate has expired); to trust"),
    ({"certificate": "elsewhere"}, AUTHORITY, NETWORK, "certificate is not valid for"),
    ({"certificate": "loopback"}, "/nowhere.pem", USAGE, "SSL_CERT_FILE='/nowhere.pem' cannot be used: [Errno 2]"),
    ({"certificate": "loopback", "scheme": "http"}, None, NETWORK, "whether the server wants https; then the"),
    ({"on_connect": hang_up}, None, NETWORK, "problem response: No response came: enterprise.blueprints.list: "),
    ({"sends": response(b"<p>", media_type="text/html")}, None, FAILURE, "problem response: What responds at http:"),
    ({"sends": response(b"", "302 Found", "Location: https://a.b/")}, None, FAILURE, "302 with a redirect to https:"),
    ({"sends": response(b"", "503 Service Unavailable")}, None, SERVER, "problem response: The server, or a gateway"),
]


@pytest.mark.parametrize(("server", "trusted", "code", "sentence"), SERVERS)
async def test_a_server(doctor: Doctor, server: dict[str, Any], trusted: str | None, code: int, sentence: str) -> None:
    settings = {"sends": EMPTY_LIST, **server}
    scheme = settings.pop("scheme", None)
    async with fault_server(settings.pop("sends"), **settings) as started:
        base_url = started.base_url.replace("https", scheme) if scheme else started.base_url
        report = await asyncio.to_thread(doctor, base_url, SSL_CERT_FILE=trusted)
    assert report.shows(code, sentence)


PAGE = b"<h1>Blocked</h1>"
PROBLEM = {"title": "Too Many Requests", "status": 429}


@pytest.mark.parametrize(
    "sent",
    [
        response(PAGE, "403 Forbidden", media_type="text/html"),
        response(PAGE, "401 Unauthorized", "WWW-Authenticate: Basic realm=x", media_type="text/html"),
        response({"message": "no"}, "401 Unauthorized"),
        response({"message": "no"}, "403 Forbidden"),
        response({"title": "no", "status": 200}, "403 Forbidden"),
        response(b"slow down", "429 Too Many Requests", "Retry-After: 3600", media_type="text/plain"),
        response(b"", "204 No Content"),
        response({"status": "ok"}),
        response([]),
    ],
    ids=["403", "401 Basic", "401 JSON", "403 JSON", "another status", "429", "204", "200", "array"],
)
async def test_what_is_not_the_api_is_said(doctor: Doctor, sent: Any) -> None:
    async with fault_server(sent) as server:
        report = await asyncio.to_thread(doctor, server.base_url)
    assert report.shows(FAILURE, "problem response: What responds at http:", "a firewall, a gateway or a login")
    assert "not tried credential" in report.text


async def test_a_429_is_waited_out(doctor: Doctor, sandbox: Sandbox, address: str) -> None:
    sandbox.faults.add("enterprise.blueprints.list", status=429, retry_after=0, times=4)
    report = await asyncio.to_thread(doctor, address, AGENT_PLATFORM_TOKEN=sandbox.token)
    assert report.shows(0, "Problems: 0. Warnings: 0.")


async def test_a_429_to_everything_says_nothing_about_the_credential(doctor: Doctor) -> None:
    limited = response(PROBLEM, "429 Too Many Requests", "Retry-After: 3600", media_type="application/problem+json")
    async with fault_server(limited) as server:
        report = await asyncio.to_thread(doctor, server.base_url)
    assert report.shows(RATE_LIMITED, "ok response: The API responds", "AGENT_PLATFORM_TOKEN is accepted is not known")


def test_a_misspelled_organization_is_said_once_with_the_one_that_is_near(
    doctor: Doctor, address: str, sandbox: Sandbox
) -> None:
    report = doctor(address, AGENT_PLATFORM_TOKEN=sandbox.token, AGENT_PLATFORM_ORG_ID="org-amce")
    assert report.shows(NOT_FOUND, "Did you mean org-acme?", "permissions: 16 granted, 0 refused, 0 unknown")
    assert report.text.count("org-amce") == 1


@pytest.mark.parametrize("home", [None, "/"])
def test_a_report_needs_no_home_folder(
    doctor: Doctor, address: str, monkeypatch: pytest.MonkeyPatch, home: Any
) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home if home is None else lambda: Path(home))
    assert doctor(address, "--json").findings()["settings"]["text"].startswith(f"base_url is {address}")


def test_a_command_that_hangs_is_named(
    doctor: Doctor, config: Path, dead: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiles, "QUIET_SECONDS", 0.05)
    monkeypatch.setattr(profiles, "COMMAND_SECONDS", 0.1)
    words = [sys.executable, "-c", "import time; time.sleep(60)"]
    config.write_text(f'[profiles.a]\nbase_url = "http://{dead}"\ntoken_command = {json.dumps(words)}\n')
    report = doctor(None, "--profile", "a")
    assert report.shows(DENIED, "problem credential: no credential: token_command of", "has printed no token within")
    assert "lambda" not in report.text


@pytest.mark.parametrize(
    ("proxy", "userinfo", "sentence"),
    [
        ({"credentials": "user:right"}, "", "407 Proxy Authentication Required); check the user name and the password"),
        ({"credentials": "user:right"}, f"a:{PASSWORD}@", "407 Proxy Authentication Required); check the user name"),
        ({"refusal": response(status="403 Forbidden")}, "", "403 Forbidden"),
    ],
)
async def test_a_proxy(doctor: Doctor, proxy: Any, userinfo: str, sentence: str) -> None:
    async with proxy_server(**proxy) as started:
        address = started.base_url.replace("//", f"//{userinfo}")
        report = await asyncio.to_thread(doctor, NOWHERE, ALL_PROXY=address)
    assert report.shows(
        NETWORK, f"{NOT_THERE}{NOWHERE} through the proxy {started.base_url}", sentence, "or check host and port"
    )


ACCEPTED = "ok credential: The server accepts the credential from AGENT_PLATFORM_TOKEN."


@pytest.mark.parametrize(
    ("token", "organization", "sentences"),
    [
        ("token", "org-acme", ["Problems: 0. Warnings: 0.", "Nothing was written: only GET requests were sent"]),
        ("token", "org-acme", [f"ok versions: agent-session-platform {__version__}, Python 3."]),
        ("token", None, ["warning organization: No organization is set"]),
        # Most reads refuse this credential.
        ("personal_token", "org-acme", [ACCEPTED, "warning permissions: 2 granted, 29 refused"]),
        ("admin_key", "org-acme", [ACCEPTED, "-> Use a key of a service user"]),
    ],
)
def test_what_works(
    doctor: Doctor, address: str, sandbox: Sandbox, token: str, organization: str | None, sentences: list[str]
) -> None:
    given = {"AGENT_PLATFORM_TOKEN": getattr(sandbox, token), "AGENT_PLATFORM_ORG_ID": organization}
    assert doctor(address, **given).shows(0, *sentences)


@pytest.mark.parametrize("columns", ["60", "1"])
def test_the_report_fits_a_narrow_terminal(doctor: Doctor, address: str, columns: str) -> None:
    assert max(len(line) for line in doctor(address, COLUMNS=columns).output.splitlines()[:-2]) <= 60


async def test_only_reads_are_sent(doctor: Doctor) -> None:
    async with fault_server(response({"items": []})) as server:
        await asyncio.to_thread(doctor, server.base_url)
    assert {each.method for each in server.requests} == {"GET"}
    assert len(server.requests) > 20


def test_a_token_that_is_refused_is_sent_once(doctor: Doctor, address: str, sandbox: Sandbox) -> None:
    doctor(address)
    assert [each.status for each in sandbox.journal if each.path.startswith("/v3")] == [401]


def test_problems_come_last(doctor: Doctor, address: str) -> None:
    states = [line[:9].strip() for line in doctor(address).output.splitlines() if line[:1].strip()]
    order = ["ok", "not tried", "warning", "problem"]
    found = [each for each in states if each in order]
    assert (found, found[-1]) == (sorted(found, key=order.index), "problem")


def test_permissions_are_seen_refused_or_cannot_be_told(doctor: Doctor, address: str, sandbox: Sandbox) -> None:
    sandbox.faults.add("enterprise.queue.get", status=409)
    report = doctor(address, AGENT_PLATFORM_TOKEN=sandbox.viewer_token)
    assert report.shows(
        0,
        "granted ViewOrgSessions: organization.sessions.list",
        "refused ManageOrgSecrets: organization.secrets.list",
        "unknown ViewAccountMetrics: enterprise.queue.get (409)",
        "no write is sent",
    )


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the file of profiles, in a home folder."""
    home = tmp_path / "somebody"
    home.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("AGENT_PLATFORM_CONFIG", str(home / "config.toml"))
    return home / "config.toml"


def test_json_has_no_secrets(doctor: Doctor, dead: str, config: Path, address: str, sandbox: Sandbox) -> None:
    config.write_text(f'[profiles.a]\nbase_url = "{NOWHERE}"\norganization = "org-secretive"\n')
    proxied = doctor(None, "--json", "--profile", "a", HTTPS_PROXY=f"http://somename:{PASSWORD}@{dead}")
    refused = doctor(address, "-o", "json", AGENT_PLATFORM_TOKEN=sandbox.token, AGENT_PLATFORM_ORG_ID="org-secretive")
    secrets = (TOKEN, sandbox.token, PASSWORD, "somename", str(config.parent), "secretive")
    for report in (proxied, refused):
        assert report.code == json.loads(report.output)["exit_code"] != 0
        assert [each for each in secrets if each in report.output] == []
    assert "~/config.toml" in proxied.findings()["settings"]["text"]
    assert proxied.findings()["response"]["state"] == "problem"
    assert "The organization (set), from" in refused.findings()["organization"]["text"]


SOURCE = f'base_url = "{NOWHERE}"\ntoken_variable = "UNSET_TOKEN"'


@pytest.mark.parametrize(
    ("line", "code", "check", "sentence"),
    [
        ("base_url = 1", USAGE, "settings", "~/config.toml: profile 'a' has base_url of the wrong form"),
        ('token_variable = "svc_0123456789"', USAGE, "settings", "what looks like a credential in token_variable"),
        (SOURCE, DENIED, "credential", "token_variable of ~/config.toml: profile 'a' names a variable that is not set"),
    ],
)
def test_a_profile_that_cannot_be_used_leaves_the_rest_untried(
    doctor: Doctor, config: Path, line: str, code: int, check: str, sentence: str
) -> None:
    config.write_text(f"[profiles.a]\n{line}\n")
    report = doctor(None, "--json", "--profile", "a")
    found = report.findings()
    assert (report.code, found[check]["state"], sentence in found[check]["text"]) == (code, "problem", True)
    assert found["response"]["text"] == f"because {check} has a problem."
    assert "svc_0123456789" not in report.output
