"""Models in pydantic and FastAPI."""

from __future__ import annotations

from typing import Any

import agent_session_platform.models
import httpx
import pytest
from agent_session_platform.models import Session
from pydantic import BaseModel, TypeAdapter, ValidationError

from tests.box import Box

SENT: dict[str, Any] = {"session_id": "a", "title": None, "tags": "odd", "pull_requests": [None], "new": {"a": 1}}


class Report(BaseModel):
    session: Session
    others: list[Session] = []


def test_a_model_is_validated_from_a_mapping_or_itself() -> None:
    report = Report(session=SENT, others=[Session.from_dict(SENT)])  # type: ignore[arg-type]  # pydantic converts it
    assert [report.session, *report.others] == [Session.from_dict(SENT)] * 2


@pytest.mark.parametrize("value", [None, 7, "x", [], Box()])
def test_anything_else_is_refused(value: Any) -> None:
    with pytest.raises(ValidationError, match="Input should be a JSON object or a Session"):
        Report(session=value)


def test_a_model_is_written_as_it_was_sent() -> None:
    report = Report(session=Session.from_dict(SENT), others=[Session.from_item(7)])
    assert report.model_dump() == {"session": SENT, "others": [7]}
    assert Report.model_validate_json(report.model_dump_json(exclude={"others"})).session == report.session


@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_the_json_schema_is_that_of_the_contract(mode: Any) -> None:
    schema = TypeAdapter(Session).json_schema(mode=mode)
    title, requests = schema["properties"]["title"], schema["properties"]["pull_requests"]
    assert title["anyOf"] == [{"type": "string"}, {"type": "null"}]
    assert requests["anyOf"][0] == {"type": "array", "items": {"$ref": "#/$defs/SessionPullRequest"}}
    assert schema["additionalProperties"] is True


def test_the_json_schema_has_the_names_and_the_required_fields_of_the_contract() -> None:
    schema = TypeAdapter(Box).json_schema()["$defs"]["Box"]
    assert (list(schema["properties"]), schema["required"]) == (["box_id", "class", "x-y", "inner"], ["box_id"])
    assert schema["properties"]["inner"]["anyOf"][0]["items"] == {"$ref": "#/$defs/Box"}


@pytest.mark.parametrize("name", dir(agent_session_platform.models))
def test_every_model_has_a_json_schema(name: str) -> None:
    model = getattr(agent_session_platform.models, name)
    if isinstance(model, type):
        assert TypeAdapter(model).json_schema(mode="serialization")


async def test_a_model_is_the_response_of_a_fastapi_service() -> None:
    fastapi = pytest.importorskip("fastapi")
    app = fastapi.FastAPI()
    app.get("/all", response_model=list[Session])(lambda: [Session.from_dict(SENT), Session.from_item(None)])
    app.get("/plain")(lambda: [Session.from_dict(SENT)])
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
        received = {path: (await client.get(path)).json() for path in ("/all", "/plain", "/openapi.json")}
    document = received.pop("/openapi.json")
    assert received == {"/all": [SENT, None], "/plain": [SENT]}
    assert {"Session", "SessionPullRequest"} <= set(document["components"]["schemas"])
    response = document["paths"]["/all"]["get"]["responses"]["200"]["content"]["application/json"]
    assert response["schema"]["items"]["$ref"] == "#/components/schemas/Session"
