"""Stories: requests that make sense one after the other only, told by an app so that its replies are seen in full."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from diorama.kernel import Request
from diorama.rollout.contract.report import Sample
from diorama.rollout.contract.sample import Sampler, value_of
from diorama.rollout.contract.source import FILE, Unreadable


class Ask(Struct, frozen=True, forbid_unknown_fields=True):
    """One request; `<name>` in it stands for what an earlier reply was asked to `keep` (name -> place in the reply)."""

    ask: str
    body: str = ""
    type: str = "application/json"
    keep: dict[str, str] = {}


class Story(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody does, step by step."""

    about: str
    asks: list[Ask]


def stories_of(app: str) -> list[Story]:
    """The `[[stories]]` of the app's own contract file."""
    file = files(f"diorama.apps.{app}") / FILE
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
        method, _, address = _filled(step.ask, kept).partition(" ")
        path, _, query = address.partition("?")
        body = _filled(step.body, kept).encode()
        request = Request(method, path, query, {"content-type": step.type} if body else {}, body)
        target = sampler.requests.by_key.get((method, sampler.requests.template(request)))
        if target is None:
            raise Unreadable(FILE, f"{story.about}: no operation answers {method} {path}")
        reply = sampler.ask(fork, target, request)
        if reply is None:
            message = f"the story {story.about!r} ends here"
            refused = fork.send(sampler.app.name, request, sampler.actors[0])
            sampler.findings.add(
                target, refused, Sample(method, path, query, step.body), "gateway", "", message, "story"
            )
            return
        kept.update({name: str(_at(value_of(reply), place)) for name, place in step.keep.items()})


def _filled(text: str, kept: Mapping[str, str]) -> str:
    for name, value in kept.items():
        text = text.replace(f"<{name}>", value)
    return text


def _at(value: Any, place: str) -> Any:
    """What stands at a place of a reply: `comments.0.id`."""
    for part in place.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value
