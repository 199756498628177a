"""The operations that a program names, found by reading it: programs, each with what is found in them."""

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
    return sorted({each.what for each in use.uses})


# Programs, by the operations that they name.
PROGRAMS: dict[tuple[str, ...], dict[str, str]] = {
    (LIST,): {
        "a call": "AgentPlatform().organization('org-a').sessions.list()",
        "a named tuple": "P = namedtuple('P', 's')\nP(AgentPlatform().organization().sessions).s.list()",
        "a context variable": (
            "from contextvars import ContextVar\nv = ContextVar('v')\n"
            "v.set(AgentPlatform().organization().sessions)\nv.get().list()"
        ),
        "a queue that is awaited": (
            "import asyncio\nqueue = asyncio.Queue()\nqueue.put(AgentPlatform().organization().sessions)\n"
            "queue.get().list()"
        ),
        "a variable of the scope": "platform = AgentPlatform()\norg = platform.organization('x')\norg.sessions.list()",
        "a method as a value": "lister = AgentPlatform().organization().sessions.list\nlister()",
        "a walrus": "if (org := AgentPlatform().organization()):\n org.sessions.list()",
        "a parameter": "def f(org: OrganizationScope): return org.sessions.list()",
        "an annotated list": "def f(all: list[OrganizationScope]):\n for org in all: org.sessions.list()",
        "an attribute of self": (
            "class A:\n def __init__(self): self.org = AgentPlatform().organization()\n"
            " def f(self): self.org.sessions.list()"
        ),
        "a dataclass": "@dataclass\nclass A:\n org: OrganizationScope\ndef f(a: A): a.org.sessions.list()",
        "a dataclass without a type": (
            "from typing import Any\n@dataclass\nclass A:\n org: Any\n"
            "A(org=AgentPlatform().organization()).org.sessions.list()"
        ),
        "a property": (
            "class A:\n @property\n def org(self): return AgentPlatform().organization()\n"
            " def f(self): self.org.sessions.list()"
        ),
        "an argument of a function": "def f(org): org.sessions.list()\nf(AgentPlatform().organization())",
        "a keyword of a function": "def f(*, org=None): org.sessions.list()\nf(org=AgentPlatform().organization())",
        "more arguments": "def f(*all):\n for org in all: org.sessions.list()\nf(AgentPlatform().organization())",
        "a lambda": "f = lambda org: org.sessions.list()\nf(AgentPlatform().organization())",
        "partial": (
            "from functools import partial\ndef f(org, n): org.sessions.list()\n"
            "partial(f, AgentPlatform().organization())(1)"
        ),
        "map": "p = AgentPlatform()\nfor org in map(p.organization, ids): org.sessions.list()",
        "a comprehension": "p = AgentPlatform()\n[o.sessions.list() for o in [p.organization(i) for i in ids]]",
        "a dictionary": "p = AgentPlatform()\nd = {'a': p.organization()}\nd['a'].sessions.list()",
        "items of a dictionary": (
            "p = AgentPlatform()\nd = {'a': p.organization()}\nfor name, org in d.items(): org.sessions.list()"
        ),
        "a list that is filled": (
            "p = AgentPlatform()\nall = []\nall.append(p.organization())\nfor org in all: org.sessions.list()"
        ),
        "a dictionary that is filled": "d = {}\nd['a'] = AgentPlatform().organization()\nd['a'].sessions.list()",
        "getattr": "getattr(AgentPlatform().organization(), 'sessions').list()",
        "getattr of the verb": "getattr(AgentPlatform().organization().sessions, 'list')()",
        "request": "AgentPlatform().request('GET', '/v3/organizations/org-a/sessions')",
        "request with an f-string": "AgentPlatform().request('GET', f'/v3/organizations/{org_id}/sessions')",
        "a default": "p = AgentPlatform()\ndef f(org=p.organization()): org.sessions.list()",
        "a decorator": "@retry(AgentPlatform().organization().sessions.list)\ndef f(): pass",
    },
    (USERS,): {
        "the enterprise": "AgentPlatform().enterprise.members.list_users()",
    },
    (CREATE,): {
        "a variable of the resource": "sessions = AgentPlatform().organization().sessions\nsessions.create()",
        "an argument": "Batch(AgentPlatform().organization().sessions.create)",
        "a batch that does not wait": (
            "import agent_session_platform_jobs as jobs\norg = AgentPlatform().organization()\n"
            "jobs.Batch(org.sessions.create, store='x').run([], key=str, until=None)"
        ),
    },
    (REVIEW,): {
        "a context": "async def f():\n async with AgentPlatform() as p:\n  await p.enterprise.reviews.create()",
        "several contexts": "with a as b, AgentPlatform() as p:\n p.enterprise.reviews.create()",
        "an annotated factory": (
            "from collections.abc import Callable\n"
            "def f(make: Callable[[], AgentPlatform]): make().enterprise.reviews.create()"
        ),
        "an annotated variable": "def f(request):\n p: AgentPlatform = request.x\n p.enterprise.reviews.create()",
        "an alias of the class": (
            "from agent_session_platform import AgentPlatform as P\nP().enterprise.reviews.create()"
        ),
        "the module": "import agent_session_platform as sdk\nsdk.AgentPlatform().enterprise.reviews.create()",
        "a vendored copy": (
            "from ._vendor.agent_session_platform import AgentPlatform as P\nP().enterprise.reviews.create()"
        ),
        "an attribute that is used above": (
            "class A:\n def f(self): self._p.enterprise.reviews.create()\n"
            " def __init__(self, p: AgentPlatform): self._p = p"
        ),
        "an attribute of an object": "class A:\n p = AgentPlatform()\nA().p.enterprise.reviews.create()",
        "a base class": (
            "class A:\n def __init__(self): self.p = AgentPlatform()\nclass B(A):\n"
            " def f(self): self.p.enterprise.reviews.create()"
        ),
        "a subclass of the client": "class P(AgentPlatform): pass\nP().enterprise.reviews.create()",
        "a class method": (
            "class A:\n @classmethod\n def p(cls): return AgentPlatform()\nA.p().enterprise.reviews.create()"
        ),
        "a return value": "def make(): return AgentPlatform()\nmake().enterprise.reviews.create()",
        "a return annotation": "def make() -> AgentPlatform: return load()\nmake().enterprise.reviews.create()",
        "a generator": (
            "@asynccontextmanager\nasync def make():\n yield AgentPlatform()\nasync def f():\n"
            " async with make() as p: p.enterprise.reviews.create()"
        ),
        "an exit stack": (
            "from contextlib import AsyncExitStack\nasync def f():\n async with AsyncExitStack() as stack:\n"
            "  p = await stack.enter_async_context(AgentPlatform())\n  p.enterprise.reviews.create()"
        ),
        "a global name": (
            "p = None\ndef start():\n global p\n p = AgentPlatform()\ndef f(): p.enterprise.reviews.create()"
        ),
        "a match": "match AgentPlatform():\n case p: p.enterprise.reviews.create()",
        "a fixture of the plugin": "def test_it(agent_platform): agent_platform.enterprise.reviews.create()",
        "a fixture": (
            "import pytest\n@pytest.fixture\ndef mine(): yield AgentPlatform()\n"
            "def test_it(mine): mine.enterprise.reviews.create()"
        ),
        "a sandbox": (
            "from agent_session_platform_sandbox import Sandbox\nSandbox().client().enterprise.reviews.create()"
        ),
        "an attribute that is spelled like that of a client": "def f(x): x.app.platform.enterprise.reviews.create()",
        "an assertion, a return, a raise": "def f(p: AgentPlatform):\n assert p.enterprise.reviews.create()",
    },
    (LIST, E_LIST): {
        "tuple unpacking": (
            "p = AgentPlatform()\norg, ent = p.organization(), p.enterprise\norg.sessions.list()\nent.sessions.list()"
        ),
    },
    (E_LIST,): {
        "a string annotation": "def f(scope: 'EnterpriseScope | None' = None): return scope.sessions.list()",
        "a resource class": (
            "from agent_session_platform_api.api.sessions import EnterpriseSessions\n"
            "def f(sessions: EnterpriseSessions): return sessions.list()"
        ),
        "request by keyword": "AgentPlatform().request(method='get', path='/v3/enterprise/sessions')",
        "a base class whose heir decides": (
            "class A:\n @property\n def p(self): raise NotImplementedError\n def f(self): self.p.sessions.list()\n"
            "class B(A):\n @property\n def p(self): return AgentPlatform().enterprise"
        ),
        "a starred argument": "def f(org, ent): ent.sessions.list()\np = AgentPlatform()\nf(p, *[p.enterprise])",
        "keywords in a dictionary": "def f(*, ent): ent.sessions.list()\nf(**{'ent': AgentPlatform().enterprise})",
        "partial of a resource": (
            "from functools import partial\ndef f(s): s.list()\npartial(f, AgentPlatform().enterprise.sessions)()"
        ),
        "a lambda of a resource": "list(map(lambda s: s.list(), [AgentPlatform().enterprise.sessions]))",
        "more keywords of a resource": "def f(**more): more['s'].list()\nf(s=AgentPlatform().enterprise.sessions)",
        "more arguments of a resource": "def f(a, *more): more[0].list()\nf(1, AgentPlatform().enterprise.sessions)",
        "a container of a resource": "d = {}\nd.setdefault('s', AgentPlatform().enterprise.sessions)\nd['s'].list()",
        "a queue of a resource": (
            "import asyncio\nqueue = asyncio.Queue()\nqueue.put_nowait(AgentPlatform().enterprise.sessions)\n"
            "queue.get_nowait().list()"
        ),
        "attrgetter of a resource": (
            "from operator import attrgetter\nattrgetter('sessions.list')(AgentPlatform().enterprise)()"
        ),
        "a constructor of a base of a resource": (
            "class A:\n def __init__(self, s): self.s = s\nclass B(A):\n"
            " def __init__(self, s): super().__init__(s)\n def f(self): self.s.list()\n"
            "B(AgentPlatform().enterprise.sessions)"
        ),
    },
    (E_LIST, LIST): {
        "either of two": "p = AgentPlatform()\ns = p.enterprise if x else p.organization()\ns.sessions.list()",
        "an unknown receiver": "def f(x): x.sessions.list()",
        "a name": "def f(sessions): sessions.list()",
        "an attribute of self that is passed": (
            "class A:\n def __init__(self, org): self.org = org\n def f(self): self.org.sessions.list()"
        ),
        "a result that was not read": "load().sessions.list()",
        "one known and one unknown value": (
            "org = load()\nif x: org = AgentPlatform().organization()\norg.sessions.list()"
        ),
        "None that something replaces": "class A:\n org = None\n def f(self): self.org.sessions.list()",
        "an object of a library": (
            "from contextvars import ContextVar\nvar = ContextVar('x')\nvar.get().sessions.list()"
        ),
    },
    ("organization.sessions.list_messages",): {
        "follow": "AgentPlatform().organization().sessions.follow_messages('s')",
    },
    (GET, LIST): {
        "wait": "AgentPlatform().organization().sessions.wait('s')",
    },
    ("organization.schedules.get",): {
        "wait for what has no list to share": "AgentPlatform().organization().schedules.wait('s')",
    },
    (CREATE, GET, LIST): {
        "a batch that waits": (
            "from agent_session_platform_jobs import Batch\norg = AgentPlatform().organization()\n"
            "batch = Batch(org.sessions.create, store='x')\n"
            "batch.run([], key=str, arguments=dict, until={'status': 'x'})"
        ),
        "a batch of the module that waits": (
            "import agent_session_platform_jobs as jobs\norg = AgentPlatform().organization()\nclass A:\n"
            " def __init__(self): self.batch = jobs.Batch(create=org.sessions.create, store='x')\n"
            " async def f(self):\n  async for item in self.batch.run([], until=done): pass"
        ),
    },
    (CREATE, "organization.playbooks.list", "organization.schedules.get", "organization.sessions.archive"): {
        "what a batch finds, releases and waits with": (
            "from agent_session_platform_jobs import Batch\norg = AgentPlatform().organization()\n"
            "async def find(key): return org.playbooks.list()\n"
            "Batch(org.sessions.create, store='x', find=find, release=org.sessions.archive,\n"
            " wait=org.schedules.wait).run([], until={})"
        ),
    },
}
FOUND = {name: (code, expected) for expected, programs in PROGRAMS.items() for name, code in programs.items()}

