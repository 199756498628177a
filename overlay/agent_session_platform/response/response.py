"""What came back: an answer that has been read as a whole."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the status, the headers that matter, and the whole body."""

    status: int
    content_type: str
    retry_after: str | None
    location: str
    content: bytes
