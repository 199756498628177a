"""Knowledge notes of an organization; no operation reads a single one."""

from __future__ import annotations

from ..assumptions import Assumption
from ..http.call import Call, Handler, Reply
from ..state.state import Record, alive, find


def create(call: Call) -> Reply:
    """Create a note of what the body says."""
    body, note_id = call.members(), call.state.new_id("note")
    return Reply(call.state.add(notes(call), note_id, {**body, "note_id": note_id}).fields)


def list_notes(call: Call) -> Reply:
    """List the organization's notes."""
    return Reply({"items": [record.fields for record in alive(notes(call))]})


def update(call: Call) -> Reply:
    """Put the body in the place of a note, which keeps its id."""
    note = own(call)
    note.fields = {**call.members(), "note_id": note.fields["note_id"]}
    return Reply(note.fields)


def delete(call: Call) -> Reply:
    """Delete a note."""
    own(call).deleted = True
    return Reply(None)


def notes(call: Call) -> dict[str, Record]:
    """The organization's notes."""
    return call.state.collection("knowledge_notes", call.org_id)


def own(call: Call) -> Record:
    """The note of the path."""
    return find(notes(call), call.path["note_id"], "note")


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption("knowledge-note-create-request", "Any object is taken and kept; `note_id` is given out."),
    Assumption("knowledge-note-create-response", "200 with the note: `note_id` and what was sent."),
    Assumption("knowledge-note-list-response", "200 with all notes in `items`."),
    Assumption("knowledge-note-update-request", "The whole note but for its id; a member left out is gone."),
    Assumption("knowledge-note-update-response", "200 with the note."),
    Assumption("knowledge-note-delete-response", "200 with `null`; deleting again is a 404."),
)

HANDLERS: dict[str, Handler] = {
    "create_organization_knowledge_note": create,
    "delete_organization_knowledge_note": delete,
    "list_organization_knowledge_notes": list_notes,
    "update_organization_knowledge_note": update,
}
