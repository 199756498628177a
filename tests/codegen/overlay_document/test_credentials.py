"""The kinds of credential of an operation: an Overlay names none of them twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.contract import ContractError
from tests.codegen.contract.checks.lamps import LAMPS
from tests.codegen.overlay_document.documents import HEAD, applied, on_lamps, refusals

POST = "$['paths']['/v3/organizations/{org_id}/lamps']['post']['security']"
OPEN = LAMPS.replace("- user: [MakeLamps]", "- user: []", 1)
INSTEAD = f"target: {POST}[?@['user']]['user']"


def test_a_kind_of_credential_is_not_named_twice(tmp_path: Path) -> None:
    overlay = f'{HEAD}  - {{target: "{POST}", update: [{{user: [MakeLamps]}}]}}\n'
    with pytest.raises(ContractError) as caught:
        applied(tmp_path, OPEN, overlay)
    found = str(caught.value)
    assert found.startswith(
        "0.overlay.yaml:4: #/actions/0/update/0: makes #/paths/~1v3~1organizations~1{org_id}~1lamps"
    )
    assert "/post/security/1 wrong: `user` has an entry already; " in found
    assert found.endswith(f"; instead of this one write `{INSTEAD}` and `update: [MakeLamps]`")


def test_an_entry_without_a_permission_is_to_be_removed(tmp_path: Path) -> None:
    both = "[{guest: []}, {guest: []}]"
    [found] = refusals(tmp_path, f'{{target: "{POST}", update: {both}}}')
    assert found.endswith("/post/security/2 wrong: `guest` has an entry already; remove this one")


def test_what_the_message_says_states_the_permission(tmp_path: Path) -> None:
    overlay = f"{HEAD}  - {INSTEAD}\n    update: [MakeLamps]\n"
    document = applied(tmp_path, OPEN, overlay)
    assert document["paths"]["/v3/organizations/{org_id}/lamps"]["post"]["security"] == [{"user": ["MakeLamps"]}]


def test_another_kind_of_credential_is_added(tmp_path: Path) -> None:
    scheme = "{target: $.components.securitySchemes, update: {guest: {type: http, scheme: bearer}}}"
    found = on_lamps(tmp_path, scheme, f'{{target: "{POST}", update: [{{guest: [MakeLamps]}}]}}')
    security = found.source.document["paths"]["/v3/organizations/{org_id}/lamps"]["post"]["security"]
    assert security == [{"user": ["MakeLamps"]}, {"guest": ["MakeLamps"]}]
