"""Install another version of the generator, and report what changed in it: `make upgrade-generator VERSION=0.30.0`.

The version and what it requires are installed and pinned in constraints.txt, and the package is generated anew; make
then renews hashes.txt. The report compares the two versions of the generator, and the generated files.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from importlib.metadata import version as installed_version
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.utils import canonicalize_name

from codegen import ROOT
from codegen.render.generator_context import PACKAGE, changes, read

NAME = "openapi-python-client"


class UpgradeError(Exception):
    """The version cannot be installed, or generating fails with it; the message gives the reason."""


def renew_pins(constraints: str, installed: dict[str, str]) -> str:
    """Return the constraints with the versions that were installed; new names are added."""
    lines = constraints.splitlines()
    pins = {canonicalize_name(line.partition("==")[0]): line for line in lines if "==" in line}
    for name, version in installed.items():
        written = pins.get(canonicalize_name(name), name).partition("==")[0]
        pins[canonicalize_name(name)] = f"{written}=={version}"
    comments = [line for line in lines if line.startswith("#")]
    return "\n".join([*comments, *sorted(pins.values(), key=str.lower), ""])


def upgrade(version: str) -> list[str]:
    """Install *version*, and report what changed, one line each."""
    before = installed_version(NAME)
    package = location()
    with TemporaryDirectory() as scratch:
        kept = Path(scratch) / PACKAGE
        shutil.copytree(package, kept, ignore=shutil.ignore_patterns("__pycache__"))
        installed = install(version, Path(scratch) / "report.json")
        constraints = ROOT / "constraints.txt"
        pins = renew_pins(constraints.read_text(encoding="utf-8"), installed)
        constraints.write_text(pins, encoding="utf-8", newline="\n")
        lines = [f"{NAME} {before} -> {version}", "", "Pins in constraints.txt:"]
        lines += [f"- {name} {number}" for name, number in sorted(installed.items())] or ["- unchanged"]
        conflicts = pip("check", check=False).stdout.splitlines()
        lines += [f"- {line}" for line in conflicts if " has requirement " in line]
        lines += ["", "In the generator:"]
        lines += [f"- {line}" for line in changes(read(kept), read(package), Path(__file__).parent)] or ["- no change"]
    # `make setup` alone would keep the packages that the other version required.
    back = "To go back: git checkout constraints.txt hashes.txt generated docs && rm -rf .venv && make setup"
    done = run(sys.executable, "-m", "codegen.render.generate", cwd=ROOT)
    if done.returncode:
        raise UpgradeError("\n".join([*lines, "", f"Generating fails: {done.stderr[-3000:]}", back]))
    files = run("git", "diff", "--stat", "--", "generated", "docs/contract.md", cwd=ROOT).stdout.strip()
    return [*lines, "", "In the generated files:", files or "- no change", "", back]


def location() -> Path:
    """Return where the generator is installed, without importing it, because another version will replace it."""
    code = f"import importlib.util; print(importlib.util.find_spec({PACKAGE!r}).submodule_search_locations[0])"
    return Path(run(sys.executable, "-c", code).stdout.strip())


def install(version: str, report: Path) -> dict[str, str]:
    """Install the generator and only what it requires, and return the versions that are new."""
    pip("install", "--upgrade-strategy=only-if-needed", "--report", str(report), f"{NAME}=={version}")
    metadata = [each["metadata"] for each in json.loads(report.read_text(encoding="utf-8"))["install"]]
    return {each["name"]: each["version"] for each in metadata}


def pip(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run pip; with *check* raise UpgradeError with its errors if it fails."""
    done = run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)
    if check and done.returncode:
        reasons = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
        raise UpgradeError("\n".join(reasons) or done.stderr.strip()[-2000:])
    return done


def run(*command: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command and capture what it prints."""
    return subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8")


def main() -> int:
    """Run the command line, and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", help="such as 0.30.0")
    arguments = parser.parse_args()
    try:
        print("\n".join(upgrade(arguments.version)))
    except (UpgradeError, OSError) as error:
        print(f"upgrade-generator: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
