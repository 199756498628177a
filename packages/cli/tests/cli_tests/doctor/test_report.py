"""The report: all is well, permissions, what was not tried, and JSON without secrets."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from agent_session_platform import __version__
from agent_session_platform_sandbox import Sandbox

from cli_tests.doctor.conftest import Doctor
from tests.servers.fault_server import TOKEN, fault_server
from tests.servers.scripts import response


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
