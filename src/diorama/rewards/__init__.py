"""Rewards: facts that must become true, harm that must not be done, quality of the outcome, and their account."""

from diorama.rewards.account import DAMAGE_SCALE, Account, Score, ScorePart, evaluate, reward_of
from diorama.rewards.collateral import Collateral, collateral, row_value
from diorama.rewards.parts import PHASES, Fact, Harm, Quality, View, deed, fact, harm, quality

__all__ = [
    "DAMAGE_SCALE",
    "PHASES",
    "Account",
    "Collateral",
    "Fact",
    "Harm",
    "Quality",
    "Score",
    "ScorePart",
    "View",
    "collateral",
    "deed",
    "evaluate",
    "fact",
    "harm",
    "quality",
    "reward_of",
    "row_value",
]
