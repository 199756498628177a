"""A private build: the whole project, with another word in every identifier that has one."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codegen import ROOT
from codegen.contract.vendor_word import VendorWordError
from codegen.vendoring.private_build import main, private_build, sources
from tests.codegen.under_another_word import importing
from tests.codegen.vendor_words import OLD, OLD_PREFIX, PREFIX, WORD


def test_a_private_build_replaces_nothing_but_a_private_build(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    with pytest.raises(VendorWordError, match="is not a private build"):
        private_build(ROOT, tmp_path, WORD, PREFIX)
    assert (tmp_path / "mine.txt").exists()


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a git checkout with a tracked file that was edited, and with a file that git does not track."""
    root = tmp_path_factory.mktemp("checkout")
    for path in sources(ROOT):
        target = root / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    for command in (["init", "-q"], ["add", "--all"]):
        subprocess.run(["git", *command], cwd=root, check=True, capture_output=True)
    with open(root / "NOTICE", "a", encoding="utf-8") as file:
        file.write("edited\n")
    (root / ".env").write_text("AGENT_PLATFORM_TOKEN=svc_secret\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    made = tmp_path_factory.mktemp("private") / "build"
    private_build(checkout, made, WORD, PREFIX)
    return made


def test_a_private_build_has_only_files_that_git_tracks(build: Path) -> None:
    assert not (build / ".env").exists()


def test_a_private_build_has_the_files_as_they_are_on_the_disk(build: Path) -> None:
    assert (build / "NOTICE").read_text(encoding="utf-8").endswith("edited\n")


def test_a_private_build_replaces_an_older_one(build: Path, checkout: Path) -> None:
    before = {path.relative_to(build): path.read_bytes() for path in build.rglob("*") if path.is_file()}
    (build / "left_by_an_older_one.py").touch()
    private_build(checkout, build, WORD, PREFIX)
    after = {path.relative_to(build): path.read_bytes() for path in build.rglob("*") if path.is_file()}
    assert {path for path in before.keys() ^ after.keys() if "__pycache__" not in path.parts} == set()


def test_the_printed_command_installs_every_distribution(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("codegen.vendoring.private_build.ROOT", checkout)
    monkeypatch.setattr(sys, "argv", ["private_build", "--word", WORD, "--into", str(tmp_path / "build")])
    main()
    command = shlex.split(capsys.readouterr().out.splitlines()[-1].removeprefix("To install it: "))
    # Without the dependencies and the tools of the build: they are on an index.
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", str(tmp_path / "site")]
    subprocess.run([sys.executable, "-m", *command, *options], check=True)
    assert {path.name for path in (tmp_path / "site").glob("agent_session_platform*") if path.suffix == ""} == {
        "agent_session_platform",
        "agent_session_platform_api",
        "agent_session_platform_cli",
        "agent_session_platform_jobs",
        "agent_session_platform_observe",
        "agent_session_platform_sandbox",
    }


def test_no_identifier_of_the_code_keeps_the_old_word(build: Path) -> None:
    """The old word remains only in prose: without an underscore, a capital inside, an id or a literal."""
    traces = re.compile(rf"(?i)\w{OLD}|{OLD}(?!s?\b)\w|{OLD}-\d|([\"'`]){OLD}\1|\b{OLD_PREFIX}")
    folders = [build / "generated", build / "overlay", *build.glob("packages/*/src")]
    code = [build / "openapi.yaml", *(path for folder in folders for path in folder.rglob("*.py"))]
    assert len(code) > 200
    found = [f"{path.name}: {match[0]}" for path in code for match in traces.finditer(path.read_text(encoding="utf-8"))]
    assert found == []


WIRE = """
import asyncio, json
from urllib.parse import unquote

import httpx
from agent_session_platform import AgentPlatform, AgentPlatformError, RetryPolicy, operations
from agent_session_platform_sandbox import Sandbox
from tests.contract.every_operation import call

seen = []


class Recording(httpx.AsyncBaseTransport):
    def __init__(self, inner):
        self.inner = inner

    async def handle_async_request(self, request):
        response = await self.inner.handle_async_request(request)
        await response.aread()
        seen.append({"request": str(request.url), "status": response.status_code})
        for side in (request, response):
            await side.aread() if side is request else None
            try:
                seen[-1][type(side).__name__] = json.loads(side.content or b"null")
            except ValueError:
                seen[-1][type(side).__name__] = side.content.decode(errors="replace")
            seen[-1][type(side).__name__ + " headers"] = dict(side.headers)
        return response


async def main():
    sandbox = Sandbox(strict=True)
    sandbox.add_repository("acme/shop")
    session_id = sandbox.add_session(title="Fix it")
    for token in (sandbox.token, sandbox.admin_key):
        transport = Recording(sandbox.transport())
        settings = {"organization": "org-acme", "preflight": False, "retry": RetryPolicy.none()}
        async with AgentPlatform(sandbox.base_url, token, transport=transport, **settings) as platform:
            org = platform.organization()
            if token == sandbox.token:
                made = await org.sessions.create(MODE="fast", prompt="Fix it")
                await org.sessions.send_message(made.session_id, message="Hello")
                await platform.enterprise.sessions.list_messages(made.session_id).collect()
                await org.schedules.create(
                    name="n", prompt="p", frequency="0 9 * * *", agent="WORD", TARGET=session_id
                )
            for operation in operations:
                arguments = {each.name: session_id for each in operation.parameters if each.name == "PARAMETER"}
                if operation.name == "organization.schedules.create":
                    continue
                try:
                    await call(platform, operation, **arguments)
                except AgentPlatformError:
                    pass
    print(json.dumps(seen))


asyncio.run(main())
"""


def test_no_identifier_on_the_wire_keeps_the_old_word(build: Path) -> None:
    """Call every operation, and search its request and its response: paths, queries, names and values."""
    script = WIRE.replace("MODE=", f"{WORD}_mode=").replace('"WORD"', f'"{WORD}"')
    script = script.replace("TARGET=", f"target_{WORD}_id=").replace("PARAMETER", f"{WORD}_id")
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(command, env=importing(build, build), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert len({each["request"] for each in seen}) > 60
    assert [each["request"] for each in seen if OLD in json.dumps(each).lower() or OLD_PREFIX in json.dumps(each)] == []
    everything = done.stdout
    for trace in (
        f'"{WORD}_mode"',
        f'"target_{WORD}_id"',
        f"/{WORD}-1",
        f'"{WORD}"',
        f"{WORD}-equivalent",
        f"Bearer {PREFIX}",
    ):
        assert trace in everything, trace


def test_the_preflight_knows_the_new_prefix_only(build: Path) -> None:
    script = f"""
from agent_session_platform import operations
from agent_session_platform.request.credentials import kind_of
print(kind_of("{PREFIX}x"), kind_of("{OLD_PREFIX}x"), operations["organization.attachments.upload"].permission)
"""
    done = subprocess.run([sys.executable, "-c", script], env=importing(build), capture_output=True, text=True)
    assert done.stdout == "serviceUser None UseBlorpSessions\n", done.stderr
