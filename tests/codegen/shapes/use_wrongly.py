"""Objects that are wrong: each line has an ignore, and both type checkers report one that they do not need."""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from agent_session_platform import AgentPlatform
from agent_session_platform.models import OwnerAddressDict, OwnerDict


async def wrong(platform: AgentPlatform) -> None:
    boxes = platform.organization("org-acme").boxes
    payments = platform.enterprise.payments
    await boxes.create(label="a", from_="2026-01-02", owner={"nam": "Ada"})  # type: ignore[arg-type]
    await boxes.create(label="a", from_="2026-01-02", owner={"size": "small"})  # type: ignore[arg-type]
    await boxes.create(label="a", from_="2026-01-02", owner={"name": "Ada", "size": "tiny"})  # type: ignore[arg-type]
    await boxes.create(label="a", from_="2026-01-02", owner={"name": "Ada"}, others=[{"name": 1}])  # type: ignore[list-item]
    boxes.list(class_="small", x_request_tag="tag", filter={"stat": "x"})  # type: ignore[arg-type]
    await payments.create(body={"kind": "cash"})  # type: ignore[arg-type]
    owner: OwnerDict = {"name": "Ada", "size": "tiny"}  # type: ignore[typeddict-item]
    address: OwnerAddressDict = {"street": 1, "from": "2026-01-02", "kind": "post"}  # type: ignore[typeddict-item]
    owner["nam"]  # type: ignore[typeddict-item]
    print(address["country"].year)  # type: ignore[attr-defined]
