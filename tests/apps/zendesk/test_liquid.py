"""Liquid in the texts of rules: tags, filters, the clock of the world, and limits on every kind of work."""

import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.apps.zendesk.rules import liquid
from diorama.apps.zendesk.rules.liquid import engine
from tests.apps.zendesk.desk import ANA, Desk, listened

ROOT = Path(__file__).parents[3]
KNOWN: dict[str, Any] = {
    "ticket.id": 12, "ticket.title": "It leaks", "ticket.status": "Open", "ticket.tags": "vip wholesale", "n": 3,
    "ticket.empty": "", "people": [{"name": "Ana", "age": 30}, {"name": "Ben", "age": 20}], "flag": True, "off": False,
    "at": datetime(2026, 3, 2, 8, 5, tzinfo=UTC), "now": datetime(2026, 3, 2, tzinfo=UTC), "html": "<b>Hi</b>",
    "words": "one two three", "ticket.fields.limit": 7, "untold": [{"name": None}],
}  # fmt: skip


def said(text: str) -> str:
    """Return what a valid text renders to."""
    rendered = liquid.render(text, KNOWN.get)
    assert rendered is not None, text
    return rendered


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
def test_rendered_text_matches_the_expected_text(text: str, wanted: str) -> None:
    assert said(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{% capture line %}\n{% endcapture %}{{words | split: ' ' | join: line}}", "one\ntwo\nthree"),
        ("{{flag | append: '!'}}{{flag | replace: 'true', 'yes'}}{{'x' | append: nil}}", "true!yesx"),
        ("{{untold | map: 'name' | join: ','}}{{untold[0].name | default: 'nobody'}}", "nobody"),
        ("{{words | truncatewords: 3}} {{words | truncate: 13}} {{'abcd' | truncate: 2}}",
         "one two three one two three ..."),
        ("{{2.5 | round}} {{3.5 | round}} {{3.14159 | round: 2}} {{ -7 | divided_by: 2}} {{0.1 | plus: 0.2}}",
         "3 4 3.14 -4 0.3"),
        ("{% for i in (1..3) limit: 0 %}{{i}}{% else %}none{% endfor %}{{ (1..3) }}", "none1..3"),
        ("{% for i in (1..3) limit: -1 %}x{% endfor %}!", "!"),
        ("{% for i in (1..4) offset: 1 limit: 2 reversed %}{{i}}{% endfor %}", "32"),
        ("{% for i in (1..3) limit: 'x' %}{{i}}{% endfor %}!", "Liquid error: invalid integer!"),
        ("{% if words > 3 %}a{% else %}b{% endif %}{% if n contains 3 %}a{% else %}c{% endif %}", "bc"),
        ("{% if nobody != blank %}a{% endif %}{% if n != empty %}b{% endif %}{% if people == blank %}c{% endif %}{{n}}",
         "b3"),
        ("{% case n %}{% when 3, 3 or 3 %}once{% endcase %}", "once"),
        ("{{ticket.fields.limit}} {{ticket.fields['limit'] | plus: 1}} {{ticket['id']}}", "7 8 12"),
        ("{% for i in (1..2) %}{% for j in (1..1) %}{{forloop.parentloop.index}}{% endfor %}{% endfor %}", "12"),
        ("{% break %}never", ""),
        ("{{[people]}}{{[words][0]}}{{people[people].name}}x", "x"),
        ("a {% comment %}b{% endcomment -%} c {%- raw %} d {% endraw -%} e", "a c d e"),
        ("{% increment i %}{% increment i %}{{i}}", "012"),
        ("{{'x' | date: '%Y'}} {{nobody | date: '%Y'}} {{'March 02, 2026' | date: ''}}", "x  March 02, 2026"),
        ("{{at | date: '%^b %e %-H %y%%'}} {{0 | date: '%Y'}} {{'2026-03-02 10:00' | date: '%s'}}",
         "MAR  2 8 26% 1970 1772445600"),
        ("{{html | strip_html | upcase}} {{'<script>x</script>&amp;' | strip_html}} {{html | h}}",
         "HI &amp; &lt;b&gt;Hi&lt;/b&gt;"),
        ("{{5 | modulo: 0}}, {{'x' | slice}}", "Liquid error: divided by 0, Liquid error: invalid arguments for slice"),
        ("{{words | date: context: 'x'}}", "Liquid error: invalid arguments for date"),
    ],
)  # fmt: skip
def test_details_match_the_vendors_engine(text: str, wanted: str) -> None:
    assert said(text) == wanted


