"""Release a version: `make release VERSION=1.2.0`; with `DRY_RUN=1` it does everything except the last step.

The work is done in a clone, so that a refusal leaves nothing behind and the command can be repeated: the changelog is
dated, the version is set and committed, and the five distributions are built twice, checked, installed and tried. The
last step fetches the commit and its tag into the checkout, and puts the files into dist/. Nothing is pushed.

Versions follow Semantic Versioning, in the notation of PEP 440: from 1.0.0 on a breaking change raises the first
number, in 0.x the second one, because users pin `~=0.3.0`. Any change may follow a pre-release.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.version import Version

from codegen import ROOT, RefusedError
from codegen.changes import all_changes, dated, git, last_release, run
from codegen.distributions import FOLDERS, SDK, read_projects
from codegen.release import distribution
from codegen.render.generate import generate

VERSION_FILES = ("overlay/agent_session_platform/configuration.py", *(f"{folder}/pyproject.toml" for folder in FOLDERS))
# Matches the version in these files: their own version, and the version of our other distributions that they require.
VERSION = re.compile(rf'(^version = "|"{SDK}[a-z-]*==)[^"]+', re.IGNORECASE | re.MULTILINE)
FORM = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")


def release(root: Path, written: str, *, date: str, dry_run: bool) -> str:
    """Release a version of the checkout in *root*.

    Args:
        root: The checkout.
        written: The version, such as 1.2.0.
        date: The date of the release, such as 2026-11-20.
        dry_run: Check everything, and leave the checkout as it is.

    Returns:
        A message with the steps that are left to do.

    Raises:
        RefusedError: The version cannot be released. The checkout is as it was.
    """
    if changed := git(root, "status", "--porcelain"):
        raise RefusedError(f"the checkout is not clean; commit or stash first:\n{changed}")
    before = last_release(root)
    breaking = sum(change.breaking for change in all_changes(root, before)) if before else 0
    version = next_version(written, before[1:], breaking)
    generate(root, check=True)
    with TemporaryDirectory() as scratch:
        clone = Path(scratch) / "clone"
        commit(root, clone, version, date)
        built = build_and_try(clone, Path(scratch))
        if dry_run:
            return f"{version} could be released: {', '.join(path.name for path in built)}."
        # The tag is fetched last, because the merge before it is refused if the checkout has a new commit by now.
        git(root, "fetch", "--quiet", "--no-tags", str(clone), "HEAD")
        git(root, "merge", "--quiet", "--ff-only", "FETCH_HEAD")
        git(root, "fetch", "--quiet", "--no-tags", str(clone), "tag", f"v{version}")
        shutil.copytree(built[0].parent, root / "dist", dirs_exist_ok=True)
    left = "git push --follow-tags; twine upload"
    return f"{version} is committed, tagged v{version} and built in dist/. Still to do: {left}"


def next_version(written: str, last: str, breaking: int) -> str:
    """Return the version *written* if it may be released.

    Args:
        written: The version as it was typed.
        last: The version of the last release; empty if there was no release.
        breaking: The number of changes since the last release that break callers.

    Raises:
        RefusedError: The version is not greater than the last one, or is too small for a breaking change.
    """
    if not FORM.fullmatch(written):
        raise RefusedError(f"{written!r} is not a version; write it as 1.2.3, or 1.2.3rc1 for a pre-release")
    version, before = Version(written), Version(last or "0.0.0rc0")
    if last and version <= before:
        raise RefusedError(f"{version} is not greater than {before}, the last release")
    least = Version(f"{before.major + 1}.0.0" if before.major else f"0.{before.minor + 1}.0")
    # A pre-release of the required version is enough, so only the release numbers are compared.
    if breaking and not before.is_prerelease and version.release < least.release:
        raise RefusedError(f"{version} must be at least {least}: changes since {before} break callers ({breaking})")
    return written


def commit(root: Path, clone: Path, version: str, date: str) -> None:
    """Clone the checkout, and commit and tag the release there in the name of the checkout's user.

    Args:
        root: The checkout.
        clone: The directory of the clone.
        version: The version to release.
        date: The date of the release in the changelog.
    """
    git(root, "clone", "--quiet", str(root), str(clone))
    for name in ("user.name", "user.email"):
        git(clone, "config", name, git(root, "config", name))
    for name in ("CHANGELOG.md", *VERSION_FILES):
        text = (clone / name).read_text(encoding="utf-8")
        text = dated(text, version, date) if name == "CHANGELOG.md" else VERSION.sub(rf"\g<1>{version}", text)
        (clone / name).write_text(text, encoding="utf-8", newline="\n")
    git(clone, "commit", "--quiet", "--all", "--no-verify", f"--message=Release {version}")
    git(clone, "tag", "--annotate", f"v{version}", f"--message=Version {version}")


def build_and_try(clone: Path, scratch: Path) -> list[Path]:
    """Build the commit in *clone* twice, check and try the result, and return the files."""
    builds: list[list[Path]] = []
    for number in ("1", "2"):
        source, target = scratch / f"source-{number}", scratch / f"built-{number}"
        git(clone, "clone", "--quiet", str(clone), str(source))
        target.mkdir()
        builds.append(distribution.build(source, target))
    distribution.compare(*builds)
    tracked = {*git(clone, "ls-files", "-z").split("\0")}
    for project in read_projects(clone):
        distribution.check_wheel(scratch / "built-1", project, tracked)
    run([sys.executable, "-m", "twine", "check", "--strict", *map(str, builds[0])])
    wheels = [path for path in builds[0] if path.suffix == ".whl"]
    distribution.try_out(wheels, clone / "examples", scratch)
    return builds[0]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", help="such as 1.2.0")
    parser.add_argument("--dry-run", action="store_true", help="check everything, and leave the checkout as it is")
    arguments = parser.parse_args()
    try:
        addresses = {url for project in read_projects() for url in project["project"]["urls"].values()}
        if reserved := sorted(each for each in addresses if ".example/" in each):
            raise RefusedError(f"project.urls in pyproject.toml: set the real address for {', '.join(reserved)}")
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        print(release(ROOT, arguments.version, date=today, dry_run=arguments.dry_run))
    except (RefusedError, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
