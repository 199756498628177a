"""Profiles: settings of a client that have a name, in a file of the user, and where their token comes from."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Self, cast

import click
from agent_session_platform import ConfigurationError, Credential, CredentialUnavailableError

from .lookup import nearest
from .settings import TRANSPORTS
from .unused_client import unused_client

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
    named = f"token_command of {where} ({words[0]!r})"

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
        others: What others may do with the file, as the bits of its mode.

    Attributes:
        name: Its name.
        path: The file that it is in.
        token_key: The key that says where the token comes from; None for none.

    Raises:
        ConfigurationError: A key is unknown, missing or has a wrong value; the message never shows a token.
    """

    def __init__(self, name: str, path: Path, table: Mapping[str, Any], *, others: int = 0) -> None:
        self.name = name
        self.path = path
        self._where = f"{path}: profile {name!r}"
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
        if others & 0o022 and "token_command" in table:
            raise self._wrong(f"has a token_command, and other users may write the file; run: chmod 600 '{path}'")
        if others and ("token" in table or "@" in table.get("proxy", "")):
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
                return f"the command {value[0]!r}"
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
                shown = ", which looks like a credential" if is_secret(key) else f" {key!r}"
                raise self._wrong(f"has an unknown key{shown}{nearest(key, KEYS)}; the keys are {', '.join(KEYS)}")
            kind, wanted = KEYS[key]
            if key != "token" and any(is_secret(os.path.basename(each)) for each in texts_in(value)):
                raise self._wrong(f"has what looks like a credential in {key}, which must be {wanted}")
            if not isinstance(value, kind) or not (value or kind is bool):
                raise self._wrong(f"has {key} of the wrong form; it must be {wanted}, not {type(value).__name__}")
        found = {key: value for key, value in table.items() if key != "allow_clear_text"}
        if found.get("transport", TRANSPORTS[0]) not in TRANSPORTS:
            raise self._wrong(f"has transport {found['transport']!r}; it must be {KEYS['transport'][1]}")
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


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in a value of TOML."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        members = cast("Any", value)
        for each in members.values() if isinstance(value, dict) else members:
            yield from texts_in(each)


def is_secret(text: str) -> bool:
    """Return whether a text begins as a credential does: then no message shows it."""
    try:
        return Credential(text).kind is not None
    except ConfigurationError:
        return False


CONFIG: Final = "AGENT_PLATFORM_CONFIG"
MAX_BYTES: Final = 1024 * 1024

# Before the first table, where every line is of the file itself.
DEFAULT_LINE: Final = re.compile(rb"""^([ \t]*default[ \t]*=[ \t]*)("[^"\r\n]*"|'[^'\r\n]*')""", re.MULTILINE)
FIRST_TABLE: Final = re.compile(rb"^[ \t]*\[", re.MULTILINE)


def config_path() -> Path:
    """Return the path of the file: that of AGENT_PLATFORM_CONFIG, or the one in the configuration folder."""
    named = os.environ.get(CONFIG)
    if named:
        return Path(named)
    # Imported here, because most commands of a script name no profile.
    from platformdirs import user_config_path

    return user_config_path("agent-session-platform", appauthor=False) / "config.toml"


