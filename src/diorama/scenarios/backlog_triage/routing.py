"""The desk's written rules for triage: where each ticket goes, and what is different this week."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from diorama.apps.zendesk.schema import PRIORITIES, Kind, Priority
from diorama.kernel import Dice
from diorama.worlds.larkspur.company import BILLING, FIRST_LINE, ORDERS, WHOLESALE, WORKSHOP

TITLE = "Monday triage: where new tickets go"
OLD_TITLE = "Triage of new tickets (2023)"
MACHINES = ("Lark Compact", "Aria", "Aria Plus", "Calla", "Duet", "Tern Lever", "Atelier 2")
LANGUAGES = ("de", "fr", "es", "nl")
LANGUAGE_NAMES = {"de": "German", "fr": "French", "es": "Spanish", "nl": "Dutch"}


class Route(msgspec.Struct, frozen=True):
    """Where a ticket belongs."""

    group: str
    priority: Priority
    type: Kind | None
    reason: str


class TicketTraits(msgspec.Struct, frozen=True, kw_only=True):
    """One ticket of the backlog, with the properties that the rules use."""

    topic: str
    machine: str = ""
    language: str = "en"
    vip: bool = False
    business: bool = False


class TriageRules(msgspec.Struct, kw_only=True):
    """This week's rules: a table by topic, and what overrides it."""

    table: dict[str, Route]
    usual: dict[str, Route]
    """The table as printed in the article; the week's notes say what differs."""
    week: list[str] = []
    """The lead's notes for this week."""
    recalled: str = ""
    recall_tag: str = ""
    marks: dict[str, str] = {}
    """Topics that get an additional tag this week."""
    vip: Literal["step", "first_line"] = "step"
    first_line_languages: tuple[str, ...] = ()
    """Languages whose tickets all go to the first line this week."""


PHRASES = {
    "danger": "Smoke, sparks, a shock, somebody scalded",
    "defect": "A machine that does not do what it should",
    "lost_parcel": "A parcel that is late, stuck, lost, or delivered to nobody",
    "missing_item": "Something that was not in the box",
    "address": "Goods that should go to another address",
    "return": "Wants to send something back",
    "double_charge": "The same order charged more than once",
    "refund_wait": "Waits for money that we owe",
    "dispute": "Went to the bank or card company about a charge",
    "subscription": "Coffee plans: pause, change, end",
    "invoice": "Invoices and bills, wrong or missing",
    "how_to": "Asks how something works or what fits",
    "newsletter": "Mailing list",
    "wholesale": "A business asks for an offer",
}


def usual(dice: Dice) -> dict[str, Route]:
    """Draw the usual table; it differs between variants."""

    def among(*ways: Priority) -> Priority:
        return dice.pick(ways)

    plans_home = dice.pick((BILLING, FIRST_LINE))
    return {
        "danger": Route(WORKSHOP, "urgent", "incident", "reason_warranty"),
        "defect": Route(WORKSHOP, among("normal", "high"), "incident", "reason_warranty"),
        "lost_parcel": Route(ORDERS, among("normal", "high"), "incident", "reason_lost_parcel"),
        "missing_item": Route(ORDERS, among("normal", "high"), "incident", "reason_missing_item"),
        "address": Route(ORDERS, among("normal", "high", "urgent"), "task", "reason_address"),
        "return": Route(dice.pick((ORDERS, FIRST_LINE)), among("low", "normal"), "task", "reason_return"),
        "double_charge": Route(BILLING, among("normal", "high"), "incident", "reason_double_charge"),
        "refund_wait": Route(BILLING, among("normal", "high"), dice.pick(("question", "task")), "reason_refund"),
        "dispute": Route(BILLING, among("high", "urgent"), "incident", "reason_dispute"),
        "subscription": Route(plans_home, among("low", "normal"), "task", "reason_subscription"),
        "invoice": Route(dice.pick((BILLING, FIRST_LINE)), among("low", "normal"), "task", "reason_other"),
        "how_to": Route(dice.pick((FIRST_LINE, WORKSHOP)), among("low", "normal"), "question", "reason_other"),
        "newsletter": Route(FIRST_LINE, "low", "task", "reason_other"),
        "wholesale": Route(WHOLESALE, among("normal", "high"), "question", "reason_other"),
    }


# --- changes of this week


def quiet_week(rules: TriageRules, dice: Dice) -> tuple[str, ...]:
    """A week without changes."""
    return ()


