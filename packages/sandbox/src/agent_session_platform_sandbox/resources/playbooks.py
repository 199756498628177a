"""Playbooks of an organization."""

from __future__ import annotations

from ..assumptions import Assumptions
from ..handlers import Collection, Handler

PLAYBOOKS = Collection("playbooks", "playbook")

ASSUMPTIONS: Assumptions = {
    "playbook-create-request": "Any object is accepted and kept; `playbook_id` is added.",
    "playbook-create-response": "200 with the playbook: `playbook_id` and what was sent.",
    "playbook-list-response": "200 with all playbooks in `items`.",
    "playbook-get-response": "200 with the playbook.",
    "playbook-update-request": "The whole playbook without its id; missing members are removed.",
    "playbook-update-response": "200 with the playbook.",
    "playbook-delete-response": "200 with `null`; deleting again is a 404.",
}

HANDLERS: dict[str, Handler] = {
    "create_organization_playbook": PLAYBOOKS.create,
    "delete_organization_playbook": PLAYBOOKS.delete,
    "get_organization_playbook": PLAYBOOKS.get,
    "list_organization_playbooks": PLAYBOOKS.list,
    "update_organization_playbook": PLAYBOOKS.update,
}
