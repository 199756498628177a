"""Knowledge notes, playbooks, blueprints, secrets and attachments."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from agent_session_platform.contract import is_object

from ..handlers import Call, Collection, Reply
from ..problems import invalid
from ..state import Record, State, alive, find

NOTES: Final = Collection("knowledge_notes", "note")
PLAYBOOKS: Final = Collection("playbooks", "playbook")
BLUEPRINTS: Final = Collection("blueprints", "blueprint")
SECRETS: Final = Collection("secrets", "secret")

# The description names these in its text. The contract shows no member of the request, so it has no set of them.
TYPES: Final = ("cookie", "key-value", "totp")
# Deprecated, but still accepted: deprecation comes before removal.
DEPRECATED_TYPE: Final = "dictionary"


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


def list_enterprise_blueprints(call: Call) -> Reply:
    """List the blueprints, in an object with `data` instead of the envelope."""
    return Reply({"data": [record.fields for record in alive(BLUEPRINTS.records(call))]})


def create_organization_secret(call: Call) -> Reply:
    """Create a secret of a known type, including the deprecated one (rule secret-type-dictionary)."""
    body = call.members()
    if "type" in body and body["type"] not in (*TYPES, DEPRECATED_TYPE):
        raise invalid((["body", "type"], f"unknown type; use {', '.join(TYPES)}", "enum"))
    kept = {name: value for name, value in body.items() if name in ("name", "type")}
    return Reply(call.state.create(SECRETS.records(call), "secret", kept).fields)


def upload_organization_attachment(call: Call) -> Reply:
    """Keep the part `file` of a form."""
    file: Any = call.body.get("file")
    if not is_object(file):
        raise invalid((["body", "file"], "Field required", "missing"))
    name: str = file["name"]
    # The same in every run.
    uuid = str(uuid5(NAMESPACE_URL, call.state.new_id("attachment")))
    url = f"/v3/organizations/{call.org_id}/attachments/{uuid}/{quote(name, safe='')}"
    fields: dict[str, Any] = {"uuid": uuid, "name": name, "url": url}
    call.state.add(call.state.collection("attachments", call.org_id), f"{uuid}/{name}", fields)
    call.state.files[uuid] = file["content"]
    return Reply(fields)


def download_organization_attachment(call: Call) -> Reply:
    """Return an uploaded file."""
    uuid, name = call.path["uuid"], call.path["name"]
    find(call.state.collection("attachments", call.org_id), f"{uuid}/{name}", "attachment")
    return Reply(call.state.files[uuid])


create_organization_knowledge_note = NOTES.create
delete_organization_knowledge_note = NOTES.delete
list_organization_knowledge_notes = NOTES.list
update_organization_knowledge_note = NOTES.update
create_organization_playbook = PLAYBOOKS.create
delete_organization_playbook = PLAYBOOKS.delete
get_organization_playbook = PLAYBOOKS.get
list_organization_playbooks = PLAYBOOKS.list
update_organization_playbook = PLAYBOOKS.update
delete_enterprise_blueprint = BLUEPRINTS.delete  # Rule blueprint-soft-delete.
delete_organization_secret = SECRETS.delete
list_organization_secrets = SECRETS.list
