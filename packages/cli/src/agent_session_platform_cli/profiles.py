"""Profiles: settings of a client that have a name, in a file of the user, and where their token comes from."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Self

import attrs
import click
from agent_session_platform import AgentPlatform, ConfigurationError, Credential, CredentialUnavailableError
from agent_session_platform.contract import is_array, is_object

from .lookup import nearest

CONFIG: Final = "AGENT_PLATFORM_CONFIG"
PROFILE: Final = "AGENT_PLATFORM_PROFILE"
# Who sets one of these means that server or that credential: the default profile would mix them with its own.
WITHOUT_DEFAULT: Final = ("AGENT_PLATFORM_BASE_URL", "AGENT_PLATFORM_TOKEN", "AGENT_PLATFORM_TOKEN_FILE")

# The keys of a profile, each with the type of its value.
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
TOKEN_KEYS: Final = ("token_variable", "token_file", "token_command")

# A person may have to confirm it, for example by touching a key.
COMMAND_SECONDS: Final = 30.0

DEFAULT_LINE: Final = re.compile(
    rb"""^default[ \t]*=[ \t]*("[^"\r\n]*"|'[^'\r\n]*')(?=[ \t]*(#.*)?\r?$)""", re.MULTILINE
)
USERINFO: Final = re.compile("//.*@")
WORD: Final = re.compile(r"[\w.~-]+", re.ASCII)


def has_credential(text: str) -> bool:
    """Return whether a word of a text begins as a credential does: then no message shows it."""
    return any(Credential(word).kind is not None for word in WORD.findall(text))


@attrs.frozen
class Profile:
    """The settings of a client, by their name.

    Attributes:
        name: Its name.
        where: The file and the profile, for messages.
        settings: The arguments of `AgentPlatform`, but for the token.
        token_key: The key that says where the token comes from; None: the environment has it.
    """

    name: str
    where: str
    settings: Mapping[str, Any] = attrs.field(repr=False)
    token_key: str | None = None
    _token_value: Any = attrs.field(default=None, repr=False)

    def connection(self) -> dict[str, Any]:
        """Return the arguments of `AgentPlatform`; the token of a command is read when a call needs it.

        Raises:
            CredentialUnavailableError: The variable with the token is not set.
        """
        found, value = {**self.settings}, self._token_value
        if self.token_key == "token_file":
            found["token_file"] = value
        elif self.token_key == "token_command":
            found["token"] = lambda: _printed_by(value, f"token_command of {self.where}")
        elif self.token_key is not None:
            found["token"] = os.environ.get(value)
            if not found["token"]:
                text = f"no credential: token_variable of {self.where} names a variable that is not set"
                raise CredentialUnavailableError(text)
        return found

    def describe(self) -> dict[str, Any]:
        """Return its settings for a person: no token, and no password of a proxy."""
        shown = {"name": self.name, **self.settings, "token_from": self.token_key or "the environment"}
        if "proxy" in shown:
            shown["proxy"] = USERINFO.sub("//", shown["proxy"])
        return shown


def _printed_by(words: list[str], where: str) -> str:
    """Run a command, and return the token that it prints; no error has what it printed.

    Raises:
        CredentialUnavailableError: It failed, or did not print one line.
    """
    token, reason = "", "must print one line with the token"
    nothing = subprocess.DEVNULL
    try:
        printed = subprocess.check_output(words, stdin=nothing, stderr=nothing, timeout=COMMAND_SECONDS)
        token = printed.decode("utf-8", "replace").strip()
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        reason = f"has failed ({type(error).__name__})"
    # Outside of the handler: its error has what the command printed.
    if len(token.splitlines()) != 1:
        raise CredentialUnavailableError(f"no credential: {where} {reason}; run it yourself to see why")
    return token


