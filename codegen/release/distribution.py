"""Build the five distributions reproducibly, check the files in the wheels, install the wheels and try them.

`make build` runs this module: it builds the checkout into dist/, in place of older builds.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterable, Set
from pathlib import Path

from codegen import ROOT, RefusedError
from codegen.changes import run
from codegen.distributions import COMPANIONS, PACKAGES, Pyproject


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
    """Raise RefusedError unless two builds have the same bytes."""
    one, other = ({path.name: path.read_bytes() for path in built} for built in (first, second))
    if different := sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name)):
        raise RefusedError(f"two builds of the same files differ: {', '.join(different)}")


def check_wheel(built: Path, project: Pyproject, tracked: Set[str]) -> None:
    """Check that the wheel of a distribution has all files of its packages, the licenses and the bill of materials.

    Args:
        built: The directory that contains the wheel.
        project: The pyproject.toml of the distribution.
        tracked: The paths that git tracks, relative to the checkout.

    Raises:
        RefusedError: A file is missing.
    """
    stated = project["project"]
    name = stated["name"]
    stem = f"{name.replace('-', '_')}-{stated['version']}"
    needed = [f"sboms/{name}.cdx.json", *(f"licenses/{each}" for each in stated["license-files"])]
    wanted = {f"{stem}.dist-info/{each}" for each in needed}
    for package, folder in PACKAGES[name].items():
        wanted.add(f"{package}/py.typed")
        wanted |= {each.removeprefix(folder) for each in tracked if each.startswith(f"{folder}{package}/")}
    with zipfile.ZipFile(built / f"{stem}-py3-none-any.whl") as files:
        missing = sorted(wanted - {*files.namelist()})
    if missing:
        raise RefusedError(f"the wheel of {name} misses {', '.join(missing)}")


def try_out(wheels: Iterable[Path], examples: Path, place: Path) -> None:
    """Install the wheels in a new environment in *place*, and run `asp` and the demo from there.

    The new environment uses the dependencies that are installed in this one.

    Args:
        wheels: The files to install.
        examples: The directory with the demo.
        place: An empty directory.
    """
    home = place / "environment"
    venv.create(home)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    python = str(scripts / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"]
    run([*pip, "install", "--no-deps", "--no-index", *map(str, wheels)])
    site = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    # This .pth file adds the packages of this environment. Python ignores further .pth files there, so it does not find
    # the editable installation of the checkout.
    (Path(site) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    run([*pip, "check"])
    for name in ("demo.py", "quickstart.py"):
        shutil.copyfile(examples / name, place / name)
    run([python, "-c", f"import {', '.join(each for folders in PACKAGES.values() for each in folders)}"], cwd=place)
    run([str(scripts / "asp"), "--version"], cwd=place)
    run([python, "demo.py"], cwd=place)


if __name__ == "__main__":
    for old in (ROOT / "dist").glob("agent_session_platform*"):
        old.unlink()
    try:
        print(*build(ROOT, ROOT / "dist"), sep="\n")
    except RefusedError as error:
        sys.exit(f"build: {error}")
