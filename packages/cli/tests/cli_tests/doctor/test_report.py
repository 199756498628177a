"""The report: all is well, permissions, what was not tried, and JSON without secrets."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest
from agent_session_platform_sandbox import Sandbox

from cli_tests.conftest import Asp
from cli_tests.doctor.conftest import Doctor
from tests.servers.fault_server import TOKEN, fault_server
from tests.servers.scripts import response

OK = response({"items": []})


def test_all_is_well(doctor: Doctor, address: str, sandbox: Sandbox) -> None:
    report = doctor.run(address, AGENT_PLATFORM_TOKEN=sandbox.token)
    assert (report.code, "Problems: 0. Warnings: 0." in report.text) == (0, True)
    assert "This is a sandbox" in report.text
    assert "Nothing was written. Sent were only GET requests, and PING where there is a Redis" in report.text


def test_the_report_fits_a_narrow_terminal(asp: Asp) -> None:
    lines = asp("doctor", COLUMNS="60").stdout.splitlines()
    # Names of operations are longer than what the indentation leaves, and are not broken.
    assert [line for line in lines if len(line) > 60 and " " in line.strip()] == []


async def test_only_reads_are_sent(doctor: Doctor) -> None:
    async with fault_server(OK) as server:
        await doctor(server.base_url)
    assert {each.method for each in server.requests} == {"GET"}
    assert len(server.requests) > 20


def test_a_token_that_is_refused_is_sent_once(doctor: Doctor, address: str, sandbox: Sandbox) -> None:
    doctor.run(address)
    assert [each.status for each in sandbox.journal if each.path.startswith("/v3")] == [401]


def test_problems_come_last(doctor: Doctor, address: str) -> None:
    states = [line[:9].strip() for line in doctor.run(address).output.splitlines() if line[:1].strip()]
    order = ["ok", "not tried", "warning", "problem"]
    found = [each for each in states if each in order]
    assert found == sorted(found, key=order.index)
    assert found[-1] == "problem"


def test_permissions_are_seen_refused_or_cannot_be_told(doctor: Doctor, address: str, sandbox: Sandbox) -> None:
    sandbox.faults.add("enterprise.queue.get", status=409)
    report = doctor.run(address, AGENT_PLATFORM_TOKEN=sandbox.viewer_token)
    assert "seen to have ViewOrgSessions (organization level): organization.sessions.list" in report.text
    assert "refused ManageOrgSecrets (level not shown: secret-list-level): organization.secrets.list" in report.text
    assert "permission not shown (enterprise-audit-logs-permission): enterprise.audit_logs.list" in report.text
    assert "cannot be told ViewAccountMetrics (level not shown: queue-level): enterprise.queue.get (409)" in report.text
    # In the order of their names, which a private build has others of.
    assert re.search(r"UseReviewManual.*: no read needs them, and no write is sent", report.text)


def test_a_personal_access_token_is_accepted_though_most_reads_refuse_it(
    doctor: Doctor, address: str, sandbox: Sandbox
) -> None:
    report = doctor.run(address, AGENT_PLATFORM_TOKEN=sandbox.personal_token)
    assert "it may be a personal access token" in report.text
    assert "ok authentication: The server accepts the credential." in report.text


def test_no_organization_is_a_warning(doctor: Doctor, address: str, sandbox: Sandbox) -> None:
    report = doctor.run(address, AGENT_PLATFORM_TOKEN=sandbox.token, AGENT_PLATFORM_ORG_ID=None)
    assert (report.code, "warning organization: None is set" in report.text) == (0, True)


def test_a_redis_that_is_dead_is_a_warning(doctor: Doctor, dead: str) -> None:
    report = doctor.run(None, AGENT_PLATFORM_REDIS=f"redis://:s3cret-word@{dead}/0")
    assert f"warning Redis: The Redis at {dead}, which AGENT_PLATFORM_REDIS names, cannot be used" in report.text
    assert "s3cret-word" not in report.output


def test_every_extra_is_looked_for(doctor: Doctor, root: Path) -> None:
    facts = doctor.run(None, "--json").findings["extras"]["facts"]
    projects = [tomllib.loads((root / folder / "pyproject.toml").read_text()) for folder in (".", "packages/cli")]
    extras = {name for each in projects for name in each["project"]["optional-dependencies"]}
    assert {*facts["installed"], *facts["missing"]} == extras


@pytest.mark.parametrize(
    ("module", "advice"),
    [
        ("agent_session_platform_sandbox", "to install sandbox: run `pip install . ./packages/sandbox`"),
        ("h2", "to install http2: pip install 'h2>=4.3,<5'"),
    ],
)
def test_a_missing_extra_says_how_to_install_it(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch, module: str, advice: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert advice in doctor.run(None).text


def test_a_transport_without_its_library_says_what_to_install(doctor: Doctor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    report = doctor.run("https://platform.example.com", "--transport", "httpx2")
    assert "pip install 'httpx2>=2.16,<3'" in report.text


def test_json_has_no_secrets(
    doctor: Doctor, dead: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, sandbox: Sandbox
) -> None:
    home = tmp_path / "somebody"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    config = home / "config.toml"
    config.write_text('[profiles.a]\nbase_url = "https://platform.example.com"\norganization = "org-secretive"\n')
    proxied = doctor.run(
        "https://platform.example.com",
        "--json",
        "--profile",
        "a",
        AGENT_PLATFORM_CONFIG=str(config),
        HTTPS_PROXY=f"http://somename:s3cret-word@{dead}",
    )
    settings = {"AGENT_PLATFORM_TOKEN": sandbox.token, "AGENT_PLATFORM_ORG_ID": "org-secretive"}
    refused = doctor.run(address, "--json", **settings)
    for report in (proxied, refused):
        assert report.code == json.loads(report.output)["exit_code"] != 0
        shown = [
            each
            for each in (TOKEN, sandbox.token, "s3cret-word", "somename", str(home), "secretive")
            if each in report.output
        ]
        assert shown == []
    assert "~/config.toml" in proxied.findings["settings"]["text"]
    assert proxied.findings["response"]["state"] == "problem"
    assert "The organization (set), from" in refused.findings["organization"]["text"]


def test_json_is_printed_where_json_is_the_format(doctor: Doctor) -> None:
    assert doctor.run(None, "-o", "json").findings["settings"]["state"] == "problem"


def test_a_profile_that_cannot_be_used_leaves_the_rest_untried(doctor: Doctor, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[profiles.a]\nbase_url = 1\n")
    report = doctor.run(None, "--profile", "a", AGENT_PLATFORM_CONFIG=str(config))
    assert (report.code, "has base_url of the wrong form" in report.text) == (2, True)
    assert "not tried response: because profile has a problem." in report.text


def test_a_profile_without_a_token_says_why(doctor: Doctor, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[profiles.a]\nbase_url = "https://platform.example.com"\ntoken_variable = "UNSET_TOKEN"\n')
    report = doctor.run(None, "--profile", "a", AGENT_PLATFORM_CONFIG=str(config), HTTPS_PROXY="http://127.0.0.1:1")
    assert report.code == 3
    assert "takes its token from the variable UNSET_TOKEN, which is not set; set it" in report.text
