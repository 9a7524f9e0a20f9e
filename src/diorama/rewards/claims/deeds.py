"""Claims of deeds in clauses: which of the nine kinds a text says were done, are promised, or were not done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.goods_told import AGAIN, may_tell, without_other_meanings, without_requests
from diorama.rewards.claims.lexicon import LANGUAGES, Frame, Language, alternatives, words
from diorama.rewards.claims.lexicon.lists import needed_by, said_in
from diorama.rewards.claims.missed import is_missed
from diorama.rewards.claims.negation import is_negated, is_stated
from diorama.rewards.claims.one_of_them import repaid
from diorama.rewards.claims.relations import (
    changes_contact,
    is_asserted,
    is_own_act,
    moves_money,
    redirects,
    roots_of,
    sends_new,
)

NINE = (
    "refund", "credit", "cancellation", "pause", "address_change", "replacement_machine", "part", "reshipment", "label",
)  # fmt: skip
"""The kinds of deeds whose claims are read."""


class Claim(msgspec.Struct, frozen=True, gc=False):
    """One deed that a clause says was done or will be done (`says`), or was not or will not be done."""

    kind: str
    says: bool
    factual: bool
    """A statement about what happened, not a refusal or an intention."""
    limited: bool
    """The clause has a word that limits a denial, such as `another` or `yet`."""
    clause: Clause
    implied: bool = False
    """A denial by words that do not name the deed itself."""
    retracts: bool = False
    """A denial by words that say that a deed failed or was taken back."""
    said: str = ""
    """The words by which it was recognised."""


_COVERS = {
    "goods": {"replacement_machine", "part", "reshipment", "label"},
    "extra": {"credit"},
    "goes": {"address_change"},
    "money": {"refund", "credit"},
}
"""A general kind is not claimed where a special one is: a new parcel is a reshipment, a gift card is credit."""
REPEATS = frozenset({"reshipment", "credit"})
"""Deeds whose own words also limit denials of others: `again` and `second`, `store credit`."""


_UNSEEN = frozenset({"extra", "arrival"})
"""Kinds that no row can show, so that a verdict names the words."""


def _fits(frame: Frame, clause: Clause, language: Language) -> list[tuple[int, int]] | None:
    """Return where the words of a frame are if all of them are in the clause."""
    text = clause.words
    verb = words(frame.verb).search(text)
    if verb is None:
        return None
    spans = [verb.span()]
    for need in frame.needs:
        found = words(need).search(text)
        if found is None:
            return None
        spans.append(found.span())
    if frame.without and words(frame.without).search(text):
        return None
    if frame.weak and (not words(language.aux).search(text) or words(language.wish).search(text)):
        return None
    return spans


def _limited(frame: Frame, clause: Clause, language: Language, own: list[tuple[int, int]]) -> bool:
    """Check for a word that limits a denial; of some deeds the words of the frame itself do not count."""
    found = (one.span() for one in words(language.limiting).finditer(clause.words))
    if frame.kind not in REPEATS:
        return any(True for _ in found)
    return any(not any(first <= start and end <= last for first, last in own) for start, end in found)


def claims_of(clause: Clause) -> Iterator[Claim]:
    """Yield the deeds that one clause claims or denies."""
    if clause.conditional or clause.question or is_own_act(clause):
        return
    if words(LANGUAGES[clause.language].distant).search(clause.words):
        return
    seen: set[str] = set()
    for claim in _framed(clause):
        seen.add(claim.kind)
        yield claim
    yield from _related(clause, seen)


def _related(clause: Clause, seen: AbstractSet[str]) -> Iterator[Claim]:
    """Yield the deeds that follow from the values of a clause, where no frame has found one of their kind."""
    if not seen & {"refund", "credit", "money", "extra"} and (span := moves_money(clause)):
        if is_asserted(clause, *span):
            yield Claim("money", True, is_stated(clause, [span]), False, clause)
        elif any(one.kind == "record" for one in clause.values) and is_negated(clause, span[1]):
            yield Claim("money", False, True, _limited_by(clause), clause)
    if "address_change" not in seen and (span := redirects(clause)) and is_asserted(clause, *span):
        yield Claim("address_change", True, is_stated(clause, [span]), False, clause)
    changed = changes_contact(clause)
    if changed and is_stated(clause, [changed[1]]) and is_asserted(clause, *changed[1]):
        yield Claim(changed[0], True, True, False, clause)
    if not seen & {"goods", *_COVERS["goods"]} and (span := sends_new(clause)) and is_asserted(clause, *span):
        yield Claim("goods", True, is_stated(clause, [span]), False, clause)


def _limited_by(clause: Clause) -> bool:
    return words(LANGUAGES[clause.language].limiting).search(clause.words) is not None


def _framed(clause: Clause) -> Iterator[Claim]:
    """Yield the deeds whose frames fit a clause."""
    language = LANGUAGES[clause.language]
    frames = _candidates(clause)
    if not frames:
        return
    plain = words(language.saying).sub(_blank, clause.words)
    exempt = bool(words(language.exempt).search(plain))
    rules = [one.span() for one in words(language.general).finditer(clause.words)]
    failed = bool(words(language.failed).search(_CHARGE_UNDONE.sub(_blank, clause.words)))
    past = bool(words(language.so_far).search(clause.words))
    seen: set[str] = set()
    denied: set[str] = set()
    paid = _MONEY_LEADS.match(clause.words) is not None and _is_money(clause) and not _GOODS.search(clause.words)
    for frame in frames:
        if paid and frame.kind in _COVERS["goods"] | {"goods"}:
            continue
        spans = None if not frame.denies and frame.kind in seen else _fits(frame, clause, language)
        if spans is None or (not frame.denies and seen & _COVERS.get(frame.kind, set())):
            continue
        stated = not frame.weak and is_stated(clause, spans)
        if clause.depends and not (stated or words(language.finished).search(clause.words)):
            continue
        if frame.retracts and past:
            continue
        if frame.denies and (frame.kind in denied or (frame.kind in seen and not frame.retracts)):
            continue
        if frame.denies:
            denied.add(frame.kind)
            yield Claim(frame.kind, False, True, False, clause, implied=not frame.retracts, retracts=frame.retracts)
            continue
        seen.add(frame.kind)
        general = any(not any(first <= start and end <= last for first, last in spans) for start, end in rules)
        own = spans if _negates(frame, clause.language) else ()
        negated = failed or is_negated(clause, max(end for _, end in spans), own)
        if (exempt or general) and not (negated or stated):
            continue
        claim = Claim(
            frame.kind,
            says=not negated,
            factual=failed or stated or not (exempt or frame.weak),
            limited=general or past or _limited(frame, clause, language, spans),
            clause=clause,
            said=_words_at(clause, spans) if frame.kind in _UNSEEN else "",
        )
        if negated and claim.factual and not claim.limited:
            denied.add(frame.kind)
        yield claim


_CHARGE_UNDONE = re.compile(
    r"\b(?:doppelte\w?|zweite\w?) (?:ab)?(?:buchung|belastung|zahlung)\b(?:\s\S+){0,5}?\s(?:rückgängig"
    r"|zurückgenommen)\b"
    r"|\b(?:dubbele|tweede) (?:afschrijving|betaling|incasso|boeking)\b(?:\s\S+){0,5}?\s(?:teruggedraaid|ongedaan)\b"
    r"|\b(?:double|duplicate|second|extra) (?:charge|payment|booking)\b(?:\s\S+){0,5}?\s(?:reversed|undone|voided)\b"
    r"|\b(?:reversed|undone|voided) (?:the |your |that )?(?:double|duplicate|second|extra) (?:charge|payment"
    r"|booking)\b"
    r"|\bannulee? (?:le |la |ce )?(?:double|deuxieme|second) (?:debit|prelevement|paiement)\b"
    r"|\b(?:anulado|revertido) (?:el |ese )?(?:cobro|cargo|pago) (?:duplicado|doble)\b"
)
"""A double charge that was taken back is a refund, and not a deed that failed."""


def _words_at(clause: Clause, spans: Iterable[tuple[int, int]]) -> str:
    """Return the words of a frame as they stand in a clause, with its values."""
    text, values = clause.words, list(clause.values)
    masks = {found.start(): place for place, found in enumerate(_MASK.finditer(text))}

    def value_at(found: re.Match[str]) -> str:
        place = masks.get(found.start(), len(values))
        return values[place].value if place < len(values) and len(masks) == len(values) else "..."

    parts: dict[str, None] = {}
    for start, end in sorted(spans):
        said = "".join(
            value_at(found) if (found := _MASK.match(text, one.start())) else one[0]
            for one in re.finditer(r"\w+|\W+", text[:end])
            if one.start() >= start
        )
        parts[" ".join(said.split())] = None
    return " ... ".join(one for one in parts if one)


_MASK = re.compile(
    r"\bx(?:amount|number|percent|date|day|time|record|machine|part|product|street|postcode|card|email|phone)\b"
)


def _candidates(clause: Clause) -> list[Frame]:
    """Return the frames whose verb may stand in a clause, in their order."""
    by_word, every = _index(clause.language)
    found = every.union(*(by_word[one] for one in by_word.keys() & said_in(clause.words)))
    frames = LANGUAGES[clause.language].frames
    return [frames[place] for place in sorted(found)]


@lru_cache(maxsize=len(LANGUAGES))
def _index(name: str) -> tuple[dict[str, frozenset[int]], frozenset[int]]:
    """Return the places of the frames by the words that their verbs need, and those to try always."""
    found: dict[str, set[int]] = {}
    for place, frame in enumerate(LANGUAGES[name].frames):
        for one in alternatives(frame.verb):
            found.setdefault(needed_by(one), set()).add(place)
    every = frozenset(found.pop("", ()))
    return {word: frozenset(places) for word, places in found.items()}, every


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


@lru_cache(maxsize=1024)
def _negates(frame: Frame, language: str) -> bool:
    """Check whether the words of a frame have a negation of their own: `no longer exists`."""
    return any(words(LANGUAGES[language].negation).search(fold(one)) for one in (frame.verb, *frame.needs))


def read_claims(clauses: Iterable[Clause]) -> list[Claim]:
    """Return the claims of a text, in order."""
    found: list[Claim] = []
    before: list[Clause] = []
    lead: Clause | None = None
    for clause in clauses:
        lead = lead if lead is not None and lead.sentence == clause.sentence else clause
        paid = _money_moves(clause) or (lead is not clause and _is_money_of(lead, clause))
        here = [one for one in claims_of(clause) if not (paid and one.kind in _COVERS["goods"] | {"goods"})]
        if not any(one.kind == "refund" for one in here) and repaid(clause, before):
            here.append(Claim("refund", True, factual=True, limited=False, clause=clause))
        found += here
        before = [*before[1 - REMEMBERED :], clause]
    return found


REMEMBERED = 6
"""How many clauses back a payment may be named that a pronoun means."""


def _is_money_of(lead: Clause, clause: Clause) -> bool:
    """Check whether what a clause sends to a card is the amount that its sentence begins with."""
    return (
        (_MONEY_LEADS.match(lead.words) or _MONEY_NOUN.search(lead.words)) is not None
        and len(lead.words.split()) <= LONGEST_LEAD
        and words(roots_of(clause).card).search(clause.words) is not None
        and _GOODS.search(clause.words) is None
    )


def _money_moves(clause: Clause) -> bool:
    """Check whether what a clause sends is money: `la somme repartira vers votre carte`, `I added another 8.50 EUR`."""
    if _GOODS.search(clause.words):
        return False
    if _ONE_MORE.search(clause.words):
        return True
    lead = " ".join(clause.words.split()[:LONGEST_LEAD])
    if _MONEY_NOUN.search(lead) is None:
        return False
    return words(roots_of(clause).card).search(clause.words) is not None or _MONEY_GOES.match(clause.words) is not None


_MONEY_GOES = re.compile(
    r"\W*(?:(?:the|your|all the|that|die|der|das|ihr\w*|dein\w*|dieser?|la|le|l'|votre|vos|ton|cette|el|su|tu|los"
    r"|het|de"
    r"|je|uw|dat|den)\s?){0,2}"
    r"(?:money|sum|amount|deposit|geld|betrag|summe|kaution|pfand|argent|somme|montant|caution|dinero|importe|suma"
    r"|fianza"
    r"|bedrag|som|borg)\s(?:\w+\s){0,2}?(?:is|was|has|have|went|left|ist|wurde|ging|geht|hat|est|a|sont|sera|part"
    r"|repart"
    r"|esta|ha|salio|sale|fue|gaat|heeft|werd)\b"
)
"""Money as the subject of a clause: what leaves is not a parcel."""


_ONE_MORE = re.compile(r"\b(?:another|a further|an extra|weitere|noch|encore|autres|otros|nog eens|nog) xamount\b")
LONGEST_LEAD = 4
"""How many words a clause has that is only the subject of its sentence: `les 269,00 $`."""
_GOODS = re.compile(r"\b(?:parcel|package|paket|colis|paquete|pakket|pakje|box|carton|xpart|xmachine|xproduct)\b")


_ELIDED = re.compile(r"\W*(?:just )?(?:\w{3,}ed|sent|done|put|gestorniert|erledigt|geschickt|gek\w+digt|pausiert)\b")
"""A clause without a subject that begins with what was done: `paused the plan for you`."""


def _telling(kind: str, clause: Clause) -> str | None:
    """Return the words that tell a deed of this kind; goods are told by any word of sending."""
    own = LANGUAGES[clause.language].tells.get(kind)
    if kind == "reshipment":
        own = f"{own} | {AGAIN}"
    return f"{own} | {roots_of(clause).sends}" if own and kind in _COVERS["goods"] - {"label"} else own


_OLD_PARCEL = words(
    "was lost | is lost | got lost | been lost | went missing | gone missing | says shipped | still says "
    "| still shows"
    " | never arrived | verloren gegangen | ging verloren | verschollen | a été perdu | s'est perdu | est perdu"
    " | été égaré | se perdió | se ha perdido | se extravió | extraviado | is kwijt | is zoek | verloren gegaan"
)
"""A clause that says what became of the first parcel does not tell that another was sent."""


_MONTHS = "jan|feb|mar|mär|apr|may|mai|mei|maa|mrt|jun|jul|jui|aug|aou|ago|sep|oct|okt|nov|dec|dez|dic|ene|abr|fev|avr"
_SENT_BEFORE = re.compile(
    r"\b(?:we|i) (?:had |have |already )?(?:sent|posted|shipped|mailed) (?:you |out |to you )?"
    rf"(?:back )?(?:in (?:{_MONTHS})\w*|last \w+)"
    rf"|\b(?:das|die|der|den) (?:wir|ich) (?:ihnen |dir )?(?:im|letzten) (?:{_MONTHS})?\w* "
    r"(?:zu|ab|ver)?(?:geschickt|gesandt|gesendet|schickt)\w*"
    rf"|\bque (?:nous|je) (?:vous |t')?(?:avons|avions|ai) (?:deja )?(?:envoye|expedie)\w* en (?:{_MONTHS})\w*"
    rf"|\bque (?:le |te |les |os )?(?:mandamos|enviamos|mande|envie|habiamos \w+|hemos \w+) en (?:{_MONTHS})\w*"
    rf"|\bdie (?:we|wij|ik) (?:je |u )?in (?:{_MONTHS})\w* (?:stuurden|stuurde|hebben gestuurd|verstuurden)"
    r"|\b(?:new|neue|neuen|nouvelle|nueva|nieuwe) (?:address|adresse|anschrift|direccion|adres)\b"
)
"""What was sent in an earlier month, as in `the part that we sent you in January`, and the customer's new address."""


