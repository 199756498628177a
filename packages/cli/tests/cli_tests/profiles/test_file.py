"""The file of profiles: how it is read, and that only one line of it is ever written."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path

import pytest
from agent_session_platform import ConfigurationError
from agent_session_platform_cli.profiles import ProfileFile, config_path

from cli_tests.profiles.conftest import SECRET, Write

PROFILE = '[profiles.b]\nbase_url = "https://b.example.com" # mine\ntoken_file = "x"\n\n\n'
WINDOWS = PROFILE.replace("\n", "\r\n")

REWRITTEN = {
    "without a default": (PROFILE, f'default = "b"\n{PROFILE}'),
    "with another": (f'# x\ndefault  =  "a"  # y\n{PROFILE}', f'# x\ndefault  =  "b"  # y\n{PROFILE}'),
    "in other quotes": (f"default = 'a'\n{PROFILE}", f'default = "b"\n{PROFILE}'),
    "with the line ends of Windows": (f'default = "a"\r\n{WINDOWS}', f'default = "b"\r\n{WINDOWS}'),
}


@pytest.mark.parametrize(("before", "after"), REWRITTEN.values(), ids=REWRITTEN)
def test_the_rest_of_the_file_stays_byte_for_byte(config: Write, before: str, after: str) -> None:
    path = config(before)
    ProfileFile.read(path).make_default("b")
    assert path.read_bytes() == after.encode()
    assert tomllib.loads(after)["default"] == "b"


@pytest.mark.parametrize(
    "before",
    [f'"default" = "a"\n{PROFILE}', f'default = """a"""\n{PROFILE}', f'{PROFILE}[profiles.c]\ndefault = "x"\n'],
)
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


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_the_file_is_its_owners_alone_afterwards_and_a_link_to_it_stays_one(config: Write) -> None:
    path = config(PROFILE, mode=0o644)
    link = path.parent / "link.toml"
    link.symlink_to(path)
    ProfileFile.read(link).make_default("b")
    assert link.is_symlink()
    assert (ProfileFile.read(path).default, stat.S_IMODE(path.stat().st_mode)) == ("b", 0o600)
    assert {*path.parent.iterdir()} == {path, link}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[profiles.a]\nbase_url = https://x", r"is no TOML in UTF-8: .*line 2, column 12.*; text must be in quotes"),
        (b"\xff", "is no TOML in UTF-8"),
        *(
            (text, "may only have `default`, the name of a profile in quotes, and tables")
            for text in (b"defualt = 'a'", b"default = 1", b"profiles = 1", b"profiles.a = 1", f"{SECRET} = 1".encode())
        ),
        (f"profiles.{SECRET}.base_url = 1".encode(), "no name may look like a credential"),
    ],
)
def test_a_mistake_in_the_file_is_told(config: Write, content: bytes, message: str) -> None:
    path = config("")
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=message) as caught:
        ProfileFile.read(path)
    assert str(path) in str(caught.value)
    assert SECRET not in str(caught.value)


def test_the_file_is_in_the_configuration_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("AGENT_PLATFORM_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = config_path()
    assert (path.name, "agent-session-platform" in path.parts) == ("config.toml", True)
