"""The site that `make docs` has built and names in DOCS_SITE; without that, these tests are skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SITE = os.environ.get("DOCS_SITE")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of this folder where no site is named."""
    if not SITE:
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(pytest.mark.skip(reason="no site is built: make docs"))


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the site."""
    assert SITE is not None
    return Path(SITE)
