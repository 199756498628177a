"""Population: how tests, seeds and demos put things into a sandbox without a request."""

from __future__ import annotations

from .demo import add_demo
from .population import ORGANIZATIONS, Population
from .seed import add_seed

__all__ = ("ORGANIZATIONS", "Population", "add_demo", "add_seed")
