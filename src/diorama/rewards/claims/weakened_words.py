"""The words of five languages for deeds that are weakened. Texts are folded: no accents but on German vowels."""

from __future__ import annotations

from diorama.kit.lazy_patterns import re

DID = {
    "en": {
        "money": "refunded|reimbursed|credited|repaid|paid back|paid|transferred|returned xamount|added xamount"
        "|added store|given you xamount|granted",
        "goods": "sent|shipped|reshipped|resent|dispatched|posted|replaced",
        "end": "cancelled|canceled|terminated|ended|called off",
        "pause": "paused|suspended|put on hold|skipped",
        "label": "opened a return|opened the return|opened your return|created a|created the|created your|issued a"
        "|sent you a (?:return )?label|sent you the (?:return )?label|booked a return|set up a return",
        "address": "changed|updated|moved|redirected|switched the address",
        "plan": "switched|resumed|restarted|reactivated|changed your (?:coffee )?(?:plan|subscription)",
    },
    "de": {
        "money": "erstattet|zurückerstattet|rückerstattet|gutgeschrieben|zurückgezahlt|zurückbezahlt|überwiesen"
        "|zurücküberwiesen|ausgezahlt|angewiesen",
        "goods": "geschickt|verschickt|versandt|versendet|gesendet|zugesandt|losgeschickt|ersetzt",
        "end": "gekündigt|storniert|beendet",
        "pause": "pausiert|ausgesetzt|übersprungen",
        "label": "erstellt|angelegt|eröffnet|ausgestellt",
        "address": "geändert|umgestellt|umgeleitet|aktualisiert",
        "plan": "umgestellt|wieder gestartet|reaktiviert|fortgesetzt",
    },
    "fr": {
        "money": r"rembourse\w{0,2}|credite\w{0,2}|recredite\w{0,2}|verse\w{0,2}|restitue\w{0,2}|ajoute\w{0,2}",
        "goods": r"envoye\w{0,2}|renvoye\w{0,2}|expedie\w{0,2}|reexpedie\w{0,2}|remplace\w{0,2}",
        "end": r"annule\w{0,2}|resilie\w{0,2}|mis fin",
        "pause": r"suspendu\w{0,2}|mis en pause|saute\w{0,2}",
        "label": r"cree\w{0,2}|ouvert\w{0,2}|etabli\w{0,2}",
        "address": r"modifie\w{0,2}|change\w{0,2}",
        "plan": r"reactive\w{0,2}|repris\w{0,2}",
    },
    "es": {
        "money": "reembolsado|abonado|devuelto|reintegrado|anadido|ingresado",
        "goods": "enviado|reenviado|mandado|sustituido|reemplazado",
        "end": "cancelado|anulado|dado de baja",
        "pause": "pausado|suspendido|saltado",
        "label": "creado|abierto|emitido|generado",
        "address": "cambiado|modificado|actualizado",
        "plan": "reanudado|reactivado",
    },
    "nl": {
        "money": "terugbetaald|teruggestort|teruggeboekt|vergoed|bijgeschreven|gestort|overgemaakt|teruggegeven",
        "goods": "gestuurd|verstuurd|verzonden|opgestuurd|toegestuurd|vervangen",
        "end": "geannuleerd|opgezegd|stopgezet|beeindigd",
        "pause": "gepauzeerd|overgeslagen|stilgezet",
        "label": "gemaakt|aangemaakt|geopend",
        "address": "gewijzigd|aangepast|veranderd|omgeleid",
        "plan": "hervat|omgezet",
    },
}
"""What was done, for each group of deeds."""

