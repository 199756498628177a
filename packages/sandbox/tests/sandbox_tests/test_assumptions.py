"""The assumptions of the sandbox cover all gaps of the description, and can be changed."""

from __future__ import annotations

import re
from collections import Counter
from inspect import isfunction
from typing import Any

import attrs
import pytest
from agent_session_platform import Gap, Observed, gaps
from agent_session_platform.catalogue import Catalogue
from agent_session_platform_sandbox import Sandbox, application
from agent_session_platform_sandbox.assumptions import WRITTEN, by_ending, operations_with_gaps
from agent_session_platform_sandbox.resources import HANDLERS, RESOURCES

SEEN = Observed(answers=3, first="2026-11-02", last="2026-11-20")
CALL = re.compile(r"\b(?:sandbox|Sandbox)\.?(?P<method>[a-z_.]*)\((?P<arguments>[^)]*)")
OPERATION = re.compile(r"'(?P<name>[a-z_]+\.[a-z_]+\.[a-z_]+)'")


def test_every_handler_has_the_name_of_an_operation() -> None:
    named = [(name, each) for module in RESOURCES for name, each in vars(module).items() if isfunction(each)]
    own = [(name, each) for name, each in named if each.__module__ in {module.__name__ for module in RESOURCES}]
    replying = {name for name, each in own if each.__annotations__.get("return") == "Reply"}
    assert replying <= HANDLERS.keys() <= {operation.id for operation in Catalogue()}


def test_every_gap_is_either_assumed_or_left_open(sandbox: Sandbox) -> None:
    listed = [*(each.gap for each in sandbox.assumptions), *(each.gap for each in sandbox.open_gaps)]
    ids = {gap.id for gap in gaps}
    assert ids - {*listed} == set(), "add them to assumptions.toml"
    assert {*listed} - ids == set()
    assert [gap for gap, times in Counter(listed).items() if times > 1] == []


def test_a_gap_that_the_contract_has_closed_is_not_listed(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make changes` names the places that still mention the closed gap."""
    closed = {sandbox.assumptions[0].gap, sandbox.open_gaps[0].gap}
    closing = tuple(attrs.evolve(gap, closed=SEEN) if gap.id in closed else gap for gap in gaps)
    monkeypatch.setattr(application, "gaps", closing)
    listed = {each.gap for each in (*sandbox.assumptions, *sandbox.open_gaps)}
    assert listed == {gap.id for gap in gaps} - closed


def test_filters_stay_an_assumption_when_it_is_known_which_lists_have_pages(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    closing = tuple(attrs.evolve(gap, closed=SEEN) if gap.id == "list-pagination" else gap for gap in gaps)
    monkeypatch.setattr(application, "gaps", closing)
    [assumption] = [each for each in sandbox.assumptions if each.gap == "list-pagination"]
    assert assumption.assumed.startswith("These select items by a member of their name: ")
    assert "`organization.automations.list`: creator, metadata, event_type, agent_type" in assumption.assumed


@pytest.mark.parametrize("ending", [end for each in WRITTEN["ending"] if each["of"] == "field" for end in each["ends"]])
def test_a_new_field_has_an_assumption(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    new = Gap(f"session-mood{ending}", "#/components/schemas/Session/properties/mood", "Whatever it is.")
    monkeypatch.setattr(application, "gaps", (*gaps, new))
    [assumption] = [each for each in sandbox.assumptions if each.gap == new.id]
    assert assumption.assumed.startswith("A value that was added is returned")


def test_every_open_gap_has_a_reason(sandbox: Sandbox) -> None:
    assert [each for each in sandbox.open_gaps if not each.why.endswith(".")] == []


def test_every_change_of_an_assumption_names_existing_methods(sandbox: Sandbox) -> None:
    for assumption in sandbox.assumptions:
        named = CALL.findall(assumption.change) + re.findall(r"sandbox\.(rate_limit)( )=", assumption.change)
        assert named, assumption
        for method, _ in named:
            thing: Any = sandbox
            for part in filter(None, method.split(".")):
                thing = getattr(thing, part)


def test_a_change_names_the_operation_that_the_gap_is_about(sandbox: Sandbox) -> None:
    about = {gap: operation.name for gap, operation in operations_with_gaps()}
    for assumption in sandbox.assumptions:
        assert {*OPERATION.findall(assumption.change)} <= {about.get(assumption.gap)}
        if assumption.gap in about:
            assert "(operation" not in assumption.change


@pytest.mark.parametrize(
    ("gap", "assumed"),
    [
        ("secret-of-the-future-level", "ManageOrgSecrets at organization level, of a serviceUser credential and no"),
        ("secret-of-the-future-permission", "Any permission of a serviceUser credential is enough, at organization"),
        ("secret-of-the-future-errors", "As `error-status-mapping` says, and no other status."),
        ("secret-of-the-future-path", "The operation exists: GET /v3/organizations/{org_id}/secrets."),
        ("secret-of-the-future-parameters", "Parameters that the contract does not have are refused with 422."),
        ("secret-of-the-future-response", "200 with what was kept"),
        ("secret-of-the-future-request", "Any object"),
    ],
)
def test_a_new_operation_has_assumptions(gap: str, assumed: str) -> None:
    new = attrs.evolve(Catalogue()["organization.secrets.list"], id="list_organization_secrets_of_the_future")
    assumption = by_ending(gap, new, HANDLERS)
    assert assumption is not None
    assert assumption.assumed.startswith(assumed)


@pytest.mark.parametrize("gap", ["session-list-response", "session-create-request", "session-kind-values"])
def test_a_resource_lists_its_own_assumptions(gap: str) -> None:
    assert by_ending(gap, Catalogue()["organization.sessions.list"], HANDLERS) is None
