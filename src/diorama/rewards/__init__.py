"""Rewards: facts that must become true, deeds that are owed, damage, quality of the outcome, and their account."""

from diorama.rewards.account import DAMAGE_LOSES, Account, Score, ScorePart, reward_of
from diorama.rewards.collateral import row_value
from diorama.rewards.damage import Damage, damage_of
from diorama.rewards.deeds import deeds_of, findings_of, match
from diorama.rewards.finding import Finding, Measure
from diorama.rewards.history import History
from diorama.rewards.parts import PHASES, Fact, Harm, Look, Quality, View, deed, fact, harm, look, quality

__all__ = [
    "DAMAGE_LOSES",
    "PHASES",
    "Account",
    "Damage",
    "Fact",
    "Finding",
    "Harm",
    "History",
    "Look",
    "Measure",
    "Quality",
    "Score",
    "ScorePart",
    "View",
    "damage_of",
    "deed",
    "deeds_of",
    "fact",
    "findings_of",
    "harm",
    "look",
    "match",
    "quality",
    "reward_of",
    "row_value",
]
