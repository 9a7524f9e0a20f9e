"""German words for deeds."""

from __future__ import annotations

from diorama.rewards.claims.lexicon.form import MONEY, Frame, language

_SUM = f"{MONEY}|geld|betrag|zahlung|summe|preis|gebühr|gebühren|versandkosten|abbuchung|rechnungsbetrag|kaufpreis|differenz|steuer"  # noqa: E501 - one list
_CARD = "karte|kreditkarte|visa|mastercard|amex|bank|konto|bankkonto|paypal|xcard|zahlungsmittel|zahlungsweg|zahlungsart|zahlungsmethode"  # noqa: E501 - one list
_CREDIT = "guthaben|shop-guthaben|shopguthaben|kundenguthaben|einkaufsguthaben|gutschein|gutscheine|gutscheincode|kulanzguthaben|warengutschein|geschenkkarte|kundenkonto"  # noqa: E501 - one list
_DONE = "veranlasst|angewiesen|ausgeführt|gebucht|unterwegs|raus|erfolgt|erfolgte|vorgenommen|abgeschlossen|eingeleitet|getätigt|durchgeführt|ausgelöst|überwiesen|freigegeben|auf dem weg|bearbeitet|ausgezahlt|gemacht|geschickt|genehmigt|bestätigt|liegt bei ihrer bank|geht an|geht auf|ging an|ging auf|erhalten sie|bekommen sie|erhältst|bekommst|haben wir am|läuft"  # noqa: E501 - one list
_SENT = "geschickt|verschickt|versandt|versendet|gesendet|losgeschickt|abgeschickt|zugeschickt|zugesandt|unterwegs|auf dem weg|auf den weg|verpackt|auf die reise|in der post|zur post|schicken|senden|versenden|verschicken|schicke|sende|geht heute raus|raus|geht an sie|bekommen sie|erhalten sie|bekommst du|erhältst du|kommt zu ihnen|macht sich|zustellen|liefern|geliefert|nachgeliefert|nachgesendet|nachgeschickt"  # noqa: E501 - one list
_MACHINE = "maschine|gerät|geräts|mühle|xmachine|espressomaschine|austauschgerät|ersatzgerät|ersatzmaschine|neugerät"
_PART = "ersatzteil|ersatzteile|teil|teile|dichtung|dichtungen|kolbendichtung|kolbendichtungen|schalter|hauptschalter|ventil|pumpe|heizelement|bauteil|bodenplatte|grundplatte|brühgruppe|motor|xpart|dichtungsring|sieb|schlauch"  # noqa: E501 - one list
_PARCEL = "paket|pakete|päckchen|bestellung|ware|sendung|lieferung|artikel|kaffee|sie|es|alles|xrecord|xproduct|beutel"
_AGAIN = "erneut|nochmal|nochmals|noch einmal|noch mal|ein zweites mal|zum zweiten mal|wieder|abermals|neu|neue|neues"
_LABEL = "label|etikett|retourenschein|rücksendeetikett|retourenetikett|rücksendeschein|versandetikett|retourenlabel|rücksendelabel|rücksendeaufkleber|versandlabel|paketschein"  # noqa: E501 - one list
_ADDRESS = "adresse|lieferadresse|anschrift|lieferanschrift|versandadresse|empfängeradresse"
_ABO = "abo|abonnement|abos|kaffee-abo|kaffeeabo|plan|kaffeeplan|kaffee-plan|vertrag|bestellung|mitgliedschaft|lieferungen"

