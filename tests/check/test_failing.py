"""Every check finds the mistake that it is for; an example without mistakes passes all of them."""

import pytest

from diorama.check import CHECKS, Outcome, find_subject, run
from diorama.check.subjects import app_subject
from diorama.kernel import Dice
from tests.check.conftest import Made

API, RULES, SCHEMA = "apps/tasks/api.py", "apps/tasks/rules.py", "apps/tasks/schema.py"
TOOLS, WORLD, STORY = "apps/tasks/tools.py", "worlds/tasks/__init__.py", "scenarios/two_changes.py"
README = "apps/tasks/README.md"
NAMES = {"app": "tasks", "world": "tasks", "scenario": "tasks/two-changes"}


def outcomes(name: str) -> dict[tuple[str, str], Outcome]:
    """Make every check of what has this name."""
    return {(one.kind, outcome.check): outcome for one in find_subject(name) for outcome in run(one)}


def test_an_untouched_example_passes_every_check(make: Made) -> None:
    make()
    found = outcomes("tasks") | outcomes("tasks/two-changes")
    assert [outcome for outcome in found.values() if outcome.result != "passed"] == []
    assert len(found) == len(CHECKS)


def test_an_app_with_two_kinds_of_tokens_is_checked_with_both(make: Made) -> None:
    user_only = 'if tx.actor.seat != "user":\n        raise APP.refusal("forbidden", "")'
    make(
        (SCHEMA, "auth=Bearer(),", 'auth=Bearer(), credential_kinds=(CredentialKind("bot"), CredentialKind("user")),'),
        (SCHEMA, "import JSON, Bearer,", "import JSON, Bearer, CredentialKind,"),
        (TOOLS, "@APP.tool\ndef list_members", '@APP.tool(credential="user")\ndef list_members'),
        (API, "return MembersReply([", f"{user_only}\n    return MembersReply(["),
    )
    asked = ["tools_reach_an_operation", "tool_calls_are_the_same_event", "answers_have_their_declared_type"]
    subject = next(one for one in find_subject("tasks") if one.kind == "app")
    assert [(one.check, one.problems) for one in run(subject, names=asked) if one.result != "passed"] == []


