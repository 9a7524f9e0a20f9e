"""Where money went: to a card or to store credit, compared with what a claim says."""

from __future__ import annotations

from collections.abc import Sequence

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.deeds import Claim
from diorama.rewards.claims.lexicon import words
from diorama.rewards.claims.relations import roots_of

CARD = re.compile(
    r"\b(?:american express|card|karte|kreditkarte|bankkarte|carte|tarjeta|kaart|creditcard|betaalkaart"
    r"|bankkaart|visa"
    r"|mastercard|amex|xcard)\b"
)
STORE = re.compile(
    r"\b(?:store credit|credit|guthaben|avoir|saldo|tegoed|voucher|gutschein|konto|account|compte|cuenta)\b"
)


_IBAN = re.compile(r"[A-Z]{2}\d{13,30}")


def wrong_destination(claim: Claim, deeds: Sequence[Deed]) -> tuple[str, str, str] | None:
    """Return the contradiction if money went to store credit and a text says to a card, or the other way round."""
    if not deeds:
        return None
    where = {"store_credit" if one.kind == "credit" else one.destination for one in deeds}
    text = claim.clause.words
    card, store = CARD.search(text), STORE.search(text)
    if any(one.kind == "record" and _IBAN.fullmatch(one.value) for one in claim.clause.values):
        return "destination", "money to the card that was charged or to store credit", "money to a bank account"
    if where == {"store_credit"} and card and not store:
        return "destination", "money to store credit", "money to a card"
    if where == {"original_payment"} and not card and words(roots_of(claim.clause).store).search(text):
        return "destination", "money to the original payment", "money to store credit"
    return None