DO = {
    "en": {
        "money": "refund|reimburse|credit|repay|pay back|transfer|add xamount",
        "goods": "send|ship|reship|resend|dispatch|replace",
        "end": "cancel|terminate|end",
        "pause": "pause|suspend|skip",
        "label": "open a return|open the return|create a|create the|issue a",
        "address": "change|update|redirect",
        "plan": "switch|resume|restart|reactivate",
    },
    "de": {
        "money": "erstatten|gutzuschreiben|gutschreiben|zurückzuzahlen|zurückzahlen|überweisen|zurückzuerstatten",
        "goods": "schicken|verschicken|versenden|senden|zuzusenden|ersetzen",
        "end": "kündigen|stornieren|beenden",
        "pause": "pausieren|auszusetzen|überspringen",
        "label": "erstellen|anzulegen|eröffnen",
        "address": "ändern|umzustellen|umzuleiten",
        "plan": "umzustellen|reaktivieren",
    },
    "fr": {
        "money": "rembourser|crediter|recrediter|verser|restituer|ajouter",
        "goods": "envoyer|renvoyer|expedier|reexpedier|remplacer",
        "end": "annuler|resilier|mettre fin",
        "pause": "suspendre|mettre en pause|sauter",
        "label": "creer|ouvrir|etablir",
        "address": "modifier|changer",
        "plan": "reactiver|reprendre",
    },
    "es": {
        "money": "reembolsar|abonar|devolver|reintegrar|anadir|reembolsarle|devolverle|abonarle",
        "goods": "enviar|reenviar|mandar|sustituir|reemplazar|enviarle",
        "end": "cancelar|anular|dar de baja",
        "pause": "pausar|suspender|saltar",
        "label": "crear|abrir|emitir|generar",
        "address": "cambiar|modificar|actualizar",
        "plan": "reanudar|reactivar",
    },
    "nl": {
        "money": "terugbetalen|terugstorten|terugboeken|vergoeden|terug te betalen|terug te storten|over te maken",
        "goods": "sturen|versturen|verzenden|opsturen|te sturen|op te sturen|vervangen",
        "end": "annuleren|opzeggen|op te zeggen|stopzetten",
        "pause": "pauzeren|overslaan|over te slaan",
        "label": "maken|aan te maken|openen",
        "address": "wijzigen|aan te passen|veranderen",
        "plan": "hervatten|om te zetten",
    },
}
"""The infinitives, in the order of each language."""

NOUNS = {
    "en": {
        "money": "refund|credit|store credit|reimbursement|transfer|repayment",
        "goods": "reshipment|replacement|second parcel|new parcel|shipment", "end": "cancellation", "pause": "pause",
        "label": "return label|label", "address": "change of address|address change", "plan": "change of plan",
    },
    "de": {
        "money": "erstattung|rückerstattung|gutschrift|überweisung|rückzahlung|guthaben",
        "goods": "ersatzlieferung|neue lieferung|ersatzsendung", "end": "kündigung|stornierung"
        "|storno", "pause": "pause",
        "label": "rücksendeetikett|etikett", "address": "adressänderung", "plan": "umstellung",
    },
    "fr": {
        "money": "remboursement|avoir|credit|virement", "goods": "renvoi|remplacement|nouvel envoi",
        "end": "resiliation|annulation", "pause": "pause|suspension", "label": "etiquette",
        "address": "changement d'adresse", "plan": "changement de formule",
    },
    "es": {
        "money": "reembolso|abono|saldo|devolucion del dinero", "goods": "reenvio|nuevo envio|sustitucion",
        "end": "cancelacion|baja|anulacion", "pause": "pausa|suspension", "label": "etiqueta",
        "address": "cambio de direccion", "plan": "cambio de plan",
    },
    "nl": {
        "money": "terugbetaling|tegoed|terugstorting|overboeking|creditering",
        "goods": "vervanging|nieuwe zending|herzending", "end": "opzegging|annulering", "pause": "pauze",
        "label": "retourlabel|label", "address": "adreswijziging", "plan": "omzetting",
    },
}  # fmt: skip
"""The nouns of deeds, for what is undone."""

_ADVERB = (
    "almost|nearly|hardly|barely|scarcely|supposedly|allegedly|purportedly|perhaps|maybe|possibly|practically|virtually"
    "|as good as|half|theoretically|seemingly|not quite|not really"
)
_TRIED = (
    "tried|attempted|failed|forgot|forgotten|wanted|hoped|meant|planned|intended|dreamt|dreamed|imagined|was going"
    "|were going|was about|were about|am about|are about|was supposed|were supposed"
)
_DE_AUX = r"\b(?:(?:ich|wir) (?:habe|haben)|(?:habe|haben) (?:ich|wir))"
_DE_NEAR = (
    r"(?:(?:fast|beinahe|nahezu|kaum)(?!\s(?:\d|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|all|jed"
    r"|immer|xdur))"
    r"|so gut wie|quasi|sozusagen)"
)
_DE_MAYBE = "vielleicht|angeblich|womöglich|möglicherweise|eventuell|vermutlich|theoretisch|scheinbar"
_NL_AUX = r"\b(?:(?:ik|wij|we) (?:heb|hebben)|(?:heb|hebben) (?:ik|wij|we))"
_NL_NEAR = (
    r"(?:bijna|haast|nauwelijks|zo goed als)(?!\s(?:\d|een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|al|elk|ieder))"
)
_NL_MAYBE = "misschien|zogenaamd|wellicht|mogelijk|mogelijkerwijs|vermoedelijk|zogezegd|naar verluidt|theoretisch"
_FR_WEAK = (
    "presque|peut-etre|peut etre|soi-disant|pretendument|quasiment|a peine|theoriquement|eventuellement|probablement"
)
_ES_WEAK = (
    "casi|quiza|quizas|tal vez|acaso|supuestamente|posiblemente|a lo mejor|probablemente|apenas|practicamente"
    "|presuntamente"
)

SOFT = {
    "en": (
        rf"\b(?:have|has|had|'ve|was|were|is) (?:also |now |just )?(?:{_ADVERB}) (?:been )?<did>\b",
        (r"\b(?:perhaps|maybe|supposedly|allegedly|possibly|theoretically|in theory|hypothetically) (?:i"
        r"|we)(?: have|'ve)?"
        r" <did>\b"),
        r"\b(?:i|we) (?:may|might|could|should|would|ought to)(?: well| perhaps| possibly)? have <did>\b",
        r"\b(?:i|we)(?: will| shall|'ll|(?: am|'m| are|'re) going to) have <did>\b",
        rf"\b(?:i|we)(?: have|'ve|'d| had)? (?:almost )?(?:{_TRIED}) (?:to|at|of|that i) (?:have <did>|<do>)\b",
        (r"(?<!you )\b(?:claims?|claimed|says|said|believes?|thinks?|alleges?|pretends?|hopes?|swears?)"
        r" (?:to have|(?:that )?(?:he|she|they|it)(?: has| have| had|'ve|'s)) <did>\b"),
    ),
    "de": (
        rf"{_DE_AUX}<gap>(?:{_DE_NEAR}|{_DE_MAYBE})(?:<gap>|\s)<did>\b",
        rf"\b(?:{_DE_MAYBE}|beinahe|fast) (?:habe ich|haben wir)<gap><did>\b",
        (r"\b(?:(?:ich|wir) (?:hätten?|könnten?|dürften?|sollten?|müssten?|würden?)"
        r"|(?:hätten?|könnten?|dürften?|sollten?|müssten?|würden?) (?:ich|wir))<gap><did>\b"),
        r"\b(?:(?:ich|wir) (?:werde|werden)|(?:werde|werden) (?:ich|wir))<gap><did> haben\b",
        r"\b(?:ich|wir)\b<gap>(?:versucht|vergessen|vorgehabt|geplant|gehofft|vorgenommen)<gap>(?:zu )?<do>\b",
        r"\b(?:ich|wir) (?:wollte|wollten)<gap><do>\b",
        r"\b(?:kolleg\w*|team|teamleitung|chefin|chef) (?:behauptet|meint|glaubt|sagt|will)<gap><did>\b",
        r"\bsie haben<gap>(?:uns )?<did>(?! (?:bekommen|erhalten))$",
    ),
    "fr": (
        rf"\b(?:j'ai|nous avons|on a)(?: vous| deja)? (?:{_FR_WEAK}) <did>\b",
        rf"\b(?:{_FR_WEAK}) (?:que |qu')?(?:j'ai|nous avons|ai-je|avons-nous|j'aie) (?:\S+ )?<did>\b",
        r"\b(?:j'aurais|nous aurions) (?:du |pu |peut-etre )?(?:<did>|<do>)\b",
        r"\b(?:j'aurai|nous aurons) (?:\S+ )?<did>\b",
        (r"\b(?:j'ai|nous avons) (?:failli|essaye|tente|oublie|voulu|omis|espere|pense|prevu)"
        r" (?:de |d'|vous |avoir )*(?:<do>|<did>)\b"),
        r"(?<!vous )\b(?:pretend|affirme|croit|dit|jure) (?:vous )?(?:avoir|(?:qu'il|qu'elle) (?:vous )?a) <did>\b",
        r"\bvous (?:devriez|pourriez) avoir <did>\b",
    ),
    "es": (
        rf"\b(?:{_ES_WEAK}) (?:le |te |lo |les |se |ya )*(?:he|hemos|haya|hayamos) <did>\b",
        rf"\b(?:he|hemos) (?:{_ES_WEAK}) <did>\b",
        (r"\b(?:habria|habriamos|hubiera|hubieramos|(?:deberia|deberiamos|podria|podriamos) haber"
        r"|tendria que haber|tendriamos que haber|puede que (?:le |te |lo )?(?:haya|hayamos)) <did>\b"),
        r"\b(?:habre|habremos) <did>\b",
        (r"\b(?:he|hemos) (?:intentado|tratado de|olvidado|querido|pretendido|pensado|estado a punto de|esperado)"
        r" (?:haber <did>|<do>)\b"),
        r"\b(?:afirma|dice|asegura|cree|jura) (?:haber|que (?:le |te |lo |ya )*ha) <did>\b",
    ),
    "nl": (
        rf"{_NL_AUX}<gap>(?:{_NL_NEAR}|{_NL_MAYBE})(?:<gap>|\s)<did>\b",
        rf"\b(?:{_NL_MAYBE}|bijna) (?:heb ik|hebben we|hebben wij)<gap><did>\b",
        (r"\b(?:(?:ik|we|wij) (?:zou|zouden)|(?:zou|zouden) (?:ik|we|wij))<gap>(?:<did> hebben|hebben <did>"
        r"|hebben moeten)\b"),
        r"\b(?:(?:ik|we|wij) (?:zal|zullen)|(?:zal|zullen) (?:ik|we|wij))<gap>(?:<did> hebben|hebben <did>)\b",
        r"\b(?:ik|we|wij)\b<gap>(?:geprobeerd|vergeten|gepland|gehoopt)<gap>(?:te )?<do>\b",
        r"\b(?:ik|we|wij) (?:wilde|wilden|wou)<gap><do>\b",
        r"\bcollega (?:beweert|zegt|denkt|meent)<gap><did>\b",
    ),
}  # fmt: skip
"""What tells no deed, unless another sentence does."""

