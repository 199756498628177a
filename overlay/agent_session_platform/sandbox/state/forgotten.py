"""What was forgotten at once: letting go of it takes time, and is done bit by bit."""

from __future__ import annotations

from typing import Any, Final

Container = dict[Any, Any] | list[Any]

# How many things are let go with each new one: the pile shrinks faster than it was heaped up.
LET_GO: Final = 4


class Forgotten:
    """Keeps what nobody needs any more, so that a reset takes no time however much there was."""

    def __init__(self) -> None:
        self._pile: list[Container] = []

    def add(self, *containers: Container) -> None:
        """Take over what is in them; they must be used for nothing else."""
        self._pile += containers

    def let_go(self) -> None:
        """Let go of a few things."""
        for _ in range(LET_GO):
            if not self._pile:
                return
            last = self._pile[-1]
            if not last:
                self._pile.pop()
                continue
            thing: Any = last.popitem()[1] if isinstance(last, dict) else last.pop()
            if type(thing) in (dict, list):
                self._pile.append(thing)
