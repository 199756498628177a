"""Check openapi.yaml before anything else reads it: each finding has its place, what is wrong, and what to do."""

from __future__ import annotations

from codegen.contract.checks.operations import operation_findings, pagination_findings, registry_findings
from codegen.contract.checks.schemas import example_findings, schema_findings
from codegen.contract.checks.structure import Structure
from codegen.contract.source import Finding, Source

__all__ = ("check",)


def check(source: Source) -> list[Finding]:
    """Return what is wrong in the document; each stage needs a document in which the one before finds nothing."""
    if not isinstance(source.document, dict):
        what = "empty" if source.document is None else "no mapping"
        return [Finding("#", f"the document is {what}; it begins with `openapi: 3.1.0`, then `info`, `paths`")]
    if source.findings:
        return source.findings
    structure = Structure(source.document)
    if structure.findings:
        return list(dict.fromkeys(structure.findings))
    stage = (schema_findings, operation_findings, registry_findings, pagination_findings)
    found = [each for findings in stage for each in findings(structure)] or list(example_findings(structure))
    # What is wrong with a path is found with each of its operations.
    return list(dict.fromkeys(found))