_UNTRUE = (
    r"(?:wrong|false|untrue|not true|not the case|incorrect|not correct|not so|a (?:rumou?r|lie|myth|joke|dream|hoax"
    r"|fairy tale|misunderstanding)|an (?:error|invention))"
)
HARD = {
    "en": (
        (rf"\b(?:it is|it was|it's|it isn't|it is just) (?:only |just )?{_UNTRUE} that (?:\S+ ){{1,3}}?(?:have "
        rf"|has |had )?<did>\b"),
        r"\b(?:i|we)(?: have|'ve)? pretended (?:to (?:have <did>|<do>)|that)\b",
        (r"\b(?:i|we) (?:had to|have had to|have|'ve|must|need to|needed to|will|'ll|am going to)(?: now"
        r"| since)? (?:und[oi]\w*"
        r"|revers\w+|revok\w+|rescind\w*|take back|taken back|took back|void\w*|cancel\w*|stop\w*)"
        r" (?:(?:the|your|this|that) (?:<noun>)\b|that (?:i|we) have <did>\b)"),
    ),
    "de": (
        (r"\bes (?:ist|war) (?:falsch|nicht wahr|unwahr|gelogen|(?:nur )?ein gerücht|eine lüge|ein irrtum|ein märchen"
        r"|nicht der fall|nicht richtig|nicht so) dass (?:ich|wir|\S+ kolleg\w+)<gap><did>\b"),
        r"\b(?:ich|wir)\b<gap>(?:vorgegeben|vorgetäuscht|so getan)<gap>(?:zu )?(?:<do>|<did>)\b",
        (r"\b(?:musste|mussten|habe|haben)\b<gap>(?:die|ihre|diese|das|den) <noun>(?:<gap>|\s)(?:rückgängig"
        r"|zurücknehmen"
        r"|zurückgenommen|widerrufen|zurückgezogen|zurückgebucht|zurückziehen)\b"),
    ),
    "fr": (
        (r"(?:il est|c'est|il etait) (?:faux|inexact|un mensonge|une rumeur|une erreur)(?: de dire)? que (?:j'ai|j'aie"
        r"|nous avons|nous ayons) <did>\b"),
        r"(?:ce n'est pas|il n'est pas) (?:vrai|exact|le cas) que (?:j'ai|j'aie|nous avons|nous ayons) <did>\b",
        r"\b(?:j'ai|nous avons) (?:fait semblant|pretendu|feint) (?:de |d')?(?:vous )?(?:avoir )?(?:<do>|<did>)\b",
        (r"\b(?:j'ai du|nous avons du|j'ai|nous avons) (?:annul\w+|revenir sur|retir\w+|revoqu\w+) (?:le |la |l'"
        r"|votre |ce )"
        r"<noun>\b"),
    ),
    "es": (
        (r"\b(?:es falso|no es cierto|no es verdad|es mentira|es un rumor|es un error) que (?:le |te |yo )*(?:he"
        r"|hemos|haya"
        r"|hayamos) <did>\b"),
        r"\b(?:he|hemos) fingido (?:haber <did>|<do>)\b",
        (r"\b(?:he|hemos|tuve|tuvimos)(?: tenido)?(?: que)? (?:deshacer|anular|revertir|revocar|retirar"
        r"|deshecho|anulado"
        r"|revertido|revocado|retirado) (?:el|la|su|este) <noun>\b"),
    ),
    "nl": (
        (r"\bhet is (?:niet waar|onjuist|onwaar|een gerucht|een leugen|niet zo|een fout"
        r"|een misverstand) dat (?:ik|we|wij)"
        r"<gap><did>\b"),
        r"\b(?:ik|we|wij)\b<gap>(?:gedaan alsof|geveinsd|voorgewend)<gap>(?:<do>|<did>)\b",
        (r"\b(?:moest|moesten|heb|hebben)\b<gap>(?:de|uw|je|het|deze) <noun>(?:<gap>|\s)(?:terugdraaien"
        r"|teruggedraaid|ongedaan"
        r"|ingetrokken|intrekken)\b"),
    ),
}  # fmt: skip
"""What makes a deed untrue or undone, whatever else is said."""

