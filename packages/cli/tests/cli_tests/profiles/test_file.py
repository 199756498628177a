"""The file of profiles: how it is read, and that only one line of it is ever written."""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from agent_session_platform import ConfigurationError
from agent_session_platform_cli.profiles import ProfileFile, config_path

Write = Callable[..., Path]
PROFILE = '[profiles.b]\nbase_url = "https://b.example.com" # mine\n\n\n'

REWRITTEN = {
    "without a default": (PROFILE, f'default = "b"\n{PROFILE}'),
    "with another": (f'# x\ndefault  =  "a"  # y\n{PROFILE}', f'# x\ndefault  =  "b"  # y\n{PROFILE}'),
    "in other quotes": (f"default = 'a'\n{PROFILE}", f'default = "b"\n{PROFILE}'),
    "with the line ends of Windows": (PROFILE.replace("\n", "\r\n"), f'default = "b"\n{PROFILE}'.replace("\n", "\r\n")),
    "with a default in a table": (f"{PROFILE}[profiles.c]\n", f'default = "b"\n{PROFILE}[profiles.c]\n'),
}


@pytest.mark.parametrize(("before", "after"), REWRITTEN.values(), ids=REWRITTEN)
def test_the_rest_of_the_file_stays_byte_for_byte(config: Write, before: str, after: str) -> None:
    path = config(before)
    ProfileFile.read(path).make_default("b")
    assert path.read_bytes() == after.encode()
    assert tomllib.loads(after)["default"] == "b"


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_the_file_is_its_owners_alone_afterwards(config: Write) -> None:
    path = config(PROFILE, mode=0o644)
    ProfileFile.read(path).make_default("b")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.skipif(os.name != "posix", reason="links need a privilege elsewhere")
def test_a_link_to_the_file_stays_one(config: Write, tmp_path: Path) -> None:
    target = config(PROFILE)
    link = tmp_path / "link.toml"
    link.symlink_to(target)
    ProfileFile.read(link).make_default("b")
    assert link.is_symlink()
    assert ProfileFile.read(target).default == "b"


@pytest.mark.parametrize("before", [f'"default" = "a"\n{PROFILE}', f'default = """a"""\n{PROFILE}'])
def test_what_cannot_be_changed_on_its_line_is_left_to_the_user(config: Write, before: str) -> None:
    path = config(before)
    with pytest.raises(ConfigurationError, match='write the line default = "b" before the first table yourself'):
        ProfileFile.read(path).make_default("b")
    assert path.read_text() == before


def test_only_a_profile_that_can_be_used_becomes_the_default(config: Write) -> None:
    path = config("[profiles.b]\nbase_url = 1\n")
    with pytest.raises(ConfigurationError, match="wrong form"):
        ProfileFile.read(path).make_default("b")
    assert path.read_text() == "[profiles.b]\nbase_url = 1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[profiles.a]\nbase_url = https://x", r"is no TOML: .*line 2, column 12.*; text must be in quotes"),
        ("defualt = 'a'", "has an unknown key 'defualt' outside of the profiles"),
        ("default = 1", "`default` must be the name of a profile in quotes"),
        ("profiles = 1", "each profile must be a table"),
        ("profiles.a = 1", "each profile must be a table"),
    ],
)
def test_a_mistake_in_the_file_is_told(config: Write, text: str, message: str) -> None:
    path = config(text)
    with pytest.raises(ConfigurationError, match=message) as caught:
        ProfileFile.read(path)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_in_utf_8_is_told(config: Write) -> None:
    path = config("")
    path.write_bytes(b"\xff")
    with pytest.raises(ConfigurationError, match="is not in UTF-8"):
        ProfileFile.read(path)


def test_the_file_is_in_the_configuration_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("AGENT_PLATFORM_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = config_path()
    assert (path.name, "agent-session-platform" in path.parts) == ("config.toml", True)
