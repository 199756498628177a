"""The vendor's word: every identifier that carries it is in the contract's list, and nothing else is rewritten."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path, PurePath

import pytest

from codegen.contract.vendor_word import Renaming, VendorWord, VendorWordError, forms
from codegen.contract.word_lint import word_findings
from codegen.contract.word_places import MARK
from codegen.vendoring.private_build import private_build
from codegen.vendoring.word_sources import renamed

ROOT = Path(__file__).parents[2]
CONTRACT = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
MARKS = list(re.finditer(rf"\n *{MARK}: \[(.*)\]", CONTRACT))
# Neither the contract's word nor its prefix, whatever this suite is rewritten to.
WORD, PREFIX = "blorp", "bl_"


def vendor() -> VendorWord:
    found = VendorWord.read(CONTRACT)
    assert found is not None
    return found


OLD, OLD_CAMEL, OLD_CAPITALS = forms(vendor().word)
OLD_PREFIX = vendor().credential_prefix


def put(text: str) -> str:
    """Text with the contract's own words: for ~ the word, for ^ at the head of a name, for @ the credential prefix."""
    return text.replace("~", OLD).replace("^", OLD_CAMEL).replace("@", OLD_PREFIX)


@pytest.fixture(scope="module")
def renaming() -> Renaming:
    return Renaming(vendor(), WORD, PREFIX)


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: f"{CONTRACT[: mark.start()].count(chr(10)) + 2}-{mark[1]}")
def test_no_mark_can_be_taken_away(mark: re.Match[str]) -> None:
    found = list(word_findings(CONTRACT[: mark.start()] + CONTRACT[mark.end() :]))
    assert [line for line in found if mark[1].split(", ")[0] in line], found


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("        prompt:\n", "        ~_prompt:\n", "~_prompt carries the vendor's word"),
        ("enum: [normal, fast, lite]", "enum: [normal, ~s]", "~s carries the vendor's word"),
        ("[ViewOrgSessions]", "[View^Things]", "View^Things carries the vendor's word"),
        ("/enterprise/pr-reviews:", "/enterprise/~-reviews:", "~-reviews carries the vendor's word"),
        ("x-credential-prefix: apk_user_", "x-credential-prefix: @x_", "@x_ carries the vendor's word"),
        ("    ReviewStatus:\n", "    ^Status:\n", "^Status carries the vendor's word"),
        ("name: email\n", "name: ~_email\n", "~_email carries the vendor's word"),
        ("id: message-source-values", "id: ~-values", "the id ~-values carries the vendor's word; ids of"),
        ("title: Fix the flaky test,", "title: ~, ", "the example of title, ~, carries the vendor's word"),
        ("org_id: org-acme, title", "org_id: ~-2, title", "an id ~-2 whose field is not marked"),
        ("x-stated-path: /v3beta1", "x-stated-path: /v3/~s", "no x-vendor-word covers it"),
        ("x-permission-level: organ", "{mark}: [nothing]\n      x-permission-level: organ", "does not carry the word"),
        ("x-permission-level: organ", "{mark}: [~_x]\n      x-permission-level: organ", "which is not defined there"),
        ("  x-vendor: ", "  x-other: ", "x-vendor-word without x-vendor in info"),
        ("{mark}: [@]", "x-other: []", "no credential begins with @"),
    ],
)
def test_a_word_that_is_not_in_the_list_is_told(old: str, new: str, finding: str) -> None:
    old, new, finding = (put(text).replace("{mark}", MARK) for text in (old, new, finding))
    assert old in CONTRACT
    assert [line for line in word_findings(CONTRACT.replace(old, new, 1)) if finding in line]


def test_the_contract_with_another_word_keeps_the_list_complete(renaming: Renaming) -> None:
    rewritten = renaming.contract(CONTRACT)
    assert list(word_findings(rewritten)) == []
    again = VendorWord.read(rewritten)
    assert again is not None
    assert (again.word, again.credential_prefix) == (WORD, PREFIX)
    assert again.identifiers == {renaming.rename(each) for each in vendor().identifiers}


