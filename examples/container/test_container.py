"""The image and the compose file: small, pinned, healthy, and not run by root."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

HERE = Path(__file__).parent
INSTRUCTION = re.compile(r"^(?P<name>[A-Z]+) (?P<rest>(?:.*\\\n)*.*)$", re.MULTILINE)
IMAGE = re.compile(r"python:3\.\d+\.\d+-slim-[a-z]+( AS build)?")


@pytest.fixture(scope="module")
def instructions() -> list[tuple[str, str]]:
    text = (HERE / "Dockerfile").read_text(encoding="utf-8")
    return [(each["name"], each["rest"]) for each in INSTRUCTION.finditer(text)]


@pytest.fixture(scope="module")
def image(instructions: list[tuple[str, str]]) -> dict[str, str]:
    """Return the instructions of the last stage, which is what runs."""
    last = max(index for index, (name, _) in enumerate(instructions) if name == "FROM")
    return dict(instructions[last:])


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    document = yaml.safe_load((HERE / "compose.yaml").read_text(encoding="utf-8"))
    assert set(document) == {"services", "volumes"}
    found: dict[str, Any] = document["services"]["sandbox"]
    return found


def test_every_stage_begins_with_a_pinned_and_slim_image(instructions: list[tuple[str, str]]) -> None:
    images = [rest for name, rest in instructions if name == "FROM"]
    assert [each for each in images if not IMAGE.fullmatch(each)] == []


def test_the_image_is_not_run_by_root(image: dict[str, str]) -> None:
    assert image["USER"] == "10001"


def test_the_image_installs_pinned_versions_and_no_build_tools(image: dict[str, str]) -> None:
    assert "--no-cache-dir --constraint /tmp/constraints.txt /wheels/*.whl" in image["RUN"]
    assert "apt-get" not in image["RUN"]


def test_the_image_says_whether_it_is_healthy_and_where_it_listens(image: dict[str, str]) -> None:
    assert image["EXPOSE"] == "8080"
    assert "http://127.0.0.1:8080/_sandbox" in image["HEALTHCHECK"]


def test_a_signal_reaches_the_sandbox(image: dict[str, str]) -> None:
    """In the shell form of ENTRYPOINT, SIGTERM would not reach the sandbox."""
    assert yaml.safe_load(image["ENTRYPOINT"])[:3] == ["python", "-m", "agent_session_platform_sandbox"]


def test_every_source_of_the_image_exists(instructions: list[tuple[str, str]]) -> None:
    sources = [word for name, rest in instructions if name == "COPY" for word in rest.split()[:-1]]
    assert [each for each in sources if not (HERE.parent.parent / each).exists()] == []


def test_the_service_is_for_this_machine_only(service: dict[str, Any]) -> None:
    assert service["ports"] == ["127.0.0.1:8080:8080"]


def test_the_service_may_do_no_more_than_it_needs(service: dict[str, Any]) -> None:
    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_the_service_has_the_health_check_of_the_image(service: dict[str, Any], image: dict[str, str]) -> None:
    check = service["healthcheck"]
    assert {*check} == {"test", "interval", "timeout", "start_period"}
    assert yaml.safe_load(image["HEALTHCHECK"].partition("CMD ")[2]) == check["test"][1:]


def test_the_service_is_built_of_this_checkout(service: dict[str, Any]) -> None:
    build = service["build"]
    assert (HERE / build["context"] / build["dockerfile"]).resolve() == HERE / "Dockerfile"


def test_other_services_may_name_it(service: dict[str, Any]) -> None:
    command = service["command"]
    assert command[command.index("--allow-host") + 1] == "sandbox"
