"""The numbers of an encoding have names: in Python, in the document, and in the engine the same."""

import os
import random
import re
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import cardwright as cw
from cardwright import _engine

PAGE = ROOT / "docs" / "python.md"
MODULE = ROOT / "python" / "cardwright" / "_numbers.py"
TITLES = {
    "OptionKind": "What an option is (`kind` of `option_features`).",
    "QuestionKind": "What is asked (`question`; 0 where the seat is not asked).",
    "Phase": "Phases (`phase`); of `skips` the bit 1 << number.",
    "Keyword": "Keywords, as bits of `keywords`.",
}


def groups() -> dict[str, list[tuple[int, str, str]]]:
    found: dict[str, list[tuple[int, str, str]]] = {}
    for of, number, name, meaning in _engine._numbers():
        found.setdefault(of, []).append((number, name, meaning))
    return found


def module() -> str:
    """The module with the enums, made of what the engine says."""
    lines = ['"""The numbers of an encoding by name. Made of the engine by `tests/test_numbers.py`."""', ""]
    lines += ["from enum import IntEnum, IntFlag", "", f"__all__ = {sorted(groups())!r}".replace("'", '"')]
    for of, rows in groups().items():
        base = "IntFlag" if of == "Keyword" else "IntEnum"
        lines += ["", "", f"class {of}({base}):", f'    """{TITLES[of]}"""', ""]
        lines += [f"    {re.sub(chr(92) + 'W', '_', name).upper()} = {number}" for number, name, _ in rows]
    return "\n".join(lines) + "\n"


def table() -> str:
    """The tables of the document."""
    text = ""
    for of, rows in groups().items():
        meant = any(meaning for *_, meaning in rows)
        text += f"\n`cw.{of}`: {TITLES[of]}\n\n| Number | Name |{' Meaning |' if meant else ''}\n"
        text += "|---|---|---|\n" if meant else "|---|---|\n"
        text += "".join(f"| {number} | {name} |{f' {meaning} |' if meant else ''}\n" for number, name, meaning in rows)
    return text


@pytest.mark.parametrize("path", [MODULE, PAGE], ids=["module", "page"])
def test_names_are_those_of_the_engine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    begins, ends = "<!-- numbers -->\n", "\n<!-- /numbers -->"
    head, rest = text.split(begins) if path == PAGE else ("", "")
    now = head + begins + table() + ends + rest.split(ends)[1] if path == PAGE else module()
    if os.environ.get("CARDWRIGHT_BLESS"):
        path.write_text(now, encoding="utf-8")
    assert now == path.read_text(encoding="utf-8"), "CARDWRIGHT_BLESS=1 writes it anew"


def test_enums_are_what_is_observed(game: cw.Game) -> None:
    names, about = cw.encoding(game)
    kinds: set[str] = set()
    questions: set[int] = set()
    chance = random.Random(3)
    for seed in range(80):
        duel = game.duel(*chance.sample(game.decks, 2), seed=seed)
        while not duel.over:
            pending = duel.pending
            assert pending is not None
            obs, mask = np.zeros(len(names), np.int16), np.zeros(128, np.int8)
            rows = np.zeros((128, len(about)), np.int16)
            cw.observe(duel, pending.seat, obs, mask, rows)
            for option, row in zip(pending.options, rows[:, about.index("kind")].tolist(), strict=False):
                assert cw.OptionKind(row).name.lower().replace("_", "-") == option.kind
                kinds.add(option.kind)
            questions.add(cw.QuestionKind(obs[names.index("question")]))
            assert cw.Phase(obs[names.index("phase")]).name.replace("_", " ").lower() == re.sub(
                r"\W", " ", duel.phase.lower()
            )
            for at, one in enumerate(duel.view(pending.seat).me.ring):
                if one is not None:
                    bits = cw.Keyword(int(obs[names.index(f"my character {at} keywords")]))
                    assert {word.name.lower() for word in bits if word.name} == set(one.keywords)
            duel.answer(chance.randrange(duel.number_of_options))
    assert len(kinds) > 15
    assert len(questions) > 8
