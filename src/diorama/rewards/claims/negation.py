"""Whether some words of a clause are denied, or stated as done."""

from __future__ import annotations

from collections.abc import Sequence

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.lexicon import LANGUAGES, words

NEAR = {"de": 40, "nl": 40, "es": 2}
NEAR_OTHERWISE = 12
"""How many characters after the words a negation still belongs to them; German and Dutch put it last, Spanish first."""
AFTER = {"de": 24, "nl": 24}
"""How many characters after a participle its auxiliary may stand."""


def is_stated(clause: Clause, spans: Sequence[tuple[int, int]]) -> bool:
    """Check whether a deed is stated as done, whatever modal verb or rule stands elsewhere in the clause.

    So it is if an auxiliary of the perfect or the past belongs to the words, and no modal to the auxiliary.
    """
    language = LANGUAGES[clause.language]
    perfect, unreal = words(language.perfect), words(language.unreal)
    start, end = min(first for first, _ in spans), max(last for _, last in spans)
    text = clause.words
    if words(language.reported).search(text, 0, end):
        return False
    if _SUBJECT.search(text, max(0, spans[0][0] - 24), spans[0][0]):
        return True
    reach = max(0, start - REACH.get(clause.language, REACH_OTHERWISE))
    for found in perfect.finditer(text, reach, max(end, min(len(text), end + AFTER.get(clause.language, 0)))):
        before = text[max(0, found.start() - 16) : found.start()]
        last = clause.language in AFTER and unreal.search(text, end, min(len(text), end + 20))
        if unreal.search(before + " ") is None and not last:
            return True
    return False


REACH = {"de": 80, "nl": 80}
REACH_OTHERWISE = 36
"""How many characters before the words their auxiliary may stand; German and Dutch put the participle last."""
_SUBJECT = re.compile(r"\b(?:i|we) (?:\w+ly |also |just |already |now |then |even |have )?$")
"""A subject right before an English past tense."""
_NOT_FALSE = re.compile(
    r"\b(?:not|never) (?:true|correct|the case|right|so) that\b|\bnicht (?:wahr|richtig|so),? dass\b|\bpas (?:vrai|exact) que\b"  # noqa: E501 - one pattern, one line
    r"|\bno es (?:cierto|verdad) que\b|\bniet (?:waar|zo|juist),? dat\b"
)


_COSTS_NOTHING = re.compile(
    r"\b(?:ne (?:vous )?(?:payez|paierez|payerez|coute|coutera) (?:absolument )?rien|ne vous en coute rien"
    r"|sans (?:frais|supplement)|(?:do not|don't|won't|will not) (?:have to |need to )?pay (?:anything|a thing)"
    r"|costs? you nothing|no (?:extra )?(?:cost|charge|fee)s?|(?:nichts|keinen cent) (?:zu )?(?:be)?zahlen"
    r"|kostet (?:sie |dich )?nichts|keine kosten|kein aufpreis|ohne (?:kosten|aufpreis)"
    r"|no (?:le |te )?(?:cuesta|costara|paga|pagara) nada|sin (?:coste|costo|cargo|gastos)"
    r"|(?:kost|betaalt|betaal) (?:u |je )?niets|geen (?:extra )?kosten|zonder (?:kosten|bijbetaling))\b"
)
"""That something costs the customer nothing denies no deed."""


_ATTRIBUTE = re.compile(
    r"\b(?:not(?: yet)? (?:shipped|sent|dispatched|delivered|opened)|nicht (?:mehr )?(?:versandte|verschickte"
    r"|versendete"
    r"|gelieferte|zugestellte|geoffnete|geöffnete|benotigte|benötigte)\w?|(?:pas encore|non) (?:expediee?|envoyee?"
    r"|livree?)"
    r"|(?:aun |todavia )?no (?:enviad[oa]|entregad[oa])|niet (?:verzonden|verstuurde?|geleverde?|bezorgde))\s"
    r"(?:orders?|parcels?|bestellung(?:en)?|sendung(?:en)?|pakete?s?|commandes?|colis|pedidos?|paquetes?"
    r"|bestelling(?:en)?"
    r"|pakket(?:ten)?|xrecord)\b"
    r"|\b(?:commandes?|colis|pedidos?|paquetes?|order|parcel) (?:xrecord )?(?:pas encore|non|aun no|todavia no|no"
    r"|not yet) (?:expediee?|envoyee?|livree?|enviad[oa]|entregad[oa]|shipped|sent)\b(?=.*\b(?:est|a ete|esta"
    r"|ha sido|is|has)\b)"
)
_WHICH = re.compile(
    r"\b(?:that|which) (?:had|has|have|was|is|were)(?:n't| not| never)(?: yet)?(?: (?:been )?\w+){1,3}?(?: yet)?"
    r"(?= (?:is|are|has|have|was|were|will)\b)"
    r"|\bqui n'(?:est|etait|avait|a) pas(?: encore)? \w+(?: \w+)?(?= (?:est|a|sera)\b)"
    r"|\bque (?:aun |todavia )?no (?:habia|ha|estaba) \w+(?= (?:esta|queda|ha|se)\b)"
)
"""What an order is called: `the order not yet shipped is cancelled` denies no cancellation."""