@pytest.mark.parametrize("prefix", ["sk-", "blorp_", "sess", "X9"])
def test_a_credential_prefix_of_any_form_is_put_in(prefix: str) -> None:
    rewritten = Renaming(vendor(), WORD, prefix).contract(CONTRACT)
    assert f"x-credential-prefix: {prefix}\n" in rewritten
    assert list(word_findings(rewritten)) == []


def test_there_and_back_is_the_same_contract(renaming: Renaming) -> None:
    there = renaming.contract(CONTRACT)
    other = VendorWord.read(there)
    assert other is not None
    assert Renaming(other, vendor().word, vendor().credential_prefix).contract(there) == CONTRACT


@pytest.mark.parametrize(
    "prose",
    [
        "Sessions of the ~ and their messages.",
        "^s answer; an ~-like tool is an ~. The ~'s id: ~-less.",
        "Say ~, or not.",
    ],
)
def test_prose_stays_as_it_is(renaming: Renaming, prose: str) -> None:
    prose = put(prose)
    assert renaming.prose(prose) == prose
    assert renamed(PurePath("a.py"), f'"""{prose}"""\n# {prose}\n', renaming) == f'"""{prose}"""\n# {prose}\n'
    description = "description: Enterprise-tier snapshot blueprints."
    assert description in CONTRACT
    assert f'description: "{prose}"' in renaming.contract(CONTRACT.replace(description, f'description: "{prose}"'))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('call.path["~_id"]', 'call.path["blorp_id"]'),
        ("create(~_mode='fast', target_~_id=x.~_mode)", "create(blorp_mode='fast', target_blorp_id=x.blorp_mode)"),
        ("from m import ^Mode as Mode", "from m import BlorpMode as Mode"),
        ('"Use^Sessions" in permissions', '"UseBlorpSessions" in permissions'),
        ('say(state, "~", ANSWER)', 'say(state, "blorp", ANSWER)'),
        ('~ = agent["~"]', '~ = agent["blorp"]'),
        ('f"~-{number}" + "~-9" + rb"/~-1/"', 'f"blorp-{number}" + "blorp-9" + rb"/blorp-1/"'),
        ('"no session ~-9"', '"no session blorp-9"'),
        ('f"@sandbox_{name}"', 'f"bl_sandbox_{name}"'),
        ('"Basic @sandbox" # `@`', '"Basic bl_sandbox" # `bl_`'),
        ('"/v3/acu-limits/~-equivalent/org-1"', '"/v3/acu-limits/blorp-equivalent/org-1"'),
        (
            'x = f"{session.~_mode} of {f"{n}"}"' if sys.version_info >= (3, 12) else 'x = f"{s.~_mode}"',
            'x = f"{session.blorp_mode} of {f"{n}"}"' if sys.version_info >= (3, 12) else 'x = f"{s.blorp_mode}"',
        ),
        ("# `~-` begins an id, `agent` may be `~`", "# `blorp-` begins an id, `agent` may be `blorp`"),
        ("my_@ = un~_mode", "my_@ = un~_mode"),
        ('a = "ä", "~"\r\nb = 1\r\n', 'a = "ä", "blorp"\r\nb = 1\r\n'),
    ],
)
def test_python_is_rewritten_by_its_tokens(renaming: Renaming, before: str, after: str) -> None:
    assert renamed(PurePath("a.py"), put(before), renaming) == put(after)


@pytest.mark.parametrize("word", ["plain", "GitHub", "agent7"])
def test_prose_stays_as_it_is_whatever_the_word_looks_like(word: str) -> None:
    other = VendorWord.read(Renaming(vendor(), word).contract(CONTRACT))
    assert other is not None
    prose = f"{word.lower()} {word}s, a {word}-like `thing`"
    assert Renaming(other, WORD).prose(f"{prose} `{word.lower()}`") == f"{prose} `{WORD}`"