_EN_YOU = r"\byou(?: have|'ve) (?:also |now |just |already )?"
YOU: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "money": (rf"{_EN_YOU}(?:refunded|reimbursed|credited|repaid|added xamount)\b",),
        "goods": (
            rf"{_EN_YOU}(?:reshipped|resent|sent you|sent (?:\S+ ){{1,9}}to you(?: again)?)\b",
        ),
        "label": (rf"{_EN_YOU}opened (?:a|the) return\b",),
    },
    "de": {"money": ((r"\b(?:sie haben|haben sie|du hast)<gap>(?:erstattet|gutgeschrieben)(?! (?:bekommen"
    "|erhalten))\b"),)},
    "fr": {"money": (r"\b(?:vous avez|tu as) (?:rembourse|credite|recredite)\b",)},
    "es": {"money": (r"\b(?:usted ha|ustedes han|tu has|has) (?:reembolsado|abonado)\b",)},
    "nl": {"money": (r"\b(?:(?:u|je|jij) (?:hebt|heeft))<gap>(?:teruggestort|terugbetaald)(?! gekregen)\b",)},
}  # fmt: skip
"""Deeds of the shop that are said of the customer."""

_PARTS = {
    "en": r"(?:half(?: of)?|less than|some of|(?:a )?(?:small )?part of|a fraction of|up to|at most|not quite|not even"
    r"|almost|nearly|just under|a quarter of|a third of|close to)(?: the| your)?",
    "de": r"(?:(?:die )?hälfte (?:von|der|des)|weniger als|einen (?:kleinen )?teil (?:von|der|des)|teile (?:von"
    r"|der)|bis zu"
    r"|höchstens|maximal|fast|beinahe|knapp|nicht ganz|nicht einmal|annähernd)(?: den| die)?",
    "fr": r"(?:(?:la )?moitie d(?:e|es)|moins de|(?:une )?(?:petite )?partie d(?:e|es)|jusqu'a|au plus"
    r"|au maximum|presque"
    r"|pas tout a fait|pres de|meme pas)(?: les)?",
    "es": r"(?:(?:la )?mitad de|menos de|(?:una )?(?:pequena )?parte de|hasta|como mucho|como maximo|casi"
    r"|cerca de|ni siquiera)"
    r"(?: los)?",
    "nl": r"(?:(?:de )?helft van|minder dan|(?:een )?(?:klein )?deel van|tot|hoogstens|maximaal|bijna|net geen"
    r"|nog geen|haast)"
    r"(?: de)?",
}
_LESS = {
    "en": r"(?:less|minus) (?:a|the|our|some)? ?(?:\S+ )?(?:fee|fees|charge|costs?)",
    "de": r"(?:abzüglich|minus|weniger) (?:\S+ ){0,2}?\S*(?:gebühr|kosten)",
    "fr": r"(?:moins|deduction faite) (?:\S+ ){0,2}?(?:frais)",
    "es": r"(?:menos|descontando) (?:\S+ ){0,2}?(?:gastos|comision|tasa)",
    "nl": r"(?:minus|verminderd met|min) (?:\S+ ){0,2}?\S*(?:kosten|vergoeding)",
}
PARTS = {name: re.compile(rf"\b{one} xamount\b|xamount (?:{_LESS[name]})\w*") for name, one in _PARTS.items()}
"""An amount that is not the whole of what was paid."""

