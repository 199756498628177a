"""`asp doctor`: a newcomer finds the cause by it alone."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import attrs
import pytest
from agent_session_platform import __version__
from agent_session_platform_cli.group import asp
from agent_session_platform_sandbox import Sandbox
from click.testing import CliRunner

from tests.servers.fault_server import CERTIFICATES, TOKEN, Connection, fault_server
from tests.servers.proxy_server import proxy_server
from tests.servers.scripts import EMPTY_LIST, response


@attrs.frozen
class Report:
    """What the command has printed, and its exit code; `text` is without line breaks."""

    code: int
    output: str

    @property
    def text(self) -> str:
        return " ".join(self.output.split())

    @property
    def findings(self) -> dict[str, Any]:
        """The findings of a report in JSON, by their check."""
        return {each["check"]: each for each in json.loads(self.output)["findings"]}


class Doctor:
    """The command, with settings of its own."""

    environment = dict.fromkeys(("SSL_CERT_FILE", "SSL_CERT_DIR"), None) | {
        "AGENT_PLATFORM_TOKEN": TOKEN,
        "AGENT_PLATFORM_ORG_ID": "org-acme",
    }

    def run(self, base_url: str | None, *arguments: str, **environment: str | None) -> Report:
        """Run it; servers of the test must have an event loop of their own."""
        settings = {**self.environment, "AGENT_PLATFORM_BASE_URL": base_url, **environment}
        result = CliRunner().invoke(asp, ["doctor", *arguments], env=settings)
        return Report(result.exit_code, result.stdout)

    async def __call__(self, base_url: str | None, *arguments: str, **environment: str | None) -> Report:
        """Run it beside servers in the event loop of the test."""
        return await asyncio.to_thread(self.run, base_url, *arguments, **environment)


@pytest.fixture
def doctor() -> Doctor:
    """Return the command."""
    return Doctor()


@pytest.fixture
def dead() -> Iterator[str]:
    """Return host and port where nothing listens, and nothing else can."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


DENIED, NOT_FOUND, NETWORK, SERVER, USAGE, FAILURE = 3, 4, 8, 9, 2, 1
AUTHORITY = str(CERTIFICATES / "authority.pem")
NOWHERE = "https://platform.example.com"


def shows(report: Report, code: int, *sentences: str) -> bool:
    """Return whether a report has a code and sentences, and neither a token nor a password."""
    assert [each for each in sentences if each not in report.text] == [], report.output
    return report.code == code and TOKEN not in report.output and "s3cret-word" not in report.output


SETTINGS = {
    "an organization that can be none": (
        {"AGENT_PLATFORM_ORG_ID": "acme"},
        *(USAGE, "problem settings: organization must be an id that starts with 'org-'"),
        "Correct AGENT_PLATFORM_ORG_ID",
    ),
    "a dead proxy": (
        {"HTTPS_PROXY": "http://user:s3cret-word@DEAD"},
        *(NETWORK, f"No response came: enterprise.blueprints.list: could not connect to {NOWHERE} through the proxy"),
        "Do what it says; base_url is from AGENT_PLATFORM_BASE_URL. Check the proxy, too",
    ),
    "a server that does not listen": (
        {"AGENT_PLATFORM_BASE_URL": "http://DEAD"},
        *(NETWORK, "could not connect to http://127.0.0.1:", "Check the proxy, too"),
    ),
    "http instead of https": (
        {"AGENT_PLATFORM_BASE_URL": "http://platform.example.com"},
        *(USAGE, "problem settings: base_url leads to http://platform.example.com: over http everybody on the way"),
        *("write allow_http = true into a profile", "Correct AGENT_PLATFORM_BASE_URL."),
        "not tried response: because settings has a problem.",
    ),
    "no address": ({"AGENT_PLATFORM_BASE_URL": None}, USAGE, "problem settings: no server: use --base-url or set"),
    "half an address": (
        {"AGENT_PLATFORM_BASE_URL": "platform.example.com"},
        *(USAGE, "base_url must be an http or https address"),
    ),
    "an address with the version": (
        {"AGENT_PLATFORM_BASE_URL": f"{NOWHERE}/v3"},
        *(USAGE, "must not end in the version"),
    ),
    "no token": ({"AGENT_PLATFORM_TOKEN": None}, DENIED, "problem credential: no credential: set AGENT_PLATFORM_TOKEN"),
    "a token with its scheme": (
        {"AGENT_PLATFORM_TOKEN": "Bearer svc_x"},
        *(DENIED, "token must be given without the word Bearer", "Correct it in AGENT_PLATFORM_TOKEN"),
    ),
    "a token of the legacy API": (
        {"AGENT_PLATFORM_TOKEN": "apk_x"},
        *(DENIED, "problem credential: The credential from AGENT_PLATFORM_TOKEN is refused: ", "make a key of a"),
    ),
    "a file of the token that is not there": (
        {"AGENT_PLATFORM_TOKEN_FILE": "/nowhere", "AGENT_PLATFORM_TOKEN": None},
        *(DENIED, "problem credential:", "No such file or directory", "Correct it in AGENT_PLATFORM_TOKEN_FILE"),
    ),
}