def test_a_document_is_rewritten_with_its_code(renaming: Renaming) -> None:
    text = 'The ~.\n\n```python\nsay("~")\n```\n\nA `~_mode` is none of the ~.\n'
    after = 'The ~.\n\n```python\nsay("blorp")\n```\n\nA `blorp_mode` is none of the ~.\n'
    assert renamed(PurePath("a.md"), put(text), renaming) == put(after)


@pytest.mark.parametrize(
    ("word", "mode", "permission"),
    [
        ("acme", "acme_mode", "UseAcmeSessions"),
        ("Acme", "acme_mode", "UseAcmeSessions"),
        ("GitHub", "github_mode", "UseGitHubSessions"),
        ("agent7", "agent7_mode", "UseAgent7Sessions"),
    ],
)
def test_a_word_takes_the_forms_of_the_old_one(word: str, mode: str, permission: str) -> None:
    renaming = Renaming(vendor(), word)
    assert (renaming.rename(put("~_mode")), renaming.rename(put("Use^Sessions"))) == (mode, permission)
    assert renaming.credential_prefix == OLD_PREFIX


@pytest.mark.parametrize("word", ["", "open-hands", "open_hands", "4ward", "ä", "a b", "x'"])
def test_a_word_that_cannot_stand_in_a_name_is_refused(word: str) -> None:
    with pytest.raises(VendorWordError, match=f"WORD={word} cannot stand in a name of Python: it must be letters"):
        Renaming(vendor(), word)


@pytest.mark.parametrize("prefix", ["", "_", "a b", 'x"', "ä_"])
def test_a_credential_prefix_that_is_none_is_refused(prefix: str) -> None:
    with pytest.raises(VendorWordError, match="CREDENTIAL_PREFIX=.* is none"):
        Renaming(vendor(), "acme", prefix)


@pytest.mark.parametrize(
    ("word", "prefix", "told"),
    [
        ("org", None, "would be org_id, and the contract has org_id already"),
        ("playbook", None, "would be playbook_id, and the contract has playbook_id already"),
        ("blorp", "apk_user_", "would be apk_user_, and the contract has apk_user_ already"),
    ],
)
def test_a_word_that_the_contract_has_already_is_refused(word: str, prefix: str | None, told: str) -> None:
    assert [line for line in Renaming(vendor(), word, prefix).clashes(CONTRACT) if told in line]


@pytest.mark.parametrize("word", ["acme", "linear"])
def test_a_word_may_be_a_value_of_another_set(word: str) -> None:
    """`linear` is an origin of sessions, and could be an agent as well."""
    assert list(Renaming(vendor(), word).clashes(CONTRACT)) == []


