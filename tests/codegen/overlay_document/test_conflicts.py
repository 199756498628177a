"""An Overlay that removes, that disagrees with another one, or that is written wrong on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.contract import Contract
from tests.codegen.contract.checks.lamps import LAMPS
from tests.codegen.overlay_document.documents import HEAD, HEAD_1_1, apply, on_lamps, refusals

LAMP = "$.components.schemas.Lamp"


def test_the_removal_of_what_the_contract_states_is_reported(tmp_path: Path) -> None:
    [notice] = on_lamps(tmp_path, f'{{target: "{LAMP}.properties.color", remove: true}}').notices
    assert notice.startswith("0.overlay.yaml:4: #/actions/0/target: removes what the contract states, at #/components/")
    assert "(openapi.yaml:" in notice


def test_the_removal_of_many_nodes_is_counted(tmp_path: Path) -> None:
    [notice] = on_lamps(tmp_path, f"{{target: \"{LAMP}.properties['color', 'state']\", remove: true}}").notices
    assert notice.endswith(") and 1 more")


def test_a_removal_with_a_reason_says_it(tmp_path: Path) -> None:
    action = f'{{target: "{LAMP}.properties.color", remove: true, x-contradicts: It is dark.}}'
    [notice] = on_lamps(tmp_path, action).notices
    assert notice.endswith(" on purpose: It is dark.")


def test_the_removal_of_what_an_overlay_added_is_not_reported(tmp_path: Path) -> None:
    first = f'{{target: "{LAMP}.properties", update: {{watts: {{type: number}}}}}}'
    assert on_lamps(tmp_path, first, f'{{target: "{LAMP}.properties.watts", remove: true}}').notices == []


@pytest.mark.parametrize("target", ["$.paths", "$.paths.*", "$.*", "$..*"])
def test_an_overlay_that_removes_everything_is_refused(tmp_path: Path, target: str) -> None:
    [line] = refusals(tmp_path, f'{{target: "{target}", remove: true}}')
    assert line == (
        "0.overlay.yaml:4: #/actions/0/target: it removes all paths, so that nothing is left to generate; select fewer"
    )


def test_an_overlay_that_contradicts_another_one_holds_and_is_reported(tmp_path: Path) -> None:
    first = f'{HEAD}  - {{target: "{LAMP}.properties", update: {{watts: {{type: number}}}}}}\n'
    second = f'{HEAD}  - {{target: "{LAMP}.properties.watts", update: {{type: integer}}}}\n'
    found = apply(tmp_path, LAMPS, first, second)
    assert found.notices == [
        "1.overlay.yaml:4: #/actions/0/update/type: contradicts another Overlay: `type` is `number` by another Overlay "
        "(0.overlay.yaml:4), but here it is `integer`, which holds"
    ]
    lamp = Contract(tmp_path / "openapi.yaml", found.source).schemas["Lamp"]["properties"]
    assert lamp["watts"] == {"type": "integer"}


@pytest.mark.parametrize("gaps", ["[{a: b}]", "[5]", "text", "{a: b}"])
def test_gaps_that_an_action_writes_wrong_are_a_refusal(tmp_path: Path, gaps: str) -> None:
    lines = refusals(
        tmp_path,
        f'{{target: "{LAMP}", update: {{x-not-shown: {gaps}}}, x-contradicts: Why.}}',
        "{target: \"$..['x-not-shown'][?(@.id=='lamp-none')]\", update: {closed: {}}}",
        f'{{target: "{LAMP}", update: {{required: [state]}}, x-contradicts: Why.}}',
    )
    assert [line for line in lines if "x-not-shown" in line], lines


def test_a_very_long_jsonpath_is_refused(tmp_path: Path) -> None:
    [line] = refusals(tmp_path, f"{{target: '${'.a' * 5000}', update: {{}}}}")
    assert line.endswith("is no JSONPath (RFC 9535): it has more than 1000 characters; correct it")


def test_a_root_that_is_no_object_is_refused(tmp_path: Path) -> None:
    [line] = refusals(tmp_path, "{target: $, update: text}", head=HEAD_1_1)
    assert "contradicts the contract: the document is `{" in line