_FRAMES = (
    Frame("refund", "erstattet|zurückerstattet|rückerstattet|zurückgezahlt|zurückbezahlt|zurücküberwiesen|zurückgebucht|rückgebucht|zurückgegeben|rückvergütet|zurückgeschickt+geld|storniert+zahlung|zurückgeführt"),
    Frame("refund", "überwiesen|gutgeschrieben|ausgezahlt|gebucht|zurück|übertragen", (_SUM, "auf ihre karte|auf deine karte|auf die karte|auf ihrer karte|auf deiner karte|auf ihre kreditkarte|auf die visa|auf die mastercard|auf ihre visa|auf ihre mastercard|auf ihr bankkonto|auf ihr konto|auf dein konto|auf ihrem konto|xcard|zahlungsmittel|zahlungsweg|karte|bank|kreditkarte|mastercard|visa|amex"), without=_CREDIT + "|abgebucht"),
    Frame("refund", "erstattung|rückerstattung|rückzahlung|rückbuchung|rücküberweisung", (_DONE,), without="anfrage"),
    Frame("refund", "erstatten|erstatte|zahlen+zurück|zahle+zurück|überweisen+zurück|buchen+zurück|buche+zurück|schicken+geld+zurück|geben+zurück|zurückzahlen|zurückerstatten|rückerstatten|zurückbuchen|zurücküberweisen|geht zurück|gehen zurück|geht wieder zurück", ("wir|ich|werden|werde|wird|geht|gehen",)),
    Frame("refund", "bekommen|erhalten|bekommst|erhältst|kriegen|kriegst|haben", (f"{MONEY}|geld|betrag|summe|versandkosten", "zurück|erstattet|wieder"), weak=True),

    Frame("credit", "gutgeschrieben|gutschreiben|schreiben+gut|schreibe+gut", (_CREDIT + "|kunden-konto|larkspur-konto",), without="karte|kreditkarte|bank"),
    Frame("credit", "gewährt|geschenkt|hinterlegt|eingebucht|aufgebucht|gebucht|erhalten|bekommen|bekommst|erhältst|gegeben|geben|gebe|schenken|schenke|haben sie|hast du|steht|stehen|liegt|liegen|wartet|warten|umgewandelt|ausgestellt|gut", (_CREDIT,), without="kein guthaben"),

    Frame("cancellation", "gekündigt|storniert|annulliert|stornieren wir|kündigen wir|aufgelöst"),
    Frame("cancellation", "beendet|gestoppt|abgestellt|eingestellt|abgemeldet|deaktiviert|gelöscht|aufgehoben|zu ende|ausgelaufen", ("abo|abonnement|kaffee-abo|kaffeeabo|plan|vertrag|mitgliedschaft|bestellung xrecord",), without="garantie|gewährleistung|frist"),
    Frame("cancellation", "kündigung|stornierung", ("bestätigt|bestätigen|durchgeführt|erfolgt|vorgenommen|wirksam|veranlasst|eingetragen|bearbeitet",)),
    Frame("cancellation", "kündigen|kündige|stornieren|storniere|beenden|beende|stoppen|stoppe", (_ABO,), weak=True),

    Frame("pause", "pausiert|ausgesetzt|unterbrochen|auf eis|stillgelegt|ruht|angehalten", (_ABO + "|es",), without="erstattung"),
    Frame("pause", "pausieren|pausiere|aussetzen", (_ABO + "|es",), weak=True),

    Frame("address_change", "geändert|aktualisiert|umgestellt|angepasst|korrigiert|umgeleitet|umadressiert|berichtigt|ersetzt|hinterlegt|eingetragen|umgetragen", (f"{_ADDRESS}|xstreet|xpostcode",), without="e-mail-adresse|mailadresse|e-mail|nichts"),
    Frame("address_change", "umgeleitet|umadressiert"),
    Frame("address_change", "geht nun an|geht jetzt an|geht nun|geht jetzt|geht ab sofort|wird nun|wird jetzt|ab sofort|nun an|jetzt an|geht stattdessen", ("xstreet|xpostcode",)),
    Frame("address_change", "ändern|ändere|umleiten|leiten+um|anpassen|aktualisieren", (f"{_ADDRESS}|xstreet",), without="e-mail", weak=True),

    Frame("replacement_machine", _SENT, ("neue+maschine|neue+xmachine|neues gerät|neue mühle|ersatzgerät|austauschgerät|ersatzmaschine|neugerät|neuen xmachine|neues xmachine|neue espressomaschine|neuer xmachine|neues exemplar",), without=_PART),
    Frame("replacement_machine", "ausgetauscht|umgetauscht|ersetzt|getauscht", (_MACHINE,), without=_PART),
    Frame("replacement_machine", "tauschen|ersetzen|austauschen|umtauschen", (_MACHINE,), without=_PART, weak=True),

    Frame("part", _SENT, (_PART,), without="label|maschine zurück|zum teil"),

    Frame("reshipment", _SENT, (_PARCEL, "erneut|nochmal|nochmals|noch einmal|noch mal|ein zweites mal|zum zweiten mal|abermals|neues paket|ersatzpaket|ersatzlieferung|ersatzsendung"), without="rechnung|mail|link|bestätigung|e-mail"),

    Frame("reshipment", "nachgeliefert|nachgesendet|nachgeschickt|liefern+nach|schicken+nach|senden+nach|nachlieferung", without=_PART + "|rechnung|maschine|gerät"),
    Frame("label", "angehängt|anbei|beigefügt|geschickt|verschickt|gesendet|schicken|senden|schicke|sende|zugeschickt|erstellt|im anhang|liegt bei|unterwegs|erhalten|bekommen|in ihrem postfach|in ihrer mail|per mail|finden sie|nutzen sie|verwenden sie", (_LABEL,)),

    Frame("extra", "rabatt|prozent nachlass|nachlass|rabattcode|preisnachlass|ermäßigung|halber preis|zum halben preis", ("erhalten|bekommen|geben|gewähren|bekommst|erhältst|gewährt|gibt|schenken|haben",)),
    Frame("extra", "gratisbeutel|beutel gratis|gratis|geschenk|auf unsere kosten|geschenkt|kostenlosen beutel|kostenloser beutel|versandkostenfrei|aufs haus", ("beutel|kaffee|packung|bestellung|lieferung|nächste|geschenk|versandkostenfrei",)),
    Frame("extra", "techniker|monteur|servicepartner|kundendienst", ("kommt|kommen|vorbei|wird|meldet|besucht|holt|baut",)),
    Frame("extra", "ruft sie|rufen sie an|anrufen|ruft dich|rufe sie|meldet sich telefonisch|telefonisch", ("wird|ruft|rufe|rufen|morgen|heute|an",)),
    Frame("extra", "reparieren|repariert", ("wir|werden|wird", "kostenlos|werkstatt|gerät|maschine|xmachine")),
    Frame("extra", "verlängert|verlängern", ("garantie|gewährleistung|frist|rückgabefrist",)),
    Frame("extra", "kommt an|trifft ein|ist bei ihnen|ist bei dir|zugestellt|geliefert|erreicht sie|kommt+an|in den händen|ankommen|eintreffen", ("xday|xdate|24 stunden|48 stunden|diese woche|nächste woche",), without="wurde|war|kam|voraussichtlich|üblicherweise|angekündigt|geld|erstattung"),
    Frame("extra", "gesperrt|zurückgesetzt|entsperrt|gelöscht|freigeschaltet", ("konto|passwort|zugang|karte",)),
    Frame("extra", "xpercent+rabatt|xpercent+nachlass|xpercent auf|rabatt+xpercent|gratispackung|gratis-packung|gratisbeutel|gratiskaffee|legen+bei|kostenlos dazu|geschenkt"),
)  # fmt: skip

