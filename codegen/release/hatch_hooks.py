"""Hooks of the build: absolute links in the README, and a software bill of materials in each wheel.

In the checkout the links of a README are relative to its folder, so that they work there; on an index they begin with
`Source` of `project.urls`, which is the address of that folder.

The bill of materials is `.dist-info/sboms/NAME.cdx.json` (PEP 770), in CycloneDX 1.6. Its facts are those of
pyproject.toml. It has neither a date nor a serial number, so two builds write the same bytes.

This module imports nothing of this project, because only hatchling is installed where a user builds a wheel.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urljoin

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.core import ProjectMetadata
from hatchling.metadata.plugin.interface import MetadataHookInterface
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# Matches a link or a picture whose target is in the checkout.
RELATIVE = re.compile(r"(?P<before>\]\()(?P<target>(?![a-z]+:|#|/)[^)\s]+)(?=\))")


class AbsoluteReadme(MetadataHookInterface):
    """The hook that sets the field `readme`."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Read README.md, and make its links absolute."""
        source = metadata["urls"]["Source"]
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = RELATIVE.sub(lambda link: f"{link['before']}{urljoin(source, link['target'])}", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class BillOfMaterials(BuildHookInterface[Any]):
    """The hook that adds the bill of materials to the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the file, and pass its path to hatchling. An editable installation gets no such file."""
        self.scratch = TemporaryDirectory()
        if version != "editable":
            path = Path(self.scratch.name) / f"{self.metadata.core.name}.cdx.json"
            text = json.dumps(bill(self.metadata), indent=2) + "\n"
            path.write_text(text, encoding="utf-8", newline="\n")
            build_data["sbom_files"].append(str(path))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the file, because the wheel contains it now."""
        self.scratch.cleanup()


def bill(metadata: ProjectMetadata[Any]) -> dict[str, Any]:
    """Return the bill of materials of a distribution."""
    core = metadata.core
    components = [component(each, "required") for each in core.dependencies]
    for extra, listed in core.optional_dependencies.items():
        components += [component(each, "optional", extra) for each in listed]
    project = library(core.name, core.name, version=metadata.version, description=core.description)
    references = [each["bom-ref"] for each in components]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**project, "licenses": [{"license": {"id": core.license_expression}}]}},
        "components": components,
        "dependencies": [{"ref": core.name, "dependsOn": references}, *({"ref": each} for each in references)],
    }


def component(written: str, scope: str, extra: str = "") -> dict[str, Any]:
    """Return a requirement of the project or of an extra as a component, with the allowed range of versions."""
    requirement = Requirement(written)
    name = canonicalize_name(requirement.name)
    # The lower bound comes first, as in pyproject.toml.
    bounds = ",".join(sorted(map(str, requirement.specifier), reverse=True))
    facts = {"python:version-range": bounds, **({"python:extra": extra} if extra else {})}
    properties = [{"name": key, "value": value} for key, value in facts.items()]
    return library(f"{name} ({extra})" if extra else name, name, scope=scope, properties=properties)


def library(reference: str, name: str, **facts: Any) -> dict[str, Any]:
    """Return a component with its package URL."""
    purl = f"pkg:pypi/{name}" + (f"@{facts['version']}" if "version" in facts else "")
    return {"type": "library", "bom-ref": reference, "name": name, "purl": purl, **facts}
