"""The lint of the vendor's word: every identifier that contains it is annotated, and nothing else."""

from __future__ import annotations

import re

import pytest

from codegen.contract.word_lint import word_findings
from codegen.contract.word_places import VENDOR_WORD_KEY
from tests.codegen.vendor_words import CONTRACT, put

ANNOTATIONS = list(re.finditer(rf"\n *{VENDOR_WORD_KEY}: \[(.*)\]", CONTRACT))


@pytest.mark.parametrize(
    "entry", ANNOTATIONS, ids=lambda entry: f"{CONTRACT[: entry.start()].count(chr(10)) + 2}-{entry[1]}"
)
def test_every_annotation_is_needed(entry: re.Match[str]) -> None:
    found = list(word_findings(CONTRACT[: entry.start()] + CONTRACT[entry.end() :]))
    assert [finding for finding in found if entry[1].split(", ")[0] in finding.text], found


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("        prompt:\n", "        ~_prompt:\n", "~_prompt contains the vendor's word"),
        ("enum: [normal, fast, lite]", "enum: [normal, ~s]", "~s contains the vendor's word"),
        ("[ViewOrgSessions]", "[View^Things]", "View^Things contains the vendor's word"),
        ("/enterprise/pr-reviews:", "/enterprise/~-reviews:", "~-reviews contains the vendor's word"),
        ("x-credential-prefix: apk_user_", "x-credential-prefix: @x_", "@x_ contains the vendor's word"),
        ("x-id-prefix: org-", "x-id-prefix: ~s-", "~s- contains the vendor's word"),
        ("    ReviewStatus:\n", "    ^Status:\n", "^Status contains the vendor's word"),
        ("name: email\n", "name: ~_email\n", "~_email contains the vendor's word"),
        ("id: message-source-values", "id: ~-values", "the id ~-values contains the vendor's word; ids of"),
        ("title: Fix the flaky test,", "title: ~, ", "the example of title, ~, contains the vendor's word"),
        ("org_id: org-acme, title", "org_id: ~-2, title", "an id ~-2 whose field is not annotated"),
        ("x-stated-path: /v3beta1", "x-stated-path: /v3/~s", "no x-vendor-word covers it"),
        (
            "x-permission-level: organ",
            "{key}: [nothing]\n      x-permission-level: organ",
            "does not contain the word",
        ),
        ("x-permission-level: organ", "{key}: [~_x]\n      x-permission-level: organ", "which is not defined there"),
        ("  x-vendor: ", "  x-other: ", "x-vendor-word without x-vendor in info"),
        ("{key}: [@]", "x-other: []", "no credential begins with @"),
    ],
)
def test_an_identifier_that_is_not_annotated_is_reported(old: str, new: str, finding: str) -> None:
    old, new, finding = (put(text).replace("{key}", VENDOR_WORD_KEY) for text in (old, new, finding))
    assert old in CONTRACT
    assert [found for found in word_findings(CONTRACT.replace(old, new, 1)) if finding in found.text]
