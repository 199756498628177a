"""Report what changed in the contract and the packages since a git revision: `make changes BASE=v1.0.0`.

With Overlays it reports what they add to the contract; without a base, to that of the checkout.

The report is a changelog entry; `--write` puts it into CHANGELOG.md. The exit status is 0 without
breaking changes, 1 with some, and 2 if the comparison fails (`make` turns both into 2).
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import griffe

from codegen import ROOT
from codegen.changes.contract_changes import Change, ChangelogError, added, contract_changes, entry
from codegen.contract import Contract, ContractError
from codegen.distributions import GENERATED, OVERLAY, PACKAGES
from codegen.overlay_document import apply_overlays, read_overlays

NOTHING_BREAKS, SOMETHING_BREAKS, FAILED = 0, 1, 2
# The contract and the packages.
COMPARED = ("openapi.yaml", "generated", "overlay", "packages")
# Public modules that no package imports under their own name.
PUBLIC_MODULES = (f"{OVERLAY}.errors", f"{GENERATED}.api", f"{GENERATED}.contract")


class RevisionError(Exception):
    """A git command failed, with the message of git, or the revision cannot be compared."""


COMPARISON_ERRORS = (ContractError, RevisionError, ChangelogError, OSError)


def all_changes(root: Path, base: str | None, overlays: Sequence[Path] = ()) -> list[Change]:
    """Return what changed in a checkout since a revision, or since before Overlays are applied.

    What the Overlays' actions do not do any more is printed to stderr, one line each.

    Args:
        root: The checkout.
        base: The revision; None is the checkout itself.
        overlays: The Overlay documents to apply to the contract of the checkout, in order.

    Raises:
        RevisionError: Git does not know the revision, or its contract is wrong.
        ContractError: The contract of the checkout or an Overlay is wrong.
    """
    after = Contract(root / "openapi.yaml")
    if documents := read_overlays(overlays):
        applied = apply_overlays(after.source, documents)
        print(*applied.notices, sep="\n", end="\n" if applied.notices else "", file=sys.stderr)
        after = Contract(after.path, applied.source)
    with TemporaryDirectory() as scratch:
        old = root
        if base is not None:
            old = Path(scratch)
            # A revision that begins with a dash must not be read as an option.
            commit = git(root, "rev-parse", "--verify", "--end-of-options", f"{base}^{{commit}}").splitlines()[-1]
            # A revision from before the companions has no packages.
            there = {*git(root, "ls-tree", "--name-only", commit).split()}
            export(root, commit, old, *(each for each in COMPARED if each in there))
        try:
            changes = contract_changes(Contract(old / "openapi.yaml"), after)
        except ContractError as error:
            raise RevisionError(f"openapi.yaml of {base} cannot be compared; name another BASE:\n{error}") from error
        return changes if base is None else changes + python_changes(old, root)


def python_changes(old: Path, new: Path) -> list[Change]:
    """Return the breaking changes of the Python packages between two checkouts.

    Griffe compares names and parameters, but not annotations: those follow from the contract.
    """
    before, after = load(old), load(new)
    public = {*PUBLIC_MODULES}
    for package in before.values():
        for name, target in package.imports.items():
            # Public are the names in `__all__`, and the modules that are imported as what they are.
            if name in (package.exports or ()) or target == f"{package.path}.{name}":
                public.add(package.members[name].canonical_path)
    return [
        Change("Python", explain(breakage), breaking=True)
        for name in before.keys() & after.keys()
        for breakage in griffe.find_breaking_changes(before[name], after[name])
        if any(f"{breakage.obj.canonical_path}.".startswith(f"{each}.") for each in public)
    ]


def load(root: Path) -> dict[str, griffe.Module]:
    """Read the packages of a checkout without importing them; an older one has fewer."""
    places = [root / "generated", root / "overlay", *root.glob("packages/*/src")]
    loader = griffe.GriffeLoader(search_paths=places, allow_inspection=False)
    names = [name for distribution in PACKAGES.values() for name in distribution]
    found = {name: loader.load(name) for name in names if any((place / name).exists() for place in places)}
    loader.resolve_aliases()
    return {name: package for name, package in found.items() if isinstance(package, griffe.Module)}


def explain(breakage: griffe.Breakage) -> str:
    """Explain a breakage: `agent_session_platform.retry.RetryPolicy.__init__(attempts)`: parameter was removed."""
    values = (breakage.old_value, breakage.new_value)
    parameter = next((f"({each.name})" for each in values if isinstance(each, griffe.Parameter)), "")
    text = breakage.kind.value
    return f"`{breakage.obj.canonical_path}{parameter}`: {text[:1].lower()}{text[1:]}"


def git(root: Path, *arguments: str) -> str:
    """Return what a git command prints; raise RevisionError with its message if it fails."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        raise RevisionError(f"git {arguments[0]}: {(done.stderr or done.stdout).strip()}")
    return done.stdout.strip()


def last_release(root: Path) -> str | None:
    """Return the newest version tag among the ancestors of the checkout, or None."""
    try:
        return git(root, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*")
    except RevisionError:
        return None


def export(root: Path, commit: str, target: Path, *paths: str) -> None:
    """Write the files of a commit below *target*: all, or those below *paths*."""
    command = ["git", "archive", "--format=tar", commit, "--", *paths]
    archive = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(target, filter="data")


def main() -> int:
    """Run the command line, and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", nargs="?", help="a git revision (default: the last release)")
    parser.add_argument("--overlay", type=Path, nargs="+", default=[], help="Overlay documents to apply, in order")
    parser.add_argument("--write", action="store_true", help="add the entry to CHANGELOG.md, and print nothing")
    arguments = parser.parse_args()
    if arguments.write and arguments.overlay:
        parser.error("--write takes no Overlay: what one adds belongs to a private build")
    try:
        base = arguments.base or (None if arguments.overlay else last_release(ROOT))
        if base is None and not arguments.overlay:
            raise RevisionError("there is no release yet; name a revision: make changes BASE=<revision>")
        found = all_changes(ROOT, base, arguments.overlay)
        if arguments.write:
            path = ROOT / "CHANGELOG.md"
            path.write_text(added(path.read_text(encoding="utf-8"), found), encoding="utf-8", newline="\n")
            return NOTHING_BREAKS
    except COMPARISON_ERRORS as error:
        print(error if isinstance(error, ContractError) else f"changes: {error}", file=sys.stderr)
        return FAILED
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # it is a text stream
    print(f"# Changes since {base or 'this checkout without its Overlays'}", *entry(found), sep="\n")
    breaking = sum(change.breaking for change in found)
    print(f"\n{breaking or 'Nothing'} of this breaks callers." if found else "\nNothing changed.")
    return SOMETHING_BREAKS if breaking else NOTHING_BREAKS


if __name__ == "__main__":
    sys.exit(main())
