"""Write a desk's past: customers become users, their stories tickets, and those who still wait become personas."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from heapq import heappop, heappush
from typing import Any

import msgspec

from diorama import people
from diorama.apps.backoffice.seed import History
from diorama.apps.zendesk import seed as desk_seed
from diorama.apps.zendesk.rules.account import time_zone_name
from diorama.apps.zendesk.rules.ticket_merges import MERGED
from diorama.apps.zendesk.rules.time_zones import iana_name
from diorama.apps.zendesk.schema import Attachment, Identity, Organization, OrganizationMembership, Ticket, User, Via
from diorama.apps.zendesk.seed.tickets import mail_from, next_number
from diorama.kernel import Dice, Tx
from diorama.people.addresses import draw_company, draw_email
from diorama.people.names import draw_person
from diorama.people.rhythms import Calendar
from diorama.worlds.book import Topic
from diorama.worlds.chronicle import Chronicle
from diorama.worlds.closed_tickets import Closings
from diorama.worlds.desk_checks import ANSWERED
from diorama.worlds.desk_teller import DeskTeller
from diorama.worlds.firm import Firm
from diorama.worlds.helpdesk import Helpdesk
from diorama.worlds.parcels import Orders
from diorama.worlds.residents import Resident, draw_resident, free_address
from diorama.worlds.stories import tell
from diorama.worlds.story_builder import Story, Turn
from diorama.worlds.twins import duplicate, follow_up

LONG = 90
"""Two people do not write the same text of this many letters."""
ATTEMPTS = 6
"""How often a letter is written again that someone else has written."""


class Scale(msgspec.Struct, frozen=True, kw_only=True):
    """How much history to create: `tickets` counts the stories that customers begin."""

    customers: int
    tickets: int
    ticket_days: int
    customer_days: int

    @property
    def described(self) -> str:
        """What a company says of this size; mails sent twice, outages and follow-ups add tickets of their own."""
        return f"at least {self.tickets:,} tickets and {self.customers:,} customers"


class Past:
    """The past of a firm's desk while it is being written."""

    def __init__(
        self, firm: Firm, tx: Tx, helpdesk: Helpdesk, residents: Sequence[Resident], chronicle: Chronicle
    ) -> None:
        self.firm = firm
        self.book = firm.book
        self.tx = tx
        self.helpdesk = helpdesk
        self.question = firm.book.topic(firm.question)
        self.residents = sorted(residents, key=lambda one: one.since)
        self.since = [one.since for one in self.residents]
        self.orders = Orders(self.residents, firm.windows, firm.suits)
        self.taken = {email for one in residents for email in one.emails}
        self.zone = time_zone_name(tx)
        self.users: dict[str, User] = dict(helpdesk.staff)
        self.organizations: dict[str, Organization] = {}
        self.members: dict[int, list[User]] = {}
        self.open: list[tuple[Story, Ticket]] = []
        self.teller = DeskTeller(tx, chronicle)
        self.busy: set[tuple[str, datetime]] = set()
        self.written: set[str] = set()
        """First messages so far."""
        self.closings = Closings(tx, firm, helpdesk.form, helpdesk.closing)
        for resident in self.residents:
            self._known(resident)

    def record(self, stories: Iterable[Story]) -> None:
        """Write stories as tickets, in their order, and keep how frequent topics and languages are."""
        told, written, spoken = list(stories), Counter[str](), Counter[str]()
        for story in told:
            story.number = next_number(self.tx)
        for story in told:
            self.teller.tell(story, self.write(story))
            written[story.topic.name] += 1
            spoken[story.language] += 1
        self.bring_to_life()
        for name, counts in (("topics", written), ("languages", spoken)):
            kept = msgspec.json.encode(counts, order="sorted").decode()
            self.tx.control("INSERT INTO _truth VALUES (?, ?)", name, kept)

    # --- people

    def _known(self, resident: Resident) -> None:
        """Add a customer at the desk: one user; a second address may be a separate user by mistake."""
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
        home = resident.postal
        zone = ZONES.get(home.region) or ZONES.get(home.country, self.zone)
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
                time_zone=zone,
                iana_time_zone=iana_name(zone),
                locale=self.firm.locales[writer.person.language] if dice.chance(0.85) else self.firm.usual_locale,
                tags=("vip",) if resident.segment == "vip" and dice.chance(0.8) else (),
                notes=dice.pick(self.book.desk()["misc"]["notes"]) if dice.chance(0.04) else None,
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
                organization_fields=self.firm.organization_fields(dice),
                created_at=resident.since,
                updated_at=resident.since,
            )
            self.organizations[name] = self.tx.add(made)
        return self.organizations[name]

    # --- topics

    def stories(self, scale: Scale) -> Iterator[Story]:
        """Yield every request ever made, in order of arrival."""
        tx, firm, now = self.tx, self.firm, self.firm.now(self.tx.now)
        begin, end = now - timedelta(days=scale.ticket_days), now - timedelta(minutes=20)
        calendar = Calendar(begin, end, tx.dice(f"{firm.short.lower()} calendar"), firm.months)
        moments = sorted((calendar.moment(tx.dice("ticket moment", number)), number) for number in range(scale.tickets))
        later: list[tuple[datetime, int, Story]] = []
        for at, number in moments:
            if at >= now:
                continue
            while later and later[0][0] <= at:
                yield heappop(later)[2]
            dice = tx.dice("ticket story", number)
            topic, resident, history = self._cast(dice, at)
            story = tell(firm, dice, resident, topic, history, at, now)
            if story.topic.quiet and story.status not in ("solved", "closed"):
                story = tell(firm, dice, resident, self.question, None, at, now)
            for attempt in range(ATTEMPTS):
                if len(story.turns[0].body) <= LONG or _words(story) not in self.written:
                    break
                other = dice.child(f"other words {attempt}")
                story = tell(firm, other, resident, story.topic, story.history, at, now)
            self.written.add(_words(story))
            self._copy(dice, story)
            yield story
            again = None
            if dice.chance(0.065) and not topic.ends:
                again = duplicate(firm, dice, story, now)
            elif dice.chance(0.03) and not topic.ends:
                again = follow_up(firm, dice, story, now)
            if again is not None:
                heappush(later, (again.turns[0].at, number, again))
        while later:
            yield heappop(later)[2]

    def _cast(self, dice: Dice, at: datetime) -> tuple[Topic, Resident, History | None]:
        """Draw a topic, and a person for whom it makes sense at that time."""
        known = bisect_left(self.since, at - timedelta(hours=6))
        for _ in range(12):
            topic = self.book.draw_topic(dice)
            if dice.chance(self.firm.strangers.get(topic.name, 0.0)) or not known:
                return (topic if topic.order == "none" else self.question), self._stranger(dice, topic, at), None
            if topic.order == "none":
                for _ in range(6):
                    resident = self.residents[dice.integer(0, known - 1)]
                    if dice.uniform() * 3.0 < resident.chatty:
                        break
                return topic, resident, None
            found = self.orders.draw(dice, topic, at)
            if found is not None:
                return topic, *found
        return self.question, self._stranger(dice, self.question, at), None

    def _copy(self, dice: Dice, story: Story) -> None:
        """Copy a colleague of the same company on some tickets."""
        user = self.users.get(story.email)
        if story.channel == "email" and user is not None and user.organization_id is not None:
            others = [one for one in self.members[user.organization_id] if one.id != user.id and one.email]
            if others and dice.chance(0.3):
                story.copied = (dice.pick(others).email or "",)
        elif story.channel == "email" and user is not None and dice.chance(0.03) and not story.topic.ends:
            story.copied = (self._at_home(dice, story),)

    def _at_home(self, dice: Dice, story: Story) -> str:
        """Add a family member to be copied on the ticket; return their address."""
        writer = story.resident.writer
        given = draw_person(dice, writer.person.country, self.firm.names).given
        person = msgspec.structs.replace(writer.person, given=given)
        email = free_address(dice, self.taken, draw_email(dice, person, folder=self.firm.names))
        other = msgspec.structs.replace(writer, person=person, email=email, company="", phone="")
        there = Resident(writer=other, emails=(email,), postal=story.resident.postal, since=story.turns[0].at)
        self._user(dice, there, email, person.name)
        return email

    def _stranger(self, dice: Dice, topic: Topic, at: datetime) -> Resident:
        stranger = draw_resident(self.firm, dice, self.taken, at - timedelta(seconds=dice.integer(1, 60)), passing=True)
        if topic.name == "spam":
            email = f"{dice.pick(SPAM_BOXES)}{dice.integer(1, 999)}@{dice.pick(SPAM_DOMAINS)}"
            stranger.writer = msgspec.structs.replace(
                stranger.writer,
                email=email,
                voice=dice.pick(("plain", "polite", "business")),
                company=draw_company(dice, self.firm.names),
            )
            stranger.emails = (email,)
        return stranger

    # --- writing it down

    def write(self, story: Story) -> Ticket:
        """Write one story as one ticket."""
        tx, dice = self.tx, self.tx.dice("ticket paper", story.email, story.turns[0].at.isoformat())
        if story.email not in self.users:
            self._user(dice, story.resident, story.email, story.resident.writer.person.name)
        requester = self.users[story.email]
        via = (
            mail_from(msgspec.structs.replace(requester, email=story.email), self.firm.name, self.firm.support)
            if story.channel == "email"
            else Via(story.channel)
        )
        if story.source is not None:
            named = {"ticket_id": story.source.number, "subject": _subject(story.source)}
            via = Via("email", {**via.source, "from": {**via.source["from"], **named}, "rel": "follow_up"})
        self._settle(story)
        turns = list(self._turns(story, requester, via, dice))
        rating = None
        if story.rating:
            at = story.turns[-1].at + timedelta(hours=24.0 + dice.lognormal(7.0, 1.1))  # the survey is a day later
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
            recipient=self.firm.support if story.channel == "email" else None,
            rating=rating,
            standard=self.helpdesk.standard,
            number=story.number,
            followup_source_id=story.source.number if story.source else None,
        )
        if ticket.status in ("new", "open", "pending", "hold"):
            self.open.append((story, ticket))
        return ticket

    def _turns(self, story: Story, requester: User, via: Via, dice: Dice) -> Iterator[desk_seed.Turn]:
        """Yield the turns with the desk's changes: assignment first, tags last."""
        staff, macros = self.helpdesk.staff, self.helpdesk.macros
        own = [turn for turn in story.turns if turn.by and not turn.link]
        tagged = own[-1] if own else None
        tags, filled = set(requester.tags), dict[str, Any]()
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
            filled |= changes.get("custom_fields", {})
            tags |= {*turn.tags, *_chosen(changes, self.helpdesk.product_field.id)}
            tags |= set(story.tags) if turn is tagged else set()
            if turn.by and turn.status == "solved":
                closed = self.closings.values(story, number)
                filled = {key: value for key, value in filled.items() if key not in self.closings.ids.values()}
                filled |= {self.closings.ids[key]: value for key, value in closed.items()}
                tags = (tags - self.closings.tags) | (self.closings.tags & set(closed.values()))
                changes["custom_fields"] = dict(filled)
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

    def _settle(self, story: Story) -> None:
        """Move turns by seconds so that no colleague does two things in one second and no turn precedes another."""
        last = story.turns[0].at
        for turn in story.turns:
            at = max(turn.at, last)
            while turn.by and not turn.link and (turn.by, at) in self.busy:
                at += timedelta(seconds=7)
            self.busy.add((turn.by, at))
            if at != turn.at and turn.other is not None:
                for one in turn.other.turns:
                    one.at = at if one.link and one.other is story else one.at
            turn.at = last = at

    def _taken(self, story: Story, turn: Turn, own: list[Turn], dice: Dice) -> dict[str, Any]:
        """Return what an answering colleague sets: assignee, group and, in the first answer, all other fields."""
        staff, groups, who = self.helpdesk.staff, self.helpdesk.groups, self.firm.team.colleague(turn.by)
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
        """Return the turn that another ticket caused, in the vendor's words and with its marks."""
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
        """Return values of the form's fields, about half of them empty."""
        filled: dict[str, Any] = {}
        if story.history is not None and dice.chance(0.45):
            number = story.history.order.number
            filled[str(self.helpdesk.order_field.id)] = number if dice.chance(0.92) else number.replace("-", " ")
        product = story.facts.get("product", "")
        about = story.topic.order in self.firm.product_orders or "product" in story.told
        if about and product in self.helpdesk.products and dice.chance(0.5):
            filled[str(self.helpdesk.product_field.id)] = product.lower().replace(" ", "_")
        return {"custom_fields": filled} if filled else {}

    def bring_to_life(self) -> None:
        """Add a persona for each customer with an open ticket; it answers questions but never writes first."""
        tx, living = self.tx, set[str]()
        for story, ticket in self.open:
            if story.email in living or story.topic.ends:
                continue
            living.add(story.email)
            person = story.resident.writer.person
            language = story.language
            last = tx.rows("SELECT max(id) FROM zendesk_comments WHERE ticket_id = ?", ticket.id)[0][0]
            wish = self.book.desk()["wishes"][language]
            need = people.Need(
                name="answer",
                check=ANSWERED,
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
                    facts=self._sayable(story),
                    needs=(need,),
                    patience_hours=0.0,
                    rates=0.25,
                ),
            )
            people.expect_reply(
                tx, persona, "email", str(ticket.id), ticket.subject, story.told, since=ticket.created_at
            )

    def _sayable(self, story: Story) -> dict[str, str]:
        """Return what a person with an open ticket can answer, in the words of their own records."""
        facts = {"product": story.facts["product"]}
        history, resident = story.history, story.resident
        if resident.writer.phone:
            facts["phone"] = resident.writer.phone
        if resident.writer.company:
            facts["company"] = resident.writer.company
        home = resident.postal
        facts["address"] = story.facts.get("address") or f"{home.line1}, {home.postal_code} {home.city}"
        if history is not None:
            facts["order_number"] = history.order.number
            facts["purchase_date"] = self.firm.now(history.order.created_at).strftime(self.firm.date_form)
            if history.shipment is not None:
                facts["tracking_number"] = history.shipment.tracking_number
        if "serial" in story.facts:
            facts["serial_number"] = story.facts["serial"]
            facts["photo"] = "IMG_0412.jpg"
        return facts


