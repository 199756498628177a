"""A newcomer finds the cause by `asp doctor` alone: the sentence that is shown, and the exit code."""

from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from agent_session_platform_sandbox import Sandbox

from cli_tests.doctor.conftest import Doctor, Report
from tests.servers.fault_server import CERTIFICATES, TOKEN, Connection, fault_server
from tests.servers.proxy_server import proxy_server
from tests.servers.scripts import EMPTY_LIST, response

DENIED, NOT_FOUND, NETWORK, SERVER, USAGE, FAILURE = 3, 4, 8, 9, 2, 1
AUTHORITY = str(CERTIFICATES / "authority.pem")
NOWHERE = "https://platform.example.com"


def shows(report: Report, code: int, *sentences: str) -> bool:
    """Return whether a report has a code and sentences, and no token."""
    assert [each for each in sentences if each not in report.text] == [], report.output
    return report.code == code and TOKEN not in report.output


def test_a_wrong_token(doctor: Doctor, address: str) -> None:
    report = doctor.run(address)
    assert shows(
        report,
        DENIED,
        "problem authentication: The server refuses the credential from AGENT_PLATFORM_TOKEN: it is wrong, "
        "expired or revoked, or of another server. It says: the credential is not valid.",
        "not tried permissions: because authentication has a problem.",
    )


def test_a_wrong_organization(doctor: Doctor, address: str, sandbox: Sandbox) -> None:
    report = doctor.run(address, AGENT_PLATFORM_TOKEN=sandbox.token, AGENT_PLATFORM_ORG_ID="org-nope")
    assert shows(
        report,
        NOT_FOUND,
        "problem organization: The organization org-nope, from AGENT_PLATFORM_ORG_ID, is not known to the platform",
        "Compare AGENT_PLATFORM_ORG_ID with the settings area. The service user needs a role in it.",
    )


def test_an_organization_that_can_be_none(doctor: Doctor, address: str, sandbox: Sandbox) -> None:
    report = doctor.run(address, AGENT_PLATFORM_TOKEN=sandbox.token, AGENT_PLATFORM_ORG_ID="acme")
    assert shows(
        report,
        USAGE,
        "problem settings: organization must be an id that starts with 'org-'",
        "Correct AGENT_PLATFORM_ORG_ID",
    )


def test_a_dead_proxy(doctor: Doctor, dead: str) -> None:
    report = doctor.run(NOWHERE, HTTPS_PROXY=f"http://user:s3cret-word@{dead}")
    assert shows(
        report,
        NETWORK,
        "problem response: No response came:",
        f"could not connect to {NOWHERE} through the proxy http://{dead}",
        "Do what it says; base_url is from AGENT_PLATFORM_BASE_URL. Check the proxy, too",
        "not tried permissions: because response has a problem.",
    )
    assert "s3cret-word" not in report.output


@pytest.mark.parametrize(
    ("userinfo", "sentence"),
    [("", "put its user name and its password into its address"), ("a:wrong-word@", "check the user name and the")],
)
async def test_a_proxy_that_wants_a_password(doctor: Doctor, userinfo: str, sentence: str) -> None:
    async with proxy_server(credentials="user:right") as proxy:
        address = proxy.with_credentials(userinfo[:-1]) if userinfo else proxy.base_url
        report = await doctor(NOWHERE, ALL_PROXY=address)
    assert shows(report, NETWORK, "(407 Proxy Authentication Required)", sentence, "Do what it says")
    assert "wrong-word" not in report.output


async def test_a_proxy_that_does_not_connect(doctor: Doctor) -> None:
    async with proxy_server(refusal=response(status="403 Forbidden")) as proxy:
        report = await doctor(NOWHERE, HTTPS_PROXY=proxy.base_url)
    assert shows(report, NETWORK, f"could not connect to {NOWHERE} through the proxy {proxy.base_url}", "403 Forbidden")


@pytest.mark.parametrize(
    ("certificate", "trusted", "sentence"),
    [
        ("loopback", None, "set SSL_CERT_FILE to a file with the certificate of the authority that you trust"),
        ("expired", AUTHORITY, "(certificate has expired); renew it on the server, or set the clock of this machine"),
        ("elsewhere", AUTHORITY, "use the host name that it is for in base_url"),
    ],
)
async def test_a_certificate_that_is_refused(
    doctor: Doctor, certificate: str, trusted: str | None, sentence: str
) -> None:
    async with fault_server(EMPTY_LIST, certificate=certificate) as server:
        report = await doctor(server.base_url, SSL_CERT_FILE=trusted)
    assert shows(report, NETWORK, sentence, "Do what it says; base_url is from AGENT_PLATFORM_BASE_URL")


