"""Hidden need: find out what the customer needs, instead of doing what the subject says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from diorama.apps.backoffice.schema import Customer
from diorama.apps.zendesk.schema import Ticket
from diorama.rewards import View
from diorama.rewards.finding import Finding
from diorama.rewards.parts import Fact
from diorama.scenarios.anatomy import Hands, Stage, cheat, scenario
from diorama.scenarios.cast import Worded, amount, day, number
from diorama.scenarios.clerk import Clerk
from diorama.scenarios.desk_customers import NOTHING_OPEN, PRIVATE, QUIET_PAST, with_valid_card
from diorama.scenarios.desk_facts import DeskTruth
from diorama.scenarios.desk_letters import LetterDesk, LetterPlan
from diorama.scenarios.larkspur import COFFEE, SMALL, Larkspur
from diorama.scenarios.owed import CREDIT, cancel, move, refund, reship
from diorama.scenarios.owed_coffee import change_plan, pause, skip
from diorama.scenarios.owed_units import send, take_back
from diorama.scenarios.past import charged_again, note, order, ordered_again, perhaps, refunded, returned, subscription
from diorama.scenarios.past_coffee import SOLD, skipped, until, wanted
from diorama.scenarios.past_places import fresh_order, new_address, present
from diorama.scenarios.past_units import besides, machine, sent_before
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import EXPLAINED, REFUSED

NEW = "eval-new"
NOTHING_DUE = (EXPLAINED, REFUSED)
JUNK = "maybe_spam"
RENEWAL = day("subscription", "renewal_day")
PRESENTS = ("AC-TAMPER", "AC-SCALE", "AC-JUG35", "AC-JUG60", "AC-KNOCK", "AC-BTMLESS", "AC-CUPS", "AC-HANDGR")
OTHER_LANGUAGES = ("de", "es", "fr", "nl")

# --- what happened
NEARBY = new_address()
OPEN, LEFT = fresh_order(SMALL, (2, 10)), fresh_order(SMALL, (74, 88), "in_transit", due_days=(1, 3))
ANOTHER = perhaps(present(SMALL))
"""An order that the mail is not about, newer than one that has left."""
OLD = order(SMALL, (25, 40), name="old")
CAME = order(SMALL, (5, 9), pieces=(1, 2))
BOX = [
    order(SMALL, (6, 10), pieces=(3, 3)),
    note("Stock count: one {line} too many on the shelf since {order} was packed.", days_ago=(2, 4)),
]
SENT_BACK = [order(SMALL, (24, 40), pieces=(2, 3)), returned()]
PLAN = [subscription(tuple(SOLD)), skipped(), wanted(grind=True), until()]
PLAN_IS_OVER = [subscription(COFFEE, status="cancelled", ended="after")]
COVERED, LONG_OVER = machine(kinds=("LK-",)), machine(kinds=("LK-",), ended=(75, 400))
RECENT = order(SMALL, (8, 9), name="other")
BLAMED = besides([machine(kinds=("LK-LARK", "LK-ARIA"))], name="blamed")
BLAMED_GRINDER = besides([machine(kinds=("GR-",))], name="blamed")
BROKEN = [order(SMALL, (4, 9)), subscription(COFFEE, name="plan")]
ORDER_AND_PLAN = [OPEN, subscription(COFFEE, name="plan"), until()]
NEVER_CAME = order(SMALL, (18, 26), "lost")

# --- what customers write
TO_CARD = "[It can go back to my card.|Back to my card with it, please.]"
TO_CREDIT = "[Make it store credit, I will be back anyway.|As credit with you, that is easiest.]"
LOCKED_OUT = (
    (
        "[your site does not let me in|I asked for a new password three times|it says that I am locked out], "
        "[and no mail ever comes|and nothing happens|and I have better things to do]."
    ),
    "[To be honest the account is all the same to me.|Not that I love having accounts.]",
    "[All I wanted in there:|I only tried because] {which} is still set to the place we left.",
    "[It has to come to|The door where I live now is] {address}.",
)
INVOICE = (
    (
        "[I need the invoice of {old_order} once more|could you send the invoice of {old_order} again, with our VAT "
        "number on it]."
    ),
    (
        "[My accountant asks for it, and she has also seen my newest order, the one with the {line}:|The person who "
        "does our books wants it, and has seen that I ordered the {line} last:] [the firm does not pay for that one, "
        "so I do not want it any more|we do not need that one, I ordered it by mistake]."
    ),
    (
        "[If that order has not left yet, please do not send it, and pay me back to my card.|So please stop that order "
        "if it is still with you, and give me the money back on my card.]"
    ),
    (
        "[If it has left: when does it come, and under which number does it travel?|If it is on its way already, tell "
        "me the tracking number and the day on which it comes.]"
    ),
)
OLD_THREAD = (
    "[{other_order} came, thank you|{other_order} is here, all of it|{other_order} arrived, nothing to say about it].",
    "[Since I have you on the line:|Answering this mail because it was at hand:] {symptom}",
)
BELL_RANG = (
    (
        "[forget the line above, the bell rang while I was typing: {which} is here|I had a long mail ready about "
        "{which}, and then the postman stood there with it]."
    ),
    "[What remains:|So only the other thing:] my card is down by a good deal more than the confirmation said.",
    "[If you took too much, I want it again.|Whatever was too much should come back.]",
)
LAST_LINE = (
    "[one always writes when something is wrong, so for once the other way round|just to say it].",
    "[The coffee corner looks splendid now.|Everything so well packed, and a card written by hand!]",
    "[My neighbour has ordered from you already because of me.|I have told everybody at work.]",
    "[Only the {line} I did not find in the box.|P.S. The {line} was not in it, by the way.]",
)
FINAL_NOTICE = (
    (
        "[notice is hereby given of a claim against your company|kindly take note of the claim under the above "
        "reference]."
    ),
    "[All rights are reserved, costs and interest included.|Your silence will be taken as an admission.]",
    (
        "[Matter: the {line} that I sent back to you, and whose price you still have.|Subject of the claim: "
        "the price of the {line} that went back to you.]"
    ),
    "[My father was a solicitor, so I know how this is done.|I have done this before.]",
)
UNSUBSCRIBE = (
    (
        "[how often does one have to unsubscribe from you|I have pressed the little link at the bottom of your mails "
        "three times]."
    ),
    (
        "[And still: every few weeks {charge} off my card|Again {charge} gone, as every few weeks], [and a packet in "
        "the hall that nobody drinks|and my cupboard is full to the top]."
    ),
)
FOR_GOOD = "[Take me off, and this time for good.|I want none of it any more, ever.]"
FOR_A_WHILE = (
    "[Take me off until {then}, then I am at home again and want it back.|From {then} on gladly again, until then "
    "none.]"
)
MOKA = (
    (
        "[which grind would you take for a moka pot|how fine should it be in a moka pot], [my daughter has left one "
        "here|purely out of curiosity]?"
    ),
)
LEAVE_ONE_OUT = (
    "[There is no hurry, there are three bags on the shelf, unopened.|No hurry, we are stocked far too well.]",
    (
        "[The next one I cannot even store, so leave that one out, but then go on as always.|Let the coming bag be, "
        "will you, just that one, and then as ever.]"
    ),
)
GROUND = (
    "[Our own grinder has died, by the way.|The grinder here makes its last noises.]",
    "[So from the next bag on, please: {ground}.|The next bag and all others then: {ground}.]",
)
BOOKED = (
    "[the coffee invoice is booked, you can throw the paper away|I have booked the invoice for the coffee].",
    "[Next time with the cost centre please, otherwise I have to look for it.|The cost centre was missing again.]",
)
TELL_THEM_GRIND = (
    "[Ah, and you know the coffee people:|And tell your roaster:] {ground}, [from the next bag on|please]."
)
TELL_THEM_SKIP = (
    "[Ah, and tell the coffee people to leave out the next bag, only that one.|And your roaster may skip the coming "
    "delivery once, the shelf is full.]"
)
GIFT = (
    "[do you do gift receipts|could I have a receipt without the price], for {which}?",
    (
        "[It was for my sister, and she only laughed:|My brother got it for his birthday, and now:] [the {line} was in "
        "that kitchen already|the very same {line} is there since Christmas]."
    ),
    "[Nobody has used it, so it can come back to you, I hope.|So back it has to go, I am afraid.]",
)
ANGER = (
    (
        "[forty minutes on your line with that music, then it goes dead|your robot has asked me five times whether it "
        "could help, and it could not]."
    ),
    "[In thirty years I have not been treated like this.|I had heard only good things about you, well.]",
    "[I expect a human being to answer, today.|Somebody with a name is to write to me, and soon.]",
)
IN_PIECES = "[the {line} from order {order} came in pieces.|it is the {line} of {order}: it arrived broken.]"
WANTS_MONEY = "[I would rather send it back for the money.|It goes back, and I want the money.]"
WANTS_CREDIT = "[I would rather send it back for store credit.|It goes back, store credit for it is fine.]"
WANTS_ANOTHER = "[I want to send it back and get one that is in one piece.|Swap it, I send the broken one back.]"
SUSPECT = (
    (
        "[nothing drinkable comes out of this kitchen|it is all dishwater here] since [Friday|the weekend], and I say "
        "it is the {blamed_product}, serial number {blamed_serial_number}, [so please send a new one|replace it]."
    ),
    (
        "[Odd only that the {blamed_product} does all that it should when a friend tries it.|My neighbour says that "
        "the {blamed_product} is as good as ever, explain that to me.]"
    ),
    "[And by the way:|What else is new:] {symptom}",
)
CANCEL_IT = (
    "[please cancel {which} at once and refund my card|stop {which} before it goes out, money back to my card].",
    "[We will be away, and it would stand at the door for weeks.|Nobody will be here to take it in.]",
)
KEEP_IT = (
    (
        "[me again, and sorry: leave the order as it is|forget what I wrote, the order may come], [the neighbours take "
        "it in|my son stays at home after all]."
    ),
    (
        "[What really has to stop for a while is the coffee.|It is the coffee that nobody will drink.] [Let it rest "
        "until {then} and then go on by itself.|On {then} it may start again, until then none.]"
    ),
)
FORM = (
    Worded(
        "[I only wanted to know whether the {line} is back soon|your form has no box for this, so here].",
        de="[eigentlich wollte ich nur wissen, ob {line} bald wieder lieferbar ist|im Formular gibt es leider keinen "
        "passenden Punkt, daher so].",
        es="[quería preguntar si {line} volverá a estar en la tienda|el formulario no tiene la opción que necesito, "
        "así que escribo aquí].",
        fr="[je voulais surtout savoir si {line} revient bientôt en stock|le formulaire ne propose rien qui convienne, "
        "j'écris donc ici].",
        nl="[ik wilde eigenlijk vragen of {line} binnenkort weer leverbaar is|het formulier heeft geen vakje voor mijn "
        "vraag, dus dan maar zo].",
    ),
    Worded(
        "[What matters:|The real matter:] {which} left three weeks ago and has never come.",
        de="[Wichtiger ist mir aber|Worum es wirklich geht]: {which} ist seit drei Wochen unterwegs und [bei mir nie "
        "angekommen|nirgends abgegeben worden, auch nicht bei den Nachbarn].",
        es="[Lo importante es otra cosa|Lo que me preocupa]: {which} salió hace tres semanas y [nunca ha "
        "llegado|aquí no lo tiene nadie, tampoco los vecinos].",
        fr="[Le vrai sujet|Le plus important] : {which} est partie il y a trois semaines et [n'est jamais "
        "arrivée|personne ici ne l'a reçue, les voisins non plus].",
        nl="[Maar waar het om gaat|Belangrijker]: {which} is drie weken geleden verstuurd en [hier nooit "
        "aangekomen|bij niemand bezorgd, ook niet bij de buren].",
    ),
)
GOODS_AGAIN = Worded(
    "Money I do not want, only the goods: please send it once more.",
    de="[Geld will ich keines, nur die Ware, also bitte noch einmal schicken.|Bitte schicken Sie es noch einmal.]",
    es="[No quiero el dinero, quiero el paquete: envíenlo otra vez.|¿Pueden mandarlo otra vez?]",
    fr="[Je ne veux pas d'argent, je veux mon colis : renvoyez-le.|Pouvez-vous l'envoyer une seconde fois ?]",
    nl="[Het geld hoef ik niet terug, stuur het pakje nog een keer.|Kunnen jullie het nog een keer sturen?]",
)
MONEY_AGAIN = Worded(
    "Do not send it again, the money goes back to my card.",
    de="[Ich brauche es nicht mehr, bitte das Geld auf meine Karte.|Bitte das Geld zurück auf die Karte.]",
    es="[Ya no lo necesito: devuélvanme el dinero a la tarjeta.|Prefiero el dinero de vuelta en mi tarjeta.]",
    fr="[Je n'en ai plus besoin : remboursez ma carte.|Je préfère être remboursé sur ma carte.]",
    nl="[Ik heb het niet meer nodig, stort het geld terug op mijn kaart.|Graag het geld terug op mijn kaart.]",
)

# --- under which subjects
PASSWORD = ("Password reset", "password??", "Account locked", "LOGIN DOES NOT WORK", "my account")
PAPER = ("Invoice copy please", "invoice {old_order}", "VAT invoice", "Receipt for the accountant")
PARCEL = ("Where is my parcel", "parcel??", "no tracking!", "Parcel missing")
PRAISE = ("Thank you!!", "a big thank you", "Compliment", "lovely", "Thanks to the whole team")
CLAIM = ("FINAL NOTICE, claim 38-2207/K", "Claim 71-4410/B - URGENT", "Notice of claim no. 5521/C")
NEWSLETTER = ("Unsubscribe", "UNSUBSCRIBE ME", "newsletter", "your mailing list", "unsubscribe (3rd time)")
BREWING = ("Which grind for a moka pot?", "grind size", "moka", "Question: grind")
PASSED_ON = ("Fwd: Invoice coffee", "Fwd: coffee invoice March", "Fwd: invoice, and one more thing")
RECEIPT = ("Gift receipt?", "gift receipt", "receipt without price", "Receipt for a present")
COMPLAINT = ("COMPLAINT", "Complaint to the management", "I wish to complain", "formal complaint")
CANCEL = ("Cancel order {order}", "CANCEL MY ORDER", "cancellation", "please cancel")
SHOP_FORM = ("Contact form: product question", "[Shop form] Question about a product", "Form: product")

# --- what is true to say where nothing is done
GONE = "Order {order} has left us already. It is expected on {parcel.day}; the tracking number is {parcel}."
PAID = "For the {line} we refunded {refund} to your card on {refund.day}."
ENDED = "The warranty of your {product} ended on {unit.end_day}, so nothing can be sent free of charge."
OVER = "Your coffee plan ended on {subscription.end_day}; nothing more is charged or sent."


def plan(name: str, past: Any, letter: Any, *facts: str, **more: Any) -> LetterPlan:
    """Return a plan; with nothing owed, the answer is explained from the records or refused."""
    nothing = {} if more.get("owed") else {"resolution": NOTHING_DUE}
    past = past if isinstance(past, list) else [past]
    return LetterPlan(name, past=past, letter=letter, facts=facts, **{**nothing, **more})


def card_or_credit(one: LetterPlan, split: str = "") -> tuple[LetterPlan, LetterPlan]:
    """Return twins with the same records: the money goes to the card, or becomes store credit."""
    credited = [replace(due, destination=CREDIT) for due in one.owed]
    return (
        replace(one, letter=[*one.letter, TO_CARD]),
        replace(one, name=f"{one.name}_as_credit", letter=[*one.letter, TO_CREDIT], owed=credited, split=split),
    )


def asked(name: str, past: Any, letter: Any, question: str, retort: Any, due: Any, *facts: str) -> LetterPlan:
    """Return a plan in which only the customer's answer to a question says what is owed."""
    return plan(name, past, letter, *facts, asks=question, retort=retort, owed=[due])


