"""Whatever is handed over wrongly is answered in our own words: which argument, what it is to be, and what came."""

import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardwright as cw
from cardwright import _engine, cluster

SEED = "a whole number from 0 to 18,446,744,073,709,551,615"
DECKS = ["Harbour Lights", "Night School"]
# Words of Rust, of PyO3 and of Python's own conversions.
FOREIGN = re.compile(
    r"PyErr|Some\(|None\)|Err\(|Ok\(|\{ |argument '|cannot be (converted|interpreted|cast)|object is not"
    r"|has no attribute|unhashable|failed to extract|must be|expected str|an integer is required|int too (big|large)"
    r"|Already|::"
)


class Wrong:
    """A value that fits nowhere."""


class Stranger(Wrong):
    """One of a type whose attributes cannot even be asked for."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


def kind_of(value: object) -> str:
    return type(value).__name__


def right(game: cw.Game, folder: Path) -> dict[str, Any]:
    """A value that is right for each name of an argument."""
    number = len(cw.encoding(game)[0])
    plan = cw.Plan(game, ["random"], decks=DECKS, pairs=32)
    return {
        "actions": [0],
        "at": 0,
        "bytes": b"",
        "chances": ["1/2", "1/2"],
        "choice": 0,
        "content": "0",
        "deck1": DECKS[0],
        "deck2": DECKS[1],
        "decks": DECKS,
        "duel": game.duel(*DECKS, seed=1),
        "expression": "1 + 1",
        "features": np.zeros((128, len(cw.encoding(game)[1])), np.int16),
        "folder": folder,
        "game": game,
        "mask": np.zeros(128, np.int8),
        "n": 1,
        "name": DECKS[0],
        "number": 1,
        "observation": np.zeros(number, np.int16),
        "of": 2,
        "one": "random",
        "parts": [],
        "path": folder / "some.file",
        "plan": plan,
        "player": "random",
        "players": ["random"],
        "query": "",
        "seat": 1,
        "seed": 1,
        "table": "duels",
        "text": game.duel(*DECKS, seed=1).replay().text,
        "two": "random",
    }


def callables(game: cw.Game, folder: Path) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function and class, and every public method of an object of ours."""
    for name in cw.__all__:
        value = getattr(cw, name)
        made_by_hand = inspect.isclass(value) and issubclass(value, (cw.CardwrightError, cw.Finding, list, Enum))
        # Tables of results are made by the functions that play; nobody else makes them.
        if callable(value) and not made_by_hand and name not in ("Match", "Report", "Result"):
            yield name, value
    objects = [*of_ours(game), cw.Result('{"score": 0.5}', folder), cw.Report({}, "")]
    for one in objects:
        for name, _ in inspect.getmembers(type(one), callable):
            if not name.startswith("_"):
                yield f"{type(one).__name__}.{name}", getattr(one, name)


def of_ours(game: cw.Game) -> list[Any]:
    """An object of every class of the engine that can be had."""
    duel = game.duel(*DECKS, seed=1)
    decision = duel.pending
    assert decision is not None
    view = duel.view(1)
    fought = game.duel(*DECKS, seed=2)
    while not any(fought.view(1).me.ring):
        fought.answer(fought.number_of_options - 1 if fought.turn % 2 else 0)
    character = next(one for one in fought.view(1).me.ring if one is not None)
    pack = cw.Pack(game, cw.packs(game)[0])
    found = [game, duel, decision, decision.options[0], view, view.me, view.me.hand[0], character, game.models[0]]
    found += [duel.replay(), cw.Level("easy"), pack, pack.size(), cw.Plan(game, ["random"], pairs=32)]
    return [*found, cw.VecDuels(game, 1), game.deck(DECKS[0])]


def parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        found = inspect.signature(function).parameters.values()
    except ValueError:
        return []
    return [one for one in found if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]


def call(function: Callable[..., Any], values: dict[str, Any]) -> Any:
    """Calls it with these values by name, where it takes names."""
    by_place = [one.name for one in parameters(function) if one.kind is one.POSITIONAL_ONLY]
    rest = {name: value for name, value in values.items() if name not in by_place}
    return function(*(values[name] for name in by_place if name in values), **rest)


