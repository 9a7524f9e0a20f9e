"""Larkspur's past: customers, what they bought, and months of tickets about it, the same in both apps."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from heapq import heappop, heappush, merge
from typing import Any

import msgspec

from diorama import people
from diorama.apps.backoffice import seed as office_seed
from diorama.apps.backoffice.seed import History
from diorama.apps.zendesk import seed as desk_seed
from diorama.apps.zendesk.rules.ticket_merges import MERGED
from diorama.apps.zendesk.rules.time_zones import iana_name
from diorama.apps.zendesk.schema import Attachment, Identity, Organization, OrganizationMembership, Ticket, User, Via
from diorama.apps.zendesk.seed.tickets import mail_from, next_number
from diorama.kernel import Dice, Tx
from diorama.people.addresses import draw_company, draw_email
from diorama.people.names import draw_person
from diorama.people.rhythms import Calendar
from diorama.worlds.larkspur.catalogue import GOODS, OFFERS, OPENED, POLICIES, SETTINGS
from diorama.worlds.larkspur.company import COLLEAGUES, LOCALE, NAME, SUPPORT, TIME_ZONE, colleague
from diorama.worlds.larkspur.crowd import add_crowd
from diorama.worlds.larkspur.guide import open_help_center
from diorama.worlds.larkspur.helpdesk import PRODUCTS, Helpdesk, add_helpdesk
from diorama.worlds.larkspur.orders import Orders
from diorama.worlds.larkspur.outages import tell_outages
from diorama.worlds.larkspur.residents import Resident, buyer_of, draw_resident, draw_residents, free_address
from diorama.worlds.larkspur.skills import add_skills
from diorama.worlds.larkspur.stories import tell
from diorama.worlds.larkspur.telling import Story, Turn
from diorama.worlds.larkspur.topics import Topic, desk, draw_topic, topics
from diorama.worlds.larkspur.twins import duplicate, follow_up

STRANGERS = {"spam": 1.0, "job": 0.9, "wholesale": 0.7, "order_question": 0.55, "newsletter": 0.4}
"""Chance that a message on a topic comes from somebody who never bought anything."""
LOCALES = {"en": "en-GB", "de": "de", "fr": "fr", "es": "es", "nl": "nl"}


class Scale(msgspec.Struct, frozen=True, kw_only=True):
    """How much past there is."""

    customers: int
    tickets: int
    ticket_days: int
    customer_days: int


SCALES = {
    "small": Scale(customers=150, tickets=300, ticket_days=120, customer_days=400),
    "medium": Scale(customers=2000, tickets=20_500, ticket_days=430, customer_days=560),
    "large": Scale(customers=3000, tickets=34_000, ticket_days=640, customer_days=720),
}


def fill(tx: Tx, size: str) -> None:
    """Build the company."""
    scale = SCALES[size]
    office_seed.set_up(tx, SETTINGS, GOODS, POLICIES, OFFERS, opened=OPENED)
    for one in COLLEAGUES:
        office_seed.add_staff(tx, one.email, one.name, one.role, one.team, since=OPENED)
    helpdesk = add_helpdesk(tx)
    residents = draw_residents(tx, scale.customers, scale.customer_days)
    histories = add_crowd(tx, [buyer_of(one) for one in residents], tx.dice("larkspur crowd"))
    for resident, (customer_id, bought) in zip(residents, histories.items(), strict=True):
        resident.customer_id = customer_id
        resident.histories = sorted(bought, key=lambda history: history.order.created_at)
    past = _Past(tx, helpdesk, residents)
    open_help_center(tx, helpdesk.staff)
    add_skills(tx, helpdesk.staff, helpdesk.groups)
    written, spoken = Counter[str](), Counter[str]()
    broken = tell_outages(tx, past.residents, scale.ticket_days, 8 + scale.tickets // 300)
    told = list(merge(past.stories(scale), broken, key=lambda story: story.turns[0].at))
    for story in told:
        story.number = next_number(tx)
    for story in told:
        past.write(story)
        written[story.topic.name] += 1
        spoken[story.language] += 1
    past.bring_to_life()
    for name, counts in (("topics", written), ("languages", spoken)):
        tx.control("INSERT INTO _truth VALUES (?, ?)", name, msgspec.json.encode(counts, order="sorted").decode())


class _Past:
    """The desk's past while it is being written."""

    def __init__(self, tx: Tx, helpdesk: Helpdesk, residents: list[Resident]) -> None:
        self.tx = tx
        self.helpdesk = helpdesk
        self.residents = sorted(residents, key=lambda one: one.since)
        self.since = [one.since for one in self.residents]
        self.orders = Orders(self.residents)
        self.taken = {email for one in residents for email in one.emails}
        self.users: dict[str, User] = dict(helpdesk.staff)
        self.organizations: dict[str, Organization] = {}
        self.members: dict[int, list[User]] = {}
        self.open: list[tuple[Story, Ticket]] = []
        for resident in self.residents:
            self._known(resident)

    # --- who

    def _known(self, resident: Resident) -> None:
        """A customer at the desk: one user, whose second address may be a user of its own by mistake."""
        tx, dice, writer = self.tx, self.tx.dice("desk user", resident.emails[0]), resident.writer
        user = self._user(dice, resident, resident.emails[0], writer.person.name)
        for email in resident.emails[1:]:
            if dice.chance(0.6):
                tx.add(
                    Identity(
                        user_id=user.id,
                        value=email,
                        verified=dice.chance(0.5),
                        created_at=user.created_at,
                        updated_at=user.created_at,
                    )
                )
                self.users[email] = user
            else:
                name = dice.pick(
                    (writer.person.name.lower(), writer.person.given, email.partition("@")[0], writer.person.name)
                )
                self._user(dice, resident, email, name)

    def _user(self, dice: Dice, resident: Resident, email: str, name: str) -> User:
        tx, writer = self.tx, resident.writer
        organization = self._organization(resident) if writer.company else None
        user = tx.add(
            User(
                name=name,
                email=email,
                organization_id=organization.id if organization else None,
                created_at=resident.since,
                updated_at=resident.since,
                verified=dice.chance(0.7),
                phone=(writer.phone or None) if dice.chance(0.6) else None,
                external_id=resident.customer_id if resident.customer_id and dice.chance(0.7) else None,
                time_zone=TIME_ZONE,
                iana_time_zone=iana_name(TIME_ZONE),
                locale=LOCALES[writer.person.language] if dice.chance(0.85) else LOCALE,
                tags=("vip",) if resident.segment == "vip" and dice.chance(0.8) else (),
                notes=dice.pick(desk()["misc"]["notes"]) if dice.chance(0.04) else None,
            )
        )
        tx.add(
            Identity(
                user_id=user.id,
                value=email,
                primary=True,
                verified=user.verified,
                created_at=resident.since,
                updated_at=resident.since,
            )
        )
        if organization is not None:
            self.members.setdefault(organization.id, []).append(user)
            tx.add(
                OrganizationMembership(
                    user_id=user.id,
                    organization_id=organization.id,
                    default=True,
                    created_at=resident.since,
                    updated_at=resident.since,
                )
            )
        self.users[email] = user
        return user

    def _organization(self, resident: Resident) -> Organization:
        name = resident.writer.company
        if name not in self.organizations:
            domain = resident.writer.email.partition("@")[2]
            dice = self.tx.dice("desk organization", name)
            made = Organization(
                name=name,
                domain_names=(domain,),
                shared_tickets=dice.chance(0.45),
                shared_comments=dice.chance(0.2),
                organization_fields={"terms": dice.pick(("net_14", "net_30"))} if dice.chance(0.5) else {},
                created_at=resident.since,
                updated_at=resident.since,
            )
            self.organizations[name] = self.tx.add(made)
        return self.organizations[name]

    # --- what

    def stories(self, scale: Scale) -> Iterator[Story]:
        """Everything that was ever asked, in the order in which it came in."""
        tx, now = self.tx, self.tx.now
        calendar = Calendar(
            now - timedelta(days=scale.ticket_days), now - timedelta(minutes=20), tx.dice("larkspur calendar")
        )
        moments = sorted((calendar.moment(tx.dice("ticket moment", number)), number) for number in range(scale.tickets))
        later: list[tuple[datetime, int, Story]] = []
        for at, number in moments:
            if at >= now:
                continue
            while later and later[0][0] <= at:
                yield heappop(later)[2]
            dice = tx.dice("ticket story", number)
            topic, resident, history = self._cast(dice, at)
            story = tell(dice, resident, topic, history, at, now)
            if story.topic.quiet and story.status not in ("solved", "closed"):
                story = tell(dice, resident, QUESTION, None, at, now)
            self._copy(dice, story)
            yield story
            again = None
            if dice.chance(0.045) and not topic.ends:
                again = duplicate(dice, story, now)
            elif dice.chance(0.03) and not topic.ends:
                again = follow_up(dice, story, now)
            if again is not None:
                heappush(later, (again.turns[0].at, number, again))
        while later:
            yield heappop(later)[2]

    def _cast(self, dice: Dice, at: datetime) -> tuple[Topic, Resident, History | None]:
        """A topic, and somebody for whom it makes sense at that time."""
        known = bisect_left(self.since, at - timedelta(hours=6))
        for _ in range(12):
            topic = draw_topic(dice)
            if dice.chance(STRANGERS.get(topic.name, 0.0)) or not known:
                return (topic if topic.order == "none" else QUESTION), self._stranger(dice, topic, at), None
            if topic.order == "none":
                for _ in range(6):
                    resident = self.residents[dice.integer(0, known - 1)]
                    if dice.uniform() * 3.0 < resident.chatty:
                        break
                return topic, resident, None
            found = self.orders.draw(dice, topic, at)
            if found is not None:
                return topic, *found
        return QUESTION, self._stranger(dice, QUESTION, at), None

    def _copy(self, dice: Dice, story: Story) -> None:
        """Somebody at a firm keeps a colleague informed."""
        user = self.users.get(story.email)
        if story.channel == "email" and user is not None and user.organization_id is not None:
            others = [one for one in self.members[user.organization_id] if one.id != user.id and one.email]
            if others and dice.chance(0.3):
                story.copied = (dice.pick(others).email or "",)
        elif story.channel == "email" and user is not None and dice.chance(0.03) and not story.topic.ends:
            story.copied = (self._at_home(dice, story),)

    def _at_home(self, dice: Dice, story: Story) -> str:
        """Somebody of the same name, who wants to know how it goes; answers their address."""
        writer = story.resident.writer
        given = draw_person(dice, writer.person.country).given
        person = msgspec.structs.replace(writer.person, given=given)
        email = free_address(dice, self.taken, draw_email(dice, person))
        other = msgspec.structs.replace(writer, person=person, email=email, company="", phone="")
        there = Resident(writer=other, emails=(email,), postal=story.resident.postal, since=story.turns[0].at)
        self._user(dice, there, email, person.name)
        return email

    def _stranger(self, dice: Dice, topic: Topic, at: datetime) -> Resident:
        stranger = draw_resident(dice, self.taken, at - timedelta(seconds=dice.integer(1, 60)), passing=True)
        if topic.name == "spam":
            email = f"{dice.pick(SPAM_BOXES)}{dice.integer(1, 999)}@{dice.pick(SPAM_DOMAINS)}"
            stranger.writer = msgspec.structs.replace(
                stranger.writer,
                email=email,
                voice=dice.pick(("plain", "polite", "business")),
                company=draw_company(dice),
            )
            stranger.emails = (email,)
        return stranger

    # --- writing it down

    def write(self, story: Story) -> Ticket:
        """One story becomes one ticket."""
        tx, dice = self.tx, self.tx.dice("ticket paper", story.email, story.turns[0].at.isoformat())
        if story.email not in self.users:
            self._user(dice, story.resident, story.email, story.resident.writer.person.name)
        requester = self.users[story.email]
        via = (
            mail_from(msgspec.structs.replace(requester, email=story.email), NAME, SUPPORT)
            if story.channel == "email"
            else Via(story.channel)
        )
        if story.source is not None:
            named = {"ticket_id": story.source.number, "subject": _subject(story.source)}
            via = Via("email", {**via.source, "from": {**via.source["from"], **named}, "rel": "follow_up"})
        turns = list(self._turns(story, requester, via, dice))
        rating = None
        if story.rating:
            at = story.turns[-1].at + timedelta(hours=24.0 + dice.lognormal(7.0, 1.1))  # a day later they are asked
            rating = (
                desk_seed.Rating(story.rating, story.rating_comment or None, at, story.rating_reason)
                if at < tx.now
                else None
            )
        ticket = desk_seed.add_ticket_history(
            tx,
            requester=requester,
            subject=_subject(story),
            turns=turns,
            recipient=SUPPORT if story.channel == "email" else None,
            rating=rating,
            standard=self.helpdesk.standard,
            number=story.number,
            followup_source_id=story.source.number if story.source else None,
        )
        if ticket.status in ("new", "open", "pending", "hold"):
            self.open.append((story, ticket))
        return ticket

    def _turns(self, story: Story, requester: User, via: Via, dice: Dice) -> Iterator[desk_seed.Turn]:
        """Turns with what the desk changed along the way: assignment first, tags last."""
        staff, macros = self.helpdesk.staff, self.helpdesk.macros
        own = [turn for turn in story.turns if turn.by and not turn.link]
        tagged = own[-1] if own else None
        tags = set(requester.tags)
        for number, turn in enumerate(story.turns):
            if turn.link:
                yield self._linked(story, turn, tags)
                continue
            changes: dict[str, Any] = {}
            if turn.status and number:
                changes["status"] = turn.status
            if number == 0 and story.copied:
                changes["email_cc_ids"] = tuple(self.users[email].id for email in story.copied)
            if turn.by:
                changes.update(self._taken(story, turn, own, dice))
            tags |= {*turn.tags, *_chosen(changes, self.helpdesk.product_field.id)}
            tags |= set(story.tags) if turn is tagged else set()
            if number and tags != set(requester.tags):
                changes["tags"] = tuple(tags)
            yield desk_seed.Turn(
                at=turn.at,
                author=staff[turn.by] if turn.by else requester,
                body=turn.body,
                public=turn.public,
                html=turn.html or None,
                changes=changes,
                rules=self.helpdesk.routed(turn.body, requester.tags) if number == 0 else (),
                macro=macros.get(turn.macro),
                via=Via("web") if turn.by else via,
                attachments=tuple(_attachment(dice, name) for name in turn.attachments),
            )

    def _taken(self, story: Story, turn: Turn, own: list[Turn], dice: Dice) -> dict[str, Any]:
        """What a colleague sets who answers: who has it, in which of their groups, and at first everything else."""
        staff, groups, who = self.helpdesk.staff, self.helpdesk.groups, colleague(turn.by)
        home = story.group if story.group in who.groups else who.groups[0]
        changes: dict[str, Any] = {"assignee_id": staff[turn.by].id, "group_id": groups[home].id}
        if turn is own[0]:
            changes["type"] = story.type
            changes.update({"priority": story.priority} if story.priority else {})
            changes.update({"problem_id": story.problem.number} if story.problem else {})
            changes.update({"follower_ids": (staff[story.follower].id,)} if story.follower else {})
        spoken = [one for one in own if one.public and one.body]
        if turn is (spoken or own)[0]:
            changes.update(self._fields(story, dice))
        return changes

    def _linked(self, story: Story, turn: Turn, tags: set[str]) -> desk_seed.Turn:
        """What another ticket did to this one, in the vendor's words and with its marks."""
        other = turn.other or story
        named, body = {"ticket_id": other.number, "subject": _subject(other)}, turn.body
        changes: dict[str, Any] = {"status": turn.status} if turn.status else {}
        if turn.link == "problem":
            via = Via("system", {"from": named, "to": {}, "rel": "problem"})
        elif turn.link == "merged_into":
            via = Via("web", {"from": {}, "to": named, "rel": "merge"})
            body = f'This request was closed and merged into request #{other.number} "{named["subject"]}".'
            changes["tags"] = tuple({*tags, *story.tags, MERGED})
        else:
            via = Via("web", {"from": named, "to": {}, "rel": "merge"})
            head = f'Request #{other.number} "{named["subject"]}" was closed and merged into this request.'
            body = f"{head} Last comment in request #{other.number}:\n\n{other.turns[0].body}"
            if self.users[other.email].id != self.users[story.email].id:
                copied = (*(self.users[email].id for email in story.copied), self.users[other.email].id)
                changes["email_cc_ids"] = tuple(dict.fromkeys(copied))
        return desk_seed.Turn(
            at=turn.at, author=self.helpdesk.staff[turn.by], body=body, public=turn.public, changes=changes, via=via
        )

    def _fields(self, story: Story, dice: Dice) -> dict[str, Any]:
        """The form's own fields, as often empty as not."""
        filled: dict[str, Any] = {}
        if story.history is not None and dice.chance(0.45):
            number = story.history.order.number
            filled[str(self.helpdesk.order_field.id)] = number if dice.chance(0.92) else number.replace("LK-", "LK ")
        product = story.facts.get("product", "")
        about = story.topic.order in ("machine", "goods", "boxed") or "product" in story.told
        if about and product in PRODUCTS and dice.chance(0.5):
            filled[str(self.helpdesk.product_field.id)] = product.lower().replace(" ", "_")
        return {"custom_fields": filled} if filled else {}

    def bring_to_life(self) -> None:
        """Whoever waits for an answer now is a person who answers when spoken to, and says nothing by themselves."""
        tx, living = self.tx, set[str]()
        for story, ticket in self.open:
            if story.email in living or story.topic.ends:
                continue
            living.add(story.email)
            person = story.resident.writer.person
            language = story.language
            last = tx.rows("SELECT max(id) FROM zendesk_comments WHERE ticket_id = ?", ticket.id)[0][0]
            wish = desk()["wishes"][language]
            need = people.Need(
                name="answer",
                check="larkspur.answered",
                args={"ticket": ticket.id, "after": last},
                wish=wish,
                grace_hours=0.0,
            )
            persona = people.add_persona(
                tx,
                people.Persona(
                    email=story.email,
                    name=person.name,
                    given=person.given,
                    family=person.family,
                    language=language,
                    voice=story.resident.writer.voice,
                    facts=_sayable(story),
                    needs=(need,),
                    patience_hours=0.0,
                    rates=0.25,
                ),
            )
            people.attend(tx, persona, "email", str(ticket.id), ticket.subject, story.told, since=ticket.created_at)