async def test_a_file_of_certificates_that_is_none(doctor: Doctor) -> None:
    async with fault_server(EMPTY_LIST, certificate="loopback") as server:
        report = await doctor(server.base_url, SSL_CERT_FILE="/nowhere.pem")
    assert shows(report, USAGE, "SSL_CERT_FILE='/nowhere.pem' cannot be used: [Errno 2] No such file or directory")


def test_a_server_that_does_not_listen(doctor: Doctor, dead: str) -> None:
    report = doctor.run(f"http://{dead}")
    assert shows(report, NETWORK, f"could not connect to http://{dead}", "Check the proxy, too")


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


def test_http_instead_of_https(doctor: Doctor) -> None:
    report = doctor.run("http://platform.example.com")
    assert shows(
        report,
        USAGE,
        "problem settings: base_url leads to http://platform.example.com: over http everybody on the way can read the",
        "use https://, or write allow_http = true into a profile",
        "Correct AGENT_PLATFORM_BASE_URL.",
        "not tried response: because settings has a problem.",
    )


async def test_http_to_a_server_of_https(doctor: Doctor) -> None:
    async with fault_server(EMPTY_LIST, certificate="loopback") as server:
        report = await doctor(server.base_url.replace("https:", "http:"))
    assert shows(report, NETWORK, "No response came", "and whether the server wants https")


def test_https_to_a_server_of_http(doctor: Doctor, address: str) -> None:
    report = doctor.run(address.replace("http:", "https:"))
    assert shows(report, NETWORK, "WRONG_VERSION_NUMBER", "and whether the server speaks http only")


def test_a_path_that_is_not_the_api(doctor: Doctor, address: str) -> None:
    report = doctor.run(f"{address}/api")
    assert shows(
        report,
        NOT_FOUND,
        f"problem response: Nothing of the API is at {address}/api: every read got 404.",
        "Check host and path in AGENT_PLATFORM_BASE_URL: it is what stands before /v3",
    )


@pytest.mark.parametrize(
    ("page", "code", "sentence"),
    [
        (response(b"<html>Welcome</html>", media_type="text/html"), FAILURE, "is not the API"),
        (
            response(b"", "302 Found", "Location: https://login.example.com/?a=b"),
            FAILURE,
            "302 with a redirect to https",
        ),
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
    assert shows(
        report,
        FAILURE,
        "problem clock: The clock of this machine is ",
        f" s {side} the server's.",
        "Set it, or let NTP set it",
    )


@pytest.mark.parametrize(
    ("environment", "code", "sentence"),
    [
        ({"AGENT_PLATFORM_TOKEN": None}, DENIED, "problem credential: From AGENT_PLATFORM_TOKEN: there is none"),
        ({"AGENT_PLATFORM_TOKEN": "Bearer svc_x"}, DENIED, "token must be given without the word Bearer"),
        (
            {"AGENT_PLATFORM_TOKEN": "apk_x"},
            DENIED,
            "A legacy API key, of the paths of v1 and v2, from AGENT_PLATFORM_TOKEN: no current",
        ),
        (
            {"AGENT_PLATFORM_TOKEN_FILE": "/nowhere", "AGENT_PLATFORM_TOKEN": None},
            DENIED,
            "From AGENT_PLATFORM_TOKEN_FILE: No such",
        ),
    ],
)
def test_a_credential_that_cannot_be_used(
    doctor: Doctor, address: str, environment: dict[str, str | None], code: int, sentence: str
) -> None:
    assert shows(doctor.run(address, **environment), code, sentence)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        (None, "problem settings: base_url is missing"),
        ("platform.example.com", "base_url must be an http or https address"),
        ("https://platform.example.com/v3", "must not end in the version"),
    ],
)
def test_an_address_that_cannot_be_used(doctor: Doctor, address: str | None, sentence: str) -> None:
    assert shows(doctor.run(address), USAGE, sentence)