@pytest.mark.parametrize("value", [Wrong(), Stranger(), Wrong, 1j, {1, 2}, [Wrong()], {Wrong(): 1}], ids=kind_of)
def test_every_argument_of_another_type_is_named(game: cw.Game, tmp_path: Path, value: Any) -> None:
    """The law: no public callable takes these for anything, and each says so itself."""
    known, seen = right(game, tmp_path), 0
    for name, function in callables(game, tmp_path):
        wanted = parameters(function)
        needed = {one.name: known[one.name] for one in wanted if one.default is one.empty and one.name in known}
        for one in wanted:
            # Lists have methods of their own, which take what Python takes.
            if name.startswith("Deck.") or (one.name == "progress" and value is Wrong):
                continue
            if one.name in ("replay", "key"):
                continue
            with pytest.raises((cw.CardwrightError, TypeError, ValueError)) as caught:
                call(function, {**needed, one.name: value})
            said = str(caught.value)
            assert said.startswith((one.name, f"a name in {one.name}")), f"{name}({one.name}=…): {said}"
            assert " is to be " in said, f"{name}({one.name}=…): {said}"
            assert ", not " in said, f"{name}({one.name}=…): {said}"
            assert not FOREIGN.search(said), f"{name}({one.name}=…): {said}"
            seen += 1
    assert seen > 80


