"""The pages of the reference, made once."""

from __future__ import annotations

import pytest

from docs.reference import pages


@pytest.fixture(scope="package")
def reference() -> dict[str, str]:
    return pages()
