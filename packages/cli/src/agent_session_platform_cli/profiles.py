"""Profiles: named settings of a client, in a file of the user."""

from __future__ import annotations

import asyncio
import codecs
import json
import os
import re
import stat
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import attrs
import click
from agent_session_platform import AgentPlatform, ConfigurationError, Credential, CredentialUnavailableError
from agent_session_platform.contract import is_array, is_object

from .lookup import nearest
from .terminal_text import say

CONFIG: Final = "AGENT_PLATFORM_CONFIG"
PROFILE: Final = "AGENT_PLATFORM_PROFILE"
# If one of these variables is set, the default profile is not used. Otherwise a credential of the environment could go
# to the server of the profile, or the other way round.
WITHOUT_DEFAULT: Final = ("AGENT_PLATFORM_BASE_URL", "AGENT_PLATFORM_TOKEN", "AGENT_PLATFORM_TOKEN_FILE")

# The keys of a profile, with the types of their values.
KEYS: Final[Mapping[str, type]] = {
    **dict.fromkeys(("base_url", "organization", "token_variable", "token_file", "proxy", "verify", "transport"), str),
    "token_command": list,
    "allow_http": bool,
}
FORMS: Final = {
    str: "text in quotes",
    list: 'a list of words, such as ["pass", "show", "platform"]',
    bool: "true or false",
}
WRITE_ONE: Final = "write a table [profiles.NAME] with base_url into it"
OTHER_FILE: Final = f"set {CONFIG} to the path of another file"
TOKEN_KEYS: Final = ("token_variable", "token_file", "token_command")

# A person may have to confirm the command, for example by touching a security key. A call of
# `asp doctor` ends after 30 s, and its error would not name the command.
COMMAND_SECONDS: Final = 25.0
# After this time a message says what the call waits for.
QUIET_SECONDS: Final = 3.0
# The most bytes that a command may print, which is more than the longest token.
MAX_OUTPUT: Final = 64 * 1024
# The most bytes of a file of profiles.
MAX_FILE: Final = 1024 * 1024

USERINFO: Final = re.compile("//.*@")
WORD: Final = re.compile(r"[\w.~-]+", re.ASCII)


def has_credential(text: str) -> bool:
    """Return whether a word of a text looks like a credential. No message shows such a text."""
    return any(Credential(word).kind is not None for word in WORD.findall(text))


@attrs.frozen
class Profile:
    """A profile.

    Attributes:
        name: The name.
        where: The file and the name, for messages.
        settings: The arguments of `AgentPlatform`, without the token.
        token_key: The key with the source of the token; None if the token comes from the environment.
    """

    name: str
    where: str
    settings: Mapping[str, Any] = attrs.field(repr=False)
    token_key: str | None = None
    _token_value: Any = attrs.field(default=None, repr=False)

    def connection(self) -> dict[str, Any]:
        """Return the arguments of `AgentPlatform`. A token_command runs later, when a call needs the token.

        Raises:
            CredentialUnavailableError: The variable with the token is not set.
        """
        found, value = {**self.settings}, self._token_value
        if self.token_key == "token_file":
            found["token_file"] = value
        elif self.token_key == "token_command":
            found["token"] = partial(_printed_by, value, f"token_command of {self.where}")
        elif self.token_key is not None:
            found["token"] = os.environ.get(value)
            if not found["token"]:
                text = f"no credential: token_variable of {self.where} names a variable that is not set"
                raise CredentialUnavailableError(text)
        return found

    def describe(self) -> dict[str, Any]:
        """Return the settings for a person, without the token and the password of a proxy."""
        shown = {"name": self.name, **self.settings, "token_from": self.token_key or "the environment"}
        if "proxy" in shown:
            shown["proxy"] = USERINFO.sub("//", shown["proxy"])
        return shown


