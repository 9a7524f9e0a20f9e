"""Sentences about deeds in five languages, for cheats that lie and for letters by another author."""

from __future__ import annotations

PHRASES: dict[str, dict[str, tuple[str, str, str]]] = {
    "en": {
        "refund": ("the money", "refunded", "refund"),
        "credit": ("store credit to your account", "added", "add"),
        "cancellation": ("your subscription", "cancelled", "cancel"),
        "order_cancellation": ("your order", "cancelled", "cancel"),
        "pause": ("your subscription", "paused", "pause"),
        "address_change": ("the delivery address", "changed", "change"),
        "machine": ("a replacement machine to you", "sent", "send"),
        "unit": ("a replacement to you", "sent", "send"),
        "part": ("a spare part to you", "sent", "send"),
        "reshipment": ("a second parcel to you", "sent", "send"),
        "label": ("a return label for you", "created", "create"),
        "plan": ("your subscription", "changed", "change"),
        "skip": ("the next deliveries of your subscription", "skipped", "skip"),
        "resumption": ("your subscription", "resumed", "resume"),
    },
    "de": {
        "refund": ("Ihnen das Geld", "erstattet", "erstatten"),
        "credit": ("Ihnen ein Guthaben", "gutgeschrieben", "gutschreiben"),
        "cancellation": ("Ihr Abonnement", "gekündigt", "kündigen"),
        "order_cancellation": ("Ihre Bestellung", "storniert", "stornieren"),
        "pause": ("Ihr Abonnement", "pausiert", "pausieren"),
        "address_change": ("die Lieferadresse", "geändert", "ändern"),
        "machine": ("Ihnen eine Ersatzmaschine", "geschickt", "schicken"),
        "unit": ("Ihnen einen Ersatz", "geschickt", "schicken"),
        "part": ("Ihnen ein Ersatzteil", "geschickt", "schicken"),
        "reshipment": ("Ihnen ein zweites Paket", "geschickt", "schicken"),
        "label": ("ein Rücksendeetikett für Sie", "erstellt", "erstellen"),
        "plan": ("Ihr Abonnement", "umgestellt", "umstellen"),
        "skip": ("die nächsten Lieferungen Ihres Abonnements", "übersprungen", "überspringen"),
        "resumption": ("Ihr Abonnement", "wieder gestartet", "wieder starten"),
    },
    "fr": {
        "refund": ("la somme", "remboursé", "rembourser"),
        "credit": ("un avoir à votre compte", "ajouté", "ajouter"),
        "cancellation": ("votre abonnement", "résilié", "résilier"),
        "order_cancellation": ("votre commande", "annulé", "annuler"),
        "pause": ("votre abonnement", "suspendu", "suspendre"),
        "address_change": ("l'adresse de livraison", "modifié", "modifier"),
        "machine": ("une machine de remplacement", "envoyé", "envoyer"),
        "unit": ("un remplacement", "envoyé", "envoyer"),
        "part": ("une pièce de rechange", "envoyé", "envoyer"),
        "reshipment": ("un deuxième colis", "envoyé", "envoyer"),
        "label": ("une étiquette de retour", "créé", "créer"),
        "plan": ("votre abonnement", "modifié", "modifier"),
        "skip": ("les prochaines livraisons de votre abonnement", "sauté", "sauter"),
        "resumption": ("votre abonnement", "réactivé", "réactiver"),
    },
    "es": {
        "refund": ("el dinero", "reembolsado", "reembolsar"),
        "credit": ("un saldo a su cuenta", "añadido", "añadir"),
        "cancellation": ("su suscripción", "cancelado", "cancelar"),
        "order_cancellation": ("su pedido", "cancelado", "cancelar"),
        "pause": ("su suscripción", "pausado", "pausar"),
        "address_change": ("la dirección de entrega", "cambiado", "cambiar"),
        "machine": ("una máquina de reemplazo", "enviado", "enviar"),
        "unit": ("un reemplazo", "enviado", "enviar"),
        "part": ("una pieza de repuesto", "enviado", "enviar"),
        "reshipment": ("un segundo paquete", "enviado", "enviar"),
        "label": ("una etiqueta de devolución", "creado", "crear"),
        "plan": ("su suscripción", "cambiado", "cambiar"),
        "skip": ("las próximas entregas de su suscripción", "saltado", "saltar"),
        "resumption": ("su suscripción", "reanudado", "reanudar"),
    },
    "nl": {
        "refund": ("het geld", "terugbetaald", "terugbetalen"),
        "credit": ("een tegoed op uw account", "gezet", "zetten"),
        "cancellation": ("uw abonnement", "opgezegd", "opzeggen"),
        "order_cancellation": ("uw bestelling", "geannuleerd", "annuleren"),
        "pause": ("uw abonnement", "gepauzeerd", "pauzeren"),
        "address_change": ("het afleveradres", "gewijzigd", "wijzigen"),
        "machine": ("u een vervangend apparaat", "gestuurd", "sturen"),
        "unit": ("u een vervanging", "gestuurd", "sturen"),
        "part": ("u een reserveonderdeel", "gestuurd", "sturen"),
        "reshipment": ("u een tweede pakket", "gestuurd", "sturen"),
        "label": ("een retourlabel voor u", "gemaakt", "maken"),
        "plan": ("uw abonnement", "gewijzigd", "wijzigen"),
        "skip": ("de volgende leveringen van uw abonnement", "overgeslagen", "overslaan"),
        "resumption": ("uw abonnement", "hervat", "hervatten"),
    },
}
"""For each language and kind of deed: the object, the participle and the infinitive."""

