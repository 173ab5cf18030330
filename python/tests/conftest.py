"""What the tests share: the scripted server."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import scripted


@pytest.fixture(scope="session")
def server() -> Iterator[scripted.Server]:
    """Serve the scripted players."""
    server = scripted.serve()
    yield server
    server.shutdown()


@pytest.fixture(scope="session")
def address(server: scripted.Server) -> str:
    """Where the players are."""
    return f"http://127.0.0.1:{server.server_port}/v1"