@pytest.mark.parametrize(
    ("environment", "code", "sentences"), [(a, b, c) for a, b, *c in SETTINGS.values()], ids=SETTINGS
)
def test_a_wrong_setting(
    doctor: Doctor, dead: str, environment: dict[str, str | None], code: int, sentences: list[str]
) -> None:
    given = {name: value and value.replace("DEAD", dead) for name, value in environment.items()}
    assert shows(doctor.run(NOWHERE, **given), code, *sentences)


def test_a_wrong_token(doctor: Doctor, address: str) -> None:
    assert shows(
        doctor.run(address),
        DENIED,
        "problem credential: The credential from AGENT_PLATFORM_TOKEN is refused: ",
        "401 Unauthorized: the credential is not valid",
        "-> Check that AGENT_PLATFORM_BASE_URL is the server that it is for, or make a key of a service user",
        "not tried permissions: because credential has a problem.",
    )


def test_a_wrong_organization(doctor: Doctor, address: str, sandbox: Sandbox) -> None:
    assert shows(
        doctor.run(address, AGENT_PLATFORM_TOKEN=sandbox.token, AGENT_PLATFORM_ORG_ID="org-nope"),
        NOT_FOUND,
        "problem organization: The organization org-nope, from AGENT_PLATFORM_ORG_ID, is not known to the platform",
        "Compare AGENT_PLATFORM_ORG_ID with the settings area. The service user needs a role in it.",
    )


@pytest.mark.parametrize(
    ("userinfo", "sentence"),
    [
        (None, "put its user name and its password into its address"),
        ("a:s3cret-word", "check the user name and the"),
    ],
)
async def test_a_proxy_that_wants_a_password(doctor: Doctor, userinfo: str | None, sentence: str) -> None:
    async with proxy_server(credentials="user:right") as proxy:
        address = proxy.with_credentials(userinfo) if userinfo else proxy.base_url
        report = await doctor(NOWHERE, ALL_PROXY=address)
    assert shows(report, NETWORK, "(407 Proxy Authentication Required)", sentence, "Do what it says")


async def test_a_proxy_that_does_not_connect(doctor: Doctor) -> None:
    async with proxy_server(refusal=response(status="403 Forbidden")) as proxy:
        report = await doctor(NOWHERE, HTTPS_PROXY=proxy.base_url)
    assert shows(report, NETWORK, f"could not connect to {NOWHERE} through the proxy {proxy.base_url}", "403 Forbidden")


@pytest.mark.parametrize(
    ("certificate", "trusted", "code", "sentence"),
    [
        ("loopback", None, NETWORK, "set SSL_CERT_FILE to a file with the certificate of the authority that you trust"),
        ("expired", AUTHORITY, NETWORK, "(certificate has expired); renew it on the server, or set the clock of this"),
        ("elsewhere", AUTHORITY, NETWORK, "use the host name that it is for in base_url"),
        ("loopback", "/nowhere.pem", USAGE, "SSL_CERT_FILE='/nowhere.pem' cannot be used: [Errno 2] No such file or"),
    ],
)
async def test_certificates(doctor: Doctor, certificate: str, trusted: str | None, code: int, sentence: str) -> None:
    async with fault_server(EMPTY_LIST, certificate=certificate) as server:
        report = await doctor(server.base_url, SSL_CERT_FILE=trusted)
    assert shows(report, code, sentence)


