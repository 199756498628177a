"""The site that `make docs` has built and names in DOCS_SITE; without that, these tests are skipped."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True, scope="session")
def site() -> Path:
    """The folder of the site."""
    if "DOCS_SITE" not in os.environ:
        pytest.skip("no site is built: make docs")
    return Path(os.environ["DOCS_SITE"])