def test_values_are_escaped_and_template_text_is_not() -> None:
    assert liquid.render('"{{html | upcase}}" {% if flag %}<{% endif %}', KNOWN.get, str.lower) == '"<b>hi</b>" <'


def test_now_and_today_use_the_worlds_clock() -> None:
    assert said("{{'now' | date: '%Y-%m-%d %H:%M:%S %Z'}} {{'today' | date: '%s'}} {{now | date: '%A'}} {{today}}") == (
        "2026-03-02 00:00:00 UTC 1772409600 Monday "
    )


def test_no_filter_is_random_and_no_tag_reads_files() -> None:
    assert not {"shuffle", "sample", "random", "safe", "escapejs"} & engine.ENVIRONMENT.filters.keys()
    for tag in ("include 'x'", "render 'x'", "liquid assign a = 1", "echo 'x'", "doc", "tablerow x in y"):
        assert liquid.render(f"{{% {tag} %}}", KNOWN.get) is None


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
        "{% raw %}x",
        "{% comment %}x{% comment %}y{% endcomment %}",
        "{% %}",
        "{{ }}",
    ],
)
def test_invalid_liquid_is_not_rendered(text: str) -> None:
    assert liquid.render(text, KNOWN.get) is None


GROWN = "{% assign s = 'abcdefghij' %}{% for a in (1..14) %}{% assign s = s | append: s %}{% endfor %}"
LOOP = "{% for a in (1..1000) %}"


@pytest.mark.parametrize(
    "text",
    [
        LOOP * 3 + "x" + "{% endfor %}" * 3,
        "{% for a in (1..100) %}" * 11 + "x" + "{% endfor %}" * 11,
        "{% for a in (1..9000) %}{% endfor %}" * 1600,
        LOOP + "{% case 1 %}{% when 2 %}{% endcase %}" * 1700 + "{% endfor %}",
        "{% for a in (1..9000) %}{% case 1 %}{% when 2" + ",2" * 30_000 + " %}{% endcase %}{% endfor %}",
        "{% assign s = 'xxxxxxxxxx' %}" + LOOP + "{% assign s = s | append: s %}{% endfor %}{{s}}",
        "{% assign n = 9 %}" + LOOP + "{% assign n = n | times: n %}{% endfor %}{{n}}",
        LOOP + "{% capture x %}{{x}}{{x}}abcdef{% endcapture %}{% endfor %}",
        GROWN + LOOP + "{% assign t = s | split: '' | sort | join: '' %}{% endfor %}",
        GROWN + LOOP + "{% if s contains 'zz' %}{% endif %}{% endfor %}",
        GROWN + LOOP + "{% assign t = 'now' | date: s %}{% endfor %}",
        LOOP + "{{'now' | date: '" + "%Y%m%d" * 40 + "'}}{% endfor %}",
        LOOP + "{{'no date' | date: '%Y'}}{% endfor %}",
        GROWN + "{{s | replace: 'a', s}}",
        GROWN + "{{s | split: '' | join: s}}",
        GROWN + "{% assign l = s | split: 'z' %}{% for i in (1..15) %}{% assign l = l | concat: l %}{% endfor %}{{l}}",
        LOOP + "{% assign t = long | strip_html %}{% endfor %}",
        "{% for i in (1..99999999999) %}x{% endfor %}",
        "{% for i in (1..9999999999) reversed %}x{% endfor %}",
        "{% for i in (1..9999999999) offset: 9999999990 %}x{% endfor %}",
        "{% for i in (1.." + "9" * 400 + ".0) %}x{% endfor %}",
        "{{(1..99999999999) | join}}",
        "{{(1..99999999999999999999999) | size}}",
        "{% if (1..99999999999) contains 5 %}{% endif %}",
    ],
)
def test_a_template_that_works_too_much_gets_the_vendors_error(text: str) -> None:
    started = time.process_time()
    out = liquid.render(text, {"long": "<p>" * 20_000}.get)
    assert out is not None
    assert out.endswith(liquid.TOO_MUCH)
    assert len(out) <= liquid.LONGEST + len(liquid.TOO_MUCH)
    assert time.process_time() - started < 0.3