_DENYING = {
    "en": r"\b(?:(?:i|we) (?:have not|haven't|did not|didn't|have never)|nobody has"
    r"|no one has) (?:yet )?(?:<did>|<do>)\b",
    "de": rf"{_DE_AUX}<gap>(?:nicht|nie|niemals) (?:\S+ )?<did>\b|\bniemand hat<gap><did>\b",
    "fr": r"\b(?:je n'ai|nous n'avons) (?:pas|jamais) <did>\b|\bpersonne n'a <did>\b",
    "es": r"\bno (?:le |lo |te )?(?:he|hemos) <did>\b|\bnadie (?:le |lo )?ha <did>\b",
    "nl": rf"{_NL_AUX}<gap>(?:niet|geen|nooit)(?:<gap>|\s)<did>\b|\bniemand heeft<gap><did>\b",
}
_WITHIN = r"(?:\s(?!(?:but|aber|mais|pero|maar|sondern)\b)\S+){0,14}?\s"
DENIED = {
    (language, name): re.compile(
        _DENYING[language]
        .replace("<did>", f"(?:{did})")
        .replace("<do>", f"(?:{DO[language][name]})")
        .replace("<gap>", _WITHIN)
    )
    for language, groups in DID.items()
    for name, did in groups.items()
}
"""A deed that is denied, for each language and group of deeds."""
LIMITS = re.compile(
    r"\b(?:aber|twice|again|second|more than|instead|but|only|other|another|until|before|sooner|earlier|shipping"
    r"|postage|fee|whole"
    r"|full|entire|all|just|cash|any more|zweimal|noch einmal|nochmal|erneut|zweit\w+|mehr als|sondern|statt"
    r"|nur|ander\w*"
    r"|bis|vorher|früher|versand\w*|ganz\w*|voll\w*|gesamt\w*|deux fois|encore|deuxieme|plus|mais|seulement"
    r"|autre|avant|port"
    r"|frais|tout|toute|entier|dos veces|otra vez|segund\w|mas|sino|pero|solo|otr[oa]|antes|envio|gastos|todo"
    r"|entero|tweemaal"
    r"|twee keer|nogmaals|opnieuw|tweede|meer|maar|alleen|ander\w*|eerder|verzend\w*|hele|volledig\w*)\b"
)
"""Words that make a denial one of something else."""
