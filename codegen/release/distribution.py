"""Build sdist and wheel reproducibly, check what is in them, install the wheel and try it."""

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

from codegen.release.sbom import FILE

NAME = "agent-session-platform"
PACKAGES = ("agent_session_platform", "agent_session_platform_api")
# The packages are below these in the checkout, and at the top of the wheel.
SOURCE_ROOTS = ("generated/", "overlay/")
NEEDED = {
    "agent_session_platform/py.typed",
    "agent_session_platform_api/py.typed",
    "agent_session_platform_sandbox/control/page.html",
}
LICENSES = ["LICENSE", "NOTICE"]
DIST_INFO = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", f"sboms/{FILE}"}
DIST_INFO |= {f"licenses/{name}" for name in LICENSES}
SDIST_ONLY = "PKG-INFO"

# Prints the version that is installed, and where.
INSTALLED = """
import agent_session_platform, agent_session_platform_api
for each in (agent_session_platform.__version__, agent_session_platform.__file__, agent_session_platform_api.__file__):
    print(each)
"""


class DistributionError(Exception):
    """A build is not fit for users; the message gives the reason."""


def build(source: Path, target: Path, epoch: int) -> list[Path]:
    """Build sdist and wheel with the tools of this environment.

    Args:
        source: The files to build.
        target: An empty directory for the result.
        epoch: The date of the built files, in seconds since 1970.

    Returns:
        The built files.
    """
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)}
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(source)]
    run(command, environment=environment)
    return sorted(target.iterdir())


def compare(first: Iterable[Path], second: Iterable[Path]) -> None:
    """Raise DistributionError unless two builds have the same bytes."""
    one, other = ({path.name: path.read_bytes() for path in built} for built in (first, second))
    if different := sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name)):
        raise DistributionError(f"two builds of the same files differ: {', '.join(different)}")


def check(built: list[Path], tracked: set[str], version: str) -> None:
    """Check the contents of a build, and let twine check its metadata.

    Args:
        built: The sdist and the wheel.
        tracked: The paths that git tracks, relative to the checkout.
        version: The version that the metadata must have.

    Raises:
        DistributionError: A file is missing or unwanted, or the metadata are wrong.
    """
    [sdist] = [path for path in built if path.name.endswith(".tar.gz")]
    [wheel] = [path for path in built if path.suffix == ".whl"]
    check_wheel(wheel, tracked, version)
    with tarfile.open(sdist) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    compare_names("the sdist", missing=tracked - names, unwanted=names - tracked - {SDIST_ONLY})
    run([sys.executable, "-m", "twine", "check", "--strict", *map(str, built)])


def check_wheel(wheel: Path, tracked: set[str], version: str) -> None:
    """Check that the wheel has the two packages, complete, with licenses and bill of materials, and nothing else."""
    wanted = {name.removeprefix(root) for root in SOURCE_ROOTS for name in tracked if name.startswith(root)}
    about = f"agent_session_platform-{version}.dist-info/"
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
        wanted |= {about + name for name in DIST_INFO} | NEEDED
        compare_names("the wheel", missing=wanted - names, unwanted=names - wanted)
        metadata = Parser().parsestr(files.read(f"{about}METADATA").decode("utf-8"))
    found = {key: metadata.get_all(key) for key in ("Name", "Version", "License-Expression", "License-File")}
    stated = {"Name": [NAME], "Version": [version], "License-Expression": ["Apache-2.0"], "License-File": LICENSES}
    if found != stated:
        raise DistributionError(f"the metadata of the wheel are {found}")


def compare_names(what: str, *, missing: set[str], unwanted: set[str]) -> None:
    """Raise DistributionError if there are names that are missing or unwanted."""
    found = [f"misses {name}" for name in sorted(missing)] + [f"has {name}" for name in sorted(unwanted)]
    if found:
        raise DistributionError(f"{what} {', '.join(found[:10])}{' ...' if len(found) > 10 else ''}")


def try_out(wheel: Path, version: str, examples: Path, place: Path, *, borrow: bool) -> None:
    """Install the wheel in a new environment in *place*, and run the demo from there.

    Args:
        wheel: The file to install.
        version: The version that the wheel must install.
        examples: The directory with the demo.
        place: An empty directory.
        borrow: Use the dependencies of this environment instead of fetching them.
    """
    home = place / "environment"
    venv.create(home, with_pip=not borrow)
    python = interpreter(home, os.name)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--quiet", "--disable-pip-version-check", "install"]
    if borrow:
        run([*pip, "--no-deps", "--no-index", str(wheel)])
        site = run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
        # Python ignores .pth files in a path that a .pth file added, so the editable install stays invisible.
        (Path(site) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    else:
        run([*pip, f"{wheel}[sandbox]"])
    for name in ("demo.py", "quickstart.py"):
        shutil.copyfile(examples / name, place / name)
    installed, *files = run([str(python), "-c", INSTALLED], cwd=place).splitlines()
    if installed != version or not all(Path(file).resolve().is_relative_to(home.resolve()) for file in files):
        raise DistributionError(f"the installed version is {installed}, at {', '.join(files)}")
    run([str(python), "demo.py"], cwd=place)


def interpreter(environment: Path, system: str) -> Path:
    """Return the path of a virtual environment's Python; *system* is a value of `os.name`."""
    return environment / ("Scripts/python.exe" if system == "nt" else "bin/python")


def run(command: list[str], *, cwd: Path | None = None, environment: dict[str, str] | None = None) -> str:
    """Return the output of a command; raise DistributionError with the output if it fails."""
    settings = {**(environment or os.environ), "PYTHONUTF8": "1"}
    settings.pop("PYTHONPATH", None)
    done = subprocess.run(command, cwd=cwd, env=settings, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        name = " ".join(Path(part).name for part in command[:4])
        raise DistributionError(f"`{name} ...` failed:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout
