"""A real Redis behind a socket file, for as long as a test needs it."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

SERVER = shutil.which("redis-server") or shutil.which("valkey-server")


class RedisServer:
    """A server that can be stopped and started again at the same address.

    It has no port: while it is stopped, another test might get the port, and a restart would fail.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._address = str(Path(self._folder.name, "redis.sock"))
        self.url = f"unix://{self._address}?db=0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it if it is not running, and wait until it listens."""
        if self._process is not None:
            return
        assert SERVER is not None
        self._process = subprocess.Popen(
            [SERVER, "--port", "0", "--unixsocket", self._address, "--save", "", "--dir", self._folder.name],
            stdout=subprocess.DEVNULL,
        )
        for _ in range(2000):
            with socket.socket(socket.AF_UNIX) as probe:
                if probe.connect_ex(self._address) == 0:
                    return
            time.sleep(0.01)
        raise RuntimeError(f"redis-server does not listen; its exit status is {self._process.poll()}")

    def stop(self) -> None:
        """Stop it; its state is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def flush(self) -> None:
        """Delete all keys."""
        with socket.socket(socket.AF_UNIX) as connection:
            # A server that hangs must fail a test, and not hang it.
            connection.settimeout(20)
            connection.connect(self._address)
            connection.sendall(b"FLUSHALL\r\n")
            assert connection.recv(64).startswith(b"+OK")

    def close(self) -> None:
        """Stop it and delete its folder."""
        self.stop()
        self._folder.cleanup()
