"""The README on a package index: its links are absolute."""

from __future__ import annotations

import pytest

from codegen.release.readme import absolute

SOURCE = "https://host.example/source/"


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[a](docs/a.md)", f"[a]({SOURCE}docs/a.md)"),
        ("[a](docs/a.md#part)", f"[a]({SOURCE}docs/a.md#part)"),
        ("![a](docs/a.png)", f"![a]({SOURCE}docs/a.png)"),
        ("[a](https://www.attrs.org)", "[a](https://www.attrs.org)"),
        ("[a](#part)", "[a](#part)"),
        ("f(docs/a.md)", "f(docs/a.md)"),
    ],
    ids=["page", "anchor", "picture", "absolute", "same page", "no link"],
)
def test_a_relative_link_becomes_absolute(link: str, expected: str) -> None:
    assert absolute(link, SOURCE) == expected
