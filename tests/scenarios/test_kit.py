"""The kit for authors of desk scenarios: the field Record, ambiguous letters, and mistakes that are refused."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from diorama.apps.backoffice.schema import Order, OrderLine, Subscription, Unit
from diorama.apps.backoffice.schema import Plan as CoffeePlan
from diorama.apps.backoffice.seed.orders import Outcome
from diorama.apps.zendesk.schema import Comment
from diorama.check.declaring import Warned
from diorama.check.records import each_split_has_enough_people, the_record_follows_from_the_article
from diorama.episodes.episode import Episode, start
from diorama.kernel import Defect, Tx
from diorama.people import Persona
from diorama.scenarios import load_all
from diorama.scenarios.anatomy import Stage
from diorama.scenarios.cast import amount, number
from diorama.scenarios.desk import DeskScenario
from diorama.scenarios.desk_customers import BUSINESS, PRIVATE, no_order_for
from diorama.scenarios.larkspur import COFFEE, SMALL, Larkspur
from diorama.scenarios.owed import cancel, refund
from diorama.scenarios.past import Scene, charged_again, disputed, order, ordered_again, refunded, subscription
from diorama.scenarios.plan import Plan
from diorama.worlds.closing import EXPLAINED, REFUSED, TITLES
from diorama.worlds.kittiwake.closing import FORM as KITTIWAKE
from diorama.worlds.larkspur.closing import FORM
from tests.scenarios.planned import rows

NOTHING_DUE = (EXPLAINED, REFUSED)
FIRST, OTHER = order(SMALL, (16, 26)), order(SMALL, (14, 20), "lost", name="other")
LETTER = ("I have two orders of yours, {order} and {other_order}.",)


def desk(*plans: Plan, **more: Any) -> Any:
    """Return a scenario of Larkspur with these plans."""
    attributes = {"plans": plans, "subjects": ("Question",), "name": "zendesk/kit", **more}
    made = type("Kit", (Larkspur,), {"__doc__": "A test.", **attributes})()
    assert list(made.mistakes()) == []
    return made


def staged(plan: Plan) -> Episode:
    return start(desk(plan), 0)


def cast_of(plan: Plan) -> dict[str, Any]:
    """Return the rows of a plan by name, in the same variant that `staged` starts."""
    kept: list[Scene] = []

    class Kept(Larkspur):
        """It keeps the scene of its last staging."""

        plans, subjects, name = (plan,), ("Question",), "zendesk/kit"

        def compose(self, stage: Stage, plan: Plan, scene: Scene) -> Any:
            kept.append(scene)
            return super().compose(stage, plan, scene)

    start(Kept(), 0, restage=True)
    return kept[-1].cast


OTHER_LOST = Plan(
    "other_lost", past=[FIRST, OTHER], letter=LETTER, facts=["parcel"], owed=[refund("other_charge")],
    about="other_order",
)  # fmt: skip
SECOND_DISPUTED = Plan(
    "second_disputed", past=[FIRST, charged_again(), disputed("second", reason="duplicate")],
    letter=["You charged {order} twice."], facts=["dispute", "twice"], resolution=NOTHING_DUE,
    reply="The second charge was {second.amount}.", tell=[amount("second")],
)  # fmt: skip
THIRD = Plan(
    "third", past=[FIRST, OTHER, ordered_again(name="third")], letter=LETTER, facts=["twice"], resolution=NOTHING_DUE,
    reply="There is also {third_order}.", tell=[number("third_order")],
)  # fmt: skip
OTHER_TWICE = Plan(
    "other_twice", past=[FIRST, OTHER, charged_again("other_order", name="again")], letter=LETTER, facts=["twice"],
    owed=[refund("other_charge", "again")], about="other_order",
)  # fmt: skip
OTHER_PAID = Plan(
    "other_paid", past=[FIRST, refunded("charge", name="mine"), OTHER, refunded("other_charge")], letter=LETTER,
    facts=["refunded"], resolution=NOTHING_DUE, about="other_order", reply="We refunded {refund.amount}.",
    tell=[amount("refund")],
)  # fmt: skip


@pytest.mark.parametrize(
    ("plan", "row", "key"),
    [
        (OTHER_LOST, "other_parcel", "tracking_number"),
        (SECOND_DISPUTED, "second", "id"),
        (THIRD, "third_charge", "id"),
        (OTHER_TWICE, "again", "id"),
        (OTHER_PAID, "refund", "id"),
        (OTHER_LOST.twin("unsaid", about="order"), "other_parcel", "tracking_number"),
    ],
)
def test_record_follows_the_rows_and_not_their_names(plan: Plan, row: str, key: str) -> None:
    wanted = getattr(cast_of(plan)[row], key)
    assert staged(plan).truth.closing["record"] == (wanted,)
    assert list(the_record_follows_from_the_article(desk(plan))) == []


@pytest.mark.parametrize("said", [number("second"), "{second}", "{second.number}"])
def test_closing_states_rows_by_value_or_by_slot(said: Any) -> None:
    plan = Plan(
        "said", past=[FIRST, charged_again()], letter=["Hello."], facts=[], resolution=NOTHING_DUE,
        closing={"record": said}, reply="It was {second.amount}.", tell=[amount("second")],
    )  # fmt: skip
    assert staged(plan).truth.closing["record"] == (cast_of(plan)["second"].id,)


def test_slots_in_closing_are_written_as_the_field_writes_them() -> None:
    plan = Plan(
        "said", past=[FIRST, charged_again()], letter=["Hello."], facts=[], resolution=NOTHING_DUE,
        closing={"amount": "{charge}", "effective": "{order}"}, reply="It was {second}.", tell=[amount("second")],
    )  # fmt: skip
    cast, truth = cast_of(plan), staged(plan).truth
    assert truth.closing["amount"] == (f"{cast['charge'].amount_cents / 100:.2f}",)
    assert truth.closing["effective"] == (cast["order"].created_at.date().isoformat(),)


@pytest.mark.parametrize(
    ("plan", "said", "why"),
    [
        (OTHER_LOST, number("parcel"), "is the parcel of another order"),
        (SECOND_DISPUTED, number("charge"), "is not the charge that the bank disputes"),
        (THIRD, number("charge"), "is not the later one"),
        (OTHER_TWICE, number("charge"), "is the charge of another order"),
        (OTHER_PAID, number("mine"), "is the refund of another order"),
    ],
)
def test_a_wrong_record_is_found_by_the_article(plan: Plan, said: Any, why: str) -> None:
    wrong = plan.twin(plan.name, closing={"record": said})
    assert why in next(the_record_follows_from_the_article(desk(wrong)))


# --- ambiguous letters

PLANNED: dict[str, Any] = {
    name: one for name, one in load_all().items() if isinstance(one, DeskScenario) and one.has_shop
}
WORD = re.compile(r"[^\W\d_]{4,}")


def words(*texts: str) -> set[str]:
    return {word for text in texts for word in WORD.findall(text.casefold())}


def meanings(tx: Tx, truth: Any, knows: set[str]) -> Iterator[str]:
    """Yield each way in which a letter could mean another record than the one that the truth is about."""
    tickets = [
        truth.ticket_id,
        *getattr(truth, "duplicates", ()),
        *(one.ticket_id for one in getattr(truth, "also", ())),
    ]
    letter = "\n".join(one.body for ticket in tickets for one in tx.all(Comment, "ticket_id = ?", ticket))
    meant = {one for due in truth.owed for one in due.subjects} | set(truth.closing.get("record", ()))
    orders = tx.all(Order, "customer_id = ?", truth.customer_id)
    goods = {one.id: tx.all(OrderLine, "order_id = ?", one.id) for one in orders}
    live = tx.all(Subscription, "customer_id = ? AND status != 'cancelled'", truth.customer_id)
    names = {one.code: one.name for one in tx.all(CoffeePlan)}
    for mine in [one for one in tx.all(Subscription, "customer_id = ?", truth.customer_id) if one.id in meant]:
        others = words(*(names[one.plan_code] for one in live if one.id != mine.id))
        sent = [one.id for one in tx.all(Order, "subscription_id = ?", mine.id)]
        own = words(names[mine.plan_code], *(line.name for one in sent for line in goods[one])) - others
        if len({*(one.id for one in live), mine.id}) > 1 and not own & words(letter):
            yield f"{len(live)} live plans"
    units = tx.all(Unit, "customer_id = ?", truth.customer_id)
    for unit in [one for one in units if one.id in meant and one.id not in letter and "serial_number" not in knows]:
        same = {unit.id, unit.replaces, unit.replaced_by}
        if any(one.sku == unit.sku and one.id not in same for one in units):
            yield f"several units of {unit.sku}"
    numbers = {one: tx.get(Order, one).number for one in goods}
    mine_too = [one for one, number in numbers.items() if number == truth.order_number]
    for key in mine_too:
        for line in [one for one in goods[key] if one.name.casefold() in letter.casefold()]:
            alike = [one for one in goods if any(each.sku == line.sku for each in goods[one])]
            stated = any(numbers[one] in letter or numbers[one] in truth.reply for one in alike)
            if len(alike) > 1 and not stated:
                yield f"{len(alike)} orders with {line.name}"


@pytest.mark.parametrize("name", PLANNED)
def test_no_letter_can_mean_another_record_of_the_customer(name: str) -> None:
    found = []
    for split in PLANNED[name].splits:
        for seed in range(40):
            episode = start(name, seed, split=split)
            truth = episode.truth
            knows = {fact for one in rows(episode, Persona, "email = ?", truth.requester) for fact in one.facts}
            said = episode.world.read(lambda tx, truth=truth, knows=knows: list(meanings(tx, truth, knows)))
            found += [f"{split} {seed} ({truth.plan}): {one}" for one in said]
    assert found == []


ENDS = Plan(
    "ends", past=[subscription(COFFEE)], letter=["Please end my coffee plan."], facts=["plan"], owed=[cancel()]
)  # fmt: skip


def test_a_customer_says_which_plan_they_mean() -> None:
    episode = staged(ENDS)
    mine = rows(episode, Subscription, "id = ?", episode.truth.owed[0].subjects[0])[0]
    plan = rows(episode, CoffeePlan, "code = ?", mine.plan_code)[0]
    text = "Hello, you have two coffee plans. Which of them should I cancel?"
    episode.call("zendesk_reply_to_ticket", {"ticket_id": episode.truth.ticket_id, "body": text, "status": "pending"})
    episode.call("wait", {"minutes": 1440})
    thread = episode.call("zendesk_list_comments", {"ticket_id": episode.truth.ticket_id}).data["comments"]
    assert plan.name in thread[-1]["body"]


def test_customers_with_a_plan_of_their_own_do_not_write_about_plans() -> None:
    for seed in range(12):
        episode = start(desk(ENDS), seed)
        live = rows(episode, Subscription, "customer_id = ? AND status != 'cancelled'", episode.truth.customer_id)
        assert len(live) == 1


def test_the_line_that_a_letter_names_is_of_the_order_that_it_is_about() -> None:
    plan = Plan(
        "which", past=[FIRST, OTHER], letter=["{which} never came."], facts=["parcel"], owed=[refund("other_charge")],
        about="other_order",
    )  # fmt: skip
    for seed in range(12):
        episode = start(desk(plan), seed)
        thread = rows(episode, Comment, "ticket_id = ?", episode.truth.ticket_id)
        mine = rows(episode, Order, "number = ?", episode.truth.order_number)[0]
        lines = [one.name for one in rows(episode, OrderLine, "order_id = ?", mine.id)]
        assert any(one in thread[0].body for one in (mine.number, *lines))


def test_conditions_on_customers_separate_people() -> None:
    companies = {start(desk(ENDS, customers_where=BUSINESS), seed).truth.customer_id for seed in range(6)}
    people = {start(desk(ENDS, customers_where=PRIVATE), seed).truth.customer_id for seed in range(6)}
    assert companies.isdisjoint(people)


def test_no_other_order_since_can_be_asked_for() -> None:
    plan = Plan(
        "quiet", past=[FIRST], letter=["Hello."], facts=[], reply="It was {charge.amount}.", tell=[amount("charge")],
    )  # fmt: skip
    quiet = desk(plan, customers_where=no_order_for(30), everyday=())
    for seed in range(8):
        episode = start(quiet, seed)
        mine = rows(episode, Order, "customer_id = ?", episode.truth.customer_id)
        newest = max(mine, key=lambda one: one.created_at)
        assert newest.number == episode.truth.order_number


def test_few_people_are_a_warning_and_none_is_a_failure() -> None:
    few = "id IN (SELECT id FROM backoffice_customers ORDER BY id LIMIT 30)"
    told = list(each_split_has_enough_people(desk(ENDS, customers_where=few)))
    assert told
    assert all(isinstance(one, Warned) for one in told)
    none = list(each_split_has_enough_people(desk(ENDS, customers_where="id = ''")))
    assert len(none) == 2
    assert not any(isinstance(one, Warned) for one in none)
    with pytest.raises(Defect, match="no customer of the split train may write"):
        start(desk(ENDS, customers_where="id = ''"), 0)


# --- mistakes

GOOD = Plan(
    "good", past=[FIRST, refunded()], letter=["{order}?"], facts=["refunded"], resolution=NOTHING_DUE,
    reply="We refunded {refund.amount}.", tell=[amount("refund")],
)  # fmt: skip


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (GOOD.twin("bad", letter=["About {ordr2}."]), "unknown slot in letter: 'ordr2'"),
        (GOOD.twin("bad", reply="{refund}, on {refund.dya}."), "unknown kind of value in reply: 'dya'"),
        (GOOD.twin("bad", subjects=["About {ordr2}"]), "unknown slot in subjects: 'ordr2'"),
        (GOOD.twin("bad", closing={"record": "{second}"}), "unknown slot in closing: 'second'"),
        (GOOD.twin("bad", closing={"recrod": "x"}), "unknown key in closing: 'recrod'"),
        (GOOD.twin("bad", past=[order(SMALL, (6, 15), "gone")]), "has no outcome 'gone'; there are "),  # type: ignore[arg-type] # the mistake
        (GOOD.twin("bad", past=[FIRST, refunded("first_charge")]), "row in of= of the step refunded: 'first_charge'"),
        (GOOD.twin("bad", owed=[refund("first_charge")]), "unknown row in owed (refund): 'first_charge'"),
        (GOOD.twin("bad", tell=[number("third_order")]), "unknown row in tell: 'third_order'"),
        (GOOD.twin("bad", about="other_order"), "unknown row in about: 'other_order'"),
        (GOOD.twin("bad", facts=["paid_twice"]), "unknown fact: 'paid_twice'"),
        (GOOD.twin("bad", resolution=["solved"]), "unknown resolution: 'solved'"),
    ],
)
def test_a_mistake_of_an_author_is_told_with_the_plan(plan: Plan, told: str) -> None:
    made = type("Bad", (Larkspur,), {"plans": (GOOD, plan), "subjects": ("Hi",)})()
    (first, *_) = made.mistakes()
    assert first.startswith("plan 'bad': ")
    assert told in first


@pytest.mark.parametrize("name", PLANNED)
def test_steps_declare_the_names_that_they_add(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, set[str]] = {}
    kind = type(PLANNED[name])
    before = kind.compose

    def compose(self: Any, stage: Stage, plan: Plan, scene: Scene) -> Any:
        kept.setdefault(plan.name, set(scene.cast))
        return before(self, stage, plan, scene)

    monkeypatch.setattr(kind, "compose", compose)
    for split in PLANNED[name].splits:
        for seed in range(25):
            start(name, seed, split=split, restage=True)
    for plan in PLANNED[name].plans:
        declared = [one.adds() for one in plan.past]
        assert None not in declared
        known = {"customer", "home", "lead"}.union(*(one or () for one in declared))
        assert kept.get(plan.name, set()) <= known, plan.name


def test_the_guide_lists_every_word_that_a_plan_may_use() -> None:
    guide = (Path(__file__).parents[2] / "docs/how-to/write-a-scenario.md").read_text(encoding="utf-8")
    facts = [rule.fact for form in (FORM, KITTIWAKE) for rule in form.reason_rules]
    ends = [one.value for one in FORM.resolutions]
    assert [one for one in (*facts, *ends, *get_args(Outcome), *TITLES) if f"`{one}`" not in guide] == []
