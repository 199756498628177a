"""The operations that a program calls: snippets of code, each with what is found in it."""

from __future__ import annotations

import textwrap

import pytest
from agent_session_platform_jobs import ProgramUse, read_program

IMPORTS = "from agent_session_platform import AgentPlatform, EnterpriseScope, OrganizationScope\n"
LIST, CREATE = "organization.sessions.list", "organization.sessions.create"
GET = "organization.sessions.get"
REVIEW, USERS = "enterprise.reviews.create", "enterprise.members.list_users"
E_LIST = "enterprise.sessions.list"


def read(code: str) -> ProgramUse:
    return read_program(IMPORTS + textwrap.dedent(code))


def operations(use: ProgramUse) -> list[str]:
    return [each.operation for each in use.uses]


FOUND = {
    "a call": ("AgentPlatform().organization('org-a').sessions.list()", [LIST]),
    "the enterprise": ("AgentPlatform().enterprise.members.list_users()", [USERS]),
    "a variable of the scope": (
        "platform = AgentPlatform()\norg = platform.organization('x')\norg.sessions.list()",
        [LIST],
    ),
    "a variable of the resource": ("sessions = AgentPlatform().organization().sessions\nsessions.create()", [CREATE]),
    "a method as a value": ("lister = AgentPlatform().organization().sessions.list\nlister()", [LIST]),
    "an argument": ("Batch(AgentPlatform().organization().sessions.create)", [CREATE]),
    "a context": ("async def f():\n async with AgentPlatform() as p:\n  await p.enterprise.reviews.create()", [REVIEW]),
    "several contexts": ("with a as b, AgentPlatform() as p:\n p.enterprise.reviews.create()", [REVIEW]),
    "a walrus": ("if (org := AgentPlatform().organization()):\n org.sessions.list()", [LIST]),
    "tuple unpacking": (
        "p = AgentPlatform()\norg, ent = p.organization(), p.enterprise\norg.sessions.list()\nent.sessions.list()",
        [LIST, E_LIST],
    ),
    "a parameter": ("def f(org: OrganizationScope): return org.sessions.list()", [LIST]),
    "a string annotation": ("def f(scope: 'EnterpriseScope | None' = None): return scope.sessions.list()", [E_LIST]),
    "a resource class": (
        "from agent_session_platform_api.api.sessions import EnterpriseSessions\n"
        "def f(sessions: EnterpriseSessions): return sessions.list()",
        [E_LIST],
    ),
    "an annotated list": ("def f(all: list[OrganizationScope]):\n for org in all: org.sessions.list()", [LIST]),
    "an annotated factory": (
        "from collections.abc import Callable\n"
        "def f(make: Callable[[], AgentPlatform]): make().enterprise.reviews.create()",
        [REVIEW],
    ),
    "an annotated variable": (
        "def f(request):\n p: AgentPlatform = request.x\n p.enterprise.reviews.create()",
        [REVIEW],
    ),
    "an alias of the class": (
        "from agent_session_platform import AgentPlatform as P\nP().enterprise.reviews.create()",
        [REVIEW],
    ),
    "the module": ("import agent_session_platform as sdk\nsdk.AgentPlatform().enterprise.reviews.create()", [REVIEW]),
    "a vendored copy": (
        "from ._vendor.agent_session_platform import AgentPlatform as P\nP().enterprise.reviews.create()",
        [REVIEW],
    ),
    "an attribute of self": (
        "class A:\n def __init__(self): self.org = AgentPlatform().organization()\n"
        " def f(self): self.org.sessions.list()",
        [LIST],
    ),
    "an attribute that is used above": (
        "class A:\n def f(self): self._p.enterprise.reviews.create()\n"
        " def __init__(self, p: AgentPlatform): self._p = p",
        [REVIEW],
    ),
    "an attribute of an object": ("class A:\n p = AgentPlatform()\nA().p.enterprise.reviews.create()", [REVIEW]),
    "a base class": (
        "class A:\n def __init__(self): self.p = AgentPlatform()\nclass B(A):\n"
        " def f(self): self.p.enterprise.reviews.create()",
        [REVIEW],
    ),
    "a subclass of the client": ("class P(AgentPlatform): pass\nP().enterprise.reviews.create()", [REVIEW]),
    "a dataclass": ("@dataclass\nclass A:\n org: OrganizationScope\ndef f(a: A): a.org.sessions.list()", [LIST]),
    "a dataclass without a type": (
        "from typing import Any\n@dataclass\nclass A:\n org: Any\n"
        "A(org=AgentPlatform().organization()).org.sessions.list()",
        [LIST],
    ),
    "a property": (
        "class A:\n @property\n def org(self): return AgentPlatform().organization()\n"
        " def f(self): self.org.sessions.list()",
        [LIST],
    ),
    "a class method": (
        "class A:\n @classmethod\n def p(cls): return AgentPlatform()\nA.p().enterprise.reviews.create()",
        [REVIEW],
    ),
    "a return value": ("def make(): return AgentPlatform()\nmake().enterprise.reviews.create()", [REVIEW]),
    "a return annotation": ("def make() -> AgentPlatform: return load()\nmake().enterprise.reviews.create()", [REVIEW]),
    "a generator": (
        "@asynccontextmanager\nasync def make():\n yield AgentPlatform()\n"
        "async def f():\n async with make() as p: p.enterprise.reviews.create()",
        [REVIEW],
    ),
    "an argument of a function": ("def f(org): org.sessions.list()\nf(AgentPlatform().organization())", [LIST]),
    "a keyword of a function": (
        "def f(*, org=None): org.sessions.list()\nf(org=AgentPlatform().organization())",
        [LIST],
    ),
    "more arguments": ("def f(*all):\n for org in all: org.sessions.list()\nf(AgentPlatform().organization())", [LIST]),
    "a lambda": ("f = lambda org: org.sessions.list()\nf(AgentPlatform().organization())", [LIST]),
    "partial": (
        "from functools import partial\ndef f(org, n): org.sessions.list()\n"
        "partial(f, AgentPlatform().organization())(1)",
        [LIST],
    ),
    "map": ("p = AgentPlatform()\nfor org in map(p.organization, ids): org.sessions.list()", [LIST]),
    "an exit stack": (
        "from contextlib import AsyncExitStack\nasync def f():\n async with AsyncExitStack() as stack:\n"
        "  p = await stack.enter_async_context(AgentPlatform())\n  p.enterprise.reviews.create()",
        [REVIEW],
    ),
    "a comprehension": ("p = AgentPlatform()\n[o.sessions.list() for o in [p.organization(i) for i in ids]]", [LIST]),
    "a dictionary": ("p = AgentPlatform()\nd = {'a': p.organization()}\nd['a'].sessions.list()", [LIST]),
    "items of a dictionary": (
        "p = AgentPlatform()\nd = {'a': p.organization()}\nfor name, org in d.items(): org.sessions.list()",
        [LIST],
    ),
    "a list that is filled": (
        "p = AgentPlatform()\nall = []\nall.append(p.organization())\nfor org in all: org.sessions.list()",
        [LIST],
    ),
    "a dictionary that is filled": ("d = {}\nd['a'] = AgentPlatform().organization()\nd['a'].sessions.list()", [LIST]),
    "either of two": (
        "p = AgentPlatform()\ns = p.enterprise if x else p.organization()\ns.sessions.list()",
        [E_LIST, LIST],
    ),
    "a global name": (
        "p = None\ndef start():\n global p\n p = AgentPlatform()\ndef f(): p.enterprise.reviews.create()",
        [REVIEW],
    ),
    "a match": ("match AgentPlatform():\n case p: p.enterprise.reviews.create()", [REVIEW]),
    "getattr": ("getattr(AgentPlatform().organization(), 'sessions').list()", [LIST]),
    "getattr of the verb": ("getattr(AgentPlatform().organization().sessions, 'list')()", [LIST]),
    "getattr in a loop": (
        "for name in ('sessions', 'playbooks'): getattr(AgentPlatform().organization(), name).list()",
        ["organization.playbooks.list", LIST],
    ),
    "request": ("AgentPlatform().request('GET', '/v3/organizations/org-a/sessions')", [LIST]),
    "request by keyword": ("AgentPlatform().request(method='get', path='/v3/enterprise/sessions')", [E_LIST]),
    "request with constants": ("PATH = '/v3/enterprise/sessions'\nAgentPlatform().request('GET', PATH)", [E_LIST]),
    "request with an f-string": ("AgentPlatform().request('GET', f'/v3/organizations/{org_id}/sessions')", [LIST]),
    "request with a sum": ("AgentPlatform().request('GET', '/v3/organizations/' + org_id + '/sessions')", [LIST]),
    "follow": ("AgentPlatform().organization().sessions.follow_messages('s')", ["organization.sessions.list_messages"]),
    "wait": ("AgentPlatform().organization().sessions.wait('s')", [GET, LIST]),
    "wait for what has no list to share": (
        "AgentPlatform().organization().schedules.wait('s')",
        ["organization.schedules.get"],
    ),
    "a batch that waits": (
        "from agent_session_platform_jobs import Batch\norg = AgentPlatform().organization()\n"
        "batch = Batch(org.sessions.create, store='x')\nbatch.run([], key=str, arguments=dict, until={'status': 'x'})",
        [CREATE, GET, LIST],
    ),
    "a batch of the module that waits": (
        "import agent_session_platform_jobs as jobs\norg = AgentPlatform().organization()\n"
        "class A:\n def __init__(self): self.batch = jobs.Batch(create=org.sessions.create, store='x')\n"
        " async def f(self):\n  async for item in self.batch.run([], until=done): pass",
        [CREATE, GET, LIST],
    ),
    "a batch that does not wait": (
        "import agent_session_platform_jobs as jobs\norg = AgentPlatform().organization()\n"
        "jobs.Batch(org.sessions.create, store='x').run([], key=str, until=None)",
        [CREATE],
    ),
    "what a batch finds, releases and waits with": (
        "from agent_session_platform_jobs import Batch\norg = AgentPlatform().organization()\n"
        "async def find(key): return org.playbooks.list()\n"
        "Batch(org.sessions.create, store='x', find=find, release=org.sessions.archive,\n"
        " wait=org.schedules.wait).run([], until={})",
        [CREATE, "organization.playbooks.list", "organization.schedules.get", "organization.sessions.archive"],
    ),
    "a fixture of the plugin": ("def test_it(agent_platform): agent_platform.enterprise.reviews.create()", [REVIEW]),
    "a fixture": (
        "import pytest\n@pytest.fixture\ndef mine(): yield AgentPlatform()\n"
        "def test_it(mine): mine.enterprise.reviews.create()",
        [REVIEW],
    ),
    "a sandbox": (
        "from agent_session_platform_sandbox import Sandbox\nSandbox().client().enterprise.reviews.create()",
        [REVIEW],
    ),
    "an attribute that is spelled like that of a client": (
        "def f(x): x.app.platform.enterprise.reviews.create()",
        [REVIEW],
    ),
    "a base class whose heir decides": (
        "class A:\n @property\n def p(self): raise NotImplementedError\n def f(self): self.p.sessions.list()\n"
        "class B(A):\n @property\n def p(self): return AgentPlatform().enterprise",
        [E_LIST],
    ),
    "a starred argument": (
        "def f(org, ent): ent.sessions.list()\np = AgentPlatform()\nf(p, *[p.enterprise])",
        [E_LIST],
    ),
    "keywords in a dictionary": (
        "def f(*, ent): ent.sessions.list()\nf(**{'ent': AgentPlatform().enterprise})",
        [E_LIST],
    ),
    "a default": ("p = AgentPlatform()\ndef f(org=p.organization()): org.sessions.list()", [LIST]),
    "a decorator": ("@retry(AgentPlatform().organization().sessions.list)\ndef f(): pass", [LIST]),
    "an assertion, a return, a raise": ("def f(p: AgentPlatform):\n assert p.enterprise.reviews.create()", [REVIEW]),
}