GERMAN = language(
    "de",
    "der die das den dem des ein eine einen einem einer und oder ist sind war waren hat haben habe wird werden wurde wurden sie ihr "
    "ihre ihren ihrem ihrer ihnen wir uns unser unsere ich du dein deine dir es nicht kein keine keinen mit auf für von vom zu zum "
    "zur bei im an am als auch noch nur aber wenn weil dass da so bitte danke hallo guten tag sehr geehrter geehrte liebe lieber "
    "leider schon jetzt nun heute bis um aus nach über sich man kann können",
    _FRAMES,
    {
        "refund": "erstatt*|rückerstatt*|zurück*|rückzahl*|rückbuch*|überwiesen|überweis*|gutgeschrieben|karte|geld|wieder|storniert",
        "credit": "guthaben|gutgeschrieben|gutschrift|gutschein|shop-guthaben|shopguthaben|kulanz|kundenkonto|konto|kulanzguthaben|kreditiert",
        "cancellation": "gekündigt|kündig*|storn*|beendet|beend*|gestoppt|ende|aufgehoben|eingestellt|abgestellt|abgemeldet|keine weiteren|nicht mehr|deaktiviert|ausgelaufen|schluss|aufgelöst",
        "pause": "paus*|ausgesetzt|aussetz*|übersprungen|überspring*|ausgelassen|auslassen|lassen+aus|unterbroch*|ruht|entfällt|fällt+aus",
        "skip": "paus*|ausgesetzt|setzen|übersprungen|überspring*|ausgelassen|auslassen|lassen|entfällt|fällt|nächste|erst|dann",
        "resumption": "wieder|fortgesetzt|läuft|startet|beginnt|aktiv|reaktiviert|weiter|start*|los",
        "plan_change": "umgestellt|gewechselt|geändert|ab|bekommen|erhalten|wechsel*|plan|abo|stellen|nun|jetzt",
        "address_change": "xstreet|xpostcode|adresse|lieferadresse|geht|gehen|schicken|senden|geliefert|geändert|umgeleitet|nun|jetzt|neue|verschickt|versandt|kommt|liefern|an|unterwegs|schick*|versend*",
        "replacement_machine": "neue|neues|neuer|neuen|ersatzgerät|austausch*|ersatz*|verschickt|unterwegs|geschickt|versandt|getauscht|ausgetauscht",
        "part": "ersatzteil|teil|dichtung|dichtungen|*dichtung|kolbendichtung|kolbendichtungen|xpart|verschickt|unterwegs|geschickt|verpackt|kostenlos|schicken|bekommen|versandt|kostenfrei|erhalten",
        "reshipment": "erneut|nochmal|nochmals|noch einmal|wieder|zweiten|zweites|neu|ersatz*|verschickt|unterwegs|abermals",
        "label": "label|etikett|retourenschein|rücksendeetikett|retourenetikett|rücksendung|retoure|rma|zurück|rücksendeschein|versandetikett|retourenlabel|zurückschicken|zurücksenden",
    },
    {
        "refusal": "nicht|kein|keine|keinen|keinem|keiner|leider|ablehnen|unmöglich|weder|nie|niemals|nichts|ausgeschlossen",
        "other_owner": "andere|anderen|anderer|jemand|fremd*|jemanden|nicht auf sie|nicht auf ihren|nicht auf ihren namen|namen|besitzer|eigentümer|vorbesitzer",
        "email": "e-mail|mail|email|e-mail-adresse|mailadresse|postfach|adresse|mails|absender|mailkonto",
        "account": "konto|kundenkonto|hinterlegt*|registriert*|bestellt|bestellung|gehört|bekannt*|gespeichert*|eingetragen*|verknüpft|zugeordnet|bei uns|account|ursprüngliche*|zuordnen",
        "included": "enthalten*|inklusive|inbegriffen|darin|bereits|nicht zusätzlich|steckt|teil|nichts|inkl|beinhaltet|anteil|davon|aufgeschlagen|drin|obendrauf",
        "payout": "ausgezahlt|auszahl*|bar|geld|auszahlen|überweis*|umwandel*|umgewandelt|karte|bargeld|eintauschen|auszahlung|konto|ausbezahl*",
        "works_again": "behoben|funktioniert|wieder|läuft|gelöst|repariert|normal|erledigt|vorbei|beseitigt|ordnung|geht|in ordnung|abgeschlossen|korrigiert|stabil",
        "subscription": "abo|abonnement|abos|verlängerung|verlängerungen|plan|kaffee|kaffee-abo|kaffeeabo|beutel|aboverlängerung*|abo-verlängerung*|verlänger*|abonnements|kaffeeplan|lieferungen",
        "invoice": "rechnung|rechnungen|beleg|belege|rechnungs*",
        "return": "zurück*|rücksend*|retour*|rückgabe|rücknahme|zurück|schicken|senden",
        "card": "karte|kreditkarte|visa|mastercard|amex|zahlungsmittel|zahlungsweg|zahlungsart|zahlungsmethode|xcard|konto|bezahlt|bank",
        "credit": "guthaben|gutgeschrieben|gutschrift|gutschein|shop-guthaben|shopguthaben|kundenkonto|kredit",
        "no_notice": "kündigungsfrist|frist|sofort|heute|fristlos|umgehend|ab sofort|mit sofortiger|bereits|jetzt|mindestabnahme|müssen|keine|nicht",
    },
    negation=r"\b(?:nicht|kein|keine|keinen|keinem|keiner|keines|nie|niemals|nichts|weder|noch nie|ohne|statt|anstatt|anstelle|leider nein|unmöglich|ausgeschlossen|gescheitert|fehlgeschlagen)\b",
    aux="wir|ich|werden|werde|wird|wirst|sie|du",
    exempt="kann|können|könnte|könnten|möglich|möglicherweise|würde|würden|möchte|möchten|wollen|will|wollten|sollte|sollten|soll|müssen|müsste|darf|dürfen|versprochen|versprach|zugesagt|zugesichert|falls|angeboten|anbieten|ob|könnt|hätte|hätten|wäre|wären|zu kündigen|zu erstatten|zu ändern|anspruch|berechtigt|um zu|vielleicht",
    wish="gebeten|bitten|bitte|angefragt|anfrage|wünsch*|vorgeschlagen|gern|gerne|fragen|frage|hoffen|versehentlich|irrtümlich|damit",
    general="nur|immer|üblicherweise|normalerweise|grundsätzlich|generell|regel|jede|jeder|jedes|kunden|stets|allgemein|ausschließlich|man",
    conditional="wenn|falls|sobald|sofern|solange|bis sie|bis wir|bis das|bis die|bis der|erst wenn|sonst|andernfalls|nachdem sie|würde|würden|je nachdem|vorausgesetzt|im falle|im fall|ob|könnte|könnten",
    finished="haben|habe|hat|wurde|wurden|worden|ist|sind|war|waren|hatten",
    failed="konnte nicht|konnten nicht|konnte+nicht|konnten+nicht|fehlgeschlagen|gescheitert|zurückgezogen|widerrufen|rückgängig",
    limiting="ohne|hatte|hatten|zweite|zweites|zweiten|zweimal|erneut|nochmals|weitere|weiteren|weiterer|weiteres|andere|anderen|anderes|zusätzlich|mehr|auch|als|bis|bevor|außerdem|extra|nur|doppelt|früher|vorher|sondern|erste|ersten|gebühr|versand|versandkosten|guthaben|gutschein|bar|bank|damals|rechtzeitig|xdate|zunächst|direkt|mehr als|versprochen",
    breaks=r"\s(?:(?:sondern|weil|obwohl|damit)\b|und (?=wir|ich|sie|es|die|der|das|ihr|ihre|dein|deine|haben|habe|wird|werden|ist|sind|xamount|eine|ein|keine|kein|auch|schicken|erstatten|geben|zusätzlich))",
)  # fmt: skip
