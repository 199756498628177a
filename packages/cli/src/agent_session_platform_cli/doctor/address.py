"""Check of the address: that there is one, that it can be one, and that it hides the credential."""

from __future__ import annotations

from typing import Final

from agent_session_platform import ConfigurationError

from ..exit_codes import USAGE
from ..unused_client import unused_client
from .finding import Finding, ok, problem
from .setup import Setup

ADDRESS: Final = "address"


def check_address(setup: Setup) -> Finding:
    """Check the base URL by itself: nothing is sent."""
    if not setup.base_url:
        return problem(
            ADDRESS,
            "There is no address of the platform.",
            "Set AGENT_PLATFORM_BASE_URL, for example to https://platform.example.com, or use --base-url or a profile.",
            USAGE,
        )
    place = setup.place("base_url")
    try:
        unused_client(base_url=setup.base_url, allow_http=True)
    except ConfigurationError as error:
        remedy = f"Correct {place}: it is what stands before /v3 in the paths of the API."
        return problem(ADDRESS, f"The address from {place} cannot be used: {error}.", remedy, USAGE)
    address = setup.base_url.rstrip("/")
    try:
        unused_client(base_url=address, allow_http=setup.allow_http, proxy=setup.values.get("proxy"))
    except ConfigurationError:
        text = f"The address {address} from {place} begins with http: everybody on the way can read the token."
        remedy = f"Write https:// in {place}; in a network that you trust, write allow_http = true into a profile."
        return problem(ADDRESS, text, remedy, USAGE)
    return ok(ADDRESS, f"{address}, from {place}.", base_url=address, source=place)
