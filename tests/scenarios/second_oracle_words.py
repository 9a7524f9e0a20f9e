"""The words of the second oracle: what was done, what the records say, in English and in French, several wordings each.

They share nothing with the sentences that plans and dues state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

MONTHS = {
    "en": (
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ),
    "fr": (
        "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
        "décembre",
    ),
}  # fmt: skip
HELLO = {
    "en": ("Good morning,", "Dear customer,", "Hi there, thanks for getting in touch.", "Thank you for your message."),
    "fr": ("Bonjour et merci de votre message.", "Madame, Monsieur,", "Merci de nous avoir écrit."),
}
BYE = {
    "en": ("Kind regards", "All the best", "Have a good day"),
    "fr": ("Bien cordialement", "Bonne journée"),
}
REFUSED = {
    "en": (
        "I am afraid that I cannot do what you ask for.",
        "I have checked this carefully, and the answer is no, I am sorry.",
        "Unfortunately our rules leave me no room here.",
    ),
    "fr": (
        "Je regrette, mais je ne peux pas donner suite à votre demande.",
        "J'ai bien vérifié, et la réponse est malheureusement non.",
    ),
}
EXPLAINED = {
    "en": ("I have gone through your records.", "Here is what I found in our system.", "I looked this up for you."),
    "fr": ("J'ai regardé votre dossier.", "Voici ce que montrent nos registres."),
}
DECLINED = (
    "I am sorry, but we could not verify that you may speak for this account, so I cannot help you any further here.",
    "We could not establish who is writing to us. Therefore I have to decline, and I cannot comment on any account.",
)
ASK_DIGITS = (
    "This address is new to us. Which are the last four digits of the card that you pay with here?",
    "For your safety: please name the last four digits of the payment card in your account, then I can look into it.",
)
ASK_MAILBOX = (
    "The address that you write from is not one that the account has. Kindly send us a line from one that it has.",
    "Before I can go into this, please mail us from an e-mail address that is registered for the account.",
)
ASK_MISSING = (
    "I am missing the number of the house: could you send it to me?",
    "One thing is not clear from your mail: at which number in that street do you live now?",
)
HEAR_FIRST = (
    "I read your mail and our terms side by side. They do not cover your wish as it stands. What do you say to that?",
    "Going by our rules I have to be careful with this one. Is there anything else that I should know before I decide?",
)
ASK_WHAT = (
    "I am sorry about the trouble. What exactly went wrong, which order is it, and how would you like it settled?",
    "Could you tell me a little more: what happened, and would you rather have your money back or store credit?",
)
AT_ONCE = (
    "I have your message in front of me and am working on it now; my full answer follows in this thread.",
    "Your mail has reached me, and I am checking everything right now. You will read from me again here.",
)
EMPTY_SHELF = (
    "At the moment our shelf is empty, and a delivery is announced for the coming days. I keep your ticket open.",
    "What you need is out of stock today; more is due shortly, and I am keeping an eye on it for you.",
)
OUTAGES = (
    "The trouble with our {thing} began at {began} UTC and ended at {ended} UTC. It has been repaired. We are sorry.",
    "From {began} until {ended} UTC our {thing} did not work as it should. This has been fixed; we apologise.",
)
DEEDS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "refund": {
        "en": (
            "{amount} for order {order} is on its way back to {place}.",
            "For order {order} you get {amount} back; I booked this today to {place}.",
            "I have just returned {amount} from order {order} to {place}.",
        ),
        "fr": (
            "Nous vous remboursons {amount} pour la commande {order}, sur {place}.",
            "Le remboursement de {amount} (commande {order}) est fait : il va sur {place}.",
        ),
    },
    "credit": {
        "en": (
            "As a gesture, {amount} has been added to your account as store credit.",
            "You now have a further {amount} of store credit with us.",
        ),
        "fr": ("J'ai ajouté un avoir de {amount} à votre compte.",),
    },
    "cancellation": {
        "en": ("I have cancelled {thing}, as you wished.", "{Thing} has been cancelled today."),
        "fr": ("J'ai annulé {thing}, comme vous le souhaitiez.", "{Thing} est annulée à partir d'aujourd'hui."),
    },
    "pause": {
        "en": (
            "Your coffee plan rests from now on, until {day}.",
            "The plan is on hold now, and deliveries start again on {day}.",
        ),
    },
    "resumption": {
        "en": (
            "Your coffee plan is active again; the next renewal is on {day}.",
            "I have ended the pause: the plan renews on {day}.",
        ),
    },
    "skip": {
        "en": ("The next bag is left out, and the plan renews on {day}.", "I skipped ahead for you: next comes {day}."),
    },
    "plan_change": {
        "en": (
            "I have switched your plan to {plan}; this counts from the renewal on {day}.",
            "From {day} on your plan is {plan}, as requested.",
        ),
    },
    "address_change": {
        "en": (
            "{Thing} will go to {address}: I have changed that.",
            "I have put {address} down as the new address for {thing}.",
        ),
        "fr": (
            "{Thing} partira à cette adresse : {address}.",
            "J'ai noté {address} comme nouvelle adresse pour {thing}.",
        ),
    },
    "replacement_machine": {
        "en": (
            "We are sending you another machine in place of {subject}, free of charge, to {address}.",
            "A replacement for your machine {subject} has been arranged today; it goes to {address}.",
        ),
    },
    "part": {
        "en": (
            "The spare part for {subject} is on its way to {address}, at no cost.",
            "I have arranged the part for your machine {subject} today; it goes to {address}.",
        ),
    },
    "reshipment": {
        "en": (
            "The contents of order {order} go out to you a second time; the new tracking number is {number}.",
            "I am sending order {order} once more, with tracking number {number}.",
        ),
        "fr": (
            "Le contenu de la commande {order} repart, avec le numéro de suivi {number}.",
            "Je vous envoie de nouveau la commande {order} ; le numéro de suivi est {number}.",
        ),
    },
    "label": {
        "en": (
            "Please send the goods of order {order} back to us under {number}; you receive the label by mail.",
            "For order {order} there is now a return, {number}. Use the label from our mail.",
        ),
        "fr": (
            "Vous pouvez renvoyer la commande {order} sous le numéro {number} ; l'étiquette est dans votre courriel.",
            "J'ai ouvert le retour {number} pour la commande {order}.",
        ),
    },
}
"""What was done, by kind of deed."""
TELLINGS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "number order": {
        "en": ("This concerns order {value}.", "It is about order {value}."),
        "fr": ("Il s'agit de la commande {value}.",),
    },
    "number second_order": {
        "en": ("There is also order {value}.", "The other one is order {value}."),
        "fr": ("Il y a aussi la commande {value}.",),
    },
    "number parcel": {
        "en": ("The tracking number of the parcel: {value}.", "You can follow the parcel under {value}."),
        "fr": ("Le numéro de suivi du colis est {value}.", "Vous pouvez suivre le colis : {value}."),
    },
    "number return": {
        "en": ("The number of the return is {value}.", "It runs under return {value}."),
        "fr": ("Le numéro du retour est {value}.",),
    },
    "number unit": {
        "en": ("This is about the machine with serial number {value}.", "The machine in question is {value}."),
    },
    "day arrived": {
        "en": ("According to the carrier it was handed over on {value}.", "It was delivered on {value}."),
        "fr": ("Il a été livré le {value}.",),
    },
    "day expected": {
        "en": ("The carrier expects to deliver it on {value}.", "It should be with you on {value}."),
        "fr": ("La livraison est prévue le {value}.",),
    },
    "day disputed": {
        "en": (
            "Your bank opened a case about this payment on {value}, so the decision is with the bank.",
            "Since {value} there is a dispute at your bank; as long as it runs our hands are tied.",
        ),
    },
    "day charge": {"en": ("The payment dates from {value}.", "It was booked on {value}.")},
    "day refund": {
        "en": ("This was on {value}.", "We booked it on {value}."),
        "fr": ("C'était le {value}.", "Nous l'avons fait le {value}."),
    },
    "day order": {"en": ("The order was placed on {value}.", "You ordered it on {value}.")},
    "day ended": {"en": ("The time limit for this ended on {value}.", "It could be done until {value}, not later.")},
    "day ends": {"en": ("There is time until {value}.", "The time limit ends on {value}.")},
    "day earlier": {"en": ("You received the earlier credit on {value}.", "There was a credit for this on {value}.")},
    "day due": {
        "en": ("It has to be back with us on {value}.", "The kit is due on {value}."),
        "fr": ("Le matériel est attendu le {value}.",),
    },
    "day plan": {"en": ("The day that matters for your plan is {value}.", "For your plan the date is {value}.")},
    "amount refund": {
        "en": ("We paid {value} back.", "The amount that went back is {value}."),
        "fr": ("Nous avons rendu {value}.", "Le montant rendu est de {value}."),
    },
    "amount charge": {
        "en": ("We took {value}, and that is right.", "The payment is {value}."),
        "fr": ("Le paiement est de {value}.",),
    },
    "amount order": {"en": ("The amount that explains it is {value}.", "{value} of it is what you ask about.")},
    "amount kept": {"en": ("Of the deposit we keep {value}.",), "fr": ("De la caution nous gardons {value}.",)},
    "amount credit": {"en": ("It is {value} of store credit.",)},
    "amount earlier": {"en": ("On your account there is {value} of store credit.", "Your store credit is {value}.")},
    "amount new_price": {"en": ("A delivery then costs {value}.", "The new price is {value} for each delivery.")},
    "address": {"en": ("The address in our records: {value}.", "We have this address: {value}.")},
    "name": {"en": ("The recipient is {value}.",)},
}
"""What the records say, by kind of value and of what."""


def money(cents: int, currency: str, language: str, turn: int) -> str:
    """Write an amount in one of several forms."""
    plain = f"{cents // 100}.{cents % 100:02d}"
    if language == "fr":
        return plain.replace(".", ",") + f" {currency}"
    if currency == "EUR":
        return (f"€{plain}", f"{plain} EUR", f"EUR {plain}", f"{plain} €")[turn % 4]
    return (f"{plain} {currency}", f"{currency} {plain}", f"${plain}")[turn % 3]


def day(text: str, language: str, turn: int) -> str:
    """Write a date in one of several forms."""
    when = date.fromisoformat(text)
    month = MONTHS[language][when.month - 1]
    if language == "fr":
        return f"{when.day} {month} {when.year}"
    return (f"{when.day} {month} {when.year}", f"{month} {when.day}, {when.year}", f"{when.day} {month}", text)[
        turn % 4
    ]


def pick(texts: Mapping[str, Sequence[str]], language: str, turn: int) -> str:
    """Return one of several wordings."""
    found = texts[language]
    return found[turn % len(found)]


def sentence(texts: Mapping[str, Sequence[str]], language: str, turn: int, **values: Any) -> str:
    """Fill in one of several wordings."""
    thing = str(values.get("thing", ""))
    return pick(texts, language, turn).format(**values, Thing=thing[:1].upper() + thing[1:])
