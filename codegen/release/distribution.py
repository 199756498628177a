"""Build the five distributions reproducibly, check what is in them, install the wheels and try them.

`make build` runs this module: it builds the checkout into dist/, in place of older builds.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Iterable, Set
from email.parser import Parser
from pathlib import Path

from codegen import ROOT
from codegen.release.projects import COMPANIONS, PACKAGES, SDK, Pyproject, read_projects


class DistributionError(Exception):
    """A build is not fit for users; the message gives the reason."""


def build(source: Path, target: Path) -> list[Path]:
    """Build the sdist and the five wheels with the tools of this environment.

    Args:
        source: The files to build.
        target: The directory for the result.

    Returns:
        The files in *target*.
    """
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target)]
    run([*command, str(source)])
    for name in COMPANIONS:
        run([*command, "--wheel", str(source / "packages" / name)])
    return sorted(target.iterdir())


def compare(first: Iterable[Path], second: Iterable[Path]) -> None:
    """Raise DistributionError unless two builds have the same bytes."""
    one, other = ({path.name: path.read_bytes() for path in built} for built in (first, second))
    if different := sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name)):
        raise DistributionError(f"two builds of the same files differ: {', '.join(different)}")


def check(built: Iterable[Path], source: Path, tracked: Set[str], version: str) -> None:
    """Check the contents of a build, and let twine check its metadata.

    Args:
        built: The sdist and the wheels.
        source: The files that were built.
        tracked: The paths that git tracks, relative to the checkout.
        version: The version that the metadata must have.

    Raises:
        DistributionError: A file is missing or unwanted, or the metadata are wrong.
    """
    found = {path.name: path for path in built}
    wheels = {name: f"{name.replace('-', '_')}-{version}-py3-none-any.whl" for name in PACKAGES}
    sdist = f"{SDK.replace('-', '_')}-{version}.tar.gz"
    check_names("the build", found.keys(), {sdist, *wheels.values()})
    with tarfile.open(found[sdist]) as files:
        check_names("the sdist", {each.partition("/")[2] for each in files.getnames()}, tracked | {"PKG-INFO"})
    for project in read_projects(source):
        check_wheel(found[wheels[project["project"]["name"]]], project, tracked)
    run([sys.executable, "-m", "twine", "check", "--strict", *map(str, found.values())])


def check_wheel(wheel: Path, project: Pyproject, tracked: Set[str]) -> None:
    """Check that a wheel has its packages, complete, with licenses and bill of materials, and nothing else.

    Args:
        wheel: The file.
        project: The pyproject.toml of its distribution.
        tracked: The paths that git tracks, relative to the checkout.

    Raises:
        DistributionError: A file is missing or unwanted, or the metadata are wrong.
    """
    stated = project["project"]
    name, version, licenses = stated["name"], stated["version"], stated["license-files"]
    about = f"{name.replace('-', '_')}-{version}.dist-info/"
    needed = ["METADATA", "RECORD", "WHEEL", f"sboms/{name}.cdx.json", *(f"licenses/{each}" for each in licenses)]
    if stated.keys() & {"scripts", "entry-points"}:
        needed.append("entry_points.txt")
    wanted = {about + each for each in needed}
    for package, folder in PACKAGES[name].items():
        wanted.add(f"{package}/py.typed")
        wanted |= {each.removeprefix(folder) for each in tracked if each.startswith(f"{folder}{package}/")}
    with zipfile.ZipFile(wheel) as files:
        check_names(wheel.name, set(files.namelist()), wanted)
        metadata = Parser().parsestr(files.read(f"{about}METADATA").decode("utf-8"))
    expected = {"Name": [name], "Version": [version], "License-Expression": ["Apache-2.0"], "License-File": licenses}
    if (found := {key: metadata.get_all(key) for key in expected}) != expected:
        raise DistributionError(f"the metadata of {wheel.name} are {found}")


def check_names(what: str, found: Set[str], wanted: Set[str]) -> None:
    """Raise DistributionError if names are missing or unwanted."""
    wrong = [f"misses {name}" for name in sorted(wanted - found)] + [f"has {name}" for name in sorted(found - wanted)]
    if wrong:
        raise DistributionError(f"{what} {', '.join(wrong[:10])}{' ...' if len(wrong) > 10 else ''}")


def try_out(wheels: Iterable[Path], version: str, examples: Path, place: Path, *, borrow: bool) -> None:
    """Install the wheels in a new environment in *place*, and run `asp` and the demo from there.

    Args:
        wheels: The files to install.
        version: The version that they must install.
        examples: The directory with the demo.
        place: An empty directory.
        borrow: Use the dependencies of this environment instead of fetching them.
    """
    home = place / "environment"
    venv.create(home)
    python = str(program(home, "python", os.name))
    pip = [sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"]
    # All on one command line: the companions require the others, which are on no index yet.
    run([*pip, "install", *(["--no-deps", "--no-index"] if borrow else []), *map(str, wheels)])
    if borrow:
        site = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
        # Python ignores .pth files in a path that a .pth file added, so the editable install stays invisible.
        (Path(site) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    run([*pip, "check"])
    for name in ("demo.py", "quickstart.py"):
        shutil.copyfile(examples / name, place / name)
    packages = ", ".join(each for folders in PACKAGES.values() for each in folders)
    run([python, "-c", f"import {packages}"], cwd=place)
    installed = run([str(program(home, "asp", os.name)), "--version"], cwd=place).strip()
    if installed != f"asp {version}":
        raise DistributionError(f"the installed version is {installed}")
    run([python, "demo.py"], cwd=place)


def program(environment: Path, name: str, system: str) -> Path:
    """Return the path of a program of a virtual environment; *system* is a value of `os.name`."""
    return environment / (f"Scripts/{name}.exe" if system == "nt" else f"bin/{name}")


def run(command: list[str], *, cwd: Path | None = None) -> str:
    """Return the output of a command; raise DistributionError with the output if it fails."""
    settings = {**os.environ, "PYTHONUTF8": "1"}
    settings.pop("PYTHONPATH", None)
    done = subprocess.run(command, cwd=cwd, env=settings, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        name = " ".join(Path(part).name for part in command[:4])
        raise DistributionError(f"`{name} ...` failed:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


if __name__ == "__main__":
    for old in (ROOT / "dist").glob("agent_session_platform*"):
        old.unlink()
    try:
        print(*build(ROOT, ROOT / "dist"), sep="\n")
    except DistributionError as error:
        sys.exit(f"build: {error}")