FILL = "seed.fill(tx, people(), SIZES[size])"
OS = '__import__("os").urandom(4).hex()'
KEY_IN_QUERY = """
class KeyInQuery(Bearer):
    reads = "request"

    def read(self, request):
        return Credential("", request.query.partition("key=")[2]) if "key=" in request.query else None

    def write(self, request, credential):
        return msgspec.structs.replace(request, query=f"key={credential.secret}")


APP = Product(
"""
OPEN_DOOR = """
class OpenDoor(Bearer):
    def read(self, request):
        return Credential("", "a-secret-of-the-door")


APP = Product(
"""
LINK = """
from diorama.apps.zendesk.schema import TicketSolved
from diorama.kernel import Product

LINKS = Product("links", control=True)
LINKS.on(TicketSolved)(lambda tx, notice: None)
COMPANY = Company(
"""
LAZY = """
from datetime import timedelta

from diorama.kernel import Product, Refusal

LINKS = Product("links", control=True)


@LINKS.on(seed.ItemFinished)
def tell_the_owner(tx, notice):
    raise Refusal(422, "NoOwner", "nobody owns it")


@LINKS.on(seed.ItemFinished)
def count(tx, notice):
    pass


@LINKS.on(seed.ItemFinished, after=timedelta(seconds=1))
def remind(tx, notice):
    raise Refusal(422, "TooLate")


COMPANY = Company(
"""
TICK = f"""
PRODUCT = app("x").product


@PRODUCT.command
def tick(tx):
    tx.add(seed.Member(name={OS}, email="t@example.com"))


def fill(
"""
MISTAKES: dict[tuple[str, str], list[tuple[str, str, str]]] = {
    ("app", "operations_are_declared"): [(API, '"""Show one item."""', '"""item"""')],
    ("app", "nouns_are_described"): [(SCHEMA, '    """A person who can own items."""\n\n', "")],
    ("app", "openapi_document_is_valid"): [(API, '{item_id}/reopen")', '{item_id}/reopen", name="finish_item")')],
    ("app", "readme_says_what_is_missing"): [(README, "", "# Tasks\n")],
    ("app", "app_is_installed_at_a_host"): [("apps/tasks/__init__.py", 'f"{company}.tasks.example"', "")],
    ("app", "refusals_are_worded"): [(SCHEMA, 'Refusal(405, "method', 'Refusal(418, "method')],
    ("app", "arguments_are_bounded"): [(SCHEMA, "    auth=Bearer(),", "    auth=Bearer(),\n    max_body=1 << 40,")],
    ("app", "credentials_are_read_as_written"): [
        (SCHEMA, "auth=Bearer(),", 'auth=type("Blind", (Bearer,), {"read": lambda self, request: None})(),')
    ],
    ("app", "broken_bodies_are_refused"): [(SCHEMA, 'Refusal(400, "bad', 'Refusal(500, "bad')],
    ("app", "strangers_are_refused"): [
        (API, '@APP.get("/v1/members")', '@APP.get("/v1/members", public=True)'),
        (API, "return MembersReply([", "1 // len(tx.actor.name)\n    return MembersReply(["),
    ],
    ("app", "wrong_paths_are_refused"): [(SCHEMA, 'Refusal(405, "method', 'Refusal(500, "method')],
    ("app", "tools_are_a_handful"): [(TOOLS, '"""Show one item with its notes."""', '"""Show."""')],
    ("app", "no_request_breaks_it"): [(API, "(page - 1) * PER_PAGE", "PER_PAGE // (page - 1)")],
    ("app", "reading_changes_nothing"): [
        (API, "return shown(tx.get(Item, item_id))", 'return shown(rules.update(tx, item_id, notes="read"))')
    ],
    ("app", "answers_have_their_declared_type"): [(API, "int(item.id), item.title", "int(item.id), 7")],
    ("app", "tools_reach_an_operation"): [(TOOLS, '"/v1/members"', '"/v1/membranes"')],
    ("app", "tool_calls_are_the_same_event"): [(RULES, "by=tx.actor.name, at=", "by=tx.door, at=")],
    ("app", "requests_are_the_same_event"): [(RULES, "by=tx.actor.name, at=", "by=tx.door, at=")],
    ("app", "strangers_leave_no_trace"): [
        (SCHEMA, "import JSON, Bearer", "import JSON, Bearer, Credential"),
        (SCHEMA, "APP = Product(\n", OPEN_DOOR),
        (SCHEMA, "auth=Bearer(),", "auth=OpenDoor(),"),
    ],
    ("app", "credentials_are_never_recorded"): [
        (SCHEMA, "import JSON, Bearer", "import JSON, Bearer, Credential"),
        (SCHEMA, "APP = Product(\n", KEY_IN_QUERY.lstrip()),
        (SCHEMA, "auth=Bearer(),", "auth=KeyInQuery(),"),
    ],
    ("world", "images_are_equal"): [(WORLD, FILL, f'seed.fill(tx, [*people(), ({OS}, "x@y.example")], 9)')],
    ("world", "no_placeholder_is_stored"): [
        (WORLD, FILL, 'seed.fill(tx, [*people(), (app("x").product.here(), "x@y.example")], 9)')
    ],
    ("world", "links_lead_to_apps_that_are_there"): [
        (WORLD, "COMPANY = Company(\n", LINK), (WORLD, '[app("tasks")]', '[app("tasks"), LINKS]')
    ],
    ("world", "people_know_their_company"): [
        (WORLD, '[app("tasks")]', '[app("tasks"), __import__("diorama.people").people.APP]')
    ],
    ("world", "apps_are_the_ones_that_were_found"): [
        (WORLD, '[app("tasks")]', '[__import__("copy").copy(app("tasks").product).install("tasks.example.com")]')
    ],
    ("world", "forks_and_replays_are_equal"): [
        (WORLD, "def fill(", TICK.rstrip()),
        (WORLD, FILL, f"{FILL}\n    from datetime import timedelta\n    tx.later(timedelta(days=1), tick)"),
    ],
    ("scenario", "declaration_is_complete"): [(STORY, "    @quality()\n", "")],
    ("scenario", "the_oracle_wins_every_variant"): [(STORY, "for ask in truth.asks:", "for ask in truth.asks[:1]:")],
    ("scenario", "changes_name_their_writer"): [
        (STORY, '"""Read the request, make both changes, close it."""', '"""Do nothing."""\n        return')
    ],
    ("scenario", "reactions_do_not_always_refuse"): [
        ("apps/tasks/seed.py", "from .schema import ", "from .schema import ItemFinished, "),
        (WORLD, "COMPANY = Company(\n", LAZY), (WORLD, '[app("tasks")]', '[app("tasks"), LINKS]'),
    ],
    ("scenario", "no_placeholder_is_shown_or_stored"): [(STORY, 'notes = f"Hello', 'notes = f"\\ue000Hello')],
    ("scenario", "doing_nothing_earns_nothing"): [
        (STORY, 'phases = ("changed", "answered")', 'phases = ("changed", "answered")\n    settles = "horizon"'),
        (STORY, "return self.made(view.tx, truth.asks[0])", "return view.tx.now > view.staged_at"),
    ],
    ("scenario", "random_calls_earn_nothing"): [
        (STORY, "return self.did(tx, ask.item) and ask.made(tx.get(Item, ask.item))",
         'return tx.count(Entry, "by = ?", self.person) > 0'),
        (STORY, '"""Cover the two items, the request, and their histories."""', '"""All."""\n        return True'),
    ],
    ("scenario", "no_cheat_pays"): [
        (STORY, "return self.did(tx, ask.item) and ask.made(tx.get(Item, ask.item))", "return True")
    ],
    ("scenario", "rest_is_graded_like_the_horizon"): [
        (STORY, "done_at - view.staged_at <=", "view.tx.now - view.staged_at <=")
    ],
    ("scenario", "cheats_are_declared"): [(STORY, "    @cheat\n    def only", "    def only")],
    ("scenario", "forged_fields_earn_nothing"): [
        (STORY, "return self.did(tx, ask.item) and ask.made(", "return ask.made(")
    ],
    ("scenario", "collateral_damage_costs"): [
        (STORY, '"""Cover the two items, the request, and their histories."""', '"""All."""\n        return True')
    ],
    ("app", "changes_have_a_meaning"): [("apps/tasks/damage.py", '        "entries": DERIVED,\n', "")],
    ("scenario", "scores_explain_themselves"): [
        (STORY, "return self.made(view.tx, truth.asks[0])",
         'return __import__("diorama.rewards").rewards.Finding(self.made(view.tx, truth.asks[0]), "", "")')
    ],
    ("scenario", "each_step_pays_no_less"): [(STORY, '    @fact("changed")\n    def second', "    def second")],
    ("scenario", "variants_differ_in_plan"): [(STORY, "permutations(WORDS, 2)", "permutations(list(WORDS)[:2], 2)")],
    ("scenario", "actions_fit_one_variant_only"): [
        (STORY, "plan = stage.dice.pick(PLANS)", "plan = PLANS[0]"),
        (STORY, 'stage.dice.pick(pools["done" if kind == "reopen" else "open"])',
         'pools["done" if kind == "reopen" else "open"][0]'),
    ],
    ("scenario", "train_and_eval_never_meet"): [
        (STORY, "requester = stage.pick(", "requester = (lambda items, key: items[0])(")
    ],
    ("scenario", "forks_and_replays_are_equal"): [
        (RULES, 'status="done", done_at=tx.now', f'status="done", done_at=tx.now, notes={OS}')
    ],
    ("scenario", "staging_follows_from_the_seed"): [(STORY, 'notes = f"Hello', f'notes = {OS} + f"Hello')],
    ("scenario", "the_brief_does_not_tell"): [(STORY, "You are Mika Holm", "In this scenario you are Mika Holm")],
    ("scenario", "the_oracle_leaves_room"): [(STORY, "hours = 24.0", "hours = 24.0\n    turns = 6")],
    ("scenario", "the_agent_cannot_see_the_truth"): [(STORY, "You are Mika Holm", "'{truth.plan}': you are Mika")],
    ("scenario", "it_holds_no_state"): [
        (STORY, '"""Say where the request is."""', '"""Say where the request is."""\n        self.last = truth.request')
    ],
    ("scenario", "generated_cheats_do_not_pay"): [
        (STORY, 'closed = view.tx.get(Item, truth.request).status == "done" and self.did(view.tx, truth.request)',
         "closed = True")
    ],
    ("scenario", "generated_honest_variants_win"): [
        (STORY, "return self.made(view.tx, truth.asks[0])",
         'return self.made(view.tx, truth.asks[0]) and any(e.changes and e.door == "tools" for e in view.own())')
    ],
    ("scenario", "the_oracle_is_grounded"): [
        (STORY, '        use(hands, "get_item", item_id=truth.request)\n', "")
    ],
    ("scenario", "agents_cannot_reach_the_grader"): [(STORY, "You are Mika Holm", "tasks/two-changes: you are Mika")],
    ("scenario", "episodes_do_not_see_each_other"): [
        (RULES, '    item = Item(\n        title=_text("title", title)',
         '    LONGEST["n"] = LONGEST.get("n", 0) + 1\n    item = Item(\n        title=f"{title} {LONGEST[\'n\']}"'),
    ],
}  # fmt: skip
NOT_THEIR_OWN = {("scenario", "waiting_and_finishing_are_turns")}
"""What no app, world or scenario can break: it is the episode's own work."""
OF_DESKS = {
    *(("scenario", one) for one in ("each_split_has_enough_people", "the_record_follows_from_the_article")),
    *(
        ("scenario", one)
        for one in ("the_reason_follows_from_the_records", "records_tell_plans_apart", "the_records_are_plausible")
    ),
}
"""Checks of scenarios with plans; their mistakes are in tests/scenarios/test_kit.py and test_desk_checks.py here."""


