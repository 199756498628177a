"""A sandbox of the odd contract, whose shapes the contract of the API does not have."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import httpx
import yaml
from agent_session_platform.sandbox import Call, Reply
from agent_session_platform.sandbox.contract import Contract
from agent_session_platform.sandbox.handlers import Handler
from agent_session_platform.sandbox.http import ApplicationContext, Faults, JournalAndFaults, make_app
from agent_session_platform.sandbox.journal import Journal
from agent_session_platform.sandbox.state import State
from agent_session_platform.sandbox.time import START, Clock


@cache
def odd_contract() -> Contract:
    """Return the odd contract."""
    return Contract(yaml.safe_load(Path(__file__).with_name("odd_contract.yaml").read_text(encoding="utf-8")))


class OddSandbox:
    """A sandbox of the odd contract, and a client of it.

    Attributes:
        client: A plain HTTP client.
        received: The latest call of an operation whose id begins with `echo_`.
        state: The state.
        journal: The journal.
    """

    received: Call

    def __init__(self) -> None:
        self.state = State(Clock(START))
        self.context = ApplicationContext(self.state, strict=False, contract=odd_contract())
        self.journal = Journal(self.state.accounts.redact)
        for operation_id in self.context.handlers:
            if operation_id.startswith("echo_"):
                self.context.handlers[operation_id] = self._receive
        app = JournalAndFaults(make_app(self.context), self.state.now, self.journal, Faults())
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://odd.invalid")

    def handle(self, operation_id: str, handler: Handler) -> None:
        """Replace the handler of an operation."""
        self.context.handlers[operation_id] = handler

    async def json(self, method: str, path: str, **settings: Any) -> Any:
        """Send a request, and return the JSON of its success, validated against the contract."""
        response = await self.client.request(method, path, **settings)
        assert response.is_success, response.text
        assert response.headers["Content-Type"] == "application/json"
        operation = next(each for each in self.context.routes if each.method == method and _matches(each.path, path))
        form = operation.response(response.status_code)
        assert form is not None
        form.contents[-1].validator.validate(response.json())
        return response.json()

    def _receive(self, call: Call) -> Reply:
        self.received = call
        return Reply({})


def _matches(template: str, path: str) -> bool:
    given, parts = path.partition("?")[0].split("/"), template.split("/")
    return len(given) == len(parts) and all(p in ("", g) or p[0] == "{" for p, g in zip(parts, given, strict=True))
