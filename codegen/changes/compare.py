"""Tell what changed in the contract and the packages since a git revision: `make changes BASE=v1.0.0`.

The first part is a changelog entry; `--write` puts it into CHANGELOG.md. Exits with 0 when nothing breaks callers, 1
when something does, and 2 when it cannot be told (`make` makes 2 of both).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ruamel.yaml.error import YAMLError

from codegen.changes.change import Change, entry
from codegen.changes.changelog import ChangelogError, added
from codegen.changes.differences import differences
from codegen.changes.model_differences import Known, gap_differences, known_changes, model_differences, rule_differences
from codegen.changes.revision import RevisionError, export, last_release
from codegen.changes.surface import surface_differences
from codegen.changes.wire_differences import wire_differences
from codegen.contract.document import Contract, ContractError
from codegen.contract.naming import NamingError

ROOT = Path(__file__).parents[2]

NOTHING_BREAKS, SOMETHING_BREAKS, UNTOLD = 0, 1, 2
UNTELLABLE = (ContractError, NamingError, RevisionError, ChangelogError, YAMLError, OSError)


@dataclass(frozen=True)
class Report:
    """All that changed: in the contract for callers, in what is known of it, beneath it, and in Python."""

    base: str
    changes: list[Change]
    gaps: Known
    leftovers: dict[str, list[str]]
    wire: dict[str, tuple[bool, list[str]]] | None
    surface: list[str]

    @property
    def breaking(self) -> int:
        """How many of them break callers."""
        wire = sum(breaking for breaking, _ in (self.wire or {}).values())
        return sum(change.breaking for change in self.changes) + wire + len(self.surface)

    def lines(self) -> Iterator[str]:
        """The report as Markdown."""
        yield f"# Changes since {self.base}"
        yield ""
        yield from entry(self.changes)
        if self.gaps:
            yield "## Gaps"
            yield from (f"- Opened `{gap}`: {what}" for gap, what in self.gaps.opened.items())
            for gap, what in self.gaps.closed.items():
                yield f"- Closed `{gap}`: {what}"
                yield from (f"  - {place} still speaks of it" for place in self.leftovers.get(gap, ()))
            yield from (f"- Reworded `{gap}`: {what}" for gap, what in self.gaps.reworded.items())
            yield from (f"- `{gap}` is now called `{other}`" for gap, other in self.gaps.renamed.items())
            yield ""
        if self.wire:
            yield "## On the wire besides (oasdiff)"
            for text, (breaking, operations) in self.wire.items():
                yield f"- {'**Breaking:** ' if breaking else ''}{text}: {', '.join(operations)}"
            yield ""
        if self.wire is None:
            yield "Limits, patterns and defaults are not compared: oasdiff is not there (`make contract` installs it)."
            yield ""
        if self.surface:
            yield "## In the Python packages (griffe)"
            yield from (f"- **Breaking:** {line}" for line in self.surface)
            yield ""
        yield f"{self.breaking or 'Nothing'} of this breaks callers." if self.found else "Nothing changed."

    @property
    def found(self) -> bool:
        """Whether anything changed."""
        return bool(self.changes or self.gaps or self.wire or self.surface)


def report(root: Path, base: str, linters: Path) -> Report:
    """Compare the checkout in *root* with the revision *base* of it.

    Raises RevisionError, ContractError or NamingError when one of the two cannot be read.
    """
    with TemporaryDirectory() as scratch:
        old = Path(scratch)
        export(root, base, old)
        before, after = Contract(old / "openapi.yaml"), Contract(root / "openapi.yaml")
        gaps, rules = gap_differences(before, after), rule_differences(before, after)
        changes = differences(before, after) + model_differences(before, after) + known_changes(gaps, rules)
        return Report(
            base,
            changes,
            gaps,
            leftovers(root, gaps),
            wire_differences(old / "openapi.yaml", root / "openapi.yaml", linters),
            surface_differences(old, root),
        )


def leftovers(root: Path, gaps: Known) -> dict[str, list[str]]:
    """Where a gap that is closed is still spoken of, by hand: to be read again, because it is known now."""
    found: dict[str, list[str]] = {}
    for path in sorted(path for room in ("overlay", "tests") for path in (root / room).rglob("*.py")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for gap in gaps.closed:
                if re.search(rf"(?<![\w-]){re.escape(gap)}(?![\w-])", line):
                    found.setdefault(gap, []).append(f"{path.relative_to(root).as_posix()}:{number}")
    return found


def write(root: Path, changes: list[Change]) -> None:
    """Put the entry into the changelog."""
    path = root / "CHANGELOG.md"
    path.write_text(added(path.read_text(encoding="utf-8"), changes), encoding="utf-8", newline="\n")


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", nargs="?", help="a git revision (default: the last release)")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout (default: this one)")
    parser.add_argument(
        "--linters", type=Path, default=ROOT / "codegen" / "contract" / "linters", help="where oasdiff is installed"
    )
    parser.add_argument("--write", action="store_true", help="put the entry into CHANGELOG.md, and tell nothing")
    given = parser.parse_args()
    try:
        base = given.base or last_release(given.root)
        if base is None:
            raise RevisionError("there is no release yet; name a revision: make changes BASE=<revision>")
        found = report(given.root.resolve(), base, given.linters.resolve())
        if given.write:
            write(given.root, found.changes)
            return NOTHING_BREAKS
    except UNTELLABLE as error:
        print(f"changes: {error}", file=sys.stderr)
        return UNTOLD
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # it is a text stream
    print("\n".join(found.lines()))
    return SOMETHING_BREAKS if found.breaking else NOTHING_BREAKS


if __name__ == "__main__":
    sys.exit(main())
