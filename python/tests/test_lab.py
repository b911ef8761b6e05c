"""Many duels: the same bytes as the command line."""

import json
import pickle
import subprocess
from pathlib import Path

import pytest

import cardwright as cw

DECKS = ["Harbour Lights", "Night School"]
FILES = ("summary.json", "duels.parquet", "cards.parquet")


def test_simulate_is_the_command_line_to_the_byte(game: cw.Game, program: str, tmp_path: Path) -> None:
    plan = cw.Plan(game, ["novice", "random"], decks=DECKS, pairs=130, seed=5)
    result = cw.simulate(game, plan, folder=tmp_path / "python", threads=2)
    there = tmp_path / "program"
    words = ["--players", "novice,random", "--pairs", "130", "--seed", "5"]
    words += [word for deck in DECKS for word in ("--deck", deck)]
    subprocess.run([program, "sim", *words, "-o", str(there)], check=True, capture_output=True)
    written = subprocess.run([program, "sim", "plan", *words], check=True, capture_output=True).stdout
    assert plan.text == written.decode()
    for name in FILES:
        assert (result.folder / name).read_bytes() == (there / name).read_bytes(), name
    assert result.summary["plan"] == plan.id
    assert result.score[0] > 0.5


def test_a_plan_is_its_text(game: cw.Game) -> None:
    plan = cw.Plan(game, ["easy"], pairs=90)
    assert cw.Plan.parse(plan.text) == plan
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert len({plan, cw.Plan.parse(plan.text)}) == 1
    assert plan.pairs_of(0, 2) == (0, 31)
    text = plan.text.replace('"levels": ', '"levels": 9')
    with pytest.raises(cw.PlanError, match="made by another version of Cardwright"):
        cw.Plan.parse(text)
    with pytest.raises(cw.PlanError, match="name one player or two"):
        cw.Plan(game, [])
    with pytest.raises(cw.PlanError, match="the player “chess” is unknown"):
        cw.Plan(game, ["chess"])
    with pytest.raises(cw.PlanError, match="until is"):
        cw.Plan(game, ["easy"], until="tea")
    files = game.files()
    files["definition.xml"] = files["definition.xml"].replace(b"Saltmarsh", b"Saltmarch")
    with pytest.raises(cw.PlanError, match="has other cards, rules or numbers"):
        cw.simulate(cw.Game(files=files), plan)


def test_it_stops_when_the_question_is_answered(game: cw.Game, tmp_path: Path) -> None:
    plan = cw.Plan(game, ["easy", "random"], pairs=5000, until="ahead")
    result = cw.simulate(game, plan, folder=tmp_path)
    assert result.summary["pairs"] < 200
    assert result.summary["verdict"] == "ahead"


def test_arena_is_the_command_line(game: cw.Game, program: str) -> None:
    match = cw.arena(game, "easy", "novice", pairs=20, seed=3)
    words = ["arena", "easy", "novice", "--pairs", "20", "--seed", "3", "--json"]
    told = subprocess.run([program, *words], check=True, capture_output=True).stdout
    assert match.data == json.loads(told)
    assert match.low < match.score < match.high
    test = cw.arena(game, "easy", "random", sprt=(0.5, 0.6))
    assert test.verdict == "accepted"
    with pytest.raises(cw.PlanError, match="sprt is two scores"):
        cw.arena(game, "easy", "random", sprt=(0.6, 0.5))


def test_balance_is_the_command_line(game: cw.Game, program: str, tmp_path: Path) -> None:
    report = cw.balance(game, "random", decks=DECKS, pairs=40, card_pairs=4)
    words = ["--players", "random", "--pairs", "40", "--card-pairs", "4", "--json"]
    words += [word for deck in DECKS for word in ("--deck", deck)]
    told = json.loads(subprocess.run([program, "balance", *words], check=True, capture_output=True).stdout)
    # The command that repeats it names the decks.
    for data in (told, report.data):
        data["ran"].pop("command", None)
    assert report.data == told
    assert {deck["name"] for deck in report.decks} == set(DECKS)
    report.save(tmp_path / "page.html")
    assert "<html" in (tmp_path / "page.html").read_text(encoding="utf-8")
