"""A drawing that becomes SVG, from top to bottom: narrow enough that its text can be read on a telephone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal
from xml.sax.saxutils import escape, quoteattr

# At 360 px a page leaves 328 px for a figure: text of 16 units is then 12.5 px high.
WIDTH: Final = 420
TEXT: Final = 16
LINE: Final = 22

# The figure has its own light background, so these have contrast on a dark page, too.
INK: Final = "#1f2933"
QUIET: Final = "#52606d"
PAPER: Final = "#ffffff"
RULE: Final = "#cbd2d9"

FONTS: Final = {
    "sans": "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif",
    "mono": "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
}

# Widths in shares of the font size, as of DejaVu Sans: other fonts of readers are narrower.
NARROW: Final = frozenset("ijlftrI.,:;'|!()[] ")
WIDE: Final = frozenset("mwMW@%")
MONO_WIDTH: Final = 0.61
BOLD_WIDTH: Final = 1.1

Font = Literal["sans", "mono"]
Anchor = Literal["start", "middle", "end"]


def text_width(text: str, size: float = TEXT, font: Font = "sans", *, bold: bool = False) -> float:
    """Estimate how wide a text is, rather too wide than too narrow.

    Args:
        text: One line.
        size: Font size in units.
        font: Its font.
        bold: Whether it is bold.
    """
    if font == "mono":
        return len(text) * size * MONO_WIDTH
    shares = (0.4 if each in NARROW else 1.0 if each in WIDE else 0.72 if each.isupper() else 0.63 for each in text)
    return sum(shares) * size * (BOLD_WIDTH if bold else 1.0)


def wrap(words: Iterable[str], width: float, size: float = TEXT, font: Font = "sans", joint: str = " ") -> list[str]:
    """Return words, with *joint* between them, as lines; none is wider than *width* if no word is."""
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]}{joint}{word}" if lines else word
        if lines and text_width(longer, size, font) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


class Drawing:
    """A drawing of a fixed width, to which shapes are added; the last one is on top.

    Args:
        title: What it shows, in a few words.
        description: The same content as text, for those who do not see it.
    """

    def __init__(self, title: str, description: str) -> None:
        self._title, self._description = title, description
        self._shapes: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = TEXT,
        font: Font = "sans",
        bold: bool = False,
        fill: str = INK,
        anchor: Anchor = "start",
    ) -> None:
        """Add one line of text, whose base line is at *y*."""
        weight = ' font-weight="700"' if bold else ""
        self._shapes.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" class="{font}" fill="{fill}" '
            f'text-anchor="{anchor}"{weight}>{escape(text)}</text>'
        )

    def rectangle(
        self, x: float, y: float, width: float, height: float, *, fill: str = PAPER, stroke: str = RULE
    ) -> None:
        """Add a rectangle with round corners."""
        self._shapes.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="8" fill="{fill}" stroke="{stroke}"/>'
        )

    def arrow(self, x: float, top: float, bottom: float) -> None:
        """Add an arrow that points down."""
        shaft = f"{x:g},{top:g} {x:g},{bottom - 2:g}"
        head = f"{x - 5:g},{bottom - 7:g} {x:g},{bottom - 1:g} {x + 5:g},{bottom - 7:g}"
        self._shapes += (
            f'<polyline points="{points}" fill="none" stroke="{QUIET}" stroke-width="2" stroke-linejoin="round"/>'
            for points in (shaft, head)
        )

    def svg(self, height: float) -> str:
        """Return the drawing as a document of SVG with a background of its own.

        Args:
            height: Its height in units.
        """
        fonts = "".join(f".{name}{{font-family:{family}}}" for name, family in FONTS.items())
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}" '
                f'viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label={quoteattr(self._title)} '
                'aria-describedby="description">',
                f"<title>{escape(self._title)}</title>",
                f'<desc id="description">{escape(self._description)}</desc>',
                f"<style>{fonts}</style>",
                f'<rect width="{WIDTH}" height="{height:g}" rx="12" fill="{PAPER}"/>',
                *self._shapes,
                "</svg>\n",
            )
        )
