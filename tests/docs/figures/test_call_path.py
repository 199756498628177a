"""The figure of a call: drawn from one that really ran."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from docs.check import ROOT
from docs.figures import call_path
from docs.figures.call_trace import Trace, trace
from docs.figures.drawing import text_width, wrap

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def call() -> Trace:
    return trace()


@pytest.fixture(scope="module")
def drawn() -> ElementTree.Element:
    return ElementTree.fromstring(call_path.svg())


def test_the_call_goes_from_the_facade_to_the_model(call: Trace) -> None:
    modules = [step.module for step in call.steps]
    assert (modules[0], modules[-1]) == ("agent_session_platform_api.api.sessions", "agent_session_platform_api.model")
    assert (call.request, call.result) == ("GET /v3/organizations/org-acme/sessions/assistant-session-1", "Session")


def test_a_call_is_as_short_as_its_page_says(call: Trace) -> None:
    page = (ROOT / "docs/pages/explanation/call.md").read_text(encoding="utf-8")
    said = re.search(r"at most (\d+) functions in (\d+) modules", page)
    assert said is not None
    assert len(call.steps) <= int(said[1])
    assert len({step.module for step in call.steps}) <= int(said[2])


def test_every_function_of_the_call_is_in_the_figure(call: Trace, drawn: ElementTree.Element) -> None:
    words = " ".join(text.text or "" for text in drawn.iter(f"{SVG}text"))
    names = {step.function.rpartition(".")[2] for step in call.steps}
    assert {name for name in names if not re.search(rf"\b{name}\b", words)} == set()


def test_the_figure_has_a_title_and_says_the_same_in_words(call: Trace, drawn: ElementTree.Element) -> None:
    assert (drawn.get("role"), drawn.findtext(f"{SVG}title")) == ("img", "How a call travels")
    described = drawn.findtext(f"{SVG}desc") or ""
    assert [step.module for step in call.steps if step.module not in described] == []


def test_words_are_wrapped_to_a_width() -> None:
    assert wrap(["aaaa"] * 3, text_width("aaaa aaaa")) == ["aaaa aaaa", "aaaa"]


def test_an_address_is_wrapped_without_spaces() -> None:
    assert wrap(["/aa/"] * 3, text_width("/aa//aa/"), joint="") == ["/aa//aa/", "/aa/"]


def test_each_room_and_band_but_the_first_has_an_arrow_to_it(drawn: ElementTree.Element) -> None:
    rooms = len(list(drawn.iter(f"{SVG}rect"))) - 1
    assert len(list(drawn.iter(f"{SVG}polyline"))) == 2 * (rooms - 1)


def test_a_purpose_has_no_marks_of_code(call: Trace) -> None:
    assert [step.purpose for step in call.steps if "`" in step.purpose] == []
