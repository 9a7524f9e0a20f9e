"""What can break at Larkspur, what customers notice, and what looks similar but is not."""

from __future__ import annotations

import msgspec


class Thing(msgspec.Struct, frozen=True, kw_only=True):
    """Something that fails for many at once."""

    title: str
    """What the engineers call it."""
    cause: str
    name: str
    """What a customer calls it."""
    subjects: tuple[str, ...]
    letters: tuple[str, ...]
    unrelated: tuple[tuple[str, str], ...]
    """Mails of the same days that are about something else: subject and text."""
    charges: bool = False
    """Whether it charged some customers twice."""
    claim: str = ""
    """How a customer says that they were charged twice."""


THINGS: dict[str, Thing] = {
    "checkout": Thing(
        title="web shop checkout",
        cause="the payment page lost its session after the certificate was renewed",
        name="checkout",
        subjects=("cannot pay", "Payment", "shop broken?", "order not going through", "Error at the till", "Hello"),
        letters=(
            "[I put everything in the basket and the last page just spins|the pay button does nothing, just a wheel].",
            "[when I click on pay I get a white page|white page after I typed in my card].",
            "[your shop throws me out at the very last step|at the last step it says session expired, every time].",
            "[tried three times to order beans, it hangs at the payment|it hangs at the payment, also on my laptop].",
            "[the payment page says error 502|some error 502 comes when I want to pay].",
        ),
        unrelated=(
            ("voucher", "The code from my birthday card says it ran out in January. Can I still use it at the till?"),
            ("card", "my bank closed my old card. how do i put the new one in for the subscription? no hurry"),
            ("payment by invoice", "Good morning, could our office pay by invoice instead of card from next month?"),
            ("Basket", "Do you keep what is in my basket if I close the page? I want to decide on the weekend."),
            ("Delivery before paying", "Before I order: how long does the tamper take to Ireland? Thanks!"),
        ),
        charges=True,
        claim="[And the money was taken twice, for {order_number}.|My bank shows {order_number} two times!]",
    ),
    "renewals": Thing(
        title="subscription renewals",
        cause="the job that shows and announces renewals ran a second time; nothing was charged by it",
        name="subscription page",
        subjects=("Subscription", "my coffee", "strange mails", "two confirmations", "what happened tonight", "Hello"),
        letters=(
            "[I got two confirmation mails for my coffee tonight|two mails about my renewal, one minute apart].",
            "[my account says next bag: yesterday|the date of my next bag makes no sense since this morning].",
            "[the subscription page shows the same bag twice|two times the same bag in my account since tonight].",
            "[woke up to two renewal mails|why do I get the renewal mail twice in the night].",
            "[my subscription looks odd since tonight|something ran wild with my subscription tonight].",
        ),
        unrelated=(
            ("Change my coffee", "Could I get the decaf from next month on? The doctor says so."),
            ("price", "Did the price of the subscription go up in January? I only noticed now. Just asking."),
            ("pause", "we are away in May, how do i pause the bags? i can not find the button"),
            ("Gift subscription", "Hello, can I give a subscription as a present for three months only?"),
            ("grind", "Is the moka grind finer than the filter one? Asking before I change my plan."),
        ),
    ),
    "login": Thing(
        title="customer accounts",
        cause="the sign-in service refused every session that was older than a day",
        name="sign-in",
        subjects=("login", "cannot get in", "Account", "password??", "locked out", "My account is gone"),
        letters=(
            "[I cannot log in, it jumps back to the start|the login just sends me round in circles].",
            "[I reset my password twice and it still says signed out|new password, same thing: signed out at once].",
            "[it says your session has ended the second I sign in|signed in and out again in one second].",
            "[my account does not open, neither phone nor computer|cannot open my account anywhere].",
            "[the sign in page loads and loads|sign in page only reloads itself].",
        ),
        unrelated=(
            ("Delete my account", "Please delete my account and all data by the end of the month, as the law has it."),
            ("other mail address", "i have a new address since my wedding, how can i change the mail for my account"),
            ("two accounts", "I seem to have two accounts with you, one from 2022. Can they become one?"),
            ("newsletter", "The newsletter comes twice since I moved. One is enough, thank you."),
            ("Points", "Is there a loyalty programme in the account? A friend said so."),
        ),
    ),
    "tracking": Thing(
        title="parcel tracking page",
        cause="the carrier's feed sent empty answers and our page could not read them",
        name="tracking page",
        subjects=("tracking", "Where is it", "no tracking", "parcel page", "tracking link dead", "Question"),
        letters=(
            "[the tracking link only shows an error|tracking page: oops something went wrong].",
            "[since this morning the tracking page is empty|your tracking page shows nothing, no parcel, no date].",
            "[I click on the tracking in your mail and get a blank page|blank page behind the tracking link].",
            "[yesterday the tracking worked, today: unknown parcel|unknown parcel, it says, yesterday it knew it].",
            "[cannot see where my parcel is, the page is down|your parcel page seems to be down].",
        ),
        unrelated=(
            ("neighbour", "The courier left my parcel with a neighbour I do not know. Which house? The page says 14."),
            ("Change of address", "Can you still send my next bag to the office? It has not been packed yet, I see."),
            ("box damaged", "The parcel came today, the box has a dent but all is fine inside. Just so that you know."),
            ("delivery day", "tracking says thursday. can it come on friday instead? nobody home"),
            ("Customs", "The carrier asks for 12 pounds of duty at the door. Is that right?"),
        ),
    ),
    "app": Thing(
        title="phone app",
        cause="version 4.2 asks for a permission that phones refuse, and sends an order again when it is opened again",
        name="app",
        subjects=("app", "App crashes", "the update", "phone app", "cannot connect", "since the update"),
        letters=(
            "[the app closes as soon as I open it|app opens, blinks, gone].",
            "[since the update 4.2 the app cannot find my machine|after the update the app does not see the machine].",
            "[your app crashes on my phone since last night|crash, crash, crash, since the update last night].",
            "[I cannot start my machine from the app any more|the timer in the app is dead since the update].",
            "[the app asks for a permission and then dies|it wants some permission, I say yes, it closes].",
        ),
        unrelated=(
            ("Display dark", "The display on the machine itself stays dark since Sunday, fuse is fine. What can I do?"),
            ("which phone", "Does the app run on an older tablet? I would like to give it to my father."),
            ("App idea", "It would be nice if the app could remind me to descale. Just an idea, love the machine!"),
            ("descale", "The descaling light stays on after I descaled. Pressed both buttons for 5 seconds."),
            ("wifi", "i have a new router, how do i tell the machine the new password?"),
        ),
        charges=True,
        claim="[And {order_number}, which I ordered in it, was charged twice.|{order_number} is on my card two times.]",
    ),
    "invoices": Thing(
        title="invoice documents",
        cause="the new template left every line of an invoice out",
        name="invoice page",
        subjects=("Invoice", "empty invoice", "my accountant", "PDF", "invoice without lines", "Bookkeeping"),
        letters=(
            "[the invoice in my account is an empty page|invoice PDF: only your logo, nothing else].",
            "[my accountant sends the invoice back, there is nothing on it|nothing on the invoice but the date].",
            "[the PDF of my invoice has no lines|no items, no sums on the invoice, since today].",
            "[all invoices that I download today are blank|downloaded the invoice three times, blank each time].",
            "[where are the lines on the invoice|the invoice has a total of nothing].",
        ),
        unrelated=(
            ("VAT number", "Please add our VAT number to the invoices from this quarter on, it is on our letterhead."),
            ("Reminder", "I got a payment reminder although I pay by card. Is that from you or is it a fake?"),
            ("old invoice", "could you send me the invoice from march two years ago, for the warranty of my insurance"),
            ("company name", "Our company has a new name since January. Where can I change it?"),
            ("Receipt", "Do I get a receipt for the coffee I bought at the fair in Utrecht?"),
        ),
    ),
}