def test_a_private_build_replaces_nothing_but_a_private_build(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    with pytest.raises(VendorWordError, match="is no private build"):
        private_build(ROOT, tmp_path, WORD, PREFIX)
    assert (tmp_path / "mine.txt").exists()


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("private") / "build"
    private_build(ROOT, made, WORD, PREFIX)
    return made


def test_a_private_build_is_written_again_over_itself(build: Path, tmp_path: Path) -> None:
    before = {path.relative_to(build): path.read_bytes() for path in build.rglob("*") if path.is_file()}
    (build / "left_by_an_older_one.py").touch()
    private_build(ROOT, build, WORD, PREFIX)
    after = {path.relative_to(build): path.read_bytes() for path in build.rglob("*") if path.is_file()}
    assert {path for path in before.keys() ^ after.keys() if "__pycache__" not in path.parts} == set()


def test_the_word_is_left_in_no_identifier_of_the_code(build: Path) -> None:
    """What is left stands between spaces or quotes of prose: no underscore, no capital within, no id, no literal."""
    traces = re.compile(rf"(?i)\w{OLD}|{OLD}(?!s?\b)\w|{OLD}-\d|([\"'`]){OLD}\1|\b{OLD_PREFIX}")
    code = [*build.glob("overlay/**/*.py"), *build.glob("generated/**/*.py"), build / "openapi.yaml"]
    assert len(code) > 200
    found = [f"{path.name}: {match[0]}" for path in code for match in traces.finditer(path.read_text(encoding="utf-8"))]
    assert found == []


WIRE = """
import asyncio, json
from urllib.parse import unquote

import httpx
from agent_session_platform import AgentPlatform, AgentPlatformError, RetryPolicy, operations
from agent_session_platform.sandbox import Sandbox
from tests.contract.every_operation import call

seen = []


class Recording(httpx.AsyncBaseTransport):
    def __init__(self, inner):
        self.inner = inner

    async def handle_async_request(self, request):
        answer = await self.inner.handle_async_request(request)
        await answer.aread()
        seen.append({"request": str(request.url), "status": answer.status_code})
        for side in (request, answer):
            await side.aread() if side is request else None
            try:
                seen[-1][type(side).__name__] = json.loads(side.content or b"null")
            except ValueError:
                seen[-1][type(side).__name__] = side.content.decode(errors="replace")
            seen[-1][type(side).__name__ + " headers"] = dict(side.headers)
        return answer


async def main():
    sandbox = Sandbox(strict=True)
    sandbox.add_repository("acme/shop")
    session_id = sandbox.add_session(title="Fix it")
    for token in (sandbox.token, sandbox.admin_key):
        transport = Recording(sandbox.transport())
        settings = {"organization": "org-acme", "preflight": False, "retry": RetryPolicy.none()}
        async with AgentPlatform(sandbox.base_url, token, transport=transport, **settings) as platform:
            org = platform.organization()
            if token == sandbox.token:
                made = await org.sessions.create(MODE="fast", extra_body={"prompt": "Fix it"})
                await org.sessions.send_message(made.session_id, body={"message": "Hello"})
                await platform.enterprise.sessions.list_messages(made.session_id).collect()
                await org.schedules.create(
                    name="n", prompt="p", frequency="0 9 * * *", agent="WORD", TARGET=session_id
                )
            for operation in operations:
                given = {each.name: session_id for each in operation.parameters if each.name == "PARAMETER"}
                if operation.name == "organization.schedules.create":
                    continue
                try:
                    await call(platform, operation, **given)
                except AgentPlatformError:
                    pass
    print(json.dumps(seen))


asyncio.run(main())
"""


def test_the_word_is_left_in_no_identifier_on_the_wire(build: Path) -> None:
    """Every operation is called, and what is sent and answered is looked through: paths, queries, names and values."""
    script = WIRE.replace("MODE=", f"{WORD}_mode=").replace('"WORD"', f'"{WORD}"')
    script = script.replace("TARGET=", f"target_{WORD}_id=").replace("PARAMETER", f"{WORD}_id")
    places = [build / "generated", build / "overlay", build]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, places))}
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert len({each["request"] for each in seen}) > 60
    assert [each["request"] for each in seen if OLD in json.dumps(each).lower() or OLD_PREFIX in json.dumps(each)] == []
    everything = done.stdout
    for trace in (
        f'"{WORD}_mode"',
        f'"target_{WORD}_id"',
        f"/{WORD}-1",
        f'"{WORD}"',
        f"{WORD}-equivalent",
        f"Bearer {PREFIX}",
    ):
        assert trace in everything, trace


def test_the_preflight_knows_the_new_prefix_only(build: Path) -> None:
    environment = os.environ | {"PYTHONPATH": f"{build / 'generated'}{os.pathsep}{build / 'overlay'}"}
    script = f"""
from agent_session_platform import operations
from agent_session_platform.request.credentials import kind_of
print(kind_of("{PREFIX}x"), kind_of("{OLD_PREFIX}x"), operations["organization.attachments.upload"].permission)
"""
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert done.stdout == "serviceUser None UseBlorpSessions\n", done.stderr