_COUNTERFACTUAL = re.compile(
    r"\b(?:should|ought|was|were)(?:n't| not| never)(?: \w+)? (?:to have|have|supposed|meant)\b"
    r"|\b(?:nie|nicht|niemals)(?: mehr)? hätten?\b|\bhätten? (?:\w+ ){0,4}?(?:nie|nicht|niemals)(?: mehr)?\b"
    r"|\bn'aurai\w* (?:jamais|pas) du\b|\b(?:no|nunca) (?:debio|debia|deberia|tendria que|tenia que)(?: haber)?\b"
    r"|\b(?:niet|nooit)(?: meer)? had(?:den)? (?:mogen|moeten)\b"
    r"|\bhad(?:den)? (?:\w+ ){0,3}?(?:niet|nooit)(?: meer)?(?: \w+)? (?:mogen|moeten)\b"
)
"""What should not have happened, in a clause that goes on: `the bag that should never have gone out is refunded`."""


def is_negated(clause: Clause, end: int, own: Sequence[tuple[int, int]] = ()) -> bool:
    """Check whether a negation stands before the end of some words or directly after it; two of them say yes.

    A negation inside the words themselves (`own`) does not count: `no longer exists`.
    """
    negation = words(LANGUAGES[clause.language].negation)
    text = clause.words
    reach = end + NEAR.get(clause.language, NEAR_OTHERWISE)
    found = [
        one.span()
        for one in negation.finditer(text, 0, min(len(text), reach + 12))
        if one.start() < reach
        and not any(a <= one.start() and one.end() <= b for a, b in own if b - a > one.end() - one.start())
    ]
    if found and (that := _INSTEAD_OF_THAT.match(text)):
        found = [one for one in found if one[0] >= that.end()]
    if found and (free := _COSTS_NOTHING.search(text)):
        found = [one for one in found if not free.start() <= one[0] < free.end()]
    if found and (unreal := _COUNTERFACTUAL.search(text)) and unreal.end() < end:
        found = [one for one in found if not unreal.start() <= one[0] < unreal.end()]
    if found and (part := _ATTRIBUTE.search(text)):
        found = [one for one in found if not part.start() <= one[0] < part.end()]
    if found and (which := _WHICH.search(text)) and which.end() < end:
        found = [one for one in found if not which.start() <= one[0] < which.end()]
    found = [one for one in found if not _OTHER_NUMBER.match(text, one[0])]
    found = [one for one in found if not _starts_anew(clause, one[1], end) and not _is_linked(clause, end, one[0])]
    found = [
        one
        for one in found
        if not (_INSTEAD.match(text, one[0]) and (one[0] >= end or _YOU_HAVE.search(text, one[1], end)))
    ]
    if found and (twice := _NOT_FALSE.search(text)) and found[-1][0] >= twice.end():
        return False
    return bool(found)


_INSTEAD_OF_THAT = re.compile(
    r"\W*(?:(?:so|and|und|et|y|en|dus|donc|asi que)\s)?(?:instead of (?:that|this|it|which)|(?:an)?statt ?dessen"
    r"|au lieu (?:de (?:cela|ca)|d'un remboursement)|en (?:vez|lugar) de (?:eso|ello|esto)"
    r"|in plaats (?:daarvan|van dat))\b"
)
"""A clause that begins with `instead of that` states what was done."""


_OTHER_NUMBER = re.compile(
    r"(?:not|nicht|pas|et non|no|niet) (?:the |die |der |la |le |el |de )?(?:xrecord|\d{4,8}|xnumber)\s*(?:[,;)]"
    r"|\s(?:is|are|was|were"
    r"|ist|sind|wurden?|a|est|sont|ont|ha|han|es|zijn|werd|werden)\b)"
)
"""A number that is not the right one, said in passing: `KW-23367, not 23488, is refunded`."""


_INSTEAD = re.compile(r"instead of|rather than|statt|anstatt|anstelle|au lieu|plutot que|en vez|en lugar|in plaats")
_YOU_HAVE = re.compile(
    r"\b(?:you (?:now )?(?:have|get|receive)|(?:haben|bekommen|erhalten) sie|(?:hast|bekommst|erhaltst) du"
    r"|vous (?:avez|disposez)"
    r"|(?:tiene|dispone|recibe|tienes)|(?:hebt|heb|krijg|krijgt|ontvangt) (?:u|je))\b"
)
"""What the customer has instead of something is not denied with it."""


def _is_linked(clause: Clause, end: int, negation: int) -> bool:
    """Check whether `and` stands between some words and a negation after them: `has ended and won't renew`."""
    if negation <= end:
        return False
    link = LANGUAGES[clause.language].link
    return re.search(rf"(?:^|\W){link}\W", clause.words[end:negation]) is not None


_ANEW = {
    "en": re.compile(
        r"\b(?:we|i)(?:'ve|'ll| have| had| will| cancelled| canceled| refunded| paused| stopped| booked"
        r"| ordered| sent)\b"
    ),
    "de": re.compile(r"\b(?:habe ich|haben wir)\b"),
    "fr": re.compile(r"\b(?:j'ai|nous (?:vous )?avons)\b"),
    "es": re.compile(r"\b(?:he|hemos)\b"),
    "nl": re.compile(r"\b(?:heb ik|hebben (?:we|wij))\b"),
}
"""Where a new statement begins without a comma: `as nobody knows it we have returned it`."""
_MEANS = re.compile(
    r"\b(?:that|think|believe|say|said|sure|glaub\w*|dass|crois|que|dat|denk\w*|creo|mean\w*|know if)\b"
)


def _starts_anew(clause: Clause, negated: int, end: int) -> bool:
    """Check whether a new statement begins between a negation and some words, so that it is not theirs."""
    found = _ANEW[clause.language].search(clause.words, negated, end)
    if found is None:
        return False
    between = clause.words[negated : found.start()]
    return len(between.split()) >= 2 and _MEANS.search(between) is None
