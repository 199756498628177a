"""Redaction: `[hidden]` replaces credentials and secrets before a request is kept or shown.

A value is redacted if the name of its member is the name of a secret, if the value has the form of a credential, or if
it is a credential of the sandbox. It is also redacted if the contract has `x-secret` on the operation or the member.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, cast

from agent_session_platform.contract import is_array, is_object, load

from .contract import request_shape
from .validation import Shape, load_contract

HIDDEN: Final = "[hidden]"

# A token with fewer characters is replaced only where it is a whole word.
MIN_REDACTED_LENGTH: Final = 8

# The contract has `x-secret` only on the members that it shows; other secrets are recognized by their names.
SECRET_NAMES: Final = frozenset({"value", "api_key", "apikey", "private_key"})
SECRET_WORDS: Final = frozenset(
    {"authorization", "cookie", "cookies", "credential", "credentials", "passphrase", "passwd", "password", "passwords"}
    | {"secret", "secrets", "token", "tokens", "totp"}
)
# Names with these endings only identify, count or limit secrets: `secret_id`, `token_count`, `token_budget`.
HARMLESS_LAST_WORDS: Final = frozenset(
    {"budget", "count", "counts", "id", "ids", "length", "limit", "name", "names", "type", "usage", "used"}
)
# Language models count tokens: `max_tokens`, `prompt_tokens`.
COUNTED: Final = frozenset({"token", "tokens"})
COUNTS: Final = frozenset(
    {"average", "avg", "cached", "completion", "input", "max", "maximum", "min", "minimum", "num", "number", "output"}
    | {"prompt", "reasoning", "remaining", "total", "used"}
)
WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
PREFIXES: Final = sorted(filter(None, load().credential_kinds.values()), key=len, reverse=True)
CREDENTIAL: Final = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, PREFIXES))})(?P<rest>[\w.~+=-]+)")
# What tells a credential from a name such as `svc_payments`: a random part, which is long, or has a digit and is not
# short.
RANDOM: Final = re.compile(r"[A-Za-z0-9]{20}|(?=[A-Za-z]*[0-9])[A-Za-z0-9]{12}")
# Members that stay visible in a body that is secret as a whole: they identify the secret.
VISIBLE: Final = frozenset({"name", "type"})


def is_secret(name: str) -> bool:
    """Return whether a member or parameter of that name holds a secret."""
    if name.lower() in SECRET_NAMES:
        return True
    words = [word.lower() for word in WORD.findall(name)]
    secret = SECRET_WORDS.intersection(words)
    if not secret or HARMLESS_LAST_WORDS.intersection(words[-1:]):
        return False
    return not (secret <= COUNTED and COUNTS.intersection(words))


def _hide_credential(match: re.Match[str]) -> str:
    return HIDDEN if RANDOM.search(match["rest"]) else match[0]


def redact_secrets(value: Any) -> Any:
    """Return a copy of JSON without members that are secret by name, and without text in the form of a credential."""
    return _map_text(value, lambda text: CREDENTIAL.sub(_hide_credential, text), is_secret)


def redact_tokens(tokens: Iterable[str], value: Any) -> Any:
    """Return a copy of JSON with all *tokens* replaced, in names and values.

    A short token is replaced only where it is a whole word.
    """
    # Replace the longest token first, because one token may begin with another token.
    ordered = sorted(tokens, key=len, reverse=True)

    def redact(text: str) -> str:
        for token in ordered:
            if token in text:
                # Inside a word, a short token would corrupt harmless text.
                whole = re.escape(token) if len(token) >= MIN_REDACTED_LENGTH else rf"(?<!\w){re.escape(token)}(?!\w)"
                text = re.sub(whole, HIDDEN, text)
        return text

    return _map_text(value, redact)


def _map_text(value: Any, change: Callable[[str], str], hide: Callable[[str], bool] = lambda name: False) -> Any:
    """Return JSON with *change* applied to all text, and `[hidden]` for members whose name *hide* accepts."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_map_text(each, change, hide) for each in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value).items()
        return {change(name): HIDDEN if hide(name) else _map_text(each, change, hide) for name, each in members}
    return value


def redact_secret_fields(operation_id: str | None, body: Any, path: str = "") -> Any:
    """Return a copy of a request body without the values that have `x-secret` in the contract.

    Args:
        operation_id: The operation that was requested; None if the contract has none for this request. The whole body
            is then secret if *path* names a secret, because the client may have used a wrong path.
        body: The body of the request: JSON, the fields of a form, or text.
        path: Path of the request.
    """
    if operation_id is not None:
        shape = request_shape(operation_id)
    else:
        shape = Shape(load_contract(), {"x-secret": any(map(is_secret, path.split("/")))})
    if shape.is_secret and is_object(body):
        return {name: value if name in VISIBLE and isinstance(value, str) else HIDDEN for name, value in body.items()}
    return redact_by_schema(shape, body)


def redact_by_schema(shape: Shape, value: Any) -> Any:
    """Return a copy of JSON without the values whose schema has `x-secret`."""
    if shape.is_secret:
        return HIDDEN
    if is_object(value):
        return {name: redact_by_schema(shape.member(name), member) for name, member in value.items()}
    if is_array(value):
        return [redact_by_schema(shape.items, each) for each in value]
    return value
