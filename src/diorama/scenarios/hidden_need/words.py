"""Desk texts: the triggers that tag by subject, what the desk gives, and what replies claim."""

import re
from datetime import timedelta

from diorama.apps.zendesk import seed
from diorama.kernel import Tx
from diorama.people.reading import reads
from diorama.scenarios.unported.larkspur import REASONS
from diorama.scenarios.unported.words import stated
from diorama.worlds.helpdesk import backdated

JUNK = "maybe_spam"
SORTING: tuple[tuple[str, str, str], ...] = (
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
"""Triggers for new tickets: title, words in the subject, tags to add."""

RULES = (
    "Triggers tag new tickets by words of the subject, and a subject seldom says what is the matter: the need may "
    "stand in the last line, below in an old mail, in another language, or nowhere. Find out what this customer really "
    "needs; where neither the thread nor the back office tells, ask. Do that and nothing else, and correct the tags: "
    f"take off what is wrong ({JUNK} too). Contact reasons go by the need: where goods go is reason_address; an order "
    "that should not be sent, or goods to be sent back, reason_return; money for goods that are back with us, "
    "reason_refund; one order paid twice, reason_double_charge; a thing that was not in the box, reason_missing_item; "
    "a parcel that does not come, reason_lost_parcel; a defect, reason_warranty; coffee plans, reason_subscription. "
    "What the desk gives: for a thing missing from a box, its price in the order. For goods that came back in good "
    "order, their price. Goods that broke on the way come back as damaged_in_transit, a present that is not needed as "
    "changed_mind, with the resolution that the customer chooses; their money waits until the goods are here. For a "
    "defect under warranty the record of the product says whether the part or a new machine is sent. A parcel that is "
    "overdue is traced, and sent again once the carrier has given it up. Passwords, invoices and the newsletter are in "
    "the customer's own hands on the website; nobody here can do anything about them. In your answer name the order, "
    "the return or the machine's serial number, the tracking or return number of what is new, the day of the next "
    "renewal where a coffee plan goes on."
)

_WE = r"\b(?:we|i)(?:['’]ve| have| are|['’]re)?(?: just| now| already| today| also| gladly| of course)*"
_IS = r"(?:is|are|was|has been|have been)(?: now| already)?"
CLAIMS: dict[str, re.Pattern[str]] = {
    kind: re.compile(pattern, re.IGNORECASE)
    for kind, pattern in {
        "log-in": rf"{_WE} (?:reset|unlocked|sent[^.!?]{{0,30}}\b(?:password|link))|\bpassword {_IS} (?:reset|changed)|"
        rf"\baccount {_IS} (?:unlocked|open again)",
        "paper": rf"\b(?:invoice|receipt)\b[^.!?]{{0,30}} {_IS} (?:attached|sent|on its way|corrected|changed)|"
        rf"{_WE} (?:attached|sent|corrected|changed|reissued)[^.!?]{{0,30}}\b(?:invoice|receipt)\b",
        "newsletter": rf"{_WE} (?:taken|removed|unsubscribed) you|"
        r"\byou(?:['’]re| are)(?: now)? (?:unsubscribed|removed)",
        "money": rf"{_WE} (?:refunded|reimbursed|paid back|issued (?:a|the|your) refund)|"
        rf"\b(?:refund|money|payment)\b[^.!?]{{0,30}} {_IS} (?:on (?:its|the) way|issued|processed|refunded)",
        "credit": rf"{_WE} (?:given|added|granted)[^.!?]{{0,40}}\b(?:credit|voucher)|\bvoucher {_IS}",
        "goods": rf"{_WE} (?:sen[dt]|sending|shipp)[^.!?]{{0,40}}\b(?:new|another|part|replacement|parcel|again)|"
        rf"\b(?:new (?:one|machine|parcel)|replacement|part)\b[^.!?]{{0,30}} {_IS} (?:on its way|sent|shipped)",
        "return": rf"\blabel {_IS} (?:attached|on its way|in your mail|sent)|"
        rf"{_WE} (?:sent|attached)[^.!?]{{0,20}} label",
        "stop": rf"{_WE} (?:cancelled|canceled|stopped)[^.!?]{{0,20}}\border|"
        rf"\border\b[^.!?]{{0,20}} {_IS} (?:cancelled|canceled|stopped)",
        "end": rf"{_WE} (?:cancelled|canceled|ended)[^.!?]{{0,30}}\b(?:subscription|plan)|"
        rf"\b(?:subscription|plan)\b[^.!?]{{0,20}} {_IS} (?:cancelled|canceled|ended|over)",
        "rest": rf"{_WE} (?:paused|put)[^.!?]{{0,30}}\b(?:subscription|plan|hold)|"
        rf"\b(?:subscription|plan)\b[^.!?]{{0,20}} {_IS} (?:paused|on hold)",
        "address": rf"{_WE} (?:changed|updated|corrected)[^.!?]{{0,30}} address|"
        rf"\baddress\b[^.!?]{{0,30}} {_IS} (?:changed|updated|corrected)",
    }.items()
}
"""Actions that a reply can claim were done, by kind; each is true only in some cases."""


@reads
def claimed(text: str) -> frozenset[str]:
    """Return the kinds of actions that a text claims were done."""
    return stated(text, CLAIMS)


OFFERS = (
    "We have reset your password. The invoice is attached. We have removed you from the newsletter. We have paid back "
    "what you paid. We have given you a voucher. We have sent you another parcel. The label is in your mail. We have "
    "cancelled your order. We have cancelled your subscription. We have paused your plan. We have changed your address."
)
"""One text that contains every offer a desk could make."""


def set_up_triggers(tx: Tx) -> None:
    """Add triggers that tag new mail by its subject; the first trigger with a matching word wins."""
    with backdated(tx, tx.now - timedelta(days=400)):
        for title, words, tags in SORTING:
            seed.add_trigger(
                tx,
                title,
                [
                    ("update_type", "is", "Create"),
                    ("subject_includes_word", "includes", words),
                    ("current_tags", "not_includes", " ".join(REASONS)),
                ],
                [("current_tags", tags)],
            )


def stamped(subject: str) -> tuple[str, ...]:
    """Return the tags that the triggers add for a subject."""
    low = subject.lower()
    return next((tuple(tags.split()) for _, words, tags in SORTING if any(word in low for word in words.split())), ())
