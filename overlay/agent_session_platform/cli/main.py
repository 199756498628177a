"""The command `asp`: so far it has one word, `sandbox`."""

from __future__ import annotations

import sys

USAGE = """usage: asp sandbox [options]

  sandbox   serve a double of the platform on this machine; `asp sandbox --help` lists its options"""


def main() -> None:
    """Do what the first argument says; exits with 1 when it says nothing that is known."""
    word, *rest = sys.argv[1:] or [""]
    if word in ("-h", "--help"):
        print(USAGE)
        return
    if word != "sandbox":
        sys.exit(f"{USAGE}\n\nagent-platform: there is no {word!r}" if word else USAGE)
    try:
        from ..sandbox.__main__ import main as serve
    except ImportError as error:
        sys.exit(f"the sandbox needs the extra of that name: pip install 'agent-session-platform[sandbox]' ({error})")
    serve(rest, "asp sandbox")
