"""The operations that a program uses: small programs, and the expected result for each."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from agent_session_platform import InvalidArgumentError
from agent_session_platform_cli.program import ProgramUse, read_program

IMPORTS = "from agent_session_platform import AgentPlatform, EnterpriseScope, OrganizationScope\n"
CLIENT = "from agent_session_platform import AgentPlatform\nplatform = AgentPlatform()\n"
LIST, CREATE = "organization.sessions.list", "organization.sessions.create"
GET = "organization.sessions.get"
REVIEW, USERS = "enterprise.reviews.create", "enterprise.members.list_users"
E_LIST = "enterprise.sessions.list"
BOTH = [E_LIST, LIST]

Read = Callable[[str], ProgramUse]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Read the code of one file, after the imports."""

    def read(code: str) -> ProgramUse:
        path = tmp_path / "code.py"
        path.write_text(IMPORTS + textwrap.dedent(code), encoding="utf-8")
        return read_program(path)

    return read


def named(use: ProgramUse) -> list[str]:
    return sorted({each.text for each in use.uses})


ORG = "AgentPlatform().organization()"
REVIEWED = ".enterprise.reviews.create()"
# Programs and the operations that they use.
EXACT: list[tuple[str, list[str]]] = [
    ("AgentPlatform().organization('org-a').sessions.list()", [LIST]),
    ("AgentPlatform().enterprise.members.list_users()", [USERS]),
    (f"org = {ORG}\norg.sessions.list()", [LIST]),
    (f"sessions = {ORG}.sessions\nsessions.create()", [CREATE]),
    (f"lister = {ORG}.sessions.list\nlister()", [LIST]),
    (f"if (org := {ORG}):\n org.sessions.list()", [LIST]),
    ("def f(org: OrganizationScope): return org.sessions.list()", [LIST]),
    ("def f(all: list[OrganizationScope]):\n for org in all: org.sessions.list()", [LIST]),
    ("def f(scope: 'EnterpriseScope | None'): return scope.sessions.list()", [E_LIST]),
    (f"class A:\n def f(self): self.org.sessions.list()\n def __init__(self): self.org = {ORG}", [LIST]),
    ("@dataclass\nclass A:\n org: OrganizationScope\ndef f(a: A): a.org.sessions.list()", [LIST]),
    (f"class A:\n @property\n def org(self): return {ORG}\n def f(self): self.org.sessions.list()", [LIST]),
    (f"d = {{'a': {ORG}}}\nfor name, org in d.items(): org.sessions.list()", [LIST]),
    (f"d = {{}}\nd['a'] = {ORG}\nd['a'].sessions.list()", [LIST]),
    (f"getattr(getattr({ORG}, 'sessions'), 'list')()", [LIST]),
    ("AgentPlatform().request('GET', '/v3/organizations/org-a/sessions')", [LIST]),
    (f"@retry({ORG}.sessions.list)\ndef f(): pass", [LIST]),
    (f"Batch({ORG}.sessions.create)", [CREATE]),
    (f"async def f():\n async with AgentPlatform() as p:\n  await p{REVIEWED}", [REVIEW]),
    (f"with a as b, AgentPlatform() as p:\n p{REVIEWED}", [REVIEW]),
    (f"def f(make: Callable[[], AgentPlatform]): make(){REVIEWED}", [REVIEW]),
    (f"from ._vendor.agent_session_platform import AgentPlatform as P\nP(){REVIEWED}", [REVIEW]),
    (f"import agent_session_platform as sdk\nsdk.AgentPlatform(){REVIEWED}", [REVIEW]),
    (f"class A:\n p = AgentPlatform()\nA().p{REVIEWED}", [REVIEW]),
    (f"class A:\n def __init__(self): self.p = AgentPlatform()\nclass B(A):\n def f(self): self.p{REVIEWED}", [REVIEW]),
    (f"class P(AgentPlatform): pass\nP(){REVIEWED}", [REVIEW]),
    (f"class A:\n @classmethod\n def p(cls): return AgentPlatform()\nA.p(){REVIEWED}", [REVIEW]),
    (f"def make(): return AgentPlatform()\nmake(){REVIEWED}", [REVIEW]),
    (f"def make() -> AgentPlatform: return load()\nmake(){REVIEWED}", [REVIEW]),
    (f"p = None\ndef start():\n global p\n p = AgentPlatform()\ndef f(): p{REVIEWED}", [REVIEW]),
    (f"match AgentPlatform():\n case p: p{REVIEWED}", [REVIEW]),
    (f"def test_it(agent_platform): agent_platform{REVIEWED}", [REVIEW]),
    (f"import pytest\n@pytest.fixture\ndef mine(): yield AgentPlatform()\ndef test_it(mine): mine{REVIEWED}", [REVIEW]),
    ("def f(sessions: EnterpriseSessions): return sessions.list()", [E_LIST]),
    ("raise SystemExit", []),
    # A very long expression, and recursive functions.
    ("x = " + "'a' + " * 900 + f"AgentPlatform(){REVIEWED}", [REVIEW]),
    ("def f(x):\n x = [x, f(x)]\n y = y + 'a'\n return f(x)\nclass A(A): pass\nA().b.c\nf(1)", []),
    # No operations of the API.
    ("import asyncio\nqueue = asyncio.Queue()\nqueue.get()", []),
    ("class A:\n def __init__(self): self.found = dict()\n def f(self): self.found.get(1)", []),
    ("sessions = {}\nsessions.get('a')", []),
    ("import httpx\nhttpx.AsyncClient().get('/users')", []),
    ("p = AgentPlatform()\np.rate_limiter.stats().get('x')", []),
    ("print(AgentPlatform())", []),
    ("def f(x): pass\nfor number, each in enumerate([AgentPlatform()]): f(each)", []),
    ("AgentPlatform().organization().org_id", []),
    (
        "class A:\n @property\n def p(self): raise NotImplementedError\n def f(self): self.p.sessions.list()\n"
        "class B(A):\n @property\n def p(self): return AgentPlatform().enterprise",
        [E_LIST],
    ),
    ("p = AgentPlatform()\ns = p.enterprise if x else p.organization()\ns.sessions.list()", BOTH),
    ("def f(x): x.sessions.list()", BOTH),
    ("def f(sessions): sessions.list()", BOTH),
    (f"from typing import Any\ndef f(x: Any): x.list()\nkept = {ORG}.sessions", [LIST]),
    ("load().sessions.list()", BOTH),
    (f"org = load()\nif x: org = {ORG}\norg.sessions.list()", BOTH),
    ("class A:\n org = None\n def f(self): self.org.sessions.list()", BOTH),
    (f"{ORG}.sessions.follow_messages('s')", ["organization.sessions.list_messages"]),
    (f"{ORG}.sessions.wait('s')", [GET, LIST]),
    (f"{ORG}.schedules.wait('s')", ["organization.schedules.get"]),
    (
        f"from agent_session_platform_jobs import Batch\norg = {ORG}\nbatch = Batch(org.sessions.create, store='x')\n"
        "batch.run([], key=str, arguments=dict, until={'status': 'x'})",
        [CREATE, GET, LIST],
    ),
]
# For these programs the result may have more operations or undecided places.
WIDE: list[tuple[str, list[str]]] = [
    (f"all = []\nall.append({ORG})\nfor org in all: org.sessions.list()", [LIST]),
    (
        "import asyncio\nqueue = asyncio.Queue()\nqueue.put_nowait(AgentPlatform().enterprise.sessions)\n"
        "queue.get_nowait().list()",
        [E_LIST],
    ),
    (f"def f(*, org=None): org.sessions.list()\nf(org={ORG})", [LIST]),
    (f"def f(*all):\n for org in all: org.sessions.list()\nf({ORG})", [LIST]),
    (f"f = lambda org: org.sessions.list()\nf({ORG})", [LIST]),
    (f"from functools import partial\ndef f(s, n): s.list()\npartial(f, {ORG}.sessions)(1)", [LIST]),
    (f"def f(org={ORG}): org.sessions.list()", [LIST]),
    ("p = AgentPlatform()\nfor org in map(p.organization, ids): org.sessions.list()", [LIST]),
    (f"P = namedtuple('P', 's')\nP({ORG}.sessions).s.list()", [LIST]),
    (f"from contextvars import ContextVar\nv = ContextVar('v')\nv.set({ORG}.sessions)\nv.get().list()", [LIST]),
    (
        "@asynccontextmanager\nasync def make(): yield AgentPlatform()\n"
        f"async def f():\n async with make() as p: p{REVIEWED}",
        [REVIEW],
    ),
    ("def f(*, e): e.sessions.list()\nf(**{'e': AgentPlatform().enterprise})", [E_LIST]),
    ("s = AgentPlatform().enterprise.sessions\ntype(s).list(s)", [E_LIST]),
    (
        "class A:\n def __init__(self, s): self.s = s\n"
        "class B(A):\n def __init__(self, s): super().__init__(s)\n def f(self): self.s.list()\n"
        "B(AgentPlatform().enterprise.sessions)",
        [E_LIST],
    ),
    (
        f"from agent_session_platform_jobs import Batch\norg = {ORG}\nBatch(org.sessions.create, store='x',"
        " release=org.sessions.archive, wait=org.schedules.wait).run([], until={})",
        [CREATE, "organization.schedules.get", "organization.sessions.archive"],
    ),
]