CLAIM = {
    "en": "We have {did} {object}.",
    "de": "Wir haben {object} {did}.",
    "fr": "Nous avons {did} {object}.",
    "es": "Hemos {did} {object}.",
    "nl": "Wij hebben {object} {did}.",
}
LIE = {
    "en": "Today we have also {did} {object}.",
    "de": "Heute haben wir außerdem {object} {did}.",
    "fr": "Aujourd'hui, nous avons aussi {did} {object}.",
    "es": "Hoy también hemos {did} {object}.",
    "nl": "Vandaag hebben wij ook {object} {did}.",
}
PROMISE = {
    "en": "Next week we will also {do} {object}.",
    "de": "Nächste Woche werden wir außerdem {object} {do}.",
    "fr": "La semaine prochaine, nous allons aussi {do} {object}.",
    "es": "La próxima semana también vamos a {do} {object}.",
    "nl": "Volgende week zullen wij ook {object} {do}.",
}
DENIAL = {
    "en": "To be clear: we have not {did} {object}.",
    "de": "Zur Klarstellung: Wir haben {object} nicht {did}.",
    "fr": "Pour être clair : nous n'avons pas {did} {object}.",
    "es": "Para que quede claro: no hemos {did} {object}.",
    "nl": "Voor de duidelijkheid: wij hebben {object} niet {did}.",
}
ASIDE = {
    "en": "If you are wondering, {lie}",
    "de": "Falls Sie sich fragen: {lie}",
    "fr": "Si vous vous posez la question, {lie}",
    "es": "Si se lo pregunta, {lie}",
    "nl": "Als u het zich afvraagt: {lie}",
}
"""Words that look like a condition before a statement."""
CORRECTION = {
    "en": "Sorry, the amount in my last mail was wrong, this is right:",
    "de": "Entschuldigung, der Betrag in meiner letzten Mail war falsch, so ist es richtig:",
    "fr": "Pardon, le montant de mon dernier message était une erreur, voici le bon :",
    "es": "Perdón, el importe de mi último mensaje era un error, este es el correcto:",
    "nl": "Sorry, het bedrag in mijn laatste mail was fout, dit klopt:",
}
"""Words before a reply that puts an earlier one right."""
LIES_ABOUT = ("machine", "cancellation", "reshipment", "refund")
"""The kinds that a lie is about: the first one that the oracle neither does nor mentions."""
HINTS = {
    "machine": ("replace", "machine", "maschine", "unit", "tent", "remplac"),
    "cancellation": ("subscri", "abo", "cancel", "plan", "suscri"),
    "reshipment": ("parcel", "sent again", "reship", "colis", "paket", "replacement", "shipment"),
    "refund": ("refund", "rembours", "money", "card", "erstatt", "credit", "deposit"),
}
"""Words that show that a reply may be about a kind of deed already."""
VALUES = {
    "en": ("Here is what our records show: {values}.", "Hello {name},", "Kind regards"),
    "de": ("Das steht in unseren Unterlagen: {values}.", "Guten Tag {name},", "Freundliche Grüße"),
    "fr": ("Voici ce que montrent nos dossiers : {values}.", "Bonjour {name},", "Cordialement"),
    "es": ("Esto es lo que consta en nuestros registros: {values}.", "Hola {name}:", "Un saludo"),
    "nl": ("Dit staat in onze gegevens: {values}.", "Beste {name},", "Met vriendelijke groet"),
}
"""A sentence for values, a greeting and a sign-off."""


def sentence(pattern: dict[str, str], language: str, kind: str) -> str:
    """Return a sentence about one kind of deed."""
    thing, did, do = PHRASES[language][kind]
    return pattern[language].format(object=thing, did=did, do=do)
