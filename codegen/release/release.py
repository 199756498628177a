"""Release a version: `make release VERSION=1.2.0`; `make release-check` does all of it but the last step.

Everything happens in a clone, so that nothing is left behind when something is refused, and it can be run again: the
changelog is dated, the version set and committed, the packages built twice, looked into, installed and tried. Last the
commit and its tag are fetched into the checkout, and the packages put into dist/. Nothing is pushed.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from codegen.changes.changelog import dated
from codegen.changes.compare import UNTELLABLE, report
from codegen.changes.revision import RevisionError, git, git_bytes, last_release, unpack
from codegen.changes.version_rule import VersionError, next_version
from codegen.release import distribution
from codegen.release.distribution import DistributionError
from codegen.render.generate import generate

ROOT = Path(__file__).parents[2]
VERSION_FILE = "overlay/agent_session_platform/version.py"
VERSION = re.compile(r'^VERSION = "(?P<version>[^"]+)"$', re.MULTILINE)

REFUSALS = (*UNTELLABLE, VersionError, DistributionError)


def release(root: Path, written: str, *, date: str, linters: Path, borrow: bool, dry_run: bool) -> str:
    """Release the version *written* of the checkout in *root*, and tell what there is to do still.

    Raises one of REFUSALS when it may not be; the checkout is then as it was.
    """
    if changed := git(root, "status", "--porcelain"):
        raise RevisionError(f"the checkout is not clean; commit or stash first:\n{changed}")
    before = last_release(root)
    breaking = report(root, before, linters).breaking if before else 0
    text = (root / VERSION_FILE).read_text(encoding="utf-8")
    present = VERSION.search(text)
    assert present is not None
    last = before.removeprefix("v") if before else None
    version = str(next_version(written, present=present["version"], last=last, breaking=breaking))
    tag = f"v{version}"
    if git(root, "tag", "--list", tag):
        raise VersionError(f"there is a tag {tag} already")
    dated((root / "CHANGELOG.md").read_text(encoding="utf-8"), version, date)
    generate(root, check=True)
    with TemporaryDirectory() as scratch:
        clone = Path(scratch) / "clone"
        commit(root, clone, version, date)
        built = checked(clone, Path(scratch), version, borrow=borrow)
        if dry_run:
            return f"{version} could be released: {', '.join(path.name for path in built)}"
        git(root, "fetch", "--quiet", "--no-tags", str(clone), f"refs/tags/{tag}:refs/tags/{tag}")
        try:
            git(root, "merge", "--quiet", "--ff-only", tag)
        except RevisionError:
            git(root, "tag", "--delete", tag)
            raise
        (root / "dist").mkdir(exist_ok=True)
        for path in built:
            shutil.copyfile(path, root / "dist" / path.name)
    return f"{version} is committed, tagged {tag} and built in dist/. Still to do: git push --follow-tags; twine upload"


def commit(root: Path, clone: Path, version: str, date: str) -> None:
    """Clone the checkout, and commit and tag the release there in the name of whoever works in the checkout."""
    git(root, "clone", "--quiet", str(root), str(clone))
    for name in ("user.name", "user.email"):
        git(clone, "config", name, git(root, "config", name))
    changelog, module = clone / "CHANGELOG.md", clone / VERSION_FILE
    text = dated(changelog.read_text(encoding="utf-8"), version, date)
    changelog.write_text(text, encoding="utf-8", newline="\n")
    code = VERSION.sub(f'VERSION = "{version}"', module.read_text(encoding="utf-8"))
    module.write_text(code, encoding="utf-8", newline="\n")
    git(clone, "commit", "--quiet", "--all", "--no-verify", f"--message=Release {version}")
    git(clone, "tag", "--annotate", f"v{version}", f"--message=Version {version}")


def checked(clone: Path, scratch: Path, version: str, *, borrow: bool) -> list[Path]:
    """Build what is committed in *clone* twice, check it and try it; gives the files that were built."""
    epoch = int(git(clone, "log", "-1", "--format=%ct"))
    tracked = {*filter(None, git(clone, "ls-files", "-z").split("\0"))}
    builds: list[list[Path]] = []
    for number in ("1", "2"):
        source, target = scratch / f"source-{number}", scratch / f"built-{number}"
        unpack(git_bytes(clone, "archive", "--format=tar", "HEAD"), source)
        target.mkdir()
        builds.append(distribution.build(source, target, epoch))
    distribution.compare(*builds)
    distribution.check(builds[0], tracked, version)
    wheel = next(path for path in builds[0] if path.suffix == ".whl")
    distribution.try_out(wheel, version, clone / "examples", scratch, borrow=borrow)
    return builds[0]


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", help="such as 1.2.0")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout (default: this one)")
    parser.add_argument(
        "--linters", type=Path, default=ROOT / "codegen" / "contract" / "linters", help="where oasdiff is installed"
    )
    parser.add_argument("--date", default=f"{datetime.now(UTC):%Y-%m-%d}", help="of the release (default: today, UTC)")
    parser.add_argument("--dry-run", action="store_true", help="check everything, and leave the checkout as it is")
    parser.add_argument("--borrow", action="store_true", help="try it with the dependencies of this environment")
    given = parser.parse_args()
    try:
        print(
            release(
                given.root.resolve(),
                given.version,
                date=given.date,
                linters=given.linters.resolve(),
                borrow=given.borrow,
                dry_run=given.dry_run,
            )
        )
    except REFUSALS as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
