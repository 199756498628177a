"""Frameworks look at the SDK: they read annotations, check arguments, and write models as JSON."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from typing import Any, get_type_hints

import agent_session_platform
import agent_session_platform_jobs
import agent_session_platform_observe
import pytest
from agent_session_platform import OpenModel, OrganizationScope, RequestOptions, resources
from agent_session_platform._api import Model
from agent_session_platform.models import Session

pydantic = pytest.importorskip("pydantic")


def functions_of(cls: type) -> Iterator[Callable[..., Any]]:
    """Yield the public methods of a class, its constructor, and the getters of its properties."""
    for name, member in inspect.getmembers_static(cls):
        if name.startswith("_") and name != "__init__":
            continue
        function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if inspect.isfunction(function):
            yield function


PACKAGES = [agent_session_platform, agent_session_platform_jobs, agent_session_platform_observe]
PUBLIC = [getattr(package, name) for package in PACKAGES for name in package.__all__]
FUNCTIONS = [value for value in PUBLIC if inspect.isfunction(value)]
MODELS = [getattr(agent_session_platform.models, name) for name in dir(agent_session_platform.models)]
CLASSES = [value for value in [*PUBLIC, *MODELS] if inspect.isclass(value)]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_the_annotations_of_a_public_class_can_be_read_at_run_time(cls: type) -> None:
    get_type_hints(cls)
    for function in functions_of(cls):
        assert isinstance(get_type_hints(function), dict), function


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_the_annotations_of_a_public_function_can_be_read_at_run_time(function: Callable[..., Any]) -> None:
    assert isinstance(get_type_hints(function), dict)


@pytest.mark.parametrize("name", dir(resources))
def test_pydantic_can_check_the_arguments_of_every_method(name: str) -> None:
    for method in functions_of(getattr(resources, name)):
        if method.__name__ != "__init__":
            assert pydantic.validate_call(method)


async def test_a_checked_method_calls_the_api(org: OrganizationScope) -> None:
    create = pydantic.validate_call(org.sessions.create)
    session = await create(prompt="Fix the flaky test", options=RequestOptions(timeout=5))
    assert session.session_id.startswith("assistant-")


@pytest.mark.parametrize(
    "value", [{"a": 1}, [{"a": 1}, {"b": [2]}], [], {}, "text", 3, None, False, {"keys": 1}], ids=repr
)
@pytest.mark.parametrize("model", [OpenModel, Session])
def test_fastapi_writes_a_model_as_the_server_sent_it(model: type[Model], value: Any) -> None:
    jsonable_encoder = pytest.importorskip("fastapi.encoders").jsonable_encoder
    assert jsonable_encoder(model.from_item(value)) == value


@pytest.mark.parametrize("value", [{"a": 1}, [{"a": 1}], [], "text", 3], ids=repr)
@pytest.mark.parametrize("model", [OpenModel, Session])
def test_pydantic_writes_a_model_within_values_of_any_type(model: type[Model], value: Any) -> None:
    adapter = pydantic.TypeAdapter(dict[str, Any])
    held = {"one": model.from_item(value), "many": [model.from_item(value)]}
    assert adapter.dump_python(held, mode="json") == {"one": value, "many": [value]}
    assert json.loads(adapter.dump_json(held)) == {"one": value, "many": [value]}
