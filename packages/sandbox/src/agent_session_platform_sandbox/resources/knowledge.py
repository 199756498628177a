"""Knowledge notes, playbooks, blueprints, secrets and attachments."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from ..assumptions import Assumptions
from ..handlers import Call, Collection, Handler, Reply
from ..problems import invalid
from ..state import Record, State, alive, find

NOTES = Collection("knowledge_notes", "note")


PLAYBOOKS = Collection("playbooks", "playbook")


BLUEPRINTS = Collection("blueprints", "blueprint")


def add_blueprint(state: State, **fields: Any) -> Record:
    """Add a blueprint to the enterprise."""
    now = state.seconds()
    members = {
        "created_at": now,
        "updated_at": now,
        "repo_name": "acme/shop",
        "type": "enterprise",
        "build_on_default_branch_commit": True,
        "report_check_runs": False,
        "source": "git",
        **fields,
    }
    return state.create(state.collection("blueprints"), "blueprint", members)


def list_blueprints(call: Call) -> Reply:
    """List the blueprints, in an object with `data` instead of the envelope."""
    return Reply({"data": [record.fields for record in alive(BLUEPRINTS.records(call))]})


SECRETS = Collection("secrets", "secret")

TYPES = ("cookie", "key-value", "totp")
# Deprecated, but still accepted: deprecation comes before removal.
DEPRECATED_TYPE = "dictionary"

KEPT = ("name", "type")


def create_secret(call: Call) -> Reply:
    """Create a secret of a known type, including the deprecated one (rule secret-type-dictionary)."""
    body = call.members()
    if "type" in body and body["type"] not in (*TYPES, DEPRECATED_TYPE):
        raise invalid((["body", "type"], f"unknown type; use {', '.join(TYPES)}", "enum"))
    kept = {name: body[name] for name in KEPT if name in body}
    return Reply(call.state.create(SECRETS.records(call), "secret", kept).fields)


def upload_attachment(call: Call) -> Reply:
    """Keep the part `file` of a form."""
    file: Any = call.body.get("file")
    if not isinstance(file, dict):
        raise invalid((["body", "file"], "Field required", "missing"))
    part = cast("dict[str, Any]", file)
    name: str = part["name"]
    # The same in every run.
    uuid = str(uuid5(NAMESPACE_URL, call.state.new_id("attachment")))
    url = f"/v3/organizations/{call.org_id}/attachments/{uuid}/{quote(name, safe='')}"
    fields: dict[str, Any] = {"uuid": uuid, "name": name, "url": url}
    call.state.add(call.state.collection("attachments", call.org_id), f"{uuid}/{name}", fields)
    call.state.files[uuid] = part["content"]
    return Reply(fields)


def download_attachment(call: Call) -> Reply:
    """Return an uploaded file."""
    uuid, name = call.path["uuid"], call.path["name"]
    find(call.state.collection("attachments", call.org_id), f"{uuid}/{name}", "attachment")
    return Reply(call.state.files[uuid])


ASSUMPTIONS: Assumptions = {
    "knowledge-note-create-request": "Any object is accepted and kept; `note_id` is added.",
    "knowledge-note-create-response": "200 with the note: `note_id` and what was sent.",
    "knowledge-note-list-response": "200 with all notes in `items`.",
    "knowledge-note-update-request": "The whole note without its id; missing members are removed.",
    "knowledge-note-update-response": "200 with the note.",
    "knowledge-note-delete-response": "200 with `null`; deleting again is a 404.",
    "playbook-create-request": "Any object is accepted and kept; `playbook_id` is added.",
    "playbook-create-response": "200 with the playbook: `playbook_id` and what was sent.",
    "playbook-list-response": "200 with all playbooks in `items`.",
    "playbook-get-response": "200 with the playbook.",
    "playbook-update-request": "The whole playbook without its id; missing members are removed.",
    "playbook-update-response": "200 with the playbook.",
    "playbook-delete-response": "200 with `null`; deleting again is a 404.",
    "blueprint-delete-response": "200 with `null`; deleting again is a 404, and it is no longer listed.",
    "blueprint-list-required-fields": "`data` is always there.",
    "blueprint-required-fields": (
        "All eight are always there.",
        "sandbox.add_blueprint(**fields) adds one with others.",
    ),
    "blueprint-created-at-unit": ("Seconds since 1970.", "sandbox.add_blueprint(created_at=...) takes any number."),
    "blueprint-updated-at-unit": ("Seconds since 1970.", "sandbox.add_blueprint(updated_at=...) takes any number."),
    "blueprint-type-values": ("`enterprise`, unless another was added.", "sandbox.add_blueprint(type=...) takes any."),
    "blueprint-source-values": ("`git`, unless another was added.", "sandbox.add_blueprint(source=...) takes any."),
    "secret-create-type": "`type`, which may be left out; `dictionary` is still accepted, and unknown ones are "
    "refused (422).",
    "secret-create-request": "Any object is accepted; only `name` and `type` are kept.",
    "secret-create-response": "200 with `secret_id`, `name` and `type`, if they were given.",
    "secret-list-response": "200 with all secrets in `items`, each as in the response of its creation.",
    "secret-delete-response": "200 with `null`; deleting again is a 404.",
    "attachment-upload-request": "A multipart form with a part `file`.",
    "attachment-upload-response": "200 with `uuid`, `name` and `url`, a path.",
    "attachment-download-response": (
        "200 with the bytes that were uploaded, a strong ETag and `Accept-Ranges: bytes`. A Range of one range is "
        "answered with 206, or with 416 behind the end of the file, and with the whole file if If-Range does not fit."
    ),
}

HANDLERS: dict[str, Handler] = {
    "create_organization_knowledge_note": NOTES.create,
    "delete_organization_knowledge_note": NOTES.delete,
    "list_organization_knowledge_notes": NOTES.list,
    "update_organization_knowledge_note": NOTES.update,
    "create_organization_playbook": PLAYBOOKS.create,
    "delete_organization_playbook": PLAYBOOKS.delete,
    "get_organization_playbook": PLAYBOOKS.get,
    "list_organization_playbooks": PLAYBOOKS.list,
    "update_organization_playbook": PLAYBOOKS.update,
    "delete_enterprise_blueprint": BLUEPRINTS.delete,  # Rule blueprint-soft-delete.
    "list_enterprise_blueprints": list_blueprints,
    "create_organization_secret": create_secret,
    "delete_organization_secret": SECRETS.delete,
    "list_organization_secrets": SECRETS.list,
    "download_organization_attachment": download_attachment,
    "upload_organization_attachment": upload_attachment,
}
