"""The site that `make docs-build` has built; without it these tests are skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.site.build import BUILD

SITE = BUILD / "site"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of this folder where the site was not built."""
    if not (SITE / "llms.txt").exists():
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(pytest.mark.skip(reason="the site is not built: make docs"))


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the site."""
    return SITE
