"""sdist and wheel: built so that anybody gets the same bytes, looked into, installed and tried."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Iterable
from email.parser import Parser
from pathlib import Path

# Where the packages stand in the checkout; in the wheel they stand at the top.
SOURCE_ROOTS = ("generated/", "overlay/")
NEEDED = {
    "agent_session_platform/py.typed",
    "agent_session_platform_api/py.typed",
    "agent_session_platform/sandbox/control/page.html",
}
DIST_INFO = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}
SDIST_ONLY = "PKG-INFO"

# Prints the version that is installed, and where.
INSTALLED = """
import agent_session_platform, agent_session_platform_api
print(agent_session_platform.__version__, agent_session_platform.__file__, agent_session_platform_api.__file__, sep="\\n")
"""


class DistributionError(Exception):
    """What is built is not what users should get; the message says what is wrong with it."""


def build(source: Path, target: Path, epoch: int) -> list[Path]:
    """Build sdist and wheel of the files in *source* with the tools of this environment, as of the moment *epoch*."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)}
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(source)]
    run(command, environment=environment)
    return sorted(target.iterdir())


def compare(first: Iterable[Path], second: Iterable[Path]) -> None:
    """Raise DistributionError unless two builds are the same, byte for byte."""
    one, other = ({path.name: path.read_bytes() for path in built} for built in (first, second))
    if different := sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name)):
        raise DistributionError(f"two builds of the same files differ: {', '.join(different)}")


def check(built: list[Path], tracked: set[str], version: str) -> None:
    """Look into what was built from the files *tracked*, and let twine look at it, too."""
    [sdist] = [path for path in built if path.name.endswith(".tar.gz")]
    [wheel] = [path for path in built if path.suffix == ".whl"]
    check_wheel(wheel, tracked, version)
    with tarfile.open(sdist) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    tell("the sdist", missing=tracked - names, unwanted=names - tracked - {SDIST_ONLY})
    run([sys.executable, "-m", "twine", "check", "--strict", *map(str, built)])


def check_wheel(wheel: Path, tracked: set[str], version: str) -> None:
    """The wheel has the two packages, whole, with their licence, and nothing else."""
    wanted = {name.removeprefix(root) for root in SOURCE_ROOTS for name in tracked if name.startswith(root)}
    about = f"agent_session_platform-{version}.dist-info/"
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
        wanted |= {about + name for name in DIST_INFO} | NEEDED
        tell("the wheel", missing=wanted - names, unwanted=names - wanted)
        metadata = Parser().parsestr(files.read(f"{about}METADATA").decode("utf-8"))
    told = {key: metadata.get(key) for key in ("Name", "Version", "License-Expression", "License-File")}
    if told != {
        "Name": "agent-session-platform",
        "Version": version,
        "License-Expression": "Apache-2.0",
        "License-File": "LICENSE",
    }:
        raise DistributionError(f"the metadata of the wheel say {told}")


def tell(what: str, *, missing: set[str], unwanted: set[str]) -> None:
    """Raise DistributionError with what is missing and what should not be there."""
    found = [f"misses {name}" for name in sorted(missing)] + [f"has {name}" for name in sorted(unwanted)]
    if found:
        raise DistributionError(f"{what} {', '.join(found[:10])}{' ...' if len(found) > 10 else ''}")


def try_out(wheel: Path, version: str, examples: Path, place: Path, *, borrow: bool) -> None:
    """Install the wheel in an environment of its own in *place*, and run the demo from there.

    With *borrow* its dependencies are those of this environment: nothing is fetched.
    """
    home = place / "environment"
    venv.create(home, with_pip=not borrow)
    python = interpreter(home, os.name)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--quiet", "--disable-pip-version-check", "install"]
    if borrow:
        run([*pip, "--no-deps", "--no-index", str(wheel)])
        site = run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
        # A path that a .pth file adds has its own .pth files not read: the editable install stays out of sight.
        (Path(site) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    else:
        run([*pip, f"{wheel}[sandbox]"])
    for name in ("demo.py", "quickstart.py"):
        shutil.copyfile(examples / name, place / name)
    told, *files = run([str(python), "-c", INSTALLED], cwd=place).splitlines()
    if told != version or not all(Path(file).resolve().is_relative_to(home.resolve()) for file in files):
        raise DistributionError(f"what is installed is {told} at {', '.join(files)}")
    run([str(python), "demo.py"], cwd=place)


def interpreter(environment: Path, system: str) -> Path:
    """The Python of a virtual environment; *system* is called as by `os.name`."""
    return environment / ("Scripts/python.exe" if system == "nt" else "bin/python")


def run(command: list[str], *, cwd: Path | None = None, environment: dict[str, str] | None = None) -> str:
    """What a command prints; raises DistributionError with it when it fails."""
    settings = {**(environment or os.environ), "PYTHONUTF8": "1"}
    settings.pop("PYTHONPATH", None)
    done = subprocess.run(command, cwd=cwd, env=settings, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        name = " ".join(Path(part).name for part in command[:4])
        raise DistributionError(f"`{name} ...` failed:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout
