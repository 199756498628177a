"""Build a program with PyInstaller that contains the packages twice, installed and vendored, and run it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from codegen import ROOT

PROGRAM = """
import asyncio
import sys
from importlib import import_module

import agent_session_platform
import service._vendor.agent_session_platform as vendored
from redis.asyncio import Redis


async def main(name: str) -> None:
    platform = import_module(name)
    models, sandbox = import_module(f"{name}.models"), import_module(f"{name}.sandbox")
    assert len(platform.operations) > 50 and len(platform.gaps) > 100
    async with sandbox.Sandbox().client() as client:
        org = client.organization()
        made = await org.sessions.create(extra_body={"title": name})
        assert isinstance(made, models.Session) and await org.sessions.list().collect() == [made]
        assert "<html" in import_module(f"{name}.sandbox.control.page").template().template
    shared = import_module(f"{name}.rate_limit.compare_and_set").SharedRate(Redis(), "key", 1.0)
    assert "redis.call" in shared._script.script
    print(made.title)


assert sys.frozen and vendored.AgentPlatform is not agent_session_platform.AgentPlatform
for name in ("agent_session_platform", "service._vendor.agent_session_platform"):
    asyncio.run(main(name))
"""
SAID = "agent_session_platform\nservice._vendor.agent_session_platform\n"


def main() -> int:
    """Freeze the program and run it; return 1 if it fails."""
    with TemporaryDirectory() as scratch:
        home = Path(scratch).resolve()
        (home / "service").mkdir()
        (home / "service" / "__init__.py").touch()
        (home / "program.py").write_text(PROGRAM, encoding="utf-8")
        vendor = ["-m", "codegen.vendoring.vendor", home / "service" / "_vendor", "--sandbox"]
        run(vendor, home)
        freeze = ["-m", "PyInstaller", "--onedir", "--noconfirm", "--log-level=ERROR", "program.py"]
        # PyInstaller does not find the modules that are imported at their first use.
        for package in ("agent_session_platform", "agent_session_platform_api", "service._vendor"):
            freeze += ["--collect-all", package]
        for place in (ROOT / "overlay", ROOT / "generated", home):
            freeze += ["--paths", str(place)]
        run(freeze, home)
        program = home / "dist" / "program" / ("program.exe" if sys.platform == "win32" else "program")
        done = subprocess.run([program], cwd=home, capture_output=True, text=True)
        print(done.stdout, done.stderr, sep="", end="")
        return int((done.returncode, done.stdout) != (0, SAID))


def run(arguments: list[str | Path], home: Path) -> None:
    """Run Python; exit if it fails."""
    paths = os.pathsep.join(map(str, (home, ROOT, ROOT / "overlay", ROOT / "generated")))
    environment = os.environ | {"PYTHONPATH": paths, "PYINSTALLER_CONFIG_DIR": str(home / "cache")}
    done = subprocess.run([sys.executable, *map(str, arguments)], cwd=home, env=environment)
    if done.returncode:
        sys.exit(f"failed: {arguments}")


if __name__ == "__main__":
    sys.exit(main())
