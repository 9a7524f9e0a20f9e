"""How customers ask about a deposit, in both languages; slots are the persona's facts."""

from __future__ import annotations

SUBJECTS = {
    "en": ("deposit", "My deposit", "rental deposit??", "Kit is back", "where's my deposit", "Rental", "hi"),
    "fr": ("dépôt", "Mon dépôt", "location", "dépôt de location", "Où est mon dépôt"),
}
WISH = {"en": "I would like my deposit sorted out.", "fr": "J'aimerais que mon dépôt soit réglé."}
ASKING = {
    "en": (
        "[we sent back the kit of rental {order_number}|the kit from {order_number} went back to you a while ago].",
        "The {deposit} deposit [isn't back on my card|still hasn't shown up].",
        "[Everything was in the bag as far as I know.|We took good care of it.|It was all there, I think.]",
        "[When do I get it?|Could you refund it, please?]",
    ),
    "fr": (
        "[j'ai renvoyé l'équipement de la location {order_number}|l'équipement de {order_number} est reparti].",
        "Le dépôt de {deposit} [n'est pas revenu sur ma carte|n'est toujours pas là].",
        "[Tout y était, il me semble.|On a tout remis dans le sac.|On en a pris soin.]",
        "[Quand est-ce que je le récupère ?|Pouvez-vous me le rembourser ?]",
    ),
}
CANCELLED = {
    "en": (
        "[we had cancelled rental {order_number}|rental {order_number} was cancelled before it left].",
        "[I never saw my {deposit} deposit again.|The deposit of {deposit} isn't back.]",
        "[And the rest of it, I suppose?|What about the rental itself?]",
    ),
    "fr": (
        "[on avait annulé la location {order_number}|la location {order_number} a été annulée avant l'envoi].",
        "[Je n'ai pas revu mon dépôt de {deposit}.|Le dépôt de {deposit} n'est pas revenu.]",
        "[Le reste aussi, je suppose ?|Et la location elle-même ?]",
    ),
}
TWO_KITS = {
    "en": (
        "[we rented twice|we have two rentals with you], {order_number} and {other}.",
        "[Where are the deposits of {deposit} each?|Neither deposit of {deposit} is back.]",
    ),
    "fr": (
        "[on a loué deux fois chez vous|on a deux locations], {order_number} et {other}.",
        "[Où sont les dépôts de {deposit} ?|Les deux dépôts de {deposit} ne sont pas revenus.]",
    ),
}
