"""What is reported of an Overlay: what it makes wrong, contradicts, repeats or does not find."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.contract import Contract
from tests.codegen.contract.checks.lamps import LAMPS
from tests.codegen.overlay_document.documents import HEAD, HEAD_1_1, on_lamps, refusals

LAMP = "$.components.schemas.Lamp"
SEEN = 'x-observed: {answers: 12, first: "2026-11-02", last: "2026-11-20"}'
CLOSED = 'closed: {answers: 12, first: "2026-11-02", last: "2026-11-20"}'
GAP = "$.paths['/v3/organizations/{org_id}/lamps'].get['x-not-shown'][?(@.id=='lamp-list-errors')]"


def line_of(text: str) -> str:
    """Return file and line at which a part of the contract begins."""
    return f"openapi.yaml:{LAMPS[: LAMPS.index(text)].count(chr(10)) + 1}"


def action(target: str, update: str) -> str:
    return f'{{target: "{target}", update: {update}}}'


def test_a_fact_is_added_with_its_evidence(tmp_path: Path) -> None:
    found = on_lamps(tmp_path, action(f"{LAMP}.properties", f"{{watts: {{type: number, {SEEN}}}}}"))
    assert found.notices == []
    lamp = Contract(tmp_path / "openapi.yaml", found.source).schemas["Lamp"]["properties"]
    evidence = {"answers": 12, "first": "2026-11-02", "last": "2026-11-20"}
    assert lamp["watts"] == {"type": "number", "x-observed": evidence}


def test_a_gap_is_closed_and_stays_listed(tmp_path: Path) -> None:
    found = on_lamps(tmp_path, action(GAP, f"{{{CLOSED}}}"))
    [gap] = Contract(tmp_path / "openapi.yaml", found.source).gaps()
    assert (gap["id"], gap["closed"]["answers"]) == ("lamp-list-errors", 12)


MADE_WRONG = [
    (f"{LAMP}.properties", "{watts: {type: nubmer}}", "4: #/actions/0/update/watts/type: makes #/components/schemas/"),
    (f"{LAMP}.properties", "{watts: {$ref: '#/x'}}", "4: #/actions/0/update/watts/$ref: makes #/components/schemas/"),
    (f"{LAMP}.properties", "{watts: {x-observed: {}}}", "4: #/actions/0/update/watts/x-observed: makes "),
    (GAP, "{closed: {answers: 0}}", "4: #/actions/0/update/closed/answers: makes "),
    (GAP, f"{{{CLOSED.replace('2026-11-20', '2026-11-01')}}}", "4: #/actions/0/update/closed/last: makes "),
    (GAP, f"{{{CLOSED.replace('2026-11-20', '20.11.2026')}}}", "4: #/actions/0/update/closed/last: makes "),
]


@pytest.mark.parametrize(("target", "update", "message"), MADE_WRONG)
def test_what_an_action_makes_wrong_is_reported_at_the_action(
    tmp_path: Path, target: str, update: str, message: str
) -> None:
    lines = refusals(tmp_path, action(target, update))
    assert [line for line in lines if line.startswith(f"0.overlay.yaml:{message}")], lines


def test_what_a_copy_makes_wrong_is_reported_at_its_source(tmp_path: Path) -> None:
    gap = "$.paths['/v3/organizations/{org_id}/lamps'].get['x-not-shown'][0]"
    lines = refusals(tmp_path, f'{{target: "{LAMP}", copy: "{gap}"}}', head=HEAD_1_1)
    assert lines[0].startswith("0.overlay.yaml:4: #/actions/0/copy: makes #/components/schemas/Lamp/id wrong: ")


def test_what_is_wrong_elsewhere_because_of_an_action_is_reported_at_its_line(tmp_path: Path) -> None:
    gap = action(LAMP, "{x-not-shown: [{id: lamp-required-fields, what: Which fields.}]}")
    [line] = refusals(tmp_path, gap, action(LAMP, "{required: [state]}"))
    place = f"{line_of('        - {lamp_id: lamp-1')}: #/components/schemas/Lamp/examples/0"
    assert line.startswith(f"{place}: the example does not match its schema: `state` is missing")
    assert line.endswith(
        "(an action of the Overlay makes it wrong: correct the action, or add one that corrects this line)"
    )


CONTRADICTIONS = [
    (f"{LAMP}.properties.color", "{type: integer}", "`type` is `string`"),
    (f"{LAMP}.properties.color", "{enum: [green]}", '`enum` is `["red", "blue"]`'),
    (f"{LAMP}.properties.lamp_id", "{type: [string, 'null']}", "`type` is `string`"),
    ("$.components.schemas.Lamps.properties.next", "{type: [integer]}", '`type` is `["string", "null"]`'),
    (LAMP, "{required: [state]}", '`required` is `["lamp_id"]`'),
    ("$.components.parameters.Size", "{required: true}", "`required` is `false`"),
    ("$.components.parameters.Size.schema", "{maximum: 500}", "`maximum` is `200`"),
    ("$.components.parameters.Size.schema", "{minimum: true}", "`minimum` is `1`"),
]


@pytest.mark.parametrize(("target", "update", "stated"), CONTRADICTIONS)
def test_a_contradiction_is_refused_with_both_sides(tmp_path: Path, target: str, update: str, stated: str) -> None:
    [line] = refusals(tmp_path, action(target, update))
    assert line.startswith("0.overlay.yaml:4: #/actions/0/update/")
    assert f"contradicts the contract: {stated} at #/components/" in line
    assert "(openapi.yaml:" in line
    assert line.endswith("correct the action, or write `x-contradicts: why` beside its `target`")


def test_a_contradiction_with_a_reason_is_applied_and_reported(tmp_path: Path) -> None:
    update = f'{{target: "{LAMP}.properties.color", update: {{enum: [green]}}, x-contradicts: Seen on 2026-11-20.}}'
    found = on_lamps(tmp_path, update)
    assert found.source.document["components"]["schemas"]["Lamp"]["properties"]["color"]["enum"][-1] == "green"
    [notice] = found.notices
    assert notice.startswith("0.overlay.yaml:4: #/actions/0/update/enum/0: contradicts the contract on purpose: ")
    assert notice.endswith(": Seen on 2026-11-20.")


NO_CONTRADICTIONS = [
    (f"{LAMP}.properties.color", "{description: Another text.}"),
    (f"{LAMP}.properties.state", "{x-known-values: [dark]}"),
    ("$", "{info: {version: '4'}, tags: [{name: more, description: More.}]}"),
    ("$.servers[0].variables.host", "{default: other.invalid}"),
    (LAMP, "{examples: [{lamp_id: lamp-2}]}"),
]


@pytest.mark.parametrize(("target", "update"), NO_CONTRADICTIONS)
def test_prose_labels_and_open_sets_are_changed_freely(tmp_path: Path, target: str, update: str) -> None:
    assert on_lamps(tmp_path, action(target, update)).notices == []


def test_what_an_earlier_action_wrote_is_no_fact_of_the_contract(tmp_path: Path) -> None:
    first = action(f"{LAMP}.properties", "{watts: {type: number}}")
    found = on_lamps(tmp_path, first, action(f"{LAMP}.properties.watts", "{type: integer}"))
    assert found.source.document["components"]["schemas"]["Lamp"]["properties"]["watts"] == {"type": "integer"}


STATED = [
    (f"{LAMP}.properties", "{lamp_id: {type: string}}", "          type: string\n        color:"),
    (
        f"{LAMP}.properties",
        f"{{lamp_id: {{type: string, description: Seen., {SEEN}}}}}",
        "          type: string\n        color:",
    ),
    (f"{LAMP}.properties.state", "{x-known-values: [lit]}", "          x-known-values: [lit]"),
    (LAMP, "{required: [lamp_id]}", "      required: [lamp_id]"),
    ("$.tags", "{name: lamps, description: Lamps.}", "  - {name: lamps, description"),
]


@pytest.mark.parametrize(("target", "update", "stated"), STATED)
def test_what_the_contract_states_already_is_no_longer_needed(
    tmp_path: Path, target: str, update: str, stated: str
) -> None:
    before = on_lamps(tmp_path, action("$", "{x-a: 1}")).source.document
    found = on_lamps(tmp_path, action("$", "{x-a: 1}"), action(target, update))
    [notice] = found.notices
    assert notice.startswith("0.overlay.yaml:5: #/actions/1: no longer needed: it is stated at #/")
    assert notice.endswith(f" already ({line_of(stated)}); remove the action")
    assert found.source.document == before


def test_of_a_list_only_the_new_values_are_added(tmp_path: Path) -> None:
    found = on_lamps(tmp_path, action(f"{LAMP}.properties.state", "{x-known-values: [lit, dark]}"))
    values = found.source.document["components"]["schemas"]["Lamp"]["properties"]["state"]["x-known-values"]
    assert values == ["lit", "dark"]
    [notice] = found.notices
    assert (
        f": `lit` is no longer needed: it stands there already ({line_of('          x-known-values: [lit]')})" in notice
    )


def test_a_single_value_is_added_to_a_list(tmp_path: Path) -> None:
    target = f"{LAMP}.properties.state['x-known-values']"
    found = on_lamps(tmp_path, action(target, "dark"), action(target, "lit"))
    values = found.source.document["components"]["schemas"]["Lamp"]["properties"]["state"]["x-known-values"]
    assert values == ["lit", "dark"]
    assert len(found.notices) == 1


def test_a_gap_that_the_contract_has_closed_is_reported(tmp_path: Path) -> None:
    [notice] = on_lamps(tmp_path, action(GAP.replace("errors", "order"), f"{{{CLOSED}}}")).notices
    expected = "0.overlay.yaml:4: #/actions/0/target: no longer needed: the contract has no gap `lamp-list-order` any"
    assert notice.startswith(expected)


@pytest.mark.parametrize("written", ["lamp-list-erors", "lamps-list-errors", "lamp-lsit-errors"])
def test_a_gap_whose_id_is_misspelt_is_refused(tmp_path: Path, written: str) -> None:
    [found] = refusals(tmp_path, action(GAP.replace("lamp-list-errors", written), f"{{{CLOSED}}}"))
    expected = f"the contract has no gap `{written}`; did you mean `lamp-list-errors`? If not, remove the action"
    assert found.startswith(f"0.overlay.yaml:4: #/actions/0/target: {expected}")


def test_a_gap_that_is_elsewhere_is_reported(tmp_path: Path) -> None:
    [notice] = on_lamps(tmp_path, action(GAP.replace(".get[", ".post["), f"{{{CLOSED}}}")).notices
    place = "#/paths/~1v3~1organizations~1{org_id}~1lamps/get"
    assert f"matches nothing: the gap `lamp-list-errors` is at {place}; correct `target`" in notice


def test_a_target_that_matches_nothing_is_reported(tmp_path: Path) -> None:
    [notice] = on_lamps(tmp_path, action("$.paths.none", "{x-a: 1}")).notices
    assert notice.startswith("0.overlay.yaml:4: #/actions/0/target: matches nothing")


def test_all_mistakes_of_an_overlay_are_reported_at_once(tmp_path: Path) -> None:
    update = action(f"{LAMP}.properties.color", "{type: integer}")
    assert len(refusals(tmp_path, update, update, head=HEAD)) == 2
