"""A real Redis on a free loopback port, for as long as a test needs it."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time

SERVER = shutil.which("redis-server") or shutil.which("valkey-server")


class RedisServer:
    """A server that can be stopped and started again on the same port."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._folder = tempfile.TemporaryDirectory()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it if it is not running, and wait until it listens."""
        if self._process is not None:
            return
        assert SERVER is not None
        self._process = subprocess.Popen(
            [SERVER, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self._folder.name],
            stdout=subprocess.DEVNULL,
        )
        for _ in range(500):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.01)
        raise RuntimeError("redis-server does not answer")

    def stop(self) -> None:
        """Stop it; its state is lost."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def flush(self) -> None:
        """Delete all keys."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(b"FLUSHALL\r\n")
            assert connection.recv(64).startswith(b"+OK")

    def close(self) -> None:
        """Stop it and delete its folder."""
        self.stop()
        self._folder.cleanup()
