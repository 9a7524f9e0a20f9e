"""Stories: sequences of dependent requests, declared by an app so that its replies are sampled completely."""

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
    """An input from outside the API: a command of the app with its arguments."""

    command: str
    args: dict[str, Any] = {}


class ReceiverAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer of outside receivers to everything that the world has sent them so far."""

    status: int
    body: str = ""


class Ask(Struct, frozen=True, forbid_unknown_fields=True):
    """One request; `<name>` in it is replaced by a value of an earlier reply (`keep`: name -> place in the reply).

    The address may be a full URL from a reply; its host is ignored.
    `by` is the caller's address, `bearer` a token issued by the app; without either, a permitted user sends it.
    Before the request, `first` is applied, receivers answer as in `heard`, and `wait_seconds` pass, in this order.
    `known` are ids that are in no reply (name -> `table.field=value`).
    """

    ask: str
    body: str = ""
    type: str = "application/json"
    by: str = ""
    bearer: str = ""
    first: Input | None = None
    heard: ReceiverAnswer | None = None
    wait_seconds: float = 0
    known: dict[str, str] = {}
    keep: dict[str, str] = {}


class Story(Struct, frozen=True, forbid_unknown_fields=True):
    """A sequence of requests, step by step."""

    about: str
    asks: list[Ask]


def stories_of(app: str) -> list[Story]:
    """Return the `[[stories]]` of the app's contract file."""
    file = folder_of(app) / FILE
    if not file.is_file():
        return []
    try:
        return msgspec.convert(tomllib.loads(file.read_text()).get("stories", []), list[Story])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise Unreadable(str(file), f"[[stories]]: {error}") from None


def run_story(sampler: Sampler, story: Story) -> None:
    """Run a story on a fork; a refused step is an error, because the app itself declares the story."""
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
        actors = [Actor("agent", _filled(step.by, kept), kind) for kind in sampler.kinds] if step.by else sampler.actors
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
    """Apply the outside inputs before a step."""
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
    """Return the id of the app's row with this value in this field."""
    place, _, value = row.partition("=")
    name, _, field = place.partition(".")
    for table in sampler.app.product.tables:
        if table.name.removeprefix(f"{sampler.app.name}_") == name and field in table.names:
            found = fork.read(lambda tx, record=table.record: tx.first(record, f'"{field}" = ?', value))
            if found is not None:
                return str(found.id)
    raise Unreadable(FILE, f"{story.about}: there is no {row}")


def _shown(sampler: Sampler, fork: World, story: Story, request: Request, token: str) -> tuple[Request, list[Actor]]:
    """Return the request and caller that a door would admit for a token issued by the app."""
    grants = sampler.app.product.grants
    admitted = grants.admit(fork, request, token) if grants is not None else None
    if admitted is None:
        raise Unreadable(FILE, f"{story.about}: the bearer of {request.method} {request.path} is not valid")
    return admitted[0], [admitted[1]]


def _filled(text: str, kept: Mapping[str, str]) -> str:
    for name, value in kept.items():
        text = text.replace(f"<{name}>", value)
    return text


def _at(value: Any, place: str) -> Any:
    """Return the value at a place in a reply: `comments.0.id`."""
    for part in place.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value