def _now_sent(text: str) -> str:
    """Return the words of a clause without requests, what was sent in an earlier month, and the new address."""
    return without_requests(_SENT_BEFORE.sub(_blank, text))


_POINTS = words(
    "points to | point to | sounds like | suggests | means that | deutet auf | liegt an | spricht für | indique"
    " | fait penser | apunta a | indica | suena a | wijst op | duidt op | klinkt als"
)
"""A clause that says what the fault is does not tell that something was sent."""


def _is_money(clause: Clause) -> bool:
    """Check whether what is on its way is money: `108.00 CAD is on its way back to your card`."""
    paid = any(one.kind in {"amount", "number"} for one in clause.values)
    return paid and words(roots_of(clause).card).search(clause.words) is not None


_MONEY_LEADS = re.compile(
    r"\W*(?:(?:so|and|und|also|et|donc|y|en|dus)\s)?(?:(?:the|your|these|die|der|ihre|les|vos|ces|los|sus|de|je"
    r"|uw)\s)?"
    r"(?:(?:full|whole|ganzen?|volle?n?) )?xamount\b"
)
"""A clause whose subject is an amount, and that names no goods: `les 269,00 $ repartent sur la carte`."""
_MONEY_NOUN = re.compile(
    r"\b(?:deposits?|money|amounts?|sums?|payments?|funds|kaution(?:en)?|geld|betrag|beträge|zahlung(?:en)?|summe"
    r"|depots?|cautions?|montants?|sommes?|argent|paiements?|fianzas?|depositos?|importes?|dinero|pagos?"
    r"|borgsom(?:men)?|waarborg(?:som)?|bedrag(?:en)?|betaling(?:en)?)\b"
)
"""Nouns for money that begin a sentence: `vos deux dépôts, ..., repartent sur la carte`."""


