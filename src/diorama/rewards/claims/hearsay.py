"""Words that tell no deed of ours: the customer's own acts and words, other times, and figures of speech."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.case import Case
from diorama.rewards.claims.clauses import Clause
from diorama.rewards.claims.deeds import Claim, read_claims
from diorama.rewards.claims.ledger import MONEY, SENDING
from diorama.rewards.claims.lexicon import LANGUAGES, words
from diorama.rewards.claims.negation import is_negated
from diorama.rewards.claims.roots import known_roots
from diorama.rewards.claims.values import MONTHS

_OURS = (
    r"(?:\s(?!we\b|i\b|i've|we've|wir\b|ich\b|nous\b|j'ai|je\b|hemos\b|he\b|wij\b|ik\b|now\b|jetzt\b|desormais"
    r"|ahora\b|nu\b)[^\s]+)*"
)
"""The rest of a clause up to a word of ours."""
_TELLING = {
    "en": (
        r"\byou(?:'d| would)? (?:like|prefer\w*|rather|love)\b|\byou(?:'ve| have) had\b|\byou(?:'ll| will"
        r"|'re going to| are going to) be\b"
        r"|\byou(?:'ve|'d| have| had| were| are)? (?:\w+ly |already |also |once |just |first |only )?"
        r"(?:thought|think|believed|wrote|write|said|say|told|asked|ask|wanted|want|wished|tried|meant|hoped|expected"
        r"|agreed|arranged|mention\w*|request\w*|paid|pay|ordered|bought|returned|changed|moved|cancell?ed"
        r"|ended|stopped|paused|assumed"
        r"|under the impression|called|phoned|complained|reported)\b"
        r"|\b(?:i|we)(?: do| really| very much|'d)? hope\b|\b(?:has|have|had|needs?|ought) to (?:stop|end|change)\b"
        r"|\bthanks? (?:you )?(?:\w+ )?for \w+ing\b"
    ),
    "de": (
        r"\b(?:sie|du) (?:bevorzugen|bevorzugst|hätten|hättest) \w+"
        r"|\b(?:sie|du|ihr) (?:dachten|dachtest|meinten|meintest|glaubten|wollten|wolltest|baten|batest"
        r"|schrieben|schriebst"
        r"|sagten|hofften|versuchten|schreiben|möchten|wünschen|fragten|fragen)\b"
        r"|\b(?:dachten|meinten|glaubten|wollten|baten|schrieben|sagten|versuchten|wünschten) (?:sie|du)\b"
        r"|\b(?:(?:sie|du|ihr) (?:haben|hatten|hätten|hast|hattest|hättest)|(?:haben|hatten|hätten|hast"
        r"|hattest) (?:sie|du))\b"
        r"(?=(?:\s\S+){0,9}?\s(?:bezahlt|gezahlt|gekündigt|beendet|pausiert|geändert|zurückgeschickt"
        r"|zurückgesandt|bestellt"
        r"|geschrieben|gebeten|gewünscht|versucht|gedacht|angerufen|umgezogen|gemeldet|storniert|zurückgegeben)\b)"
        r"|\b(?:bezahlt|gezahlt|gekündigt|bestellt|geschrieben) (?:haben|hatten|hast|hattest) (?:sie|du)\b"
        r"|\b(?:ich|wir) hoffen?\b|\bmuss (?:\w+ )?aufhören\b"
    ),
    "fr": (
        r"\b(?:vous|tu) (?:preferez|preferiez|preferes|aimeriez|souhaitez|voulez|pensiez|croyiez|vouliez"
        r"|souhaitiez|demandez|demandiez|ecrivez|dites|disiez|esperiez|pensais"
        r"|voulais|croyais)\b"
        r"|\b(?:vous|tu) (?:(?:m'|nous |l'|les |en )?(?:avez|aviez|as|avais|auriez)) (?:deja |bien |aussi )?"
        r"(?:pense|cru|voulu|demande|ecrit|dit|paye|regle|resilie|annule|arrete|renvoye|retourne|change"
        r"|commande|essaye|tente"
        r"|signale|appele|suspendu|mis fin)\w*"
        r"|\b(?:j'espere|nous esperons)\b|\bdoit (?:cesser|s'arreter)\b|\bmerci (?:d'avoir|de (?:nous )?avoir)\b"
    ),
    "es": (
        r"\b(?:usted(?:es)? |tu )?(?:prefiere\w*|preferia\w*|creia|creias|pensaba|pensabas|queria|querias"
        r"|pidio|pediste|pide|pides|escribio|escribiste"
        r"|nos escribe|dijo|dijiste|dice que|pago usted|pago(?= xamount con)|pagaste"
        r"|intento|intentaste|solicito|solicitaste"
        r"|cancelaste|pausaste"
        r"|devolviste|cambiaste|te mudaste|se mudo)\b"
        r"|\b(?:has|habias|ha|habia) (?:usted )?(?:pedido|escrito|pensado|creido|querido|intentado|solicitado)\b"
        r"|\besper(?:o|amos)\b|\btiene que (?:parar|acabar|terminar)\b|\bgracias por (?:haber )?\w+(?:ar|er"
        r"|ir|ado|ido)\b"
    ),
    "nl": (
        r"\b(?:u|je|jij) (?:hebt|heeft|heb|wilt|wil) liever\b|\b(?:u|je|jij) (?:verkiest|wilt|wil|dacht"
        r"|meende|wilde|vroeg|schreef|schrijft|zei|hoopte|probeerde|vraagt|wenste)\b"
        r"|\b(?:dacht|wilde|vroeg|schreef|probeerde) (?:u|je|jij)\b"
        r"|\b(?:(?:u|je|jij) (?:hebt|heeft|had|heb)|(?:hebt|heeft|had|heb) (?:u|je|jij))\b"
        r"(?=(?:\s\S+){0,9}?\s(?:betaald|opgezegd|stopgezet|gestopt|beeindigd|gepauzeerd|gewijzigd|veranderd"
        r"|teruggestuurd"
        r"|besteld|geschreven|gevraagd|geprobeerd|gedacht|gebeld|verhuisd|gemeld|geannuleerd)\b)"
        r"|\b(?:betaald|opgezegd|besteld|geschreven) (?:hebt|heeft|had|heb) (?:u|je|jij)\b"
        r"|\b(?:ik hoop|we hopen|wij hopen)\b|\bmoet (?:\w+ )?(?:stoppen|ophouden)\b"
    ),
}  # fmt: skip
"""What the customer said, thought, wanted or did, and what we hope."""
_CUSTOMERS = {name: re.compile(f"(?:{text}){_OURS}") for name, text in _TELLING.items()}
_RELATIVE = re.compile(
    r"(?<=xamount )you(?:'ve| have| had)? (?:paid|asked for|wanted|sent)\b|(?<=xnumber )you(?:'ve| have| had)? paid\b"
    r"|(?<=money )you(?:'ve| have| had)? (?:paid|sent)\b|(?<=plan )you(?:'d| had"
    r"| have)? (?:thought you had )?(?:ended|cancelled)\b"
    r"|(?<=\w )you(?:'ve| have| had)? (?:sent back|sent in|returned|paid for|bought|ordered)"
    r"(?=\s.*\b(?:has been|have been|was|were|is|are)\b)"
    r"|(?<!vois )(?<!note )(?<!sais )(?<!dites )(?<=\w )que (?:vous|tu) (?:nous |m')?(?:avez|aviez|as|avais) \w+"
    r"(?=\s.*\b(?:(?:a|ont) ete|sera|seront|est|sont)\b)"
    r"|(?<!veo )(?<!vemos )(?<!dice )(?<=\w )que (?:nos )?(?:ha|has|habia|habias) "
    r"(?:devuelto|pagado|enviado|comprado|pedido)"
    r"(?=\s.*\b(?:han?|se|fue|fueron|sera|seran|esta|estan)\b)"
    r"|(?<=\w )(?:die|dat) (?:u|je) (?:ons )?(?:hebt|heeft|had|heb) "
    r"(?:teruggestuurd|betaald|besteld|gekocht|opgestuurd)"
    r"(?=\s.*\b(?:is|zijn|werd|werden|wordt|worden)\b)"
)
"""A relative clause about the customer inside a statement of ours: `the 69.00 EUR you paid is going back`."""
_FIGURES = re.compile(
    r"\b(?:second|other|new|zweite\w?|andere\w?|second|deuxieme|autre|segund[oa]|otr[oa]|tweede|andere) "
    r"(?:e-?)?(?:mails?|messages?|letters?|tickets?|nachricht\w*|anfrage\w*|courriels?|mensajes?|correos?"
    r"|bericht\w*)\b|"
    r"\bfrom your (?:\w+ )?(?:card|visa|mastercard|amex|account|bank)\b|\bvon (?:ihrer|deiner) (?:karte|visa"
    r"|mastercard|kreditkarte|amex)\b"
    r"|\bde (?:su|tu) (?:tarjeta|visa|mastercard)\b|\bvan (?:je|uw) (?:kaart|visa|mastercard|rekening)\b"
    r"|\bcanada post\b|\bpostes canada\b|\b(?:be(?:en|ing)? |were |was |got |get )?cut off\b|\bhung up\b"
    r"|\b(?:call|line|conversation|phone|music|waiting|queue)\b"
    r"(?:\s\w+){0,3}?\s(?:ended|dropped|stopped|cut off|cut|dead|over|finished|closed|gone|interrupted)\b"
    r"|\b(?:anruf|gespräch|leitung|verbindung|telefonat)\b(?:\s\w+){0,3}?\s(?:abgebrochen|beendet"
    r"|unterbrochen|getrennt|zu ende|vorbei)"
    r"|\b(?:appel|ligne|communication|conversation)\b(?:\s[\w']+){0,3}?\s(?:coupee?|terminee?|interrompue?|finie?)"
    r"|\b(?:llamada|linea|conversacion|comunicacion)\b(?:\s\w+){0,3}?\s(?:cort\w+|termin\w+|interrump\w+|acab\w+)"
    r"|\b(?:cort|termin|interrump|acab)\w+ (?:la |tu |su )?(?:llamada|linea|conversacion|comunicacion)"
    r"|\b(?:gesprek|verbinding|lijn|telefoontje)\b(?:\s\w+){0,3}?\s(?:verbroken|afgebroken|beeindigd"
    r"|opgehangen|voorbij)"
    r"|\b(?:for|on) (?:my|our|your) part\b|\bin part\b|\bpart of\b|\bde (?:ma|notre|votre) part\b"
    r"|\bd'autre part\b|\bd'une part\b"
    r"|\b(?:de|por) (?:mi|nuestra|su|tu) parte\b|\b(?:your )?(?:anger|patience|wait|trouble) is (?:over|gone)\b"
    r"|\b(?:is|are|came|come|arrived|has come|got) back (?:with us|here|at our|in our|to us|since)\b"
    r"|\b(?:ist|sind) (?:\w+ ){0,3}(?:wieder|zurück) (?:bei uns|hier|da)\b|\b(?:wieder|zurück) bei uns\b"
    r"|\b(?:de retour|revenue?s?) (?:chez nous|dans|ici|depuis)\b|\b(?:de vuelta|ha vuelto"
    r"|volvio) (?:con nosotros|a nosotros|a nuestr\w+|en nuestr\w+|aqui)\b"
    r"|\bterug bij ons\b|\bweer (?:bij ons|binnen)\b"
    r"|\b(?:anything|everything|whatever|all)(?: that| else)? (?:we|i) (?:\w+ )?(?:send|ship|post|dispatch)\b"
    r"|\b(?:was|alles was) (?:wir|ich) (?:ihnen |dir )?(?:\w+ )?(?:schicken|senden|versenden|verschicken)\b"
    r"|\bce que nous (?:vous |t')?(?:envoyons|enverrons|expedions|expedierons)\b"
    r"|\blo que (?:le |te |les )?(?:enviemos|mandemos|enviamos|mandamos)\b"
    r"|\bwat (?:we|wij|ik) (?:je |u )?(?:nog )?(?:sturen|opsturen|verzenden|versturen)\b"
)
"""Figures of speech, calls that ended, and goods that came back to us."""
_NEWSLETTER = re.compile(r"\b(?:newsletters?|nieuwsbrie\w+|boletin\w*|infolettres?|mailings?)\b")
"""What is ended where it is named is not a plan."""
_CAME_BACK = re.compile(
    r"\b(?:came|come|comes|due|arrived|brought|handed|got)(?:\s\w+)? back\b|\b(?:kam|kamen|kommt"
    r"|fällig)(?:\s\S+){0,4}?\szurück\b"
    r"|\bzurückgekommen\b|\b(?:revenu|rentre)e?s?\b|\b(?:volvio|volvieron|regreso)\b"
    r"|\b(?:kwam|kwamen|komt)(?:\s\S+){0,4}?\sterug\b|\bteruggekomen\b"
)
"""Goods that came back, in a clause without an amount."""
_CHARGED = re.compile(
    r"\b(?:charged|debited|billed|taken (?:from|twice|two times)|zweimal gebucht|doppelt gebucht|abgebucht"
    r"|belastet|eingezogen|debitee?s?|prelevee?s?|cobrad[oa]s?|cobr[oa]"
    r"|se cargaron|se cobraron|cargad[oa]s?|afgeschreven|geincasseerd)\b"
)
_CARDS = re.compile(
    r"\b(?:cards?|visa|mastercard|amex|xcard|karte|kreditkarte|carte|tarjeta|kaart|creditcard|bank|konto"
    r"|compte|cuenta|rekening)\b"
)
"""The card that was charged is not one that got money."""
_NEW = re.compile(
    r"\b(?:again|once more|second time|new|replacement|another|afresh|today|now|just|resent|reshipped|re-sent"
    r"|erneut|nochmals?"
    r"|noch einmal|neue\w?|ersatz\w*|heute|jetzt|soeben|gerade|nouve\w+|neufs?|neuves?|rempla\w+|autre|encore"
    r"|aujourd'hui"
    r"|desormais|renvoy\w+"
    r"|reexpedi\w+|de nuevo|otra vez|nuev[oa]s?|reemplazo|repuesto|hoy|ahora|acab\w+|reenvi\w+|vuelto|opnieuw"
    r"|nogmaals|nieuwe?"
    r"|vervang\w+|vandaag|nu|zojuist|xday)\b"
)
"""Words for what is sent now, and not what was sent before."""
_MONTH = re.compile(
    r"\b(?:in|im|en|since|seit|depuis|desde|sinds|back in|letzten|last|vorigen|dernier|pasado|vorige|afgelopen)\s"
    r"(?:(?P<year>(?:19|20)\d\d)\b|(?P<month>[a-zäöü]{3,10}))"
)
_LAST = re.compile(
    r"\b(?:last (?:week|month|year|time|winter|summer|spring|autumn|fall)|(?:letzte[nrs]?"
    r"|vorige[nrs]?) (?:woche|monat|jahr|mal)"
    r"|(?:la semaine|l'an(?:nee)?|le mois) (?:derniere?|passee?)|(?:la semana|el mes|el ano) pasad[oa]"
    r"|(?:vorige|afgelopen) (?:week|maand|jaar))\b"
)


def without_hearsay(
    case: Case, kinds: frozenset[str], clauses: Sequence[Clause], claims: Sequence[Claim]
) -> tuple[list[Clause], list[Claim]] | None:
    """Return clauses and claims without what tells no deed of these kinds; None if nothing is left out."""
    kept: list[Clause] = []
    changed: dict[int, list[Clause]] = {}
    fulfilled = {one.sentence for one in clauses if (so := _fulfilled(one.words)) and not is_negated(one, so)}
    theirs: Clause | None = None
    before = (-1, -1)  # the last sentence that told of a charge
    for one in clauses:
        if (
            _tells_nothing(one.words, one.language)
            or _is_of_an_earlier_payment(case, kinds, one)
            or (kinds <= SENDING and _is_earlier(case, kinds, one))
        ):
            changed[one.start] = []
            continue
        if one.sentence in fulfilled:
            kept.append(one)
            continue
        goes_on = theirs is not None and theirs.sentence == one.sentence and _goes_on(one)
        charged = one.sentence == before and _is_bare(one)
        has_amount = any(value.kind in {"amount", "number"} for value in one.values)
        plain = " " if goes_on else _plain(one.words, one.language, has_amount, charged)
        before = one.sentence if _tells_of_a_charge(one.words) else before
        theirs = one if goes_on or _is_theirs(one.words, one.language) else None
        if plain == one.words:
            kept.append(one)
            continue
        rest = msgspec.structs.replace(one, words=plain)
        kept.append(rest)
        changed.setdefault(one.start, []).append(rest)
    if not changed:
        return None
    rest_claims = [one for one in claims if one.clause.start not in changed]
    return kept, [*rest_claims, *read_claims([one for rest in changed.values() for one in rest])]


_SO = re.compile(
    r"\b(?:and|so) (?:now )?(?:you have it|you(?:'ve)? got it|we did|i did|so it is|it is now|it's done)\b"
    r"|\bthat's what (?:i|we) did\b"
    r"|\bdas (?:haben sie|hast du) (?:jetzt|nun)\b|\b(?:das|es) ist (?:jetzt |nun |auch "
    r"|bereits )?(?:geschehen|erledigt|passiert)\b"
    r"|\b(?:il|elle) est la\b|\bc'est (?:maintenant |desormais )?(?:fait|chose faite)\b|\bl'est (?:maintenant"
    r"|desormais|enfin)\b"
    r"|\blo esta (?:ya|desde|ahora)\b|\by ya (?:esta|lo tiene\w*)\b|\basi (?:lo hemos|se ha) hecho\b"
    r"|\bdat is (?:nu |ook |inmiddels )?(?:gebeurd|geregeld|gedaan)\b|\b(?:en )?dat heb (?:je|u) nu\b"
)
"""Words that say that what the customer wanted is done."""


KEPT_CLAUSES = 2048
"""How many clauses are kept with what they tell: the same ones are looked at for each kind of deed."""


@lru_cache(maxsize=KEPT_CLAUSES)
def _fulfilled(said: str) -> int:
    """Return where the words end that say that what the customer wanted is done; 0 if there are none."""
    found = _SO.search(said)
    return found.end() if found is not None else 0


@lru_cache(maxsize=KEPT_CLAUSES)
def _tells_of_a_charge(said: str) -> bool:
    return _CHARGED.search(said) is not None


@lru_cache(maxsize=KEPT_CLAUSES)
def _is_theirs(said: str, language: str) -> bool:
    """Check whether the words of a clause tell what the customer said, thought, wanted or did."""
    return _CUSTOMERS[language].search(said) is not None


@lru_cache(maxsize=KEPT_CLAUSES)
def _tells_nothing(said: str, language: str) -> bool:
    """Check whether the words of a clause are about the customer's act, a newsletter, or what would suit them."""
    thanks = words(known_roots()[language].thanks).search(said)
    return thanks is not None or any(one.search(said) for one in (_NEWSLETTER, _SUITS))