@pytest.mark.parametrize(("code", "expected"), FOUND.values(), ids=FOUND)
def test_an_operation_is_found_through(code: str, expected: list[str]) -> None:
    use = read(code)
    assert sorted(operations(use)) == sorted(expected)


@pytest.mark.parametrize(
    "code",
    [code for code, _ in FOUND.values() if "_vendor" not in code],
    ids=[k for k in FOUND if k != "a vendored copy"],
)
def test_nothing_is_left_undecided_of(code: str) -> None:
    assert read(code).undecided == ()


UNDECIDED = {
    "an unknown receiver": (
        "def f(x): x.sessions.list()",
        "the receiver of sessions.list is not known",
        (E_LIST, LIST),
    ),
    "a name": ("def f(sessions): sessions.list()", "the receiver of sessions.list is not known", (E_LIST, LIST)),
    "one that one scope has": (
        "def f(x): x.reviews.create()",
        "the receiver of reviews.create is not known",
        (REVIEW,),
    ),
    "an attribute of self": (
        "class A:\n def __init__(self, org): self.org = org\n def f(self): self.org.sessions.list()",
        "the receiver of sessions.list is not known",
        (E_LIST, LIST),
    ),
    "a result that was not read": (
        "load().sessions.list()",
        "the receiver of sessions.list is not known",
        (E_LIST, LIST),
    ),
    "a dynamic getattr": ("getattr(AgentPlatform().organization(), name).list()", "getattr has a name that is not", ()),
    "a dynamic verb": (
        "getattr(AgentPlatform().enterprise.reviews, verb)()",
        "getattr has a name that is not constant",
        (REVIEW,),
    ),
    "a dynamic path": (
        "AgentPlatform().request('GET', path)",
        "the method or the path of the request is not constant",
        (),
    ),
    "an unknown path": (
        "AgentPlatform().request('GET', '/v3/whatever')",
        "no operation of the contract is GET /v3/whatever",
        (),
    ),
    "a path of several operations": (
        "AgentPlatform().request('GET', f'/v3/enterprise/metrics/{x}')",
        "GET /v3/enterprise/metrics/{...} may be several operations",
        ("enterprise.metrics.get", "enterprise.metrics.get_active_users"),
    ),
    "a request of an unknown object": (
        "def f(x): x.request('GET', '/v3/enterprise/sessions')",
        "the receiver of request is not known",
        (E_LIST,),
    ),
    "a function that was not read": (
        "from elsewhere import work\nwork(AgentPlatform().organization())",
        "a client, a scope or a resource is passed to work, which was not read",
        (),
    ),
    "a job": (
        "from agent_session_platform_jobs import sync\nsync(AgentPlatform())",
        "a client, a scope or a resource is passed to sync, which was not read",
        (),
    ),
    "an unknown resource": (
        "AgentPlatform().organization().widgets.list()",
        "the organization scope has no resource 'wid",
        (),
    ),
    "an unknown verb": (
        "AgentPlatform().organization().sessions.lst()",
        "organization.sessions has no method 'lst'",
        (),
    ),
    "a module that was not read": (
        "from .work import run",
        "imports .work, a part of the program that was not read",
        (),
    ),
    "one known and one unknown value": (
        "org = load()\nif x: org = AgentPlatform().organization()\norg.sessions.list()",
        "the receiver of sessions.list is not known",
        (E_LIST, LIST),
    ),
    "None that something replaces": (
        "class A:\n org = None\n def f(self): self.org.sessions.list()",
        "the receiver of sessions.list is not known",
        (E_LIST, LIST),
    ),
    "an object of a library that may have it": (
        "from contextvars import ContextVar\nvar = ContextVar('x')\nvar.get().sessions.list()",
        "the receiver of sessions.list is not known",
        (E_LIST, LIST),
    ),
}