def stocktaking(rules: TriageRules, dice: Dice) -> tuple[str, ...]:
    """Stocktaking in the warehouse: returns and missing items wait."""
    for topic in ("return", "missing_item"):
        rules.table[topic] = msgspec.structs.replace(rules.table[topic], group=FIRST_LINE, priority="low")
    rules.week.append(
        "Stocktaking until Wednesday: Orders & Delivery takes no returns and no missing items. Those wait with "
        "First Line, priority low."
    )
    return "return", "missing_item"


def billing_in_training(rules: TriageRules, dice: Dice) -> tuple[str, ...]:
    """The billing team is in training: the first line takes most of its tickets."""
    for topic in ("refund_wait", "double_charge"):
        rules.table[topic] = msgspec.structs.replace(rules.table[topic], group=FIRST_LINE)
    rules.week.append(
        "Billing is in training today. First Line keeps double charges and people who wait for money; bank cases "
        "still go to Billing."
    )
    return "refund_wait", "double_charge", "dispute"


def carrier_strike(rules: TriageRules, dice: Dice) -> tuple[str, ...]:
    """The carriers are on strike: many parcels are late."""
    rules.table["lost_parcel"] = Route(FIRST_LINE, "low", "incident", "reason_lost_parcel")
    rules.marks["lost_parcel"] = "carrier_strike"
    rules.week.append(
        "The carriers are on strike. Parcels that do not come: First Line, low, with the tag carrier_strike on top of "
        "the contact reason. Everything else of Orders & Delivery as always."
    )
    return "lost_parcel", "lost_parcel", "address"


def recall(rules: TriageRules, dice: Dice) -> tuple[str, ...]:
    """One machine is recalled: all its faults are urgent."""
    rules.recalled = dice.pick(MACHINES)
    rules.recall_tag = f"recall_{rules.recalled.lower().replace(' ', '_')}"
    rules.week.append(
        f"Recall of the {rules.recalled}: every fault of that machine is urgent and gets the tag {rules.recall_tag}. "
        f"Questions how to use a {rules.recalled} are still just questions. Other machines as always."
    )
    return "recalled", "defect", "how_to"


def trade_fair(rules: TriageRules, dice: Dice) -> tuple[str, ...]:
    """The wholesale team is at a trade fair: the first line takes its tickets."""
    rules.table["wholesale"] = Route(FIRST_LINE, "high", "task", "reason_other")
    rules.week.append(
        "Wholesale is at the fair in Milan. Offers for businesses: First Line, high, type task, so that somebody "
        "calls them."
    )
    return "wholesale", "wholesale"


def double_booking(rules: TriageRules, dice: Dice) -> tuple[str, ...]:
    """The payment processor failed on Saturday: double charges are urgent."""
    rules.table["double_charge"] = Route(BILLING, "urgent", "incident", "reason_double_charge")
    rules.marks["double_charge"] = "saturday_bookings"
    rules.week.append(
        "The payment processor stuttered on Saturday. Double charges: Billing, urgent, tag saturday_bookings besides "
        "the reason."
    )
    return "double_charge", "double_charge"


def regulars_at_home(rules: TriageRules, dice: Dice) -> tuple[str, ...]:
    """All tickets from VIPs go to the first line."""
    rules.vip = "first_line"
    rules.week.append(
        "Everything from VIPs goes to First Line this week, whatever it is about, one step up as always. Danger stays "
        "with Machines & Warranty."
    )
    return "vip", "vip"


def tongues_at_home(rules: TriageRules, dice: Dice) -> tuple[str, ...]:
    """Tickets in two languages go to the first line, which has the speakers."""
    home = tuple(dice.sample(LANGUAGES, 2))
    rules.first_line_languages = home
    one, other = (LANGUAGE_NAMES[code] for code in home)
    rules.week.append(
        f"Colleagues who write {one} and {other} sit with First Line this week: all tickets in "
        "these two languages go there, with the priority of their topic."
    )
    return f"in_{home[0]}", f"in_{home[1]}", "foreign"


def second_mails(rules: TriageRules, dice: Dice) -> tuple[str, ...]:
    """Several customers write twice, perhaps from another address."""
    return "again", "again", "again"


def crossed_wires(rules: TriageRules, dice: Dice) -> tuple[str, ...]:
    """All subjects are about something else."""
    return ("crossed",)


def old_sheet_about(rules: TriageRules, dice: Dice) -> tuple[str, ...]:
    """An outdated article with old rules is still published."""
    return ("old_sheet",)


