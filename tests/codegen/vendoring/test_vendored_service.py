"""Services that contain the packages: two vendored copies, the `vendoring` tool, zip files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from agent_session_platform.configuration import VERSION

from codegen import ROOT
from tests.codegen.vendor_words import OLD, OLD_PREFIX, PREFIX, WORD


def run(*arguments: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python."""
    command = [sys.executable, "-W", "error", "-W", "ignore::DeprecationWarning", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=os.environ | environment, capture_output=True, text=True)


IMPORT_ALL = """
import importlib, pkgutil, sys
import service._vendor.neutral as holder

for module in pkgutil.walk_packages(holder.__path__, holder.__name__ + "."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(len([name for name in sys.modules if name.startswith("service._vendor.")]) > 110)
print([name for name in sys.modules if name.startswith("agent_session_platform")])
"""


def test_a_copy_imports_every_module_of_itself_and_nothing_of_an_installed_one(service: Path) -> None:
    done = run("-c", IMPORT_ALL, cwd=service)
    assert (done.stdout, done.stderr) == ("True\n[]\n", "")


BESIDE = """
import pickle
import agent_session_platform as installed
from service._vendor.neutral import agent_session_platform as vendored
from service._vendor.neutral.agent_session_platform.models import Session

assert installed.AgentPlatform is not vendored.AgentPlatform
assert not issubclass(vendored.NotFoundError, installed.AgentPlatformError)
assert not isinstance(Session(session_id="1"), installed.models.Session)
for thing in (Session(session_id="1", title="T"), vendored.ConfigurationError("no")):
    written = pickle.dumps(thing)
    assert b"service._vendor.neutral.agent_session_platform" in written
    again = pickle.loads(written)
    assert type(again) is type(thing) and str(again) == str(thing)
print("all of it")
"""


def test_a_copy_works_beside_an_installed_package_and_its_pickles_name_the_copy(service: Path) -> None:
    done = run("-c", BESIDE, cwd=service)
    assert (done.stdout, done.stderr) == ("all of it\n", "")


SERVICE = '''
"""A small service of two deployments, each with a vendored copy that uses its vendor's word."""

from __future__ import annotations

import asyncio

from ._vendor.neutral.agent_session_platform import AgentPlatform, NotFoundError, Pager
from ._vendor.neutral.agent_session_platform.models import Session
from ._vendor.neutral.agent_session_platform_sandbox import Sandbox
from ._vendor.WORD.agent_session_platform import AgentPlatform as OtherPlatform
from ._vendor.WORD.agent_session_platform.models import Session as OtherSession
from ._vendor.WORD.agent_session_platform_sandbox import Sandbox as OtherSandbox


async def first(platform: AgentPlatform) -> Session:
    org = platform.organization()
    await org.sessions.create(OLD_mode="fast", extra_body={"title": "Fix it"})
    pager: Pager[Session] = org.sessions.list()
    [listed] = await pager.collect()
    assert listed.OLD_mode == "fast", listed
    return listed


async def second(platform: OtherPlatform) -> OtherSession:
    made = await platform.organization().sessions.create(WORD_mode="lite")
    await platform.organization().sessions.send_message(made.session_id or "", body={"message": "Hello"})
    messages = await platform.enterprise.sessions.list_messages(made.session_id or "").collect()
    assert [message.source for message in messages] == ["user", "WORD"], messages
    return await platform.organization().sessions.get(made.session_id or "")


async def main() -> None:
    with Sandbox().serve() as url:
        async with AgentPlatform(url, Sandbox.token, organization="org-acme") as platform:
            print((await first(platform)).session_id, Sandbox.token)
            try:
                await platform.organization().sessions.get("OLD-9")
            except NotFoundError as error:
                print(error.title, type(error).__module__)
    async with OtherSandbox().client() as other:
        print((await second(other)).session_id, OtherSandbox.token)


if __name__ == "__main__":
    asyncio.run(main())
'''
SAID = f"""\
{OLD}-1 {OLD_PREFIX}sandbox_admin
Not Found service._vendor.neutral.agent_session_platform.errors
{WORD}-1 {PREFIX}sandbox_admin
"""
WRONG = """
from ._vendor.WORD.agent_session_platform import AgentPlatform


async def use(it: AgentPlatform) -> None:
    await it.organization().sessions.create(body={}, WORD_mode=5)
"""