def claims_to_tell(kind: str, claims: Iterable[Claim]) -> bool:
    """Check whether one of the claims says that a deed of this kind was done, and not what became of the last one."""
    return any(
        one.kind == kind and one.says and not _is_only_of_the_first(one.clause) and not _is_only_missed(one.clause)
        for one in claims
    )


def _is_only_missed(clause: Clause) -> bool:
    """Check whether a clause states an amount that should have been paid earlier, which does not tell that it was."""
    return any(one.kind == "amount" for one in clause.values) and is_missed(clause.words, clause.language)


def _is_only_of_the_first(clause: Clause) -> bool:
    """Check whether a clause says what became of the first parcel, and nothing stated follows."""
    found = _OLD_PARCEL.search(clause.words)
    if found is None:
        return False
    link = re.search(rf"\b{LANGUAGES[clause.language].link}\b", clause.words[found.end() :])
    rest = clause.words[found.end() + link.end() :] if link else ""
    return not rest or (
        words(LANGUAGES[clause.language].perfect).search(rest) is None and _ANOTHER.search(rest) is None
    )


_ANOTHER = re.compile(
    r"\b(?:new|another|second|replacement|again|neue[nrs]?|zweite[nrs]?|ersatz\w*|erneut|nochmals?|nouve\w+"
    r"|autre|repart\w*|otr[oa]"
    r"|nuev[oa]|de nuevo|nieuwe?|ander|opnieuw|tweede)\b"
)
"""Words for the parcel that is sent instead."""


