"""The figure of a call can be read: on a telephone, by programs, on a light and on a dark page."""

from __future__ import annotations

from xml.etree import ElementTree

from docs.figures import call_path
from docs.figures.drawing import WIDTH, Font, text_width

SVG = "{http://www.w3.org/2000/svg}"

# In units; on a telephone a unit is 328 / 420 px.
LEAST_SIZE = 14


def ends(text: ElementTree.Element) -> tuple[float, float]:
    """Return the estimated left and right end of a text."""
    font: Font = "mono" if text.get("class") == "mono" else "sans"
    width = text_width(text.text or "", float(text.attrib["font-size"]), font, bold=text.get("font-weight") == "700")
    left = float(text.attrib["x"]) - {"start": 0, "middle": width / 2, "end": width}[text.attrib["text-anchor"]]
    return left, left + width


def test_no_text_leaves_the_figure() -> None:
    found = [(text.text, *ends(text)) for text in ElementTree.fromstring(call_path.svg()).iter(f"{SVG}text")]
    assert found
    assert [each for each in found if each[1] < 0 or each[2] > WIDTH] == []


def test_no_text_of_a_call_leaves_its_box() -> None:
    drawn = ElementTree.fromstring(call_path.svg())
    boxes = [
        (float(box.attrib["x"]), float(box.attrib["y"]), float(box.attrib["width"]), float(box.attrib["height"]))
        for box in drawn.iter(f"{SVG}rect")
        if "x" in box.attrib
    ]
    for text in drawn.iter(f"{SVG}text"):
        y, (left, right) = float(text.attrib["y"]), ends(text)
        inside = [box for box in boxes if box[1] < y < box[1] + box[3]]
        # Only the heading is in no box.
        assert inside or text.text == call_path.TITLE
        assert all(x <= left and right <= x + width for x, _, width, _ in inside), text.text


def test_no_text_is_too_small() -> None:
    texts = list(ElementTree.fromstring(call_path.svg()).iter(f"{SVG}text"))
    assert min(float(text.attrib["font-size"]) for text in texts) >= LEAST_SIZE


def test_the_figure_has_a_background_of_its_own_and_words_for_who_does_not_see_it() -> None:
    drawn = ElementTree.fromstring(call_path.svg())
    background = next(drawn.iter(f"{SVG}rect"))
    assert (background.get("width"), background.get("height")) == (drawn.get("width"), drawn.get("height"))
    assert (drawn.get("role"), bool(drawn.findtext(f"{SVG}desc"))) == ("img", True)
