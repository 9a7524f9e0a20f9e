"""Sentences that one word turns: to our card, except for the order, before the day, no longer to the address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from diorama.kit.deeds import Deed
from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.relations import Wrong
from diorama.rewards.claims.spans import by_sentence
from diorama.rewards.claims.weakened import GOODS, MONEY, WEAKENED_BY, is_told_elsewhere, meant, verb_of, without_signs
from diorama.rewards.claims.weakened_words import DENIED, LIMITS
from diorama.rewards.claims.wording import done


def turned(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield sentences that turn a deed of the episode, or the day that has to be told, into something else."""
    days = {value for one in case.tell if one.kind == "date" for value in one.values}
    if not (case.new_deeds or days):
        return
    for sentence in by_sentence(clauses):
        if any(one.question for one in sentence):
            continue
        said = without_signs(" ".join(one.words for one in sentence))
        wrong = _wrong_day(case, days, said, sentence) if days and "xdate" in said else None
        if wrong is None and case.new_deeds:
            wrong = (
                _denied(case, said, sentence, clauses)
                or _wrong_way(case, said, sentence, clauses)
                or _wrong_place(case, said, text[slice(*sentence[0].sentence)])
            )
        if wrong:
            yield sentence[0], wrong


def _denied(case: Case, said: str, sentence: Sequence[Clause], clauses: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if a deed is denied by its own order or amount, whatever is said of another one."""
    language = sentence[0].language
    if not any(one.kind in {"record", "amount"} for clause in sentence for one in clause.values):
        return None
    if not _NOT.search(said) or LIMITS.search(said):
        return None
    for name, kinds in WEAKENED_BY.items():
        new = [one for one in case.new_deeds if one.kind in kinds and (one.names or one.cents)]
        if not new or not DENIED[language, name].search(said):
            continue
        found = meant(new, sentence)
        if found and not is_told_elsewhere(kinds, found, sentence, clauses):
            return "denied", done(found), "the text says that it was not done"
    return None


_NOT = re.compile(
    r"\b(?:not|never|nobody|no one|nicht|nie|niemand|pas|jamais|personne|no|nadie|nunca|niet|geen|nooit)\b|n't"
)


def _wrong_way(case: Case, said: str, sentence: Sequence[Clause], clauses: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if money or goods go to someone else, or an order is left out."""
    for kinds, name, pattern in (
        (MONEY, "money", _NOT_TO_YOU),
        (MONEY | GOODS, "", _LEFT_OUT),
        (GOODS, "goods", _OTHERS),
    ):
        found = pattern.search(said)
        if found is None or not any(verb_of(sentence[0].language, one).search(said) for one in _groups(name)):
            continue
        deeds = meant([one for one in case.new_deeds if one.kind in kinds], sentence)
        if deeds and not is_told_elsewhere(kinds, deeds, sentence, clauses):
            return "destination", done(deeds), f"the text says {found[0]!r}"
    if found := _WILL_END.search(said):
        ended = [one for one in case.new_deeds if one.kind == "cancellation" and _is_over(case, one)]
        later = "xdate" in said or "xday" in said or _LATER.search(said)
        if ended and not later and not is_told_elsewhere(WEAKENED_BY["end"], ended, sentence, clauses):
            return "denied", done(ended), f"the text says {found[0]!r}"
    return None


def _groups(name: str) -> tuple[str, ...]:
    return (name,) if name else ("money", "goods")


def _is_over(case: Case, deed: Deed) -> bool:
    """Check whether what was cancelled has ended, and does not run to the end of its period."""
    names = {deed.subject, *deed.names}
    things = [one for one in case.things if names & {one.id, *one.numbers}]
    return bool(things) and all(one.status.startswith("cancel") for one in things)


_NOT_TO_YOU = re.compile(
    r"\b(?:to|onto) (?:our|my) (?:card|account|bank)|\brefunded (?:(?!that|which|taken|charged|paid"
    r"|debited)\S+ ){1,7}from your"
    r" (?:card|account)|\b(?:of|as|in) debts?\b|\bauf (?:unsere|meine|unser|mein) (?:karte|konto)|\bals schuld\w*"
    r"|\bvon ihrer karte (?:erstattet|zurück)|\bsur (?:notre|ma) (?:carte|compte)|\b(?:comme|en) dettes?\b"
    r"|\ba (?:nuestra|mi) (?:tarjeta|cuenta)|\bcomo deuda|\bop (?:onze|mijn) (?:kaart|rekening)|\bals schuld"
    r"|\b(?:refunded|reimbursed) (?:your neighbou?r|another customer|somebody else|someone else)"
)
_LEFT_OUT = re.compile(
    r"\b(?:except(?: for)?|apart from|other than|but not for|außer(?: für)?|ausser(?: für)?|bis auf|ausgenommen"
    r"|sauf(?: pour)?"
    r"|excepte(?: pour)?|hormis|excepto|salvo|menos|behalve(?: voor)?|uitgezonderd)"
    r" (?:the |die |der |la |le |el |de |het )?(?:order |bestellung |commande |pedido |bestelling )?xrecord"
)
_OTHERS = re.compile(
    r"\bto (?:somebody|someone) else|\bto another customer|\bto your neighbou?r|\ban jemand ander\w+"
    r"|\bjemand ander\w+ geschickt"
    r"|\ba quelqu'un d'autre|\ba otra persona|\ba otro cliente|\bnaar iemand anders|\baan iemand anders"
    r"|\b(?:a|the|some) (?:brochure|leaflet|flyer|catalogue?)s? (?:about|on|for)|\beine? (?:broschüre|prospekt|katalog)"
    r"|\bun(?:e)? (?:brochure|depliant|catalogue) (?:sur|de)|\bun (?:folleto|catalogo) (?:sobre|de)"
    r"|\been (?:brochure|folder) over"
)
_WILL_END = re.compile(
    r"\b(?:will|is going to) be (?:cancell?ed|terminated|ended)|\bwird (?:(?:noch|bald|demnächst"
    r"|morgen) )?(?:storniert|gekündigt)"
    r" werden|\b(?:wird|werden) (?:noch|bald|demnächst|morgen) (?:storniert|gekündigt)|\bsera (?:annule|resilie)\w{0,2}"
    r"|\b(?:se cancelara|sera cancelad[oa]|se anulara)|\bzal (?:worden )?(?:geannuleerd|opgezegd)(?: worden)?"
)
_LATER = re.compile(
    r"\b(?:end of|at the end|ende|fin|final|einde|period|periode|until|bis|jusqu|hasta|tot)\b|\bno |\bnot\b"
)


def _wrong_place(case: Case, said: str, text: str) -> Wrong | None:
    """Return the contradiction if the new address is called an old or an impossible one."""
    if "xstreet" not in said or not (found := _NOT_THERE.search(said)):
        return None
    places = [fold(one.to["line1"]) for one in case.new_deeds if one.kind == "address_change" and one.to.get("line1")]
    if any(one in text for one in places) and _STREETS.sub("", said).find("instead") < 0:
        return "place", "the address that was set", f"the text says {found[0]!r}"
    return None


_STREETS = re.compile(r"xstreet(?=.*xstreet)")
_NOT_THERE = re.compile(
    r"\b(?:used to (?:go|be sent)|no longer goes|(?:cannot|can't|can not|might|may|could) (?:go|be sent)"
    r"|does not go|will not go)"
    r"(?: \S+){0,2}? to xstreet"
    r"|\b(?:ging|gingen) (?:früher|bisher) (?:\S+ ){0,2}?xstreet|\bgeht nicht mehr (?:\S+ ){0,3}?xstreet"
    r"|\bkann nicht (?:\S+ ){0,3}?xstreet|\bgeht vielleicht (?:\S+ ){0,2}?xstreet"
    r"|\bne (?:va|part|vont) plus (?:\S+ ){0,2}?xstreet|\bne peut pas (?:\S+ ){1,3}?xstreet|\b(?:allait"
    r"|partait) (?:\S+ ){0,2}?xstreet"
    r"|\bya no (?:va|se envia) (?:\S+ ){0,2}?xstreet|\bno puede (?:ir|enviarse) (?:\S+ ){0,2}?xstreet"
    r"|\biba (?:\S+ ){0,2}?xstreet"
    r"|\bgaat niet (?:meer|langer) (?:\S+ ){0,2}?xstreet|\bkan niet (?:\S+ ){0,2}?xstreet|\bging (?:vroeger"
    r"|eerst) (?:\S+ ){0,2}?xstreet"
)


def _wrong_day(case: Case, days: set[str], said: str, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if the day of an event is called the day before or after it, or another kind of day."""
    dates = [one for clause in sentence for one in clause.values if one.kind == "date"]
    for pattern, past in ((_BESIDE, False), (_BEGINS, True), (_ENDS, True)):
        for found in pattern.finditer(said):
            place = said.count("xdate", 0, found.end()) - 1
            read = set(dates[place].readings) if 0 <= place < len(dates) else set()
            meant_days = {one for one in days if read & {one, "-" + one[4:]}}
            if meant_days and (not past or all(one < case.today[:10] for one in meant_days)):
                return "state", f"the day itself: {min(meant_days)}", f"the text says {found[0]!r}"
    return None


_EVENT_EN = "delivered|ended|expected|refunded|expired|ran out|arrived"
_BESIDE = re.compile(
    rf"\b(?<!not )(?<!nothing )(?<!was not )(?:{_EVENT_EN}) (?:before|after) xdate"
    r"|\b(?:vor|nach) dem xdate (?:geliefert|zugestellt|geendet|erstattet|abgelaufen|erwartet)\b"
    r"|\bendete (?:vor|nach) dem xdate"
    r"|\b(?:livree?|expiree?|pris fin|remboursee?|attendue?|termine) (?:avant|apres) le xdate"
    r"|\b(?:entregado|termino|vencio|caduco|reembolsado|previsto) (?:antes|despues) del xdate"
    r"|\b(?:voor|na) xdate (?:bezorgd|geleverd|afgelopen|verlopen|terugbetaald)\b|\beindigde (?:voor|na) xdate"
)
_BEGINS = re.compile(
    r"\b(?:warranty|plan|subscription|days|period)\b(?: \S+){0,5}? (?:begins|begin|began|starts|start|started) on xdate"
    r"|\b(?:garantie|abo|abonnement|frist|tage)\b(?: \S+){0,5}? (?:beginnt|begann|startet|startete) am xdate"
    r"|\b(?:garantie|abonnement|delai|jours)\b(?: \S+){0,5}? (?:commence|debute|a commence|commencent) le xdate"
    r"|\b(?:garantia|plan|suscripcion|plazo|dias)\b(?: \S+){0,5}? (?:empieza|comienza|empezo|comenzo|empiezan) el xdate"
    r"|\b(?:garantie|abonnement|termijn|dagen)\b(?: \S+){0,5}? (?:begint|begon|start|beginnen) op xdate"
)
_ENDS = re.compile(
    r"\b(?:warranty|plan|subscription)\b(?: \S+){0,5}? ends on xdate|\b(?:garantie|abo"
    r"|abonnement)\b(?: \S+){0,5}? endet am xdate"
    r"|\b(?:garantie|abonnement)\b(?: \S+){0,5}? (?:prend fin|prendra fin|se termine) le xdate"
    r"|\b(?:garantia|plan|suscripcion)\b(?: \S+){0,5}? (?:termina|acaba|vence) el xdate"
    r"|\b(?:garantie|abonnement)\b(?: \S+){0,5}? eindigt op xdate"
)
