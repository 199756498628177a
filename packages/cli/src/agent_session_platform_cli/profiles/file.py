"""The file with the profiles: `config.toml` in the configuration folder that the system has for a user."""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any, Final, Self, cast

from agent_session_platform import ConfigurationError
from agent_session_platform.files import write_whole
from agent_session_platform.text import format_value

from ..suggestions import nearest
from .profile import Profile, is_secret

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
        is_shared: Whether others may read it.

    Raises:
        ConfigurationError: It is no TOML, or its `default` or `profiles` is of the wrong type.
    """

    def __init__(self, path: Path, content: bytes, *, is_shared: bool = False) -> None:
        self.path = path
        self._content = content
        self._is_shared = is_shared
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
        return cls(path, content, is_shared=os.name == "posix" and bool(stat.S_IMODE(mode) & 0o077))

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
            shown = "of that name, which looks like a credential" if is_secret(name) else format_value(name)
            hint = nearest(name, self.names) or f"; it has {', '.join(self.names[:10]) or 'none'}"
            raise ConfigurationError(f"{self.path} has no profile {shown}{hint}")
        return Profile(name, self.path, self._profiles[name], is_shared=self._is_shared)

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
        # Whoever keeps the file elsewhere, and has a link to it, keeps that.
        target = os.path.realpath(self.path)
        write_whole(target, content)

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
                f"{self.path} has an unknown key{'' if is_secret(unknown) else f' {format_value(unknown)}'} outside of "
                "the profiles; it may have `default` and tables [profiles.NAME]"
            )
        if not isinstance(document.get("default", ""), str):
            raise ConfigurationError(f"{self.path}: `default` must be the name of a profile in quotes")
        profiles = document.get("profiles", {})
        if not isinstance(profiles, dict) or not all(isinstance(each, dict) for each in profiles.values()):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType, reportUnknownMemberType]  # any TOML
            raise ConfigurationError(f"{self.path}: each profile must be a table: [profiles.NAME]")
        return document
