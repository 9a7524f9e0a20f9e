"""A world that an administrator has filled through the API with what is costly to read, as far as its budget goes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec

from diorama.kernel import Actor, Request, World
from diorama.kernel.budget import WORLD_BYTES
from diorama.kernel.pages import PAGE

WORDS = " ".join(f"word{number}" for number in range(9_000))
LOOP = "{% for a in (1..300) %}{{a | plus: 1}}{% endfor %}"
MAILED = [{"field": "notification_user", "value": ["requester_id", "Hi", LOOP + "{{ticket.comments_formatted}}"]}]
UNMET = {"field": "description_includes_word", "operator": "not_includes", "value": WORDS[:3_000]}


class Filler:
    """Sends requests to the help desk until the world takes no more."""

    def __init__(self, world: World, actor: Actor) -> None:
        self.world = world
        self.actor = actor
        self.made = 0

    def full(self) -> bool:
        """Return whether the world has grown as far as it may."""
        return (self.world.pages.pages - self.world.pages.image.pages) * PAGE > WORLD_BYTES

    def __call__(self, method: str, path: str, **body: Any) -> Any:
        """Send one request; after a refusal by a rate limit wait and send it again."""
        data = msgspec.json.encode(body)
        request = Request(method, f"/api/v2/{path}", "", {"content-type": "application/json"}, data)
        reply = self.world.send("zendesk", request, self.actor)
        if reply.status == 429:
            self.world.wait(timedelta(minutes=11))
            reply = self.world.send("zendesk", request, self.actor)
        self.made += reply.status < 300
        return reply.json() if reply.status < 300 and reply.body else {}


def _tickets(fill: Filler, rounds: int) -> None:
    for number in range(rounds):
        tags = [f"t{number}_{place}_abcdefghijklmno" for place in range(190)]
        tickets = [{"subject": WORDS[:100], "tags": tags, "comment": {"body": WORDS[:3_000]}}] * 100
        fill("POST", "tickets/create_many", tickets=tickets)
        fill.world.wait(timedelta(minutes=1))
        if fill.full():
            break


def _comments(fill: Filler, rounds: int) -> None:
    made = fill("POST", "tickets", ticket={"subject": "Long", "comment": {"body": WORDS[:60_000]}})
    for number in range(rounds):
        fill("PUT", f"tickets/{made['ticket']['id']}", ticket={"comment": {"body": WORDS[number:60_000]}})


def _rules(fill: Filler, rounds: int) -> None:
    for number in range(rounds):
        tag, following = [f"chain{number}", f"chain{number + 1}"]
        includes = {"field": "current_tags", "operator": "includes", "value": tag}
        actions = [{"field": "current_tags", "value": following}]
        fill("POST", "triggers", trigger={"title": tag, "conditions": {"all": [includes]}, "actions": actions})
        said = {"field": "comment_includes_word", "operator": "includes", "value": f"x{number} " * 500}
        fill("POST", "triggers", trigger={"title": f"w{tag}", "conditions": {"any": [said] * 3}, "actions": actions})
        changed = {"field": "update_type", "operator": "is", "value": "Change"}
        if number % 8 == 0:
            fill("POST", "triggers", trigger={"title": f"m{tag}", "conditions": {"all": [changed]}, "actions": MAILED})
        value = LOOP * number + "{{ticket.comments_formatted}}{{dc.item_0}}"
        fill("POST", "macros", macro={"title": tag, "actions": [{"field": "comment_value", "value": value}]})
        opened = [{"field": "status", "operator": "less_than", "value": "closed"}]
        columns = {"columns": ["status", "requester", "subject"]}
        fill("POST", "views", view={"title": tag, "all": opened, "any": [UNMET] * (number % 20), "output": columns})
        old = {"field": "created_at", "operator": "greater_than", "value": "0"}
        fresh = {"field": "current_tags", "operator": "not_includes", "value": tag}
        actions = [{"field": "current_tags", "value": tag}]
        fill("POST", "automations", automation={"title": tag, "conditions": {"all": [old, fresh]}, "actions": actions})
        metric = {"priority": "normal", "metric": "first_reply_time", "target": 30, "business_hours": True}
        policy = {"title": tag, "filter": {"all": [UNMET], "any": []}, "policy_metrics": [metric]}
        fill("POST", "slas/policies", sla_policy=policy)
        content = {"locale_id": 1, "default": True, "content": LOOP * 20 + f"{{{{dc.item_{number + 1}}}}}"}
        item = {"name": f"item_{number}", "default_locale_id": 1, "variants": [content]}
        fill("POST", "dynamic_content/items", item=item)


def _fields(fill: Filler, rounds: int) -> None:
    for number in range(rounds):
        name = f"f{number}"
        options = [{"name": f"o{one}", "value": f"{name}_{one}"} for one in range(300)]
        fill("POST", "ticket_fields", ticket_field={"type": "tagger", "title": name, "custom_field_options": options})
        pattern = {"type": "regexp", "title": name, "regexp_for_validation": "(a+)+$"}
        fill("POST", "ticket_fields", ticket_field=pattern)
        chosen = {"type": "dropdown", "key": name, "title": name, "custom_field_options": options}
        fill("POST", "user_fields", user_field=chosen)


def _people(fill: Filler, rounds: int) -> None:
    tags = [f"tag{number}" for number in range(100)]
    for number in range(rounds):
        users = [
            {"name": f"U {number} {one}", "email": f"u{number}_{one}@x.example", "tags": tags, "notes": WORDS[:3_000]}
            for one in range(100)
        ]
        fill("POST", "users/create_many", users=users)
        companies = [
            {"name": f"O {number} {one}", "domain_names": [f"d{number}n{one}x{n}.example" for n in range(50)]}
            for one in range(100)
        ]
        fill("POST", "organizations/create_many", organizations=companies)
        fill.world.wait(timedelta(minutes=1))


def _articles(fill: Filler, rounds: int) -> None:
    section = fill("GET", "help_center/sections")["sections"][0]["id"]
    group = fill("GET", "guide/permission_groups")["permission_groups"][0]["id"]
    fill("POST", "custom_objects", custom_object={"key": "thing", "title": "Thing", "title_pluralized": "Things"})
    for number in range(20):
        field = {"type": "textarea", "key": f"f{number}", "title": f"F{number}"}
        fill("POST", "custom_objects/thing/fields", custom_object_field=field)
    values = {f"f{number}": WORDS[:5_000] for number in range(20)}
    for number in range(rounds):
        article = {"title": "A", "body": f"<p>{WORDS[:60_000]}</p>", "locale": "en-us", "permission_group_id": group}
        fill("POST", f"help_center/sections/{section}/articles", article={**article, "user_segment_id": None})
        record = {"name": f"r{number}", "custom_object_fields": values}
        fill("POST", "custom_objects/thing/records", custom_object_record=record)


PARTS: dict[str, tuple[Callable[[Filler, int], None], int, int]] = {
    "fields": (_fields, 25, 200),
    "rules": (_rules, 25, 100),
    "articles": (_articles, 5, 200),
    "comments": (_comments, 12, 300),
    "people": (_people, 1, 30),
    "tickets": (_tickets, 1, 100),
}
"""What fills a world, how often in a mixture of all, and how often alone."""


def fill_with_everything(world: World, actor: Actor) -> int:
    """Fill a world with some of everything; return how many requests were accepted."""
    fill = Filler(world, actor)
    for part, times, _ in PARTS.values():
        part(fill, times)
    return fill.made


def fill_with_one(world: World, actor: Actor, name: str) -> int:
    """Fill a world with one kind of thing, as far as it takes it; return how many requests were accepted."""
    part, _, times = PARTS[name]
    fill = Filler(world, actor)
    part(fill, times)
    return fill.made
