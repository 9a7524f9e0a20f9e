"""Compare one denial of a deed with the ledger: what a text says was not done, and what stands at the end."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.deeds import Claim
from diorama.rewards.claims.ledger import (
    SAME,
    SENDING,
    deeds_for,
    in_question,
    is_of_today,
    of_the_matter,
    records_of,
)
from diorama.rewards.claims.lexicon import LANGUAGES, words
from diorama.rewards.claims.money_destinations import CARD
from diorama.rewards.claims.relations import is_new
from diorama.rewards.claims.wording import denied, done

DENIED_DAYS = 90
"""How many days ago a deed may have been done so that a denial without any value can be about it."""
_SKIPS = words(
    "skip* | left out | leave out | omit* | übersprungen | ausgelassen | ausgesetzt | sauté* | saut* | omit* | salt*"
    " | overgeslagen | overslaan"
)


def wrong_denial(case: Case, claim: Claim) -> tuple[str, str, str] | None:
    """Return how the ledger contradicts a denial."""
    deeds = [one for one in deeds_for(case, claim.kind) if one.stands] if claim.kind in SAME else []
    if claim.implied or claim.kind == "everything":
        deeds = [one for one in deeds if one.seq or one.day >= case.today[:10]]
    if claim.kind == "pause" and not _SKIPS.search(claim.clause.words):  # a plan that leaves one out is still active
        deeds = [one for one in deeds if one.kind != "skip"]
    deeds = [one for one in deeds if in_question(case, claim.clause, one)]
    deeds = of_the_matter(claim, (), deeds)
    if is_of_today(case, claim):
        deeds = [one for one in deeds if is_new(case, one) or not one.day]
    if earlier := _earlier_days(case, claim):
        deeds = [one for one in deeds if one.day in earlier]
    about = records_of(claim.clause)
    if not claim.clause.values and case.day:  # a denial that names nothing is not about last year
        since = (case.day - timedelta(days=DENIED_DAYS)).isoformat()
        deeds = [one for one in deeds if one.seq or not one.day or one.day >= since]
    certain = claim.factual or bool(about)
    now = claim.kind in SENDING and not words(LANGUAGES[claim.clause.language].perfect).search(claim.clause.words)
    if not certain or (now and not about):  # a refusal is about now; it does not deny what was done earlier
        deeds = [one for one in deeds if is_new(case, one)]
    if not deeds or claim.limited or _denies_another(claim, deeds) or _is_what_remains(claim, deeds):
        return None
    names = {word.upper() for one in deeds for word in (one.subject, *one.names)}
    if about and not names & set(about):
        return None
    amounts = {int(one.value) for one in claim.clause.values if one.kind in {"amount", "number"}}
    if claim.kind == "money" and amounts and not amounts & {one.cents for one in deeds}:
        return None
    return "denied" if certain else "intended", done(deeds), f"the text says that {denied(claim.kind)}"


def _earlier_days(case: Case, claim: Claim) -> set[str]:
    """Return the days that a denial is about if they are over: `nothing was refunded on Friday`."""
    said = {day for one in claim.clause.values if one.kind in {"date", "day"} for day in one.readings}
    days = {case.today[:4] + one[1:] if one.startswith("--") else one for one in said}
    return days if days and min(days) < case.today[:10] and case.today[:10] not in days else set()


def pays_credit_instead(case: Case, claim: Claim, later: AbstractSet[str]) -> bool:
    """Check whether a denied refund is the one to the card, since it is said later that it became store credit."""
    paid = [one for one in deeds_for(case, "money") if is_new(case, one)]
    instead = bool(paid) and all(one.kind == "credit" or one.destination == "store_credit" for one in paid)
    return instead and not claim.says and claim.kind in {"refund", "money"} and "credit" in later


def _denies_another(claim: Claim, deeds: Sequence[Deed]) -> bool:
    """Check whether a denial is about something else: the card of a refund to store credit, a parcel on its way."""
    if claim.kind in {"refund", "money"} and CARD.search(claim.clause.words):
        return all(one.destination == "store_credit" for one in deeds)
    if claim.kind in SENDING and _A_MACHINE.search(claim.clause.words):
        return not any(one.kind == "replacement_machine" for one in deeds)
    if claim.kind in _OF_AN_ADDRESS and _ACCOUNTS.search(claim.clause.words):
        return all(one.subject.startswith(("ord_", "shp_", "sub_")) for one in deeds)
    return (
        claim.retracts
        and claim.kind == "address_change"
        and not any(one.subject.startswith(("ord_", "shp_")) for one in deeds)
    )


def _is_what_remains(claim: Claim, deeds: Sequence[Deed]) -> bool:
    """Check whether a single payment is what is left after one of two was paid back."""
    if not claim.implied or not all(one.to.get("reason") == "duplicate" for one in deeds):
        return False
    return _ONE_PAYMENT.search(claim.clause.words) is not None and _LEFT.search(claim.clause.words) is not None


_ONE_PAYMENT = re.compile(
    r"\b(?:one|single|once|eine?|einzige\w*|einmal|une?|seule?|un solo|una sola|unico|una vez|een|enkele|eenmaal)\b"
)
_LEFT = re.compile(
    r"\b(?:with|now|left|leaves|remains?|stays?|stands|mit|jetzt|nun|bleibt|damit|steht|avec|maintenant|reste|desormais"
    r"|con|ahora|queda|quedan|met|nu|blijft|staat|so)\b"
)
_A_MACHINE = re.compile(
    r"\b(?:machine|appliance|grinder|maschine|ersatzmaschine|gerat|gerät|ersatzgerat|ersatzgerät|mühle|appareil|moulin"
    r"|maquina|aparato|molino|apparaat|toestel|molen)\b(?! (?:part|parts))"
)
"""A whole machine: that none was sent does not deny a part."""
_OF_AN_ADDRESS = frozenset({"address_change", "account_address", "new_address", "contact_change", "goes"})
_ACCOUNTS = re.compile(
    r"\b(?:home|billing|default|main|saved|stored|profile|account|address book|standard"
    r"|(?:haus|heim|privat|standard|rechnungs|haupt|stamm|konto)(?:adresse|anschrift)|kundenkonto|konto|profil|adressbuch"
    r"|hinterlegte\w?|compte|carnet d'adresses|par defaut|facturation|principale|domicile|enregistree?"
    r"|cuenta|perfil|libreta|predeterminad[oa]|facturacion|principal|guardad[oa]"
    r"|profiel|adresboek|(?:standaard|factuur|thuis|huis|hoofd)adres|opgeslagen)\b"
)
"""The address of the account, and not that of an order or a plan."""
