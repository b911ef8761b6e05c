"""What the tests share."""

import os
from pathlib import Path

import pytest

import cardwright as cw

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def game() -> cw.Game:
    return cw.Game()


@pytest.fixture(scope="session")
def program() -> str:
    """The command line, which `cargo xtask python` builds."""
    path = os.environ.get("CARDWRIGHT_BIN")
    if not path:
        pytest.skip("CARDWRIGHT_BIN does not name the program")
    return path
