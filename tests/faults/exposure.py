"""What an error lets others see."""

from __future__ import annotations

import pickle
import traceback


def exposed(error: BaseException) -> str:
    """Return all text in which an error may appear: message, repr, attributes, traceback and pickle."""
    shown = [str(error), repr(error), repr(vars(error)), *traceback.format_exception(error)]
    return "\n".join(shown) + pickle.dumps(error).decode("latin-1")
