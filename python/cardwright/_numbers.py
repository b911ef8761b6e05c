"""The numbers of an encoding by name. Made of the engine by `tests/test_numbers.py`."""

from enum import IntEnum, IntFlag

__all__ = ["Keyword", "OptionKind", "Phase", "QuestionKind"]


class OptionKind(IntEnum):
    """What an option is (`kind` of `option_features`)."""

    PASS = 1
    PLAY = 2
    BACK_UP = 3
    ACTIVATE = 4
    ATTACK = 5
    JOIN = 6
    CANCEL_ATTACK = 7
    BLOCK = 8
    CANCEL_BLOCK = 9
    SLOT = 10
    CARD = 11
    COPY = 12
    PLAYER = 13
    ZONE = 14
    TYPE = 15
    ACTION = 16
    YES = 17
    NO = 18
    TOP = 19
    BOTTOM = 20
    HEADS = 21
    TAILS = 22
    DONE = 23
    DECLINE = 24


class QuestionKind(IntEnum):
    """What is asked (`question`; 0 where the seat is not asked)."""

    MAIN = 1
    ATTACK = 2
    COUNTER_ATTACK = 3
    SLOT = 4
    BACK_UP_WHOM = 5
    JOIN_WHOM = 6
    BLOCK_WHOM = 7
    TARGET = 8
    DISCARD_AS_COST = 9
    SACRIFICE_AS_COST = 10
    DISCARD = 11
    PLAYER = 12
    ZONE = 13
    TYPE = 14
    WHICH_EFFECT = 15
    MAY = 16
    OPTIONAL = 17
    TOP_OR_BOTTOM = 18
    PROPHECY = 19
    COIN = 20
    MOVE_TO_SLOT = 21


class Phase(IntEnum):
    """Phases (`phase`); of `skips` the bit 1 << number."""

    SETUP = 0
    ACTIVATE = 1
    DRAW = 2
    MAIN = 3
    ATTACK = 4
    COUNTER_ATTACK = 5
    END = 6
    CLEANUP = 7


class Keyword(IntFlag):
    """Keywords, as bits of `keywords`."""

    UNBLOCKABLE = 1
    CANTATTACK = 2
    CANTBLOCK = 4
    UNLIMITEDBACKUP = 8
    UNFREEZABLE = 16
    PIERCE = 32
    PREVENTPIERCE = 64
    RUSH = 128
    FROSTED = 256
    CANTPLAYAC = 512
    CANTPLAYRE = 1024
