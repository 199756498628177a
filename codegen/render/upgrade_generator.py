"""Put another version of the generator in, and tell what moved: `make upgrade-generator VERSION=0.30.0`.

The version is installed, with other versions of what it needs where it has to, all of that is pinned in constraints.txt
and the package generated anew; then the context of the templates and the output are compared.
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

from codegen.changes.revision import RevisionError, git
from codegen.render.generator_context import PACKAGE, moved, read

HERE = Path(__file__).parent
NAME = "openapi-python-client"


class UpgradeError(Exception):
    """The version cannot be installed, or nothing be generated with it; the message says why."""


def pinned(constraints: str, installed: dict[str, str]) -> str:
    """The constraints with the pins of what was installed; what they do not have yet is added."""
    lines = constraints.splitlines()
    at = {canonicalize_name(line.partition("==")[0]): number for number, line in enumerate(lines) if "==" in line}
    for name, version in installed.items():
        if (number := at.get(canonicalize_name(name))) is not None:
            lines[number] = f"{lines[number].partition('==')[0]}=={version}"
        else:
            lines.append(f"{name}=={version}")
    comments = [line for line in lines if line.startswith("#")]
    pins = sorted((line for line in lines if not line.startswith("#")), key=str.lower)
    return "\n".join([*comments, *pins, ""])


def upgrade(root: Path, version: str) -> list[str]:
    """Put *version* in, and tell what moved, a line each."""
    before = installed_version(NAME)
    package = location()
    with TemporaryDirectory() as scratch:
        kept = Path(scratch) / PACKAGE
        shutil.copytree(package, kept, ignore=shutil.ignore_patterns("__pycache__"))
        installed = install(version, Path(scratch) / "report.json")
        constraints = root / "constraints.txt"
        constraints.write_text(
            pinned(constraints.read_text(encoding="utf-8"), installed), encoding="utf-8", newline="\n"
        )
        lines = [f"{NAME} {before} -> {version}", "", "Pins in constraints.txt:"]
        lines += [f"- {name} {number}" for name, number in sorted(installed.items())] or ["- as they were"]
        lines += [f"- {line}" for line in pip("check", check=False).splitlines() if " has requirement " in line]
        lines += ["", "In the templates' context:"]
        lines += [f"- {line}" for line in moved(read(kept), read(package), HERE)] or ["- nothing moved"]
    # Not by `make setup` alone: what the other version brought along would stay.
    back = "To go back: git checkout constraints.txt generated docs && rm -rf .venv && make setup"
    done = subprocess.run(
        [sys.executable, "-m", "codegen.render.generate", str(root)],
        cwd=HERE.parents[1],
        capture_output=True,
        encoding="utf-8",
    )
    if done.returncode:
        raise UpgradeError("\n".join([*lines, "", f"Generating fails: {done.stderr[-3000:]}", back]))
    return [*lines, "", "In what is generated:", difference(root), "", back]


def location() -> Path:
    """Where the generator is installed; it is not imported, because another version is to take its place."""
    code = f"import importlib.util; print(importlib.util.find_spec({PACKAGE!r}).submodule_search_locations[0])"
    return Path(subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8").stdout.strip())


def install(version: str, report: Path) -> dict[str, str]:
    """Install it with whatever it needs, the rest stays, and give what is new."""
    pip("install", "--upgrade-strategy=only-if-needed", "--report", str(report), f"{NAME}=={version}")
    metadata = [each["metadata"] for each in json.loads(report.read_text(encoding="utf-8"))["install"]]
    return {each["name"]: each["version"] for each in metadata}


def pip(*arguments: str, check: bool = True) -> str:
    """What a pip command prints. Raises UpgradeError with its errors when it fails."""
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    if check and done.returncode:
        reasons = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
        raise UpgradeError("\n".join(reasons) or done.stderr.strip()[-2000:])
    return done.stdout


def difference(root: Path) -> str:
    """How much of the generated files is another."""
    return git(root, "diff", "--stat", "--", "generated", "docs/contract.md") or "- nothing moved"


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", help="such as 0.30.0")
    parser.add_argument("--root", type=Path, default=HERE.parents[1], help="the checkout (default: this one)")
    given = parser.parse_args()
    try:
        print("\n".join(upgrade(given.root.resolve(), given.version)))
    except (UpgradeError, RevisionError, OSError) as error:
        print(f"upgrade-generator: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
