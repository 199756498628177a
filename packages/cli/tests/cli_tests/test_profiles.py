"""Profiles: which profile is used, its settings, and the source of its token."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import certifi
import pytest
from agent_session_platform import AgentPlatform, ConfigurationError, CredentialUnavailableError
from agent_session_platform_cli import profiles
from agent_session_platform_cli.connect import read_setup
from agent_session_platform_cli.profiles import ProfileFile, chosen_profile, config_path
from agent_session_platform_cli.settings import Settings

from tests.servers.fault_server import fault_server
from tests.servers.scripts import EMPTY_LIST

Write: TypeAlias = Callable[..., Path]
SECRET = "svc_never_show_this_0123456789"


def arguments_of(profile: str | None) -> dict[str, Any]:
    """Return the arguments of a client with a profile."""
    return {**read_setup(Settings(profile=profile)).arguments}


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Return a function that writes the file of profiles."""

    def write(text: str, mode: int = 0o600) -> Path:
        path = tmp_path / "config.toml"
        path.write_bytes(text.encode())
        path.chmod(mode)
        (tmp_path / "token").write_text(f"{SECRET}\n")
        monkeypatch.setenv("MY_TOKEN", SECRET)
        monkeypatch.setenv("AGENT_PLATFORM_CONFIG", str(path))
        return path

    return write


TWO = (
    'default = "a"\n[profiles.a]\nbase_url = "https://a.example.com"\norganization = "org-a"\n'
    '[profiles.b]\nbase_url = "https://b.example.com"\n'
)


@pytest.mark.parametrize(
    ("environment", "option", "used"),
    [
        ({}, None, "a"),
        ({"PROFILE": "b"}, None, "b"),
        ({"PROFILE": "b"}, "a", "a"),
        # The default profile is never mixed with a server or a credential of the environment.
        *(({name: "x"}, None, None) for name in ("BASE_URL", "TOKEN", "TOKEN_FILE")),
        ({"TOKEN": "x"}, "a", "a"),
    ],
)
def test_the_option_wins_over_the_variable_and_that_over_the_default(
    config: Write, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], option: str | None, used: str | None
) -> None:
    config(TWO)
    for name, value in environment.items():
        monkeypatch.setenv(f"AGENT_PLATFORM_{name}", value)
    assert getattr(chosen_profile(option), "name", None) == used


def test_the_default_gives_way_to_the_organization_of_the_environment(
    config: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    config(TWO)
    monkeypatch.setenv("AGENT_PLATFORM_ORG_ID", "org-b")
    assert [arguments_of(name)["organization"] for name in (None, "a")] == ["org-b", "org-a"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("stagin", "has no profile 'stagin'; did you mean 'staging'"),
        ("svc_secret", "has no profile of that name, which looks like a credential"),
    ],
)
def test_an_unknown_profile_is_told(config: Write, name: str, message: str) -> None:
    path = config(TWO.replace("profiles.b", "profiles.staging"))
    with pytest.raises(ConfigurationError) as caught:
        chosen_profile(name)
    assert f"{path} {message}" in str(caught.value)
    assert "svc_secret" not in str(caught.value)


def test_a_profile_without_a_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_PLATFORM_CONFIG", str(tmp_path / "none.toml"))
    assert arguments_of(None) == {}
    with pytest.raises(ConfigurationError, match=r"none.toml has no profile 'a'; write a table"):
        chosen_profile("a")


BASE = '[profiles.a]\nbase_url = "https://platform.example.com"\n'


def test_settings_are_arguments_of_a_client(config: Write) -> None:
    path = config(
        f'{BASE}organization = "org-a"\ntransport = "httpx2"\nallow_http = true\nproxy = "http://proxy:3128"\n'
        'verify = "authority.pem"\n'
    )
    shutil.copy(certifi.where(), path.parent / "authority.pem")
    assert arguments_of("a") == {
        "base_url": "https://platform.example.com",
        "organization": "org-a",
        "transport": "httpx2",
        "allow_http": True,
        "proxy": "http://proxy:3128",
        "verify": str(path.parent / "authority.pem"),
    }