# Of these both scopes are named, or more than is called, or a place is undecided as well.
WIDELY = frozenset(
    {
        *("an annotated list", "a dataclass without a type", "a lambda", "map", "a default", "a comprehension"),
        *("a batch that does not wait", "what a batch finds, releases and waits with", "keywords in a dictionary"),
        *("an argument of a function", "a keyword of a function", "more arguments", "partial", "a starred argument"),
        *(
            "a named tuple",
            "a context variable",
            "a queue that is awaited",
            "attrgetter of a resource",
            "a lambda of a resource",
            "partial of a resource",
        ),
        *("more keywords of a resource", "more arguments of a resource", "a constructor of a base of a resource"),
    }
)


@pytest.mark.parametrize(("code", "expected"), FOUND.values(), ids=FOUND)
def test_an_operation_is_named_through(code: str, expected: tuple[str, ...], read: Read) -> None:
    assert set(expected) <= set(named(read(code)))


@pytest.mark.parametrize("name", sorted(FOUND.keys() - WIDELY))
def test_no_other_operation_is_named_and_nothing_undecided(name: str, read: Read) -> None:
    code, expected = FOUND[name]
    use = read(code)
    assert (named(use), use.undecided) == (sorted(expected), ())


REASONS: dict[str, dict[str, str]] = {
    "getattr computes a name": {
        "a dynamic resource": "getattr(AgentPlatform().organization(), name).list()",
        "a dynamic verb": "getattr(AgentPlatform().enterprise.reviews, verb)()",
        "names in a loop": (
            "for name in ('sessions', 'playbooks'): getattr(AgentPlatform().organization(), name).list()"
        ),
    },
    "getattr is not called here, but passed on": {
        "getattr as a value": (
            "from functools import reduce\nreduce(getattr, ['sessions', 'list'], AgentPlatform().organization())()"
        ),
    },
    "methodcaller computes a name": {
        "a method of any resource": (
            "from operator import methodcaller\nmethodcaller('list')(AgentPlatform().organization().sessions)"
        ),
    },
    "eval computes a name": {
        "text that is run": "eval('AgentPlatform().organization().sessions.list()')",
    },
    "the request is of no operation": {
        "a dynamic path": "AgentPlatform().request('GET', path)",
        "a path of a name": "PATH = '/v3/enterprise/sessions'\nAgentPlatform().request('GET', PATH)",
        "what a request returns": "found = AgentPlatform().request('GET', path)()",
        "a path that is made of itself": (
            "from config import PATH\nPATH = PATH + '/x'\nAgentPlatform().request('GET', PATH)"
        ),
        "a path that is a sum": "AgentPlatform().request('GET', '/v3/organizations/' + org_id + '/sessions')",
        "an unknown path": "AgentPlatform().request('GET', '/v3/whatever')",
    },
    "getattr gets another": {
        "getattr with another name": "from builtins import getattr as g\ng(platform, name).list()",
    },
    "getmembers computes a name": {
        "members in a loop": (
            "import inspect\nfor _, each in inspect.getmembers(AgentPlatform().enterprise): each.list()"
        ),
    },
    "request is not called here": {
        "request as a value": "call = AgentPlatform().request\ncall('GET', '/v3/x')",
    },
    "a client or a resource is passed to": {
        "a library that calls with a client": (
            "import threading\nimport lib\nthreading.Thread(target=lib.run, args=(AgentPlatform(),)).start()"
        ),
        "an object that is passed to a library": (
            "import lib\nclass A:\n def __init__(self): self.p = AgentPlatform()\n def f(self): lib.run(self)"
        ),
    },
    "a client or a resource is passed to work, which was not read": {
        "a function that was not read": "from elsewhere import work\nwork(AgentPlatform().organization())",
        "a resource for a function that was not read": (
            "from elsewhere import work\nsessions = AgentPlatform().organization().sessions\nwork(sessions)"
        ),
        "an object that holds a client": (
            "from elsewhere import work\nclass A:\n def __init__(self, p): self.p = p\nwork(A(AgentPlatform()))"
        ),
    },
    "a client or a resource is passed to A, which was not read": {
        "a subclass of what was not read": "class A(Unread): pass\nA(AgentPlatform().enterprise)",
    },
    "imports .work, a part of the program that was not read": {
        "a module that was not read": "from .work import run",
    },
}
UNDECIDED = {name: (code, reason) for reason, programs in REASONS.items() for name, code in programs.items()}


