"""Release a version: `make release VERSION=1.2.0`; with `DRY_RUN=1` it does everything except the last step.

The work is done in a clone, so that a refusal leaves nothing behind and the command can be repeated: the changelog is
dated, the version is set and committed, and the five distributions are built twice, checked, installed and tried. The
last step fetches the commit and its tag into the checkout, and puts the files into dist/. Nothing is pushed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from codegen import ROOT
from codegen.changes.changelog import dated
from codegen.changes.compare import COMPARISON_ERRORS, report
from codegen.changes.revision import RevisionError, git, git_bytes, last_release, unpack
from codegen.changes.version_rule import VersionError, next_version
from codegen.release import distribution
from codegen.release.distribution import DistributionError
from codegen.release.package_index import ForeignNameError, check_name
from codegen.release.projects import FOLDERS, PACKAGES, SDK, read_projects
from codegen.render.generate import generate

VERSION_FILES = ("overlay/agent_session_platform/version.py", *(f"{folder}/pyproject.toml" for folder in FOLDERS))
# Where those files state the version: as their own, and in the requirements on other distributions of ours.
VERSION = re.compile(rf'(^version = "|"{SDK}[a-z-]*==)[^"]+', re.IGNORECASE | re.MULTILINE)

REFUSALS = (*COMPARISON_ERRORS, VersionError, ForeignNameError, DistributionError)


def release(root: Path, written: str, *, date: str, borrow: bool, dry_run: bool) -> str:
    """Release a version of the checkout in *root*.

    Args:
        root: The checkout.
        written: The version, such as 1.2.0.
        date: The date of the release, such as 2026-11-20.
        borrow: Try the wheels with the dependencies of this environment instead of fetching them.
        dry_run: Check everything, and leave the checkout as it is.

    Returns:
        A message with the steps that are left to do.

    Raises:
        Exception: One of REFUSALS; the checkout is then as it was.
    """
    if changed := git(root, "status", "--porcelain"):
        raise RevisionError(f"the checkout is not clean; commit or stash first:\n{changed}")
    before = last_release(root)
    breaking = report(root, before).breaking if before else 0
    present = read_projects(root)[0]["project"]["version"]
    last = before.removeprefix("v") if before else None
    version = str(next_version(written, present=present, last=last, breaking=breaking))
    tag = f"v{version}"
    tags = git(root, "tag", "--list").split()
    if tag in tags:
        raise VersionError(f"the tag {tag} exists already")
    dated((root / "CHANGELOG.md").read_text(encoding="utf-8"), version, date)
    generate(root, check=True)
    versions = {each.removeprefix("v") for each in tags}
    names = "\n".join(check_name(name, packages, versions) for name, packages in PACKAGES.items())
    with TemporaryDirectory() as scratch:
        clone = Path(scratch) / "clone"
        commit(root, clone, version, date)
        built = build_and_try(clone, Path(scratch), version, borrow=borrow)
        if dry_run:
            return f"{names}\n{version} could be released: {', '.join(path.name for path in built)}."
        # The tag comes last: the merge is refused if the checkout has another commit by now.
        git(root, "fetch", "--quiet", "--no-tags", str(clone), "HEAD")
        git(root, "merge", "--quiet", "--ff-only", "FETCH_HEAD")
        git(root, "fetch", "--quiet", "--no-tags", str(clone), "tag", tag)
        (root / "dist").mkdir(exist_ok=True)
        for path in built:
            shutil.copyfile(path, root / "dist" / path.name)
    left = "git push --follow-tags; twine upload"
    return f"{names}\n{version} is committed, tagged {tag} and built in dist/. Still to do: {left}"


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
    rewrite(clone / "CHANGELOG.md", lambda text: dated(text, version, date))
    for name in VERSION_FILES:
        rewrite(clone / name, lambda text: with_version(text, version))
    git(clone, "commit", "--quiet", "--all", "--no-verify", f"--message=Release {version}")
    git(clone, "tag", "--annotate", f"v{version}", f"--message=Version {version}")


def rewrite(path: Path, change: Callable[[str], str]) -> None:
    """Change the text of a file."""
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")


def with_version(text: str, version: str) -> str:
    """Return the text of one of VERSION_FILES with another version."""
    return VERSION.sub(rf"\g<1>{version}", text)


def build_and_try(clone: Path, scratch: Path, version: str, *, borrow: bool) -> list[Path]:
    """Build the commit in *clone* twice, check and try the result, and return the files."""
    tracked = {*filter(None, git(clone, "ls-files", "-z").split("\0"))}
    builds: list[list[Path]] = []
    for number in ("1", "2"):
        source, target = scratch / f"source-{number}", scratch / f"built-{number}"
        unpack(git_bytes(clone, "archive", "--format=tar", "HEAD"), source)
        target.mkdir()
        builds.append(distribution.build(source, target))
    distribution.compare(*builds)
    distribution.check(builds[0], clone, tracked, version)
    wheels = [path for path in builds[0] if path.suffix == ".whl"]
    distribution.try_out(wheels, version, clone / "examples", scratch, borrow=borrow)
    return builds[0]


def check_addresses(root: Path) -> None:
    """Raise DistributionError while a pyproject.toml has a reserved name (RFC 2606) in `project.urls`."""
    urls = {url for project in read_projects(root) for url in project["project"]["urls"].values()}
    if reserved := sorted(url for url in urls if (urlsplit(url).hostname or "").endswith(".example")):
        raise DistributionError(f"project.urls in pyproject.toml: set the real address for {', '.join(reserved)}")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", help="such as 1.2.0")
    parser.add_argument("--date", default=f"{datetime.now(UTC):%Y-%m-%d}", help="of the release (default: today, UTC)")
    parser.add_argument("--dry-run", action="store_true", help="check everything, and leave the checkout as it is")
    parser.add_argument("--borrow", action="store_true", help="try it with the dependencies of this environment")
    arguments = parser.parse_args()
    try:
        check_addresses(ROOT)
        print(release(ROOT, arguments.version, date=arguments.date, borrow=arguments.borrow, dry_run=arguments.dry_run))
    except REFUSALS as error:
        sys.exit(f"release: {error}")


if __name__ == "__main__":
    main()
