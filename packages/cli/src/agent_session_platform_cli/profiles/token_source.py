"""The places that a profile takes its token from; none of their errors shows what they gave."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

from agent_session_platform import ConfigurationError, Credential, CredentialUnavailableError
from agent_session_platform.text import format_value

TOKEN_KEYS: Final = ("token_variable", "token_file", "token_command", "token_keyring", "token")

# A person may have to confirm it, for example by touching a key.
COMMAND_SECONDS: Final = 30.0


def token_source(key: str, value: Any, where: str, folder: Path) -> str | Callable[[], str]:
    """Return what `AgentPlatform` takes as token or token_file.

    Args:
        key: One of TOKEN_KEYS.
        value: Its value.
        where: The file and the profile, for messages.
        folder: The folder of the file, for a relative path.

    Raises:
        ConfigurationError: The value is wrong.
        CredentialUnavailableError: The variable is not set.
    """
    match key:
        case "token_file":
            return str(folder / Path(value).expanduser())
        case "token_variable":
            token = os.environ.get(value)
            if not token:
                raise CredentialUnavailableError(
                    f"no credential: {where} takes its token from the variable {value}, which is not set; set it"
                )
            return checked(token, f"the variable {value}, of {where}")
        case "token_command":
            return _command(value, where)
        case "token_keyring":
            return _keyring(value, where)
        case _:
            return checked(cast("str", value), where)


def _command(words: list[Any], where: str) -> Callable[[], str]:
    if not all(isinstance(word, str) and word for word in words):
        raise ConfigurationError(f"{where} has token_command with a word that is no text; put each word in quotes")
    named = f"token_command of {where} ({format_value(words[0])})"

    def run() -> str:
        reason = f"it did not end within {COMMAND_SECONDS:g} s"
        try:
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=COMMAND_SECONDS,
                check=False,
            )
        except OSError as error:
            reason = f"it cannot be run: {error.strerror}"
        except subprocess.TimeoutExpired:
            pass
        else:
            if done.returncode == 0:
                printed = done.stdout.decode("utf-8", "replace").strip()
                lines = len(printed.splitlines())
                if lines == 1:
                    return checked(printed, f"what {named} printed")
                reason = f"it printed {lines or 'no'} lines, and must print one line with the token"
            else:
                reason = f"it ended with status {done.returncode}"
        # Outside of the handlers: their errors have what the command printed. A client hands on no other class.
        raise ConfigurationError(f"no credential: {named}: {reason}; run it yourself to see why")

    return run


def _keyring(value: dict[str, Any], where: str) -> Callable[[], str]:
    if value.keys() != {"service", "user"} or not all(isinstance(each, str) and each for each in value.values()):
        raise ConfigurationError(f'{where} has token_keyring that is not {{ service = "...", user = "..." }}')

    def read() -> str:
        try:
            keyring = import_module("keyring")
        except ImportError:
            raise ConfigurationError(
                f"no credential: {where} takes its token from the keyring, for which keyring is needed: pip install "
                "keyring"
            ) from None
        named = f"the keyring for service {value['service']!r} and user {value['user']!r}, of {where}"
        reason = "has no password; store it with: keyring set SERVICE USER"
        token: str | None = None
        try:
            token = keyring.get_password(value["service"], value["user"])
        except Exception as error:
            reason = f"cannot be read ({type(error).__name__}); check it with: keyring diagnose"
        if not token:
            raise ConfigurationError(f"no credential: {named}, {reason}")
        return checked(token, named)

    return read


def checked(token: str, place: str) -> str:
    """Return a token that can be sent; refuse another one without showing it.

    Args:
        token: The token.
        place: Where it is taken from.
    """
    try:
        Credential(token)
    except ConfigurationError as error:
        raise ConfigurationError(f"{str(error).partition(';')[0]}; it is taken from {place}") from None
    return token
