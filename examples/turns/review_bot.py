"""Review a pull request, with a verdict that a program can read."""

from typing import Literal

from agent_session_platform import OrganizationScope
from agent_session_platform_jobs import ask
from deployment import STATES
from pydantic import BaseModel


class Verdict(BaseModel):
    decision: Literal["approve", "request changes"]
    remarks: list[str]


async def review(org: OrganizationScope, pr_url: str) -> Verdict:
    task = f"Review {pr_url}. Give your verdict as structured output: decision, remarks."
    turn = await ask(org.sessions, task, states=STATES, result=Verdict.model_validate)
    if turn.result is None:
        raise RuntimeError(f"no verdict on {pr_url}: {turn.reason}; {turn.result_error or turn.text}")
    return turn.result
