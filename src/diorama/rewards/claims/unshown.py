"""Events that the rows of this customer would show: arrivals, new routes, charges, endings of plans, days of payments.

Each check compares one kind of statement with the rows. What is asked, denied, wished, reported or conditional counts
for none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case, Grounds
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.goods import GOODS
from diorama.rewards.claims.lexicon import LANGUAGES, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.relations import PAST, Wrong, is_own_act
from diorama.rewards.claims.sendings import contents_of, kinds_of, mentions_of
from diorama.rewards.claims.spans import by_sentence, days_in, is_beside
from diorama.rewards.claims.things import named_in, streets_of

_MONEY = frozenset({"refund", "credit"})


def unshown(case: Case, clauses: Sequence[Clause], text: str) -> Iterator[tuple[Clause, Wrong]]:
    """Yield the clauses that tell an event that the rows would show, and do not."""
    if not case.things and case.private == Grounds():
        return
    before: list[Clause] = []
    for sentence in by_sentence(clauses):
        for clause in sentence:
            if clause.question or clause.conditional or is_own_act(clause):
                continue
            wrong = _uncharged(case, clause)
            if clause.depends and not wrong:
                continue
            wrong = wrong or (
                _brought(case, clause, [*before, *sentence])
                or _agreed(case, clause)
                or _rerouted(case, clause, sentence)
                or _sent_elsewhere(case, clause, text)
                or _every_plan(case, clause, sentence)
                or _another_ground(case, clause, text)
                or _one_last(case, clause, sentence)
                or _warranty_anew(case, clause)
                or _to_the_store(case, clause, sentence)
                or _transfer(case, clause)
                or _paid_on(case, clause)
                or _new_one(case, clause)
                or _put_in(case, clause, text)
                or _of_another(case, clause, sentence)
                or _deducted(case, clause, sentence)
            )
            if wrong:
                yield clause, wrong
        before = sentence


def _stated(clause: Clause, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """Return the words of a pattern that a clause states."""
    found = pattern.search(clause.words)
    if found is None or is_negated(clause, found.end(), [found.span()]):
        return None
    language = LANGUAGES[clause.language]
    rest = clause.words[: found.start()] + " " + clause.words[found.end() :]
    unclear = (language.wish, language.reported, language.exempt)
    return None if any(words(one).search(rest) for one in unclear) else found


# --- parcels


_BROUGHT = re.compile(
    r"\b(?:has|have) (?:already |just |now )?delivered (?:it|them|the (?:parcel|package|box))\b"
    r"|\b(?:it|they|which|that) (?:was|were|has been|have been|got) (?:already |just )?delivered\b"
    r"|\b(?:es|sie|das|er) (?:wurde|wurden|ist|sind)(?: \S+){0,4}? (?:zugestellt|geliefert|angekommen)\b"
    r"|\b(?:hat|haben) (?:es|sie|das|ihn)(?: \S+){0,4}? (?:zugestellt|geliefert)\b"
    r"|\b(?:il|elle|ils|elles) (?:a|ont) (?:deja |bien )?ete (?:livre|remis)\w*|\bl'a (?:deja )?(?:livre|remis)\w*"
    r"|\b(?:lo|la|los|las) (?:ha|han) (?:entregado|dejado)\b|\b(?:fue|fueron|ha sido|han sido) entregad\w+"
    r"|\b(?:het|hij|ze|deze) (?:is|zijn|werd|werden)(?: \S+){0,4}? (?:bezorgd|afgeleverd|geleverd)\b"
    r"|\b(?:heeft|hebben) (?:het|hem|ze)(?: \S+){0,4}? (?:bezorgd|afgeleverd|geleverd)\b"
)
_SENT = re.compile(
    r"\b(?:sent|send|sending|shipped|posted|resent|new parcel|replacement|geschickt|verschickt|versandt|gesendet"
    r"|neues paket"
    r"|envoye\w*|expedie\w*|renvoye\w*|nouveau colis|enviado|enviada|enviamos|mandado|reenviado|nuevo paquete|gestuurd"
    r"|verstuurd|verzonden|opgestuurd|nieuw pakket)\b"
)


def _brought(case: Case, clause: Clause, near: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if what was sent now is said to be delivered, named by a pronoun."""
    new = [one for one in case.new_deeds if one.kind in GOODS]
    found = _stated_later(clause, _BROUGHT) if new else None
    if found is None or words(LANGUAGES[clause.language].wish).search(clause.words):
        return None
    made = [one for one in case.parcels if one.made >= case.today[:10]]
    if not made or any(one.status not in {"waiting", "moving"} for one in made) or PAST_DAY.search(clause.words):
        return None
    own = {name.upper() for one in new for name in (one.subject, *one.names)}
    prior = [one for one in near if one.end <= clause.start or one is clause]
    named = {value.value for one in prior for value in one.values if value.kind == "record"}
    if (named and not named & own) or not any(_SENT.search(one.words) for one in prior):
        return None
    if any(one.kind == "date" for one in clause.values):
        return None
    return "state", "a parcel that has only a label", f"the text says {found[0]!r}"


