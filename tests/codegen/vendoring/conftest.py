"""One private build and one copy, which all tests of this folder share: each takes seconds to make."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.vendoring.private_build import private_build
from codegen.vendoring.vendor import vendor
from tests.codegen.checkouts import copy_checkout
from tests.codegen.overlay_document.documents import HEAD, write
from tests.codegen.overlay_document.test_strangers import OBSERVED
from tests.codegen.vendor_words import OLD, PREFIX, WORD


@pytest.fixture(scope="session")
def overlays(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return an Overlay of observed facts, and an Overlay that uses both the neutral word and the vendor's word."""
    folder = tmp_path_factory.mktemp("overlays")
    target = "  - target: $.components.schemas.Session.properties\n    update:"
    neutral, vendors = f"{{{OLD}_mode: {{description: Seen.}}}}", f"{{{WORD}_mode: {{title: Seen.}}}}"
    both = f"{HEAD}{target} {neutral}\n{target} {vendors}\n"
    return [write(folder, "observed.overlay.yaml", OBSERVED), write(folder, "both.overlay.yaml", both)]


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a git checkout with a tracked file that was edited, and with a file that git does not track."""
    root = copy_checkout(tmp_path_factory.mktemp("checkout"))
    with open(root / "NOTICE", "a", encoding="utf-8") as file:
        file.write("edited\n")
    (root / ".env").write_text("AGENT_PLATFORM_TOKEN=svc_secret\n", encoding="utf-8")
    return root


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory, checkout: Path, overlays: list[Path]) -> Path:
    """Return a private build with another word and with Overlays."""
    made = tmp_path_factory.mktemp("private") / "build"
    private_build(checkout, made, WORD, PREFIX, overlays)
    return made


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory, build: Path) -> Path:
    """Return a service with a neutral copy and one of the private build, each with its sandbox."""
    root = tmp_path_factory.mktemp("host")
    vendor(root / "service" / "_vendor" / "neutral", sandbox=True)
    vendor(root / "service" / "_vendor" / WORD, sandbox=True, root=build)
    for folder in (root / "service", root / "service" / "_vendor"):
        (folder / "__init__.py").touch()
    return root
