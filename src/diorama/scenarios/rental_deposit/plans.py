"""What can have become of a rented kit: each plan puts it into the back office."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import msgspec

from diorama.apps.backoffice import seed
from diorama.apps.backoffice.schema import Customer, Return
from diorama.apps.backoffice.seed import History
from diorama.kernel import Dice, Tx
from diorama.scenarios.rental_deposit.words import ASKING, CANCELLED, TWO_KITS
from diorama.scenarios.unported import cases
from diorama.scenarios.unported.outfitters import DAY, day, days, dollars, weekday_before
from diorama.scenarios.unported.shop import Due, known_since
from diorama.worlds.kittiwake.catalogue import DEPOSIT
from diorama.worlds.kittiwake.firm import FIRM

KITS = ("RN-KIT2W", "RN-PACK", "RN-PADDLE")
POLE_CENTS, LATE_CENTS = 2_500, 2_000
POLE = ("pole", "arceau", "arceaux")
LATE = ("late", "overdue", "delay", "after the due", "retard", "tard")
NOT_YET = (
    "not arrived", "not yet", "n't arrived", "not reached", "not back", "not come back", "not received",
    "still waiting", "still out", "on its way", "in transit", "yet to arrive", "pas encore", "pas arrivé", "pas revenu",
    "n't come back", "pas reçu", "en route", "en chemin", "en transit", "attendons",
)  # fmt: skip
RENTALS, COUNTER = "priya@kittiwake.ca", "callum@kittiwake.ca"


class Case(cases.Case, kw_only=True):
    """A kit, and what became of it."""

    subject: str = ""
    answer: str
    language: str
    pays: bool = True
    """Whether a reply may say that money has gone back."""


class Rental(msgspec.Struct, kw_only=True):
    """One variant while it is staged: a customer, their kit, and the language of everything that is said."""

    tx: Tx
    customer: Customer
    dice: Dice
    language: str

    @property
    def due(self) -> datetime:
        """The day on which the kit was due back: a Tuesday, Wednesday or Thursday of the last two weeks."""
        weekday = self.dice.child("due").integer(1, 3)
        return weekday_before(self.tx.now - self.dice.child("week").integer(0, 1) * 7 * DAY - 3 * DAY, _is(weekday))

    def rent(self, out_days: int = 9, outcome: seed.orders.Outcome = "delivered", noted: bool = True) -> History:
        """Add a rental order with its deposit, and the note that says when it was due back."""
        placed = self.due - timedelta(days=out_days + 6, minutes=self.dice.child("placed").integer(0, 400))
        known_since(self.tx, self.customer, placed)
        kit = self.dice.child("kit", out_days).pick(KITS)
        past = seed.add_order_history(self.tx, self.customer, [(kit, 1), (DEPOSIT.sku, 1)], placed, outcome=outcome)
        if noted:
            self.note(past, f"{past.order.number}: kit is due back {FIRM.now(self.due):%Y-%m-%d}.", placed + DAY)
        return past

    def note(self, past: History, text: str, at: datetime, by: str = RENTALS) -> None:
        """Add a colleague's note to the order."""
        seed.add_note_history(self.tx, self.customer.id, text, by, at, past.order.id)

    def back(self, past: History, days_late: int = 0, found: str = "complete") -> Return:
        """Let the kit come back, some days late; the warehouse notes what it found."""
        at = self.due + days_late * DAY
        made = seed.add_return_history(self.tx, past, at - 7 * DAY, RENTALS)
        return self.tx.change(made, status="received", received_at=at, updated_at=at, note=f"Kit counted: {found}.")

    def say(self, cents: int) -> str:
        """Write an amount in the customer's language."""
        return dollars(cents, self.language)

    def case(self, past: History, matter: Sequence[str], english: str, french: str, **more: object) -> Case:
        """Return the case, with the answer in the customer's language."""
        answer = english if self.language == "en" else french
        facts = {"order_number": past.order.number, "deposit": self.say(DEPOSIT.price_cents)}
        known = {"reason": "why_rental", "matter": list(matter), "facts": facts, "order": past.order.number, **more}
        return msgspec.convert({**known, "answer": answer, "language": self.language}, Case)

    def pays(self, past: History, cents: int, english: str, french: str, *ways: tuple[str, ...]) -> Case:
        """Return a case in which part of the deposit goes back, and some reason must be named."""
        number = past.order.number
        kept = DEPOSIT.price_cents - cents
        return self.case(
            past,
            ASKING[self.language],
            english,
            french,
            dues=(Due(charges=(past.charge.id,), cents=cents),),
            say_cents=(cents,),
            may_say_cents=(DEPOSIT.price_cents, kept, POLE_CENTS, LATE_CENTS, past.charge.amount_cents),
            say=((number,), *ways),
        )