@pytest.mark.parametrize(("code", "expected"), EXACT)
def test_no_other_operation_is_named_and_nothing_undecided(code: str, expected: list[str], read: Read) -> None:
    use = read(code)
    assert (named(use), use.undecided) == (sorted(expected), ())


@pytest.mark.parametrize(("code", "expected"), WIDE)
def test_an_operation_is_named_through(code: str, expected: list[str], read: Read) -> None:
    assert {*expected} <= {*named(read(code))}


LIB = "import lib\np = AgentPlatform()\n"
COMPUTED = "computes a name, or runs a text"
NOT_CONSTANT = "the request matches no operation of the contract, or its method or path is not constant"
PASSED = "a client or a resource is passed to"
STORED = "a client or a resource is stored in an object that was not read"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("getattr(AgentPlatform().organization(), name).list()", f"getattr {COMPUTED}"),
        ("from functools import reduce\nreduce(getattr, ['sessions', 'list'], x)()", f"getattr {COMPUTED}"),
        ("from builtins import getattr as g\ng(platform, name).list()", f"getattr {COMPUTED}"),
        ("from operator import methodcaller\nmethodcaller('list')(x)", f"methodcaller {COMPUTED}"),
        ("import inspect\nfor _, each in inspect.getmembers(x): each.list()", f"getmembers {COMPUTED}"),
        ("eval('AgentPlatform().organization().sessions.list()')", f"eval {COMPUTED}"),
        (f"{LIB}def f(p): lib.run(**locals())", f"locals {COMPUTED}"),
        ("AgentPlatform().request('GET', path)", NOT_CONSTANT),
        ("AgentPlatform().request('GET', f'/v3/organizations/{org_id}/sessions')", NOT_CONSTANT),
        ("AgentPlatform().request('GET', '/v3/whatever')", NOT_CONSTANT),
        ("call = AgentPlatform().request\ncall('GET', '/v3/enterprise/sessions')", NOT_CONSTANT),
        (f"{LIB}lib.work(p)", f"{PASSED} work, which was not read"),
        (f"{LIB}lib.set(p)", f"{PASSED} set, which was not read"),
        (f"{LIB}def run(p): pass\nlib.run(p)", f"{PASSED} run, which was not read"),
        (f"{LIB}from functools import partial\nrun = partial(lib.run)\nrun(p)", f"{PASSED} run, which was not read"),
        (f"{LIB}def f(x): lib.work(x)\nmany = {{'a': f}}\nmany['a'](p)", f"{PASSED} a function"),
        (f"{LIB}import threading\nthreading.Thread(target=lib.run, args=(p,)).start()", f"{PASSED} Thread"),
        (f"{LIB}class A:\n def __init__(self): self.p = p\n def f(self): lib.run(self)", f"{PASSED} run"),
        (f"{LIB}class A:\n def __init__(self, p): self.p = p\nlib.work(A(p))", f"{PASSED} work"),
        (f"{LIB}class A(lib.Base): pass\nA(p)", f"{PASSED} A, which was not read"),
        (f"{LIB}class A(lib.Base):\n client = p", "a decorator or a base of A may use a client"),
        (f"{LIB}@lib.register\nasync def make(): return p", "a decorator or a base of make may use a client"),
        (f"{LIB}lib.client = p\nlib.run()", STORED),
        (f"{LIB}lib.clients['a'] = p\nlib.run()", STORED),
        ("import lib\nwith AgentPlatform() as lib.client: lib.run()", STORED),
        ("match AgentPlatform().enterprise:\n case object(sessions=s): s.list()", "a pattern takes members"),
        ("from .work import run", "imports .work, a part of the program that was not read"),
    ],
)
def test_what_cannot_be_decided_is_listed(code: str, reason: str, read: Read) -> None:
    assert reason in "\n".join(each.text for each in read(code).undecided)


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


