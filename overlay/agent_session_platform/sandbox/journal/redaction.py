"""What may not be told: secrets and credentials are taken out of a request before anybody sees it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, cast

from ..._api import CREDENTIAL_PREFIXES
from ...request.credentials import SHORTEST_REDACTED

Node = dict[str, Any]

HIDDEN: Final = "[hidden]"

# Members that are secret by their name, wherever they stand: what the contract does not show cannot be marked in it.
SECRET_MEMBERS: Final = frozenset({"value", "api_key", "apikey", "private_key"})
SECRET_WORDS: Final = frozenset(
    {"authorization", "cookie", "cookies", "credential", "credentials", "passphrase", "passwd", "password", "passwords"}
    | {"secret", "secrets", "token", "tokens", "totp"}
)
# Last words of names that only tell which secret is meant: `secret_id`, `token_count`.
TELLING: Final = frozenset({"count", "id", "ids", "name", "names", "type"})
WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
CREDENTIAL: Final = re.compile(
    rf"(?<![A-Za-z0-9])(?:{'|'.join(sorted(map(re.escape, CREDENTIAL_PREFIXES), key=len, reverse=True))})[\w.~+=-]+"
)


def is_secret(name: str) -> bool:
    """Whether a member or a parameter of that name holds a secret."""
    words = [word.lower() for word in WORD.findall(name)]
    return name.lower() in SECRET_MEMBERS or (
        not SECRET_WORDS.isdisjoint(words) and not TELLING.intersection(words[-1:])
    )


def without_secrets(value: Any) -> Any:
    """The same JSON without what is secret by its name, and without anything that begins as a credential does."""
    if isinstance(value, str):
        return CREDENTIAL.sub(HIDDEN, value)
    if isinstance(value, list):
        return [without_secrets(each) for each in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON
    if isinstance(value, dict):
        return {
            without_secrets(name): HIDDEN if is_secret(name) else without_secrets(member)
            for name, member in cast("Node", value).items()
        }
    return value


def without(tokens: Iterable[str], value: Any) -> Any:
    """The same JSON without any of *tokens*, wherever they stand; one that is short only where it is a whole word."""
    # The longest first: one may begin with another.
    return _replaced(sorted(tokens, key=len, reverse=True), value)


def _replaced(tokens: list[str], value: Any) -> Any:
    if isinstance(value, str):
        for token in tokens:
            if token not in value:
                continue
            # Within a word a short one would mangle innocent text.
            whole = re.escape(token) if len(token) >= SHORTEST_REDACTED else rf"(?<!\w){re.escape(token)}(?!\w)"
            value = re.sub(whole, HIDDEN, value)
        return value
    if isinstance(value, list):
        return [_replaced(tokens, each) for each in value]  # pyright: ignore[reportUnknownVariableType]  # any JSON
    if isinstance(value, dict):
        members = cast("Node", value).items()
        return {_replaced(tokens, name): _replaced(tokens, each) for name, each in members}
    return value
