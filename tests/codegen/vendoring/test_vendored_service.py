"""Services that contain the packages: two vendored copies, the `vendoring` tool, zip files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from agent_session_platform.version import VERSION
from agent_session_platform_sandbox import Sandbox

from codegen import ROOT
from codegen.vendoring.vendor import check, vendor

# Two vendors in one service; neither is the contract's own, even if this suite is renamed.
FIRST, SECOND = ("Umbro", "umb_"), ("quux", "qx-")


def run(*arguments: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python."""
    command = [sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=os.environ | environment, capture_output=True, text=True)


SERVICE = '''
"""A small service of two deployments, each with a vendored copy that uses its vendor's word."""

from __future__ import annotations

import asyncio

from ._vendor.umbro.agent_session_platform import AgentPlatform as Umbro
from ._vendor.umbro.agent_session_platform import CredentialMismatchError, NotFoundError, Pager
from ._vendor.umbro.agent_session_platform.models import Session as UmbroSession
from ._vendor.umbro.agent_session_platform_sandbox import Sandbox as UmbroSandbox
from ._vendor.quux.agent_session_platform import AgentPlatform as Quux
from ._vendor.quux.agent_session_platform.models import Session as QuuxSession
from ._vendor.quux.agent_session_platform_sandbox import Sandbox as QuuxSandbox


async def first(platform: Umbro) -> UmbroSession:
    org = platform.organization()
    made = await org.sessions.create(umbro_mode="fast", title="Fix it")
    await org.schedules.create(  # pyright: ignore[reportDeprecated]
        name="n", prompt="p", frequency="0 9 * * *", target_umbro_id=made.session_id
    )
    pager: Pager[UmbroSession] = org.sessions.list()
    [listed] = await pager.collect()
    assert listed.umbro_mode == "fast", listed
    return listed


async def second(platform: Quux) -> QuuxSession:
    made = await platform.organization().sessions.create(quux_mode="lite")
    await platform.organization().sessions.send_message(made.session_id or "", message="Hello")
    messages = await platform.enterprise.sessions.list_messages(made.session_id or "").collect()
    assert [message.source for message in messages] == ["user", "quux"], messages
    return await platform.organization().sessions.get(made.session_id or "")


async def main() -> None:
    with UmbroSandbox().serve() as url:
        async with Umbro(url, UmbroSandbox.token, organization="org-acme") as platform:
            print((await first(platform)).session_id, UmbroSandbox.token)
            try:
                await platform.organization().sessions.get("umbro-9")
            except NotFoundError as error:
                print(error.title, type(error).__module__)
            try:
                await platform.enterprise.repositories.list_index_status("org-acme")
            except CredentialMismatchError as error:
                print(error.kind)
    async with QuuxSandbox().client() as other:
        print((await second(other)).session_id, QuuxSandbox.token)


if __name__ == "__main__":
    asyncio.run(main())
'''


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a service with two copies under different words, each with its sandbox."""
    root = tmp_path_factory.mktemp("host")
    package = root / "service"
    for word, prefix in (FIRST, SECOND):
        vendor(package / "_vendor" / word.lower(), word, prefix, sandbox=True, force=False)
    for directory in (package, package / "_vendor"):
        (directory / "__init__.py").touch()
    (package / "main.py").write_text(SERVICE.lstrip(), encoding="utf-8")
    settings = {"include": ["service/*.py"], "typeCheckingMode": "strict", "venvPath": str(ROOT), "venv": ".venv"}
    (root / "pyrightconfig.json").write_text(json.dumps(settings | {"pythonVersion": "3.11"}), encoding="utf-8")
    return root


def test_two_copies_of_different_words_work_in_one_service(service: Path) -> None:
    done = run("-m", "service.main", cwd=service)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "umbro-1 umb_sandbox_admin",
        "Not Found service._vendor.umbro.agent_session_platform.errors",
        "serviceUser",
        "quux-1 qx-sandbox_admin",
    ]


def test_a_copy_with_another_word_is_up_to_date(service: Path) -> None:
    assert check(service / "service" / "_vendor" / "umbro") == []


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_the_service_and_its_copies_are_strictly_typed(service: Path, checker: str) -> None:
    strict = ["--strict", "--config-file=", "--cache-dir", service / "cache", "service"] if checker == "mypy" else []
    command = [sys.executable, "-m", checker, *map(str, strict)]
    done = subprocess.run(command, cwd=service, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:]


def test_a_type_checker_reports_a_wrong_word(service: Path) -> None:
    wrong = service / "wrong.py"
    wrong.write_text(
        "from service._vendor.quux.agent_session_platform import AgentPlatform\n\n\n"
        'async def use(it: AgentPlatform) -> None:\n    await it.organization().sessions.get("1", umbro_mode="fast")\n',
        encoding="utf-8",
    )
    strict = ["--strict", "--config-file=", "--cache-dir", service / "cache", wrong.name]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *map(str, strict)], cwd=service, capture_output=True, text=True
    )
    wrong.unlink()
    assert 'wrong.py:5: error: Unexpected keyword argument "umbro_mode"' in done.stdout


def test_the_pytest_plugin_of_a_copy_works(tmp_path: Path) -> None:
    vendor(tmp_path / "service" / "_vendor", sandbox=True)
    (tmp_path / "service" / "__init__.py").touch()
    (tmp_path / "test_service.py").write_text(
        "from service._vendor.agent_session_platform import AgentPlatform\n\n\n"
        "async def test_it(agent_platform):\n    assert type(agent_platform) is AgentPlatform\n",
        encoding="utf-8",
    )
    options = ["-p", "no:agent_session_platform", "-o", "asyncio_mode=auto"]
    plugin = "service._vendor.agent_session_platform_sandbox.pytest_plugin"
    command = [sys.executable, "-m", "pytest", "-q", *options, "-p", plugin]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "1 passed" in done.stdout, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with the wheels of the SDK and of the sandbox."""
    made = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", made, ROOT, ROOT / "packages" / "sandbox"], check=True)
    return made