class _Output(asyncio.SubprocessProtocol):
    """Collects what a command prints, until the command has ended and nothing else can print for it.

    Attributes:
        content: What was printed. If it is longer than MAX_OUTPUT, the rest is missing.
        ended: Done at the end.
    """

    def __init__(self) -> None:
        self.content = b""
        self.ended = asyncio.get_running_loop().create_future()
        self._pipe: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the pipe."""
        self._pipe = cast("asyncio.SubprocessTransport", transport).get_pipe_transport(1)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Keep a part of the output. Close the pipe when it is too much, which ends a command such as `yes`."""
        self.content += data
        if len(self.content) > MAX_OUTPUT and self._pipe is not None:
            self._pipe.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end."""
        # Whoever waits for the end may have been cancelled, and the future with it.
        if not self.ended.done():
            self.ended.set_result(None)


async def _printed_by(words: list[str], where: str) -> str:
    """Run a command, and return the token that it prints. Errors do not contain its output.

    Args:
        words: The command.
        where: The place of the command, for messages.

    Raises:
        CredentialUnavailableError: The command failed, was too slow, or did not print exactly one line.
    """
    nothing = subprocess.DEVNULL
    start = asyncio.get_running_loop().subprocess_exec
    try:
        process, output = await start(_Output, *words, stdin=nothing, stderr=nothing)
    except (OSError, ValueError) as error:
        raise _no_token(where, f"has failed ({type(error).__name__})") from None
    try:
        await asyncio.wait([output.ended], timeout=QUIET_SECONDS)
        if not output.ended.done():
            say(f"waiting for the {where}")
            await asyncio.wait([output.ended], timeout=COMMAND_SECONDS - QUIET_SECONDS)
        is_late = not output.ended.done()
    finally:
        # Also after Ctrl-C. This ends the command, and what it has started cannot hold the pipe any more.
        process.close()
        await output.ended
    if len(output.content) > MAX_OUTPUT:
        raise _no_token(where, f"has printed more than {MAX_OUTPUT:,} bytes; it must print one line with the token")
    if is_late:
        raise _no_token(where, f"has printed no token within {COMMAND_SECONDS:g} s; it may wait for a password")
    if code := process.get_returncode():
        raise _no_token(where, f"has failed (exit code {code})")
    # Programs of Windows begin their output with a byte order mark.
    token = output.content.decode("utf-8-sig", "replace").strip()
    if len(token.splitlines()) != 1:
        raise _no_token(where, "must print one line with the token")
    return token


def _no_token(where: str, reason: str) -> CredentialUnavailableError:
    return CredentialUnavailableError(f"no credential: {where} {reason}; run it yourself to see why")


class ProfileFile:
    """The profiles of a file.

    Args:
        path: The path of the file. A missing file has no profiles.

    Raises:
        ConfigurationError: The file cannot be read, is not a regular file of at most MAX_FILE bytes, is not TOML, or
            has unknown keys.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._content = b""
        # The permissions of other users, as bits of the file mode.
        self._others = 0
        try:
            # A pipe or a device may have no end. The null device stands for no profiles.
            if path.exists() and not path.is_file() and str(path) != os.devnull:
                raise ConfigurationError(f"the profiles in {path} must be in a regular file; {OTHER_FILE}")
            with suppress(FileNotFoundError), path.open("rb") as file:
                mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
                self._others = mode & 0o077 if os.name == "posix" else 0
                self._content = file.read(MAX_FILE + 1)
            if len(self._content) > MAX_FILE:
                raise ConfigurationError(f"{path} has more than {MAX_FILE:,} bytes of profiles; {OTHER_FILE}")
            # Editors of Windows begin a file with a byte order mark.
            self._document = tomllib.loads(self._content.decode("utf-8-sig"))
        except OSError as error:
            text = f"the profiles in {path} cannot be read: {error.strerror}; {OTHER_FILE}"
            raise ConfigurationError(text) from None
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            # The message names line and column, and at most one character of the file.
            raise ConfigurationError(f"{path} is not TOML in UTF-8: {error}; text must be in quotes") from None
        profiles = self._document.get("profiles", {})
        is_right = is_object(profiles) and all(is_object(each) for each in profiles.values())
        is_right &= self._document.keys() <= {"default", "profiles"}
        if not (is_right and isinstance(self._document.get("default", ""), str)) or any(map(has_credential, profiles)):
            raise ConfigurationError(
                f"{path} may only have `default`, the name of a profile in quotes, and tables [profiles.NAME]; no name "
                "may look like a credential"
            )

    @property
    def names(self) -> list[str]:
        """The names of the profiles, in the order of the file."""
        return [*self._document.get("profiles", {})]

    @property
    def default(self) -> str | None:
        """The name of the default profile; None if the file has no default."""
        return self._document.get("default")

    def profile(self, name: str) -> Profile:
        """Return a profile.

        Raises:
            ConfigurationError: There is no such profile, or it cannot be used. The message shows no token.
        """
        if name not in self.names:
            shown = "of that name, which looks like a credential" if has_credential(name) else repr(name)
            known = f"; it has {', '.join(self.names[:10])}" if self.names else f"; {WRITE_ONE}"
            hint = nearest(name, self.names) or known
            raise ConfigurationError(f"{self.path} has no profile {shown}{hint}")
        where = f"{self.path}: profile {name!r}"
        table: dict[str, Any] = {**self._document["profiles"][name]}
        for mistake in _mistakes(table, self._others):
            raise ConfigurationError(f"{where} has {mistake}")
        for key in {"verify", "token_file"} & table.keys():
            table[key] = str(self.path.parent / os.path.expanduser(table[key]))
        settings = {key: value for key, value in table.items() if key not in TOKEN_KEYS}
        try:
            unused_client(**settings)
        except ConfigurationError as error:
            raise ConfigurationError(f"{where} cannot be used: {error}") from None
        token_key = next((key for key in TOKEN_KEYS if key in table), None)
        return Profile(name, where, settings, token_key, table.get(token_key or ""))

    def make_default(self, name: str) -> None:
        """Write the name of the default profile into the first line. The other lines stay as they are.

        Raises:
            ConfigurationError: There is no such profile, or other lines would change.
            OSError: The file cannot be written.
        """
        self.profile(name)
        first = f"default = {json.dumps(name, ensure_ascii=False)}"
        lines = self._content.removeprefix(codecs.BOM_UTF8).splitlines(keepends=True)
        others = [line for line in lines if not line.lstrip(b" \t\"'").startswith(b"default")]
        content = b"".join([f"{first}\n".encode(), *others])
        if tomllib.loads(content.decode()) != {**self._document, "default": name}:
            raise ConfigurationError(f"write the line {first} before the first table of {self.path} yourself")
        # The new file gets the mode of the old one. If the path is a link, its target is written.
        os.chmod(self.path, 0o600)
        with click.open_file(str(self.path), "wb", atomic=True) as file:
            file.write(content)


