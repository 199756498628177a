"""The lint of the vendor's word: every identifier that carries it is marked, and nothing else."""

from __future__ import annotations

import re

import pytest

from codegen.contract.word_lint import word_findings
from codegen.contract.word_places import MARK
from tests.codegen.vendor_words import CONTRACT, put

MARKS = list(re.finditer(rf"\n *{MARK}: \[(.*)\]", CONTRACT))


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: f"{CONTRACT[: mark.start()].count(chr(10)) + 2}-{mark[1]}")
def test_every_mark_is_needed(mark: re.Match[str]) -> None:
    found = list(word_findings(CONTRACT[: mark.start()] + CONTRACT[mark.end() :]))
    assert [line for line in found if mark[1].split(", ")[0] in line], found


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("        prompt:\n", "        ~_prompt:\n", "~_prompt contains the vendor's word"),
        ("enum: [normal, fast, lite]", "enum: [normal, ~s]", "~s contains the vendor's word"),
        ("[ViewOrgSessions]", "[View^Things]", "View^Things contains the vendor's word"),
        ("/enterprise/pr-reviews:", "/enterprise/~-reviews:", "~-reviews contains the vendor's word"),
        ("x-credential-prefix: apk_user_", "x-credential-prefix: @x_", "@x_ contains the vendor's word"),
        ("    ReviewStatus:\n", "    ^Status:\n", "^Status contains the vendor's word"),
        ("name: email\n", "name: ~_email\n", "~_email contains the vendor's word"),
        ("id: message-source-values", "id: ~-values", "the id ~-values contains the vendor's word; ids of"),
        ("title: Fix the flaky test,", "title: ~, ", "the example of title, ~, contains the vendor's word"),
        ("org_id: org-acme, title", "org_id: ~-2, title", "an id ~-2 whose field is not marked"),
        ("x-stated-path: /v3beta1", "x-stated-path: /v3/~s", "no x-vendor-word covers it"),
        (
            "x-permission-level: organ",
            "{mark}: [nothing]\n      x-permission-level: organ",
            "does not contain the word",
        ),
        ("x-permission-level: organ", "{mark}: [~_x]\n      x-permission-level: organ", "which is not defined there"),
        ("  x-vendor: ", "  x-other: ", "x-vendor-word without x-vendor in info"),
        ("{mark}: [@]", "x-other: []", "no credential begins with @"),
    ],
)
def test_an_identifier_that_is_not_marked_is_reported(old: str, new: str, finding: str) -> None:
    old, new, finding = (put(text).replace("{mark}", MARK) for text in (old, new, finding))
    assert old in CONTRACT
    assert [line for line in word_findings(CONTRACT.replace(old, new, 1)) if finding in line]
