"""Generate `generated/agent_platform_api` from `openapi.yaml`: `python codegen/generate.py [root]`.

The work is openapi-python-client's, with the templates in `templates/`; `runtime/` holds the modules of the generated
package that do not depend on the contract. Anything the generator warns of is an error here, because it drops what it
warns of.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from annotations import is_model, schema_name
from contract import Contract, ContractError
from docstrings import docstring
from fields import ModelFields
from methods import Method, methods_by_resource
from naming import class_name
from openapi_python_client import Project
from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser import GeneratorData
from openapi_python_client.parser.errors import GeneratorError

HERE = Path(__file__).parent
BANNER = "# Generated from openapi.yaml by codegen/generate.py: change those, not this file.\n"
# Templates of ours beside the generator's own hooks: one module each.
MODULES = ("catalogue", "contract", "credentials", "gaps")
# Of the modules that the generator insists on writing, these stay empty.
UNUSED = ("client", "errors", "types")


def generate(root: Path) -> None:
    """Generate the package of the contract in *root*; raises ContractError with all that is wrong, and changes nothing."""
    contract = Contract(root / "openapi.yaml")
    target = root / "generated" / "agent_platform_api"
    with TemporaryDirectory() as scratch:
        output = Path(scratch) / target.name
        write(contract, ConfigFile.load_from_path(root / "generator-config.yml"), output)
        finish(output)
        # The generator clears only models/ and api/: what an older contract left elsewhere would stay.
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(output, target)


def write(contract: Contract, config_file: ConfigFile, output: Path) -> None:
    """Write all modules, not yet formatted."""
    config = Config.from_sources(config_file, MetaType.NONE, contract.path, "utf-8", True, output)
    data = GeneratorData.from_dict(contract.document, config=config)
    if isinstance(data, GeneratorError):
        raise ContractError(f"{data.header}: {data.detail}")
    unwanted = contract.body_schemas()
    data.models = [model for model in data.models if is_model(model) and schema_name(model) not in unwanted]

    project = Project(openapi=data, config=config, custom_template_path=HERE / "templates")
    project.env.filters.update(docstring=docstring)
    project.env.globals.update(
        contract=contract,
        contract_json=json.dumps(contract.document, indent=1, ensure_ascii=True).replace("'", "\\u0027"),
        fields_of=lambda model: ModelFields(model, contract),
        methods_by_resource=methods_by_resource(data.endpoint_collections_by_tag.values(), contract),
        method_of=lambda endpoint: Method(endpoint, contract),
        class_name=class_name,
    )
    with redirect_stdout(StringIO()):
        findings = project.build()
    if findings:
        raise ContractError("\n".join(f"{finding.header} {finding.detail or ''}" for finding in findings))
    for module in MODULES:
        template = project.env.get_template(f"{module}.py.jinja")
        (output / f"{module}.py").write_text(template.render(), encoding="utf-8")
    for module in UNUSED:
        (output / f"{module}.py").unlink()
    for source in sorted((HERE / "runtime").glob("*.py")):
        shutil.copyfile(source, output / source.name)


def finish(output: Path) -> None:
    """Put the banner into every file and format them all, with the ruff of this environment and no one's settings."""
    (output / "py.typed").touch()
    for path in sorted(output.rglob("*.py")):
        path.write_text(BANNER + path.read_text(encoding="utf-8"), encoding="utf-8", newline="\n")
    # In a file of this name ruff takes an unused import for a re-export and leaves it.
    packages = [(path, path.with_name("init_.py")) for path in output.rglob("__init__.py")]
    for path, plain_name in packages:
        path.rename(plain_name)
    ruff("check", "--fix", "--select=F401,I,TC005", output)
    ruff("format", output)
    for path, plain_name in packages:
        plain_name.rename(path)


def ruff(*arguments: str | Path) -> None:
    """Run the ruff of this environment."""
    command = [sys.executable, "-m", "ruff", *map(str, arguments)]
    settings = ["--isolated", "--no-cache", "--quiet", "--line-length=120", "--target-version=py311"]
    done = subprocess.run([*command, *settings], capture_output=True, text=True)
    if done.returncode:
        raise ContractError(f"the generated code is not clean:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    try:
        generate(Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parent).resolve())
    except (ContractError, ValueError) as error:
        sys.exit(f"openapi.yaml: {error}")
