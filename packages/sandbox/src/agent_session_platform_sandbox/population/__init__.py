"""Population: content that tests, seeds and demos add to a sandbox without a request."""

from .population import ORGANIZATIONS, Population, add_demo, add_seed

__all__ = ("ORGANIZATIONS", "Population", "add_demo", "add_seed")
