"""Facts that hold for whatever a server sends: Retry-After, problem bodies, cursors and pages."""

from __future__ import annotations

import asyncio
import copy
import pickle
from datetime import UTC, datetime
from typing import Any

from agent_session_platform import AgentPlatformError, ProblemError
from agent_session_platform._api import Operation
from agent_session_platform.errors import ServerError
from agent_session_platform.response.problem import STATUS_ERRORS, make_problem
from agent_session_platform.response.response import Response
from agent_session_platform.response.retry_after import parse_retry_after
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.conftest import both_transports
from tests.servers.fault_server import Connection, Request, fault_server
from tests.servers.scripts import response

NOW = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)
OPERATION = Operation(
    id="list_things",
    method="GET",
    path="/v3/things",
    scope="organization",
    resource="things",
    verb="list",
    permission="ViewThings",
    level="organization",
    credentials=("serviceUser",),
)
# Title, five failures of 300 characters each, and what the operation needs.
LONGEST = 2200

stable = settings(deadline=None, max_examples=50, database=None, derandomize=True)

texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)
days = st.sampled_from(["Fri", "Friday", "fri", "", "Xyz", "20"])
months = st.sampled_from(["Nov", "nov", "November", "13", "", "Feb"])
digits = st.integers(-(10**6), 10**6).map(str) | st.text("0123456789", max_size=6)
dates = st.one_of(
    st.builds("{}, {} {} {} {}:{}:{} {}".format, days, digits, months, digits, digits, digits, digits, texts),
    st.builds("{}, {}-{}-{} {}:{}:{} GMT".format, days, digits, months, digits, digits, digits, digits),
    st.builds("{} {} {} {}:{}:{} {}".format, days, months, digits, digits, digits, digits, digits),
    st.datetimes(timezones=st.timezones()).map(lambda moment: moment.strftime("%a, %d %b %Y %H:%M:%S %z")),
    st.datetimes().map(lambda moment: moment.strftime("%A, %d-%b-%y %H:%M:%S GMT")),
    st.datetimes().map(lambda moment: moment.strftime("%a %b %e %H:%M:%S %Y")),
)
headers = st.one_of(st.text(), dates, st.floats().map(str), st.integers().map(str), st.from_regex(r"[+-]?[\d.,]+"))


@given(value=st.none() | headers | st.tuples(headers, headers).map(", ".join))
@settings(stable, max_examples=300)
def test_any_retry_after_is_seconds_or_nothing(value: str | None) -> None:
    seconds = parse_retry_after(value, NOW)
    assert seconds is None or seconds >= 0


problems = st.fixed_dictionaries(
    {},
    optional={
        name: values
        | st.lists(st.dictionaries(st.sampled_from(["loc", "msg", "field", "message"]), values, max_size=4))
        for name in ("type", "title", "detail", "status", "instance", "errors", "error_code")
    },
)


def check_problem(status: int, body: Any, content: bytes, retry_after: str | None, longest: int) -> None:
    error = make_problem(
        Response(status, "application/problem+json", parse_retry_after(retry_after, NOW), "", content), OPERATION
    )
    wanted = ServerError if status >= 500 else STATUS_ERRORS.get(status, ProblemError)
    assert type(error) is wanted
    assert (error.status, error.operation) == (status, OPERATION)
    assert str(error).startswith(f"organization.things.list: {status} ")
    assert len(str(error)) <= longest
    for other in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(other) is wanted
        assert (str(other), repr(other.body)) == (str(error), repr(error.body))


def as_json(body: Any) -> bytes:
    """The body without the head of an answer; half of a surrogate pair is written as an escape."""
    return response(body).partition(b"\r\n\r\n")[2]


statuses = st.integers(400, 999) | st.sampled_from([*STATUS_ERRORS, 500, 503])


@given(status=statuses, body=values | problems, retry_after=st.none() | headers)
@settings(stable, max_examples=100)
def test_any_json_is_the_problem_of_its_status(status: int, body: Any, retry_after: str | None) -> None:
    # An escape has ten characters at most.
    check_problem(status, body, as_json(body), retry_after, 10 * LONGEST)


@given(status=statuses, content=st.binary(max_size=300))
@stable
def test_any_bytes_are_the_problem_of_their_status(status: int, content: bytes) -> None:
    check_problem(status, None, content, None, LONGEST)


printable = st.text(st.characters(categories=["L", "N", "P"]), min_size=200)


@given(title=printable, detail=printable | st.lists(st.fixed_dictionaries({"msg": printable}), min_size=6, max_size=9))
@stable
def test_the_message_of_any_problem_is_short(title: str, detail: Any) -> None:
    body = {"title": title * 50, "detail": detail * 50}
    check_problem(422, body, as_json(body), None, LONGEST)


@given(title=st.text(st.characters(categories=["Co", "Cn", "Cc"]), min_size=200))
@settings(stable, phases=[Phase.generate])
def test_the_message_of_any_problem_is_short_also_when_escaped(title: str) -> None:
    body = {"title": title, "detail": [{"msg": title}] * 5}
    check_problem(422, body, as_json(body), None, LONGEST)


@both_transports
@given(cursors=st.lists(texts, min_size=1, max_size=5, unique=True))
@stable
def test_any_cursor_goes_round_and_comes_back(transport: Any, cursors: list[str]) -> None:
    asked: list[str | None] = []

    async def script(request: Request, connection: Connection) -> None:
        asked.append(request.query.get("after"))
        end_cursor = cursors[len(asked) - 1] if len(asked) <= len(cursors) else None
        await connection.send(
            response({"items": [], "end_cursor": end_cursor, "has_next_page": end_cursor is not None})
        )

    async def run() -> list[Any]:
        async with fault_server(script) as server, server.client(transport) as platform:
            return await platform.enterprise.sessions.list().collect()

    assert asyncio.run(run()) == []
    assert asked == [None, *cursors]


@given(pages=st.lists(st.lists(values, max_size=4), min_size=1, max_size=4))
@stable
def test_any_items_come_through_as_they_are(pages: list[list[Any]]) -> None:
    async def script(request: Request, connection: Connection) -> None:
        number = int(request.query.get("after", "0"))
        more = number + 1 < len(pages)
        await connection.send(response({"items": pages[number], "end_cursor": str(number + 1), "has_next_page": more}))

    async def run() -> list[Any]:
        async with fault_server(script) as server, server.client() as platform:
            return await platform.enterprise.sessions.list().collect()

    plain = [item.to_dict() if hasattr(item, "to_dict") else item for item in asyncio.run(run())]
    # As text, because nan is not equal to itself.
    assert repr(plain) == repr([item for page in pages for item in page])


envelopes = values | st.fixed_dictionaries(
    {"items": values | st.lists(values)}, optional={"end_cursor": values, "has_next_page": values, "total": values}
)


@given(first=envelopes, second=envelopes)
@stable
def test_any_page_is_read_or_refused_with_an_error_of_ours(first: Any, second: Any) -> None:
    delivered: list[Any] = []

    async def run() -> AgentPlatformError | None:
        scripts = [response(page) for page in (first, second, {"items": []})]
        async with fault_server(*scripts) as server, server.client() as platform:
            try:
                async for item in platform.enterprise.sessions.list():
                    delivered.append(item)  # noqa: PERF401
            except AgentPlatformError as error:
                return error
        return None

    error = asyncio.run(asyncio.wait_for(run(), 20))
    assert error is None or str(error).startswith("enterprise.sessions.list: ")
    items = first.get("items") if isinstance(first, dict) else None
    assert len(delivered) >= (len(items) if isinstance(items, list) else 0)