@pytest.mark.parametrize(("code", "reason"), UNDECIDED.values(), ids=UNDECIDED)
def test_what_cannot_be_decided_is_listed(code: str, reason: str, read: Read) -> None:
    assert reason in "\n".join(each.what for each in read(code).undecided)


@pytest.mark.parametrize(
    "code",
    [
        "import asyncio\nqueue = asyncio.Queue()\nqueue.get()",
        "class A:\n def __init__(self): self.found = dict()\n def f(self): self.found.get(1)",
        "sessions = {}\nsessions.get('a')",
        "import httpx\nhttpx.AsyncClient().get('/users')",
        "p = AgentPlatform()\np.rate_limiter.stats().get('x')",
        "print(AgentPlatform())",
        "AgentPlatform().organization().org_id",
    ],
)
def test_what_is_not_an_operation_is_not_listed(code: str, read: Read) -> None:
    use = read(code)
    assert (named(use), use.undecided) == ([], ())


def test_a_program_that_calls_itself_is_read(read: Read) -> None:
    code = "def f(x):\n x = [x, f(x)]\n y = y + 'a'\n return f(x)\nclass A(A): pass\nA().b.c\nf(AgentPlatform())\n"
    assert read(code).uses == ()


def test_the_list_that_waits_share_is_optional(read: Read) -> None:
    use = read("AgentPlatform().organization().sessions.wait('s')")
    assert [(each.what, each.optional) for each in use.uses] == [(GET, False), (LIST, True)]
    assert str(use.uses[1]).endswith(f"{LIST} (optional)")
    assert [each.name for each in use.permissions.operations] == [GET]
    assert [each.name for each in use.permissions.optional] == [LIST]


