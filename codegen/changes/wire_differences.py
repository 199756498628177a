"""What oasdiff finds between two contracts that our own comparison has no word for: limits, patterns, defaults, ...

oasdiff knows OpenAPI, not our extensions and not what a caller of the SDK notices: what `differences` and
`model_differences` tell themselves is left out here, and the same finding at several operations is one.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from codegen.contract.document import ContractError

# Told by our own comparison, or nothing that a caller of the SDK notices: any 2xx is a success, any 4xx and 5xx an
# error of its class, and an answer may have more than is known of it.
TOLD = re.compile(
    r"""^(
      api- | endpoint- | sunset
    | new-(optional|required)-request-
    | request-(body|parameter|property)-(added|removed|became-(required|optional|nullable|not-nullable|enum)
        |deprecated|reactivated|type-|list-of-types-|enum-value-|property-type|property-list)
    | request-body-media-type-
    | response-(optional|required)-(write-only-)?property-(added|removed)
    | response-property-(became-(required|optional|nullable)|type-|list-of-types-|enum-value-|deprecated|reactivated)
    | response-body-(became-nullable|type-|list-of-types-)
    | response-(success|non-success)-status- | response-media-type-
    )""",
    re.VERBOSE,
)

WARNING_LEVEL, ERROR_LEVEL = 2, 3

# How oasdiff writes that a field comes from a part of the schema.
ALL_OF = re.compile(r"allOf\[[^\]]*\]/")


def wire_differences(old: Path, new: Path, linters: Path) -> dict[str, tuple[bool, list[str]]] | None:
    """Each finding once, with whether it breaks callers and the operations that it is about.

    *old* and *new* are documents, *linters* is the room that oasdiff is installed in. None when it is not: the lock
    file names it for Linux on x86-64 only, because only that package could be checked. Raises ContractError when it
    cannot read one of the documents.
    """
    binary = program(linters, os.name)
    if not binary.exists():
        return None
    command = [str(binary), "changelog", "--flatten-params", "--format=json", str(old), str(new)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    if done.returncode:
        raise ContractError(f"oasdiff cannot compare the contracts: {done.stderr.strip()[:500]}")
    return told(json.loads(done.stdout or "[]"))


def breaks(finding: dict[str, Any]) -> bool:
    """Whether a finding is about what worked: of what a caller gives also what oasdiff only warns of, a new limit."""
    level = WARNING_LEVEL if finding["id"].startswith("request-") else ERROR_LEVEL
    return bool(finding["level"] >= level)


def program(linters: Path, system: str) -> Path:
    """Where npm puts oasdiff; *system* is called as by `os.name`."""
    return linters / "node_modules" / ".bin" / ("oasdiff.cmd" if system == "nt" else "oasdiff")


def told(findings: list[dict[str, Any]]) -> dict[str, tuple[bool, list[str]]]:
    """Of oasdiff's findings those that are not told elsewhere, by their text."""
    found: dict[str, tuple[bool, list[str]]] = {}
    for finding in findings:
        if not TOLD.match(finding["id"]):
            text = ALL_OF.sub("", finding["text"])
            _, operations = found.setdefault(text, (breaks(finding), []))
            operations.append(finding.get("operationId", ""))
    return {text: (breaking, sorted({*filter(None, ids)})) for text, (breaking, ids) in found.items()}