def tells(kind: str, clauses: Sequence[Clause]) -> bool:
    """Check whether a deed of this kind is told in any words that name it: not denied, and not under a condition."""
    found = [clause for clause in clauses if _tells_in(kind, clause)]
    if found and kind in _COVERS["goods"] - {"label"}:
        return any(
            may_tell(kind, " ".join(one.words for one in clauses if one.sentence == place))
            for place in dict.fromkeys(one.sentence for one in found)
        )
    if not found or kind not in _NEEDED:
        return bool(found)
    needed = {one.sentence for one in clauses if _NEEDED[kind].search(one.words) or _has_money(kind, one)}
    return any(one.sentence in needed for one in found)


def _tells_in(kind: str, clause: Clause) -> bool:
    pattern = _telling(kind, clause)
    if pattern is None or clause.conditional or clause.question or _is_only_missed(clause):
        return False
    parcel = kind in _COVERS["goods"] - {"label"}
    if parcel and (_is_only_of_the_first(clause) or _POINTS.search(clause.words) or _is_money(clause)):
        return False
    text = _after_the_first(_now_sent(clause.words), clause) if parcel else without_other_meanings(kind, clause.words)
    if not any(
        not is_negated(clause, found.end(), [found.span()]) and not _is_only_possible(kind, clause, found)
        for found in words(pattern).finditer(text)
    ):
        return False
    return (
        not clause.depends
        or clause.apart
        or words(LANGUAGES[clause.language].finished).search(clause.words) is not None
        or _ELIDED.match(clause.words) is not None
    )