def test_a_list_that_is_read_anyway_is_not_optional(read: Read) -> None:
    use = read("org = AgentPlatform().organization()\norg.sessions.wait('s')\norg.sessions.list()")
    assert ([each.name for each in use.permissions.operations], use.permissions.optional) == ([GET, LIST], ())


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "code",
    [
        "from client import platform\nplatform.enterprise.reviews.create()",
        "from client import platform as p\np.enterprise.reviews.create()",
        "from client import *\nplatform.enterprise.reviews.create()",
        "import client\nclient.platform.enterprise.reviews.create()",
        "from .client import platform\nplatform.enterprise.reviews.create()",
        "from . import client\nclient.platform.enterprise.reviews.create()",
    ],
)
def test_a_name_of_another_file_is_followed(tmp_path: Path, code: str) -> None:
    write(tmp_path, client=CLIENT, work=code)
    assert named(read_program(tmp_path)) == [REVIEW]
    assert read_program(tmp_path).undecided == ()


def test_a_name_that_another_file_sets_is_followed(tmp_path: Path) -> None:
    state = "platform = None\ndef run(): platform.enterprise.reviews.create()\n"
    write(
        tmp_path,
        state=state,
        main="import state\nfrom agent_session_platform import *\nstate.platform = AgentPlatform()",
    )
    assert named(read_program(tmp_path)) == [REVIEW]