class ProfileFile:
    """The profiles of a file.

    Args:
        path: The file.
        content: Its bytes.
        others: What others may do with it, as the bits of its mode.

    Raises:
        ConfigurationError: It is no TOML, or has something else than `default` and profiles.
    """

    def __init__(self, path: Path, content: bytes, *, others: int = 0) -> None:
        self.path = path
        self._content = content
        self._others = others
        try:
            self._document = tomllib.loads(content.decode())
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            # It names line and column, and at most one character.
            raise ConfigurationError(f"{path} is no TOML in UTF-8: {error}; text must be in quotes") from None
        profiles = self._document.get("profiles", {})
        is_right = is_object(profiles) and all(is_object(each) for each in profiles.values())
        is_right &= self._document.keys() <= {"default", "profiles"}
        if not (is_right and isinstance(self._document.get("default", ""), str)) or any(map(has_credential, profiles)):
            raise ConfigurationError(
                f"{path} may only have `default`, the name of a profile in quotes, and tables [profiles.NAME]; no name "
                "may look like a credential"
            )

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file.

        Raises:
            ConfigurationError: It cannot be read, or is wrong.
        """
        try:
            with path.open("rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                content = file.read()
        except OSError as error:
            raise ConfigurationError(
                f"the profiles in {path} cannot be read: {error.strerror}; write a table [profiles.NAME] with base_url "
                f"into it, or set {CONFIG} to the path of another file"
            ) from None
        return cls(path, content, others=stat.S_IMODE(mode) & 0o077 if os.name == "posix" else 0)

    @property
    def names(self) -> list[str]:
        """The names of the profiles, in their order."""
        return [*self._document.get("profiles", {})]

    @property
    def default(self) -> str | None:
        """The name of the default profile; None without."""
        return self._document.get("default")

    def profile(self, name: str) -> Profile:
        """Return a profile.

        Raises:
            ConfigurationError: There is none of that name, or something in it is wrong; the message shows no token.
        """
        if name not in self.names:
            shown = "of that name, which looks like a credential" if has_credential(name) else repr(name)
            hint = nearest(name, self.names) or f"; it has {', '.join(self.names[:10]) or 'none'}"
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
        """Write which profile is the default; the rest of the file stays byte for byte.

        Raises:
            ConfigurationError: There is no such profile, or the line cannot be written without another change.
            OSError: The file cannot be written.
        """
        self.profile(name)
        line = f"default = {json.dumps(name, ensure_ascii=False)}"
        if self.default is None:
            content = f"{line}\n".encode() + self._content
        else:
            content = DEFAULT_LINE.sub(lambda found: line.encode(), self._content, count=1)
        if ProfileFile(self.path, content)._document != {**self._document, "default": name}:
            raise ConfigurationError(f"write the line {line} before the first table of {self.path} yourself")
        # The new file has the mode of the old one. Whoever keeps it elsewhere, and has a link to it, keeps that.
        os.chmod(self.path, 0o600)
        with click.open_file(str(self.path), "wb", atomic=True) as file:
            file.write(content)


def _mistakes(table: Mapping[str, Any], others: int) -> Iterator[str]:
    """Yield what is wrong with a profile, without a value of it.

    Args:
        table: Its keys and values.
        others: What others may do with the file, as the bits of its mode.
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
    """Return a client that is never called: it has methods to look at, or checks settings.

    Raises:
        ConfigurationError: One cannot be used.
    """
    nobody = {"base_url": "https://platform.invalid", "token": "svc_nobody", "organization": "org-nobody"}
    given: dict[str, Any] = nobody | settings
    return AgentPlatform(**given)


def config_path() -> Path:
    """Return the path of the file: that of AGENT_PLATFORM_CONFIG, or the one in the configuration folder."""
    return Path(os.environ.get(CONFIG) or f"{click.get_app_dir('agent-session-platform')}/config.toml")


def chosen_name(name: str | None) -> str | None:
    """Return the name of the profile that a command uses; None for none.

    Args:
        name: The name that `--profile` gives; None: the one that AGENT_PLATFORM_PROFILE names, or else the default of
            the file, unless the environment has a base URL or a credential.

    Raises:
        ConfigurationError: The file is wrong.
    """
    named = name or os.environ.get(PROFILE) or None
    if named or overriding() or not config_path().exists():
        return named
    return ProfileFile.read(config_path()).default


def overriding() -> list[str]:
    """Return the variables of the environment by which the default profile is not used."""
    return [each for each in WITHOUT_DEFAULT if os.environ.get(each)]


def chosen_profile(name: str | None) -> Profile | None:
    """Return the profile that a command uses; None for none; see `chosen_name`.

    Raises:
        ConfigurationError: There is no such profile, or something in it is wrong.
    """
    chosen = chosen_name(name)
    return None if chosen is None else ProfileFile.read(config_path()).profile(chosen)