@pytest.mark.parametrize(
    "text",
    [
        "{{" * 30_000,
        "{{" + " " * 60_000,
        "{{" + " " * 60_000 + "}}",
        "{% else" + " " * 60_000 + "%}",
        "{% raw %}" * 7000,
        "{% comment %}" * 5000,
        "{% if a %}" * 5000,
        "{{" + "(" * 60_000 + "}}",
        "{{" + '["' * 30_000 + "}}",
        "{{a" + "[a" * 30_000 + "}}",
        "{% if a" + " and a" * 10_000 + " %}x{% endif %}",
        "{{n}}" * 14_000 + "{{n | upcase}}",
        "{{'" + "a" * 60_000,
        "{{" + "9" * 60_000 + "}}",
    ],
)
def test_a_text_that_is_hard_to_parse_is_refused_fast(text: str) -> None:
    started = time.process_time()
    assert liquid.render(text, KNOWN.get) in (None, liquid.TOO_MUCH)
    assert time.process_time() - started < 0.3


@pytest.mark.parametrize(
    "text", ["{{a" + ".a" * 30_000 + "}}", "{{'a'" + " | upcase" * 6000 + "}}", "{{n | plus: 1}}" * 4300]
)
def test_a_long_text_takes_little_time(text: str) -> None:
    started = time.process_time()
    assert liquid.render(text, KNOWN.get) is not None
    assert time.process_time() - started < 0.3


OPERANDS = {
    "text": "hello World", "none": "", "digits": "12.5", "many": "9" * 4400, "huge": "1e400", "n": 7, "zero": 0,
    "half": 2.5, "yes": True, "no": False, "list": [3, 1, 2], "mixed": [1, "a", None, 2.5, True],
    "object": {"a": 1, "b": None}, "objects": [{"a": 1}, {"a": None}, {"b": 2}], "nested": [[1, [2, [3]]], "x"],
    "at": KNOWN["at"], "page": "<p>a &amp; b", "letters": "é\u0130ß\U0001f600", "percent": "%E9%zz",
    "lines": "a\r\nb\n", "control": "\0\x1f",
}  # fmt: skip
NAMES = [*OPERANDS, "unknown", "nil", "(1..3)", "'literal'", "-5"]


@pytest.mark.parametrize("name", [*sorted(engine.ENVIRONMENT.filters), "no_such_filter"])
def test_no_filter_raises_or_prints_an_object(name: str) -> None:
    some = (": n, text", ": text, n", ": 'a', nil", ": 1, 2, 3, 4")
    for left in NAMES:
        for arguments in ("", *(f": {one}" for one in NAMES[::3]), *some):
            out = liquid.render(f"{{{{ {left} | {name}{arguments} }}}}", OPERANDS.get)
            assert out is not None
            assert " object at 0x" not in out


def test_no_comparison_or_loop_raises() -> None:
    for left in NAMES:
        for right in NAMES:
            tests = "".join(f"{{% if {left} {sign} {right} %}}x{{% endif %}}" for sign in ("==", "<", ">=", "contains"))
            loop = f"{{% for x in {left} limit: {right} offset: {right} %}}{{{{x}}}}{{{{forloop}}}}{{% endfor %}}"
            case = (
                f"{{% case {left} %}}{{% when {right} %}}x{{% endcase %}}{{% assign i = {right} %}}{{{{list[i].size}}}}"
            )
            for text in (tests, loop, case):
                assert liquid.render(text, OPERANDS.get) is not None, text