@pytest.mark.parametrize(("code", "reason", "candidates"), UNDECIDED.values(), ids=UNDECIDED)
def test_what_cannot_be_decided_is_listed(code: str, reason: str, candidates: tuple[str, ...]) -> None:
    found = read(code).undecided
    assert [each.reason[: len(reason)] for each in found] == [reason]
    assert found[0].candidates == candidates


@pytest.mark.parametrize(
    "code",
    [
        "sessions = {}\nsessions.get('a')",
        "import asyncio\nqueue = asyncio.Queue()\nqueue.get()",
        "class A:\n def __init__(self): self.sessions = dict()\n def f(self): self.sessions.get(1)",
        "import httpx\nhttpx.AsyncClient().request('GET', '/users')",
        "p = AgentPlatform()\np.rate_limiter.stats().get('x')",
        "async def f(p: AgentPlatform):\n session = await p.organization().sessions.create()\n session.get('x')",
        "print(AgentPlatform())",
        "def f(sessions: dict[str, int]): sessions.get('a')",
        "AgentPlatform().organization().org_id",
        "class Queue:\n def get(self): pass\nclass A:\n queue = Queue()\n def f(self): self.queue.get()",
    ],
)
def test_what_is_no_operation_is_not_listed(code: str) -> None:
    use = read(code)
    expected = [CREATE] if "create" in code else []
    assert (operations(use), use.undecided) == (expected, ())


