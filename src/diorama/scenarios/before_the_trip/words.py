"""What customers write about a parcel before a trip, and what they are told, in both languages."""

from __future__ import annotations

SUBJECTS = {
    "en": ("leaving soon", "parcel before our trip", "question", "my order", "Hello", "our trip"),
    "fr": ("on part bientôt", "colis avant le départ", "question", "ma commande", "Bonjour"),
}
LETTERS: dict[str, dict[str, tuple[str, ...]]] = {
    "in_time": {
        "en": (
            "[we leave|our trip starts] on {leaves} and {order_number} isn't here.",
            "[Will it be here by then?|When does it come?]",
        ),
        "fr": (
            "[on part|notre voyage commence] le {leaves} et {order_number} n'est pas arrivé.",
            "[Est-ce que ce sera là à temps ?|C'est pour quel jour ?]",
        ),
    },
    "cancel_it": {
        "en": (
            "[we leave on {leaves}|our trip starts on {leaves}] and I found a {product} at my brother's.",
            "[Please cancel {order_number} if it hasn't left.|Cancel {order_number} please.]",
            "[I'd like the money back.|And the money back, please.]",
        ),
        "fr": (
            "[on part le {leaves}|le voyage commence le {leaves}] et mon frère m'en prête un.",
            ("[Annulez {order_number} si ce n'est pas parti et remboursez-moi svp.|Merci d'annuler {order_number}.]"),
        ),
    },
    "cancel_too_late": {
        "en": (
            "[we leave on {leaves}|our trip starts on {leaves}] and {order_number} won't make it.",
            "[Please cancel it and refund me.|Cancel it, please, I want my {amount} back.]",
        ),
        "fr": (
            "[on part le {leaves}|le voyage commence le {leaves}] et {order_number} n'arrivera pas à temps.",
            "[Annulez-la et remboursez-moi svp.|Annulez, je veux mes {amount}.]",
        ),
    },
    "send_ahead": {
        "en": (
            ("[we're already on the road|we'll be away from {leaves}], so please send {order_number} somewhere else."),
            "It should go to {address}.",
        ),
        "fr": (
            ("[on est déjà sur la route|on sera partis le {leaves}], alors envoyez {order_number} ailleurs svp."),
            "C'est au {address}.",
        ),
    },
    "redirect_too_late": {
        "en": (
            "[we leave on {leaves}|nobody is home from {leaves}], can {order_number} go to {address} instead?",
            "[We'd pick it up there.|That's where we'll be.]",
        ),
        "fr": (
            "[on part le {leaves}|il n'y aura personne dès le {leaves}].",
            "Est-ce que {order_number} peut aller au {address} ?",
            "[On le prendrait là.|C'est là qu'on sera.]",
        ),
    },
    "lost_again": {
        "en": (
            "{order_number} never came, [the tracking has been dead for days|there's no trace of it].",
            "[We still need it, please send another.|Could you send a new one? Our trip is on {leaves}.]",
        ),
        "fr": (
            "{order_number} n'est jamais arrivé, [le suivi est mort depuis des jours|aucune trace].",
            ("[On en a encore besoin, envoyez-en un autre svp.|Pouvez-vous en renvoyer un ? On part le {leaves}.]"),
        ),
    },
    "lost_refund": {
        "en": (
            "{order_number} never came, [the tracking has been dead for days|there's no trace of it].",
            "[We're past our trip now and don't need it any more.|I bought one in town.]",
            "[Just refund me.|I want my money back.]",
        ),
        "fr": (
            "{order_number} n'est jamais arrivé, [le suivi est mort depuis des jours|aucune trace].",
            "[Le voyage est passé, on n'en a plus besoin.|J'en ai acheté un en ville.]",
            "[Remboursez-moi svp.|Je veux mon argent.]",
        ),
    },
    "came_back": {
        "en": (
            "[the post office says {order_number} went back to you|{order_number} was returned to you].",
            "[My fault, the address was wrong.|There was a typo in the number.]",
            "It is {address}. [Please send it again.|]",
        ),
        "fr": (
            ("[le bureau de poste dit que {order_number} est retourné chez vous|{order_number} vous est revenu]."),
            "[C'est ma faute, l'adresse était fausse.|Une coquille.]",
            "C'est {address}. [Renvoyez-le svp.|]",
        ),
    },
    "there_already": {
        "en": (
            "[my partner ordered {order_number} for our trip|{order_number} goes to our neighbours].",
            "[Has it arrived, and when?|Can you see if it was delivered, and on what day?]",
        ),
        "fr": (
            "[ma blonde a commandé {order_number} pour le voyage|{order_number} va chez les voisins].",
            "[Est-ce arrivé, et quel jour ?|Voyez-vous si c'est livré, et quand ?]",
        ),
    },
    "send_it_back": {
        "en": (
            "[our trip fell through.|we're not going after all.]",
            "I'd like to send the {product} of {order_number} back.",
            "[It's unused.|Never opened.] [What do I do?|How does that work?]",
        ),
        "fr": (
            "[notre voyage tombe à l'eau.|finalement on ne part pas.]",
            "J'aimerais retourner {product}, {order_number}.",
            "[Jamais utilisé.|Pas ouvert.] [Comment faire ?|Ça marche comment ?]",
        ),
    },
}
ANSWERS: dict[str, dict[str, str]] = {
    "in_time": {
        "en": "Hello, order {number} is with {carrier}, tracking number {tracking}, and is expected on {eta}.",
        "fr": (
            "Bonjour, la commande {number} est avec {carrier}, numéro de suivi {tracking}, et elle est prévue le {eta}."
        ),
    },
    "cancel_it": {
        "en": "Hello, order {number} had not left yet: I have cancelled it and refunded {amount} to your card.",
        "fr": (
            "Bonjour, la commande {number} n'était pas partie : je l'ai annulée et j'ai remboursé "
            "{amount} sur la carte."
        ),
    },
    "cancel_too_late": {
        "en": (
            "Hello, order {number} is already with {carrier} and cannot be stopped. The tracking number "
            "is {tracking} and it is expected on {eta}. You can refuse it or send it back when it is "
            "there."
        ),
        "fr": (
            "Bonjour, la commande {number} est déjà avec {carrier} et on ne peut pas l'arrêter. Le numéro "
            "de suivi est {tracking}, elle est prévue le {eta}. Vous pouvez la refuser ou la retourner "
            "quand elle est là."
        ),
    },
    "send_ahead": {
        "en": "Hello, order {number} had not left yet. I have changed its address; it goes to {line1}, {city} now.",
        "fr": "Bonjour, la commande {number} n'était pas partie. J'ai changé l'adresse, elle va au {line1}, {city}.",
    },
    "redirect_too_late": {
        "en": (
            "Hello, order {number} is already with {carrier}, so its address cannot be changed any more. "
            "The tracking number is {tracking} and it is expected on {eta}."
        ),
        "fr": (
            "Bonjour, la commande {number} est déjà avec {carrier}, donc on ne peut plus changer "
            "l'adresse. Le numéro de suivi est {tracking} et elle est prévue le {eta}."
        ),
    },
    "lost_again": {
        "en": (
            "Hello, the carrier has lost order {number}. I have sent it again today; the new tracking "
            "number is {again}."
        ),
        "fr": (
            "Bonjour, le transporteur a perdu la commande {number}. Je l'ai renvoyée aujourd'hui, le "
            "nouveau numéro de suivi est {again}."
        ),
    },
    "lost_refund": {
        "en": (
            "Hello, the carrier has lost order {number}. As you no longer need it I have refunded "
            "{amount} to your card."
        ),
        "fr": (
            "Bonjour, le transporteur a perdu la commande {number}. Comme vous n'en avez plus besoin, "
            "j'ai remboursé {amount} sur votre carte."
        ),
    },
    "came_back": {
        "en": (
            "Hello, order {number} came back to us. I have sent it again, to {line1}, {city} this time; "
            "the new tracking number is {again}."
        ),
        "fr": (
            "Bonjour, la commande {number} nous est revenue. Je l'ai renvoyée, cette fois au {line1}, "
            "{city} ; le nouveau numéro de suivi est {again}."
        ),
    },
    "there_already": {
        "en": "Hello, order {number} was delivered on {came} by {carrier}, tracking number {tracking}.",
        "fr": "Bonjour, la commande {number} a été livrée le {came} par {carrier}, numéro de suivi {tracking}.",
    },
    "send_it_back": {
        "en": (
            "Hello, no problem: your return number for order {number} is {again}. Put the label on the "
            "box and hand it to any post office."
        ),
        "fr": (
            "Bonjour, pas de problème : votre numéro de retour pour la commande {number} est {again}. "
            "Collez l'étiquette sur la boîte et laissez-la dans un bureau de poste."
        ),
    },
}
"""{again} stands for the number that the deed gives: of the new parcel, or of the return."""
REASONS = {
    "in_time": "why_late",
    "cancel_it": "why_cancel",
    "cancel_too_late": "why_cancel",
    "send_ahead": "why_address",
    "redirect_too_late": "why_address",
    "lost_again": "why_lost",
    "lost_refund": "why_lost",
    "came_back": "why_address",
    "there_already": "why_late",
    "send_it_back": "why_exchange",
}
WISH = {"en": "Please tell me how this goes on.", "fr": "Dites-moi comment ça continue svp."}