@pytest.mark.parametrize(("kind", "check"), MISTAKES, ids=lambda word: word)
def test_a_check_finds_its_mistake(kind: str, check: str, make: Made) -> None:
    make(*MISTAKES[kind, check])
    subject = next(one for one in find_subject(NAMES[kind]) if one.kind == kind)
    found = list(run(subject, names=[check]))
    assert [outcome.result for outcome in found] == ["failed"]
    assert found[0].problems


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("**Not faithful:**", "**Also faithful:** nothing is left out, there is no gap.", "What is not faithful"),
        ("**Not faithful:** there", "**Not faithful:** nothing.\n\n**More:** there", "What is not faithful"),
        ("**API version:** v1.", "**API version:** the newest.", "'v1'"),
    ],
)
def test_a_readme_that_hides_what_is_missing_fails(old: str, new: str, said: str, make: Made) -> None:
    make((README, old, new))
    subject = next(one for one in find_subject("tasks") if one.kind == "app")
    [found] = run(subject, names=["readme_says_what_is_missing"])
    assert said in found.problems[0]


def test_a_link_that_always_refuses_is_named_with_its_refusal(make: Made) -> None:
    make(*MISTAKES["scenario", "reactions_do_not_always_refuse"])
    subject = next(one for one in find_subject("tasks/two-changes") if one.kind == "scenario")
    [found] = run(subject, names=["reactions_do_not_always_refuse"])
    later, at_once = found.problems
    assert later.startswith("links.remind ran ")
    assert "TooLate" in later
    assert at_once.startswith("links.tell_the_owner ran ")
    assert "and refused every time: 422 NoOwner: nobody owns it" in at_once