class Week(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of week: what changes the rules or the mail."""

    changes: tuple[Callable[[TriageRules, Dice], tuple[str, ...]], ...]
    """Each writes the lead's notes and returns hints for the mail that arrives."""
    split: str = ""
    """`eval-new` for a week that is never trained on."""

    @property
    def name(self) -> str:
        """The names of what changes."""
        return "_and_".join(change.__name__ for change in self.changes)

    def change(self, rules: TriageRules, dice: Dice) -> tuple[str, ...]:
        """Change the rules; return hints for the mail."""
        return tuple(hint for change in self.changes for hint in change(rules, dice))


PLANS = (
    Week(changes=(quiet_week,)),
    Week(changes=(stocktaking,)),
    Week(changes=(billing_in_training,)),
    Week(changes=(carrier_strike,)),
    Week(changes=(recall,)),
    Week(changes=(trade_fair,)),
    Week(changes=(double_booking,)),
    Week(changes=(regulars_at_home,)),
    Week(changes=(tongues_at_home,)),
    Week(changes=(second_mails,)),
    Week(changes=(crossed_wires,)),
    Week(changes=(old_sheet_about,)),
    Week(changes=(carrier_strike, crossed_wires), split="eval-new"),
    Week(changes=(recall, regulars_at_home), split="eval-new"),
)


# --- applying the rules


def route_of(rules: TriageRules, traits: TicketTraits) -> tuple[Route, tuple[str, ...]]:
    """Return the route of a ticket by these rules, and its tags besides the contact reason."""
    if traits.topic == "spam":
        return Route(FIRST_LINE, "low", None, ""), ("spam",)
    route, tags = rules.table[traits.topic], []
    if traits.topic in rules.marks:
        tags.append(rules.marks[traits.topic])
    if rules.recalled and traits.machine == rules.recalled and traits.topic in ("defect", "danger"):
        route = msgspec.structs.replace(route, priority="urgent")
        tags.append(rules.recall_tag)
    if traits.vip:
        route = msgspec.structs.replace(route, priority=_step_up(route.priority))
        if rules.vip == "first_line" and traits.topic != "danger":
            route = msgspec.structs.replace(route, group=FIRST_LINE)
    if traits.language != "en":
        tags.append(f"lang_{traits.language}")
        if traits.language in rules.first_line_languages:
            route = msgspec.structs.replace(route, group=FIRST_LINE)
    return route, tuple(tags)


def _step_up(priority: Priority) -> Priority:
    return PRIORITIES[min(PRIORITIES.index(priority) + 1, len(PRIORITIES) - 1)]


def rules_text(rules: TriageRules) -> str:
    """Return the rules as the text of an article."""
    rows = "".join(
        f"<li>{PHRASES[topic]}: {route.group.replace('&', '&amp;')}, {route.priority}, type {route.type}, "
        f"{route.reason}.</li>"
        for topic, route in rules.usual.items()
    )
    week = "".join(f"<p><strong>This week.</strong> {note.replace('&', '&amp;')}</p>" for note in rules.week)
    return (
        f"{week}<p>What stands under This week comes before the list. Go by what people need, not by their subject "
        f"line, and not by the group into which a trigger has put it.</p><ul>{rows}</ul>"
        "<p>Each ticket gets group, priority, type and exactly one contact reason.</p>"
        "<p>VIPs (the ticket has the tag vip) go one step up in priority; urgent stays urgent.</p>"
        "<p>Not in English: add lang_de, lang_fr, lang_es or lang_nl.</p>"
        "<p>Junk and phishing: First Line, low, tag spam, no contact reason. No answer, no deleting: the lead does "
        "that.</p><p>The same person about the same thing a second time, also from another address: the later ticket "
        "gets group, priority, type and tags of the first, the tag duplicate, and an internal note with the "
        "number of the "
        "first one (#123). Do not merge, whoever takes the first one does.</p>"
        "<p>Urgent ones first. Nothing is answered, solved or closed at triage.</p>"
    )


def outdated_rules_text(dice: Dice) -> str:
    """Return outdated rules; most of them no longer apply."""
    return (
        "<p>Who takes what: parcels and returns to First Line, everything with money to Billing, priority high; coffee "
        "plans to Wholesale. Machines to Machines &amp; Warranty, normal. Type is always question. VIPs are always "
        f"urgent. Double mails are {dice.pick(('solved', 'closed'))} at once with the tag double.</p>"
        "<p>Junk: mark as solved with the macro General::Spam.</p>"
    )