MISTAKES = {
    "an unknown key": (BASE + 'organisation = "org-a"', "unknown key 'organisation'; did you mean 'organization'?"),
    "a credential as a key": (BASE + f"{SECRET} = 1", "what looks like a credential in a key"),
    "a token": (BASE + f"token = '{SECRET}'", "what looks like a credential in token; a token comes from one of"),
    **{
        f"a token in {key}": (BASE + f"{key} = {value}", f"what looks like a credential in {key}")
        for key, value in {
            **dict.fromkeys(("token_variable", "token_file", "verify", "organization", "transport"), f"'{SECRET}'"),
            "token_command": f"['sh', '-c', 'echo {SECRET}']",
            "proxy": f"'http://u:{SECRET}@x'",
            "other": f"{{ a = [{{ b = '{SECRET}' }}] }}",
        }.items()
    },
    "a wrong type": (BASE + "token_command = 'pass'", "token_command of the wrong form; it must be a list of words"),
    "words that are none": (BASE + "token_command = [1]", "token_command of the wrong form"),
    "an empty text": (BASE + "organization = ''", "organization of the wrong form"),
    "a base URL": ("[profiles.a]\nbase_url = 'x'", "cannot be used: base_url must be an http or https address"),
    "an organization": (BASE + "organization = 'acme'", "cannot be used: organization must be an id that starts"),
    "a proxy": (BASE + "proxy = 'ftp://u:s3cret-word@x'", "cannot be used: proxy must be an address such as"),
    "certificates": (BASE + "verify = '/nowhere.pem'", "cannot be used: verify='/nowhere.pem'"),
    "a transport": (BASE + "transport = 'curl'", "cannot be used: transport"),
    "two tokens": (BASE + "token_file = 'x'\ntoken_variable = 'X'", "has token_variable and token_file; keep one"),
    "a token for any server": ("[profiles.a]\ntoken_file = 'x'", "has token_file without base_url"),
    "a variable": (BASE + "token_variable = 'UNSET_TOKEN'", "names a variable that is not set"),
}


@pytest.mark.parametrize(("text", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told(config: Write, text: str, message: str) -> None:
    path = config(text)
    with pytest.raises(ConfigurationError) as caught:
        arguments_of("a")
    assert message in str(caught.value)
    assert f"{path}: profile 'a'" in str(caught.value)
    assert [each for each in (SECRET, "s3cret-word") if each in str(caught.value)] == []


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
@pytest.mark.parametrize(
    ("line", "mode", "message"),
    [
        ("token_command = ['touch', 'here']", 0o620, "a token_command, and other users may write"),
        ("token_command = ['touch', 'here']", 0o602, "a token_command, and other users may write"),
        ("proxy = 'http://u:s3cret-word@x'", 0o644, "a proxy with a password, and other users may read"),
    ],
)
def test_a_file_that_others_can_write_runs_no_command_and_one_that_they_can_read_has_no_password(
    config: Write, line: str, mode: int, message: str
) -> None:
    path = config(BASE + line, mode=mode)
    with pytest.raises(ConfigurationError) as caught:
        arguments_of("a")
    assert f"has {message} the file; run: chmod 600" in str(caught.value)
    assert "s3cret-word" not in str(caught.value)
    assert not (path.parent / "here").exists()


def command(code: str, *words: str) -> str:
    return f"token_command = {[sys.executable, '-c', code, *words]!r}"


async def sent(config: Write, line: str) -> str | None:
    """Return the credential of a call with a profile."""
    async with fault_server(EMPTY_LIST) as server:
        config(f'[profiles.a]\nbase_url = "{server.base_url}"\n{line}\n')
        async with AgentPlatform(**arguments_of("a")) as platform:
            await platform.enterprise.blueprints.list()
    return server.requests[0].headers.get("authorization")


PRINT = "import os, sys; print('noise', file=sys.stderr); print('', os.environ['MY_TOKEN'], '')"


@pytest.mark.parametrize(
    ("line", "token"),
    [
        *((line, SECRET) for line in ("token_variable = 'MY_TOKEN'", "token_file = 'token'", command(PRINT))),
        # The command runs without a shell.
        (command("import sys; print(sys.argv[1])", "$(echo)*"), "$(echo)*"),
    ],
)
async def test_a_token_comes_from_a_variable_a_file_or_a_command(
    config: Write, line: str, token: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert await sent(config, line) == f"Bearer {token}"
    assert "noise" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (command(f"{PRINT}; raise SystemExit(3)"), "has failed (exit code 3); run it yourself"),
        ("token_command = ['/nowhere/pass']", "has failed (FileNotFoundError)"),
        ('token_command = ["\\u0000"]', "has failed (ValueError)"),
        (command(f"{PRINT}; {PRINT}"), "must print one line with the token"),
        (command("pass"), "must print one line with the token"),
        (command("import time; time.sleep(60)"), "has printed no token within 0.5 s"),
        # What the command has started holds its pipe.
        (command("import subprocess; subprocess.Popen(['sleep', '60'])"), "has printed no token within 0.5 s"),
        (command(f"{PRINT}\nwhile True: print('x' * 1000)"), "has printed more than 65,536 bytes"),
        (command("print('x' * 100_000)"), "has printed more than 65,536 bytes"),
    ],
)
async def test_a_command_that_fails_is_reported_without_its_output(
    config: Write, line: str, message: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "within" in message:
        monkeypatch.setattr(profiles, "QUIET_SECONDS", 0.1)
        monkeypatch.setattr(profiles, "COMMAND_SECONDS", 0.5)
    with pytest.raises(CredentialUnavailableError) as caught:
        await sent(config, line)
    assert message in str(caught.value)
    assert "profile 'a'" in str(caught.value)
    assert SECRET not in f"{caught.value}{capfd.readouterr()}"


async def test_a_slow_command_is_named_while_the_call_waits(
    config: Write, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiles, "QUIET_SECONDS", 0.0)
    assert await sent(config, command(PRINT)) == f"Bearer {SECRET}"
    message = capfd.readouterr().err
    assert message.startswith("asp: waiting for the token_command of ")
    assert message.endswith("profile 'a'\n")


async def test_a_byte_order_mark_before_a_token_is_left_out(config: Write) -> None:
    token = "svc_0123456789"
    line = command(f"import sys; sys.stdout.buffer.write(b'\\xef\\xbb\\xbf{token}\\r\\n')")
    assert await sent(config, line) == f"Bearer {token}"


def test_a_file_may_begin_with_a_byte_order_mark(config: Write) -> None:
    path = config(TWO)
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert ProfileFile(path).names == ["a", "b"]
    ProfileFile(path).make_default("b")
    assert ProfileFile(path).default == "b"


PROFILE = '[profiles.b]\nbase_url = "https://b.example.com" # mine\ntoken_file = "x"\n\n\n'
WINDOWS = PROFILE.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (PROFILE, f'default = "b"\n{PROFILE}'),
        (f'# x\ndefault  =  "a"  # y\n{PROFILE}', f'default = "b"\n# x\n{PROFILE}'),
        *((f"{line}\n{PROFILE}", f'default = "b"\n{PROFILE}') for line in ("default = 'a'", '"default" = """a"""')),
        (f'default = "a"\r\n{WINDOWS}', f'default = "b"\n{WINDOWS}'),
    ],
)
def test_the_other_lines_of_the_file_stay_byte_for_byte(config: Write, before: str, after: str) -> None:
    path = config(before)
    ProfileFile(path).make_default("b")
    assert path.read_bytes() == after.encode()
    assert tomllib.loads(after)["default"] == "b"


