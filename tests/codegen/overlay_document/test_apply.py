"""An Overlay changes a contract; what it contradicts, repeats, misses or makes wrong is reported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codegen.contract.contract import Contract
from codegen.contract.source import ContractError, Source
from codegen.render.docstrings import not_shown
from codegen.render.runtime.contract import Documented, Observed
from tests.codegen.contract.lamps import LAMPS
from tests.codegen.overlay_document.documents import HEAD, applied, apply, on_lamps, refusals

LAMP = "$.components.schemas.Lamp"
SEEN = 'x-observed: {answers: 12, first: "2026-11-02", last: "2026-11-20"}'
CLOSED = 'closed: {answers: 12, first: "2026-11-02", last: "2026-11-20"}'
GAP = "$.paths['/v3/organizations/{org_id}/lamps'].get['x-not-shown'][?(@.id=='lamp-list-errors')]"


def action(target: str, update: str, more: str = "") -> str:
    return f'{{target: "{target}", update: {update}{more}}}'


NESTED = "{x-a: {list: [1, [2]], map: {b: 1}, text: old}}"
REMOVABLE = "{list: [0, 1, 2], deep: {x: {x: 1}}}"
DONE: list[tuple[str, str, str, Any]] = [
    (NESTED, "$['x-a']", "update: {list: [3]}", {"x-a": {"list": [1, [2], 3], "map": {"b": 1}, "text": "old"}}),
    (NESTED, "$['x-a']", "update: {map: 1}", {"x-a": {"list": [1, [2]], "map": 1, "text": "old"}}),
    (NESTED, "$['x-a'].list", "update: [3, [4]]", {"x-a": {"list": [1, [2], 3, [4]], "map": {"b": 1}, "text": "old"}}),
    (NESTED, "$..list[1]", "update: 5", {"x-a": {"list": [1, [2, 5]], "map": {"b": 1}, "text": "old"}}),
    (REMOVABLE, "$.list[2, 0, 0]", "remove: true", {"list": [1], "deep": {"x": {"x": 1}}}),
    (REMOVABLE, "$..x", "remove: true", {"list": [0, 1, 2], "deep": {}}),
]


@pytest.mark.parametrize(("document", "target", "effect", "expected"), DONE)
def test_objects_are_merged_lists_are_appended_to_and_every_match_is_removed_once(
    tmp_path: Path, document: str, target: str, effect: str, expected: Any
) -> None:
    reason = "x-contradicts: On purpose."
    assert applied(tmp_path, document, f'{HEAD}  - {{target: "{target}", {effect}, {reason}}}\n') == expected


def test_every_match_gets_a_value_of_its_own(tmp_path: Path) -> None:
    overlay = f"{HEAD}  - target: $.*\n    update: {{list: []}}\n  - target: $.x.list\n    update: 1\n"
    assert applied(tmp_path, "{x: {}, y: {}}", overlay) == {"x": {"list": [1]}, "y": {"list": []}}


def test_a_later_overlay_replaces_what_an_earlier_one_wrote_and_says_so(tmp_path: Path) -> None:
    first, second = (f"{HEAD}  - target: $\n    update: {{y: {value}}}\n" for value in (1, 2))
    found = apply(tmp_path, "{x: 1}", first, second)
    assert found.document == {"x": 1, "y": 2}
    assert found.report() == [
        "1.overlay.yaml:5: #/actions/0/update/y: contradicts another Overlay: `y` is `1` at #/actions/0/update/y "
        "(0.overlay.yaml:5), but here it is `2`, which is used"
    ]


def test_a_primitive_is_replaced(tmp_path: Path) -> None:
    overlay = f"{HEAD.replace('1.0.0', '1.1.0', 1)}  - target: $.info.title\n    update: New\n"
    assert applied(tmp_path, "info: {title: Old}", overlay) == {"info": {"title": "New"}}


def test_the_text_of_the_result_is_its_document(tmp_path: Path) -> None:
    source = on_lamps(tmp_path, action(LAMP, '{x-a: ["on", 1e3, null, "2026-11-20"]}'))
    assert Source(tmp_path / "openapi.yaml", source.text).document == source.document


UNFIT = [
    ("$.info", "update: [1]", 'update: it is `[1]`, and `target` selects `{"title": "Old"}`; make them the same kind'),
    ("$.info", "update: null", "update: it is `null`, and `target` selects"),
]


@pytest.mark.parametrize(("target", "effect", "message"), UNFIT)
def test_an_update_that_does_not_fit_its_target_is_refused(
    tmp_path: Path, target: str, effect: str, message: str
) -> None:
    with pytest.raises(ContractError) as raised:
        applied(tmp_path, "info: {title: Old}", f"{HEAD}  - {{target: {target}, {effect}}}\n")
    assert str(raised.value).startswith(f"0.overlay.yaml:4: #/actions/0/{message}")


def test_a_fact_is_added_with_its_evidence_and_a_gap_is_closed(tmp_path: Path) -> None:
    fact = action(f"{LAMP}.properties", f"{{watts: {{type: number, {SEEN}}}}}")
    found = on_lamps(tmp_path, fact, action(GAP, f"{{{CLOSED}}}"))
    assert found.report() == []
    contract = Contract(tmp_path / "openapi.yaml", found)
    evidence = {"answers": 12, "first": "2026-11-02", "last": "2026-11-20"}
    assert contract.schemas["Lamp"]["properties"]["watts"] == {"type": "number", "x-observed": evidence}
    assert [gap.closed for gap in contract.gaps] == [Observed(**evidence)]


def test_a_gap_is_closed_by_a_document(tmp_path: Path) -> None:
    closed = 'closed: {document: acme.json, date: "2026-11-28"}'
    contract = Contract(tmp_path / "openapi.yaml", on_lamps(tmp_path, action(GAP, f"{{{closed}}}")))
    assert [gap.closed for gap in contract.gaps] == [Documented("acme.json", "2026-11-28")]
    text = " ".join(not_shown(contract.gaps).split())
    assert text == "Stated by acme.json, read on 2026-11-28: lamp-list-errors."


MADE_WRONG = [
    (GAP, "{closed: {document: acme.json}}", "update/closed: makes "),
    (f"{LAMP}.properties", "{watts: {type: nubmer}}", "update/watts/type: makes #/components/schemas/"),
    (GAP, "{closed: {answers: 0}}", "update/closed/answers: makes "),
]


@pytest.mark.parametrize(("target", "update", "message"), MADE_WRONG)
def test_what_an_action_makes_wrong_is_reported_at_the_action(
    tmp_path: Path, target: str, update: str, message: str
) -> None:
    lines = refusals(tmp_path, action(target, update))
    assert [line for line in lines if line.startswith(f"0.overlay.yaml:4: #/actions/0/{message}")], lines


def test_what_is_wrong_elsewhere_because_of_an_action_is_reported_at_its_line(tmp_path: Path) -> None:
    [line] = refusals(tmp_path, action(f"{LAMP}.properties.lamp_id", "{maxLength: 2}"))
    place = LAMPS[: LAMPS.index("        - {lamp_id: lamp-1")].count("\n") + 1
    assert line.startswith(f"openapi.yaml:{place}: #/components/schemas/Lamp/examples/0")
    assert line.endswith("correct the action, or add one that corrects this line)")


CONTRADICTIONS = [
    (f"{LAMP}.properties.color", "{type: integer}", "`type` is `string`"),
    (LAMP, "{required: [state]}", '`required` is `["lamp_id"]`'),
    ("$.components.parameters.Size.schema", "{minimum: true}", "`minimum` is `1`"),
]


@pytest.mark.parametrize(("target", "update", "stated"), CONTRADICTIONS)
def test_a_contradiction_needs_a_reason(tmp_path: Path, target: str, update: str, stated: str) -> None:
    [line] = refusals(tmp_path, action(target, update))
    assert line.startswith("0.overlay.yaml:4: #/actions/0/update/")
    assert f"contradicts the contract: {stated} at #/components/" in line
    assert line.endswith("correct the action, or write `x-contradicts: why` beside its `target`")
    overlay = f"{HEAD}  - {action(target, update, ', x-contradicts: Seen.')}\n"
    [notice] = apply(tmp_path, LAMPS, overlay).report()
    assert f"contradicts the contract on purpose: {stated} at " in notice
    assert notice.endswith(": Seen.")


def test_all_mistakes_of_an_overlay_are_reported_at_once(tmp_path: Path) -> None:
    update = action(f"{LAMP}.properties.color", "{type: integer}")
    assert len(refusals(tmp_path, update, update)) == 2


WITHOUT_NOTICE = [
    [action(f"{LAMP}.properties.color", "{description: Another text.}")],
    [action(f"{LAMP}.properties.state", "{x-known-values: [dark]}")],
    [action("$", "{info: {version: '4'}, tags: [{name: more, description: More.}]}")],
    # A value from an earlier action is not a fact of the contract.
    [action(f"{LAMP}.properties", "{a: {type: number}}"), action(f"{LAMP}.properties.a", "{type: integer}")],
    [action(f"{LAMP}.properties", "{a: {type: number}}"), f'{{target: "{LAMP}.properties.a", remove: true}}'],
]


@pytest.mark.parametrize("actions", WITHOUT_NOTICE)
def test_prose_labels_and_open_sets_are_changed_freely(tmp_path: Path, actions: list[str]) -> None:
    assert on_lamps(tmp_path, *actions).report() == []


STATED = [
    (f"{LAMP}.properties", "{lamp_id: {type: string}}"),
    (f"{LAMP}.properties", f"{{lamp_id: {{type: string, description: Seen., {SEEN}}}}}"),
    (f"{LAMP}.properties.state", "{x-known-values: [lit]}"),
    (LAMP, "{required: [lamp_id]}"),
]


@pytest.mark.parametrize(("target", "update"), STATED)
def test_what_the_contract_states_already_is_no_longer_needed(tmp_path: Path, target: str, update: str) -> None:
    found = on_lamps(tmp_path, action(target, update))
    [notice] = found.report()
    assert notice.startswith("0.overlay.yaml:4: #/actions/0: no longer needed: it is stated already, at #/")
    assert notice.endswith("; remove the action")
    assert found.document == found.base.document


def test_many_unneeded_actions_do_not_hide_what_must_be_checked(tmp_path: Path) -> None:
    unneeded = action(f"{LAMP}.properties", "{lamp_id: {type: string}}")
    lines = on_lamps(tmp_path, *[unneeded] * 70, action("$.paths.none", "{}")).report()
    assert "matches nothing" in lines[0]
    assert lines[-1] == "... and 67 more actions that are no longer needed"
    assert len(lines) == 5


@pytest.mark.parametrize("update", ["[lit, dark]", "dark"])
def test_of_a_set_only_the_new_values_are_added(tmp_path: Path, update: str) -> None:
    found = on_lamps(tmp_path, action(f"{LAMP}.properties.state['x-known-values']", update))
    values = found.document["components"]["schemas"]["Lamp"]["properties"]["state"]["x-known-values"]
    assert values == ["lit", "dark"]


def test_an_action_that_selects_nothing_is_reported(tmp_path: Path) -> None:
    [notice] = on_lamps(tmp_path, action(GAP.replace("errors", "statuses"), f"{{{CLOSED}}}")).report()
    assert notice.startswith("0.overlay.yaml:4: #/actions/0/target: matches nothing: it is no longer needed")


REMOVED = [
    ("'color'", "", ")"),
    ("'color', 'state'", "", ") and 1 more"),
    ("'color'", ", x-contradicts: Why.", ": Why."),
]


@pytest.mark.parametrize(("names", "more", "ending"), REMOVED)
def test_the_removal_of_what_the_contract_states_is_reported(
    tmp_path: Path, names: str, more: str, ending: str
) -> None:
    removal = f'{{target: "{LAMP}.properties[{names}]", remove: true{more}}}'
    [notice] = on_lamps(tmp_path, removal).report()
    place = "0.overlay.yaml:4: #/actions/0/target: removes what the contract states, at #/components/"
    assert notice.startswith(place)
    assert notice.endswith(ending)


@pytest.mark.parametrize("target", ["$", "$.paths", "$.paths.*", "$.*", "$..*"])
def test_an_overlay_that_removes_everything_is_refused(tmp_path: Path, target: str) -> None:
    [line] = refusals(tmp_path, f'{{target: "{target}", remove: true}}')
    told = "`$` would remove the whole document" if target == "$" else "`paths` is missing"
    assert told in line or "#/paths: `{}` breaks `minProperties: 1`" in line


@pytest.mark.parametrize("gaps", ["[{a: b}]", "text"])
def test_gaps_that_an_action_writes_wrong_are_a_refusal(tmp_path: Path, gaps: str) -> None:
    reason = ", x-contradicts: Why."
    wrong = action(LAMP, f"{{x-not-shown: {gaps}}}", reason)
    unknown = action("$..['x-not-shown'][?(@.id=='lamp-none')]", "{closed: {}}")
    lines = refusals(tmp_path, wrong, unknown, action(LAMP, "{required: [state]}", reason))
    assert [line for line in lines if "x-not-shown" in line], lines