@pytest.mark.parametrize("value", [-1, 2**32, 2**64, 2**200, -(2**200)])
def test_every_number_beyond_its_ends_is_told(game: cw.Game, tmp_path: Path, value: int) -> None:
    known, seen = right(game, tmp_path), 0
    whole = {"playouts", "threads", "seed", "at", "n", "number", "of", "seat", "first", "copies", "packs", "max_steps"}
    whole |= {"pairs", "card_pairs", "bot_ms", "shares"}
    fits = {"seed": 2**64, "pairs": 2**64, "card_pairs": 2**64, "bot_ms": 2**64, "max_steps": 2**64}
    fits |= {"of": 2**64, "at": 2**63}
    for name, function in callables(game, tmp_path):
        wanted = parameters(function)
        needed = {one.name: known[one.name] for one in wanted if one.default is one.empty and one.name in known}
        for one in wanted:
            if one.name not in whole or name.startswith("Deck.") or 0 <= value < fits.get(one.name, 0):
                continue
            with pytest.raises((cw.CardwrightError, ValueError)) as caught:
                call(function, {**needed, one.name: value})
            said = str(caught.value)
            assert str(value)[:20].lstrip("-") in said.replace(",", "") or "choice -1" in said, f"{name}: {said}"
            assert not FOREIGN.search(said), f"{name}({one.name}=…): {said}"
            seen += 1
    assert seen > 20


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda game: game.duel(seed="tea"), f"seed is to be {SEED}, not the text “tea”"),
        (lambda game: game.duel(seed=-1), f"seed is to be {SEED}, not the number -1"),
        (lambda game: game.duel(first=3), "first is to be a seat, 1 or 2, not the number 3"),
        (
            lambda game: game.duel(DECKS[0], 7),
            "deck2 is to be a deck: its name, the path of a file, or a list of cards, not the number 7",
        ),
        (lambda game: game.duel(["Crumb"]), "deck1[0] is to be a cardwright.Model, not the text “Crumb”"),
        (
            lambda game: game.duel().answer(None),
            "choice is to be an option, its place as a whole number, or its notation as text, not None",
        ),
        (lambda game: game.duel().view(0), "seat is to be a seat, 1 or 2, not the number 0"),
        (lambda game: cw.Game(files={"a": 1}), "files[“a”] is to be bytes, not the number 1"),
        (lambda game: cw.Game(allow_errors="no"), "allow_errors is to be True or False, not the text “no”"),
        (lambda game: cw.Plan(game, "easy"), "players is to be a list of one player or two, not the text “easy”"),
        (
            lambda game: cw.Plan(game, ["easy"], decks="Night School"),
            "decks is to be a list of texts, not the text “Night School”",
        ),
        (
            lambda game: cw.arena(game, "easy", None),
            "two is to be a player: the name of a level, a cardwright.Level, a function of a duel, or an object with "
            "`choose`, not None",
        ),
        (lambda game: cw.check(3.5), "game is to be a cardwright.Game or a path, not the number 3.5"),
    ],
)
def test_the_sentences(game: cw.Game, wrong: Callable[[cw.Game], object], words: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        wrong(game)
    assert str(caught.value) == words


def test_arrays_of_another_kind_or_length_are_told(game: cw.Game) -> None:
    number, about = len(cw.encoding(game)[0]), len(cw.encoding(game)[1])
    duel = game.duel()
    right = (np.zeros(number, np.int16), np.zeros(128, np.int8), np.zeros((128, about), np.int16))
    cw.observe(duel, 1, *right)
    for place, name in enumerate(("observation", "mask", "features")):
        for wrong in (right[place].astype(np.float32), right[place][None], None, [0, 1], right[place].copy()):
            if isinstance(wrong, np.ndarray) and wrong.dtype != np.float32 and wrong.ndim == right[place].ndim:
                wrong.flags.writeable = False
            arrays = [*right]
            arrays[place] = wrong
            with pytest.raises((TypeError, ValueError), match=f"^{name} is to be an array of int") as caught:
                cw.observe(duel, 1, *arrays)
            assert not FOREIGN.search(str(caught.value))
        short = [*right]
        short[place] = right[place][:-1].copy()
        with pytest.raises(ValueError, match="the arrays are to have"):
            cw.observe(duel, 1, *short)


def test_no_repr_is_long(game: cw.Game, tmp_path: Path) -> None:
    """The law, over every object that the package hands out, also where names are long."""
    files = game.files()
    files["definition.xml"] = files["definition.xml"].replace(b'name="Saltmarsh"', b'name="%s"' % (b"Salt " * 200))
    for one in files:
        if one.startswith("Sets/") and one.endswith(".xml"):
            files[one] = files[one].replace(b'name="Crumb"', b'name="%s"' % (b"Crumb " * 100).strip())
    long = cw.Game(files=files, allow_errors=True)
    objects = []
    for of in (game, long):
        objects += of_ours(of)
        objects += [*of.models, *(of.deck(name) for name in of.decks), *cw.check(of)]
        duel = of.duel(seed=3)
        for _ in range(200):
            pending = duel.pending
            if pending is None:
                break
            objects += [pending, *pending.options, duel.view(1)]
            duel.answer(duel.number_of_options // 2)
        objects += [duel, duel.replay(), cw.Plan(of, ["random", lambda duel: 0], pairs=32)]
        objects += list(cw.Pack(of, cw.packs(of)[0]).odds().values())
    plan = cw.Plan(game, ["random"], decks=DECKS, pairs=32)
    objects.append(cw.simulate(game, plan, folder=tmp_path))
    objects.append(cw.arena(game, "random", "random", pairs=2))
    objects.append(cw.balance(game, "random", decks=DECKS, pairs=2, card_pairs=0))
    objects.append(cluster.Job(plan.text, 2, "", None, cw.engine()))
    objects += [cw.GameError("tea " * 100), cw.PlanError("tea " * 100), cw.EvalError("tea " * 100)]
    for names in (cw.Keyword, cw.OptionKind, cw.Phase, cw.QuestionKind):
        objects += list(names)
    classes = {type(one) for one in objects}
    assert {getattr(cw, name) for name in cw.__all__ if inspect.isclass(getattr(cw, name))} - classes <= {
        cw.ArgumentError,
        cw.CardwrightError,
        cw.ChoiceError,
        cw.MissingPairs,
        cw.ReplayError,
    }
    for one in objects:
        assert len(repr(one)) <= 200, repr(one)
        assert not re.search(r" at 0x|Some\(|::", repr(one)), repr(one)


def test_what_is_shown_in_a_notebook_is_escaped(game: cw.Game, tmp_path: Path) -> None:
    files = game.files()
    for name in files:
        files[name] = files[name].replace(b"Crumb", b"&lt;b&gt;Crumb&amp;").replace(b'"Saltmarsh"', b'"&lt;i&gt;Salt"')
    own = cw.Game(files=files, allow_errors=True)
    shown = [one for one in of_ours(own) if hasattr(one, "_repr_html_")]
    shown += [model for model in own.models if "Crumb" in model.name]
    shown += [own.deck(name) for name in own.decks]
    plan = cw.Plan(own, ["random"], decks=own.decks[:2], pairs=32)
    shown.append(cw.simulate(own, plan, folder=tmp_path))
    shown.append(cw.arena(own, "random", "random", pairs=2))
    shown.append(cw.balance(own, "random", decks=own.decks[:2], pairs=2, card_pairs=0))
    kinds = {type(one) for one in shown}
    assert kinds >= {cw.Model, cw.Card, cw.Character, cw.View, cw.Duel, cw.Game, cw.Deck, cw.Odds}
    assert kinds >= {cw.Match, cw.Report, cw.Result}
    pages = [one._repr_html_() for one in shown]
    for page in pages:
        assert not re.search(r"<(?!/?(table|tr|td|th|p|i)\b)", page), page
        assert "<i>Salt" not in page
    assert any("&lt;b&gt;Crumb&amp;" in page for page in pages)
    # A duel shows what everybody sees, and no hand.
    duel = own.duel(seed=3)
    hand = {card.model.name for card in duel.view(1).me.hand if card.model is not None}
    assert not any(name in duel._repr_html_() for name in hand)


def test_the_engine_itself_takes_nothing_unlooked_at() -> None:
    """Each argument in the source goes through the one place that converts values."""
    source = Path(__file__).resolve().parents[1] / "src"
    bare = []
    for path in sorted(source.glob("*.rs")):
        text = path.read_text(encoding="utf-8")
        for body in re.findall(r"#\[(?:pyfunction|new|staticmethod)\](.*?)\) ->", text, re.S):
            for name, kind in re.findall(r"\n\s+(?!#)(\w+): ([^\n]+),", body):
                if not re.match(r"Python<|&Bound<", kind):
                    bare.append(f"{path.name}: {name}: {kind}")
    assert not bare
    assert callable(_engine._whole)
