"""Population: content that tests, seeds and demos add to a sandbox without a request."""

from .demo import add_demo
from .population import ORGANIZATIONS, Population
from .seed import add_seed

__all__ = ("ORGANIZATIONS", "Population", "add_demo", "add_seed")