ONE_COPY = """
from ._vendor.agent_session_platform import AgentPlatform, NotFoundError, gaps, operations
from ._vendor.agent_session_platform.models import Session


async def main(url: str, token: str) -> list[Session]:
    async with AgentPlatform(url, token, organization="org-acme") as platform:
        org = platform.organization()
        made = await org.sessions.create(title="Fix it")
        try:
            await org.sessions.get("nobody")
        except NotFoundError as error:
            print(error.title, type(error).__module__)
        print(made.title, len(operations) > 50, len(gaps) > 100)
        return await org.sessions.list().collect()
"""

SETTINGS = """
[tool.vendoring]
destination = "src/service/_vendor/"
requirements = "vendor.txt"
namespace = "service._vendor"

[tool.vendoring.transformations]
drop = ["*.dist-info"]
"""


def test_the_vendoring_tool_works_on_the_wheel(wheels: Path, tmp_path: Path, sandbox: Sandbox) -> None:
    package = tmp_path / "src" / "service"
    (package / "_vendor").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "main.py").write_text(ONE_COPY, encoding="utf-8")
    (tmp_path / "vendor.txt").write_text(f"agent-session-platform=={VERSION}\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
    settings = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "vendoring", "sync"]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (package / "_vendor" / "agent_session_platform" / "LICENSE").exists()
    (package / "_vendor" / "__init__.py").touch()
    with sandbox.serve() as url:
        code = f"import asyncio; from service.main import main; print(asyncio.run(main({url!r}, {sandbox.token!r})))"
        used = run("-c", code, cwd=tmp_path / "src")
    assert used.returncode == 0, used.stderr
    assert used.stdout.splitlines()[:2] == [
        "Not Found service._vendor.agent_session_platform.errors",
        "Fix it True True",
    ]
    strict = ["--strict", "--config-file=", "--cache-dir", tmp_path / "cache", "-p", "service"]
    checked = run("-m", "mypy", *strict, cwd=tmp_path / "src")
    assert checked.returncode == 0, checked.stdout


FROM_ZIP = """
import asyncio
import sys
from importlib import import_module

from httpx import AsyncClient

name = sys.argv[1]
platform, models, sandbox = import_module(name), import_module(f"{name}.models"), import_module(f"{name}_sandbox")


async def main():
    box = sandbox.Sandbox()
    async with box.client() as client:
        made = await client.organization().sessions.create(title="From a zip")
        print((await client.organization().sessions.get(made.session_id)).title, models.Session.__name__)
    async with AsyncClient(transport=box.transport(), base_url=box.base_url) as browser:
        print("<html" in (await browser.get("/")).text)


asyncio.run(main())
print(len(platform.operations) > 50, len(platform.gaps) > 100)
print(all(module.__file__.startswith(sys.argv[2]) for module in (platform, sandbox)))
"""
FROM_ZIP_SAID = "From a zip Session\nTrue\nTrue True\nTrue\n"


def test_the_wheels_are_imported_as_they_are(wheels: Path, tmp_path: Path) -> None:
    """A wheel is a zip file; the data files of the packages are read from it as well."""
    paths = os.pathsep.join(map(str, wheels.iterdir()))
    done = run("-c", FROM_ZIP, "agent_session_platform", wheels, cwd=tmp_path, PYTHONPATH=paths)
    assert (done.stdout, done.stderr) == (FROM_ZIP_SAID, "")


def test_a_copy_is_imported_from_a_zip_file(tmp_path: Path) -> None:
    vendor(tmp_path / "holder" / "app" / "_vendor", None, None, sandbox=True, force=False)
    archive = shutil.make_archive(str(tmp_path / "app"), "zip", tmp_path / "holder")
    done = run("-c", FROM_ZIP, "app._vendor.agent_session_platform", archive, cwd=tmp_path, PYTHONPATH=archive)
    assert (done.stdout, done.stderr) == (FROM_ZIP_SAID, "")
