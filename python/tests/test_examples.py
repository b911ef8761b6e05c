"""The examples run, and so does every block of the documents."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import cardwright as cw

EXAMPLES = ROOT / "python" / "examples"
SMALL = {"balance_tables": ["90"], "ppo": ["--small"], "scores": ["--small"], "train": ["--small"]}


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    words = [sys.executable, "-P", str(EXAMPLES / f"{name}.py"), *SMALL.get(name, [])]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip()


def test_a_saved_policy_is_measured(tmp_path: Path) -> None:
    """What `ppo.py` has learnt is a player: on disk it is the same one, and `scores.py` measures it."""
    ran = []
    for words in (["ppo.py", "--small"], ["ppo.py", "--small", "--minutes", "0", "--load", "policy.npz"]):
        called = [sys.executable, "-P", str(EXAMPLES / words[0]), *words[1:]]
        ran.append(subprocess.run(called, cwd=tmp_path, capture_output=True, text=True, check=False))
        assert ran[-1].returncode == 0, ran[-1].stderr
    assert ran[0].stdout.splitlines()[-1] == ran[1].stdout.splitlines()[-1]
    called = [sys.executable, str(EXAMPLES / "scores.py"), "policy.npz", "--small", "--levels", "random", "plain"]
    measured = subprocess.run(called, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert measured.returncode == 0, measured.stderr
    assert [line.split("|")[1].strip() for line in measured.stdout.splitlines()[2:4]] == ["`random`", "`plain`"]


def test_a_policy_learns_what_pays() -> None:
    """The slopes of the learner are those of its scores and values, by small steps in each kind of weight."""
    sys.path.insert(0, str(EXAMPLES))
    ppo = pytest.importorskip("ppo")
    game = cw.Game()
    policy, chance = ppo.Policy(game, 1), np.random.default_rng(1)
    duels = cw.VecDuels(game, 8, decks=ppo.DECKS, opponent="random", seed=1)
    position, option = np.nonzero(duels.mask)
    asked = np.flatnonzero(duels.mask.any(axis=1))
    of = np.searchsorted(asked, position)
    seen = policy.eyes.see(duels.obs[asked]).astype(np.float64)
    where, numbers = ppo.parts(duels.option_features[position, option], policy.eyes.models)
    rows = (where, numbers.astype(np.float64))
    policy.weights = {name: one.astype(np.float64) for name, one in policy.weights.items()}
    pulls, values = chance.standard_normal(len(of)), chance.standard_normal(len(asked))

    def goal() -> float:
        scores, value, _ = policy.forward(seen, rows, of)
        return float(pulls @ scores + values @ np.arctanh(value))

    policy.weights["value"] += chance.standard_normal(len(policy.weights["value"])) * 0.01
    slopes = policy.backward(seen, rows, of, policy.forward(seen, rows, of)[2], pulls, values)
    assert set(slopes) == set(policy.weights)
    for name, slope in slopes.items():
        flat = policy.weights[name].reshape(-1)
        steepest = int(np.abs(slope).argmax())
        assert slope.reshape(-1)[steepest] != 0, name
        was, ends = flat[steepest], []
        for step in (1e-5, -1e-5):
            flat[steepest] = was + step
            ends.append(goal())
        flat[steepest] = was
        assert np.isclose((ends[0] - ends[1]) / 2e-5, slope.reshape(-1)[steepest], rtol=1e-3, atol=1e-5), name


def blocks_of(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)


def pages(language: str) -> list[str]:
    """The documents that have blocks of a language, wherever they are."""
    found = [ROOT / "README.md", ROOT / "python" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path.relative_to(ROOT).as_posix() for path in found if blocks_of(path, language)]


def test_every_language_of_the_documents_is_run_or_read() -> None:
    """A block of a language that nobody runs says something that nobody has tried.

    Those of the shell are run by `crates/cardwright/tests/book.rs`.
    """
    assert pages("python") == ["python/README.md", "docs/cluster.md", "docs/python.md"]
    assert pages("sql") == ["docs/simulation.md"]


@pytest.mark.parametrize("path", pages("sql"))
def test_the_queries_of_a_document_run(
    path: str, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    duckdb = pytest.importorskip("duckdb")
    words = [program, "sim", "--players", "random", "--pairs", "200", "--choices", "100", "-o", str(tmp_path / "out")]
    subprocess.run(words, check=True, capture_output=True)
    monkeypatch.chdir(tmp_path / "out")
    for block in blocks_of(ROOT / path, "sql"):
        for query in block.split(";")[:-1]:
            assert duckdb.connect().execute(query).fetchall(), query


def test_the_tables_are_what_their_results_say(tmp_path: Path) -> None:
    """A deck's score in the query of the document is between 0 and 1, and half of it where both are the same."""
    duckdb = pytest.importorskip("duckdb")
    game = cw.Game()
    plan = cw.Plan(game, ["random"], decks=game.decks[:2], pairs=60)
    cw.simulate(game, plan, folder=tmp_path)
    query = blocks_of(ROOT / "docs" / "simulation.md", "sql")[0].split(";")[0]
    rows = duckdb.connect().execute(query.replace("duels.parquet", str(tmp_path / "duels.parquet"))).fetchall()
    assert sum(row[-1] for row in rows) == 120
    assert all(0 <= row[-2] <= 1 for row in rows)


@pytest.mark.parametrize("path", pages("python"))
def test_the_blocks_of_a_document_run(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each goes on from the one before."""
    monkeypatch.chdir(tmp_path)
    blocks = blocks_of(ROOT / path, "python")
    names: dict[str, object] = {"__name__": "document"}
    for number, block in enumerate(blocks):
        exec(compile(block, f"{path}, block {number + 1}", "exec"), names)
