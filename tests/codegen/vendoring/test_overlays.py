"""A private build and a copy with Overlays: they know more, and the checkout stays as it is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from codegen import ROOT
from codegen.contract import Contract, ContractError
from codegen.overlay_document import OverlayDocument
from codegen.vendoring.private_build import apply_to, private_build, read_renaming, rename_overlay
from codegen.vendoring.vendor import check, vendor
from tests.codegen.overlay_document.documents import HEAD, write
from tests.codegen.overlay_document.test_strangers import OBSERVED
from tests.codegen.under_another_word import importing
from tests.codegen.vendor_words import OLD, PREFIX, WORD

TEAM = f"{HEAD}  - target: $.components.schemas.RoleType.enum\n    x-contradicts: Seen.\n    update: [team]\n"
SCRIPT = """
import asyncio
from agent_session_platform import AgentPlatform, gaps, operations
from agent_session_platform_sandbox import Sandbox

async def main():
    sandbox = Sandbox()
    transport = sandbox.transport()
    async with AgentPlatform(sandbox.base_url, sandbox.token, transport=transport, organization="org-acme") as platform:
        session = await platform.organization().sessions.create(prompt="Fix it")
    print(sandbox.journal[-1].status, session.queue_position)
    for found in (gaps, operations["organization.sessions.create"].gaps):
        [gap] = [gap for gap in found if gap.closed]
        print(gap.id, gap.closed.answers, gap.closed.first, gap.closed.last)
    [assumption] = [each for each in sandbox.assumptions if each.gap == "session-create-response"]
    print(assumption.assumed)
    sandbox.add_role("role-1", (), role_type="team")

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def overlay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("overlay") / "observed.overlay.yaml"
    path.write_text(OBSERVED, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory, overlay: Path) -> Path:
    made = tmp_path_factory.mktemp("private") / "build"
    team = write(tmp_path_factory.mktemp("team"), "team.overlay.yaml", TEAM)
    private_build(ROOT, made, None, None, [overlay, team])
    return made


def test_the_sdk_and_the_sandbox_of_the_build_know_what_was_observed(build: Path) -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=importing(build), capture_output=True, text=True)
    assert done.stderr == ""
    status, *gaps, assumed = done.stdout.splitlines()
    assert status == "201 None"
    assert gaps == ["session-create-response 214 2026-11-02 2026-11-20"] * 2
    assert assumed.endswith("What this build's contract states, as it was observed, comes first.")


def test_the_documents_of_the_build_tell_what_was_observed(build: Path) -> None:
    overview = (build / "docs" / "contract.md").read_text(encoding="utf-8")
    assert "Observation has closed 1 of them, in this build only." in overview
    assert "payload. Closed by observation: in 214 responses, from 2026-11-02 to 2026-11-20. |" in overview
    sessions = (build / "generated/agent_session_platform_api/api/sessions/__init__.py").read_text(encoding="utf-8")
    observed = (
        "Observed, not stated by the API's description: session-create-response (in 214 responses, from 2026-11-02 to"
    )
    assert observed in re.sub(r"\s+", " ", sessions)
    model = (build / "generated/agent_session_platform_api/models/session.py").read_text(encoding="utf-8")
    assert "Observed, not stated by the API's description: in 214 responses, from 2026-11-02 to" in model


def test_the_build_keeps_its_overlay_and_its_contract(build: Path) -> None:
    assert (build / "overlay_documents" / "observed.overlay.yaml").read_text(encoding="utf-8") == OBSERVED
    assert (
        "201"
        in Contract(build / "openapi.yaml").document["paths"]["/v3/organizations/{org_id}/sessions"]["post"][
            "responses"
        ]
    )
    assert not (ROOT / "overlay_documents").exists()


@pytest.mark.parametrize("word", [OLD, WORD])
def test_an_overlay_may_use_the_neutral_word_and_the_vendors(tmp_path: Path, word: str) -> None:
    path = tmp_path / "a.yaml"
    update = f"{{{word}_mode: {{description: Seen.}}}}"
    path.write_text(f"{HEAD}  - target: $.components.schemas.Session.properties\n    update: {update}\n", "utf-8")
    renaming = read_renaming(ROOT, WORD, PREFIX)
    applied = apply_to(ROOT / "openapi.yaml", renaming, [rename_overlay(OverlayDocument(path), renaming)])
    properties = applied.source.document["components"]["schemas"]["Session"]["properties"]
    assert properties[f"{WORD}_mode"]["description"] == "Seen."
    assert f"{OLD}_mode" not in properties


def test_a_wrong_overlay_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(f"{HEAD}  - target: $.components.schemas\n    update: {{New: {{type: nubmer}}}}\n", "utf-8")
    with pytest.raises(ContractError, match=r"^wrong\.yaml:5: #/actions/0/update/New/type: makes #/components/"):
        private_build(ROOT, tmp_path / "build", None, None, [path])
    assert not (tmp_path / "build").exists()


def test_what_cannot_be_generated_is_told_at_the_action(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(
        f"{HEAD}  - target: $.paths['/v3/organizations/{{org_id}}/sessions'].post\n    update:\n"
        "      servers: [{url: 'https://other.invalid'}]\n",
        "utf-8",
    )
    with pytest.raises(ContractError, match="`servers` of an operation"):
        private_build(ROOT, tmp_path / "build", None, None, [path])


def test_a_copy_keeps_its_overlays_and_is_renewed_with_them(tmp_path: Path, overlay: Path) -> None:
    made = vendor(tmp_path / "_vendor", overlays=[overlay])
    assert made.overlays == ["observed.overlay.yaml"]
    assert check(tmp_path / "_vendor") == []
    contract = (tmp_path / "_vendor" / "agent_session_platform_api" / "contract.json").read_text(encoding="utf-8")
    assert '"answers": 214' in contract
    assert vendor(tmp_path / "_vendor") == made
    assert vendor(tmp_path / "_vendor", overlays=[]).overlays == []
    assert not (tmp_path / "_vendor" / "agent_session_platform" / "overlay_documents").exists()
