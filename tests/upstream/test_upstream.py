"""The faults of the HTTP libraries that SECURITY.md lists are still there in the versions that are pinned."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures import ROOT

FOLDER = Path(__file__).parent
OTHER = ["the response of the second request: other"]
HANGS_UP = ["it hangs up: RemoteProtocolError", "it is silent: ReadTimeout"]
LOST = ["PoolTimeout, though nothing is under way"]
STAYS_OPEN = ["the client is closed, and a socket is still open"]
NO_RESPONSE = ["it stops reading: WriteTimeout", "it closes the connection: ReadError"]
LOST_HTTP2 = ["a response: ReadTimeout", "a refusal: ReadTimeout"]
SHARED = [
    "a timeout of 0.2 s: ReadTimeout, and one of 5 s at the same time: ReadTimeout",
    "while nobody reads a large response: ReadTimeout",
]
BROKEN_OFF = ["an error of the exchange"]
NO_ERROR = ["every timeout is 0.1, and no error after half a second"]

# What each script prints, by its name and its argument, while the fault is there.
FAULTS = {
    "httpcore_unsolicited_bytes httpx": OTHER,
    "httpcore_unsolicited_bytes httpx2": OTHER,
    "aiohttp_unsolicited_bytes": OTHER,
    "httpcore_lost_connection": LOST,
    "httpcore_cancelled_handshake httpx": STAYS_OPEN,
    "httpcore_cancelled_handshake httpx2": STAYS_OPEN,
    "httpcore_early_response httpx": NO_RESPONSE,
    "httpcore_early_response httpx2": NO_RESPONSE,
    "httpcore_early_response_http2 httpx": LOST_HTTP2,
    "httpcore_early_response_http2 httpx2": LOST_HTTP2,
    "httpcore_goaway httpx": BROKEN_OFF,
    "httpcore_goaway httpx2": BROKEN_OFF,
    "httpcore_http2_status httpx": ["ValueError"],
    "httpcore_http2_status httpx2": ["ValueError"],
    "httpcore_http2_window httpx": ["LocalProtocolError"],
    "httpcore_http2_shared_connection httpx": SHARED,
    "httpcore_http2_shared_connection httpx2": SHARED,
    "httpcore_http2_idle_close httpx": BROKEN_OFF,
    "httpcore_http2_idle_close httpx2": BROKEN_OFF,
    "httpcore_http2_lower_limit httpx": NO_ERROR,
    "httpcore_http2_lifted_limit httpx": ["LocalProtocolError: Max outbound streams is 0, 0 open"],
    "httpcore_http2_lifted_limit httpx2": ["LocalProtocolError: Max outbound streams is 0, 0 open"],
    "httpcore_failed_tunnel httpx": LOST,
    "httpcore_failed_tunnel httpx2": LOST,
    "httpcore_alpn_of_a_context httpx": ["before: h2", "after: no h2"],
    "httpcore_alpn_of_a_context httpx2": ["before: h2", "after: no h2"],
    "httpcore_proxy_hangs_up httpx": HANGS_UP,
    "httpcore_proxy_hangs_up httpx2": HANGS_UP,
    "aiohttp_proxy_hangs_up": ["it hangs up: an error of the exchange"],
    "httpcore_socks_password_in_log httpx": ["httpcore.socks logs the password"],
    "httpcore_socks_password_in_log httpx2": ["httpcore2.socks logs the password"],
    "httpcore_socks_no_timeout httpx": NO_ERROR,
    "aiohttp_no_write_timeout": NO_ERROR,
    "aiohttp_closed_tls": ["the request has ended, and its socket is still open"],
    "urllib_no_proxy": [
        ".example.com: directly",
        "*.example.com: through the proxy",
        "b.example.com a.example.com: through the proxy",
    ],
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_fault_is_still_there(fault: str) -> None:
    name, *arguments = fault.split()
    if "socks" in name:
        pytest.importorskip("socksio")
    command = [sys.executable, f"{FOLDER / name}.py", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    found = done.stdout.splitlines()
    mended = f"the library has changed: take the row of {fault} out of SECURITY.md if the fault is mended"
    assert found == FAULTS[fault], f"{mended}\n{done.stderr}"


def test_security_md_lists_every_script() -> None:
    listed = re.findall(r"\(tests/upstream/(\w+)\.py\)", (ROOT / "SECURITY.md").read_text(encoding="utf-8"))
    scripts = {path.stem for path in FOLDER.glob("*.py")} - {"__init__", "serving", "serving_http2", "test_upstream"}
    assert sorted(listed) == sorted(scripts)
    assert scripts == {fault.split()[0] for fault in FAULTS}
