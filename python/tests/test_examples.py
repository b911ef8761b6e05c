"""The examples run, and so does every block of the documents."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "python" / "examples"
SMALL = {"balance_tables": ["90"], "train": ["--small"]}


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    words = [sys.executable, "-P", str(EXAMPLES / f"{name}.py"), *SMALL.get(name, [])]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()


@pytest.mark.parametrize("path", ["python/README.md", "docs/python.md", "docs/cluster.md"])
def test_the_blocks_of_a_document_run(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each goes on from the one before."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / path).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert blocks
    names: dict[str, object] = {"__name__": "document"}
    for number, block in enumerate(blocks):
        exec(compile(block, f"{path}, block {number + 1}", "exec"), names)
