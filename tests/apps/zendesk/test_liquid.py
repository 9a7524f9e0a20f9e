"""Liquid in the words of rules: it decides, repeats and reshapes, and it always ends."""

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.zendesk.rules import liquid
from tests.apps.zendesk.desk import ANA, Desk, listened

KNOWN: dict[str, Any] = {
    "ticket.id": 12, "ticket.title": "It leaks", "ticket.status": "Open", "ticket.tags": "vip wholesale", "n": 3,
    "ticket.empty": "", "people": [{"name": "Ana", "age": 30}, {"name": "Ben", "age": 20}], "flag": True, "off": False,
    "at": datetime(2026, 3, 2, 8, 5, tzinfo=UTC), "now": datetime(2026, 3, 2, tzinfo=UTC), "html": "<b>Hi</b>",
    "words": "one two three",
}  # fmt: skip


def said(text: str) -> str:
    """What comes of a text."""
    tree = liquid.read(text)
    assert tree is not None, text
    return liquid.speak(tree, KNOWN.get)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("#{{ticket.id}} {{ ticket.title }}", "#12 It leaks"),
        ("{{unknown}}{{ticket.nobody.name}}", ""),
        ("{% if ticket.status == 'Open' %}yes{% else %}no{% endif %}", "yes"),
        ('{% if ticket.status == "Closed" %}a{% elsif n > 2 %}b{% else %}c{% endif %}', "b"),
        ("{% if n > 5 or flag and ticket.id == 12 %}x{% endif %}", "x"),
        ("{% if flag or off and off %}x{% endif %}", "x"),
        ("{% if off %}x{% endif %}{% if nobody %}x{% endif %}{% if ticket.empty %}y{% endif %}", "y"),
        ("{% if ticket.empty == blank %}x{% endif %}{% if nobody == empty %}y{% endif %}", "xy"),
        ("{% if ticket.tags contains 'vip' %}VIP{% endif %}{% unless ticket.tags contains 'spam' %}!{% endunless %}",
         "VIP!"),
        ("{% unless flag %}a{% else %}b{% endunless %}", "b"),
        ("{% case ticket.status %}{% when 'New', 'Open' %}early{% when 'Solved' %}late{% endcase %}", "early"),
        ("{% case n %}{% when 1 %}one{% else %}many{% endcase %}", "many"),
        ("{% for p in people %}{{forloop.index}}{{p.name}}{% unless forloop.last %}, {% endunless %}{% endfor %}",
         "1Ana, 2Ben"),
        ("{% for p in people reversed limit:1 offset:0 %}{{p.name}}{% endfor %}", "Ana"),
        ("{% for i in (1..4) %}{% if i == 2 %}{% continue %}{% elsif i == 4 %}{% break %}{% endif %}{{i}}{% endfor %}",
         "13"),
        ("{% for x in nobody %}x{% else %}none{% endfor %}", "none"),
        ("{% assign who = people[0].name | upcase %}{{who}} {{people.size}} {{people.last.name}}", "ANA 2 Ben"),
        ("{% capture all %}{{n}}-{{n}}{% endcapture %}[{{all}}]", "[3-3]"),
        ("a{% comment %}{{n}} hidden{% endcomment %}b{% raw %}{{n}}{% endraw %}", "ab{{n}}"),
        ("a  {%- if flag -%}  b  {%- endif -%}  c", "abc"),
        ("{{n | plus: 2 | times: 3 | minus: 1 | divided_by: 2}} {{7 | modulo: 3}} {{2.5 | round}}", "7 1 3"),
        ("{{words | split: ' ' | join: '-'}} {{words | truncatewords: 2}} {{words | truncate: 6}}",
         "one-two-three one two... one..."),
        ("{{nobody | default: 'friend'}} {{html | strip_html}} {{html | escape}}", "friend Hi &lt;b&gt;Hi&lt;/b&gt;"),
        ("{{at | date: '%d.%m.%Y'}} {{'March 02, 2026' | date: '%Y'}} {{'now' | date: '%b'}} {{at | date: '%-d'}}",
         "02.03.2026 2026 Mar 2"),
        ("{{people | map: 'name' | sort | reverse | first}} {{words | slice: 0, 3}} {{words | size}}", "Ben one 13"),
        ("{{'a,b,a' | split: ',' | uniq | join: ''}} {{'x' | no_such_filter}} {{5 | divided_by: 0}}",
         "ab x Liquid error: divided by 0"),
    ],
)  # fmt: skip
def test_what_is_said(text: str, wanted: str) -> None:
    assert said(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "{% if %}x{% endif %}",
        "{% if a %}x",
        "{% for x %}{% endfor %}",
        "{{ a | }}",
        "{% nonsense %}",
        "{{ a",
        "{% endif %}",
    ],
)
def test_what_is_no_liquid_is_not_read(text: str) -> None:
    assert liquid.read(text) is None


