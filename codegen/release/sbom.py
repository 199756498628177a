"""Write the software bill of materials of a wheel: a hook that hatchling runs while it builds.

It is `.dist-info/sboms/NAME.cdx.json` there (PEP 770), in CycloneDX 1.6. Its facts are those of pyproject.toml, and for
the SDK the version of the generator in constraints.txt. Two builds write the same bytes: it has neither a date nor a
serial number.

Imports nothing of this project: while a wheel is built elsewhere, only hatchling is there.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.core import ProjectMetadata
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

GENERATOR = "openapi-python-client"
GENERATED = "agent_session_platform_api"
DESCRIPTIONS = {GENERATED: f"Generated from openapi.yaml with {GENERATOR}."}
"""Descriptions of import packages that need another one than their distribution."""

# pyproject.toml does not state these; a test compares them with what the packages state themselves.
LICENSES = {
    "agent-session-platform": "Apache-2.0",
    "agent-session-platform-jobs": "Apache-2.0",
    "agent-session-platform-observe": "Apache-2.0",
    "agent-session-platform-sandbox": "Apache-2.0",
    "aiohttp": "Apache-2.0 AND MIT",
    "attrs": "MIT",
    "certifi": "MPL-2.0",
    "click": "BSD-3-Clause",
    "cronsim": "BSD-3-Clause",
    "cryptography": "Apache-2.0 OR BSD-3-Clause",
    "h11": "MIT",
    "h2": "MIT",
    "httpcore": "BSD-3-Clause",
    "httpcore2": "BSD-3-Clause",
    "httpx": "BSD-3-Clause",
    "httpx2": "BSD-3-Clause",
    "idna": "BSD-3-Clause",
    "jsonschema": "MIT",
    "mcp": "MIT",
    "msgspec": "BSD-3-Clause",
    "multidict": "Apache-2.0",
    "openapi-python-client": "MIT",
    "platformdirs": "MIT",
    "pyjwt": "MIT",
    "python-dateutil": "BSD-3-Clause",
    "python-multipart": "Apache-2.0",
    "redis": "MIT",
    "rich": "MIT",
    "sniffio": "MIT OR Apache-2.0",
    "socksio": "MIT",
    "starlette": "BSD-3-Clause",
    "truststore": "MIT",
    "uvicorn": "BSD-3-Clause",
}


class BillOfMaterials(BuildHookInterface[Any]):
    """The hook, which adds the file to the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the file, and name it to hatchling; an editable installation gets none."""
        if version == "editable":
            return
        self.scratch = TemporaryDirectory()
        packages = [Path(each).name for each in self.build_config.packages]
        path = Path(self.scratch.name) / f"{self.metadata.core.name}.cdx.json"
        text = json.dumps(bill(self.metadata, packages, Path(self.root)), indent=2) + "\n"
        path.write_text(text, encoding="utf-8", newline="\n")
        build_data["sbom_files"].append(str(path))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the file; the wheel has it."""
        if version != "editable":
            self.scratch.cleanup()


def bill(metadata: ProjectMetadata[Any], packages: Collection[str], root: Path) -> dict[str, Any]:
    """Return the bill of materials of a distribution.

    Args:
        metadata: What its pyproject.toml states.
        packages: The names of the import packages in its wheel.
        root: Its folder; constraints.txt is there if one of the packages is generated.
    """
    core, version = metadata.core, metadata.version
    own = partial(library, licensed=core.license_expression, version=version)
    parts = [own(name, description=DESCRIPTIONS.get(name, core.description)) for name in packages]
    project = own(core.name, description=core.description, purl=f"pkg:pypi/{core.name}@{version}", components=parts)
    tools = [generator(root)] if GENERATED in packages else []
    required = [component(each) for each in core.dependencies]
    optional = [component(each, extra) for extra, listed in core.optional_dependencies.items() for each in listed]
    references = sorted(each["bom-ref"] for each in (*parts, *required, *optional))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": project},
        "components": [*required, *optional, *tools],
        "dependencies": [{"ref": core.name, "dependsOn": references}, *({"ref": each} for each in references)],
    }


def generator(root: Path) -> dict[str, Any]:
    """Return the tool that wrote the generated package, in the version that constraints.txt pins."""
    constraints = (root / "constraints.txt").read_text(encoding="utf-8")
    [version] = [line.partition("==")[2] for line in constraints.splitlines() if line.startswith(f"{GENERATOR}==")]
    description = f"Wrote {GENERATED}; no part of it is in the wheel."
    facts = {"version": version, "description": description, "purl": f"pkg:pypi/{GENERATOR}@{version}"}
    return library(GENERATOR, LICENSES[GENERATOR], type="application", scope="excluded", **facts)


def component(written: str, extra: str | None = None) -> dict[str, Any]:
    """Return a requirement of the project, or of one of its extras, with the range of its versions."""
    requirement = Requirement(written)
    name = canonicalize_name(requirement.name)
    # The lower bound first, as in pyproject.toml.
    bounds = ",".join(sorted(map(str, requirement.specifier), reverse=True))
    facts = {"python:version-range": bounds} | ({"python:extra": extra} if extra else {})
    described = library(
        name,
        LICENSES[name],
        scope="optional" if extra else "required",
        purl=f"pkg:pypi/{name}",
        properties=[{"name": key, "value": value} for key, value in facts.items()],
    )
    return described | ({"bom-ref": f"{name} ({extra})"} if extra else {})


def library(name: str, licensed: str, **facts: Any) -> dict[str, Any]:
    """Return a component; its license is an identifier, or an expression of several."""
    known = {"expression": licensed} if " " in licensed else {"license": {"id": licensed}}
    return {"type": "library", "bom-ref": name, "name": name, "licenses": [known], **facts}
