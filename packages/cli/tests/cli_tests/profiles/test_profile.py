"""What a profile may say, and how each mistake is told: with the file, the profile, the key and the way out."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from agent_session_platform import ConfigurationError
from agent_session_platform_cli.profiles import connection_of

Write = Callable[..., Path]
SECRET = "svc_never_show_this_0123456789"
BASE = '[profiles.a]\nbase_url = "https://platform.example.com"\n'


def test_settings_are_arguments_of_a_client(config: Write) -> None:
    path = config(
        f'{BASE}organization = "org-a"\ntransport = "httpx2"\nallow_http = true\nproxy = "http://proxy:3128"\n'
        'verify = "authority.pem"\n'
    )
    (path.parent / "authority.pem").touch()
    assert connection_of("a") == {
        "base_url": "https://platform.example.com",
        "organization": "org-a",
        "transport": "httpx2",
        "allow_http": True,
        "proxy": "http://proxy:3128",
        "verify": str(path.parent / "authority.pem"),
    }


MISTAKES = {
    "an unknown key": (BASE + 'organisation = "org-a"', "unknown key 'organisation'; did you mean 'organization'?"),
    "a credential as a key": (BASE + f"{SECRET} = 1", "unknown key, which looks like a credential"),
    "a wrong type": (
        BASE + "token_command = 'pass show'",
        "token_command of the wrong form; it must be a list of words",
    ),
    "an empty text": (BASE + "organization = ''", "organization of the wrong form"),
    "a base URL": ("[profiles.a]\nbase_url = 'x'", "cannot be used: base_url must be an http or https address"),
    "an organization": (BASE + "organization = 'acme'", "cannot be used: organization must be an id that starts"),
    "a proxy": (BASE + f"proxy = 'ftp://u:{SECRET}@x'", "cannot be used: proxy must be an address such as"),
    "certificates": (BASE + "verify = '/nowhere.pem'", "cannot be used: verify='/nowhere.pem'"),
    "a transport": (BASE + "transport = 'curl'", "transport 'curl'; it must be one of httpx, httpx2, aiohttp"),
    "a token for a variable": (BASE + f"token_variable = '{SECRET}'", "looks like a credential in token_variable"),
    "a token for a file": (BASE + f"token_file = '{SECRET}'", "looks like a credential in token_file"),
    "a token for a command": (BASE + f"token_command = ['{SECRET}']", "looks like a credential in token_command"),
    "a token for a keyring": (BASE + f"token_keyring = {{service = '{SECRET}', user = 'x'}}", "in token_keyring"),
    "a token for another setting": (BASE + f"verify = '{SECRET}'", "looks like a credential in verify"),
    "two tokens": (BASE + "token_file = 'x'\ntoken_variable = 'X'", "has token_variable and token_file; keep one"),
    "a token for any server": ("[profiles.a]\ntoken_file = 'x'", "has token_file without base_url"),
    "a token": (BASE + f"token = '{SECRET}'", "has `token` in clear text; use token_variable, token_file"),
    "a token that is not meant": (BASE + f"token = '{SECRET}'\nallow_clear_text = false", "in clear text; use"),
    "a malformed token": (BASE + f"token = '{SECRET} '\nallow_clear_text = true", "begins or ends with white space"),
    "words that are none": (BASE + "token_command = [1]", "token_command with a word that is no text"),
    "half a keyring": (BASE + "token_keyring = { service = 'x' }", "token_keyring that is not { service"),
    "a variable": (BASE + "token_variable = 'UNSET_TOKEN'", "the variable UNSET_TOKEN, which is not set; set it"),
}


@pytest.mark.parametrize(("text", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told(config: Write, text: str, message: str) -> None:
    path = config(text)
    with pytest.raises(ConfigurationError) as caught:
        connection_of("a")
    assert message in str(caught.value)
    assert f"{path}: profile 'a'" in str(caught.value)
    assert SECRET not in str(caught.value)


def test_a_token_in_clear_text_is_taken_where_that_is_meant(config: Write) -> None:
    config(f'{BASE}token = "{SECRET}"\nallow_clear_text = true')
    assert connection_of("a")["token"] == SECRET


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
def test_a_command_in_a_file_that_others_can_write_does_not_run(config: Write) -> None:
    path = config(f"{BASE}token_command = ['touch', 'here']", mode=0o622)
    with pytest.raises(ConfigurationError, match="has a token_command, and other users may write the file"):
        connection_of("a")
    assert not (path.parent / "here").exists()


@pytest.mark.skipif(os.name != "posix", reason="other systems have other permissions")
@pytest.mark.parametrize(
    ("line", "what"),
    [(f"token = '{SECRET}'\nallow_clear_text = true", "a token"), (f"proxy = 'http://u:{SECRET}@x'", "a proxy with")],
)
def test_a_secret_in_a_file_that_others_can_read_is_refused(config: Write, line: str, what: str) -> None:
    path = config(BASE + line, mode=0o644)
    with pytest.raises(ConfigurationError) as caught:
        connection_of("a")
    assert f"has {what}" in str(caught.value)
    assert f"other users may read the file; run: chmod 600 '{path}'" in str(caught.value)
    assert SECRET not in str(caught.value)


def test_no_profile_has_no_settings() -> None:
    assert connection_of(None) == {}
