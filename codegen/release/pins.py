"""Renew hashes.txt after a change of constraints.txt or of a floor in a pyproject.toml: `make pins`.

hashes.txt has the SHA-256 of every file of every pinned release, for all systems. It also has the hashes of the
releases that `make test-lowest` installs. pip takes the hashes from this file, and the versions from constraints.txt.
If a version of a package is new here, the hashes of the package are fetched from the package index that pip is
configured for. `--lowest` only prints constraints.txt with the lowest versions that users may have.

This module imports only the standard library and pip, because it must also work if the environment cannot be installed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Set

from pip._internal.commands.download import DownloadCommand
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name, parse_sdist_filename, parse_wheel_filename
from pip._vendor.packaging.version import Version

from codegen import ROOT, RefusedError
from codegen.distributions import Pyproject, read_projects, required

ENTRY = re.compile(
    r"^# (?P<name>\S+) (?P<versions>.+)\n(?P=name)(?P<hashes>(?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.M
)
ABOUT = """\
# The SHA-256 of every file of the releases in constraints.txt, and of the lowest ones that pyproject.toml allows.
# Written by `make pins`, and read by pip beside constraints.txt, which alone states the versions.
"""

Hashes = Mapping[Version, Set[str]]
"""The hashes of the files of a package, by version."""


def floors(projects: Iterable[Pyproject]) -> dict[str, Version]:
    """Return the lowest version of each requirement that all projects allow, by canonical name."""
    found: dict[str, Version] = {}
    for written in (each for project in projects for each in required(project, extras=True)):
        requirement = Requirement(written)
        lowest = [Version(each.version) for each in requirement.specifier if each.operator == ">="]
        if len(lowest) != 1:
            raise RefusedError(f"{written} has no lowest version; write it as `{requirement.name}>=1.2,<2`")
        name = canonicalize_name(requirement.name)
        found[name] = max(lowest[0], found.get(name, lowest[0]))
    return found


def with_lowest(constraints: str, lowest: Mapping[str, Version]) -> str:
    """Return the constraints with the lowest versions in place of the newest."""
    lines = [line for line in constraints.splitlines() if canonicalize_name(line.partition("==")[0]) not in lowest]
    return "\n".join([*lines, *(f"{name}=={version}" for name, version in lowest.items()), ""])


def wanted(constraints: str, lowest: Mapping[str, Version]) -> dict[str, list[Version]]:
    """Return the versions of each package that may be installed: the pinned version, and the lowest one if known."""
    pins = re.findall(r"^([^#\s]+)==(\S+)", constraints, re.MULTILINE)
    named = sorted((canonicalize_name(name), Version(version)) for name, version in pins)
    return {name: sorted({version, lowest.get(name, version)}) for name, version in named}


def renew(text: str, versions: Mapping[str, list[Version]], fetch: Callable[[str], Hashes]) -> str:
    """Return hashes.txt with entries for *versions*. If an entry already has these versions, it stays as it is.

    Args:
        text: The present file.
        versions: The versions of each package, by canonical name.
        fetch: Return the hashes of a package from the index.

    Raises:
        RefusedError: The index does not have one of the versions.
    """
    present = {each["name"]: each[0] for each in ENTRY.finditer(text)}
    for name, numbers in versions.items():
        header = f"# {name} {', '.join(map(str, numbers))}\n"
        if present.get(name, "").startswith(header):
            continue
        files = fetch(name)
        if missing := [str(each) for each in numbers if not files.get(each)]:
            raise RefusedError(f"the index has no file of {name} {', '.join(missing)}; choose another version")
        found = sorted({each for number in numbers for each in files[number]})
        present[name] = header + name + "".join(f" \\\n    --hash=sha256:{each}" for each in found)
    return "\n".join([ABOUT, *(present[name] for name in versions), ""])


def released(filename: str) -> Version | None:
    """Return the version of a distribution file; None for other files, such as installers."""
    try:
        return (parse_wheel_filename if filename.endswith(".whl") else parse_sdist_filename)(filename)[1]
    except ValueError:
        return None


def package_index() -> Callable[[str], Hashes]:
    """Return a function that fetches the hashes of a package from the index that pip is configured for."""
    command = DownloadCommand("download", "")
    options, _ = command.parse_args(["--quiet"])
    # The session uses pip's own settings, such as certificates, the proxy and credentials.
    session = command._build_session(options)
    accept = {"Accept": "application/vnd.pypi.simple.v1+json"}

    def fetch(name: str) -> Hashes:
        response = session.get(f"{options.index_url.rstrip('/')}/{name}/", headers=accept)
        if response.status_code != 200 or "json" not in response.headers["Content-Type"]:
            raise RefusedError(f"the index has no JSON about {name} (status {response.status_code})")
        found: dict[Version, set[str]] = {}
        for each in response.json()["files"]:
            if version := released(each["filename"]):
                found.setdefault(version, set()).add(each["hashes"]["sha256"])
        return found

    return fetch


def main(arguments: list[str]) -> None:
    """Renew hashes.txt, or with `--lowest` print the constraints of the lowest versions."""
    path, constraints = ROOT / "hashes.txt", (ROOT / "constraints.txt").read_text(encoding="utf-8")
    try:
        lowest = floors(read_projects())
        if arguments == ["--lowest"]:
            print(with_lowest(constraints, lowest), end="")
            return
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        after = renew(before, wanted(constraints, lowest), package_index())
    except RefusedError as error:
        sys.exit(f"pins: {error}")
    path.write_text(after, encoding="utf-8", newline="\n")
    print("hashes.txt: " + ("unchanged" if after == before else "renewed; read `git diff hashes.txt`"))


if __name__ == "__main__":
    main(sys.argv[1:])
