"""Dutch words for deeds."""

from __future__ import annotations

from diorama.rewards.claims.lexicon.form import MONEY, Frame, language

_SUM = f"{MONEY}|geld|bedrag|betaling|som|prijs|kosten|verzendkosten|afschrijving|totaal|btw|aankoopbedrag"
_CREDIT = "tegoed|winkeltegoed|shoptegoed|tegoedbon|waardebon|cadeaubon|kortingsbon|voucher|klanttegoed|saldo|cadeaukaart"
_DONE = "gedaan|verwerkt|uitgevoerd|onderweg|gemaakt|in gang|overgemaakt|geboekt|verzonden|uitbetaald|geregeld|aangemaakt|goedgekeurd|verricht|gestart|doorgevoerd|is gegaan|ging|staat|gestuurd|toegekend|krijg je|krijgt u|ontvang je|ontvangt u|afgehandeld|bevestigd|opgestart|ingezet"  # noqa: E501 - one list
_SENT = "gestuurd|verstuurd|verzonden|opgestuurd|toegestuurd|nagestuurd|verstuur|sturen|stuur|versturen|verzenden|onderweg|de deur uit|op de post|op weg|ingepakt|verpakt|krijg je|krijgt u|ontvang je|ontvangt u|geleverd|leveren|komt naar je|komt eraan|bezorgd|meegegeven|goedgekeurd|opsturen|toesturen|sturen we|klaargezet"  # noqa: E501 - one list
_MACHINE = "machine|apparaat|toestel|molen|xmachine|espressomachine|koffiemolen"
_PART = "onderdeel|onderdelen|afdichting|afdichtingen|zuigerafdichting|zuigerafdichtingen|schakelaar|hoofdschakelaar|ventiel|pomp|element|bodemplaat|slang|motor|xpart|pakking|rubber|reserveonderdeel|dichting"  # noqa: E501 - one list
_PARCEL = "pakket|pakje|bestelling|goederen|zending|artikel|artikelen|koffie|het|hem|ze|xrecord|xproduct|zak|zakken|alles"
_AGAIN = "opnieuw|nog een keer|nog eens|nogmaals|een tweede keer|voor de tweede keer|alsnog|nieuw pakket|tweede zending"  # noqa: E501 - one list
_LABEL = "label|labels|retourlabel|verzendlabel|retourbon|retouretiket|retourformulier|etiket"
_ADDRESS = "adres|adressen|bezorgadres|afleveradres|leveradres|verzendadres|bestemming"
_ABO = "abonnement|abonnementen|koffieabonnement|plan|koffie|bestelling|contract|leveringen"

