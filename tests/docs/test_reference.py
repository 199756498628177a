"""The pages of the reference, which are made from the code. Zensical ends the build at a dead link or anchor."""

from __future__ import annotations

import importlib
import re

import agent_session_platform
import pytest
from agent_session_platform import AgentPlatformError, Operation, errors, gaps, models, operations, resources
from agent_session_platform.contract import load
from agent_session_platform_cli.errors import ExitCode

from docs.reference import pages
from docs.reference.docstrings import summary_of
from docs.reference.objects import public_names
from docs.site import FOLDER
from tests.repository.sources import COMPANIONS, OVERLAY, modules

# Fenced code has no links; inline code may have brackets.
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
CODE = re.compile(rf"{FENCED.pattern}|`[^`\n]+`(?!\])", re.DOTALL | re.MULTILINE)
SETTINGS = "reference/settings.md"
READ = re.compile(r"environ(?:\.get\(|\[)\s*\"([A-Z_]+)\"|\b(AGENT_PLATFORM_[A-Z_]*[A-Z])\b")


@pytest.fixture(scope="module")
def reference() -> dict[str, str]:
    return {**pages(), SETTINGS: (FOLDER / SETTINGS).read_text(encoding="utf-8")}


def headings(text: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", FENCED.sub("", text), re.MULTILINE)


def test_every_page_has_one_title_and_no_markup_of_html(reference: dict[str, str]) -> None:
    for path, text in reference.items():
        plain = CODE.sub("", text)
        assert re.findall(r"^# .+", plain, re.MULTILINE) == [text.partition("\n")[0]], path
        assert re.findall(r"^(?! {4}).*<[a-zA-Z/!?]", plain, re.MULTILINE) == [], path


@pytest.mark.parametrize("module", ["", "_jobs", "_observe", "_sandbox"])
def test_every_public_name_has_a_heading(reference: dict[str, str], module: str) -> None:
    found = {heading.partition(" (")[0].strip("`") for text in reference.values() for heading in headings(text)}
    public = set(importlib.import_module(f"{agent_session_platform.__name__}{module}").__all__)
    # The pages of the operations describe the methods of the resources.
    assert public - set(dir(resources)) <= found


def test_every_public_name_says_what_it_is() -> None:
    # Of the models, the contract describes only some.
    named = {name: found for name, found in public_names().items() if ".models." not in name}
    assert [name for name, found in named.items() if not summary_of(found) and not name.endswith(".UNSET")] == []


def test_every_fixture_of_pytest_is_listed(reference: dict[str, str]) -> None:
    fixtures = {"", "_base_url", "_environment", "_factory", "_sandbox"}
    assert {f"agent_platform{name}" for name in fixtures} <= set(headings(reference["reference/pytest.md"]))


def test_every_model_has_all_its_fields(reference: dict[str, str]) -> None:
    text = reference["reference/models.md"]
    for name in dir(models):
        section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        fields = getattr(getattr(models, name), "_fields", ())
        assert [field for field in fields if f"| `{field}` |" not in section] == [], name


def test_every_error_says_what_to_do() -> None:
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    documented = [each.__doc__ or "" for each in classes if issubclass(each, AgentPlatformError)]
    assert len(documented) > 20
    assert [text for text in documented if len(text.split("\n\n")) < 2] == []


@pytest.mark.parametrize("operation", sorted(operations, key=str), ids=str)
def test_an_operation_has_its_request_permission_rules_and_gaps(
    reference: dict[str, str], operation: Operation
) -> None:
    page = reference[f"reference/operations/{operation.name.rpartition('.')[0]}.md"]
    text = page.partition(f"\n## {operation.name}\n")[2].partition("\n## ")[0]
    assert f"`{operation.method} {operation.path}`" in text
    assert f"Permission: {f'`{operation.permission}`' if operation.permission else 'not shown'}" in text
    assert [rule.id for rule in operation.rules if f"`{rule.id}`: " not in text] == []
    listed = reference["reference/gaps.md"].partition(f"\n## {operation.name}\n")[2].partition("\n## ")[0]
    assert [gap.id for gap in operation.gaps if f"`{gap.id}`: " not in listed] == []
    assert f"[{operation}](" in reference["reference/operations/index.md"]


def test_every_gap_is_listed(reference: dict[str, str]) -> None:
    assert [gap.id for gap in gaps if f"`{gap.id}`" not in reference["reference/gaps.md"]] == []


def test_every_variable_of_the_environment_is_described(reference: dict[str, str]) -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for root in (OVERLAY, *COMPANIONS) for path in modules(root))
    read = {name for found in READ.findall(code) for name in found if name}
    described = {
        name
        for row in re.findall(r"^\| (`[A-Z].*?) \|", reference[SETTINGS], re.M)
        for name in row.strip("`").split("`, `")
    }
    assert read - described == set()
    assert [name for name in described if name not in code] == []


def test_every_command_and_option_is_described(reference: dict[str, str]) -> None:
    text = reference["reference/command-line.md"]
    assert len(re.findall(r"^## asp ", text, re.MULTILINE)) > 15
    for option in ("--allow-host", "--at-least", "--json", "--store", "--stalled-after", "--chronological"):
        assert option in text


def test_every_exit_code_has_its_meaning(reference: dict[str, str]) -> None:
    text = reference["reference/command-line.md"]
    assert [each for each in ExitCode if f"| `{each:d}` | {each.meaning} |" not in text] == []


def test_every_legacy_path_is_listed(reference: dict[str, str]) -> None:
    nodes = [endpoint.node for endpoint in load().endpoints.values()]
    paths = [node[name] for node in nodes for name in ("x-legacy", "x-stated-path") if name in node]
    assert paths
    assert [path for path in paths if f" {path}`" not in reference["reference/legacy-paths.md"]] == []