def _subject(story: Story) -> str:
    """A mail without a subject is known by how it begins."""
    return story.subject.strip() or story.turns[0].body.strip().partition("\n")[0][:80]


def _sayable(story: Story) -> dict[str, str]:
    """What a person with an open ticket can answer, in the words of their own records."""
    facts = {"product": story.facts["product"]}
    history, resident = story.history, story.resident
    if resident.writer.phone:
        facts["phone"] = resident.writer.phone
    if resident.writer.company:
        facts["company"] = resident.writer.company
    facts["address"] = (
        story.facts.get("address") or f"{resident.postal.line1}, {resident.postal.postal_code} {resident.postal.city}"
    )
    if history is not None:
        facts["order_number"] = history.order.number
        facts["purchase_date"] = f"{history.order.created_at:%d.%m.%Y}"
        if history.shipment is not None:
            facts["tracking_number"] = history.shipment.tracking_number
    if "serial" in story.facts:
        facts["serial_number"] = story.facts["serial"]
        facts["photo"] = "IMG_0412.jpg"
    return facts


def _chosen(changes: dict[str, Any], field: int) -> set[str]:
    """The tag that a choice brings along."""
    value = changes.get("custom_fields", {}).get(str(field))
    return {value} if value else set()


KINDS = {
    "PNG": "image/png",
    "zip": "application/zip",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "HEIC": "image/heic",
    "png": "image/png",
    "pdf": "application/pdf",
}


def _attachment(dice: Dice, name: str) -> Attachment:
    return Attachment(
        id=42_118_000_000_000 + dice.integer(1, 999_999_999),
        file_name=name,
        content_type=KINDS[name.rpartition(".")[2]],
        size=dice.integer(40_000, 4_200_000),
    )


QUESTION = next(topic for topic in topics() if topic.name == "order_question")
SPAM_BOXES = ("growth", "sales", "info", "hello", "rank", "invoice", "noreply", "ceo", "partner", "marketing")
SPAM_DOMAINS = (
    "seo-rankers.agency",
    "mail-verify.support",
    "bestcups.trade",
    "linkboost.pro",
    "cn-packaging.biz",
    "wp-speedfix.site",
)
