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


def test_each_matchup_stops_when_it_is_known(game: cw.Game) -> None:
    plan = cw.Plan(game, ["random"], decks=[*DECKS, "Shore Party"], until=8.0)
    assert plan.pairs == 6000
    result = cw.simulate(game, plan)
    assert result.summary["verdict"] == "known"
    assert all(matchup["pairs"] < 2000 for matchup in result.summary["matchups"])
    with pytest.raises(cw.PlanError, match="ask one question, and there are 45 matchups"):
        cw.Plan(game, ["random"], until="ahead")


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
    assert report.data == told
    assert report.what_if is None
    assert report.target is None
    assert {deck["name"] for deck in report.decks} == set(DECKS)
    report.save(tmp_path / "page.html")
    assert "<html" in (tmp_path / "page.html").read_text(encoding="utf-8")


PATCH = """[[change]]
card = "Crumb"
property = "bp"
to = 900

[[change]]
constant = "hp"
to = 900
"""


def test_changes_and_a_target_are_those_of_the_command_line(game: cw.Game, program: str, tmp_path: Path) -> None:
    patch = tmp_path / "patch.toml"
    patch.write_text(PATCH, encoding="utf-8")
    report = cw.balance(game, "random", decks=DECKS, pairs=40, card_pairs=0, what_if=patch, target="50±1")
    words = ["--players", "random", "--pairs", "40", "--card-pairs", "0", "--json"]
    words += ["--what-if", str(patch), "--target", "50+-1"]
    words += [word for deck in DECKS for word in ("--deck", deck)]
    told = json.loads(subprocess.run([program, "balance", *words], check=True, capture_output=True).stdout)
    # The command line knows the file of the patch and names it in the command; here changes may have no file.
    command, ran = told["ran"].pop("command"), dict(report.data["ran"])
    begins = ran.pop("command")
    assert command == f"{begins} --what-if '{patch}' --target 50±1"
    assert {**report.data, "ran": ran} == told
    assert report.what_if is not None
    assert report.what_if["changes"] == ["Crumb: BP 900", "hp = 900"]
    assert report.what_if["first"]["shift"]["change"]["n"] == 40
    assert report.target is not None
    assert set(report.target) >= {"changes", "worst", "reached", "proof"}
    # The same changes, written here.
    changes = [{"card": "Crumb", "property": "bp", "to": 900}, {"constant": "hp", "to": 900}]
    again = cw.balance(game, "random", decks=DECKS, pairs=40, card_pairs=0, what_if=changes)
    assert again.what_if == report.what_if
    assert again.target is None


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"what_if": [{"card": "Nobody", "property": "bp", "to": 1}]}, "“what_if” cannot be used: change 1: .*Nobody"),
        ({"what_if": [{"card": "Crumb", "colour": "red"}]}, "“what_if” cannot be used: .*colour"),
        ({"what_if": []}, "“what_if” cannot be used: there is no change in it"),
        ({"target": "60±3"}, "only 50 can be wanted"),
        ({"target": "3"}, "as in 50±3"),
    ],
)
def test_what_cannot_be_asked_is_said_before_anything_is_played(
    game: cw.Game, asked: dict[str, object], words: str
) -> None:
    with pytest.raises(cw.PlanError, match=words):
        cw.balance(game, "random", pairs=10_000_000, **asked)  # type: ignore[arg-type]


def test_a_patch_that_is_not_there_is_an_oserror(game: cw.Game) -> None:
    with pytest.raises(FileNotFoundError):
        cw.balance(game, "random", pairs=1, what_if="no-such-patch.toml")
