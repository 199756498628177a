"""Check of the response: that it is the API that responds, and not another site, a gateway or a failing server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent_session_platform import DecodeError, ProblemError, RateLimitedError, ServerError

from ..exit_codes import FAILURE, NOT_FOUND, exit_code_of
from .finding import Finding, ok, problem
from .reads import Read
from .setup import Setup
from .way import Way

RESPONSE: Final = "response"


def is_of_api(read: Read) -> bool:
    """Return whether a response can only be the API's: a success, a refusal, or its form of an error."""
    if read.succeeded:
        return True
    if not isinstance(read.error, ProblemError):
        return False
    # A 404 in the form of the API may be about a path that it does not have.
    status = read.error.status
    return status in (401, 403, 429) or (read.is_problem and status < 500 and status not in (404, 405))


def judge_response(reads: Sequence[Read], setup: Setup, way: Way, *, wants_tls: bool) -> Finding:
    """Return whether the API responds.

    Args:
        reads: What was read, at least one.
        setup: The settings.
        way: The way to the server.
        wants_tls: Whether the server speaks TLS although the address begins with http.
    """
    known = next(filter(is_of_api, reads), None)
    if known is not None:
        return ok(RESPONSE, f"The API responds: {known.operation} with {known.status}.", status=known.status)
    place = setup.place("base_url")
    if wants_tls:
        text = f"The server at {way.authority} wants https, but the address begins with http."
        return problem(RESPONSE, text, f"Write https:// instead of http:// in {place}.", FAILURE)
    first = reads[0]
    error, status = first.error, first.status
    if status is None or error is None:
        remedy = "Check network, proxy and firewall; try it again with --debug."
        return problem(RESPONSE, f"No response came: {error}.", remedy, exit_code_of(error) if error else FAILURE)
    if isinstance(error, DecodeError) and 300 <= status < 400:
        target = first.headers.get("location", "elsewhere")
        text = f"What responds is not the API: it redirects ({status}) to {target}."
        remedy = f"Write the address that the API itself has into {place}; a redirect is never followed."
        return problem(RESPONSE, text, remedy, FAILURE, status=status)
    if isinstance(error, ServerError):
        text = f"The server, or a gateway before it, fails: {error}."
        return problem(RESPONSE, text, "Try again later, or ask whoever runs it.", exit_code_of(error), status=status)
    remedy = f"Check host and path in {place}: it is what stands before /v3 in the paths of the API."
    if all(each.status in (404, 405) for each in reads):
        text = f"Nothing of the API is at {setup.base_url}: every read got {status}."
        return problem(RESPONSE, text, remedy, NOT_FOUND, status=status)
    text = f"What responds at {setup.base_url} is not the API ({error})."
    code = FAILURE if isinstance(error, DecodeError | RateLimitedError) else exit_code_of(error)
    return problem(RESPONSE, text, remedy, code, status=status)
