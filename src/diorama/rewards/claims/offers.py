"""Offers: what a text proposes and asks the reader about was not done, and the way in which money is paid is a rule."""

from __future__ import annotations

import re
from collections.abc import Sequence

from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import Claim
from diorama.rewards.claims.lexicon import LANGUAGES, words

AFTER = 2
"""How many sentences after an offer its question may stand."""
_ASKS_CONSENT = {
    "en": "okay | ok | all right | alright | fine | agree | agreed | agreeable | acceptable | happy with | suit | suits | "
    "shall i | shall we | should i | should we | may i | do you want | would you like | do you accept | would you accept "
    "| would that | does that work | sound good | sounds good | good for you | interested | want it | want that",
    "de": "in ordnung | okay | ok | einverstanden | passt | recht | soll ich | sollen wir | darf ich | dürfen wir | "
    "möchten sie | möchtest du | wollen sie | willst du | wären sie | würde ihnen | nehmen sie | zufrieden",
    "fr": "convient | convient-il | conviendrait | vous va | te va | va-t-il | d'accord | dois-je | devons-nous | puis-je "
    "| souhaitez-vous | voulez-vous | acceptez-vous | souhaitez | voulez | ok | interesse | ca marche",
    "es": "le parece | te parece | de acuerdo | esta bien | le va bien | te va bien | lo hago | lo hacemos | quiere | "
    "quieres | desea | acepta | aceptas | le viene | conforme | vale | ok | procedo | interesa",
    "nl": "goed | akkoord | zal ik | zullen we | zal ik dat | mag ik | wil je | wilt u | past | schikt | ok | oke | okay | "
    "vind je dat | vindt u dat | ga je | gaat u | eens | prima",
}
"""Words of a question that asks whether the reader wants what was proposed."""
_PROPOSES = {
    "en": "get | receive | give | pay | offer | grant | book | add | put | send | i refund | we refund | i'll refund | "
    "we'll refund | will refund | i credit | we credit | i'll credit | we'll credit | will credit | i cancel | we cancel | "
    "i'll cancel | we'll cancel | will cancel | replace | take",
    "de": "bekommen | bekommst | erhalten | erhältst | geben | gebe | zahlen | zahle | schreiben | schreibe | buchen | "
    "buche | erstatten | erstatte | schicken | schicke | senden | sende | stornieren | storniere | kündigen | kündige | "
    "tauschen | tausche | gibt | bieten | biete | überweisen | überweise",
    "fr": "recevez | recevrez | donnons | donne | versons | verse | accordons | accorde | créditons | crédite | offrons | "
    "remboursons | rembourse | envoyons | envoie | annulons | annule | remplaçons | remplace | payons | paie | proposons",
    "es": "damos | doy | recibe | recibirá | recibes | pagamos | pago | abonamos | abono | ofrecemos | ofrezco | "
    "reembolsamos | reembolso | devolvemos | devuelvo | enviamos | envío | cancelamos | cancelo | concedemos",
    "nl": "krijg | krijgt | ontvang | ontvangt | geven | geef | betalen | betaal | boeken | boek | storten | stort | sturen | "
    "stuur | annuleren | annuleer | vervangen | vervang | bieden | schrijven | schrijf | zetten | zet",
}
"""Verbs of the present tense with which something is proposed."""
_THE_WAY = re.compile(
    r"\b(?:we|i) (?:only |always |just |can only )?(?:pay|give|book|credit|do|hand out|grant) "
    r"(?:it|this|that|these|those|(?:the|such) (?:difference|money|amount|refunds?|share))\b(?:\s\w+){0,2} (?:as|in)\s"
    r"|\b(?:refunds|differences|price (?:drops|cuts|differences)|(?:such|these|those) (?:differences|refunds|amounts))\b"
    r"(?:\s\w+){0,5} are (?:only |always )?(?:paid|given|booked|granted|credited)(?: out)? (?:as|in)\s"
)
"""How money is paid, whatever the amount: `we pay it as store credit`."""


def without_offers(clauses: Sequence[Clause], claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims without those that a text only proposes: in the present tense, with a question about it."""
    if not claims:
        return list(claims)
    asked = [one.sentence for one in clauses if one.question and _asks_consent(one)]
    places = {one: place for place, one in enumerate(sorted({one.sentence for one in clauses}))} if asked else {}
    return [one for one in claims if not (one.says and _is_proposed(one.clause, asked, places))]


def _asks_consent(clause: Clause) -> bool:
    return words(_ASKS_CONSENT[clause.language]).search(clause.words) is not None


def _is_proposed(
    clause: Clause, asked: Sequence[tuple[int, int]], places: dict[tuple[int, int], int]
) -> bool:
    """Check whether a clause says how money is paid, or is followed by a question whether the reader wants it."""
    if words(LANGUAGES[clause.language].perfect).search(clause.words):
        return False
    if _THE_WAY.search(clause.words) and not any(one.kind in {"amount", "number"} for one in clause.values):
        return True
    here = places.get(clause.sentence)
    if here is None or not any(0 <= places[one] - here <= AFTER for one in asked if one in places):
        return False
    return words(_PROPOSES[clause.language]).search(clause.words) is not None
