"""Check openapi.yaml before anything else reads it: each finding has its place, what is wrong, and what to do."""

from __future__ import annotations

from codegen.contract.checks.content import content_findings
from codegen.contract.checks.examples import example_findings
from codegen.contract.checks.jobs import job_findings
from codegen.contract.checks.links import link_findings
from codegen.contract.checks.operations import operation_findings
from codegen.contract.checks.pagination import pagination_findings
from codegen.contract.checks.parameters import parameter_findings
from codegen.contract.checks.references import reference_findings
from codegen.contract.checks.registries import registry_findings
from codegen.contract.checks.root import root_findings
from codegen.contract.checks.schemas import schema_findings
from codegen.contract.checks.structure import Structure
from codegen.contract.finding import Finding
from codegen.contract.source import Source

__all__ = ("check",)


def check(source: Source) -> list[Finding]:
    """Return everything that is wrong in the document."""
    if not isinstance(source.document, dict):
        what = "empty" if source.document is None else "no mapping"
        return [Finding("#", f"the document is {what}; it begins with `openapi: 3.1.0`, then `info`, `paths`")]
    structure = Structure(source.document)
    # What is there twice hides something: anything else that is wrong may follow from that.
    if source.findings:
        return [*source.findings, *structure.findings]
    structure.findings += list(reference_findings(structure))
    found = list(structure.findings)
    for findings in (
        root_findings,
        parameter_findings,
        operation_findings,
        content_findings,
        link_findings,
        schema_findings,
        registry_findings,
        pagination_findings,
        job_findings,
    ):
        found += findings(structure)
    # The validator of the examples needs a document without mistakes.
    if not found:
        found += example_findings(structure)
    # What is wrong with a path is found with each of its operations.
    return list(dict.fromkeys(found))