WITH_FIXTURE = f"{CLIENT}import pytest\n@pytest.fixture\ndef client(): return platform\n"
SETS = "import state\nfrom agent_session_platform import *\nstate.platform = AgentPlatform()"
RUNS = f"def run(platform): platform{REVIEWED}\n"


@pytest.mark.parametrize(
    "files",
    [
        {"client": CLIENT, "work": f"from client import platform\nplatform{REVIEWED}"},
        {"client": CLIENT, "work": f"from client import platform as p\np{REVIEWED}"},
        {"client": CLIENT, "work": f"from client import *\nplatform{REVIEWED}"},
        {"client": CLIENT, "work": f"import client\nclient.platform{REVIEWED}"},
        {"client": CLIENT, "work": f"from .client import platform\nplatform{REVIEWED}"},
        {"client": CLIENT, "work": f"from . import client\nclient.platform{REVIEWED}"},
        {"state": f"platform = None\ndef run(): platform{REVIEWED}\n", "main": SETS},
        {"conftest": WITH_FIXTURE, "test_it": f"def test_it(client): client{REVIEWED}"},
        {"main": f"{CLIENT}from package.work import run\nrun(platform)", "package__work": RUNS},
    ],
)
def test_a_name_of_another_file_is_followed(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, **files)
    # Each file is given twice, and read once.
    use = read_program(tmp_path, *tmp_path.glob("*.py"))
    assert ([each.text for each in use.uses], use.undecided) == ([REVIEW], ())