def test_a_function_of_another_file_gets_its_arguments(tmp_path: Path) -> None:
    work = "def run(platform): platform.enterprise.reviews.create()\n"
    write(tmp_path, main=f"{CLIENT}from package.work import run\nrun(platform)", package__work=work)
    assert named(read_program(tmp_path / "main.py", tmp_path / "package")) == [REVIEW]


def test_a_file_beside_that_was_not_read_is_undecided(tmp_path: Path) -> None:
    write(tmp_path, main="import work\n", work=CLIENT)
    (undecided,) = read_program(tmp_path / "main.py").undecided
    assert str(undecided) == f"{tmp_path}/main.py:1: imports work, a part of the program that was not read"


def test_a_fixture_of_a_conftest_is_followed(tmp_path: Path) -> None:
    conftest = f"{CLIENT}import pytest\n@pytest.fixture\ndef client(): return platform\n"
    write(tmp_path, conftest=conftest, test_it="def test_it(client): client.enterprise.reviews.create()")
    assert named(read_program(tmp_path)) == [REVIEW]


def test_environments_hidden_folders_and_copies_of_the_sdk_are_not_read(tmp_path: Path) -> None:
    folders = ("env", "__pycache__", ".hidden", "vendor/agent_session_platform", "node_modules")
    write(tmp_path, main=CLIENT)
    for folder in folders:
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "module.py").write_text("not Python", encoding="utf-8")
    (tmp_path / "env" / "pyvenv.cfg").touch()
    assert read_program(tmp_path).files == (str(tmp_path / "main.py"),)


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, main=f"{CLIENT}platform.enterprise.reviews.create()")
    assert named(read_program(tmp_path, tmp_path / "main.py")) == [REVIEW]