class ProfileFile:
    """The profiles of a file.

    Args:
        path: The file.
        content: Its bytes.
        others: What others may do with it, as the bits of its mode.

    Raises:
        ConfigurationError: It is no TOML, or its `default` or `profiles` is of the wrong type.
    """

    def __init__(self, path: Path, content: bytes, *, others: int = 0) -> None:
        self.path = path
        self._content = content
        self._others = others
        self._document = self._parse(content)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file.

        Raises:
            ConfigurationError: It cannot be read, or is wrong.
        """
        try:
            with path.open("rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                content = file.read(MAX_BYTES + 1)
        except OSError as error:
            reason = "it does not exist" if isinstance(error, FileNotFoundError) else error.strerror
            raise ConfigurationError(
                f"the profiles in {path} cannot be read: {reason}; write a table [profiles.NAME] with base_url into "
                f"it, or set {CONFIG} to the path of another file"
            ) from None
        if len(content) > MAX_BYTES:
            raise ConfigurationError(f"{path} has more than {MAX_BYTES:,} bytes, which no file of profiles has")
        return cls(path, content, others=stat.S_IMODE(mode) & 0o077 if os.name == "posix" else 0)

    @property
    def names(self) -> list[str]:
        """The names of the profiles, in their order."""
        return [*self._profiles]

    @property
    def default(self) -> str | None:
        """The name of the default profile; None without."""
        return cast("str | None", self._document.get("default"))

    def profile(self, name: str) -> Profile:
        """Return a profile.

        Raises:
            ConfigurationError: There is none of that name, or something in it is wrong.
        """
        if name not in self._profiles:
            shown = "of that name, which looks like a credential" if is_secret(name) else repr(name)
            hint = nearest(name, self.names) or f"; it has {', '.join(self.names[:10]) or 'none'}"
            raise ConfigurationError(f"{self.path} has no profile {shown}{hint}")
        return Profile(name, self.path, self._profiles[name], others=self._others)

    def make_default(self, name: str) -> None:
        """Write which profile is the default; the rest of the file stays byte for byte.

        Raises:
            ConfigurationError: There is no such profile, or the line cannot be written without another change.
            OSError: The file cannot be written.
        """
        self.profile(name)
        content = self._with_default(name)
        try:
            changed = ProfileFile(self.path, content)._document if content is not None else None
        except ConfigurationError:
            changed = None
        if content is None or changed != {**self._document, "default": name}:
            raise ConfigurationError(
                f"the default of {self.path} is not written on one line of its own; write the line "
                f"default = {json.dumps(name, ensure_ascii=False)} before the first table yourself"
            )
        # The new file has the mode of the old one. Whoever keeps it elsewhere, and has a link to it, keeps that.
        os.chmod(self.path, 0o600)
        with click.open_file(str(self.path), "wb", atomic=True) as file:
            file.write(content)

    def _with_default(self, name: str) -> bytes | None:
        value = json.dumps(name, ensure_ascii=False).encode()
        table = FIRST_TABLE.search(self._content)
        found = DEFAULT_LINE.search(self._content, 0, table.start() if table else len(self._content))
        if found:
            return b"".join((self._content[: found.start(2)], value, self._content[found.end(2) :]))
        if "default" in self._document:
            return None
        line_end = b"\r\n" if b"\r\n" in self._content else b"\n"
        return b"default = " + value + line_end + self._content

    @property
    def _profiles(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self._document.get("profiles", {}))

    def _parse(self, content: bytes) -> dict[str, Any]:
        try:
            document = tomllib.loads(content.decode())
        except UnicodeDecodeError:
            raise ConfigurationError(f"{self.path} is not in UTF-8; write it as UTF-8") from None
        except tomllib.TOMLDecodeError as error:
            # It names line and column, and at most one character.
            raise ConfigurationError(f"{self.path} is no TOML: {error}; text must be in quotes") from None
        unknown = next((name for name in document if name not in ("default", "profiles")), None)
        if unknown is not None:
            raise ConfigurationError(
                f"{self.path} has an unknown key{'' if is_secret(unknown) else f' {unknown!r}'} outside of "
                "the profiles; it may have `default` and tables [profiles.NAME]"
            )
        if not isinstance(document.get("default", ""), str):
            raise ConfigurationError(f"{self.path}: `default` must be the name of a profile in quotes")
        profiles = document.get("profiles", {})
        if not isinstance(profiles, dict) or not all(isinstance(each, dict) for each in profiles.values()):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType, reportUnknownMemberType]  # any TOML
            raise ConfigurationError(f"{self.path}: each profile must be a table: [profiles.NAME]")
        return document


PROFILE: Final = "AGENT_PLATFORM_PROFILE"
ORGANIZATION: Final = "AGENT_PLATFORM_ORG_ID"
# Who sets one of these means that server or that credential: the default profile would mix them with its own.
WITHOUT_DEFAULT: Final = ("AGENT_PLATFORM_BASE_URL", "AGENT_PLATFORM_TOKEN", "AGENT_PLATFORM_TOKEN_FILE")


def chosen_profile(name: str | None) -> Profile | None:
    """Return the profile that a command uses; None for none.

    Args:
        name: The name that `--profile` gives; None: the one that AGENT_PLATFORM_PROFILE names, or else the default of
            the file, unless the environment has a base URL or a credential.

    Raises:
        ConfigurationError: There is no such profile, or something in it is wrong.
    """
    named = name or os.environ.get(PROFILE)
    if named:
        return ProfileFile.read(config_path()).profile(named)
    if any(os.environ.get(each) for each in WITHOUT_DEFAULT) or not config_path().exists():
        return None
    file = ProfileFile.read(config_path())
    return file.profile(file.default) if file.default is not None else None


def connection_of(profile: str | None) -> dict[str, Any]:
    """Return the arguments of `AgentPlatform` that a profile has; empty without a profile.

    Args:
        profile: Its name; None: see `chosen_profile`.

    Raises:
        ConfigurationError: There is no such profile, or something in it is wrong.
    """
    found = chosen_profile(profile)
    if found is None:
        return {}
    connection = found.connection()
    if not (profile or os.environ.get(PROFILE)) and os.environ.get(ORGANIZATION):
        # The default profile gives way to what was set for this one command.
        connection.pop("organization", None)
    return connection
