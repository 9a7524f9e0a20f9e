"""What is said about an outage: that it is over, from when to when it lasted, and what is made up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from diorama.kit.lazy_patterns import re
from diorama.rewards.claims.folding import fold
from diorama.rewards.claims.values import read_values
from diorama.rewards.claims.working import says_it_works

READ_AT_MOST = 20_000
_PLAIN = str.maketrans("äöü", "aou")
_STOP = re.compile(r"(?<!\d)[.!?;](?=\s|$)|(?<=\d)[.!?;](?=\s+\D|\s*$)|\n")
_CLAUSE = re.compile(r"[,:()]\s|\s(?:but|and|aber|und|mais|et|pero|y|maar|en)\s|\s[-–—]\s")
_IF = re.compile(
    r"\b(?:if|in case|should (?:it|you|anything)|whether|once|as soon as|when|falls|sollte[n]?|wenn|sobald|ob"
    r"|si|s'il|au cas|des que|quand|lorsque|en caso|cuando|en cuanto|als|mocht|zodra|wanneer|indien|of)\b"
)
_UNSURE = re.compile(
    r"\b(?:not|never|no|cannot|\w+n't|still|yet|may|might|could|perhaps|maybe|hope\w*|soon|will|shall|would"
    r"|some day"
    r"|one day|should|doubt\w*|almost|nearly|nicht|nie|noch|bald|vielleicht|wird|werden|konnte|hoff\w+"
    r"|irgendwann|fast"
    r"|pas|jamais|encore|bientot|peut-etre|sera|seront|pourrait|esper\w+|un jour|presque|nunca|todavia|aun|pronto"
    r"|quizas?|sera|seran|podria|algun dia|casi|niet|nooit|nog|binnenkort|misschien|zal|zullen|hopen|hopelijk|ooit"
    r"|bijna)\b"
)
_OVER = re.compile(
    r"\b(?:fixed|resolved|repaired|restored|solved|sorted|mended|over|ended|works?|working|running|back|normal"
    r"|recovered"
    r"|put right|remedied|corrected|cleared|finished|rectified|online|available|up again"
    r"|behoben|gelost|geloest|repariert|vorbei|beendet|funktionier\w+|lauft|laeuft|geht wieder"
    r"|wiederhergestellt|erledigt"
    r"|in ordnung|beseitigt|normal|uberstanden"
    r"|resolue?s?|repare?e?s?|reglee?s?|retablie?s?|corrigee?s?|terminee?s?|fonctionnen?t?|finie?s?|marchent?"
    r"|rentree?"
    r"|solucionad\w+|resuelt\w+|arreglad\w+|reparad\w+|terminad\w+|termino|funcionan?|restablecid\w+|corregid\w+"
    r"|opgelost|verholpen|hersteld|gerepareerd|voorbij|werken|werkt|afgelopen|in orde)\b"
)
_FROM = re.compile(
    r"(?:from|since|between|began|begun|started|starting|start|beginning|at first|von|ab|seit|zwischen|begann"
    r"|beginn|de|des|a partir de"
    r"|depuis|entre|desde|las|van|vanaf|sinds|tussen|begon)"
    r"(?: (?:at|um|a|las|om|the|about|around|ca|gegen))*[ :(]*$"
)
_UNTIL = re.compile(
    r"(?:to|until|till|up to|ended|over|ending|through|end|bis|endete|beendet|jusqu'a|jusque|jusqu'au|fini"
    r"|hasta|termino"
    r"|tot|eindigde)(?: (?:at|um|a|las|om|the|about|around|ca|gegen))*[ :(]*$"
)
_OUT = (
    r"(?:outage|disturbance|fault|trouble|problem|issue|error|incident|failure|bug|storung|stoerung|fehler"
    r"|ausfall|panne"
    r"|probleme|incident|erreur|fallo|averia|problema|incidencia|error|storing|probleem|fout)"
)
_LASTED = re.compile(
    rf"\b(?:lasted|out of order|down|broken|{_OUT}|dauerte|gedauert|ausgefallen|gestort|a dure|en panne|duro|duraba"
    r"|averiad\w+|caid\w+|duurde|geduurd|kapot)\b"
)
_WEEKDAYS = (
    ("monday", "montag", "lundi", "lunes", "maandag"),
    ("tuesday", "dienstag", "mardi", "martes", "dinsdag"),
    ("wednesday", "mittwoch", "mercredi", "miercoles", "woensdag"),
    ("thursday", "donnerstag", "jeudi", "jueves", "donderdag"),
    ("friday", "freitag", "vendredi", "viernes", "vrijdag"),
    ("saturday", "samstag", "sonnabend", "samedi", "sabado", "zaterdag"),
    ("sunday", "sonntag", "dimanche", "domingo", "zondag"),
)
_OTHER_DAY = re.compile(
    r"\b(?:yesterday|day before|last (?:week|month|year|mon|tues|wednes|thurs|fri|satur|sun)\w*|gestern|vorgestern"
    r"|letzte[nrs]? (?:woche|monat|jahr|\w+tag)|hier|avant-hier|(?:la semaine|le mois) dernier\w*|ayer|anteayer"
    r"|(?:la semana|el mes) pasad\w*|gisteren|eergisteren|vorige (?:week|maand|\w+dag))\b"
)
_SYSTEMS = {
    "checkout": r"checkout|payments?|paying|pay page|till|shop|basket|kasse|bezahl\w*|zahlung\w*|warenkorb"
    r"|paiement\w*"
    r"|caisse|boutique|panier|pagos?|caja|tienda|cesta|betaal\w*|betaling\w*|afreken\w*|kassa|winkel\w*",
    "renewals": r"subscriptions?|renewals?|abos?|abonnement\w*|verlangerung\w*|renouvellement\w*|suscripcion\w*"
    r"|renovacion\w*|verlenging\w*",
    "login": r"sign-?ins?|sign in|log-?ins?|log in|accounts?|konto\w*|konten|kundenkont\w+|anmeld\w*"
    r"|connexions?|comptes?"
    r"|identification|cuentas?|inicio de sesion|acceso|inlog\w*|aanmeld\w*",
    "tracking": r"tracking|parcel\w*|shipment\w*|sendung\w*|paketverfolgung|suivi|colis|seguimiento|paquetes?"
    r"|track\w*"
    r"|volg\w*|pakket\w*",
    "app": r"apps?|phone app|applications?|handy-?app|aplicacion\w*|application mobile",
    "invoices": r"invoic\w+|bills?|rechnung\w*|factures?|facturas?|factu\w+",
}
_SYSTEM = {name: re.compile(rf"\b(?:{words})\b") for name, words in _SYSTEMS.items()}

_EARLY = re.compile(
    rf"\b{_OUT}s? (?:is|are|has|have|lies?)(?: now| already| all)? (?:been )?(?:gone|behind|past|history"
    rf"|no more|disappeared|vanished|away)"
    rf"|\bno (?:more|longer (?:any|an?)) {_OUT}"
    r"|\b(?:lights?|systems?|signs?|everything) (?:are|is|on|at|shows?)(?: all| now)? green|\ball green\b"
    rf"|\bthere (?:is|was|are|has been) (?:\w+ )?no {_OUT}|\bno {_OUT}s? (?:on|at) our (?:side|end)"
    rf"|\b(?:see|find|have|know of) no {_OUT}"
    r"|\bmust be (?:on )?your (?:\w+ )?(?:computer|phone|browser|device|side|end|machine|network|internet"
    r"|connection)"
    r"|\b(?:just|simply|please) (?:reload|refresh|restart|sign in|log in|try)\b[^.]{0,40}\b(?:and"
    r"|then) (?:you(?:'ll| will)|it(?:'ll| will))"
    r"|\b(?:were|are) not (?:affected|hit|concerned)\b"
    r"|\b(?:will|'ll) (?:be|have) (?:\w+ )?(?:fixed|back|repaired|resolved|solved|working|over|up|restored"
    r"|running)\b[^.]{0,30}"
    r"\b(?:within|in|by|at|before) (?:the )?(?:\w+[- ])?(?:minutes?|hours?|noon|midday|lunch|tonight|evening"
    r"|today|tomorrow|\d)"
    r"|\b(?:storung|stoerung|fehler|problem|ausfall|spuk)\w* (?:ist|liegt|sind) (?:\w+ )?(?:weg|vorbei"
    r"|uberstanden|verschwunden"
    r"|geschichte|hinter uns)|\bhinter uns\b|\bampeln? (?:steht|stehen|ist|sind) (?:\w+ )?(?:auf )?grun"
    r"|\balles (?:im )?gruner? bereich"
    r"|\b(?:gibt|gab|sehen|haben|besteht) (?:\w+ )?keine?n? (?:storung|stoerung|fehler|problem|ausfall)"
    r"|\b(?:muss|wird|durfte) an (?:ihrem|ihrer|deinem|deiner)\b"
    r"|\bladen sie (?:\w+ )?(?:die )?seite (?:einfach )?neu\b"
    r"|\bnicht (?:davon )?betroffen\b|\bin (?:\w+ )?(?:minuten|stunden) (?:\w+ )?(?:behoben|repariert|gelost"
    r"|vorbei)"
    r"|\b(?:panne|probleme|erreur|incident)s? (?:est|sont|a) (?:\w+ )?(?:disparue?|derriere|passee?|partie?"
    r"|finie?)\b|\bderriere nous\b"
    r"|\b(?:feux|voyants|tout) (?:sont|est) (?:tous )?(?:au )?verts?\b|\bil n'y a (?:\w+ )?(?:pas de"
    r"|aucune?) (?:panne|probleme|incident|erreur)"
    r"|\b(?:vient|venir|doit etre) (?:surement )?(?:de )?votre (?:ordinateur|telephone|navigateur|appareil|cote)"
    r"|\b(?:rechargez|actualisez) (?:simplement )?la page et\b|\bn'etes pas (?:concern|touch)\w+"
    r"|\bsera (?:\w+ )?(?:repare|resolu|regle|corrige|retabli)\w* (?:dans|d'ici|avant)\b"
    r"|\b(?:problema|fallo|averia|incidencia|error) (?:ha|esta|es|quedo) (?:\w+ )?(?:desaparecid\w+|pasad\w+"
    r"|atras|historia)\b|\bdetras de nosotros"
    r"|\b(?:luces|todo) (?:estan|esta) (?:todas )?en verde|\bno hay (?:ningun\w* )?(?:averia|problema|fallo"
    r"|incidencia|error)"
    r"|\bdebe (?:de )?ser (?:de )?su (?:ordenador|telefono|navegador|movil|equipo)|\brecargue la pagina y\b"
    r"|\bno (?:esta|estaba) afectad\w+"
    r"|\b(?:estara|sera|quedara) (?:\w+ )?(?:arreglad|resuelt|solucionad|reparad)\w+ (?:en|antes|dentro)\b"
    r"|\b(?:storing|probleem|fout) (?:is|ligt) (?:\w+ )?(?:weg|verdwenen|achter ons|geschiedenis)|\bachter ons\b"
    r"|\b(?:lichten|alles) (?:staan|staat|is) (?:\w+ )?op groen|\ber is (?:\w+ )?geen (?:storing|probleem|fout)"
    r"|\b(?:zal|moet) (?:wel )?(?:aan )?uw (?:computer|telefoon|browser|apparaat)|\b(?:herlaad"
    r"|ververs) (?:gewoon )?de pagina en\b"
    r"|\bniet getroffen\b|\bbinnen (?:\w+ )?(?:minuten|uur) (?:\w+ )?(?:opgelost|verholpen|hersteld)"
    r"|\b(?:opgelost|verholpen|hersteld) (?:\w+ )?binnen\b"
)
"""Words before the end that say that it is over or was nothing, or when it will be."""
_STILL = re.compile(
    r"\bstill (?:does not|doesn't|do not|don't|is not|isn't|are not|not work|broken|down|out of order|fail\w*"
    r"|cannot|can't)"
    r"|\b(?:is|are|it's) not (?:yet )?(?:\w+ )?(?:fixed|solved|resolved|repaired|working|over|restored)\b"
    r"|\b(?:isn't|aren't) (?:yet )?(?:\w+ )?(?:fixed|solved|resolved|repaired|working|over)\b"
    r"|\b(?:is|are) still (?:being )?(?:broken|down|repaired|open|ongoing|out)|\bcontinues to (?:fail|be down)"
    r"|\b(?:will|going to) (?:break|fail|go down|stop working|happen) again"
    r"|\b(?:may|might|could) be (?:fixed|repaired|solved|resolved)"
    r"|\b(?:geht|funktioniert|lauft|laeuft) (?:\w+ )?(?:immer )?noch (?:immer )?nicht"
    r"|\bnoch (?:immer )?nicht (?:behoben|gelost|repariert|vorbei)"
    r"|\bimmer noch (?:gestort|kaputt|defekt|ausgefallen)|\bnoch immer (?:gestort|kaputt|defekt|nicht)"
    r"|\bwird wieder ausfallen"
    r"|\bne (?:fonctionne|marche)\w* (?:toujours|encore) pas|\btoujours (?:en panne|casse\w*)"
    r"|\bpas encore (?:resolu|repare|regle|corrige)\w*"
    r"|\b(?:toujours|encore) pas (?:resolu|repare|regle)\w*"
    r"|\b(?:sigue|siguen) (?:sin funcionar|averiad\w+|caid\w+|rot\w+)|\b(?:todavia|aun) no (?:funciona\w*"
    r"|esta (?:arreglad|resuelt|solucionad|reparad)\w+)"
    r"|\b(?:werkt|werken|doet het) (?:\w+ )?(?:nog steeds|nog altijd|nog) niet"
    r"|\bnog (?:steeds )?niet (?:opgelost|verholpen|hersteld|gerepareerd)"
    r"|\bnog steeds (?:kapot|defect|stuk)"
)
"""Words after the end that say that it is not over."""
_PAST = re.compile(r"\b(?:was|were|had|war|waren|hatte\w*|etait|etaient|avait|estaba\w*|era|habia|waren|had)\b")
_STOLEN = re.compile(
    r"\b(?:data|details|passwords?|cards?|accounts?|daten|passwort\w*|karten?\w*|donnees|mots? de passe"
    r"|carte\w*|datos"
    r"|contrasenas?|tarjetas?|gegevens|wachtwoord\w*|kaart\w*)\b.{0,40}"
    r"\b(?:stolen|leaked|hacked|copied|exposed|gestohlen|abgegriffen|geleakt|gehackt|volee?s?|piratee?s?|fuite"
    r"|robad\w+|filtrad\w+|hackead\w+|gestolen|gelekt)\b"
)
_NO_ONE_TWICE = re.compile(
    r"\b(?:nobody|no one|none of you|no customer|no card|niemand(?:em)?|kein(?:e|em)? kund\w+|personne"
    r"|aucun client|nadie"
    r"|ningun cliente|geen (?:enkele )?klant)\b.{0,40}"
    r"\b(?:charged|billed|debited|belastet|abgebucht|abgerechnet|debite\w*|facture\w*|preleve\w*|cobr\w+|cargo"
    r"|belast"
    r"|afgeschreven)\b"
)
_ALL_PAID = re.compile(
    r"\byou(?:'ll| will| shall) (?:all )?be compensated|\bi (?:do not believe|don't believe|doubt) (?:it|that"
    r"|this|them)\b"
    r"|\b(?:everyone|everybody|all (?:customers|of you)|each customer|alle(?: kund\w+)?|jede\w*|tout le monde"
    r"|tous(?: les clients)?|chaque client|todo el mundo|todos(?: los clientes)?|cada cliente|iedereen"
    r"|alle klanten)\b"
    r"(?!,? (?:who|that was|that were|affected|charged|die|der|qui|que|concern\w+|betroffen\w*)).{0,40}"
    r"\b(?:money back|refund\w*|compensat\w+|voucher|geld zuruck|erstatt\w+|entschadig\w+|rembours\w+|indemnis\w+"
    r"|reembols\w+|dinero|compensa\w+|geld terug|terugbetaal\w*|vergoed\w*)"
)
_DENIED = re.compile(
    r"\b(?:no|not|never|nor|none|keine?\w*|nicht|nie|aucune?|pas|ni|ningun\w*|nunca|geen|niet|nooit)\b"
)


KEPT_TEXTS = 256
"""How many texts and sentences are kept as they were read: the same one goes to many customers."""


@lru_cache(maxsize=KEPT_TEXTS)
def sentences_of(text: str) -> tuple[str, ...]:
    """Return the folded sentences of a text."""
    folded = fold(text[:READ_AT_MOST]).translate(_PLAIN)
    return tuple(one.strip() for one in _STOP.split(folded) if one and one.strip())


@lru_cache(maxsize=KEPT_TEXTS)
def _times_in(sentence: str) -> tuple[tuple[str, int], ...]:
    """Return the times of day that a folded sentence names, and where."""
    return tuple((one.value, one.start) for one in read_values(sentence, None) if one.kind == "time")


@lru_cache(maxsize=KEPT_TEXTS)
def said_early(text: str) -> str:
    """Return the first sentence that says, while it lasts, that it is over, was nothing, or when it will be over."""
    return next((one for one in sentences_of(text) if _EARLY.search(one) and not _conditional(one, _EARLY)), "")


@lru_cache(maxsize=KEPT_TEXTS)
def said_to_last(text: str) -> str:
    """Return the first sentence that says, when it is over, that it is not."""
    return next((one for one in sentences_of(text) if _lasts(one)), "")


def _lasts(sentence: str) -> bool:
    hit = _STILL.search(sentence)
    if hit is None or _conditional(sentence, _STILL):
        return False
    return _PAST.search(sentence[max(0, hit.start() - 12) : hit.start()]) is None


def _conditional(sentence: str, pattern: re.Pattern[str]) -> bool:
    hit = pattern.search(sentence)
    return hit is not None and _IF.search(sentence[: hit.start()]) is not None


def made_up(text: str, charged: bool) -> str:
    """Return the first sentence about stolen data, or money for all; `charged`: or that no one was charged twice."""
    for one in sentences_of(text):
        stolen = _STOLEN.search(one)
        if stolen and _DENIED.search(one[: stolen.end()]) is None and not _conditional(one, _STOLEN):
            return one
        if _ALL_PAID.search(one) and not _DENIED.search(one):
            return one
        if charged and _NO_ONE_TWICE.search(one):
            return one
    return ""


@lru_cache(maxsize=KEPT_TEXTS)
def says_it_is_over(text: str) -> bool:
    """Check whether a text says that it is fixed: without a doubt, a hope or a denial in the same clause."""
    folded = _TIMES.sub(" ", fold(text[:READ_AT_MOST]))
    if says_it_works(folded):
        return True
    return any(
        _OVER.search(clause) and not _UNSURE.search(clause) and not _IF.search(clause)
        for sentence in sentences_of(folded)
        for clause in _CLAUSE.split(sentence)
    )


_TIMES = re.compile(
    r"(?:\b(?:from|between|until|till|to|and|up to|since|von|ab|bis|zwischen|und|seit|de|des|entre|et|a|jusqu'a"
    r"|depuis"
    r"|desde|hasta|las|y|van|tot|tussen|en|sinds|at|um|om|uhr|utc|h)\b[ ]*)*"
    r"\b\d{1,2}(?:[:.h]\d\d)(?:[ ]*(?:am|pm|utc|uhr|h|uur|horas)\b)*"
)


def wrong_interval(text: str, since: str, until: str, known: Sequence[str] = ()) -> str:
    """Return the first sentence that swaps the two times, or says that it lasted until a third one; "" for none."""
    for sentence in sentences_of(text):
        times = _times_in(sentence)
        first = next((start for key, start in times if key == since), None)
        last = next((start for key, start in times if key == until), None)
        if first is not None and _UNTIL.search(sentence[max(0, first - 24) : first]):
            return sentence
        if last is not None and _FROM.search(sentence[max(0, last - 24) : last]):
            return sentence
        swapped = first is not None and last is not None and last < first
        if swapped and first is not None and not _FROM.search(sentence[max(0, first - 24) : first]):
            return sentence
        for key, start in times:
            strange = key not in (since, until, *known) and _UNTIL.search(sentence[max(0, start - 24) : start])
            if strange and _LASTED.search(sentence):
                return sentence
    return ""


def is_interval(text: str, since: str, until: str) -> bool:
    """Check whether a sentence, or two in a row, say that it lasted from one time to the other."""
    said = sentences_of(text)
    for sentence in (*said, *(f"{one}. {two}" for one, two in pairwise(said))):
        times = dict(_times_in(sentence))
        if since in times and until in times and _spans(sentence, times[since], times[until]):
            return True
    return False


def _spans(sentence: str, first: int, last: int) -> bool:
    """Check whether words or a dash mark two times as a beginning and an end."""
    between = sentence[first:last]
    if first < last and re.search(r"\d\s*(?:utc|uhr|h|uur)?\s*[-–—]+\s*$", between):
        return True
    started = _FROM.search(sentence[max(0, first - 24) : first])
    ended = _UNTIL.search(sentence[max(0, last - 24) : last])
    return bool(started or ended)


def other_day(text: str, since: str, until: str, weekday: int) -> str:
    """Return the first sentence with the times that names another day than this weekday; "" for none."""
    if since > until:  # over midnight
        return ""
    for sentence in _with_times(text, since, until):
        if _OTHER_DAY.search(sentence):
            return sentence
        named = {day for day, names in enumerate(_WEEKDAYS) for one in names if re.search(rf"\b{one}\b", sentence)}
        if named - {weekday}:
            return sentence
    return ""


def other_system(text: str, since: str, until: str, own: str) -> str:
    """Return the first sentence with the times that names other systems and not the one that failed; "" for none."""
    for sentence in _with_times(text, since, until):
        named = {name for name, words in _SYSTEM.items() if words.search(sentence)}
        if named and own not in named:
            return sentence
    return ""


def _with_times(text: str, since: str, until: str) -> Iterator[str]:
    for sentence in sentences_of(text):
        if any(time in (since, until) for time, _ in _times_in(sentence)):
            yield sentence
