"""Playbooks of an organization."""

from __future__ import annotations

from ..assumptions import Assumption
from ..http.call import Call, Handler, Reply
from ..state.state import Record, alive, find


def create(call: Call) -> Reply:
    """Create a playbook of what the body says."""
    body, playbook_id = call.members(), call.state.new_id("playbook")
    return Reply(call.state.add(playbooks(call), playbook_id, {**body, "playbook_id": playbook_id}).fields)


def list_playbooks(call: Call) -> Reply:
    """List the organization's playbooks."""
    return Reply({"items": [record.fields for record in alive(playbooks(call))]})


def get(call: Call) -> Reply:
    """Get a playbook."""
    return Reply(own(call).fields)


def update(call: Call) -> Reply:
    """Put the body in the place of a playbook, which keeps its id."""
    playbook = own(call)
    playbook.fields = {**call.members(), "playbook_id": playbook.fields["playbook_id"]}
    return Reply(playbook.fields)


def delete(call: Call) -> Reply:
    """Delete a playbook."""
    own(call).deleted = True
    return Reply(None)


def playbooks(call: Call) -> dict[str, Record]:
    """The organization's playbooks."""
    return call.state.collection("playbooks", call.org_id)


def own(call: Call) -> Record:
    """The playbook of the path."""
    return find(playbooks(call), call.path["playbook_id"], "playbook")


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption("playbook-create-request", "Any object is taken and kept; `playbook_id` is given out."),
    Assumption("playbook-create-response", "200 with the playbook: `playbook_id` and what was sent."),
    Assumption("playbook-list-response", "200 with all playbooks in `items`."),
    Assumption("playbook-get-response", "200 with the playbook."),
    Assumption("playbook-update-request", "The whole playbook but for its id; a member left out is gone."),
    Assumption("playbook-update-response", "200 with the playbook."),
    Assumption("playbook-delete-response", "200 with `null`; deleting again is a 404."),
)

HANDLERS: dict[str, Handler] = {
    "create_organization_playbook": create,
    "delete_organization_playbook": delete,
    "get_organization_playbook": get,
    "list_organization_playbooks": list_playbooks,
    "update_organization_playbook": update,
}