@pytest.mark.parametrize(
    ("before", "message"),
    [
        (PROFILE.replace('"x"', "'''x\ndefault\n'''"), 'write the line default = "b" before the first table'),
        ("[profiles.b]\nbase_url = 1\n", "base_url of the wrong form"),
    ],
)
def test_what_cannot_be_made_the_default_leaves_the_file_as_it_is(config: Write, before: str, message: str) -> None:
    path = config(before)
    with pytest.raises(ConfigurationError, match=message):
        ProfileFile(path).make_default("b")
    assert path.read_text() == before


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_the_file_is_its_owners_alone_afterwards_and_a_link_to_it_stays_one(config: Write) -> None:
    path = config(PROFILE, mode=0o644)
    link = path.parent / "link.toml"
    link.symlink_to(path)
    ProfileFile(link).make_default("b")
    assert link.is_symlink()
    assert (ProfileFile(path).default, stat.S_IMODE(path.stat().st_mode)) == ("b", 0o600)
    assert {*path.parent.glob("*.toml*")} == {path, link}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[profiles.a]\nbase_url = https://x", r"is not TOML in UTF-8: .*line 2, column 12.*; text must be in quotes"),
        (b"\xff", "is not TOML in UTF-8"),
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
        ProfileFile(path)
    assert str(path) in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_profiles_are_read_from_a_regular_file_only(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, Path("/dev/zero")):
        with pytest.raises(ConfigurationError, match=f"the profiles in {path} must be in a regular file; set AGENT_"):
            ProfileFile(path)
    assert ProfileFile(Path(os.devnull)).names == []


def test_a_file_without_end_is_not_read_as_profiles(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    with path.open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(ConfigurationError, match="more than 1,048,576 bytes of profiles"):
        ProfileFile(path)


def test_the_file_is_in_the_configuration_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("AGENT_PLATFORM_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = config_path()
    assert (path.name, "agent-session-platform" in path.parts) == ("config.toml", True)