ZONES = {
    "AT": "Vienna",
    "BE": "Brussels",
    "DE": "Berlin",
    "ES": "Madrid",
    "FR": "Paris",
    "GB": "London",
    "IE": "Dublin",
    "NL": "Amsterdam",
    "ON": "Eastern Time (US & Canada)",
    "QC": "Eastern Time (US & Canada)",
}
"""The time zones of customers by country or region; others have the account's."""


def _words(story: Story) -> str:
    """Return the first message without its line breaks."""
    return " ".join(story.turns[0].body.split())


def _subject(story: Story) -> str:
    """Return the subject, or the first line of the mail if it has none."""
    return story.subject.strip() or story.turns[0].body.strip().partition("\n")[0][:80]


def _chosen(changes: dict[str, Any], field: int) -> set[str]:
    """Return the tag that a chosen field option adds."""
    value = changes.get("custom_fields", {}).get(str(field))
    return {value} if value else set()


CONTENT_TYPES = {
    "PNG": "image/png",
    "zip": "application/zip",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "HEIC": "image/heic",
    "png": "image/png",
    "pdf": "application/pdf",
}


SIZES = {"pdf": (18_000, 420_000), "zip": (90_000, 900_000), "png": (60_000, 1_400_000)}
"""The least and most bytes of files, by ending; photographs are larger."""
LOGOS = (6_100, 38_000)


def _attachment(dice: Dice, name: str) -> Attachment:
    kind = name.rpartition(".")[2]
    sizes = LOGOS if name.startswith(("logo", "image00")) else SIZES.get(kind.lower(), (240_000, 4_200_000))
    return Attachment(
        id=42_118_000_000_000 + dice.integer(1, 999_999_999),
        file_name=name,
        content_type=CONTENT_TYPES[kind],
        size=dice.integer(*sizes),
    )


SPAM_BOXES = ("growth", "sales", "info", "hello", "rank", "invoice", "noreply", "ceo", "partner", "marketing")
SPAM_DOMAINS = (
    "seo-rankers.agency",
    "mail-verify.support",
    "bestcups.trade",
    "linkboost.pro",
    "cn-packaging.biz",
    "wp-speedfix.site",
)