@pytest.mark.parametrize(
    ("base_url", "proxy"),
    [("https://platfrom.example.com", None), (NOWHERE, "http://porxy.example.com:3128")],
    ids=["server", "proxy"],
)
def test_a_typo_in_a_host(doctor: Doctor, base_url: str, proxy: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*arguments: object, **settings: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    report = doctor.run(base_url, HTTPS_PROXY=proxy)
    assert shows(report, NETWORK, proxy or base_url, "Name or service not known", "Check the proxy, too")


async def test_http_to_a_server_of_https(doctor: Doctor) -> None:
    async with fault_server(EMPTY_LIST, certificate="loopback") as server:
        report = await doctor(server.base_url.replace("https:", "http:"))
    assert shows(report, NETWORK, "No response came", "and whether the server wants https")


def test_https_to_a_server_of_http(doctor: Doctor, address: str) -> None:
    report = doctor.run(address.replace("http:", "https:"))
    assert shows(report, NETWORK, "WRONG_VERSION_NUMBER", "and whether the server speaks http only")


def test_a_path_that_is_not_the_api(doctor: Doctor, address: str) -> None:
    assert shows(
        doctor.run(f"{address}/api"),
        NOT_FOUND,
        f"problem response: Nothing of the API is at {address}/api: every read got 404.",
        "Check host and path in AGENT_PLATFORM_BASE_URL: it is what stands before /v3",
    )


@pytest.mark.parametrize(
    ("page", "code", "sentence"),
    [
        (response(b"<html>Hi</html>", media_type="text/html"), FAILURE, "is not the API"),
        (response(b"", "302 Found", "Location: https://a.example/?a=b"), FAILURE, "302 with a redirect to https"),
        (response(b"", "503 Service Unavailable"), SERVER, "The server, or a gateway before it, fails"),
    ],
)
async def test_another_site(doctor: Doctor, page: bytes, code: int, sentence: str) -> None:
    async with fault_server(page) as server:
        report = await doctor(server.base_url)
    assert shows(report, code, "problem response:", sentence)
    assert "a=b" not in report.output


async def test_a_server_that_hangs_up(doctor: Doctor) -> None:
    async def hang_up(connection: Connection) -> None:
        connection.reset()

    async with fault_server(EMPTY_LIST, on_connect=hang_up) as server:
        report = await doctor(server.base_url)
    assert shows(report, NETWORK, "problem response: No response came", "then network and firewall")


@pytest.mark.parametrize(("minutes", "side"), [(60, "behind"), (-60, "ahead of")])
async def test_a_clock_that_is_wrong_by_an_hour(doctor: Doctor, minutes: int, side: str) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(minutes=minutes), usegmt=True)
    async with fault_server(response({"items": []}, "200 OK", f"Date: {date}")) as server:
        report = await doctor(server.base_url)
    assert shows(report, FAILURE, "problem clock: The clock of this machine is ", f" s {side} the server's.", "Set it")


def test_all_is_well(doctor: Doctor, address: str, sandbox: Sandbox) -> None:
    report = doctor.run(address, AGENT_PLATFORM_TOKEN=sandbox.token)
    assert (report.code, "Problems: 0. Warnings: 0." in report.text) == (0, True)
    assert "Nothing was written: only GET requests were sent" in report.text


def test_the_report_fits_a_narrow_terminal(doctor: Doctor, address: str) -> None:
    assert max(len(line) for line in doctor.run(address, COLUMNS="60").output.splitlines()[:-2]) <= 60


async def test_only_reads_are_sent(doctor: Doctor) -> None:
    async with fault_server(response({"items": []})) as server:
        report = await doctor(server.base_url)
    assert {each.method for each in server.requests} == {"GET"}
    # It sends no Date.
    assert "not tried clock: because no response says it." in report.text
    assert len(server.requests) > 20


def test_a_token_that_is_refused_is_sent_once(doctor: Doctor, address: str, sandbox: Sandbox) -> None:
    doctor.run(address)
    assert [each.status for each in sandbox.journal if each.path.startswith("/v3")] == [401]


def test_problems_come_last(doctor: Doctor, address: str) -> None:
    states = [line[:9].strip() for line in doctor.run(address).output.splitlines() if line[:1].strip()]
    order = ["ok", "not tried", "warning", "problem"]
    found = [each for each in states if each in order]
    assert (found, found[-1]) == (sorted(found, key=order.index), "problem")


