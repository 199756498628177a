"""Build a program with PyInstaller that contains the packages twice, installed and vendored, and run it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from codegen import ROOT
from codegen.vendoring.vendor import PACKAGES
from tests.codegen.checkouts import importing

# The names of the packages stand in the program, for PyInstaller to find them.
ONE_COPY = (Path(__file__).parent / "one_copy.py").read_text(encoding="utf-8")
PROGRAM = f"""{ONE_COPY.rpartition("asyncio.run")[0]}
import agent_session_platform
import service._vendor.agent_session_platform as vendored

assert sys.frozen and vendored.AgentPlatform is not agent_session_platform.AgentPlatform
for name in ("agent_session_platform", "service._vendor.agent_session_platform"):
    asyncio.run(main(name))
"""
COPIES = ("agent_session_platform", "service._vendor.agent_session_platform")
SAID = "".join(f"Not Found {name}.errors\nTrue\nTrue True\n" for name in COPIES)


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
        for package in (*PACKAGES, "service._vendor"):
            freeze += ["--collect-all", package]
        for place in (ROOT / "overlay", ROOT / "generated", ROOT / "packages" / "sandbox" / "src", home):
            freeze += ["--paths", str(place)]
        run(freeze, home)
        program = home / "dist" / "program" / ("program.exe" if sys.platform == "win32" else "program")
        done = subprocess.run([program], cwd=home, capture_output=True, text=True)
        print(done.stdout, done.stderr, sep="", end="")
        return int((done.returncode, done.stdout) != (0, SAID))


def run(arguments: list[str | Path], home: Path) -> None:
    """Run Python; exit if it fails."""
    environment = importing(ROOT, home, ROOT) | {"PYINSTALLER_CONFIG_DIR": str(home / "cache")}
    done = subprocess.run([sys.executable, *map(str, arguments)], cwd=home, env=environment)
    if done.returncode:
        sys.exit(f"failed: {arguments}")


if __name__ == "__main__":
    sys.exit(main())
