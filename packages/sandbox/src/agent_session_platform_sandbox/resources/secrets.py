"""Secrets of an organization. Their values are not kept."""

from __future__ import annotations

from ..assumptions import Assumptions
from ..handlers import Call, Collection, Handler, Reply
from ..problems import invalid

SECRETS = Collection("secrets", "secret")

TYPES = ("cookie", "key-value", "totp")
# Deprecated, but still accepted: deprecation comes before removal.
DEPRECATED_TYPE = "dictionary"

KEPT = ("name", "type")


def create(call: Call) -> Reply:
    """Create a secret of a known type, including the deprecated one (rule secret-type-dictionary)."""
    body = call.members()
    if "type" in body and body["type"] not in (*TYPES, DEPRECATED_TYPE):
        raise invalid((["body", "type"], f"unknown type; use {', '.join(TYPES)}", "enum"))
    kept = {name: body[name] for name in KEPT if name in body}
    return Reply(call.state.create(SECRETS.records(call), "secret", kept).fields)


ASSUMPTIONS: Assumptions = {
    "secret-create-type": "`type`, which may be left out; `dictionary` is still accepted, and unknown ones are "
    "refused (422).",
    "secret-create-request": "Any object is accepted; only `name` and `type` are kept.",
    "secret-create-response": "200 with `secret_id`, `name` and `type`, if they were given.",
    "secret-list-response": "200 with all secrets in `items`, each as in the response of its creation.",
    "secret-delete-response": "200 with `null`; deleting again is a 404.",
}

HANDLERS: dict[str, Handler] = {
    "create_organization_secret": create,
    "delete_organization_secret": SECRETS.delete,
    "list_organization_secrets": SECRETS.list,
}