GREEDY = (
    "{% assign s = 'abcdefghij' %}{% for a in (1..14) %}{% assign s = s | append: s %}{% endfor %}"
    "{% for a in (1..1000) %}{% assign t = s | split: '' | sort | join: '' %}{% endfor %}"
)


@pytest.mark.parametrize(
    "text",
    [
        "{% for a in (1..1000) %}{% for b in (1..1000) %}{% for c in (1..1000) %}x{% endfor %}{% endfor %}{% endfor %}",
        "{% assign s = 'xxxxxxxxxx' %}{% for a in (1..1000) %}{% assign s = s | append: s %}{% endfor %}{{s}}",
        "{% assign n = 9 %}{% for a in (1..1000) %}{% assign n = n | times: n %}{% endfor %}{{n}}",
        GREEDY,
        "{% for i in (1..99999999999) %}x{% endfor %}",
        "{% if a %}" * 5000,
        "{{" * 30_000,
    ],
)
def test_nothing_runs_away(text: str) -> None:
    started = time.perf_counter()
    tree = liquid.read(text)
    out = liquid.speak(tree, KNOWN.get) if tree is not None else ""
    assert len(out) <= liquid.LONGEST + 100
    assert time.perf_counter() - started < 2


PARTS = st.sampled_from(
    ["{% if flag %}", "{% else %}", "{% endif %}", "{% for p in people %}", "{% endfor %}", "{{p.name | upcase}}", "x",
     "{% case n %}", "{% when 3 %}", "{% endcase %}", "{% assign a = n | plus: 1 %}", "{{a}}", "{% unless off %}",
     "{% endunless %}", "{% break %}", "{% raw %}", "{% endraw %}", "{{", "%}", "{%-", "{{ 'x' | slice: -3, 9 }}"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(PARTS, max_size=14).map("".join))
def test_any_text_is_read_or_left_alone(text: str) -> None:
    tree = liquid.read(text)
    if tree is not None:
        assert isinstance(liquid.speak(tree, KNOWN.get), str)


# --- at the desk


def test_mail_follows_its_liquid() -> None:
    desk, heard = listened()
    body = (
        "Hi {{ticket.requester.first_name | upcase}}, {% if ticket.tags contains 'vip' %}now{% else %}soon{% endif %}."
        "{% for comment in ticket.comments limit: 1 %} You wrote: {{comment.value}} ({{comment.author.name}})"
        "{% endfor %}"
    )
    every = [{"field": "update_type", "operator": "is", "value": "Create"}]
    then = [{"field": "notification_user", "value": ["requester_id", "Re: {{ticket.title | downcase}}", body]}]
    desk.post("triggers.json", {"trigger": {"title": "T", "conditions": {"all": every}, "actions": then}})
    desk.asks("It LEAKS", "Help me")
    mail = heard[-1]
    assert mail.subject == "Re: it leaks"
    assert mail.body == "Hi MARA, soon. You wrote: Help me (Mara Voss)"


def test_macros_and_dynamic_content_follow_it_too(desk: Desk) -> None:
    words = "{% if ticket.requester.language == 'de' %}Hallo{% else %}Hello {{ticket.requester.first_name}}{% endif %}"
    locale = desk.get("locales.json")["locales"][0]["id"]
    item = {"name": "Greeting", "default_locale_id": locale, "variants": [
        {"locale_id": locale, "content": words, "default": True}]}  # fmt: skip
    made = desk.post("dynamic_content/items.json", {"item": item})["item"]
    text = made["placeholder"] + "{% if ticket.assignee.name %} from {{ticket.assignee.name}}{% endif %}!"
    actions = [{"field": "comment_value", "value": text}]
    macro = desk.post("macros.json", {"macro": {"title": "M", "actions": actions}})["macro"]
    number = desk.asks()
    path = f"tickets/{number}/macros/{macro['id']}/apply.json"
    assert desk.get(path)["result"]["ticket"]["comment"]["body"] == "Hello Mara!"
    desk.updates(number, assignee_email=ANA)
    assert desk.get(path)["result"]["ticket"]["comment"]["body"] == "Hello Mara from Ana Ruiz!"


def test_the_title_of_an_option_is_said(desk: Desk) -> None:
    sizes = [{"name": "Quite small", "value": "size_small"}]
    field = desk.post("ticket_fields.json", {"ticket_field": {
        "type": "tagger", "title": "Size", "custom_field_options": sizes}})["ticket_field"]["id"]  # fmt: skip
    number = desk.asks()
    desk.updates(number, tags=["size_small"])
    text = f"{{{{ticket.ticket_field_{field}}}}} {{{{ticket.ticket_field_option_title_{field}}}}}"
    macro = desk.post("macros.json", {"macro": {"title": "M", "actions": [{"field": "comment_value", "value": text}]}})
    shown = desk.get(f"tickets/{number}/macros/{macro['macro']['id']}/apply.json")["result"]["ticket"]["comment"]
    assert shown["body"] == "size_small Quite small"