@pytest.fixture(scope="module")
def program(service: Path) -> Path:
    """Return the service with its program."""
    for name, text in (("main.py", SERVICE), ("wrong.py", WRONG)):
        text = text.lstrip().replace("WORD", WORD).replace("OLD", OLD)
        (service / "service" / name).write_text(text, encoding="utf-8")
    return service


def test_two_copies_of_different_words_work_in_one_service(program: Path) -> None:
    done = run("-m", "service.main", cwd=program)
    assert (done.returncode, done.stdout) == (0, SAID), done.stderr


def test_the_service_and_its_copies_are_strictly_typed_for_mypy(program: Path) -> None:
    strict = ["--strict", "--config-file=", "--cache-dir", str(program / "cache"), "service"]
    done = run("-m", "mypy", *strict, cwd=program)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    # A wrong name or a wrong type is an error in the service.
    assert errors
    assert [line for line in errors if not line.startswith(str(Path("service", "wrong.py")))] == []


PLUGIN_TEST = """
from service._vendor.neutral.agent_session_platform import AgentPlatform


async def test_it(agent_platform):
    assert type(agent_platform) is AgentPlatform
"""


def test_the_pytest_plugin_of_a_copy_works(service: Path) -> None:
    (service / "test_plugin.py").write_text(PLUGIN_TEST, encoding="utf-8")
    options = ["-q", "-p", "no:agent_session_platform", "-p", "no:schemathesis", "-o", "asyncio_mode=auto"]
    plugin = "service._vendor.neutral.agent_session_platform_sandbox.pytest_plugin"
    command = [sys.executable, "-m", "pytest", *options, "-p", plugin, "test_plugin.py"]
    done = subprocess.run(command, cwd=service, capture_output=True, text=True)
    assert "1 passed" in done.stdout, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with the wheels of the SDK and of the sandbox."""
    made = tmp_path_factory.mktemp("wheels")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", made, ROOT, ROOT / "packages" / "sandbox"], check=True)
    return made


ONE_COPY = ROOT / "tests" / "codegen" / "one_copy.py"


def said(name: str) -> str:
    """Return the output of the program for one copy."""
    return f"Not Found {name}.errors\nTrue\nTrue True\n"


SETTINGS = """
[tool.vendoring]
destination = "src/service/_vendor/"
requirements = "vendor.txt"
namespace = "service._vendor"

[tool.vendoring.transformations]
drop = ["*.dist-info"]
"""


def test_the_vendoring_tool_works_on_the_wheels(wheels: Path, tmp_path: Path) -> None:
    package = tmp_path / "src" / "service"
    (package / "_vendor").mkdir(parents=True)
    (package / "__init__.py").touch()
    (tmp_path / "vendor.txt").write_text(
        f"agent-session-platform=={VERSION}\nagent-session-platform-sandbox=={VERSION}\n", encoding="utf-8"
    )
    (tmp_path / "pyproject.toml").write_text(SETTINGS, encoding="utf-8")
    settings = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "vendoring", "sync"]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (package / "_vendor" / "agent_session_platform" / "LICENSE").exists()
    (package / "_vendor" / "__init__.py").touch()
    name = "service._vendor.agent_session_platform"
    used = run(ONE_COPY, name, tmp_path, cwd=tmp_path, PYTHONPATH=str(tmp_path / "src"))
    assert (used.stdout, used.stderr) == (said(name), "")


@pytest.mark.parametrize("name", ["agent_session_platform", "service._vendor.neutral.agent_session_platform"])
def test_the_wheels_and_a_copy_are_imported_from_zip_files(
    wheels: Path, service: Path, tmp_path: Path, name: str
) -> None:
    """The packages read their data files from a zip file, too: a wheel is one."""
    archive = shutil.make_archive(str(tmp_path / "service"), "zip", service)
    used = run(ONE_COPY, name, cwd=tmp_path, PYTHONPATH=os.pathsep.join([archive, *map(str, wheels.iterdir())]))
    assert (used.stdout, used.stderr) == (said(name), "")
