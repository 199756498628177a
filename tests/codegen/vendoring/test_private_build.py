"""A private build: the whole project, with another word in every identifier, and with what was observed."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from codegen import ROOT
from codegen.contract.contract import Contract
from codegen.contract.source import ContractError
from codegen.distributions import COMPANIONS
from codegen.vendoring.private_build import main, private_build
from tests.codegen.checkouts import python
from tests.codegen.overlay_document.documents import HEAD, write
from tests.codegen.overlay_document.test_strangers import OBSERVED
from tests.codegen.vendor_words import OLD, OLD_PREFIX, PREFIX, WORD


def test_a_private_build_has_the_tracked_files_as_they_are_on_the_disk(build: Path) -> None:
    assert not (build / ".env").exists()
    assert (build / "NOTICE").read_text(encoding="utf-8").endswith("edited\n")


def test_the_printed_command_installs_every_distribution_of_a_new_build(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = checkout / "build" / WORD.lower()
    made.mkdir(parents=True)
    (made / "left_by_an_older_one.py").touch()
    # The generated package does not matter here.
    monkeypatch.setattr("codegen.vendoring.private_build.generate", lambda *_, **__: None)
    monkeypatch.setattr("codegen.vendoring.private_build.ROOT", checkout)
    monkeypatch.setattr(sys, "argv", ["private_build", "--word", WORD])
    monkeypatch.chdir(checkout)
    main()
    pip, install, *folders = shlex.split(capsys.readouterr().out.splitlines()[-1].removeprefix("To install it: "))
    assert (pip, install) == ("pip", "install")
    names = [folder.replace("\\", "/") for folder in folders]
    place = f"build/{WORD.lower()}"
    assert names == [place, *(f"{place}/packages/{name}" for name in COMPANIONS)]
    assert not (made / "left_by_an_older_one.py").exists()


def test_no_identifier_of_the_code_keeps_the_old_word(build: Path) -> None:
    """The old word remains only in prose, and never in an identifier, an id or a literal."""
    traces = re.compile(rf"(?i)\w{OLD}|{OLD}(?!s?\b)\w|{OLD}-\d|([\"'`]){OLD}\1|\b{OLD_PREFIX}")
    folders = [build / "generated", build / "overlay", *build.glob("packages/*/src")]
    code = [build / "openapi.yaml", *(path for folder in folders for path in folder.rglob("*.py"))]
    assert len(code) > 150
    found = [f"{path.name}: {match[0]}" for path in code for match in traces.finditer(path.read_text(encoding="utf-8"))]
    assert found == []


def printed(code: str, build: Path) -> list[str]:
    """Return the lines that a program prints with the packages of the build."""
    done = python(build, "-c", code)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_the_preflight_knows_the_new_prefix_only(build: Path) -> None:
    code = f"""
from agent_session_platform import operations
from agent_session_platform.credentials import kind_of
print(kind_of("{PREFIX}x"), kind_of("{OLD_PREFIX}x"), operations["organization.attachments.upload"].permission)
"""
    assert printed(code, build) == ["serviceUser None UseBlorpSessions"]


OBSERVE = """
import asyncio
from agent_session_platform import AgentPlatform, gaps, operations
from agent_session_platform_sandbox import Sandbox

async def main():
    sandbox = Sandbox()
    async with sandbox.client() as platform:
        session = await platform.organization().sessions.create(extra_body={"prompt": "Fix it"})
    print(sandbox.journal[-1].status, session.queue_position)
    for found in (gaps, operations["organization.sessions.create"].gaps):
        [gap] = [gap for gap in found if gap.closed]
        print(gap.id, gap.closed.answers, gap.closed.first, gap.closed.last)
    print([each.assumed for each in sandbox.assumptions if each.gap == "session-create-response"])

asyncio.run(main())
"""


def test_the_sdk_and_the_sandbox_of_the_build_know_what_was_observed(build: Path) -> None:
    first, *gaps, assumed = printed(OBSERVE, build)
    assert first == "201 None"
    assert gaps == ["session-create-response 214 2026-11-02 2026-11-20"] * 2
    assert assumed == "[]"


def test_the_build_keeps_its_overlays_and_its_contract(build: Path) -> None:
    assert (build / "overlay_documents" / "observed.overlay.yaml").read_text(encoding="utf-8") == OBSERVED
    contract = Contract(build / "openapi.yaml")
    assert "201" in contract.document["paths"]["/v3/organizations/{org_id}/sessions"]["post"]["responses"]
    # An Overlay may use the neutral word and the vendor's word.
    mode = contract.schemas["Session"]["properties"][f"{WORD}_mode"]
    assert (mode["description"], mode["title"]) == ("Seen.", "Seen.")


# Overlays that are refused. No code can be generated for the second one.
WRONG = [
    ("$.components.schemas", "{New: {type: nubmer}}", r"^wrong\.yaml:5: #/actions/0/update/New/type: makes #/"),
    ("$.paths.*.post", "{servers: [{url: 'https://other.invalid'}]}", "`servers` is no keyword of `operation`"),
]


@pytest.mark.parametrize(("target", "update", "message"), WRONG)
def test_a_wrong_overlay_writes_nothing(tmp_path: Path, target: str, update: str, message: str) -> None:
    path = write(tmp_path, "wrong.yaml", f'{HEAD}  - target: "{target}"\n    update: {update}\n')
    with pytest.raises(ContractError, match=message):
        private_build(ROOT, tmp_path / "build", None, None, [path])
    assert not (tmp_path / "build").exists()
