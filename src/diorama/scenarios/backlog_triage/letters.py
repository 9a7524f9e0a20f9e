"""Mails of a weekend by topic; the subject may be about something else."""

from __future__ import annotations

ENGLISH: dict[str, tuple[tuple[str, ...], ...]] = {
    "lost_parcel": (
        (
            "my order {order} has been sitting in some depot since [Tuesday|the 19th].",
            "[Nobody moves it.|Is it lost?]",
        ),
        (
            "tracking says delivered, there is nothing at my door and the neighbours have nothing either.",
            "It is {order}.",
        ),
        (
            "it is now [two weeks|16 days] and {order} has still not come.",
            "[The carrier hangs up on me.|I gave up hope.]",
        ),
    ),
    "missing_item": (
        (
            "I unpacked {order} and the [tamper|milk jug|knock box] is not in it.",
            "[The slip says it is.|I looked twice.]",
        ),
        (
            "you packed one bag of beans instead of two, {order}.",
            "[Can you send the other one?|I did pay for both.]",
        ),
        (
            "box arrived, {order}, but without the [scale|filter baskets] that I paid for.",
            "[Weird, the box was sealed.|Hm.]",
        ),
    ),
    "address": (
        (
            "I moved and {order} is still going to the old flat.",
            "Please send it to [14 Mill Lane|Rua Nova 8|9 Harbour Row] instead.",
        ),
        (
            "I noticed too late that the shop still had my old street, order {order}.",
            "[Can you change that before it leaves?|Not sent yet I hope?]",
        ),
        (
            "the house number of {order} is wrong, it is [27b|112|4a].",
            "[The rest is right.|Please correct it.]",
        ),
    ),
    "return": (
        (
            "I would like to send the [grinder|scale|cups] from {order} back, never used.",
            "[How do I get a label?|It is just too big for the kitchen.]",
        ),
        (
            "this was a present and she already had one, {order}.",
            "[I want to give it back.|Where do I send it?]",
        ),
        (
            "changed my mind about {order}, it is still in the box.",
            "[What is the way to return it?|Please send me a return form.]",
        ),
    ),
    "double_charge": (
        (
            "for {order} I see the same amount two times on my statement.",
            "[Same day, same minute.|Only ordered once though.]",
        ),
        (
            "you booked {order} twice.",
            "[One of them has to go back please.|My bank says both went through.]",
        ),
        (
            "why did the card get hit a second time for {order}??",
            "[I pressed the button once.|I have only one parcel.]",
        ),
    ),
    "refund_wait": (
        (
            "the goods of {order} are back with you since [the 12th|two weeks], where is the money?",
            "[Nothing on the account.|No mail, nothing.]",
        ),
        (
            "when do I get the money back for {order}?",
            "[It was confirmed already.|Your colleague said a few days.]",
        ),
        (
            "I am still waiting for what you owe me from {order}.",
            "[It was agreed on the phone.|You accepted it in writing.]",
        ),
    ),
    "subscription": (
        (
            "we are away until [April|the middle of May], please no coffee before that.",
            "[Just stop the bags for a while.|I do not want to lose the plan.]",
        ),
        (
            "could the beans come every four weeks instead of two?",
            "[We drink less now.|The cupboard is full.]",
        ),
        (
            "please end my coffee plan.",
            "[Nothing wrong with it, I drink tea now.|After the next bag is fine.]",
        ),
    ),
    "dispute": (
        (
            "I went to my bank about {order} and they opened a case against you.",
            "[They gave me a form.|You will hear from them.]",
        ),
        (
            "this is to let you know that the card company is clawing back the amount of {order}.",
            "[I did try to reach you.|Sorry.]",
        ),
        (
            "I told the card people that {order} was not me.",
            "[They are looking into it now.|They wanted me to write to you as well.]",
        ),
    ),
    "invoice": (
        (
            "I need {order} on paper with our VAT number on it.",
            "[For the tax office.|The accountant asks.]",
        ),
        (
            "the PDF you sent for {order} has the wrong company name.",
            "[Can it be made out again?|It has to say Ltd.]",
        ),
        (
            "could I have the bill for {order} once more?",
            "[I deleted the mail.|My accountant lost it.]",
        ),
    ),
    "defect": (
        (
            "the {machine} [does not heat any more|makes no pressure|stays dead].",
            "[Bought it last year.|It was fine on Friday.]",
        ),
        (
            (
                "my {machine} [grinds its teeth|drips from the group all day|trips over its own "
                "pump] and the coffee is cold."
            ),
            "[What now?|Cleaned everything already.]",
        ),
        (
            "the display of the {machine} [stays black|shows an error] and it does not heat.",
            "[Nothing helps.|I did what the manual says.]",
        ),
        (
            "steam wand of the {machine} is blocked and the light blinks red.",
            "[Nothing helps.|I did what the manual says.]",
        ),
        (
            "the handle of the {machine} [is loose|wobbles more every day], and now [it leaks|water runs past it].",
            "[What now?|Bought it last year.]",
        ),
    ),
    "danger": (
        (
            ("the {machine} [smoked|gave off a burning smell] when I switched it on, and there was a [flash|crackle]."),
            "[I pulled the plug.|I do not dare touch it.]",
        ),
        (
            "I got an electric shock from the {machine}.",
            "[My arm still tingles.|It threw the main switch as well.]",
        ),
        (
            "boiling water shot out of the side of the {machine} and my [hand|daughter's arm] is scalded.",
            "[It stands outside now.|What did you sell us?]",
        ),
        (
            "the {machine} gave way under my hand, and [a sharp edge cut my palm|hot water went over my hand].",
            "[It is bandaged.|I do not dare touch it.]",
        ),
    ),
    "how_to": (
        (
            "which setting do I take for [moka|a light roast|decaf]?",
            "[Mine always comes out sour.|I am new to this.]",
        ),
        (
            "how often should the {machine} be descaled with [soft|very hard] water?",
            "[The manual only says regularly.|I could not find it.]",
        ),
        (
            "does the 58 mm basket fit the {machine}?",
            "[I would order one then.|The site does not say.]",
        ),
    ),
    "newsletter": (
        (
            "please take me off your mailing list.",
            "[I clicked the link three times.|It keeps coming.]",
        ),
        (
            "stop the newsletter, I did not ask for it.",
            "[Thank you.|Last time I ask.]",
        ),
        (
            "I would like the newsletter at my other address instead, this one will be switched off.",
            "[Thanks!|Is that possible?]",
        ),
    ),
}
SUBJECTS: dict[str, tuple[str, ...]] = {
    "lost_parcel": (
        "where is my parcel",
        "Tracking",
        "{order} not arrived",
        "Delivery??",
    ),
    "missing_item": (
        "incomplete",
        "Something missing",
        "{order}: not everything there",
    ),
    "address": (
        "new address",
        "Wrong address!!",
        "moving house",
    ),
    "return": (
        "sending it back",
        "Return {order}",
        "not what I wanted",
    ),
    "double_charge": (
        "charged two times",
        "Payment",
        "bank statement",
    ),
    "refund_wait": (
        "refund",
        "my money",
        "Re: Re: refund {order}",
    ),
    "subscription": (
        "coffee plan",
        "Subscription",
        "less coffee please",
    ),
    "dispute": (
        "bank",
        "Chargeback {order}",
        "card case",
    ),
    "invoice": (
        "Invoice",
        "bill for {order}",
        "VAT",
    ),
    "defect": (
        "broken",
        "{machine} problem",
        "does not work",
    ),
    "danger": (
        "DANGEROUS",
        "accident with the {machine}",
        "{machine}!!",
    ),
    "how_to": (
        "quick question",
        "Grind setting",
        "{machine}",
    ),
    "newsletter": (
        "unsubscribe",
        "Newsletter",
        "mailing list",
    ),
    "wholesale": (
        "Coffee for our place",
        "offer",
        "Enquiry",
    ),
}
VAGUE = (
    "Hello",
    "(no subject)",
    "Question",
    "2nd mail",
    "Fwd: Fwd:",
    "urgent!!!",
    "help",
    "Re: your message",
)
_ASIDES = {
    "The refund from January arrived by the way, thank you for that.": ("refund_wait", "return"),
    "PS: the last delivery was really fast, the parcel came the next day.": ("lost_parcel", "missing_item"),
    "My husband asks whether he can also descale with vinegar, but that is not why I write.": ("how_to",),
    "I had that leak in autumn too but you fixed it, all good there.": ("defect", "danger"),
    "(The invoice is fine, do not worry about the invoice.)": ("invoice",),
    "I was charged correctly, that is not it.": ("double_charge", "dispute", "refund_wait", "subscription"),
    "Your newsletter made me laugh this time.": ("newsletter",),
}
"""Side remarks that are not what the mail is about, with the topics of mails that they would contradict."""


