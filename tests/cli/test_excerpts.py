"""Short forms of replies, arguments and rows."""

import json

from diorama.cli.excerpts import cell, main_columns, printable, reply, texts_in, whole, without_texts
from diorama.rewards.history import kinds_of
from diorama.runs.story import changes_of
from diorama.worlds import company_of

TICKET = {
    "id": 7,
    "url": "https://x.example/7",
    "subject": "Refund",
    "description": "Hello,\n\nwhere is it?",
    "tags": [],
}


def test_a_record_is_shown_by_the_keys_that_matter() -> None:
    lines, prose = reply(json.dumps({"ticket": TICKET, "users": [{"id": 1, "name": "Mara"}]}))
    assert lines == ["ticket: id 7, subject Refund", "users: 1", "  id 1, name Mara"]
    assert prose == "Hello,\n\nwhere is it?"


def test_a_list_shows_its_size_and_its_first_items() -> None:
    found = {"count": 19, "results": [{"id": n, "subject": f"S{n}"} for n in range(5)]}
    lines, _ = reply(json.dumps(found))
    assert lines == ["results: 19", "  id 0, subject S0", "  id 1, subject S1", "  id 2, subject S2", "  and 16 more"]
    assert reply('{"results":[],"count":0}')[0] == ["no results"]


def test_a_reply_that_was_cut_is_read_from_the_vendors_one() -> None:
    body = json.dumps({"ticket": TICKET})
    assert reply(f"{body[:30]}\n[cut here: 99 more characters]", body)[0] == ["ticket: id 7, subject Refund"]


def test_other_texts_show_their_first_lines() -> None:
    lines, _ = reply("\n".join(f"line {n}" for n in range(9)))
    assert lines[0] == "line 0"
    assert lines[-1] == "(3 more lines)"
    assert reply("{not json")[0] == ["{not json"]


def test_nothing_is_left_out_of_a_whole_reply() -> None:
    assert json.loads("\n".join(whole(json.dumps(TICKET)))) == TICKET
    assert whole("a\nb") == ["a", "b"]


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert printable("a\x1b[31mb\x07\tc\r\n") == "a\N{REPLACEMENT CHARACTER}[31mb\N{REPLACEMENT CHARACTER} c\n"


def test_long_texts_are_found_and_left_out_of_the_call() -> None:
    given = {"ticket": {"comment": {"body": "Hello\nthere"}, "status": "open"}}
    assert texts_in(given) == [("ticket.comment.body", "Hello\nthere")]
    assert without_texts(given) == {"ticket": {"comment": {"body": "..."}, "status": "open"}}


def test_bookkeeping_is_what_the_app_declares_as_derived() -> None:
    kinds = kinds_of(company_of("larkspur"))

    def derived(table: str, op: str, *columns: str) -> bool:
        change = {"table": table, "key": 1, "op": op, "before": None, "after": dict.fromkeys(columns, 1)}
        [found] = changes_of({"changes": [change]}, kinds)
        return found.derived

    assert derived("zendesk_audits", "insert", "id")
    assert not derived("zendesk_audits", "delete")
    assert derived("zendesk_tickets", "update", "updated_at", "solved_at")
    assert not derived("zendesk_tickets", "update", "updated_at", "status")
    assert derived("backoffice_postings", "insert", "id")
    assert not derived("a_table_of_no_app", "insert", "id")


def test_the_main_columns_of_a_row_are_few() -> None:
    assert main_columns({"id": 1, "status": "new", "empty": "", "body": "Hi", "x": 5}, 1) == {
        "status": "new",
        "body": "Hi",
    }
    assert cell("settled_at", 1772439575400000) == "Mon 02 Mar 2026 08:19:35"
    assert cell("amount_cents", 4790) == "4790"
