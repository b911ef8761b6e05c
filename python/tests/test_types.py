"""What type checkers are told."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

STUB = ROOT / "python" / "cardwright" / "_engine.pyi"
PROGRAM = """
from fractions import Fraction

import cardwright as cw

game = cw.Game()
pack = cw.Pack(game, cw.packs(game)[0])
odds: dict[str, cw.Odds] = pack.odds()
chance: Fraction = odds["Rolling Pin"].at_least(1, packs=36)
"""


def test_a_class_that_has_subclasses_makes_objects_of_them() -> None:
    """`__new__` of such a class returns Self: else checkers take a `cardwright.Pack` for that of the engine."""
    classes = re.findall(r"^(@final\n)?class (\w+):\n(.*?)(?=^\S|\Z)", STUB.read_text(encoding="utf-8"), re.M | re.S)
    assert len(classes) > 10
    open_ = [(name, body) for final, name, body in classes if not final]
    assert [name for name, _ in open_] == ["Pack"]
    for name, body in open_:
        made = re.search(r"def __new__\(.*?\) -> (\w+)", body, re.S)
        assert made is None or made[1] == "Self", name


@pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="pyright is not installed")
def test_pyright_knows_the_odds_of_a_pack(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    words = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "program.py"]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
