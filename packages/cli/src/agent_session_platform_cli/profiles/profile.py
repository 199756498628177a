"""One profile: its keys, checked, and the arguments of a client that they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from agent_session_platform import ConfigurationError, Credential
from agent_session_platform.text import format_value, type_name

from ..settings import TRANSPORTS
from ..suggestions import nearest
from ..unused_client import unused_client
from .token_source import TOKEN_KEYS, token_source

# The keys of a profile, each with what its value must be.
KEYS: Final[Mapping[str, tuple[type, str]]] = {
    "base_url": (str, "the address of the server in quotes"),
    "organization": (str, "the id of an organization in quotes"),
    "token_variable": (str, "the name of an environment variable in quotes"),
    "token_file": (str, "the path of a file in quotes"),
    "token_command": (list, 'a list of words, such as ["pass", "show", "platform"]'),
    "token_keyring": (dict, 'a table { service = "...", user = "..." }'),
    "token": (str, "a token in quotes"),
    "allow_clear_text": (bool, "true or false"),
    "proxy": (str, "the address of a proxy in quotes"),
    "verify": (str, "the path of a file or folder of certificates in quotes"),
    "transport": (str, f"one of {', '.join(TRANSPORTS)}"),
    "allow_http": (bool, "true or false"),
}


class Profile:
    """The settings of a client, by their name.

    Args:
        name: Its name.
        path: The file that it is in.
        table: Its keys and values.
        is_shared: Whether others may read the file.

    Attributes:
        name: Its name.
        path: The file that it is in.
        token_key: The key that says where the token comes from; None for none.

    Raises:
        ConfigurationError: A key is unknown, missing or has a wrong value; the message never shows a token.
    """

    def __init__(self, name: str, path: Path, table: Mapping[str, Any], *, is_shared: bool = False) -> None:
        self.name = name
        self.path = path
        self._where = f"{path}: profile {format_value(name)}"
        self._read = self._check(table)
        sources = [key for key in TOKEN_KEYS if key in table]
        if len(sources) > 1:
            raise self._wrong(f"has {' and '.join(sources)}; keep one of them")
        self.token_key = sources[0] if sources else None
        if sources and "base_url" not in table:
            raise self._wrong(
                f"has {sources[0]} without base_url: its token could go to any address that the environment names; "
                "add base_url"
            )
        if "token" in table and table.get("allow_clear_text") is not True:
            raise self._wrong(
                "has `token` in clear text; use token_variable, token_file, token_command or token_keyring, or write "
                "allow_clear_text = true beside it"
            )
        if is_shared and ("token" in table or "@" in table.get("proxy", "")):
            secret = "a token" if "token" in table else "a proxy with a password"
            raise self._wrong(f"has {secret} in clear text, and other users may read the file; run: chmod 600 '{path}'")

    def settings(self) -> dict[str, Any]:
        """Return the arguments of `AgentPlatform`, but for the token."""
        return {key: value for key, value in self._read().items() if key not in TOKEN_KEYS}

    def connection(self) -> dict[str, Any]:
        """Return the arguments of `AgentPlatform`; the token is read now, or when a call needs it.

        Raises:
            ConfigurationError: What says where the token comes from is wrong, or its variable is not set.
        """
        if self.token_key is None:
            return self.settings()
        argument = "token_file" if self.token_key == "token_file" else "token"
        source = token_source(self.token_key, self._read()[self.token_key], self._where, self.path.parent)
        return {**self.settings(), argument: source}

    @property
    def token_from(self) -> str | None:
        """Where the token comes from, in words; None: from the environment."""
        value: Any = self._read().get(self.token_key or "")
        match self.token_key:
            case None:
                return None
            case "token_variable":
                return f"the variable {value}"
            case "token_file":
                return f"the file {value}"
            case "token_command":
                return f"the command {format_value(value[0])}"
            case "token_keyring":
                return "the keyring"
            case _:
                return "the profile itself, in clear text"

    def describe(self) -> dict[str, Any]:
        """Return its settings for a person: no token, and no password of a proxy."""
        shown = self.settings()
        if "proxy" in shown:
            scheme, slashes, rest = shown["proxy"].rpartition("//")
            shown["proxy"] = f"{scheme}{slashes}{rest.rpartition('@')[2]}"
        return {"name": self.name, **shown, "token_from": self.token_from or "the environment"}

    def __repr__(self) -> str:
        return f"Profile({self.name!r}, {str(self.path)!r})"

    def _check(self, table: Mapping[str, Any]) -> Callable[[], dict[str, Any]]:
        for key, value in table.items():
            if key not in KEYS:
                shown = ", which looks like a credential" if is_secret(key) else f" {format_value(key)}"
                raise self._wrong(f"has an unknown key{shown}{nearest(key, KEYS)}; the keys are {', '.join(KEYS)}")
            kind, wanted = KEYS[key]
            if not isinstance(value, kind) or not (value or kind is bool):
                raise self._wrong(f"has {key} of the wrong form; it must be {wanted}, not {type_name(value)}")
        found = {key: value for key, value in table.items() if key != "allow_clear_text"}
        if found.get("transport", TRANSPORTS[0]) not in TRANSPORTS:
            raise self._wrong(f"has transport {format_value(found['transport'])}; it must be {KEYS['transport'][1]}")
        if "verify" in found:
            found["verify"] = str(self.path.parent / Path(found["verify"]).expanduser())
        try:
            # A client checks the rest; it is never used, and has no transport that may be missing.
            settings = {key: found[key] for key in found if key not in (*TOKEN_KEYS, "transport")}
            unused_client(**settings)
        except ConfigurationError as error:
            raise self._wrong(f"cannot be used: {error}") from None
        # A function: error reporters show the attributes of objects, and a token may be among the settings.
        return lambda: dict(found)

    def _wrong(self, what: str) -> ConfigurationError:
        return ConfigurationError(f"{self._where} {what}")


def is_secret(text: str) -> bool:
    """Return whether a text begins as a credential does: then no message shows it."""
    try:
        return Credential(text).kind is not None
    except ConfigurationError:
        return False
