"""Arguments for a client that is never called: it has methods to look at, or checks a setting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

UNUSED: Final[Mapping[str, Any]] = {
    "base_url": "https://platform.invalid",
    "token": "svc_nobody",
    "organization": "org-nobody",
}
