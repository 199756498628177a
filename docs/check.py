"""Check that the documents show what is there: `python docs/check.py`, with `--fix` to copy the quickstart anew."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/vendoring.md")

# A code block that is a copy of a file names it in a comment above.
COPY = re.compile(r"<!-- (?P<path>\S+) -->\n```python\n(?P<code>.*?)```\n", re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)#:]+)(?:#[^)]*)?\)")
TARGET = re.compile(r"\bmake (?P<name>[a-z][a-z-]*)")


def findings(fix: bool) -> list[str]:
    """What a document says that is not so, a line each."""
    found: list[str] = []
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for name in DOCUMENTS:
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        for copy in COPY.finditer(text):
            code = (ROOT / copy["path"]).read_text(encoding="utf-8")
            if copy["code"] != code and fix:
                text = text.replace(copy[0], f"<!-- {copy['path']} -->\n```python\n{code}```\n")
                path.write_text(text, encoding="utf-8", newline="\n")
            elif copy["code"] != code:
                found.append(f"{name}: the copy of {copy['path']} is out of date; run `python docs/check.py --fix`")
        found += [f"{name}: no {link}" for link in LINK.findall(text) if not (ROOT / link).exists()]
        code_spans = "\n".join(re.findall(r"`([^`\n]+)`", text) + re.findall(r"```sh\n(.*?)```", text, re.DOTALL))
        found += [f"{name}: no `make {each}`" for each in TARGET.findall(code_spans) if each not in targets]
    return found


if __name__ == "__main__":
    lines = findings(fix="--fix" in sys.argv[1:])
    print("\n".join(lines) or "docs: all in order")
    sys.exit(bool(lines))
