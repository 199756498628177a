"""A change of the API needs only an edit of openapi.yaml and the commands of CONTRIBUTING.md.

The change is made up: three endpoints, a field, a deprecation and a closed gap. It is made in a copy of the checkout.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from agent_session_platform import gaps
from agent_session_platform.catalogue import Catalogue
from ruamel.yaml import YAML

from tests.codegen.checkouts import copy_checkout, python

# The operation to deprecate and the gap to close: any of the contract will do.
DEPRECATED = next(
    each
    for each in sorted(Catalogue(), key=str)
    if (each.scope, each.verb) == ("organization", "list") and not (each.deprecated or each.paginated)
)
CLOSED = next(gap for gap in gaps if gap.place.startswith("#/components/schemas/") and gap.id.endswith("-values"))

USE = """
import asyncio
import warnings
from agent_session_platform import gaps, operations
from agent_session_platform.models import Narwhal, Session
from agent_session_platform_sandbox import Sandbox

from codegen import ROOT

async def main():
    sandbox = Sandbox()
    async with sandbox.client() as platform:
        narwhals = platform.organization().narwhals
        made = [await narwhals.create(label=label) for label in ("Alba", "Cape", "Reef")]
        assert isinstance(made[0], Narwhal) and made[0].label == "Alba", made
        pager = narwhals.list(first=2)
        assert [each.label async for each in pager] == ["Alba", "Cape", "Reef"]
        await narwhals.delete(made[1].narwhal_id)
        assert [each.label async for each in narwhals.list()] == ["Alba", "Reef"]
        session_id = sandbox.add_session(tusk="low")
        assert (await platform.organization().sessions.get(session_id)).tusk == "low"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            getattr(platform.organization(), DEPRECATED).list()
        assert "use organization.narwhals.list" in str(caught[0].message), caught
    listed = {each.gap for each in (*sandbox.assumptions, *sandbox.open_gaps)}
    known = {gap.id for gap in gaps}
    assert listed == known, listed ^ known
    assert CLOSED not in known and {"narwhal-list-errors", "session-tusk-values"} <= known
    assert operations["organization.narwhals.delete"].permission == "ManageOrgNarwhals"

asyncio.run(main())
print("all of it works")
"""


def put_in(text: str, after: str, what: str, *, start: int = 0) -> str:
    """Insert *what* into the text, after the first occurrence of *after*; the search begins at *start*."""
    at = text.index(after, start) + len(after)
    return text[:at] + what + text[at:]


def close(text: str, gap: str) -> str:
    """Return the contract without one entry of `x-not-shown`, and without an empty list."""
    lines = text.split("\n")
    at = next(number for number, line in enumerate(lines) if line.strip() == f"- id: {gap}")
    indent = lines[at].index("-")
    end = at + 1
    while len(lines[end]) - len(lines[end].lstrip()) > indent:
        end += 1
    alone = lines[at - 1].strip() == "x-not-shown:" and not lines[end].startswith(" " * indent + "- ")
    return "\n".join(lines[: at - alone] + lines[end:])


def edited(text: str) -> str:
    """Return the contract with the made-up changes."""
    entry = YAML(typ="safe").load((Path(__file__).with_name("change_history.yaml")).read_text(encoding="utf-8"))
    text = put_in(text, "\ntags:\n", entry["tag"])
    text = put_in(text, "\npaths:\n", entry["paths"])
    text = put_in(text, "\n  schemas:\n", entry["schemas"])
    text = put_in(text, "      properties:\n", entry["field"], start=text.index("\n    Session:\n"))
    text = put_in(text, f"\n      operationId: {DEPRECATED.id}\n", entry["deprecated"])
    return close(text, CLOSED.id)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the checkout with the entry in its contract, and with the package generated from it."""
    copy = copy_checkout(tmp_path_factory.mktemp("regenerated"))
    contract = copy / "openapi.yaml"
    contract.write_text(edited(contract.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
    generated = python(copy, "-m", "codegen.render.generate")
    assert (generated.returncode, generated.stderr) == (0, "")
    return copy


def test_the_contract_keeps_its_conventions(copy: Path) -> None:
    assert python(copy, "-m", "codegen.contract.lint").stdout == "openapi.yaml: all in order\n"


def test_the_entry_is_in_the_package_and_in_the_sandbox(copy: Path) -> None:
    used = python(copy, "-c", f"CLOSED, DEPRECATED = {CLOSED.id!r}, {DEPRECATED.resource!r}\n{USE}")
    assert (used.stdout, used.stderr) == ("all of it works\n", "")


def test_the_entry_is_reported_once(copy: Path) -> None:
    reported = python(copy, "-m", "codegen.changes", "HEAD")
    assert (reported.returncode, reported.stderr) == (0, "")
    assert reported.stdout.count("- `organization.narwhals.list`: `GET /v3/organizations/{org_id}/narwhals`") == 1


def test_the_documents_show_what_is_there(copy: Path) -> None:
    assert python(copy, "docs/check.py").stdout == "docs: all in order\n"


def test_the_tests_of_the_contract_pass_as_they_are(copy: Path) -> None:
    assumptions = "packages/sandbox/tests/sandbox_tests/test_assumptions.py"
    done = python(copy, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "tests/contract", assumptions)
    assert done.returncode == 0, done.stdout[-5000:]
