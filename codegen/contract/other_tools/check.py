"""Check that tools of other projects take openapi.yaml: `python -m codegen.contract.other_tools.check [path]`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent

from codegen import ROOT
from codegen.contract.contract import Contract
from codegen.contract.other_tools.commands import HERE, NODE, RefusalError, run
from codegen.contract.other_tools.generators import GENERATORS
from codegen.contract.other_tools.mock_server import check_mock_server

# A check has the contract, and a folder with nothing but a copy of it.
Check = Callable[[Contract, Path], None]


def validator(script: str) -> Check:
    """Return the check with a validator that is a script beside this file."""

    def check(contract: Contract, folder: Path) -> None:
        run([str(NODE), str(HERE / script), "openapi.yaml"], folder)

    return check


CHECKS: dict[str, Check] = {
    "swagger-parser": validator("swagger_parser.mjs"),
    "Scalar": validator("scalar.mjs"),
    "Prism": check_mock_server,
    **GENERATORS,
}


def refusal(check: Check, contract: Contract) -> str | None:
    """Run a check; return why the tool refuses the contract, or None."""
    with TemporaryDirectory() as folder:
        shutil.copyfile(contract.path, Path(folder) / "openapi.yaml")
        try:
            check(contract, Path(folder))
        except RefusalError as error:
            return str(error)
    return None


def main() -> None:
    """Print what each tool says; exit with status 1 if one refuses the contract."""
    contract = Contract(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "openapi.yaml")
    refused = []
    for name, check in CHECKS.items():
        reason = refusal(check, contract)
        print(f"{name}: takes it" if reason is None else f"{name}: refuses it\n{indent(reason, '    ')}", flush=True)
        if reason is not None:
            refused.append(name)
    sys.exit(f"{contract.path.name} is refused by {', '.join(refused)}" if refused else 0)


if __name__ == "__main__":
    main()