def _is(weekday: int) -> Callable[[datetime], bool]:
    return lambda moment: moment.weekday() == weekday


def _thanks(number: str) -> tuple[str, str]:
    return f"Hello, your kit of rental {number} is back", f"Bonjour, l'équipement de la location {number} est revenu"


def back_complete(rental: Rental) -> Case:
    """The kit came back in time and complete."""
    past = rental.rent()
    rental.back(past)
    english, french = _thanks(past.order.number)
    amount = rental.say(DEPOSIT.price_cents)
    return rental.pays(
        past,
        DEPOSIT.price_cents,
        f"{english}, complete and in time. I have refunded the whole deposit of {amount} to your card.",
        f"{french} à temps et au complet. J'ai remboursé le dépôt de {amount} sur votre carte.",
    )


def _poles(rental: Rental, lost: int) -> Case:
    past = rental.rent()
    rental.back(past, found=f"{lost} pole{'s' if lost > 1 else ''} missing, the rest is there")
    kept = lost * POLE_CENTS
    cents = DEPOSIT.price_cents - kept
    english, french = _thanks(past.order.number)
    return rental.pays(
        past,
        cents,
        f"{english}, but we count {lost} missing pole{'s' * (lost > 1)} and keep {rental.say(kept)} for that. I have "
        f"refunded {rental.say(cents)} of the deposit to your card.",
        f"{french}, mais il manque {lost} arceau{'x' * (lost > 1)}, donc nous gardons {rental.say(kept)}. J'ai "
        f"remboursé {rental.say(cents)} du dépôt sur votre carte.",
        POLE,
    )


def lost_pole(rental: Rental) -> Case:
    """One pole is missing."""
    return _poles(rental, 1)


def lost_two_poles(rental: Rental) -> Case:
    """Two poles are missing."""
    return _poles(rental, 2)


def torn_mesh(rental: Rental) -> Case:
    """The mesh is torn, which is wear and costs nothing."""
    past = rental.rent()
    rental.back(past, found="mesh of the tent bag torn, muddy, everything there")
    english, french = _thanks(past.order.number)
    amount = rental.say(DEPOSIT.price_cents)
    return rental.pays(
        past,
        DEPOSIT.price_cents,
        f"{english}. The torn mesh is wear and costs you nothing: I have refunded the whole deposit of {amount}.",
        f"{french}. La moustiquaire déchirée est de l'usure normale : j'ai remboursé le dépôt de {amount} au complet.",
    )


def _late(rental: Rental, late: int, missing: int = 0) -> Case:
    past = rental.rent()
    found = f"{missing} pole missing, the rest is there" if missing else "complete"
    rental.back(past, days_late=late, found=found)
    kept = late * LATE_CENTS + missing * POLE_CENTS
    cents = DEPOSIT.price_cents - kept
    english, french = _thanks(past.order.number)
    pole_en, pole_fr = (" and without one pole", " et sans un arceau") if missing else ("", "")
    return rental.pays(
        past,
        cents,
        f"{english}, {late} day late{pole_en}, so we keep {rental.say(kept)}. I have refunded {rental.say(cents)} "
        "of the deposit to your card.",
        f"{french}, avec {late} jour de retard{pole_fr}, donc nous gardons {rental.say(kept)}. J'ai remboursé "
        f"{rental.say(cents)} du dépôt sur votre carte.",
        LATE,
        *((POLE,) if missing else ()),
    )


def one_day_late(rental: Rental) -> Case:
    """The kit came a day late."""
    return _late(rental, 1)


def pole_and_late(rental: Rental) -> Case:
    """The kit came a day late and without a pole."""
    return _late(rental, 1, missing=1)


def late_with_leave(rental: Rental) -> Case:
    """The kit came late, but a colleague had allowed it."""
    past = rental.rent()
    rental.back(past, days_late=1)
    told = f"{past.order.number}: ferry cancelled, told them one day later is fine, no charge."
    rental.note(past, told, rental.due - timedelta(hours=20), by=COUNTER)
    english, french = _thanks(past.order.number)
    amount = rental.say(DEPOSIT.price_cents)
    return rental.pays(
        past,
        DEPOSIT.price_cents,
        f"{english}. We had agreed on the extra day, so I have refunded the whole deposit of {amount} to your card.",
        f"{french}. On s'était entendu sur la journée de plus, donc j'ai remboursé le dépôt de {amount} au complet.",
    )


