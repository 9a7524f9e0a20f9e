"""Mails in the customer's own language, sent through a form with a fixed subject."""

import msgspec


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """The texts of one mail in one language."""

    matter: tuple[str, ...]
    wish: str
    answer: str


FORM = {
    "de": Words(
        matter=(
            (
                "[eigentlich wollte ich nur wissen, ob der Artikel {product} bald wieder lieferbar ist|"
                "im Formular gibt es leider keinen passenden Punkt, daher so]."
            ),
            (
                "[Wichtiger ist mir aber|Worum es wirklich geht]: Die Bestellung {order_number} ist seit drei Wochen "
                "unterwegs und [bei mir nie angekommen|nirgends abgegeben worden, auch nicht bei den Nachbarn]."
            ),
            "[Geld will ich keines, nur die Ware.|Bitte suchen Sie das Päckchen oder schicken Sie es noch einmal.]",
        ),
        wish="Die Bestellung {order_number} ist nie angekommen, bitte schicken Sie sie noch einmal.",
        answer=(
            "Guten Tag, der Versanddienst hat das Paket der Bestellung {order_number} verloren. Wir haben es heute "
            "noch einmal abgeschickt; die Sendungsnummer ist {number}."
        ),
    ),
    "fr": Words(
        matter=(
            (
                "[je voulais surtout savoir si {product} revient bientôt en stock|"
                "le formulaire ne propose rien qui convienne, j'écris donc ici]."
            ),
            (
                "[Le vrai sujet|Le plus important] : la commande {order_number} est partie il y a trois semaines et "
                "[n'est jamais arrivée|personne ici ne l'a reçue, les voisins non plus]."
            ),
            "[Je ne veux pas d'argent, je veux mon colis.|Pouvez-vous la retrouver, ou l'envoyer une seconde fois ?]",
        ),
        wish="La commande {order_number} n'est jamais arrivée, merci de la renvoyer.",
        answer=(
            "Bonjour, le transporteur a perdu le colis de la commande {order_number}. Nous l'avons renvoyé "
            "aujourd'hui ; le numéro de suivi est {number}."
        ),
    ),
    "es": Words(
        matter=(
            (
                "[quería preguntar si {product} volverá a estar en la tienda|"
                "el formulario no tiene la opción que necesito, así que escribo aquí]."
            ),
            (
                "[Lo importante es otra cosa|Lo que me preocupa]: el pedido {order_number} salió hace tres semanas y "
                "[nunca ha llegado|aquí no lo tiene nadie, tampoco los vecinos]."
            ),
            "[No quiero el dinero, quiero el paquete.|¿Pueden buscarlo, o mandarlo otra vez?]",
        ),
        wish="El pedido {order_number} nunca ha llegado, por favor envíenlo otra vez.",
        answer=(
            "Hola, el transportista ha perdido el paquete del pedido {order_number}. Lo hemos enviado de nuevo hoy; "
            "el número de seguimiento es {number}."
        ),
    ),
    "nl": Words(
        matter=(
            (
                "[ik wilde eigenlijk vragen of {product} binnenkort weer leverbaar is|"
                "het formulier heeft geen vakje voor mijn vraag, dus dan maar zo]."
            ),
            (
                "[Maar waar het om gaat|Belangrijker]: bestelling {order_number} is drie weken geleden verstuurd en "
                "[hier nooit aangekomen|bij niemand bezorgd, ook niet bij de buren]."
            ),
            "[Het geld hoef ik niet terug, ik wil het pakje.|Kunnen jullie het zoeken, of nog een keer sturen?]",
        ),
        wish="Bestelling {order_number} is nooit aangekomen, stuur hem alstublieft nog een keer.",
        answer=(
            "Hallo, de bezorger is het pakje van bestelling {order_number} kwijtgeraakt. We hebben het vandaag opnieuw "
            "verstuurd; het trackingnummer is {number}."
        ),
    ),
}
"""The same issue in the languages of the shop's customers."""
