"""Run the whole test suite in a private build under a made-up word; the tests are renamed like the code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from codegen import ROOT
from codegen.vendoring.private_build import private_build
from tests.codegen.checkouts import importing

# The word is in no language, has another length and has capitals inside, so that nothing matches by chance.
WORD, CREDENTIAL_PREFIX = "ZorblaT9", "zk_live_"


def main(arguments: list[str]) -> int:
    """Build, and run pytest there with *arguments*."""
    with TemporaryDirectory() as scratch:
        build = Path(scratch).resolve() / "build"
        private_build(ROOT, build, WORD, CREDENTIAL_PREFIX)
        # The type checkers look for the environment in the folder of their settings.
        if (ROOT / ".venv").exists() and sys.platform != "win32":
            (build / ".venv").symlink_to(ROOT / ".venv", target_is_directory=True)
        return subprocess.run([sys.executable, "-m", "pytest", *arguments], cwd=build, env=importing(build)).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
