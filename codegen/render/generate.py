"""Generate `generated/agent_session_platform_api` and `docs/contract.md` from `openapi.yaml`.

openapi-python-client does the work, with the templates in `templates/`; `runtime/` holds the modules of the generated
package that do not depend on the contract. A warning of the generator is an error here, because the generator omits the
code that it warns about.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

from openapi_python_client import Project
from openapi_python_client.config import Config, ConfigFile, MetaType
from openapi_python_client.parser import GeneratorData
from openapi_python_client.parser.errors import GeneratorError

from codegen import ROOT
from codegen.contract import Contract, ContractError, resource_class
from codegen.render import overview
from codegen.render.docstrings import docstring
from codegen.render.fields import ModelFields
from codegen.render.method_docstring import method_docstring
from codegen.render.methods import by_resource, describe
from codegen.render.properties import is_model, schema_name

HERE = Path(__file__).parent
BANNER = "# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.\n"
# Our own templates, in addition to those of the generator; each gives one module.
MODULES = ("catalogue", "contract", "credentials", "gaps", "legacy")
OVERVIEW = "contract.md"
# Modules that the generator always writes, and that are not needed.
UNUSED = ("client", "errors", "types")


def generate(root: Path, *, check: bool) -> None:
    """Generate the package of the contract in *root*, or with *check* only compare it with what would be generated.

    Raises:
        ContractError: The contract breaks a convention, or with *check* a file differs; nothing is changed.
    """
    contract = Contract(root / "openapi.yaml")
    with TemporaryDirectory() as scratch:
        output = Path(scratch) / "agent_session_platform_api"
        text = write(contract, ConfigFile.load_from_path(root / "generator-config.yml"), output)
        finish(output)
        package, document = root / "generated" / output.name, root / "docs" / OVERVIEW
        differences = compare(output, package)
        if not document.exists() or document.read_bytes() != text.encode():
            differences.append(f"  {'changed' if document.exists() else 'missing'}: {OVERVIEW}")
        if check and differences:
            raise ContractError("the generated files are out of date; run `make generate`:\n" + "\n".join(differences))
        if differences:
            # The generator clears only models/ and api/; files of an older contract would stay elsewhere.
            shutil.rmtree(package, ignore_errors=True)
            shutil.copytree(output, package)
            document.parent.mkdir(exist_ok=True)
            document.write_text(text, encoding="utf-8", newline="\n")


def compare(output: Path, target: Path) -> list[str]:
    """Report the files that differ between two trees, one line each."""
    fresh, present = (
        {path.relative_to(tree) for path in tree.rglob("*") if path.is_file()} for tree in (output, target)
    )
    present = {path for path in present if "__pycache__" not in path.parts}
    changed = [path for path in fresh & present if (output / path).read_bytes() != (target / path).read_bytes()]
    return report(missing=fresh - present, new=present - fresh, changed=changed)


def report(**differences: Iterable[PurePath]) -> list[str]:
    """Return one line for each path, the same on every operating system."""
    return sorted(f"  {what}: {path.as_posix()}" for what, paths in differences.items() for path in paths)


def write(contract: Contract, config_file: ConfigFile, output: Path) -> str:
    """Write all modules, not yet formatted, and return the overview of the contract."""
    config = Config.from_sources(config_file, MetaType.NONE, contract.path, "utf-8", True, output)
    data = GeneratorData.from_dict(contract.document, config=config)
    if isinstance(data, GeneratorError):
        raise ContractError(f"{data.header}: {data.detail}")
    unwanted = contract.body_schemas()
    data.models = [model for model in data.models if is_model(model) and schema_name(model) not in unwanted]

    methods = describe(data.endpoint_collections_by_tag.values(), contract)
    by_module = {method.module: method for method in methods}
    project = Project(openapi=data, config=config, custom_template_path=HERE / "templates")
    project.env.filters.update(docstring=docstring, method_docstring=method_docstring, repr=repr)
    project.env.globals.update(
        contract=contract,
        contract_json=json.dumps(contract.document, indent=1, ensure_ascii=True).replace("'", "\\u0027"),
        fields_of=lambda model: ModelFields(model, contract),
        methods=methods,
        methods_by_resource=by_resource(methods),
        method_of=lambda endpoint: by_module[endpoint.name],
        resource_class=resource_class,
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
    return overview.render(project.env, contract)


def finish(output: Path) -> None:
    """Put the banner into every file, and format all files with the ruff of this environment."""
    (output / "py.typed").touch()
    for path in sorted(output.rglob("*.py")):
        path.write_text(BANNER + path.read_text(encoding="utf-8"), encoding="utf-8", newline="\n")
    # In an __init__.py ruff takes an unused import for a re-export, and keeps it.
    packages = [(path, path.with_name("init_.py")) for path in output.rglob("__init__.py")]
    for path, plain_name in packages:
        path.rename(plain_name)
    ruff("check", "--fix", "--select=F401,I,TC005", output)
    ruff("format", output)
    for path, plain_name in packages:
        plain_name.rename(path)


def ruff(*arguments: str | Path) -> None:
    """Run the ruff of this environment, without the settings of any project."""
    command = [sys.executable, "-m", "ruff", *map(str, arguments)]
    settings = ["--isolated", "--no-cache", "--quiet", "--line-length=120", "--target-version=py311"]
    done = subprocess.run([*command, *settings], capture_output=True, encoding="utf-8")
    if done.returncode:
        raise ContractError(f"ruff refuses the generated code:\n{done.stdout}{done.stderr}")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", type=Path, default=ROOT, help="the checkout (default: this one)")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if a file is out of date")
    arguments = parser.parse_args()
    try:
        generate(arguments.root.resolve(), check=arguments.check)
    except (ContractError, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
