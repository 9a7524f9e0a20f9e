"""The head of a sentence: a return, a complaint or money that only belongs to an order."""

from __future__ import annotations

from collections.abc import Sequence

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.lexicon import LANGUAGES, words


def has_another_head(sentence: Sequence[Clause], clause: Clause, nouns: bool) -> bool:
    """Check whether the subject is a return, a complaint or money, and the order only belongs to it.

    In the first clause of a sentence only complaints count: what is said of a return or of money is checked elsewhere.
    """
    if clause.start == sentence[0].start:
        return _COMPLAINT.match(clause.words) is not None
    if nouns or any(one.kind == "record" for one in clause.values):
        return False
    if any(one.match(sentence[0].words) for one in (_COMPLAINT, _RETURN)):
        return True
    before = [one for one in sentence if one.start < clause.start]
    named = any(value.kind == "record" for one in before for value in one.values)
    return not named and any(_MONEY.match(one.words) for one in before)


_THE = (
    r"\W*(?:(?:the|your|this|our|my|a|die|der|das|ihre?|deine?|diese[rs]?|unsere?|le|la|l|votre|ta|ton|cette|ce|el"
    r"|su|tu"
    r"|esta|este|de|het|uw|je|jouw|deze|dit)[\s'])(?:[\w-]+\s)?"
)
"""How a sentence begins with its subject: an article, and perhaps one more word."""
_COMPLAINT = re.compile(
    _THE
    + r"(?:complaint|ticket|request|claim|case|question|enquiry|inquiry|matter|beschwerde|anfrage|reklamation|vorgang"
    r"|frage|anliegen|reclamation|demande|dossier|question|reclamacion|queja|solicitud|consulta|caso|klacht|aanvraag"
    r"|vraag|verzoek|zaak|melding)\b"
)
_RETURN = re.compile(
    _THE
    + r"(?:returns?|refund|reimbursement|credit|rucksendung|rücksendung|retoure|ruckgabe|rückgabe|erstattung|gutschrift"
    r"|retour|renvoi|remboursement|avoir|devolucion|reembolso|retourzending|terugbetaling|terugzending)\b"
)

_MONEY = re.compile(
    _THE
    + r"(?:money|amount|sum|payment|charge|dispute|deposit|geld|betrag|summe|zahlung|abbuchung|kaution|montant|somme"
    r"|argent|paiement|debit|caution|contestation|dinero|importe|pago|cargo|cobro|fianza|disputa|bedrag|betaling"
    r"|afschrijving|borg|borgsom|waarborgsom|betwisting)\b"
)
"""Money as the subject: what the clauses after it say of `it` is said of the money."""


def is_of_goods(clause: Clause, found: re.Match[str], money: str) -> bool:
    """Check whether what arrived is not money: it is named first, and money comes after an `and`."""
    link = re.compile(rf"\s{LANGUAGES[clause.language].link}\s").search(clause.words, found.end())
    if link is None or not clause.words[: found.start()].strip():
        return False
    return words(money).search(clause.words[: link.start()]) is None