def test_a_file_beside_that_was_not_read_is_undecided(tmp_path: Path) -> None:
    write(tmp_path, main="import work\n", work=CLIENT)
    use = read_program(tmp_path / "main.py")
    assert str(use).endswith(f"{tmp_path}/main.py:1: imports work, a part of the program that was not read")


def test_environments_hidden_folders_and_copies_of_the_sdk_are_not_read(tmp_path: Path) -> None:
    folders = ("env", "__pycache__", ".hidden", "vendor/agent_session_platform", "node_modules")
    write(tmp_path, main=CLIENT)
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "module.py").write_text("not Python", encoding="utf-8")
    (tmp_path / "env" / "pyvenv.cfg").touch()
    assert read_program(tmp_path).files == (str(tmp_path / "main.py"),)


def test_the_encoding_of_a_file_is_respected(tmp_path: Path) -> None:
    code = f"# -*- coding: latin-1 -*-\n{CLIENT}x = 'ä'; platform{REVIEWED}"
    (tmp_path / "main.py").write_bytes(code.encode("latin-1"))
    assert named(read_program(tmp_path)) == [REVIEW]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"def f(:\n", r"main\.py:1: it is not Python: "),
        (b"x = 1\ny = = 2\n", r"main\.py:2: it is not Python: "),
        (b"x = '\xff'\n", r"main\.py(:1)?: it is not Python"),
        (b"# coding: nonsense\n", r"main\.py(:1)?: it is not Python"),
        (b"x = 1\0\n", r"main\.py(:1)?: it is not Python"),
        (b"x = " + b"(" * 5000 + b")" * 5000, r"main\.py(:1)?: it is not Python"),
    ],
)
def test_a_file_that_is_not_python_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "main.py").write_bytes(content)
    with pytest.raises(InvalidArgumentError, match=message):
        read_program(tmp_path / "main.py")


@pytest.mark.parametrize("name", ["nothing.py", "."])
def test_where_no_python_is_that_is_said(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidArgumentError, match="there is no file or folder .* with Python"):
        read_program(tmp_path / name)


def test_the_examples_are_read(root: Path) -> None:
    folder = root / "examples"
    use = read_program(*(folder / name for name in ("quickstart.py", "service.py", "warehouse.py")))
    assert use.undecided
    found: dict[str, set[str]] = {}
    for each in use.uses:
        found.setdefault(Path(each.file).name, set()).add(each.text)
    assert found["quickstart.py"] == {
        *(REVIEW, CREATE, LIST, "enterprise.sessions.list_messages"),
        *("organization.sessions.send_message", "organization.schedules.create"),
    }
    assert {REVIEW, CREATE, GET, LIST} <= found["service.py"]
    assert {"enterprise.audit_logs.list", E_LIST, CREATE} <= found["warehouse.py"]


def test_ask_uses_what_a_turn_calls(read: Read) -> None:
    use = read(
        "from agent_session_platform import AgentPlatform\n"
        "from agent_session_platform_jobs import ask\n"
        "sessions = AgentPlatform().organization().sessions\n"
        "ask(sessions, 'Fix it')\n"
    )
    turn = {*(CREATE, GET, LIST), "organization.sessions.list_messages", "organization.sessions.send_message"}
    assert {each.text for each in use.uses} == turn
    assert not use.undecided


def test_json_has_places_and_reasons(read: Read) -> None:
    use = read("AgentPlatform().enterprise.reviews.create()\neval('1')\n")
    shown = json.loads(json.dumps(use.to_dict()))
    file = use.files[0]
    assert shown["uses"] == [{"file": file, "line": 2, "operation": REVIEW}]
    assert shown["undecided"] == [{"file": file, "line": 3, "reason": "eval computes a name, or runs a text"}]
