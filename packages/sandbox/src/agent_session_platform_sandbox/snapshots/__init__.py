"""Snapshots: states of a sandbox as JSON, kept under names, compared, saved to files and restored."""

from .documents import ORGANIZATION, dump, load
from .snapshots import BEGINNING, Snapshots, locked

__all__ = ("BEGINNING", "ORGANIZATION", "Snapshots", "dump", "load", "locked")