_INERT = re.compile(
    r"\b(?:get(?:ting|s)? in touch|got in touch|our slip|para|a partir|partir|(?:por|de) (?:nuestra |mi |su |tu )?parte"
    r"|saludos?|la diff?erence|una diff?erencia)\b"
)
"""Words of greeting and grammar that look like words for a deed: `saludo` like `sale`, `para` like `parado`."""


def _after_the_first(text: str, clause: Clause) -> str:
    """Return what a clause says after what became of the first parcel; the rest is blank."""
    found = _OLD_PARCEL.search(clause.words)
    return text if found is None else " " * found.end() + text[found.end() :]


_NEEDED = {
    "refund": re.compile(
        r"\b(?:refund|reimburs|repa(?:id|y)|(?:zu)?ruck?erstatt|erstatt|rückerstatt|rembours|reembols"
        r"|terug(?:betaal|gestort|geboekt"
        r"|betaling|storting|boeking)|gutschr|gutgeschr|credit)|\b(?:money|amounts?|sums?|funds|deposits?"
        r"|payments?|charges?|difference"
        r"|price|fees?|postage|geld|betrag|summe|kaution|zahlung|buchung|differenz|preis|argent|montant|somme"
        r"|caution|paiement"
        r"|debit|prix|dinero|importe|suma|fianza|pago|cobro|cargo|diferencia|precio|bedrag|borg|betaling"
        r"|afschrijving|verschil"
        r"|prijs|euros?|dollars?|it|it's|they|both|beides?|cela|tout|todo|alles)\b"
        r"|\b(?:back (?:on|onto|to) (?:your|the)|wieder auf (?:ihrer|deiner|der)|de retour sur (?:votre|ta|la)"
        r"|de vuelta en (?:su|tu|la)|(?:weer|terug) op (?:je|jouw|uw|de)) (?:\w+ )?(?:card|karte|carte|tarjeta|kaart"
        r"|creditcard|visa|mastercard|amex|xcard)\b"
    ),
    "credit": re.compile(
        r"\b(?:have|has|been|added|put|given|gave|granted|credited|turned|converted|issued|waiting|yours"
        r"|available|account|balance|use"
        r"|spend|get|receive|konto|kundenkonto|haben|hat|steht|stehen|erhalten|bekommen|gut\w*|liegt|liegen"
        r"|verfügung|compte|avez"
        r"|disposez|ajoute\w*|credite\w*|accorde\w*|verse\w*|mis|avons|recevez|cuenta|tiene\w*|dispone\w*"
        r"|abonad\w|anadid\w|dad\w"
        r"|concedid\w|puest\w|hemos|rekening|hebt|heb|heeft|staat|krijgt?|gegeven|toegekend|bijgeschreven"
        r"|gezet|gestort)\b"
    ),
    "plan_change": re.compile(
        r"chang|switch|swap|\bmov|\bset\b|instead|ground|grind|\bfrom\b|gemahlen|mahl|stell|änder|wechsel"
        r"|statt|künftig"
        r"|\bab\b|mou[lt]u|modifi|\bpass|au lieu|desormais|\bdes\b|\bpasad|a partir|molid|molienda|cambi|en lugar"
        r"|en vez|gemalen|maling"
        r"|wijzig|omgezet|overge|verander|voortaan|vanaf|in plaats|umge|zurück|\bback\b|retour|vuelto|vuelve|terug"
    ),
}
"""Words without which a sentence with weak ones, such as `back` and `card`, tells nothing of a kind."""


