# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.
"""The kinds of credential that the contract knows, with their prefixes."""

from __future__ import annotations

from typing import Final

CREDENTIAL_PREFIXES: Final[dict[str, str]] = {
    "svc_": "serviceUser",
    "apk_user_": "enterpriseAdminApiKey",
    "apk_": "legacyApiKey",
}
"""The kind of a credential by its prefix; the longest prefix that matches counts. Other kinds have no known prefix."""

CREDENTIAL_KINDS: Final[tuple[str, ...]] = (
    "serviceUser",
    "personalAccessToken",
    "enterpriseAdminApiKey",
)
"""The kinds that operations accept."""
