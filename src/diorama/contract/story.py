"""Stories: requests that make sense one after the other only, told by an app so that its replies are seen in full."""

import tomllib
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from diorama.contract.report import Sample
from diorama.contract.sample import Sampler, value_of
from diorama.contract.source import FILE, Unreadable
from diorama.contract.stage import folder_of
from diorama.kernel import Actor, Refusal, Request, World
from diorama.kit.webhooks import Answer, deliver


class Input(Struct, frozen=True, forbid_unknown_fields=True):
    """What comes from outside and not over the API: a command of the app with its arguments."""

    command: str
    args: dict[str, Any] = {}


class Heard(Struct, frozen=True, forbid_unknown_fields=True):
    """What receivers outside answer to everything that the world has sent them by now."""

    status: int
    body: str = ""


class Ask(Struct, frozen=True, forbid_unknown_fields=True):
    """One request; `<name>` in it stands for what an earlier reply was asked to `keep` (name -> place in the reply).

    An address may be whole, as replies tell it; which host it names is all the same.
    `by` is the address of who asks, `bearer` a token of the app's own that the request shows; without either somebody
    asks who may. Before it `first` comes in, receivers outside have `heard`, and `wait_seconds` pass, in this order.
    `known` are ids that no reply tells (name -> `table.field=value`).
    """

    ask: str
    body: str = ""
    type: str = "application/json"
    by: str = ""
    bearer: str = ""
    first: Input | None = None
    heard: Heard | None = None
    wait_seconds: float = 0
    known: dict[str, str] = {}
    keep: dict[str, str] = {}


class Story(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody does, step by step."""

    about: str
    asks: list[Ask]


def stories_of(app: str) -> list[Story]:
    """The `[[stories]]` of the app's own contract file."""
    file = folder_of(app) / FILE
    if not file.is_file():
        return []
    try:
        return msgspec.convert(tomllib.loads(file.read_text()).get("stories", []), list[Story])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise Unreadable(str(file), f"[[stories]]: {error}") from None


def tell(sampler: Sampler, story: Story) -> None:
    """Live a story on a fork; a step that is refused is a fault, for the story is the app's own."""
    fork, kept = sampler.world.fork(), dict[str, str]()
    for step in story.asks:
        _meanwhile(sampler, fork, story, step)
        kept.update({name: _known(sampler, fork, story, row) for name, row in step.known.items()})
        method, _, address = _filled(step.ask, kept).partition(" ")
        path, query = urlsplit(address)[2:4]
        body = _filled(step.body, kept).encode()
        request = Request(method, path, query, {"content-type": step.type} if body else {}, body)
        target = sampler.requests.by_key.get((method, sampler.requests.template(request)))
        if target is None:
            raise Unreadable(FILE, f"{story.about}: no operation answers {method} {path}")
        actors = [Actor("agent", _filled(step.by, kept))] if step.by else sampler.actors
        if step.bearer:
            request, actors = _shown(sampler, fork, story, request, _filled(step.bearer, kept))
        reply = sampler.ask(fork, target, request, actors)
        if reply is None:
            message = f"the story {story.about!r} ends here"
            refused = fork.send(sampler.app.name, request, actors[0])
            sampler.findings.add(
                target, refused, Sample(method, path, query, step.body), "gateway", "", message, "story"
            )
            return
        kept.update({name: str(_at(value_of(reply), place)) for name, place in step.keep.items()})


def _meanwhile(sampler: Sampler, fork: World, story: Story, step: Ask) -> None:
    """What happens outside before a step."""
    if step.first is not None:
        if step.first.command not in sampler.app.product.commands:
            raise Unreadable(FILE, f"{story.about}: {sampler.app.name} has no command {step.first.command}")
        try:
            fork.apply(sampler.app.name, step.first.command, **step.first.args)
        except Refusal as refusal:
            raise Unreadable(FILE, f"{story.about}: {step.first.command}: {refusal}") from None
    if step.heard is not None:
        answer = Answer(step.heard.status, step.heard.body)
        if not deliver(fork, lambda _: answer):
            raise Unreadable(FILE, f"{story.about}: nothing waits for a receiver before {step.ask}")
    if step.wait_seconds:
        fork.wait(timedelta(seconds=step.wait_seconds))


def _known(sampler: Sampler, fork: World, story: Story, row: str) -> str:
    """The id of a row of the app that has this value in this field."""
    place, _, value = row.partition("=")
    name, _, field = place.partition(".")
    for table in sampler.app.product.tables:
        if table.name.removeprefix(f"{sampler.app.name}_") == name and field in table.names:
            found = fork.read(lambda tx, record=table.record: tx.first(record, f'"{field}" = ?', value))
            if found is not None:
                return str(found.id)
    raise Unreadable(FILE, f"{story.about}: there is no {row}")


def _shown(sampler: Sampler, fork: World, story: Story, request: Request, token: str) -> tuple[Request, list[Actor]]:
    """A request as a door lets it in that is shown a token of the app's own."""
    grants = sampler.app.product.grants
    admitted = grants.admit(fork, request, token) if grants is not None else None
    if admitted is None:
        raise Unreadable(FILE, f"{story.about}: the bearer of {request.method} {request.path} is worth nothing")
    return admitted[0], [admitted[1]]


def _filled(text: str, kept: Mapping[str, str]) -> str:
    for name, value in kept.items():
        text = text.replace(f"<{name}>", value)
    return text


def _at(value: Any, place: str) -> Any:
    """What stands at a place of a reply: `comments.0.id`."""
    for part in place.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value