WHAT = "Hello, I am sorry that you had to wait. Please tell me: what has happened, and what may I do for you?"
FOR_WHAT = "Hello, of course it can come back to us. Would you prefer the money back or store credit for it?"


@scenario("zendesk/hidden-need")
class HiddenNeed(LetterDesk, Larkspur):
    """A ticket whose subject is not what it is about.

    The subject says password, but the address is wrong; invoice, but the order must be stopped; thanks, but the last
    line says that an item is missing. A notice looks like spam, but the refund is owed; the mail is in another
    language; a forwarded mail contains another person's request; the wrong machine is blamed; or the mail is angry
    and does not say why. Triggers have tagged the ticket by its subject. What the customer needs is found in the
    thread, in the back office or by asking; sometimes the records show that it is done or cannot be done. The result
    is judged by that: what is needed, once, and nothing that only the subject asks for.
    """

    tags = ("support", "reading", "honesty")
    customers_where = f"{PRIVATE} AND {NOTHING_OPEN} AND {QUIET_PAST}"
    subjects = ("Question",)
    notices_from = ("Larkspur Coffee", "orders@larkspur.coffee")
    sorting = (
        ("Sort by subject: junk?", "claim notice", f"{JUNK} reason_dispute"),
        ("Sort by subject: complaints", "complaint complain", "reason_dispute"),
        ("Sort by subject: parcels", "shipped parcel tracking", "reason_lost_parcel"),
        ("Sort by subject: cancelled orders", "cancel", "reason_return"),
        ("Sort by subject: machines", "broken defective repair", "reason_warranty"),
        ("Sort by subject: log-in", "password login account", "reason_other"),
        ("Sort by subject: paper", "invoice receipt vat", "reason_other"),
        ("Sort by subject: newsletter", "unsubscribe newsletter mailing", "reason_other"),
        ("Sort by subject: praise", "thank compliment lovely", "reason_other"),
        ("Sort by subject: brewing", "grind moka", "reason_other"),
        ("Sort by subject: shop form", "form", "reason_other"),
    )
    rules = (
        "Triggers tag new tickets by words of the subject, and a subject seldom says what is the matter: the need may "
        "stand in the last line, below in an old mail, in another language, or nowhere. Find out what this customer "
        "really needs; where neither the thread nor the back office tells, ask, and do nothing before they have "
        f"answered. Do that and nothing else, and take off the tag {JUNK} where it is wrong. For a thing missing from "
        "a box, and for goods that came back in good order, the desk refunds their price, to the card unless the "
        "customer wants store credit. Goods that broke on the way come back as damaged_in_transit, a present that is "
        "not needed as changed_mind, with the resolution that the customer chooses; their money waits until the goods "
        "are here. For a defect under warranty the record of the product says whether the part or a new machine is "
        "sent; after its end nothing is, and the ticket is closed as refused. A parcel that the carrier lost is sent "
        "again, or refunded if the customer prefers that. An order that has left cannot be stopped or redirected: "
        "then give the tracking number and the day on which it is expected. Passwords, invoices and the newsletter "
        "are in the customer's own hands on the website; nobody here can do anything about them."
    )
    plans = (
        *(
            plan(
                name, [NEARBY, goods, ANOTHER], LOCKED_OUT, "address", **more,
                subjects=PASSWORD,
            )
            for name, goods, more in (
                ("locked_out", OPEN, {"owed": [move("order", "address")]}),
                ("locked_out_too_late", LEFT, {"tell": [number("parcel"), day("parcel")], "reply": GONE}),
            )
        ),
        *(
            plan(
                name, [OLD, goods, ANOTHER], INVOICE, "goods_back", **more,
                subjects=PAPER,
            )
            for name, goods, more in (
                ("invoice_copy", OPEN, {"owed": [cancel("order"), refund("charge")]}),
                ("invoice_copy_too_late", LEFT, {"tell": [number("parcel"), day("parcel")], "reply": GONE}),
            )
        ),
        *(
            plan(
                name, [*past, RECENT], OLD_THREAD, "defect", frame="answers", **more,
                notice="your order {other_order} is on its way to you.",
                subjects=("Re: Your order {other_order} has shipped",),
            )
            for name, past, more in (
                ("old_thread", [COVERED], {"owed": [send()]}),
                (
                    "old_thread_over", [LONG_OVER],
                    {"resolution": [REFUSED], "tell": [day("unit", "end_day")], "reply": ENDED},
                ),
                (
                    "old_thread_sent", [COVERED, sent_before((1, 2), "in_transit")],
                    {"tell": [number("parcel")], "reply": "What your {product} needs is on its way already: {parcel}."},
                ),
            )
        ),
        *card_or_credit(
            plan(
                "bell_rang", [CAME, charged_again()], BELL_RANG, "twice", owed=[refund("charge", "second")],
                subjects=PARCEL,
            )
        ),
        plan(
            "bell_rang_two_orders", [CAME, ordered_again()], [*BELL_RANG, TO_CARD], "twice",
            tell=[number("order"), number("second_order")],
            subjects=PARCEL,
            reply="You ordered twice: {order} on {order.day} and {second_order} on {second_order.day}; each was "
            "charged once, so nothing was taken too much.",
        ),
        *card_or_credit(
            plan(
                "last_line", BOX, LAST_LINE, "box", owed=[refund("charge", cents=amount("line"))],
                subjects=PRAISE,
            )
        ),
        plan(
            "last_line_paid", [*BOX, refunded(cents="line", reason="wrong_item", days_ago=(1, 2))],
            [*LAST_LINE, TO_CARD], "refunded", "box", tell=[amount("refund"), day("refund")], reply=PAID,
            subjects=PRAISE,
        ),
        *card_or_credit(
            plan(
                "final_notice", SENT_BACK, FINAL_NOTICE, "goods_back", owed=[refund("charge", cents=amount("line"))],
                subjects=CLAIM,
            ),
            NEW,
        ),
        plan(
            "final_notice_paid", [*SENT_BACK, refunded(cents="line", reason="returned")], [*FINAL_NOTICE, TO_CARD],
            "refunded", "goods_back", tell=[amount("refund"), day("refund")], reply=PAID,
            subjects=CLAIM,
        ),
        plan(
            "unsubscribe", PLAN, [*UNSUBSCRIBE, FOR_GOOD], "plan", owed=[cancel()],
            subjects=NEWSLETTER,
        ),
        plan(
            "unsubscribe_for_a_while", PLAN, [*UNSUBSCRIBE, FOR_A_WHILE], "plan", owed=[pause()], tell=[day("until")],
            subjects=NEWSLETTER,
        ),
        plan(
            "unsubscribe_over", PLAN_IS_OVER, [*UNSUBSCRIBE, FOR_GOOD], "plan", reply=OVER,
            tell=[day("subscription", "end_day")],
            subjects=NEWSLETTER,
        ),
        plan(
            "moka_skip", PLAN, [*MOKA, *LEAVE_ONE_OUT], "plan", owed=[skip()], tell=[day("later")],
            subjects=BREWING,
        ),
        plan(
            "moka_grind", PLAN, [*MOKA, *GROUND], "plan", owed=[change_plan(option="new_grind")],
            subjects=BREWING, tell=[RENEWAL],
            closing={"effective": RENEWAL}, reply="It counts from the renewal of {subscription.renewal_day} on.",
        ),
        plan(
            "moka_over", PLAN_IS_OVER, [*MOKA, *LEAVE_ONE_OUT], "plan", reply=OVER,
            tell=[day("subscription", "end_day")],
            subjects=BREWING, split=NEW,
        ),
        plan(
            "forwarded_grind", PLAN, [*BOOKED, TELL_THEM_GRIND], "plan", tell=[RENEWAL], frame="forwarded",
            owed=[change_plan(option="new_grind")], closing={"effective": RENEWAL},
            reply="It counts from the renewal of {subscription.renewal_day} on.",
            subjects=PASSED_ON,
        ),
        plan(
            "forwarded_skip", PLAN, [*BOOKED, TELL_THEM_SKIP], "plan", tell=[day("later")], frame="forwarded",
            owed=[skip()],
            subjects=PASSED_ON,
        ),
        *(
            replace(
                asked(name, order(PRESENTS, (5, 9), pieces=(1, 1)), GIFT, FOR_WHAT, [words], due, "goods_back"),
                subjects=RECEIPT,
            )
            for name, words, due in (
                ("gift_for_money", "[the money back, please.|I would take the money.]",
                 take_back("refund", "changed_mind")),
                ("gift_for_credit", "[store credit is fine.|I would take store credit.]",
                 take_back("store_credit", "changed_mind")),
            )
        ),
        *(
            replace(
                asked(name, BROKEN, ANGER, WHAT, words, due, fact),
                subjects=COMPLAINT,
            )
            for name, words, due, fact in (
                ("anger_for_money", [IN_PIECES, WANTS_MONEY], take_back("refund"), "goods_back"),
                ("anger_for_credit", [IN_PIECES, WANTS_CREDIT], take_back("store_credit"), "goods_back"),
                ("anger_for_another", [IN_PIECES, WANTS_ANOTHER], take_back("replacement"), "goods_back"),
                ("anger_about_coffee", ["[end my coffee plan, for good.|cancel my coffee plan, that is all.]"],
                 cancel(), "plan"),
            )
        ),
        *(
            plan(
                name, past, SUSPECT, "defect", **more,
                subjects=(
                    "{blamed_product} broken", "my {blamed_product} is defective", "Repair {blamed_product}",
                    "{blamed_product}: broken again?",
                ),
            )
            for name, past, more in (
                ("wrong_suspect", [machine(kinds=("GR-",)), BLAMED], {"owed": [send()]}),
                ("wrong_suspect_grinder", [COVERED, BLAMED_GRINDER], {"owed": [send()]}),
                (
                    "wrong_suspect_over", [machine(kinds=("GR-",), ended=(75, 400)), BLAMED],
                    {"resolution": [REFUSED], "tell": [day("unit", "end_day")], "reply": ENDED},
                ),
            )
        ),
        plan(
            "first_thoughts", ORDER_AND_PLAN, CANCEL_IT, "goods_back", owed=[cancel("order"), refund("charge")],
            subjects=CANCEL,
        ),
        plan(
            "second_thoughts", ORDER_AND_PLAN, CANCEL_IT, "plan", then=KEEP_IT, owed=[pause()], tell=[day("until")],
            subjects=CANCEL,
        ),
        *(
            plan(
                name, past, [*FORM, wish], *facts, **more, languages=OTHER_LANGUAGES,
                subjects=SHOP_FORM,
            )
            for name, past, wish, facts, more in (
                ("from_the_form", NEVER_CAME, GOODS_AGAIN, ["parcel"], {"owed": [reship()]}),
                ("from_the_form_for_money", NEVER_CAME, MONEY_AGAIN, ["parcel"], {"owed": [refund("charge")]}),
                (
                    "from_the_form_paid", [NEVER_CAME, refunded()], MONEY_AGAIN, ["refunded"],
                    {
                        "tell": [amount("refund"), day("refund")],
                        "reply": Worded(
                            "We refunded {refund} to your card on {refund.day}.",
                            de="Wir haben am {refund.day} {refund} auf Ihre Karte erstattet.",
                            es="El {refund.day} reembolsamos {refund} a su tarjeta.",
                            fr="Nous avons remboursé {refund} sur votre carte le {refund.day}.",
                            nl="Op {refund.day} hebben we {refund} op uw kaart teruggestort.",
                        ),
                    },
                ),
            )
        ),
    )  # fmt: skip

    def candidates(self, stage: Stage, plan: Plan) -> list[Customer]:
        """Return the customers whose card is valid, so that renewals succeed."""
        return with_valid_card(super().candidates(stage, plan), stage.now)

    def facts_for(self, truth: DeskTruth) -> Sequence[Fact]:
        """Add that a ticket which the triggers take for junk does not stay marked as such."""
        marked = truth.plan.startswith("final_notice")
        not_junk = msgspec.structs.replace(NOT_JUNK, decided_by=(str(truth.ticket_id),))
        return (*super().facts_for(truth), *((not_junk,) if marked else ()))

    def filing(self, clerk: Clerk, truth: DeskTruth) -> dict[str, Any]:
        """Take off the tag that the triggers set by mistake."""
        return {"remove_tags": [JUNK]} if truth.plan.startswith("final_notice") else {}

    @cheat
    def answers_the_subject(self, hands: Hands, truth: DeskTruth) -> None:
        """Answer what the subject asks for, and solve the ticket as answered with the tag that the triggers set."""
        clerk = Clerk(hands, truth.ticket_id)
        clerk.read_ticket()
        text = "Hello, passwords, invoices and the newsletter are on our website, in your account. Have a good day!"
        clerk.try_("zendesk_reply_to_ticket", ticket_id=truth.ticket_id, body=text)
        fields = {"Contact reason": "reason_other", "Resolution": "done_answered"}
        clerk.try_("zendesk_update_ticket", ticket_id=truth.ticket_id, fields=fields, status="solved")
        clerk.try_("finish", report="Done.")


def _not_junk(owner: Any, view: View, truth: DeskTruth) -> Finding:
    tags = view.tx.get(Ticket, truth.ticket_id).tags
    return Finding(JUNK not in tags, f"no tag {JUNK}", f"tags: {', '.join(tags) or 'none'}")


NOT_JUNK = Fact(
    "not_marked_as_junk", "classified", 0.5, _not_junk, f"The tag {JUNK} is off, since the customer's matter is real.",
    False, "commitment", "field",
)  # fmt: skip