def _mistakes(table: Mapping[str, Any], others: int) -> Iterator[str]:
    """Yield the mistakes in a profile. The texts show no values.

    Args:
        table: The keys and values of the profile.
        others: The permissions of other users for the file, as bits of its mode.
    """
    for key, value in table.items():
        kind = KEYS.get(key, object)
        words = value if is_array(value) else ["-"]
        if has_credential(key) or has_credential(str(value)):
            place = "a key" if has_credential(key) else key
            yield f"what looks like a credential in {place}; a token comes from one of {', '.join(TOKEN_KEYS)}"
        if key not in KEYS:
            yield f"an unknown key {key!r}{nearest(key, KEYS)}; the keys are {', '.join(KEYS)}"
        if not isinstance(value, kind) or value == "" or not (words and all(isinstance(each, str) for each in words)):
            yield f"{key} of the wrong form; it must be {FORMS.get(kind, 'a value')}"
    sources = [key for key in TOKEN_KEYS if key in table]
    if len(sources) > 1:
        yield f"{' and '.join(sources)}; keep one of them"
    if sources and "base_url" not in table:
        yield f"{sources[0]} without base_url: its token could go to any address that the environment names"
    if "token_command" in table and others & (stat.S_IWGRP | stat.S_IWOTH):
        yield "a token_command, and other users may write the file; run: chmod 600 FILE"
    if "@" in table.get("proxy", "") and others:
        yield "a proxy with a password, and other users may read the file; run: chmod 600 FILE"


def unused_client(**settings: Any) -> AgentPlatform:
    """Return a client that sends nothing: its methods can be inspected, and it checks settings.

    Raises:
        ConfigurationError: A setting is wrong.
    """
    nobody = {"base_url": "https://platform.invalid", "token": "svc_nobody", "organization": "org-nobody"}
    given: dict[str, Any] = nobody | settings
    return AgentPlatform(**given)


def config_path() -> Path:
    """Return the path of the file of profiles: AGENT_PLATFORM_CONFIG, or a file in the configuration folder."""
    return Path(os.environ.get(CONFIG) or f"{click.get_app_dir('agent-session-platform')}/config.toml")


def chosen_name(name: str | None) -> str | None:
    """Return the name of the profile that a command uses; None if it uses no profile.

    Without a name, AGENT_PLATFORM_PROFILE chooses the profile. If that is not set either, the default of the file is
    used, unless the environment has a base URL or a credential.

    Args:
        name: The name in `--profile`; None if the option is not given.

    Raises:
        ConfigurationError: The file of profiles is wrong.
    """
    named = name or os.environ.get(PROFILE) or None
    return named if named or overriding() else ProfileFile(config_path()).default


def overriding() -> list[str]:
    """Return the environment variables that prevent the use of the default profile because they are set."""
    return [each for each in WITHOUT_DEFAULT if os.environ.get(each)]


def chosen_profile(name: str | None) -> Profile | None:
    """Return the profile that a command uses; None if it uses no profile. See `chosen_name`.

    Raises:
        ConfigurationError: There is no such profile, or it cannot be used.
    """
    chosen = chosen_name(name)
    return None if chosen is None else ProfileFile(config_path()).profile(chosen)
