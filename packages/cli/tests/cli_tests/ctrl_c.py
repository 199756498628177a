"""Ctrl-C for the processes that a test starts."""

from __future__ import annotations

import signal
import sys
from functools import partial

# For `preexec_fn`. A process in the background of a shell ignores SIGINT, and so do its children.
HEED_CTRL_C = None if sys.platform == "win32" else partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