_FRAMES = (
    Frame("refund", "terugbetaald|teruggestort|teruggeboekt|terugbetalen we|teruggegeven|gerestitueerd|vergoed|teruggemaakt|terugbetaling gedaan|teruggeschreven", without="verlenging"),
    Frame("refund", "storten+terug|stort+terug|betalen+terug|betaal+terug|boeken+terug|boek+terug|maken+terug|terugstorten|terugbetalen|terugboeken|terugmaken", ("we|wij|ik|zullen|zal|gaan|wordt|worden",)),
    Frame("refund", "krijg|krijgt|ontvangt|ontvang|heb|hebt|zie|ziet", (f"{MONEY}|geld|bedrag|som", "terug")),
    Frame("refund", "overgemaakt|gestort|bijgeschreven|geboekt|gezet|terug|onderweg|gecrediteerd|uitbetaald|overgeboekt", (_SUM, "kaart|creditcard|visa|mastercard|amex|bank|bankrekening|rekening|xcard|betaalmethode|betaalmiddel"), without=_CREDIT + "|afgeschreven"),
    Frame("refund", "terugbetaling|restitutie|terugboeking|terugstorting", (_DONE,), without="verzoek"),

    Frame("credit", "bijgeschreven|toegevoegd|gegeven|toegekend|gezet|gestort|geboekt|omgezet|krijg|krijgt|ontvangt|ontvang|heb|hebt|heeft|staat|staan|gecrediteerd|geven|schenken|geef|bedraagt|wacht|cadeau|opgewaardeerd|aangevuld|verhoogd",
          (_CREDIT,)),

    Frame("cancellation", "opgezegd|geannuleerd|stopgezet|geannuleerd|beeindigd|ontbonden|geroyeerd", without="garantie"),
    Frame("cancellation", "gestopt|afgesloten|uitgezet|beëindigd|gestaakt|afgelopen|stoppen|ten einde", ("abonnement|koffieabonnement|plan|contract|koffie",), without="garantie|termijn"),
    Frame("cancellation", "opzegging|annulering", ("bevestigd|verwerkt|gedaan|doorgevoerd|rond|bevestigen|uitgevoerd",)),
    Frame("cancellation", "annuleren|opzeggen|beëindigen|stopzetten|annuleer|zeg+op|zeggen+op", (_ABO,), weak=True),

    Frame("pause", "gepauzeerd|op pauze|opgeschort|stilgezet|bevroren|onderbroken|in de wacht", (_ABO + "|het",)),
    Frame("pause", "pauzeren|pauzeer", (_ABO + "|het",), weak=True),

    Frame("address_change", "gewijzigd|aangepast|veranderd|bijgewerkt|omgezet|omgeleid|gecorrigeerd|vervangen|ingesteld|genoteerd", (f"{_ADDRESS}|xstreet|xpostcode",), without="mailadres|e-mail|e-mailadres|niets"),
    Frame("address_change", "omgeleid"),
    Frame("address_change", "gaat nu naar|gaat voortaan|gaat vanaf nu|wordt nu|nu naar|voortaan naar|vanaf nu", ("xstreet|xpostcode",)),
    Frame("address_change", "wijzigen|aanpassen|wijzig|omleiden", (f"{_ADDRESS}|xstreet",), without="mailadres|e-mail|e-mailadres", weak=True),

    Frame("replacement_machine", _SENT, ("nieuwe machine|nieuwe xmachine|nieuw apparaat|nieuw toestel|nieuwe molen|vervangende machine|vervangend apparaat|vervangend toestel|nieuwe espressomachine|nieuw exemplaar|vervangende xmachine|vervangend exemplaar",), without=_PART),
    Frame("replacement_machine", "omgeruild|vervangen|geruild", (_MACHINE,), without=_PART),

    Frame("part", _SENT, (_PART,), without="label"),

    Frame("reshipment", _SENT, (_AGAIN, _PARCEL), without="factuur|mail|link|bevestiging|e-mail"),

    Frame("reshipment", "nageleverd|nagezonden|nagestuurd|leveren+na", without=_PART + "|factuur|machine"),
    Frame("label", "bijgevoegd|bijlage|gestuurd|verstuurd|gemaild|aangemaakt|stuur|sturen|mailen|vind je|vindt u|in je mail|in uw mail|ontvang|ontvangt|krijg je|krijgt u|gebruik|onderweg|gemaakt|toegestuurd", (_LABEL,)),

    Frame("extra", "korting|kortingscode|halve prijs|procent af", ("krijg|krijgt|geven|ontvang|ontvangt|bieden|gegeven|hebt",)),
    Frame("extra", "gratis|cadeau|van ons|cadeautje|kosteloos", ("zak|zakje|koffie|verzending|cadeau|volgende|eerste|levering",)),
    Frame("extra", "monteur|technicus|reparateur", ("komt|langs|belt|zal|bezoekt",)),
    Frame("extra", "belt je|bellen je|bel je|belt u|bellen u|opbellen|terugbellen|bel u", ("morgen|vandaag|zal|we|collega|manager|leidinggevende|belt",)),
    Frame("extra", "repareren|gerepareerd|herstellen", ("we|werkplaats|gratis", "machine|xmachine|apparaat|hem|het")),
    Frame("extra", "verlengd|verlengen", ("garantie|termijn|retourtermijn",)),
    Frame("extra", "aankomen|komt aan|bezorgd|in huis|komt+binnen|ontvang je|heb je|geleverd", ("xday|xdate|24 uur|48 uur|deze week|volgende week",), without="was|werd|kwam|normaal|geld|terugbetaling|terug"),
    Frame("extra", "geblokkeerd|gereset|verwijderd|gedeblokkeerd", ("account|wachtwoord|kaart",)),
    Frame("extra", "xpercent+korting|xpercent op|korting+xpercent|cadeau|voor de helft"),
)  # fmt: skip

