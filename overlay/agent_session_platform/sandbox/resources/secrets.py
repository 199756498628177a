"""Secrets of an organization: kept, but never given back."""

from __future__ import annotations

from typing import Any

from ..assumptions import Assumption
from ..http.call import Call, Handler, Reply
from ..problems import invalid
from ..state.state import alive, find

TYPES = ("cookie", "key-value", "totp")
# Deprecated, and still taken: deprecation comes before removal.
DEPRECATED_TYPE = "dictionary"

SHOWN = ("name", "type")


def create(call: Call) -> Reply:
    """Create a secret of a known type, be it the deprecated one (rule secret-type-dictionary)."""
    body = call.members()
    if "type" in body and body["type"] not in (*TYPES, DEPRECATED_TYPE):
        raise invalid((["body", "type"], f"unknown; use {', '.join(TYPES)}", "enum"))
    secret_id = call.state.new_id("secret")
    fields: dict[str, Any] = {"secret_id": secret_id} | {name: body[name] for name in SHOWN if name in body}
    return Reply(call.state.add(call.state.collection("secrets", call.org_id), secret_id, fields).fields)


def list_secrets(call: Call) -> Reply:
    """List the organization's secrets, without what is secret of them."""
    return Reply({"items": [record.fields for record in alive(call.state.collection("secrets", call.org_id))]})


def delete(call: Call) -> Reply:
    """Delete a secret."""
    find(call.state.collection("secrets", call.org_id), call.path["secret_id"], "secret").deleted = True
    return Reply(None)


ASSUMPTIONS: tuple[Assumption, ...] = (
    Assumption(
        "secret-create-type",
        "`type`, which may be left out; `dictionary` is still taken, and any other that is not shown is refused (422).",
    ),
    Assumption("secret-create-request", "Any object is taken; nothing of it but `name` and `type` is kept."),
    Assumption("secret-create-response", "200 with `secret_id`, `name` and `type`, as far as they were given."),
    Assumption("secret-list-response", "200 with all secrets in `items`, each as when it was created."),
    Assumption("secret-delete-response", "200 with `null`; deleting again is a 404."),
)

HANDLERS: dict[str, Handler] = {
    "create_organization_secret": create,
    "delete_organization_secret": delete,
    "list_organization_secrets": list_secrets,
}
