"""Larkspur: the same seed gives the same bytes, both apps agree about the past, and tickets look human."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from diorama import people
from diorama.apps import zendesk
from diorama.apps.backoffice.schema import Customer, Order, Staff
from diorama.apps.zendesk.schema import Audit, Comment, Macro, Ticket, User
from diorama.kernel import Actor, Defect, Dice, Request, Tx, World
from diorama.kernel.image import build
from diorama.kit.product import HOST_PLACEHOLDER
from diorama.people.grammar import WORD, parse
from diorama.people.voices import VOICES
from diorama.worlds import companies, company_of, open_world
from diorama.worlds.book import tagged
from diorama.worlds.larkspur.company import AT_THE_DESK, COLLEAGUES, GROUPS
from diorama.worlds.larkspur.firm import BOOK
from diorama.worlds.larkspur.history import SCALES
from diorama.worlds.larkspur.orders import FAULTS
from diorama.worlds.profile import entropy, profile, slope

ANA = Actor("agent", "ana@larkspur.coffee")
LANGUAGES = ("en", "de", "fr", "es", "nl")


@pytest.fixture(scope="module")
def base() -> World:
    return open_world("larkspur")


@pytest.fixture
def world(base: World) -> World:
    return base.fork()


def put(world: World, ticket: int, fields: dict[str, object]) -> int:
    headers = {"Content-Type": "application/json"}
    body = msgspec.json.encode({"ticket": fields})
    return world.send("zendesk", Request("PUT", f"/api/v2/tickets/{ticket}.json", "", headers, body), ANA).status


# --- what is stored is what a company has, not what a product declares


def placeholders(world: World) -> list[str]:
    """The columns that hold a placeholder of a host name, with an example of each."""

    def look(tx: Tx) -> list[str]:
        found = []
        for table, columns in world.company.tracked.items():
            for column in columns:
                sql = f'SELECT count(*), min("{column}") FROM {table} WHERE instr("{column}", ?)'
                count, example = tx.control(sql, HOST_PLACEHOLDER[0])[0]
                if count:
                    found.append(f"{table}.{column}: {count} rows, such as {example!r:.200}")
        return found

    return world.read(look)


def test_no_stored_row_contains_a_host_placeholder(base: World) -> None:
    assert placeholders(base) == []


def test_a_stored_placeholder_would_be_found(world: World) -> None:
    before = set(placeholders(world))
    world.do(lambda tx: tx.change(tx.get(Ticket, 12), subject=f"https://{zendesk.APP.here()}/x"), "system:spoiler")
    (found,) = set(placeholders(world)) - before
    assert found.startswith("zendesk_tickets.subject: 1 rows")


# --- the same bytes


BUILD = """
import sys
from pathlib import Path
from diorama.kernel.image import build
from diorama.worlds import company_of
print(build(company_of("larkspur"), "small", 0, Path(sys.argv[1])).digest)
"""


def test_the_same_seed_builds_the_same_world_in_every_process(tmp_path: Path, base: World) -> None:
    found = {base.pages.image.digest}
    for number, (salt, zone) in enumerate((("1", "UTC"), ("77", "Asia/Tokyo"))):
        env = {**os.environ, "PYTHONHASHSEED": salt, "TZ": zone, "LC_ALL": "C.UTF-8"}
        target = str(tmp_path / f"{number}.db")
        done = subprocess.run(
            [sys.executable, "-c", BUILD, target], env=env, capture_output=True, text=True, check=True
        )
        found.add(done.stdout.strip())
    assert len(found) == 1


def test_another_seed_builds_another_world(tmp_path: Path, base: World) -> None:
    assert build(company_of("larkspur"), "small", 1, tmp_path / "other.db").digest != base.pages.image.digest


def test_worlds_are_found_by_name_and_size() -> None:
    assert "larkspur" in {company.name for company in companies()}
    with pytest.raises(LookupError, match=r"There are: .*larkspur"):
        open_world("nowhere")
    with pytest.raises(LookupError, match="small, medium, large"):
        open_world("larkspur", "enormous")


# --- consistency between the apps


def test_colleagues_work_in_both_apps(world: World) -> None:
    def look(tx: Tx) -> None:
        for colleague in COLLEAGUES:
            assert tx.first(Staff, "email = ?", colleague.email) is not None
        for colleague in AT_THE_DESK:
            user = tx.first(User, "email = ?", colleague.email)
            assert user is not None
            assert user.staff
            assert user.default_group_id is not None

    world.read(look)
    assert {group for colleague in AT_THE_DESK for group in colleague.groups} == set(GROUPS)


def test_every_customer_of_the_back_office_is_known_at_the_desk(world: World) -> None:
    missing = world.read(lambda tx: [c.email for c in tx.all(Customer) if tx.first(User, "email = ?", c.email) is None])
    assert missing == []


def test_an_order_named_in_a_ticket_is_an_order_of_the_person_who_wrote(world: World) -> None:
    def look(tx: Tx) -> tuple[int, list[str]]:
        seen, wrong = 0, []
        for ticket in tx.all(Ticket):
            numbers = set(re.findall(r"\bLK-\d{5}\b", ticket.description))
            requester = tx.get(User, ticket.requester_id)
            for number in numbers:
                seen += 1
                order = tx.first(Order, "number = ?", number)
                owner = tx.get(Customer, order.customer_id) if order else None
                if order is None or owner is None or requester.email not in owner.emails:
                    wrong.append(f"{ticket.id}: {number}")
                elif order.created_at > ticket.created_at:
                    wrong.append(f"{ticket.id}: {number} was ordered later")
        return seen, wrong

    seen, wrong = world.read(look)
    assert seen > 40
    assert wrong == []


def test_no_row_is_from_the_future_or_out_of_order(world: World) -> None:
    def look(tx: Tx) -> None:
        assert not tx.rows("SELECT 1 FROM zendesk_tickets WHERE created_at > ?", tx.now)
        assert not tx.rows("SELECT 1 FROM zendesk_comments WHERE created_at > ?", tx.now)
        assert not tx.rows("SELECT 1 FROM backoffice_orders WHERE created_at > ?", tx.now)
        newer = "JOIN zendesk_tickets u ON u.id = t.id + 1 AND u.created_at < t.created_at"
        assert not tx.rows(f"SELECT 1 FROM zendesk_tickets t {newer}")
        early = "JOIN zendesk_tickets t ON t.id = c.ticket_id AND c.created_at < t.created_at"
        assert not tx.rows(f"SELECT 1 FROM zendesk_comments c {early}")

    world.read(look)


def test_every_moment_of_the_desk_is_a_whole_second(world: World) -> None:
    def broken(tx: Tx) -> list[tuple[str, str]]:
        return [
            (table.name, column.name)
            for table in world.company.app("zendesk").product.tables
            for column in table.columns
            if column.name.endswith("_at")
            and tx.rows(f"SELECT 1 FROM {table.name} WHERE {column.name} % 1000000 <> 0 LIMIT 1")
        ]

    assert world.read(broken) == []


def test_waiting_in_an_untouched_world_is_cheap(world: World) -> None:
    before = len(world.events)
    world.wait(timedelta(days=7))
    assert len(world.events) - before <= 40


# --- tickets as people write them


def first_messages(world: World, count: int = 200) -> list[str]:
    ids = world.read(lambda tx: [number for (number,) in tx.rows("SELECT id FROM zendesk_tickets ORDER BY id")])
    chosen = Dice("sample").sample(ids, count)
    return world.read(lambda tx: [tx.get(Ticket, number).description for number in chosen])


def test_two_hundred_sampled_tickets_read_as_different(world: World) -> None:
    texts = first_messages(world)
    shingles = [
        set(zip(words, words[1:], words[2:], strict=False)) for words in (text.lower().split() for text in texts)
    ]
    alike = sum(
        len(one & other) > 0.6 * min(len(one), len(other))
        for place, one in enumerate(shingles)
        for other in shingles[place + 1 :]
        if min(len(one), len(other)) >= 8
    )
    assert len(set(texts)) >= 194  # some people send the same mail twice
    assert alike <= 15


def test_texts_are_varied_and_contain_no_filler(world: World) -> None:
    texts = first_messages(world)
    words = [word for text in texts for word in WORD.findall(text.lower())]
    assert len(set(words)) / len(words) > 0.18
    assert entropy(words) > 8.5
    assert not [
        text
        for text in texts
        if re.search(r"lorem|test user|foo bar|[{}<>\[\]]{2}|[\ue000-\uf8ff]", text, re.IGNORECASE)
    ]


def test_the_desk_has_a_realistic_history(world: World) -> None:
    found = profile(world)
    assert 0.004 < found.typo_rate < 0.03
    assert 0.3 < found.missing["priority"] < 0.7
    assert 0.01 < found.duplicate_rate < 0.08
    assert 0.05 < found.reopened_rate < 0.25
    assert found.first_reply_hours["p50"] < 24 < found.first_reply_hours["p90"]
    assert found.first_reply_hours["p99"] > 4 * found.first_reply_hours["p50"]
    assert -1.3 < found.topic_slope < -0.6
    assert set(found.languages) == set(LANGUAGES)
    assert found.languages["en"] > 0.5
    assert found.burstiness > 2.5
    assert found.weekdays[0] > found.weekdays[6]
    assert found.quoted_share > 0.01
    assert {"new", "open", "closed", "solved"} <= set(found.statuses)


def test_threads_alternate_and_notes_are_private(world: World) -> None:
    def look(tx: Tx) -> tuple[int, Counter[int]]:
        private = tx.count(Comment, "public = 0")
        return private, Counter(ticket for (ticket,) in tx.rows("SELECT ticket_id FROM zendesk_comments"))

    private, threads = world.read(look)
    assert private > 50
    assert max(threads.values()) >= 6


def test_topics_follow_zipfs_law() -> None:
    counts = Counter(BOOK.draw_topic(Dice(f"t{number}")).name for number in range(8000))
    assert counts.most_common(1)[0][0] == BOOK.topics[0].name
    assert -1.15 < slope(counts.values()) < -0.6


def test_every_topic_has_text_in_every_voice() -> None:
    for language in LANGUAGES:
        material = BOOK.letters(language)
        for topic in BOOK.topics:
            if topic.name not in material:
                continue
            phrases = material[topic.name]
            assert all(phrases[part] for part in ("subjects", "short", "say", "more", "ask")), (language, topic.name)
            for part in phrases.values():
                for phrase in part:
                    parse(tagged(phrase)[1])
    assert {topic.name for topic in BOOK.topics} == set(BOOK.letters("en")) - {"lists"}
    for language in LANGUAGES:
        assert {topic.name for topic in BOOK.topics} - set(BOOK.letters(language)) <= {"spam", "customs"}
    assert len(VOICES) >= 9


PARCELS = ("unsent", "moving", "arrived", "lost")


def cases(language: str, topic: str) -> set[str]:
    """Return every case that a mail on a topic can be about."""
    said = (
        BOOK.letters(language)["lists"]["fault"] if topic == "machine_fault" else BOOK.letters(language)[topic]["say"]
    )
    return {case for phrase in said for case in tagged(phrase)[0]} or {""}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_case_has_an_answer_in_every_language(language: str) -> None:
    missing = []
    for topic in BOOK.topics:
        if topic.name in ("spam", *({topic.name} - set(BOOK.letters(language)))):
            continue
        for case in cases(language, topic.name):
            for parcel in PARCELS if topic.order in ("late", "unshipped") else ("arrived",):
                if not BOOK.phrases(language, topic.name, "done", frozenset((case, parcel, "within"))):
                    missing.append(f"{topic.name}: {case} {parcel}")
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_has_an_answer_of_its_own(language: str) -> None:
    for topic in BOOK.topics:
        for question in BOOK.questions(language, topic.name):
            assert question.ask, topic.name
            assert question.back, topic.name
            for phrase in (*question.ask, *question.back):
                parse(tagged(phrase)[1])
    for number in range(200):
        dice = Dice(f"question {number}")
        topic = BOOK.draw_topic(dice)
        told = {"order": "LK-10001", "serial": "AR1-1", "file": "a.jpg"}
        marks = frozenset(cases("en", topic.name))
        sensible = [one for one in BOOK.questions("en", topic.name) if one.sensible(marks, told)]
        assert not [one for one in sensible if one.unless in told]


def test_lever_machines_never_have_impossible_faults() -> None:
    assert "electric" not in FAULTS["Tern Lever"]
    assert "steam" not in FAULTS["Finch Grinder"]
    for language in LANGUAGES:
        told = cases(language, "machine_fault")
        assert {case for some in FAULTS.values() for case in some} <= told


# --- people behind open tickets


def waiting(world: World) -> list[tuple[int, people.Persona]]:
    def look(tx: Tx) -> list[tuple[int, people.Persona]]:
        return [(int(c.thread), tx.get(people.Persona, c.persona_id)) for c in tx.all(people.Conversation)]

    return world.read(look)


def test_a_customer_with_an_open_ticket_answers_questions(world: World) -> None:
    ticket, persona = next(pair for pair in waiting(world) if "order_number" in pair[1].facts)
    comment = {"body": "Could you please give me your order number?", "public": True}
    assert put(world, ticket, {"comment": comment, "status": "pending"}) == 200
    world.wait(timedelta(days=3))
    last = world.read(lambda tx: tx.all(Comment, "ticket_id = ?", ticket)[-1])
    assert persona.facts["order_number"] in last.body
    assert world.read(lambda tx: tx.get(Ticket, ticket).status) == "open"


def test_apps_cannot_read_the_people_behind_tickets(world: World) -> None:
    with pytest.raises(Defect):
        world.do(lambda tx: tx.rows("SELECT * FROM _people_personas"), ANA)


def test_the_sizes_have_the_documented_numbers_of_tickets() -> None:
    assert set(company_of("larkspur").sizes) == {"small", "medium", "large"}
    assert SCALES["medium"].tickets >= 20_000
    assert SCALES["large"].tickets > SCALES["medium"].tickets


# --- what a desk has after months


def test_the_history_has_every_kind_of_record(world: World) -> None:
    found = profile(world)
    assert [name for name, share in found.features.items() if share == 0.0] == []
    assert found.suspended > 0
    assert found.repeated_sentences < 0.25  # one ticket in a hundred is four tickets here
    assert found.distinct_of_200 >= 190
    assert found.features["solved without a public answer"] < 0.12


def test_a_follow_up_names_the_closed_ticket_that_it_answers(world: World) -> None:
    def look(tx: Tx) -> int:
        found = tx.all(Ticket, "followup_source_id IS NOT NULL")
        for ticket in found:
            source = tx.get(Ticket, ticket.followup_source_id or 0)
            assert ticket.id in source.followup_ids
            assert ticket.source["rel"] == "follow_up"
            assert ticket.source["from"]["ticket_id"] == source.id
            assert ticket.requester_id == source.requester_id
        return len(found)

    assert world.read(look) >= 2


def test_using_a_macro_leaves_its_name_and_tags(world: World) -> None:
    def look(tx: Tx) -> int:
        macros = {str(macro.id): macro for macro in tx.all(Macro)}
        used = 0
        for audit in tx.all(Audit, "events LIKE ?", "%AgentMacroReference%"):
            event = next(one for one in audit.events if one.type == "AgentMacroReference")
            macro = macros[str(event.macro_id)]
            added = {tag for action in macro.actions if action.field == "current_tags" for tag in action.value.split()}
            assert event.macro_title == macro.title
            assert added <= set(tx.get(Ticket, audit.ticket_id).tags)
            used += 1
        return used

    assert world.read(look) >= 2


# --- merged tickets and outages


def test_merged_tickets_refer_to_each_other(world: World) -> None:
    def look(tx: Tx) -> int:
        merged = tx.all(Ticket, "tags LIKE ?", '%"closed_by_merge"%')
        for source in merged:
            last = tx.all(Comment, "ticket_id = ?", source.id, order="created_at, id")[-1]
            target = tx.get(Ticket, last.source["to"]["ticket_id"])
            assert source.status == "closed"
            assert last.source["rel"] == "merge"
            assert f'merged into request #{target.id} "{target.subject}"' in last.body
            taken = tx.all(Comment, "ticket_id = ? AND body LIKE ?", target.id, f"Request #{source.id} %")
            assert [one.created_at for one in taken] == [last.created_at]
            assert source.description in taken[0].body
            others = {target.requester_id, *target.email_cc_ids}
            assert source.requester_id in others
        return len(merged)

    assert world.read(look) >= 3


def test_an_outage_leaves_a_solved_problem_with_incidents(world: World) -> None:
    def look(tx: Tx) -> int:
        problems = {ticket.problem_id or 0 for ticket in tx.all(Ticket, "problem_id IS NOT NULL")}
        for number in problems:
            problem = tx.get(Ticket, number)
            assert problem.type == "problem"
            words = tx.all(Comment, "ticket_id = ? AND public = 1", number, order="created_at, id")[-1]
            for incident in tx.all(Ticket, "problem_id = ?", number):
                assert incident.type == "incident"
                bodies = [one.body for one in tx.all(Comment, "ticket_id = ? AND public = 1", incident.id)]
                assert words.body in bodies
        return len(problems)

    assert world.read(look) >= 2


def test_some_bad_ratings_have_a_reason(world: World) -> None:
    rows = world.read(lambda tx: tx.rows("SELECT score, reason_code FROM zendesk_satisfaction_ratings"))
    reasons = {code for score, code in rows if score == "bad" and code}
    assert len(reasons) >= 2
    assert not [code for score, code in rows if score == "good" and code]
