"""Knowledge notes of an organization; no operation reads a single one."""

from __future__ import annotations

from ..assumptions import Assumptions
from ..handlers import Collection, Handler

NOTES = Collection("knowledge_notes", "note")

ASSUMPTIONS: Assumptions = {
    "knowledge-note-create-request": "Any object is accepted and kept; `note_id` is added.",
    "knowledge-note-create-response": "200 with the note: `note_id` and what was sent.",
    "knowledge-note-list-response": "200 with all notes in `items`.",
    "knowledge-note-update-request": "The whole note without its id; missing members are removed.",
    "knowledge-note-update-response": "200 with the note.",
    "knowledge-note-delete-response": "200 with `null`; deleting again is a 404.",
}

HANDLERS: dict[str, Handler] = {
    "create_organization_knowledge_note": NOTES.create,
    "delete_organization_knowledge_note": NOTES.delete,
    "list_organization_knowledge_notes": NOTES.list,
    "update_organization_knowledge_note": NOTES.update,
}