def test_nothing_of_a_program_runs(tmp_path: Path) -> None:
    write(tmp_path, main="raise SystemExit\n")
    assert named(read_program(tmp_path)) == []


def test_the_encoding_of_a_file_is_respected(tmp_path: Path) -> None:
    code = f"# -*- coding: latin-1 -*-\n{CLIENT}x = 'ä'; platform.enterprise.reviews.create()"
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


def test_a_long_sum_is_read(read: Read) -> None:
    assert named(read("x = " + "'a' + " * 900 + "AgentPlatform().enterprise.reviews.create()")) == [REVIEW]


def test_a_file_that_does_not_exist_is_named() -> None:
    with pytest.raises(InvalidArgumentError, match=r"there is no file or folder 'nothing\.py'"):
        read_program("nothing.py")


def test_a_folder_without_python_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="has no Python files"):
        read_program(tmp_path)


def test_the_examples_are_read(root: Path) -> None:
    use = read_program(root / "examples")
    assert use.undecided
    found: dict[str, set[str]] = {}
    for each in use.uses:
        found.setdefault(Path(each.file).name, set()).add(each.what)
    assert found["quickstart.py"] == {
        *(REVIEW, CREATE, LIST, "enterprise.sessions.list_messages"),
        *("organization.sessions.send_message", "organization.schedules.create"),
    }
    assert {REVIEW, CREATE, GET, LIST} <= found["service.py"]
    assert {"enterprise.audit_logs.list", E_LIST, CREATE} <= found["warehouse.py"]


def test_the_permissions_are_those_of_the_uses(root: Path) -> None:
    use = read_program(root / "examples" / "service.py")
    assert list(use.permissions.organization) == ["ViewOrgSessions"]
    assert list(use.permissions.enterprise) == ["UseReviewManual"]


def test_json_has_places_and_reasons(read: Read) -> None:
    use = read("AgentPlatform().enterprise.reviews.create()\neval('1')\n")
    shown = json.loads(json.dumps(use.to_dict()))
    file = use.files[0]
    assert shown["uses"] == [{"file": file, "line": 2, "operation": REVIEW, "optional": False}]
    assert shown["undecided"] == [{"file": file, "line": 3, "reason": "eval computes a name, or runs a text"}]
