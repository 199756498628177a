"""A sandbox of the odd contract, which has shapes that the contract of the API does not have."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import httpx
import yaml
from agent_session_platform_sandbox import Call, Reply
from agent_session_platform_sandbox.api import Api
from agent_session_platform_sandbox.clock import START, Clock
from agent_session_platform_sandbox.contract import find_content
from agent_session_platform_sandbox.faults import Faults, JournalAndFaults
from agent_session_platform_sandbox.handlers import Handler
from agent_session_platform_sandbox.journal import Journal
from agent_session_platform_sandbox.server import Guard
from agent_session_platform_sandbox.state import State
from agent_session_platform_sandbox.validation import SandboxContract


@cache
def odd_contract() -> SandboxContract:
    """Return the odd contract."""
    return SandboxContract(yaml.safe_load(Path(__file__).with_name("odd_contract.yaml").read_text(encoding="utf-8")))


class OddSandbox:
    """A sandbox of the odd contract, and a client of it.

    Attributes:
        received: The latest call of an operation whose id begins with `echo_`.
    """

    received: Call

    def __init__(self) -> None:
        self.state = State(Clock(START))
        self.journal = Journal(self.state.accounts.redact)
        api = Api(self.state, strict=False, contract=odd_contract())
        self._handlers, self._routes = api.handlers, api.routes
        for operation_id in self._routes:
            if operation_id.startswith("echo_"):
                self.handle(operation_id, self._receive)
        app = Guard(JournalAndFaults(api, self.state.now, self.journal, Faults()), self.journal.redact)
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://odd.invalid")

    def handle(self, operation_id: str, handler: Handler) -> None:
        """Replace the handler of an operation."""
        self._handlers[operation_id] = handler

    async def send(self, method: str, path: str, body: Any = None, **settings: Any) -> httpx.Response:
        """Send a request, with *body* as JSON."""
        return await self.client.request(method, path, json=body, **settings)

    async def json(self, method: str, path: str, body: Any = None, **settings: Any) -> Any:
        """Send a request, and return the JSON of its success."""
        response = await self.send(method, path, body, **settings)
        assert response.is_success, response.text
        assert response.headers["Content-Type"] == "application/json"
        return response.json()

    async def refused(self, method: str, path: str, body: Any = None, **settings: Any) -> tuple[int, str]:
        """Send a request, and return the status and the detail of its refusal."""
        response = await self.send(method, path, body, **settings)
        assert response.headers["Content-Type"] == "application/problem+json"
        return response.status_code, response.json()["detail"]

    def check(self, operation_id: str, response: httpx.Response) -> None:
        """Validate the JSON of a response against the contract."""
        form = self._routes[operation_id].response(response.status_code)
        assert form is not None
        content = find_content(form.contents, response.headers["Content-Type"])
        assert content is not None
        content.shape.validator.validate(response.json())

    def _receive(self, call: Call) -> Reply:
        self.received = call
        return Reply({})
