"""Rate limiters, which decide when a request may be sent, and the algorithm that they share."""

from __future__ import annotations
