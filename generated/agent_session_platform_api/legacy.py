# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The current operations of the legacy paths."""

from __future__ import annotations

from typing import Final

LEGACY: Final[tuple[tuple[str, str], ...]] = (
    ("/v1/sessions", "list_organization_sessions"),
    ("/v1/sessions", "create_organization_session"),
    ("/v1/session/{session_id}", "get_organization_session"),
    ("/v1/knowledge", "list_organization_knowledge_notes"),
    ("/v1/knowledge", "create_organization_knowledge_note"),
    ("/v1/knowledge/{note_id}", "update_organization_knowledge_note"),
    ("/v1/knowledge/{note_id}", "delete_organization_knowledge_note"),
    ("/v1/playbooks", "list_organization_playbooks"),
    ("/v1/playbooks", "create_organization_playbook"),
    ("/v1/playbooks/{playbook_id}", "get_organization_playbook"),
    ("/v1/playbooks/{playbook_id}", "update_organization_playbook"),
    ("/v1/playbooks/{playbook_id}", "delete_organization_playbook"),
    ("/v1/secrets", "list_organization_secrets"),
    ("/v1/secrets", "create_organization_secret"),
    ("/v1/secrets/{secret_id}", "delete_organization_secret"),
)
"""Each legacy path, with the id of the operation that replaces it."""