PAST_DAY = re.compile(r"\b(?:originally|first time|ursprünglich|a l'origine|en su dia|oorspronkelijk|back then)\b")
_CARRIER = (
    r"(?:dhl|dpd|ups|postnl|canada post|purolator|postes canada|correos|the (?:carrier|courier|driver)"
    r"|der (?:paketdienst|zusteller)|le (?:transporteur|livreur)|el (?:transportista|repartidor)"
    r"|de (?:vervoerder|bezorger))"
)
_AGREED = re.compile(
    rf"\b{_CARRIER} (?:has |have |had |hat |haben |a |ont |ha |han |heeft |hebben )?(?:\w+ )?(?:agreed|consented"
    r"|promised|accepte|promis|aceptado|acepto|accedido|prometido|beloofd|toegezegd|ingestemd)\b"
    rf"|\b{_CARRIER} (?:hat|haben|heeft|hebben)\b(?: \S+){{0,6}}? (?:zugestimmt|zugesagt|versprochen|eingewilligt"
    rf"|toegezegd"
    r"|beloofd|ingestemd)\b"
)


def _agreed(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if a carrier is said to have agreed to something: no row shows that."""
    found = _stated(clause, _AGREED)
    if found is None or any("agreed" in one.body or "zugesagt" in one.body for one in case.notes):
        return None
    return "claimed", "only what the records show", f"the text says {found[0]!r}"


_REROUTED = re.compile(
    r"\b(?:re-?routed|redirected|diverted|umgeleitet|umleiten lassen|umgelenkt|devie\w{0,2}|reachemine\w{0,2}"
    r"|redirige\w{0,2}|desviado|redirigido|reencaminado|omgeleid|laten omleiden)\b"
)
_PARCEL = re.compile(
    r"\b(?:parcel|package|paket|sendung|colis|paquete|envio|pakket|pakje|zending|it|es|lo|het|xrecord)\b"
)


def _rerouted(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if a parcel is said to be rerouted, and no order or parcel got another address."""
    found = _stated_later(clause, _REROUTED)
    language = LANGUAGES[clause.language]
    if found is None or words(language.wish).search(clause.words) or words(language.reported).search(clause.words):
        return None
    if not _PARCEL.search(clause.words) or _PLAN.search(clause.words):
        return None
    if any(one.kind in GOODS for one in case.new_deeds) or case.private != Grounds():
        return None
    moved = [one for one in case.deeds if one.kind == "address_change" and one.stands]
    if any(one.subject.startswith(("ord_", "shp_")) for one in moved):
        return None
    tracked = {one.number for one in case.parcels}
    named = {value.value for one in sentence for value in one.values if value.kind == "record"}
    if moved and not named & tracked:
        return None
    return "claimed", "a parcel whose address was not changed", f"the text says {found[0]!r}"


_TO = re.compile(r"\b(?:to|nach|an|in die|zur|a|au|vers|hacia|naar)\b")
_AGAIN = re.compile(
    r"\b(?:again|once more|anew|afresh|a fresh|erneut|nochmals?|noch einmal|wieder|de nouveau|a nouveau|renvoy\w+"
    r"|reexpedi\w+"
    r"|de nuevo|otra vez|reenvi\w+|opnieuw|nogmaals|nog een keer)\b"
)


def _sent_elsewhere(case: Case, clause: Clause, text: str) -> Wrong | None:
    """Return the contradiction if what was sent again is said to go to another street than its own."""
    new = [one for one in case.new_deeds if one.kind == "reshipment" and one.to.get("line1")]
    if not new or len(new) != len([one for one in case.new_deeds if one.kind in GOODS]):
        return None
    said = text[clause.start : clause.end]
    sentence = text[clause.sentence[0] : clause.end]
    if not (_SENT.search(sentence) and _AGAIN.search(sentence)) or _PLAN.search(clause.words):
        return None
    own = {one for deed in new for one in streets_of(deed.to)}
    known = {street for one in case.things for street in one.streets} - own
    stated = {one.value for one in clause.values if one.kind == "street"}
    names = {one.rpartition(" ")[0].lower() for one in known} - {one.rpartition(" ")[0].lower() for one in own}
    bare = {one for one in names if len(one) > 5 and re.search(rf"\b{re.escape(one)}\b", said)}
    if not (stated & known or bare) or stated & own or not _TO.search(clause.words):
        return None
    language = LANGUAGES[clause.language]
    if _NOT_THERE.search(clause.words) or words(language.negation).search(clause.words) or PAST.search(clause.words):
        return None
    if any(one in said for deed in new if (one := fold(str(deed.to.get("city") or ""))) and not stated):
        return None
    return "place", f"goods that go to {new[0].to['line1']}", f"the text says {min(stated or bare)!r}"


_NOT_THERE = re.compile(
    r"\b(?:instead of|rather than|no longer|first|original\w*|statt|anstatt|nicht|zuerst|au lieu|plutot|d'abord"
    r"|en lugar"
    r"|en vez|primero|in plaats|eerst|lost|verloren|perdu\w*|came back|zurück|revenu\w*|volvio|terug)\b"
)
_PLAN = re.compile(
    r"\b(?:plans?|subscriptions?|abos?|abonnements?|formules?|suscripcion\w*|planes|abonnementen|koffieplan)\b"
)


# --- charges of today


_UNCHARGED = re.compile(
    r"\b(?:card|you|visa|mastercard|account) (?:has|have|was|were|is|wasn't|hasn't|weren't)(?: been)? ?(?:not|never)?"
    r"(?: been)? charged\b|\bnothing (?:was|has been|were) (?:charged|taken|debited)\b"
    r"|\b(?:nichts|kein geld|kein betrag) (?:\w+ )?(?:abgebucht|eingezogen|belastet)\b"
    r"|\brien n'a (?:\w+ )?ete (?:debite|preleve)|\b(?:n'a|n'avez) (?:\w+ )?pas ete (?:debite|preleve)\w*"
    r"|\bno se (?:le |te )?ha (?:cobrado|cargado)(?: nada)?\b|\bnada se ha (?:cobrado|cargado)\b"
    r"|\b(?:niets|geen geld|geen bedrag) (?:\w+ )?(?:afgeschreven|geincasseerd)\b"
)
_DENIES = re.compile(r"\b(?:not|never|nothing|wasn't|hasn't|weren't|nichts|kein|rien|pas|no|nada|niets|geen)\b")
_MORE = re.compile(
    r"\b(?:twice|double|again|extra|more|second|wrong\w*|zweimal|doppelt|erneut|mehr|zusätzlich|falsch|deux fois|double"
    r"|encore|plus|dos veces|doble|mas|tweemaal|twee keer|dubbel|meer|extra|other\w*|until|yet|before|bis|avant"
    r"|hasta|tot)\b"
)


def _uncharged(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if nothing is said to have been charged, and an order of today was paid."""
    found = _UNCHARGED.search(clause.words)
    if found is None or not _DENIES.search(found[0]) or _MORE.search(clause.words):
        return None
    today = [one for one in case.things if one.kind == "order" and one.placed == case.today[:10] and one.charges]
    paid = [one for one in today if one.status != "cancelled" and not one.renews]
    if not paid or any(one.kind in {*_MONEY, "cancellation"} for one in case.new_deeds):
        return None
    return "denied", f"{paid[0].numbers[0]} was paid today", f"the text says {found[0]!r}"


# --- plans


_EVERY = re.compile(
    r"\b(?:all (?:of )?your (?:other )?(?:plans|subscriptions)|your (?:two |three )?other (?:two |three )?(?:plans"
    r"|subscriptions)|every (?:one of your |other )?(?:plan|subscription)s?|alle (?:ihre|deine) (?:anderen "
    r"|übrigen )?abos?\w*"
    r"|(?:ihre|deine) (?:beiden |zwei |drei )?(?:anderen|übrigen) abos?\w*|tous vos (?:autres )?abonnements"
    r"|toutes vos (?:autres )?formules|vos (?:deux |trois )?autres (?:abonnements|formules)"
    r"|tod[oa]s sus (?:otr[oa]s |demas )?(?:suscripciones|planes)|sus (?:otr[oa]s|demas) (?:dos "
    r"|tres )?(?:suscripciones"
    r"|planes)|al (?:je|uw) (?:andere )?abonnementen|(?:je|uw) (?:twee |drie )?andere (?:twee )?abonnementen)\b"
)
_ENDED = re.compile(
    r"\b(?:cancelled|canceled|ended|stopped|gekündigt|beendet|resilie\w{0,2}|annule\w{0,2}|arrete\w{0,2}|cancelad\w+"
    r"|anulad\w+"
    r"|dad\w+ de baja|opgezegd|stopgezet|beeindigd)\b"
)
_RESTS = re.compile(
    r"\b(?:paused|on hold|suspended|pausiert|ausgesetzt|en pause|suspendu\w{0,2}|en pausa|pausad\w+|suspendid\w+"
    r"|gepauzeerd"
    r"|stilgezet)\b"
)
_STAYS = re.compile(
    r"\b(?:continue\w*|stays?|remains?|untouched|unchanged|keeps?|runs?|carry on|weiter\w*|bleib\w*|unverändert"
    r"|laufen|restent?"
    r"|continuent|inchange\w*|siguen?|continuan|quedan|igual|blijven|lopen|ongewijzigd|already|bereits|deja|ya|al)\b"
)


def _every_plan(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if all plans are said to have ended or to rest, and one runs on."""
    if _EVERY.search(clause.words) is None or is_negated(clause, len(clause.words)):
        return None
    said = " ".join(one.words for one in sentence if one.start <= clause.start)
    running = [one for one in case.things if one.kind == "plan" and one.status == "active"]
    if not running or _STAYS.search(clause.words):
        return None
    own = clause.words if _ENDED.search(clause.words) or _RESTS.search(clause.words) else said
    if not (_ENDED.search(own) or _RESTS.search(own)):
        return None
    return "claimed", f"{running[0].name} runs on", "the text says that all plans ended or rest"


_GROUND = re.compile(
    r"\b(?:ground|grind|gemahlen|mahlgrad|moulu\w{0,2}|mouture|molid\w{1,2}|molienda|gemalen|maling)\b"
)


def _another_ground(case: Case, clause: Clause, text: str) -> Wrong | None:
    """Return the contradiction if another plan than the one that was changed is said to be ground."""
    done = {one.subject for one in case.new_deeds if one.kind == "plan_change"}
    if not done or _GROUND.search(clause.words) is None or is_negated(clause, len(clause.words)):
        return None
    plans = [one for one in case.things if one.kind == "plan"]
    changed = {one.name for one in plans if one.id in done}
    named = [one for one, _, _ in named_in(plans, text[clause.start : clause.end])]
    if not named or _STAYS.search(clause.words) or PAST.search(clause.words):
        return None
    if any(one.id in done or one.name in changed for one in named) or any(one.status != "active" for one in named):
        return None
    return "subject", f"{', '.join(sorted(changed))} was changed", f"the text says {named[0].name!r}"


_LAST = re.compile(
    r"\b(?:one (?:last|final|more)|a (?:last|final)|eine letzte|noch eine|une derniere?|un dernier|encore une?"
    r"|una ultima"
    r"|un ultimo|una mas|een laatste|nog een|nog een laatste)\s(?:\w+\s)?(?:bag|delivery|box|parcel|order|charge"
    r"|renewal|tüte"
    r"|lieferung|abbuchung|sendung|sachet|livraison|envoi|colis|bolsa|entrega|envio|zak|levering|zending|pakket)\b"
)


def _one_last(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if one more delivery is announced of a plan that has ended now."""
    ended = any(one.kind == "cancellation" and one.to.get("at") == "now" for one in case.new_deeds)
    found = _stated_later(clause, _LAST) if ended else None
    if found is None:
        return None
    running = [one for one in case.things if one.kind == "plan" and one.status != "cancelled"]
    known = {day for one in running for day in one.days} | {one.due for one in case.parcels}
    ahead = [day for one in sentence for days in days_in(case, one) for day in days if day > case.today[:10]]
    if not ahead or any(is_beside(day, other) for day in ahead for other in known - {""}):
        return None
    return "state", "the plan has ended", f"the text says {found[0]!r}"


def _stated_later(clause: Clause, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """Return the words of a pattern that a clause does not deny; it may be about what is to come."""
    found = pattern.search(clause.words)
    return None if found is None or is_negated(clause, found.end(), [found.span()]) else found


# --- warranty


_ANEW = re.compile(
    r"\b(?:from today|starting today|as of today|starts? (?:again|anew|over|fresh)|ab heute|von heute an"
    r"|beginnt (?:neu|erneut"
    r"|von vorne?)|a partir d'aujourd'hui|des aujourd'hui|repart de zero|a partir de hoy|desde hoy|empieza de nuevo"
    r"|vanaf vandaag|begint (?:opnieuw|weer))\b"
)
_WARRANTY = re.compile(r"\b(?:warranty|guarantee|garantie|gewährleistung|garantia)\b")


def _warranty_anew(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if a warranty is said to begin today: it goes on with the old machine's days."""
    plain = clause.words.replace("xday", "today") if _today_named(case, clause) else clause.words
    anew = _ANEW.search(plain) or _FROM_XDAY.search(clause.words)
    if anew is None or _WARRANTY.search(clause.words) is None or is_negated(clause, len(clause.words)):
        return None
    if anew[0].endswith("xday") and not _today_named(case, clause):
        return None
    ends = {day for one in case.things if one.kind == "machine" for day in one.days}
    if not ends or any(one.kind == "order" for one in case.new_deeds):
        return None
    return "state", f"a warranty until {', '.join(sorted(ends))}", f"the text says {anew[0]!r}"


_FROM_XDAY = re.compile(r"\b(?:from|starting|as of|ab|von|a partir de?|des|desde|vanaf) ?'?xday\b")


def _today_named(case: Case, clause: Clause) -> bool:
    return any(one.kind == "day" and case.today[:10] in one.readings for one in clause.values)


# --- money


_STORE = re.compile(
    r"\b(?:(?:to|onto|into) your (?:store|shop) (?:balance|credit|account)|as (?:a )?(?:store|shop) credit"
    r"|(?:auf|als) (?:ihr |dein )?(?:shop|laden)?guthaben|(?:en|sous forme d'|comme) ?(?:un )?(?:avoir|bon d'achat"
    r"|credit boutique)|a (?:su|tu) saldo(?: de la tienda)?|como (?:credito|saldo)|en (?:credito"
    r"|saldo)(?: de la tienda)?"
    r"|(?:op|als) (?:je |uw )?(?:winkel|shop)?tegoed)\b"
)


def _to_the_store(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if an amount that went to a card is said to have become store credit."""
    found = _stated(clause, _STORE)
    if found is None or case.private != Grounds():
        return None
    cents = {int(v.value) for one in sentence for v in one.values if v.kind in {"amount", "number"}}
    paid = [one for one in case.deeds if one.stands and one.kind in _MONEY and one.cents in cents]
    earlier = [one for one in case.payments if one.cents in cents and one.status != "failed"]
    where = {"store_credit" if one.kind == "credit" else one.destination for one in paid}
    where |= {one.destination for one in earlier}
    if where != {"original_payment"} or _CHOICE.search(" ".join(one.words for one in sentence)):
        return None
    return "destination", "money to the original payment", f"the text says {found[0]!r}"


_CHOICE = re.compile(
    r"\b(?:instead of|rather than|or|statt|anstatt|oder|au lieu|plutot|ou|en vez|en lugar|o|in plaats|of|can|could"
    r"|kann|können"
    r"|peut|pouvons|puede|podemos|kan|kunnen|offered|angeboten|propose\w*|ofreci\w*|aangeboden)\b"
)
_TRANSFER = re.compile(
    r"\b(?:the (?:bank )?transfer (?:has|was|is) (?:\w+ )?(?:left|gone|sent|made|on its way|out)"
    r"|die überweisung (?:ist|wurde) (?:\S+ ){0,3}?(?:raus|unterwegs|ausgeführt|veranlasst|getätigt)"
    r"|le virement (?:est|a ete) (?:\w+ )?(?:parti|fait|effectue|lance|envoye)"
    r"|la transferencia (?:ha|esta|fue|se ha) (?:\w+ )?(?:salido|enviada|hecha|hecho|realizada|realizado|en camino)"
    r"|de overschrijving is (?:\S+ ){0,3}?(?:vertrokken|gedaan|uitgevoerd|onderweg))\b"
)


def _transfer(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if a transfer is said to have left, and no money was paid."""
    paid = case.payments or any(one.kind in _MONEY for one in case.new_deeds)
    found = None if paid else _stated(clause, _TRANSFER)
    if found is None:
        return None
    return "claimed", "the records show no payment", f"the text says {found[0]!r}"


_DONE = re.compile(
    r"\b(?:refund\w*|erstatt\w*|rückerstatt\w*|gutschrift|rembours\w*|reembols\w*|terugbetaling|terugbetaald"
    r"|teruggestort)\b"
)
_ALREADY = re.compile(r"\b(?:already|bereits|schon|deja|ya|al|reeds)\b")
_MADE = re.compile(
    r"\b(?:was|were|has been|have been|went|wurde\w*|ist|sind|ging\w*|a ete|ont ete|est|fue|fueron|se ha|se han|is"
    r"|zijn|werd\w*)\b"
)


def _paid_on(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if a refund of today is said to have been made on a weekday before."""
    days = [one for one in clause.values if one.kind == "day" and len(one.readings) > 1]
    if len(days) != 1 or not (
        _DONE.search(clause.words) and _MADE.search(clause.words) and _ALREADY.search(clause.words)
    ):
        return None
    cents = {int(one.value) for one in clause.values if one.kind in {"amount", "number"}}
    paid = [one for one in case.deeds if one.stands and one.kind in _MONEY and one.day]
    meant = [one for one in paid if one.cents in cents] if cents else [one for one in paid if one in case.new_deeds]
    if not meant or _PROMISED.search(clause.words) or is_negated(clause, len(clause.words)) or case.day is None:
        return None
    last = {day for day in days[0].readings if day <= case.today[:10]}
    near = {(case.day.fromisoformat(day) + timedelta(days=n)).isoformat() for day in last for n in (-1, 0, 1)}
    if any(one.day in near for one in meant):
        return None
    return "earlier", f"a payment of {meant[0].day}", f"the text says {min(last)}"


_PROMISED = re.compile(
    r"\b(?:promised|should|due|versprochen|zugesagt|sollte|promis|aurait|devait|prometi\w*|debia|beloofd|had moeten"
    r"|zou)\b"
)
_NEW_ONE = re.compile(
    r"\b(?:a new|eine? neue[rs]?|une nouvelle|un nouveau|una nueva|un nuevo"
    r"|een nieuwe?) (?P<noun>[\w-]+)(?: [\w-]+){0,3}? "
    r"(?:is|ist|est|esta|va|are) (?:already |bereits |schon |deja |ya |al |now )?(?:on its way|on the way"
    r"|in the post|coming"
    r"|unterwegs|auf dem weg|en route|en chemin|en camino|de camino|onderweg)\b"
)
_NO_GOODS = re.compile(
    r"^(?:plan|card|price|day|address|label|renewal|refund|credit|bag|mail|e-?mail|message|invoice|link|abo|karte"
    r"|adresse|etikett"
    r"|rechnung|nachricht|carte|etiquette|facture|message|formule|tarjeta|direccion|etiqueta|factura|mensaje|kaart"
    r"|adres|factuur"
    r"|bericht|one|delivery|lieferung|livraison|entrega|levering)$"
)


def _new_one(case: Case, clause: Clause) -> Wrong | None:
    """Return the contradiction if something new is said to be on its way, and nothing is."""
    found = _stated(clause, _NEW_ONE)
    if found is None or _NO_GOODS.match(found["noun"]) or case.private != Grounds() or case.expected & GOODS:
        return None
    goods = [good for one in case.things if one.moves(case.today) for good in one.goods]
    goods += [good for one in case.parcels if one.status in {"waiting", "moving"} for good in one.goods]
    if any(found["noun"] in good for good in goods) or any(
        one.status in {"waiting", "moving"} and not one.goods for one in case.parcels
    ):
        return None
    if any(one.kind in {*GOODS, "order", "subscription", "resumption"} for one in case.new_deeds):
        return None
    return "claimed", "nothing was sent", f"the text says {found[0]!r}"


_PUT_IN = re.compile(
    r"\b(?:added|put|slipped|packed|popped)\b(?: \S+){1,8}? (?:to|in|into|inside) (?:the|your"
    r"|same) (?:same )?(?:parcel|box"
    r"|package)\b|\b(?:in (?:das|ihr) paket|mit ins paket)\b(?: \S+){0,3}? gelegt\b|\b(?:dazugelegt|beigelegt)\b"
    r"|\b(?:ajoute|glisse|mis)\b(?: \S+){1,8}? (?:au|dans le) colis\b"
    r"|\b(?:anadido|puesto|metido|incluido)\b(?: \S+){1,8}? (?:al|en el) paquete\b"
    r"|\b(?:aan het pakket toegevoegd|in het pakket gedaan|bijgedaan|bijgevoegd)\b"
)


def _put_in(case: Case, clause: Clause, text: str) -> Wrong | None:
    """Return the contradiction if goods are said to be in a parcel of this moment that does not hold them."""
    new = [one for one in case.new_deeds if one.kind in GOODS]
    found = _stated(clause, _PUT_IN) if new else None
    if found is None:
        return None
    held = set().union(*(contents_of(case, one) for one in new))
    held |= {
        kind for one in case.parcels if one.made >= case.today[:10] for good in one.goods for kind in kinds_of(good)
    }
    wrong = [one for one in mentions_of(case, clause, text) if not one.kinds & held]
    return ("claimed", "a parcel without it", f"the text says {wrong[0].said!r}") if wrong else None


_COMES_BACK = re.compile(
    r"\b(?:(?:is|are) (?:also )?(?:coming|going|on (?:its|their) way) back to you|(?:kommt|gehen|geht"
    r"|kommen) (?:\S+ ){0,4}?an sie"
    r" zurück|vous (?:revient|reviennent|est rendue?|sera rendue?)|(?:le|se le) (?:vuelve|devolvemos|devuelve)"
    r"|(?:komt|gaat) (?:\S+ ){0,4}?naar (?:je|u) terug)\b"
)
_DEPOSIT = re.compile(
    r"\b(?:deposit|money|amount|payment|kaution|pfand|geld|betrag|caution|depot|argent|montant|fianza|deposito"
    r"|importe|dinero"
    r"|borg|waarborg\w*|bedrag)\b"
)


def _of_another(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if the money of an order is said to come back, and nothing was paid for it."""
    found = _stated(clause, _COMES_BACK)
    before = [one for one in sentence if one.start <= clause.start]
    if found is None or not any(_DEPOSIT.search(one.words) for one in before):
        return None
    named = {value.value for one in before for value in one.values if value.kind == "record"}
    orders = [one for one in case.things if one.kind == "order" and named & set(one.numbers)]
    kinds = {*_MONEY, "cancellation", "label"}
    done = {name for one in case.deeds if one.stands and one.kind in kinds for name in (one.subject, *one.names)}
    if len(orders) != 1 or done & {orders[0].id, *orders[0].numbers} or case.expected & _MONEY:
        return None
    return "subject", f"nothing was paid back for {orders[0].numbers[0]}", f"the text says {found[0]!r}"


_BACK = re.compile(
    r"\b(?:on its way back to your|back on your|goes back to your|going back to your|zurück auf ihrer?|zurück auf ihre"
    r"|de retour sur votre|repart vers votre|de vuelta a su|vuelve a su|terug naar (?:je|uw)|terug op (?:je"
    r"|uw)) (?:\w+ )?"
    r"(?:card|karte|carte|tarjeta|kaart|visa|mastercard|xcard)\b"
)


def _deducted(case: Case, clause: Clause, sentence: Sequence[Clause]) -> Wrong | None:
    """Return the contradiction if an amount is said to go back to a card, and no money was ever paid back."""
    found = None if case.payments else _stated(clause, _BACK)
    if found is None or case.private != Grounds() or case.payments or case.expected & _MONEY:
        return None
    cents = {int(v.value) for one in sentence for v in one.values if v.kind in {"amount", "number"}}
    if not cents or any(one.kind in _MONEY for one in case.deeds):
        return None
    return "claimed", "the records show no refund", f"the text says {found[0]!r}"