_SUITS = re.compile(
    r"\b(?:would (?:suit|be fine)|suits? you|works for you|fine (?:with|for|by) you)\b"
    r"|\b(?:wäre|ist|passt) (?:ihnen|dir) (?:recht|lieber|gut)\b|\b(?:vous|te) (?:irait|conviendrait|convient)\b"
    r"|\b(?:le|te) (?:viene|vendria|va|iria) bien\b|\b(?:zou|is) (?:u|je|voor u|voor je) (?:prima"
    r"|goed uitkomen|schikken)\b"
)


def _is_of_an_earlier_payment(case: Case, kinds: frozenset[str], clause: Clause) -> bool:
    """Check whether all amounts of a clause are those of earlier payments, where another one was made now."""
    if not kinds & MONEY:
        return False
    said = {int(one.value) for one in clause.values if one.kind in {"amount", "number"}}
    if not said:
        return False
    paid = [one for one in case.deeds if one.stands and one.kind in MONEY and one.cents]
    new = [one.cents or 0 for one in paid if one in case.new_deeds]
    earlier = {one.cents for one in paid} - {*new, sum(new)}
    return bool(new) and said <= earlier


def _is_bare(clause: Clause) -> bool:
    """Check whether a clause has no verb of ours, so that it goes on with what was charged."""
    language = LANGUAGES[clause.language]
    ours = words(f"{language.perfect} | {language.aux}").search(clause.words)
    return ours is None and _REFUND.search(clause.words) is None


