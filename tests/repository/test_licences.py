"""Code of other projects: none without its licence."""

from __future__ import annotations

import re
from importlib.metadata import distribution

from codegen.vendoring.private_build import tracked
from tests.repository.sources import ROOT

# How a copied file states where it comes from.
ORIGIN = re.compile(
    r"copyright (?:\(c\)|©|\d{4})|SPDX-License-Identifier|@licen[sc]e|all rights reserved", re.IGNORECASE
)
# The files of the licences contain such statements, and so does the pattern in this file.
STATED = {"LICENSE", "NOTICE", "tests/repository/test_licences.py"}


def test_no_file_of_another_project_is_in_the_repository() -> None:
    paths = [path for path in tracked(ROOT) if path.relative_to(ROOT).as_posix() not in STATED]
    assert len(paths) > 500
    assert [path for path in paths if ORIGIN.search(path.read_bytes().decode("utf-8", errors="replace"))] == []


def test_the_notice_has_the_licence_of_the_generator() -> None:
    text = distribution("openapi-python-client").read_text("licenses/LICENSE")
    assert text is not None
    assert text.strip() in (ROOT / "NOTICE").read_text(encoding="utf-8")
