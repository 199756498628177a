"""Redaction: `[hidden]` replaces credentials and secrets before a request is kept or shown."""

from .redaction import HIDDEN, is_secret, redact_secrets, redact_tokens
from .secret_fields import redact_by_schema, redact_secret_fields, secret_parameters

__all__ = (
    "HIDDEN",
    "is_secret",
    "redact_by_schema",
    "redact_secret_fields",
    "redact_secrets",
    "redact_tokens",
    "secret_parameters",
)
