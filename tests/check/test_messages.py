"""A failed check names the cause once, in the author's own file and line, and says what to do."""

import pytest

from diorama.check import Outcome, find_subject, run
from tests.check.conftest import Made

API, SCHEMA, TOOLS = "apps/tasks/api.py", "apps/tasks/schema.py", "apps/tasks/tools.py"
STORY, WORLD = "scenarios/two_changes.py", "worlds/tasks/__init__.py"
READ = 'use(hands, "get_item", item_id=truth.request)'
SHOW = "return shown(tx.get(Item, item_id))"
FILL = "seed.fill(tx, people(), SIZES[size])"


def outcomes(name: str, kind: str) -> list[Outcome]:
    """Make every check of one thing."""
    return list(run(next(one for one in find_subject(name) if one.kind == kind)))


def failures(found: list[Outcome]) -> dict[str, str]:
    """Return the problems of every failed check as one text."""
    return {one.check: "\n".join(one.problems) for one in found if one.result == "failed"}


def test_a_tool_with_a_wrong_path_is_named_with_the_nearest_path(make: Made) -> None:
    make((TOOLS, 'Call("GET", "/v1/members")', 'Call("GET", "/v1/membres")'))
    failed = failures(outcomes("tasks", "app"))
    assert list(failed) == ["tools_reach_an_operation"]
    told = failed["tools_reach_an_operation"]
    assert "tasks_list_members (apps/tasks/tools.py:" in told
    assert "GET /v1/membres, which no operation answers" in told
    assert "The nearest is GET /v1/members (apps/tasks/api.py:" in told


def test_the_nearest_path_has_as_many_parts(make: Made) -> None:
    make((TOOLS, 'Call("GET", f"/v1/items/{item_id}")', 'Call("GET", f"/v1/itemz/{item_id}")'))
    told = failures(outcomes("tasks", "app"))["tools_reach_an_operation"]
    assert "The nearest is GET /v1/items/{item_id} (apps/tasks/api.py:" in told


def test_a_broken_oracle_is_not_blamed_on_the_cheats(make: Made) -> None:
    make((STORY, READ, READ.replace("truth.request", "truth.requestz")))
    found = outcomes("tasks/two-changes", "scenario")
    failed = failures(found)
    assert list(failed) == ["the_oracle_wins_every_variant"]
    told = failed["the_oracle_wins_every_variant"]
    assert told.startswith("train 0 (plan ")
    assert "): AttributeError: 'Truth' object has no attribute 'requestz' (scenarios/two_changes.py:" in told
    assert told.endswith(" in oracle)")
    stopped = [one for one in found if one.stopped_by]
    assert {one.stopped_by for one in stopped} == {"the_oracle_wins_every_variant"}
    assert "no_cheat_pays" in {one.check for one in stopped}


def test_an_oracle_that_loses_does_not_make_cheats_fail(make: Made) -> None:
    make(
        (STORY, f"        {READ}\n        for ask", "        for ask"),
        (STORY, "for ask in truth.asks:", "for ask in ():"),
    )
    failed = failures(outcomes("tasks/two-changes", "scenario"))
    assert "request_closed 0 (The request is closed" in failed["the_oracle_wins_every_variant"]
    assert "no_cheat_pays" not in failed


@pytest.mark.parametrize(("name", "kind"), [("tasks", "app"), ("tasks/two-changes", "scenario")])
def test_a_handler_that_raises_is_named_everywhere(name: str, kind: str, make: Made) -> None:
    make((API, SHOW, "return shown(tx.get(Item, item_id).nope)"))
    failed = failures(outcomes(name, kind))
    assert failed
    for told in failed.values():
        assert "AttributeError: 'Item' object has no attribute 'nope' (apps/tasks/api.py:" in told
        assert "in show_item)" in told


def test_a_field_without_a_default_says_what_to_do(make: Made) -> None:
    make((SCHEMA, '    notes: str = ""\n', '    notes: str = ""\n    colour: str\n'))
    failed = failures(outcomes("tasks", "world"))
    assert list(failed) == ["images_are_equal"]
    told = failed["images_are_equal"]
    assert "Missing required argument 'colour' (apps/tasks/seed.py:" in told
    assert told.endswith("pass colour= there, or declare the field colour with a default")


TALKS = """
from diorama import people
from diorama.kernel import Product

LINKS = Product("links", control=True)


@LINKS.on(seed.ItemFinished)
def tell(tx, notice):
    say(tx)


def say(tx):
    people.receive_message(tx, "a@b.example", "email", "", "Done.", {})


COMPANY = Company(
"""


def test_a_link_that_uses_a_table_the_company_lacks_is_named(make: Made) -> None:
    make(
        ("apps/tasks/seed.py", "from .schema import ", "from .schema import ItemFinished, "),
        (WORLD, "COMPANY = Company(\n", TALKS),
        (WORLD, '[app("tasks")]', '[app("tasks"), LINKS]'),
    )
    told = failures(outcomes("tasks", "world"))["links_lead_to_apps_that_are_there"]
    assert told.startswith("links.tell (worlds/tasks/__init__.py:")
    assert "_people_personas" in told
    assert "PRODUCT.needs(...)" in told


def test_two_operations_at_one_path_are_named_with_both_lines(make: Made) -> None:
    make((API, '@APP.get("/v1/members")', '@APP.get("/v1/items")'))
    with pytest.raises(LookupError) as caught:
        find_subject("tasks")
    told = str(caught.value)
    assert "two operations answer GET /v1/items: list_items (apps/tasks/api.py:" in told
    assert "and list_members (apps/tasks/api.py:" in told
    assert "router.py" not in told
    with pytest.raises(LookupError) as caught:  # the second import finds the same, not what the first left behind
        find_subject("tasks/two-changes")
    assert "and list_members" in str(caught.value)


def test_no_message_shows_an_import_name_that_was_made_up(make: Made) -> None:
    make((API, "from .schema import APP, Entry", "from .schema import APP, Entri, Entry"))
    with pytest.raises(LookupError, match=r"cannot import name 'Entri' from 'apps\.tasks\.schema'") as caught:
        find_subject("tasks")
    assert "diorama_" not in str(caught.value)


@pytest.mark.parametrize(
    ("file", "docstring", "name", "kind"),
    [
        (STORY, '        """The first change is made."""\n', "the fact first_change", "scenario"),
        (STORY, '        """The colleague had the answer within eight hours."""\n', "the quality same_day", "scenario"),
        (SCHEMA, '    """A person who can own items."""\n\n', "Member", "app"),
        (SCHEMA, '    """An item was finished."""\n\n', "ItemFinished", "app"),
    ],
)
def test_what_has_no_docstring_fails(file: str, docstring: str, name: str, kind: str, make: Made) -> None:
    make((file, docstring, ""))
    failed = failures(outcomes({"app": "tasks", "scenario": "tasks/two-changes"}[kind], kind))
    assert len(failed) == 1
    told = next(iter(failed.values()))
    assert told.startswith(f"{name} ({file}:")
    assert "no docstring" in told


def test_a_world_that_cannot_be_filled_is_one_failure(make: Made) -> None:
    make((WORLD, FILL, FILL.replace("SIZES[size]", "SIZES[sizes]")))
    found = outcomes("tasks", "app")
    failed = failures(found)
    assert len(failed) == 1
    assert "NameError: name 'sizes' is not defined (worlds/tasks/__init__.py:" in next(iter(failed.values()))
    assert sum(bool(one.stopped_by) for one in found) > 5