def _has_money(kind: str, clause: Clause) -> bool:
    return kind in {"refund", "credit"} and any(one.kind in {"amount", "number"} for one in clause.values)


_POSSIBLE = {
    "en": re.compile(
        r"\b(?:can|could|should|would|might|must|you'd|i'd|we'd|want|wants|agreed|whether|eligible|entitled)\b"
    ),
    "de": re.compile(
        r"\b(?:kann|können|könnte\w*|sollte\w*|würde\w*|wäre\w*|möchte\w*|wollen|wollte\w*|dürfte\w*|müsste\w*"
        r"|hätte\w*|vereinbart)\b"
    ),
    "fr": re.compile(
        r"\b(?:peut|peuvent|pouvez|pouvons|pourr\w+|devrai\w*|serai(?:t|ent)|aurait|aurions|voulez|souhaitez|aimeriez"
        r"|voudr\w+|convenu)\b"
    ),
    "es": re.compile(
        r"\b(?:puede\w*|podemos|podr\w+|deberia\w*|seria\w*|habria\w*|quiere\w*|desea\w*|gustaria|acordad\w)\b"
    ),
    "nl": re.compile(r"\b(?:kan|kunt|kunnen|kon|zou|zouden|wil|wilt|willen|wilde|afgesproken)\b"),
}
"""Words before a deed that is only possible, wished or agreed."""
_OPEN_KINDS = frozenset({"credit", "label"})
"""What the customer can use tells that it is there."""