def test_a_short_readme_is_told_how_long_it_must_be(make: Made) -> None:
    make((README, "", "# Tasks\n\nFaithful: all.\n"))
    subject = next(one for one in find_subject("tasks") if one.kind == "app")
    [found] = run(subject, names=["readme_says_what_is_missing"])
    assert "has 24 characters, and must have at least 500: say what the product is" in found.problems[0]
    assert "has 0 characters in a section 'What is not faithful'" in found.problems[1]


def test_a_success_with_an_undocumented_status_is_found(make: Made) -> None:
    make(
        (API, "import Refusal, Tx", "import Refusal, Reply, Tx"),
        (API, "return shown(rules.finish(tx, item_id))", "rules.finish(tx, item_id)\n    return Reply(202, {})"),
    )
    subject = next(one for one in find_subject("tasks") if one.kind == "app")
    [found] = run(subject, names=["no_request_breaks_it"])
    assert "202 is not documented" in found.problems[0]


def test_every_check_has_a_mistake_that_it_finds() -> None:
    kinds = {"operation": "app", "tool": "app", "door": "app"}
    assert {(kinds.get(one.of, one.of), one.name) for one in CHECKS} == MISTAKES.keys() | NOT_THEIR_OWN | OF_DESKS


def test_without_a_scenario_a_check_acts_as_an_account_holder(make: Made) -> None:
    people = '@APP.people\ndef people(tx: Tx) -> list[str]:\n    return ["mika.holm@example.com"]\n\n\n'
    make((API, '@APP.get("/v1/members")', f'{people}@APP.get("/v1/members")'))
    subject = app_subject("tasks")
    subject.__dict__["scenario"] = None
    assert subject.actor.name == "mika.holm@example.com"


@pytest.mark.parametrize(
    ("who", "problem"),
    [
        ("boss@example.com", ""),
        ("x@example.com", "no account holder may use it (tried: mika.holm@example.com, boss@example.com)"),
    ],
)
def test_a_tool_is_tried_as_every_account_holder(who: str, problem: str, make: Made) -> None:
    holders = '@APP.people\ndef holders(tx: Tx) -> list[str]:\n    return ["boss@example.com"]\n\n\n'
    only = f'if tx.actor.name != "{who}":\n        raise APP.refusal("forbidden", "")\n    return MembersReply(['
    make((API, '@APP.get("/v1/members")', f'{holders}@APP.get("/v1/members")'), (API, "return MembersReply([", only))
    subject = next(one for one in find_subject("tasks") if one.kind == "app")
    [found] = run(subject, names=["tools_reach_an_operation"])
    assert problem in "".join(found.problems)
    assert bool(problem) == bool(found.problems)


def test_texts_are_also_urls_addresses_dates_and_ids(make: Made) -> None:
    make()
    fuzz = app_subject("tasks").fuzz.drawing_from(Dice("texts"))
    drawn = {fuzz.value({"type": "string"}, "title", "items") for _ in range(400)}
    assert {"https://example.com/hook", "ana@example.com", "2026-03-02T10:00:00Z"} < drawn
    assert drawn & {str(key) for key in fuzz.pool.ids["item"]}
    endpoints = [fuzz.value({"type": "string"}, "endpoint", "webhooks") for _ in range(100)]
    assert sum(one.startswith("http") for one in endpoints) > 20