PARTS = st.sampled_from(
    ["{% if flag %}", "{% else %}", "{% endif %}", "{% for p in people %}", "{% endfor %}", "{{p.name | upcase}}", "x",
     "{% case n %}", "{% when 3 %}", "{% endcase %}", "{% assign a = n | plus: 1 %}", "{{a}}", "{% unless off %}",
     "{% endunless %}", "{% break %}", "{% raw %}", "{% endraw %}", "{{", "%}", "{%-", "{{ 'x' | slice: -3, 9 }}"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(PARTS, max_size=14).map("".join))
def test_any_text_is_rendered_or_refused(text: str) -> None:
    assert isinstance(liquid.render(text, KNOWN.get), str | None)


def test_plain_placeholders_do_not_load_the_engine() -> None:
    code = (
        "import sys\nfrom tests.apps.zendesk.desk import Desk\ndesk = Desk()\nnumber = desk.asks()\n"
        "assert '[' in desk.audits(number)[0].events[-1].subject  # the engine is not needed for a bracket\n"
        "sys.exit('liquid' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


# --- Liquid in rules at the desk


def test_mail_renders_its_liquid() -> None:
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


def test_macros_and_dynamic_content_render_liquid(desk: Desk) -> None:
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


def test_an_options_title_can_be_rendered(desk: Desk) -> None:
    sizes = [{"name": "Quite small", "value": "size_small"}]
    field = desk.post("ticket_fields.json", {"ticket_field": {
        "type": "tagger", "title": "Size", "custom_field_options": sizes}})["ticket_field"]["id"]  # fmt: skip
    number = desk.asks()
    desk.updates(number, tags=["size_small"])
    text = f"{{{{ticket.ticket_field_{field}}}}} {{{{ticket.ticket_field_option_title_{field}}}}}"
    macro = desk.post("macros.json", {"macro": {"title": "M", "actions": [{"field": "comment_value", "value": text}]}})
    shown = desk.get(f"tickets/{number}/macros/{macro['macro']['id']}/apply.json")["result"]["ticket"]["comment"]
    assert shown["body"] == "size_small Quite small"


def test_nested_dynamic_content_is_bounded(desk: Desk) -> None:
    locale = desk.get("locales.json")["locales"][0]["id"]

    def item(name: str, words: str) -> str:
        variants = [{"locale_id": locale, "content": words, "default": True}]
        made = {"name": name, "default_locale_id": locale, "variants": variants}
        placeholder: str = desk.post("dynamic_content/items.json", {"item": made})["item"]["placeholder"]
        return placeholder

    words = item("c", "x" * 1000)
    for name in "ba":
        words = item(name, words * 5000)
    number = desk.asks()
    macro = desk.post("macros.json", {"macro": {"title": "M", "actions": [{"field": "comment_value", "value": words}]}})
    shown = desk.get(f"tickets/{number}/macros/{macro['macro']['id']}/apply.json")["result"]["ticket"]["comment"][
        "body"
    ]
    assert shown.endswith(liquid.TOO_MUCH)
    assert len(shown) < 10 * liquid.LONGEST


def test_deep_tags_in_nested_dynamic_content_are_rendered(desk: Desk) -> None:
    locale = desk.get("locales.json")["locales"][0]["id"]
    tests = "{% if ticket.id == 0" + " or ticket.id == 0" * 18 + " or ticket.id %}"
    words = "end"
    for name in "dcba":
        content = "{% for i in (1..1) %}" * 11 + tests + words + "{% endif %}" + "{% endfor %}" * 11
        variants = [{"locale_id": locale, "content": content, "default": True}]
        item = {"name": name, "default_locale_id": locale, "variants": variants}
        words = desk.post("dynamic_content/items.json", {"item": item})["item"]["placeholder"]
    macro = desk.post("macros.json", {"macro": {"title": "M", "actions": [{"field": "comment_value", "value": words}]}})
    path = f"tickets/{desk.asks()}/macros/{macro['macro']['id']}/apply.json"
    assert desk.get(path)["result"]["ticket"]["comment"]["body"] == ""  # the fourth level is not filled in
    desk.put(
        f"macros/{macro['macro']['id']}.json", {"macro": {"actions": [{"field": "comment_value", "value": "{{dc.b}}"}]}}
    )
    assert desk.get(path)["result"]["ticket"]["comment"]["body"] == "end"


def test_an_invalid_text_keeps_its_tags_and_fills_its_placeholders(desk: Desk) -> None:
    text = "{% if %}{{ticket.title | upcase}} {{ticket.requester.first_name}} {{unknown}}!"
    macro = desk.post("macros.json", {"macro": {"title": "M", "actions": [{"field": "comment_value", "value": text}]}})
    number = desk.asks("It leaks")
    shown = desk.get(f"tickets/{number}/macros/{macro['macro']['id']}/apply.json")["result"]["ticket"]["comment"]
    assert shown["body"] == "{% if %}It leaks Mara !"
