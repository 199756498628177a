"""What the comparison needs besides the project: peers from the registry, and clients generated from openapi.yaml.

`make` runs it as `benchmarks/environment.py FOLDER` and it makes FOLDER anew: an environment in which the SDK is
installed without any extra, the extra `speed` in a folder of its own, and the two generated clients.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from codegen.distributions import read_projects, requirements

ROOT = Path(__file__).parent.parent
# Every file that is installed has a hash.
PINNED = ["--require-hashes", "--only-binary=:all:"]
PINNED += [f"--constraint={ROOT / name}" for name in ("constraints.txt", "hashes.txt")]
SPEED = ("msgspec", "sniffio")


def pip(folder: Path, *arguments: str) -> None:
    settings = ["--python", python(folder), "--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", *settings, "install", *arguments], check=True)


def python(folder: Path) -> str:
    """The interpreter of the environment in *folder*."""
    return str(folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python")


def run(command: list[str], found: list[Path]) -> str:
    """What *command* prints, with packages that are *found* in folders.

    Compiled modules are kept, as they are wherever a package is installed: some machines are told not to.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, found))}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout


def stock_client(folder: Path) -> None:
    """Generate as openapi-python-client does without templates of ours."""
    made = folder / "clients" / "stock_client"
    command = ["generate", "--path", str(ROOT / "openapi.yaml"), "--meta", "none", "--output-path", str(made)]
    generator = [sys.executable, "-m", "openapi_python_client"]
    subprocess.run([*generator, *command], check=True, capture_output=True)


def openapi_generator_client(folder: Path) -> None:
    """Generate as openapi-generator does with its httpx library."""
    output = folder / "openapi-generator"
    command = ["generate", "-g", "python", "--library", "httpx", "--package-name", "openapi_generator_client"]
    files = ["-i", str(ROOT / "openapi.yaml"), "-o", str(output)]
    subprocess.run(
        [str(Path(python(folder)).with_name("openapi-generator-cli")), *command, *files],
        check=True,
        capture_output=True,
    )
    shutil.copytree(output / "openapi_generator_client", folder / "clients" / "openapi_generator_client")


def main(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "clients").mkdir(parents=True)
    venv.create(folder / "venv")
    required = requirements(read_projects(folders=["."]), extras=False)
    pip(folder, *PINNED, *required, "--group", f"{ROOT / 'pyproject.toml'}:bench")
    pip(folder, "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    pip(folder, *PINNED, "--target", str(folder / "speed"), "--no-deps", *SPEED)
    stock_client(folder)
    openapi_generator_client(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
