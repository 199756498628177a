"""Check copies of files, links and targets of make in the documents: `python docs/check.py`; `--fix` updates copies."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs/pages").rglob("*.md"))
# The samples of these documents are one program from top to bottom.
PROGRAMS = [*PAGES, ROOT / "README.md", *sorted(ROOT.glob("packages/*/README.md"))]
FOLDERS = (".", "docs", "benchmarks", "packages/*")
DOCUMENTS = sorted(path for folder in FOLDERS for path in ROOT.glob(f"{folder}/*.md")) + PAGES

# `docs/reference` writes pages into this folder of the site. The checkout does not have these pages.
WRITTEN = ROOT / "docs/pages/reference"

# If a code block is a copy of a file, a comment above the block names the file.
COPY = re.compile(r"<!-- (?P<path>\S+) -->\n```python[^\n]*\n(?P<code>.*?)```\n", re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)#:]+)(?:#[^)]*)?\)")
COMMANDS = re.compile(r"`([^`\n]+)`|```sh\n(.*?)```", re.DOTALL)
TARGETS = re.compile(r"\bmake((?: [a-z][a-z-]*)+)")


def findings(fix: bool) -> list[str]:
    """Return the mistakes in the documents, one line for each.

    Args:
        fix: Whether to copy a file again instead of reporting that its copy is out of date.
    """
    found: list[str] = []
    for path in DOCUMENTS:
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        for copy in COPY.finditer(text):
            code = (ROOT / copy["path"]).read_text(encoding="utf-8")
            if copy["code"] != code and fix:
                head = copy[0][: copy.start("code") - copy.start()]
                text = text.replace(copy[0], f"{head}{code}```\n")
                path.write_text(text, encoding="utf-8", newline="\n")
            elif copy["code"] != code:
                found.append(f"{name}: the copy of {copy['path']} is out of date; run `python docs/check.py --fix`")
        found += [f"{name}: no file {link}" for link in LINK.findall(text) if not leads_somewhere(path.parent / link)]
        found += [f"{name}: the Makefile has no `make {target}`" for target in unknown_targets(text)]
    return found


def leads_somewhere(target: Path) -> bool:
    """Return whether a file exists, or is a generated page of the site, whose links the site's build checks."""
    return target.exists() or WRITTEN in target.resolve().parents


def unknown_targets(text: str) -> list[str]:
    """Return the targets of make that a document names in its commands, but that the Makefile does not have."""
    known = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    commands = "\n".join(span or block for span, block in COMMANDS.findall(text))
    named = {target for targets in TARGETS.findall(commands) for target in targets.split()}
    return sorted(named - known)


if __name__ == "__main__":
    lines = findings(fix="--fix" in sys.argv[1:])
    print("\n".join(lines) or "docs: all in order")
    sys.exit(bool(lines))