def test_permissions_are_seen_refused_or_cannot_be_told(doctor: Doctor, address: str, sandbox: Sandbox) -> None:
    sandbox.faults.add("enterprise.queue.get", status=409)
    text = doctor.run(address, AGENT_PLATFORM_TOKEN=sandbox.viewer_token).text
    assert "seen to have ViewOrgSessions (organization level): organization.sessions.list" in text
    assert "refused ManageOrgSecrets (level not shown: secret-list-level): organization.secrets.list" in text
    assert "permission not shown (enterprise-audit-logs-permission): enterprise.audit_logs.list" in text
    assert "cannot be told ViewAccountMetrics (level not shown: queue-level): enterprise.queue.get (409)" in text
    # In the order of their names, which a private build has others of.
    assert re.search(r"UseReviewManual.*: no read needs them, and no write is sent", text)


def test_a_personal_access_token_is_accepted_though_most_reads_refuse_it(
    doctor: Doctor, address: str, sandbox: Sandbox
) -> None:
    report = doctor.run(address, AGENT_PLATFORM_TOKEN=sandbox.personal_token)
    assert "ok credential: The server accepts the credential from AGENT_PLATFORM_TOKEN." in report.text


def test_no_organization_is_a_warning(doctor: Doctor, address: str, sandbox: Sandbox) -> None:
    report = doctor.run(address, AGENT_PLATFORM_TOKEN=sandbox.token, AGENT_PLATFORM_ORG_ID=None)
    assert (report.code, "warning organization: None is set" in report.text) == (0, True)


def test_versions_are_shown(doctor: Doctor) -> None:
    assert f"ok versions: agent-session-platform {__version__}, Python 3." in doctor.run(None).text


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of profiles, in the home folder of somebody."""
    home = tmp_path / "somebody"
    home.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("AGENT_PLATFORM_CONFIG", str(home / "config.toml"))
    return home / "config.toml"


def test_json_has_no_secrets(doctor: Doctor, dead: str, config: Path, address: str, sandbox: Sandbox) -> None:
    config.write_text('[profiles.a]\nbase_url = "https://platform.example.com"\norganization = "org-secretive"\n')
    proxy = f"http://somename:s3cret-word@{dead}"
    proxied = doctor.run(None, "--json", "--profile", "a", HTTPS_PROXY=proxy)
    settings = {"AGENT_PLATFORM_TOKEN": sandbox.token, "AGENT_PLATFORM_ORG_ID": "org-secretive"}
    refused = doctor.run(address, "--json", **settings)
    secrets = (TOKEN, sandbox.token, "s3cret-word", "somename", str(config.parent), "secretive")
    for report in (proxied, refused):
        assert report.code == json.loads(report.output)["exit_code"] != 0
        assert [each for each in secrets if each in report.output] == []
    assert "~/config.toml" in proxied.findings["settings"]["text"]
    assert proxied.findings["response"]["state"] == "problem"
    assert "The organization (set), from" in refused.findings["organization"]["text"]


def test_json_is_printed_where_json_is_the_format(doctor: Doctor) -> None:
    assert doctor.run(None, "-o", "json").findings["settings"]["state"] == "problem"


@pytest.mark.parametrize(
    ("line", "code", "check", "sentence"),
    [
        ("base_url = 1", 2, "settings", "~/config.toml: profile 'a' has base_url of the wrong form"),
        ('token_variable = "svc_0123456789"', 2, "settings", "what looks like a credential in token_variable"),
        (
            'base_url = "https://x.example"\ntoken_variable = "UNSET_TOKEN"',
            *(3, "credential", "token_variable of ~/config.toml: profile 'a' names a variable that is not set"),
        ),
    ],
)
def test_a_profile_that_cannot_be_used_leaves_the_rest_untried(
    doctor: Doctor, config: Path, line: str, code: int, check: str, sentence: str
) -> None:
    config.write_text(f"[profiles.a]\n{line}\n")
    report = doctor.run(None, "--json", "--profile", "a", HTTPS_PROXY="http://127.0.0.1:1")
    problem = next(each for each in report.findings.values() if each["state"] == "problem")
    assert (report.code, problem["check"]) == (code, check)
    assert sentence in problem["text"]
    assert report.findings["response"]["text"] == f"because {check} has a problem."
    assert "svc_0123456789" not in report.output
