"""Claims: read outgoing texts against the records, as a pure function of a case and texts."""

from diorama.rewards.claims.case import Case, Entity, Grounds, Parcel, Payment, Text, Thing, grounds_of, words_not_in
from diorama.rewards.claims.reader import Verdict, read
from diorama.rewards.claims.records import case_from_labelled, case_from_records
from diorama.rewards.claims.taking_apart import TIERS, Contradiction

__all__ = [
    "TIERS",
    "Case",
    "Contradiction",
    "Entity",
    "Grounds",
    "Parcel",
    "Payment",
    "Text",
    "Thing",
    "Verdict",
    "case_from_labelled",
    "case_from_records",
    "grounds_of",
    "read",
    "words_not_in",
]
