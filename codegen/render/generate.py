"""Generate `generated/agent_session_platform_api` from `openapi.yaml`.

openapi-python-client reads the contract (`normalise`, `parse`) and writes the modules, with the templates in
`templates/`; `runtime/` holds the modules of the generated package that do not depend on the contract.
"""

from __future__ import annotations

import compileall
import json
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from openapi_python_client import Project

from codegen import ROOT
from codegen.contract.contract import Contract
from codegen.contract.naming import module_name, resource_class
from codegen.contract.source import ContractError
from codegen.render.docstrings import docstring, method_docstring, sentence
from codegen.render.fields import describe_models
from codegen.render.job_methods import describe_jobs
from codegen.render.methods import Method
from codegen.render.parse import Parse

HERE = Path(__file__).parent
BANNER = "# Generated from openapi.yaml by codegen/render/generate.py: change those, not this file.\n"
COPIED = "# Copied from codegen/render/runtime/ by codegen/render/generate.py: change that folder, not this file.\n"
PACKAGE = "generated/agent_session_platform_api"
CACHES = shutil.ignore_patterns("__pycache__")


def generate(root: Path, *, check: bool, contract: Contract | None = None) -> None:
    """Generate the package of the contract in *root*, or with *check* only compare it with what would be generated.

    Args:
        root: The checkout.
        check: Change nothing.
        contract: The contract, if it was read already, for example with Overlays. If it is None, openapi.yaml is read.

    Raises:
        ContractError: The contract is wrong, or with *check* a file differs; nothing is changed.
    """
    contract = Contract(root / "openapi.yaml") if contract is None else contract
    with TemporaryDirectory() as scratch:
        output = Path(scratch) / PACKAGE
        output.parent.mkdir()
        try:
            write(contract, output)
        except ContractError as error:
            raise contract.source.located(error) from error
        finish(output)
        if check:
            differing = sorted({name for name, _ in files(Path(scratch)).items() ^ files(root).items()})
            if differing:
                raise ContractError("\n  ".join(["generated files are out of date; run `make generate`:", *differing]))
        else:
            shutil.rmtree(root / PACKAGE, ignore_errors=True)
            shutil.copytree(output, root / PACKAGE, ignore=CACHES)


def files(root: Path) -> dict[str, bytes]:
    """Return the generated files of a checkout, by their paths. The paths have `/` on every system."""
    found: dict[str, bytes] = {}
    for path in (root / PACKAGE).rglob("*"):
        if path.is_file() and path.parent.name != "__pycache__":
            found[path.relative_to(root).as_posix()] = path.read_bytes()
    return found


def write(contract: Contract, output: Path) -> None:
    """Write all modules. They are not formatted yet.

    Raises:
        ContractError: An operation or a schema has no form in Python.
    """
    parse = Parse(contract)
    methods = [Method(operation_id, contract, parse) for operation_id in contract.operations]
    methods.sort(key=lambda method: method.facts.name)
    models = describe_models(contract, parse, methods)
    # Only the models and closed sets that a method takes or returns are public.
    imported: set[tuple[str, str]] = set()
    for method in methods:
        imported.update(method.imports)
    for model in models.values():
        imported |= model.imports
    named = {name for _, name in imported}
    parse.data.models = [each for name, each in parse.models.items() if name in models]
    parse.data.enums = [each for each in parse.data.enums if each.class_info.name in named]
    for collection in parse.data.endpoint_collections_by_tag.values():
        # An operation gets no module of its own. It is in the catalogue, and its method is in the class of a resource.
        collection.endpoints.clear()
    id_prefixes: dict[str, str] = {}
    for method in methods:
        for parameter in method.parameters:
            if "prefix" in parameter:
                id_prefixes[parameter["prefix"]] = parameter["name"]
    parse.config.output_path = output
    project = Project(openapi=parse.data, config=parse.config, custom_template_path=HERE / "templates")
    project.env.filters.update(docstring=docstring, method_docstring=method_docstring, repr=repr)
    project.env.globals.update(
        contract=contract,
        fields=models,
        id_prefixes=id_prefixes,
        jobs=describe_jobs(methods),
        methods=methods,
        module_name=module_name,
        resource_class=resource_class,
        resource_ids={name: model.resource_id for name, model in models.items() if model.resource_id},
        resource_of={module_name(each.facts.name.resource): each.facts.name.resource for each in methods},
        sentence=sentence,
        sources=parse.sources,
    )
    with redirect_stdout(StringIO()):
        findings = project.build()
    if findings:
        raise ContractError("\n".join(f"{finding.header} {finding.detail or ''}" for finding in findings))
    # The generator does not know these templates, so they are rendered here.
    for module in ("catalogue", "outcomes", "resources"):
        template = project.env.get_template(f"{module}.py.jinja")
        (output / f"{module}.py").write_text(template.render(), encoding="utf-8")
    # These modules of the generator are not needed. Further modules are replaced below.
    for module in ("client", "types"):
        (output / f"{module}.py").unlink()
    document = json.dumps(contract.document, indent=1, ensure_ascii=False)
    (output / "contract.json").write_text(f"{document}\n", encoding="utf-8", newline="\n")
    shutil.copytree(HERE / "runtime", output, ignore=CACHES, dirs_exist_ok=True)


def finish(output: Path) -> None:
    """Put the banner into every file, compile all files, and format them.

    Raises:
        ContractError: A file is not valid Python.
    """
    (output / "py.typed").touch()
    for path in sorted(output.rglob("*.py")):
        banner = COPIED if (HERE / "runtime" / path.relative_to(output)).exists() else BANNER
        path.write_text(banner + path.read_text(encoding="utf-8"), encoding="utf-8", newline="\n")
    if not compileall.compile_dir(output, quiet=1):
        raise ContractError("the generated code is not valid Python; rename what the message above shows")
    # By default, ruff keeps unused imports in an __init__.py, and wraps an import with a trailing comma. Turn both off.
    settings = ("--config=lint.ignore-init-module-imports=false", "--config=lint.isort.split-on-trailing-comma=false")
    ruff("check", "--fix", "--unsafe-fixes", "--select=F401,TC005,I", *settings, output)
    ruff("format", output)


def ruff(*arguments: str | Path) -> None:
    """Run the ruff of this environment, without the settings of any project."""
    settings = ["--isolated", "--no-cache", "--quiet", "--line-length=120", "--target-version=py311"]
    subprocess.run([sys.executable, "-m", "ruff", *arguments, *settings], check=True)


def main() -> None:
    """Generate the package of this checkout, or with `--check` exit with an error if a file is out of date."""
    try:
        generate(ROOT, check="--check" in sys.argv)
    except (ContractError, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
