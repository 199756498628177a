"""Ctrl-C for the processes that a test starts."""

from __future__ import annotations

import signal
import sys
from functools import partial

# A shell starts what runs in the background with SIGINT ignored, and so all that it starts in turn. For `preexec_fn`.
HEED_CTRL_C = None if sys.platform == "win32" else partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