MANUAL = ("Tern Lever",)
"""Machines without electricity, tank, boiler and steam."""
WITH_DISPLAY = ("Lark Compact", "Aria Plus", "Duet")
_ELECTRIC = ("heat", "pump", "steam", "stays dead", "display", "smoked", "electric", "boiling", "descale")
_ELECTRIC_ABROAD = ("heizt", "Pumpe", "descalcificar")


def suits(text: str, machine: str) -> bool:
    """Check whether a machine can have what a text says of it."""
    if "{machine}" not in text:
        return True
    if "display" in text and machine not in WITH_DISPLAY:
        return False
    return machine not in MANUAL or not any(word in text for word in (*_ELECTRIC, *_ELECTRIC_ABROAD))


def asides(topic: str) -> list[str]:
    """Return the side remarks that a mail about a topic may have."""
    return [text for text, topics in _ASIDES.items() if topic not in topics]


FOREIGN: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "de": {
        "lost_parcel": (
            (
                "Frage",
                (
                    "Guten Tag, das Paket zu {order} liegt seit zehn Tagen im Verteilzentrum und "
                    "nichts passiert. Bitte kümmern Sie sich."
                ),
            ),
            (
                "Rechnung",
                (
                    "Hallo, laut Sendungsverfolgung zugestellt, aber bei mir kam nichts an. "
                    "Bestellung {order}. Die Nachbarn wissen auch nichts."
                ),
            ),
        ),
        "defect": (
            (
                "Bestellung",
                "Hallo, meine {machine} heizt nicht mehr auf. Entkalkt habe ich schon. Was soll ich tun?",
            ),
            (
                "Hilfe",
                ("Moin, die Pumpe der {machine} rattert nur noch und es kommt kein Druck. Gekauft letzten Herbst."),
            ),
        ),
        "subscription": (
            (
                "Kaffee",
                (
                    "Wir sind bis Mitte April verreist, bitte so lange keinen Kaffee schicken. Das "
                    "Abo soll danach weiterlaufen."
                ),
            ),
            (
                "kaputt?",
                "Bitte beenden Sie mein Kaffee-Abo nach der nächsten Tüte. Wir haben einfach zu viel davon.",
            ),
        ),
    },
    "fr": {
        "double_charge": (
            (
                "Question",
                (
                    "Bonjour, pour la commande {order} ma carte a été débitée deux fois du même "
                    "montant. Merci de corriger."
                ),
            ),
            (
                "colis",
                (
                    "Bonjour, je vois deux fois le même prélèvement pour {order} sur mon relevé. Je "
                    "n'ai commandé qu'une seule fois !"
                ),
            ),
        ),
        "address": (
            (
                "Urgent",
                (
                    "Bonjour, j'ai déménagé et {order} part encore à l'ancienne adresse. Il "
                    "faudrait envoyer au 6 rue des Tilleuls, Lille."
                ),
            ),
            (
                "remboursement",
                (
                    "Bonjour, le numéro de rue est faux sur {order}, c'est le 18 et non le 8. "
                    "Pouvez-vous changer avant l'envoi ?"
                ),
            ),
        ),
    },
    "es": {
        "return": (
            (
                "Consulta",
                "Hola, quiero devolver el molinillo del pedido {order}, está sin abrir. ¿Cómo lo hago?",
            ),
            (
                "avería",
                "Buenas, era un regalo y ya tenían uno. Me gustaría devolver {order}. ¿Me mandan la etiqueta?",
            ),
        ),
        "how_to": (
            (
                "reembolso",
                "Hola, ¿qué molienda me recomiendan para cafetera italiana? Siempre me queda amargo.",
            ),
            (
                "Pregunta",
                "Buenos días, ¿cada cuánto hay que descalcificar la {machine} con agua dura? Gracias.",
            ),
        ),
    },
    "nl": {
        "missing_item": (
            (
                "Vraag",
                (
                    "Hallo, in de doos van {order} zat geen melkkan, terwijl die wel op de pakbon "
                    "staat. Kunnen jullie die nasturen?"
                ),
            ),
            (
                "retour",
                "Dag, ik heb {order} uitgepakt en er ontbreekt een zak bonen. Ik heb er twee betaald.",
            ),
        ),
        "newsletter": (
            (
                "Pakket",
                (
                    "Hallo, kunnen jullie mij van de mailinglijst halen? Ik heb al drie keer "
                    "geklikt en het blijft komen."
                ),
            ),
            (
                "garantie",
                "Graag geen nieuwsbrief meer. Dank u.",
            ),
        ),
    },
}
WHOLESALE = (
    (
        "We run {business} and would like a price for about {kilos} kg of beans a month, and "
        "perhaps an Atelier 2 on lease. Who can we talk to?"
    ),
    (
        "{business} here. Could somebody send us your list for trade customers? We would need "
        "around {kilos} kg, whole bean."
    ),
    (
        "Good morning, I am opening a second bar ({business}) in May and look for a roaster. "
        "{kilos} kg a month to begin with. Samples?"
    ),
)
BUSINESSES = (
    "Hotel Marbacher",
    "the Kestrel Café",
    "Bureau Noord",
    "a small guest house, Casa Brava",
    "Studio Fenn",
    "the canteen of Oyster & Sons",
    "Pension Linde",
    "Bar Tramontana",
    "the coworking space Dock 4",
)
SPAM = (
    (
        "Re: invoice 88213",
        (
            "Dear Sir, kindly find the outstanding payment slip in the link and confirm your "
            "account details today. Regards, Treasury"
        ),
    ),
    (
        "Partnership",
        (
            "Hello dear, we are manufacturer of shoe machine in Ningbo, best price, MOQ 20 pcs. "
            "Whatsapp me for catalogue!!"
        ),
    ),
    (
        "Your parcel is on hold",
        (
            "Your package could not be delivered. Pay 1.99 customs fee at parcel-release.example "
            "within 24h or it goes back."
        ),
    ),
    (
        "refund pending",
        (
            "CONGRATULATION customer, you was selected for a tax refund of 812.40. Reply with your "
            "IBAN and date of birth."
        ),
    ),
    (
        "Quick question about your website",
        (
            "Hi there, I stumbled on your shop and made a free video audit. You lose 70% of "
            "visitors! Got ten minutes on Thursday?"
        ),
    ),
    (
        "Machine learning for cafes",
        ("Hi {{first_name}}, our platform books meetings while you sleep. Worth a chat? Not interested? Reply STOP."),
    ),
    (
        "leak in your mailbox",
        ("Your mailbox quota is over 98%. Verify your password at mail-verify.example or messages will be deleted."),
    ),
)
SPAMMERS = (
    "treasury@acct-remit.example",
    "lily.zhou@nb-footwear.example",
    "service@parcel-release.example",
    "claims@tax-office-eu.example",
    "josh@growthpilot.example",
    "sdr@meetly-mail.example",
    "admin@mail-verify.example",
)
SECOND_TRY = (
    "I wrote on Saturday already and nobody answered. {again}",
    "Sending this again in case it got lost. {again}",
    "Hello?? {again}",
    "Writing from my work address now, same thing as before: {again}",
    "Any news on this? {again}",
)
AGAIN: dict[str, str] = {
    "lost_parcel": "{order} is still not here.",
    "missing_item": "It is about the thing that was not in the box of {order}.",
    "address": "{order} must not go to the old address.",
    "return": "I still need to know how {order} goes back to you.",
    "double_charge": "It is the amount for {order} that is on my statement two times.",
    "refund_wait": "The money for {order} is what I mean.",
    "dispute": "The bank keeps asking me about {order}.",
    "invoice": "The paper for {order}, for the accountant.",
}