def not_back_yet(rental: Rental) -> Case:
    """The kit is on its way or was never sent; its deposit stays."""
    past = rental.rent()
    label = seed.add_return_history(rental.tx, past, rental.tx.now - 3 * DAY, RENTALS)
    rental.tx.change(label, status="in_transit" if rental.dice.child("posted").chance(0.5) else "open")
    number, tracking = past.order.number, label.tracking_number
    return rental.case(
        past,
        ASKING[rental.language],
        f"Hello, the kit of rental {number} has not arrived here yet (label {tracking}). The deposit goes back to your "
        "card when it has arrived and been counted, not before.",
        f"Bonjour, l'équipement de la location {number} n'est pas encore arrivé ici (étiquette {tracking}). Le dépôt "
        "retourne sur votre carte quand tout est arrivé et compté, pas avant.",
        may_say_cents=(DEPOSIT.price_cents,),
        say=(
            (number,),
            (tracking,),
            NOT_YET,
        ),
        pays=False,
    )


def paid_already(rental: Rental) -> Case:
    """A colleague refunded the deposit some days ago."""
    past = _paid(rental)
    refund = past.refund
    assert refund is not None
    number, when = past.order.number, refund.created_at
    amount = rental.say(DEPOSIT.price_cents)
    return rental.case(
        past,
        ASKING[rental.language],
        f"Hello, we refunded the deposit of {amount} for rental {number} on {day(when, 'en')}; banks take up to five "
        "working days to show it.",
        f"Bonjour, nous avons remboursé le dépôt de {amount} de la location {number} le {day(when, 'fr')} ; les "
        "banques prennent jusqu'à cinq jours ouvrables.",
        reason="why_refund",
        say_cents=(DEPOSIT.price_cents,),
        say=((number,), days(when)),
    )


def _paid(rental: Rental) -> History:
    placed = rental.due - timedelta(days=15, minutes=rental.dice.child("placed").integer(0, 400))
    known_since(rental.tx, rental.customer, placed)
    past = seed.add_order_history(
        rental.tx,
        rental.customer,
        [(rental.dice.child("kit").pick(KITS), 1), (DEPOSIT.sku, 1)],
        placed,
        outcome="delivered",
        refunded_cents=DEPOSIT.price_cents,
        refund_reason="returned",
        refunded_at=rental.due + timedelta(hours=3),
        refunded_by=RENTALS,
    )
    rental.note(past, f"{past.order.number}: kit is due back {FIRM.now(rental.due):%Y-%m-%d}.", placed + DAY)
    rental.back(past)
    return past


def cancelled_booking(rental: Rental) -> Case:
    """The booking was cancelled before the kit left, and nothing was paid back."""
    past = rental.rent(outcome="cancelled", noted=False)
    number, cents = past.order.number, past.charge.amount_cents
    amount = rental.say(cents)
    return rental.case(
        past,
        CANCELLED[rental.language],
        f"Hello, rental {number} was cancelled before the kit left, so everything goes back: I have refunded {amount}, "
        "rent and deposit, to your card.",
        f"Bonjour, la location {number} a été annulée avant l'envoi, donc tout revient : j'ai remboursé {amount}, "
        "location et dépôt, sur votre carte.",
        reason="why_cancel",
        dues=(Due(charges=(past.charge.id,), cents=cents),),
        say_cents=(cents,),
        may_say_cents=(DEPOSIT.price_cents, cents - DEPOSIT.price_cents),
        say=((number,),),
    )


def two_kits(rental: Rental) -> Case:
    """Two kits; one is back, the other is still out."""
    past = rental.rent()
    rental.back(past)
    out = rental.rent(out_days=3, noted=False)
    rental.note(out, f"{out.order.number}: kit is due back next week.", rental.tx.now - 3 * DAY)
    number, other = past.order.number, out.order.number
    amount = rental.say(DEPOSIT.price_cents)
    made = rental.case(
        past,
        TWO_KITS[rental.language],
        f"Hello, the kit of {number} is back complete: I have refunded its deposit of {amount}. The kit of {other} is "
        "still out, so its deposit stays until it is back.",
        f"Bonjour, l'équipement de {number} est revenu au complet : j'ai remboursé son dépôt de {amount}. Celui de "
        f"{other} est encore sorti, donc son dépôt reste jusqu'au retour.",
        dues=(Due(charges=(past.charge.id,), cents=DEPOSIT.price_cents),),
        say_cents=(DEPOSIT.price_cents,),
        may_say_cents=(past.charge.amount_cents, out.charge.amount_cents, 2 * DEPOSIT.price_cents),
        say=((number,), (other,)),
    )
    made.facts = {**made.facts, "other": other}
    return made


PLANS: dict[str, Callable[[Rental], Case]] = {
    plan.__name__: plan
    for plan in (
        back_complete,
        lost_pole,
        lost_two_poles,
        torn_mesh,
        one_day_late,
        pole_and_late,
        late_with_leave,
        not_back_yet,
        paid_already,
        cancelled_booking,
        two_kits,
    )
}
