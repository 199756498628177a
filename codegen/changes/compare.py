"""Report what changed in the contract and the packages since a git revision: `make changes BASE=v1.0.0`.

With Overlays it reports what they add to the contract; without a base, to that of the checkout.

The first part is a changelog entry; `--write` puts it into CHANGELOG.md. The exit status is 0 without
breaking changes, 1 with some, and 2 if the comparison fails (`make` turns both into 2).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from codegen import ROOT
from codegen.changes.change import Change, entry
from codegen.changes.changelog import ChangelogError, added
from codegen.changes.model_changes import model_changes
from codegen.changes.operation_changes import operation_changes
from codegen.changes.public_api import breakages
from codegen.changes.registry_changes import RegistryChanges, changelog_changes, gap_changes, rule_changes
from codegen.changes.revision import RevisionError, export, last_release
from codegen.changes.surface import Surface
from codegen.contract import Contract, ContractError
from codegen.overlay_document import apply_overlays, read_overlays

NOTHING_BREAKS, SOMETHING_BREAKS, FAILED = 0, 1, 2


class BaseError(Exception):
    """The contract of the older state is wrong; the message names its mistakes."""


COMPARISON_ERRORS = (BaseError, ContractError, RevisionError, ChangelogError, OSError)


@attrs.frozen
class Report:
    """All changes since *base*: of the contract, of its gaps, and of the Python packages.

    Attributes:
        base: What is compared with: a revision, or the checkout.
        mentions: For each closed gap, the lines of code that still mention it.
        python: The breaking changes of the Python packages, one line each.
    """

    base: str
    changes: list[Change]
    gaps: RegistryChanges
    mentions: dict[str, list[str]]
    python: list[str]

    @property
    def breaking(self) -> int:
        """The number of changes that break callers."""
        return sum(change.breaking for change in self.changes) + len(self.python)

    def lines(self) -> Iterator[str]:
        """Yield the report as Markdown."""
        yield f"# Changes since {self.base}"
        yield ""
        yield from entry(self.changes)
        if self.gaps:
            yield "## Gaps"
            yield from (f"- Opened `{gap}`: {what}" for gap, what in self.gaps.opened.items())
            for gap, what in self.gaps.closed.items():
                yield f"- Closed `{gap}`: {what}"
                yield from (f"  - {place} still mentions it" for place in self.mentions.get(gap, ()))
            yield from (f"- Closed by observation `{gap}`: {how}" for gap, how in self.gaps.observed.items())
            yield from (f"- Reworded `{gap}`: {what}" for gap, what in self.gaps.reworded.items())
            yield from (f"- `{gap}` is now called `{other}`" for gap, other in self.gaps.renamed.items())
            yield ""
        if self.python:
            yield "## In the Python packages (griffe)"
            yield from (f"- **Breaking:** {line}" for line in self.python)
            yield ""
        if self.changes or self.gaps or self.python:
            yield f"{self.breaking or 'Nothing'} of this breaks callers."
        else:
            yield "Nothing changed."


def report(root: Path, base: str | None, overlays: Iterable[Path] = ()) -> Report:
    """Compare the checkout in *root* with its revision *base*, or with itself before Overlays are applied.

    What the Overlays' actions do not do any more is printed to stderr, one line each.

    Args:
        root: The checkout.
        base: The revision; None is the checkout itself.
        overlays: The Overlay documents to apply to the contract of the checkout, in order.

    Raises:
        RevisionError: Git does not know the revision, or it has no contract.
        BaseError: The contract of the revision is wrong.
        ContractError: The contract of the checkout or an Overlay is wrong.
    """
    paths = list(overlays)
    with TemporaryDirectory() as scratch:
        old = root
        if base is not None:
            old = Path(scratch)
            export(root, base, old)
        after = with_overlays(Contract(root / "openapi.yaml"), paths)
        try:
            before = Contract(old / "openapi.yaml")
            surface = Surface(before)
        except ContractError as error:
            raise BaseError(f"openapi.yaml of {base} cannot be compared; name another BASE:\n{error}") from error
        gaps, surfaces = gap_changes(before, after), (surface, Surface(after))
        changes = operation_changes(*surfaces) + model_changes(*surfaces)
        changes += changelog_changes(gaps, rule_changes(before, after))
        python = [] if old == root else breakages(old, root)
        base = base or f"this checkout without {' and '.join(path.name for path in paths)}"
        return Report(base, changes, gaps, mentions(root, gaps), python)


def with_overlays(contract: Contract, paths: Iterable[Path]) -> Contract:
    """Return the contract with Overlays applied."""
    if not (overlays := read_overlays(paths)):
        return contract
    applied = apply_overlays(contract.source, overlays)
    for notice in applied.notices:
        print(notice, file=sys.stderr)
    return Contract(contract.path, applied.source)


def mentions(root: Path, gaps: RegistryChanges) -> dict[str, list[str]]:
    """Find the lines of handwritten code that still mention a closed gap: each may need an edit."""
    found: dict[str, list[str]] = {}
    folders = ("overlay", "packages", "tests")
    for path in sorted(path for folder in folders for path in (root / folder).rglob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for gap in gaps.closed:
                if re.search(rf"(?<![\w-]){re.escape(gap)}(?![\w-])", line):
                    found.setdefault(gap, []).append(f"{path.relative_to(root).as_posix()}:{number}")
    return found


def write(root: Path, changes: list[Change]) -> None:
    """Add the entry to the changelog."""
    path = root / "CHANGELOG.md"
    path.write_text(added(path.read_text(encoding="utf-8"), changes), encoding="utf-8", newline="\n")


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
        found = report(ROOT, base, arguments.overlay)
        if arguments.write:
            write(ROOT, found.changes)
            return NOTHING_BREAKS
    except ContractError as error:
        print(error, file=sys.stderr)
        return FAILED
    except COMPARISON_ERRORS as error:
        print(f"changes: {error}", file=sys.stderr)
        return FAILED
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # it is a text stream
    print("\n".join(found.lines()))
    return SOMETHING_BREAKS if found.breaking else NOTHING_BREAKS


if __name__ == "__main__":
    sys.exit(main())