def test_a_place_has_line_and_column_of_the_method() -> None:
    use = read_program("p = 1\nx = 'ä'; AgentPlatform().organization(\n).sessions.list()\n")
    assert [str(each) for each in use.uses] == ["<source>:3:12: organization.sessions.list"]


def test_a_column_counts_characters() -> None:
    line = "x = 'ääää'; AgentPlatform().enterprise.sessions.list()\n"
    assert [each.column for each in read_program(line).uses] == [line.index("list") + 1]


def test_a_program_that_calls_itself_is_read() -> None:
    code = "def f(x):\n x = [x, f(x)]\n y = y + 'a'\n return f(x)\nclass A(A): pass\nA().b.c\nf(AgentPlatform())\n"
    assert read_program(code).uses == ()


def test_the_list_that_waits_share_is_optional() -> None:
    use = read("AgentPlatform().organization().sessions.wait('s')")
    assert [(each.operation, each.optional) for each in use.uses] == [(GET, False), (LIST, True)]
    assert str(use.uses[1]).endswith(f"{LIST} (optional)")
    assert [each.name for each in use.permissions.operations] == [GET]
    assert [each.name for each in use.permissions.optional] == [LIST]


def test_a_list_that_is_read_anyway_is_not_optional() -> None:
    use = read("org = AgentPlatform().organization()\norg.sessions.wait('s')\norg.sessions.list()")
    assert ([each.name for each in use.permissions.operations], use.permissions.optional) == ([GET, LIST], ())


def test_a_batch_that_waits_is_found_where_it_is_run() -> None:
    use = read(
        "from agent_session_platform_jobs import Batch\nbatch = Batch(AgentPlatform().organization().sessions.create)\n"
        "async def f():\n async for item in batch.run([], until={}): pass"
    )
    assert [(each.line, each.operation) for each in use.uses] == [(3, CREATE), (5, GET), (5, LIST)]