DUTCH = language(
    "nl",
    "de het een en of is zijn was waren heeft hebben heb wordt worden werd je jouw u uw we wij ons onze ik jij niet geen met op voor "
    "van naar bij in aan als ook nog maar dat die dit deze er dus wel al om te tot uit beste hoi dag geachte bedankt dank groet "
    "vriendelijke helaas graag kunnen kan zit daar hier over omdat meer jullie hoort",
    _FRAMES,
    {
        "refund": "terug*|restitut*|vergoed|gestort|overgemaakt|kaart|geld|gecrediteerd|bijgeschreven",
        "credit": "tegoed|winkeltegoed|shoptegoed|tegoedbon|waardebon|voucher|saldo|bijgeschreven|account",
        "cancellation": "opgezegd|opzeg*|geannuleerd|annul*|beëindig*|gestopt|stopgezet|stop*|geen afschrijving*|afgelopen|voorbij|einde|afgesloten|eindigt|uitgezet",
        "pause": "gepauz*|pauze*|overgeslagen|overslaan|slaan+over|opgeschort|uitgesteld|sla+over",
        "skip": "gepauz*|pauze*|overgeslagen|overslaan|slaan|sla|volgende|daarna|eerstvolgende|vervalt|uitgesteld|niet",
        "resumption": "hervat*|weer|loopt|gestart|start*|begint|opnieuw|actief|door",
        "plan_change": "gewijzigd|omgezet|overgezet|veranderd|vanaf|krijg*|abonnement|plan|voortaan|nu|overgestapt",
        "address_change": "xstreet|xpostcode|adres|gaat|gaan|stur*|verstuur*|bezorg*|gewijzigd|aangepast|nu|nieuwe|verzonden|gestuurd|naar|komt|omgeleid|lever*|geleverd",
        "replacement_machine": "nieuwe|nieuw|vervang*|verstuurd|onderweg|verzonden|gestuurd|omgeruild|ander*",
        "part": "onderdeel|onderdelen|afdichting*|zuigerafdichting*|pakking|xpart|verstuurd|onderweg|verzonden|ingepakt|gratis|gestuurd|krijg*|kosteloos",
        "reshipment": "opnieuw|nog een keer|nogmaals|weer|tweede|alsnog|verstuurd|verzonden|nieuw",
        "label": "label|labels|retourlabel|verzendlabel|retour|rma|terugsturen|terug*|retourbon",
    },
    {
        "refusal": "niet|geen|helaas|nooit|onmogelijk|niets|weiger*|noch|nee",
        "other_owner": "ander|andere|anders|iemand|niet op uw naam|naam|eigenaar|derde",
        "email": "e-mail|mail|mailadres|e-mailadres|email|adres|mailbox|postvak|afzender",
        "account": "account|geregistreerd*|bekend*|besteld*|bestelling|gekoppeld|hoort|bij ons|gegevens|kennen|gebruikt|oorspronkelijke|klantaccount|geplaatst",
        "included": "inbegrepen|inclusief|zit|bevat|onderdeel|niets|al|waarvan|deel|bovenop|extra",
        "payout": "uitbetaald|uitbetalen|uitkeren|geld|contant|omzetten|omgezet|kaart|overgemaakt|overmaken|uitbetaling|inwisselen|ingewisseld|rekening|cash",
        "works_again": "opgelost|hersteld|werkt|weer|verholpen|gerepareerd|normaal|voorbij|gefikst|in orde|orde|klaar|rechtgezet|werken|over",
        "subscription": "abonnement|abonnementen|verlenging|verlengingen|koffie|koffieabonnement|zak|zakken|zakjes|plan|verleng*|abonnementsverlenging*|abo",
        "invoice": "factuur|facturen|rekening",
        "return": "retour*|terug*|terugsturen|retourneren",
        "card": "kaart|creditcard|visa|mastercard|amex|betaalmethode|betaalmiddel|betaalwijze|xcard|rekening|betaald|betaalde",
        "credit": "tegoed|winkeltegoed|tegoedbon|waardebon|voucher|saldo|account",
        "no_notice": "opzegtermijn|vandaag|direct|onmiddellijk|meteen|per direct|termijn|nu|hoeft|hoef|geen|verplicht*|ingang",
    },
    negation=r"\b(?:niet|geen|nooit|niets|noch|zonder|onmogelijk|in plaats van|niks|mislukt)\b",
    aux="we|wij|ik|zullen|zal|gaan|ga|je|u|wordt|worden",
    exempt="kan|kunnen|kunt|kun|kon|konden|mogelijk|zou|zouden|wil|wilt|willen|wilde|wilden|wens*|moet|moeten|moest|mag|mogen|beloofd|beloofde|belofte|als|zodat|om te|recht|bieden|aanbieden|eventueel|misschien",
    wish="gevraagd|vroeg|verzoek|verzocht|voorgesteld|voorstel|alstublieft|vraag|graag|stuur ons|laat|hoop|hopen|per ongeluk",
    general="altijd|alleen|uitsluitend|normaal|gewoonlijk|meestal|in het algemeen|regel|elke|ieder|iedere|klanten|doorgaans|enkel",
    conditional="als|indien|zodra|wanneer|tenzij|mits|anders|totdat|zou|zouden|afhankelijk|in geval|nadat je|nadat u|of je|kan|kunt|kun",
    finished="hebben|heb|heeft|is|zijn|was|waren|werd|werden",
    failed="kon niet|konden niet|kon+niet|konden+niet|mislukt|ingetrokken|herroepen|teruggedraaid",
    limiting="zonder|had|hadden|tweede|twee keer|tweemaal|opnieuw|nogmaals|ander|andere|verder|extra|meer|ook|dan|tot|voordat|alleen|dubbel|dubbele|eerder|eerste|kosten|verzendkosten|tegoed|bon|contant|bank|xdate|toen|rechtstreeks|beloofd|daarnaast|langer|al",
    breaks=r"\s(?:(?:maar|omdat|want|terwijl|hoewel|aangezien|zodat)\b|en (?=we|wij|ik|je|u|het|de|er|een|hebben|heb|is|zijn|wordt|sturen|stuur|xamount|geen|krijg|krijgt|omdat|onze|uw|eindigt|daarnaast|ook))",
)  # fmt: skip