_REFUND = re.compile(r"\b(?:refund|reimburs|repa|erstatt|rembours|reembols|terug)")


@lru_cache(maxsize=KEPT_CLAUSES)
def _plain(said: str, language: str, has_amount: bool, charged: bool) -> str:
    """Return the words of a clause without those that tell no deed of ours; `charged`: it goes on with a charge."""
    plain = _RELATIVE.sub(_blank, said)
    plain = _FIGURES.sub(_blank, _CUSTOMERS[language].sub(_blank, plain))
    if not has_amount:
        plain = _CAME_BACK.sub(_blank, plain)
    return _CARDS.sub(_blank, plain) if charged or _CHARGED.search(plain) else plain


def _goes_on(clause: Clause) -> bool:
    """Check whether a clause goes on with what the customer said: it begins with `and`, and has no word of ours."""
    language = LANGUAGES[clause.language]
    ours = words(f"{language.perfect} | {language.aux}").search(clause.words)
    return clause.words.startswith(language.link + " ") and ours is None


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _is_earlier(case: Case, kinds: frozenset[str], clause: Clause) -> bool:
    """Check whether a clause is about nothing new and about a day before today, on which no such deed was done."""
    done = [one for one in case.deeds if one.stands and one.kind in kinds]
    if not case.day or not any(one in case.new_deeds for one in done) or _NEW.search(clause.words):
        return False
    days = [one for one in clause.values if one.kind in {"date", "day"}]
    known = {one.day for one in done if one.day}
    said = [{_with_year(case, day) for day in one.readings} for one in days]
    if said:
        return all(max(one) < case.today[:10] for one in said) and not any(one & known for one in said)
    found = _MONTH.search(clause.words)
    if found is None:
        return _LAST.search(clause.words) is not None
    if found["year"]:
        return int(found["year"]) < case.day.year
    month = MONTHS.get(found["month"])
    return month is not None and 1 <= (case.day.month - month) % 12 <= MONTHS_AGO


MONTHS_AGO = 8
"""How many months ago one that is named without its year may be."""


def _with_year(case: Case, day: str) -> str:
    return case.today[:4] + day[1:] if day.startswith("--") else day
