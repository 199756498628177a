"""What a profile may say, and how each mistake is told: with the file, the profile, the key and the way out."""

from __future__ import annotations

import os

import pytest
from agent_session_platform import ConfigurationError

from cli_tests.profiles.conftest import SECRET, Write, arguments_of

BASE = '[profiles.a]\nbase_url = "https://platform.example.com"\n'


def test_settings_are_arguments_of_a_client(config: Write) -> None:
    path = config(
        f'{BASE}organization = "org-a"\ntransport = "httpx2"\nallow_http = true\nproxy = "http://proxy:3128"\n'
        'verify = "authority.pem"\n'
    )
    (path.parent / "authority.pem").touch()
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
        *(
            ("token_command = ['touch', 'here']", mode, "a token_command, and other users may write")
            for mode in (0o620, 0o602)
        ),
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