_LABEL = re.compile(r"label|sticker|slip|rma|etikett|etiquet|etiket|aufkleber|marke|schein|bon\b|bordereau|pegatina")
_OPENED = re.compile(
    r"\b(?:set up|open|opened|ready|created|registered|booked|under way|arranged|attached|below|here is"
    r"|here's|angelegt|offen"
    r"|eröffnet|bereit|erstellt|angemeldet|anbei|ouvert|prete?|cree|enregistre|joint|abiert[oa]|list[oa]"
    r"|cread[oa]|registrad[oa]"
    r"|adjunt[oa]|open|klaar|aangemaakt|aangemeld|bijgevoegd|geregeld|use|benutzen|nutzen|utilisez|use"
    r"|utilice|gebruik|send it"
    r"|schicken sie|senden sie|renvoyez|envie|envielo|mandelo|stuur|please|bitte|merci de|veuillez|por favor"
    r"|graag|xrecord)\b"
)
"""Words beside which a return without its label tells that it was opened."""


def _is_only_possible(kind: str, clause: Clause, found: re.Match[str]) -> bool:
    """Check whether the words for a deed stand after a modal verb, and the clause states nothing as done."""
    language = LANGUAGES[clause.language]
    if is_stated(clause, [found.span()]):
        return False
    if kind == "label" and _LABEL.search(found[0]) is None:
        return words(language.perfect).search(clause.words) is None and _OPENED.search(clause.words) is None
    if kind in _OPEN_KINDS:
        return False
    plain = words(language.saying).sub(_blank, clause.words)
    return (
        _AT_ANY_TIME.search(plain) is not None or _POSSIBLE[clause.language].search(plain, 0, found.start()) is not None
    )


_AT_ANY_TIME = re.compile(
    r"\b(?:no problem|at any time|always possible|is possible|kein problem|jederzeit|ist möglich"
    r"|aucun probleme|pas de probleme"
    r"|a tout moment|est possible|ningun problema|sin problema|en cualquier momento|es posible|geen probleem"
    r"|te allen tijde"
    r"|is mogelijk)\b"
)
"""Words for what can be done, and was not."""


def touches(topic: str, clauses: Iterable[Clause]) -> bool:
    """Check whether a topic is mentioned."""
    return any(
        (pattern := LANGUAGES[clause.language].topics.get(topic)) is not None and words(pattern).search(clause.words)
        for clause in clauses
    )
