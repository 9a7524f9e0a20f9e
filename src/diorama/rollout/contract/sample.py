"""Real replies: every operation asked with real ids on forks of a staged world, each success judged."""

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Struct

from diorama.kernel import Actor, Defect, Dice, Reply, Request, World
from diorama.kit import App, WrongArguments
from diorama.rollout.contract.document import Document, Schema
from diorama.rollout.contract.draft import Draft
from diorama.rollout.contract.judge import Judge
from diorama.rollout.contract.pool import Pool, fill, noun, people, unique
from diorama.rollout.contract.report import Against, Invalid, Sample, Unsampled
from diorama.rollout.contract.shape import shape
from diorama.rollout.contract.spec import Content, Operation, Parameter, normal

ADDRESSES = 3
ATTEMPTS = 40
ENOUGH = 2
PARENTS = 12
NOBODY = "contract@example.com"


class Target(Struct, frozen=True):
    """One operation that we serve, and what the vendor's spec says of it, if anything."""

    ours: Operation
    theirs: Operation | None

    @property
    def title(self) -> str:
        """Its name in reports."""
        return (self.theirs or self.ours).title


class Findings:
    """What the samples showed so far."""

    def __init__(self) -> None:
        self.invalid: dict[tuple[str, ...], Invalid] = {}
        self.successes: dict[str, int] = {}
        self.refused: dict[str, str] = {}

    def add(
        self, target: Target, reply: Reply, sample: Sample, against: Against, pointer: str, message: str, rule: str
    ) -> None:
        """Note a problem; the same one in another sample or list item only counts up."""
        place = re.sub(r"/\d+(?=/|$)", "/*", pointer)
        key = (target.title, str(reply.status), against, place, rule, message if rule == "required" else "")
        known = self.invalid.get(key)
        times = known.times + 1 if known else 1
        first = known or Invalid(target.title, reply.status, pointer, message, against, times, sample)
        self.invalid[key] = msgspec.structs.replace(first, times=times)

    def unsampled(self, targets: list[Target]) -> list[Unsampled]:
        """Operations that never answered with success, and their last refusal."""
        silent = [target for target in targets if target.title not in self.successes]
        return [Unsampled(target.title, self.refused.get(target.title, "nothing to ask it with")) for target in silent]


class Sampler:
    """Asks one app of one world everything that it serves, and keeps nothing."""

    def __init__(self, world: World, app: App, targets: list[Target], dice: Dice) -> None:
        self.world = world
        self.app = app
        self.targets = targets
        self.dice = dice
        self.by_key = {target.ours.key: target for target in targets}
        self.actors = [Actor("agent", person) for person in people(world, app)] or [Actor("agent", NOBODY)]
        self.pool: Pool = fill(world, app, dice)
        self.draft = Draft(self.pool, dice.child("draft"), world.now)
        self.findings = Findings()
        self._listed: dict[str, list[Any]] = {}
        self._judges: dict[int, Judge] = {}

    def run(self) -> Findings:
        """Reads first (they teach ids), then writes, then what the app's own tools would send."""
        reads = [target for target in self.targets if target.ours.method == "GET"]
        for target in sorted(reads, key=lambda target: target.ours.path.count("{")):
            for request in self.reads(target):
                self.read(target, request)
        for target in (target for target in self.targets if target.ours.method != "GET"):
            self.write(target)
        for target, request in self.tool_calls():
            self.round_trip(target, request)
        return self.findings

    # --- asking

    def ask(self, world: World, target: Target, request: Request) -> Reply | None:
        """Send one request as somebody who may, and judge the answer; None unless it succeeded."""
        sample = _sample(request)
        for actor in self.actors:
            try:
                reply = world.send(self.app.name, request, actor)
            except Defect as defect:
                broken = Reply(500, {}, b"")
                self.findings.add(target, broken, sample, "gateway", "", f"defect: {defect}", str(defect))
                return None
            if reply.status not in {401, 403}:
                break
        if reply.status >= 500:
            self.findings.add(
                target, reply, sample, "gateway", "", f"answered {reply.status}: {_excerpt(reply)}", "status"
            )
            return None
        if 200 <= reply.status < 300 and self.judged(target, reply, sample):
            self.findings.successes[target.title] = self.findings.successes.get(target.title, 0) + 1
            return reply
        self.findings.refused[target.title] = f"{reply.status} {_excerpt(reply)}"
        return None

    def read(self, target: Target, request: Request) -> Any:
        """Ask for something that is there, and learn from the answer; None where there is none."""
        reply = self.ask(self.world.fork(), target, request)
        value = _value(reply) if reply is not None else None
        self.pool.harvest(value, _about(target.ours.path))
        self.pool.remember(value, _about(target.ours.path))
        return value

    def write(self, target: Target) -> None:
        """Try a write at one address after the other, with ever other values, until it was accepted often enough."""
        accepted = 0
        addresses = self.addresses(target, ATTEMPTS)
        tries = ATTEMPTS if self.bodies(target, 0) else len(addresses)
        for attempt in range(tries):
            address = addresses[attempt % len(addresses)]
            bodies = self.bodies(target, attempt) or [None]
            answers = [self.round_trip(target, self.request(target, address, body=body)) for body in bodies]
            accepted += any(answers)
            if accepted >= ENOUGH:
                return

    def round_trip(self, target: Target, request: Request) -> bool:
        """Write on a fork, then read back there what was written; whether the write was accepted."""
        fork = self.world.fork()
        reply = self.ask(fork, target, request)
        if reply is None:
            return False
        made = _value(reply) if target.ours.method == "POST" else None
        path = request.path.rstrip("/") + (f"/{quote(str(number), safe='')}" if (number := _id_in(made)) else "")
        key = ("GET", target.ours.key[1] + ("/{}" if number else ""))
        if (number or target.ours.method in {"PUT", "PATCH"}) and key in self.by_key:
            self.ask(fork, self.by_key[key], Request("GET", path))
        return True

    # --- judging

    def judged(self, target: Target, reply: Reply, sample: Sample) -> bool:
        """Hold a success to the vendor's schema and to our own; False where the vendor's words make it a refusal."""
        theirs, ours = target.theirs, target.ours
        if theirs is not None:
            documented = theirs.reply(reply.status)
            if documented is None and theirs.successes():
                if str(reply.status) not in ours.replies:  # else it is known as a mismatch already
                    message = f"status {reply.status} is not documented ({', '.join(theirs.successes())})"
                    self.findings.add(target, reply, sample, "spec", "", message, "status")
                documented = theirs.replies[theirs.successes()[0]]
            problems = self.problems(documented, reply)
            if problems and self.is_refusal(theirs, reply):
                return False
            for pointer, message, rule in problems:
                self.findings.add(target, reply, sample, "spec", pointer, message, rule)
        for pointer, message, rule in self.problems(ours.reply(reply.status), reply):
            self.findings.add(target, reply, sample, "declared", pointer, message, rule)
        return True

    def problems(self, content: Content | None, reply: Reply) -> list[tuple[str, str, str]]:
        """How a reply breaks a documented content."""
        if content is None or content.schema is None or "json" not in content.media.replace("*/*", "json"):
            return []
        if not reply.body:
            return [] if reply.status in {204, 205} else [("", "the reply has no body", "body")]
        try:
            value = reply.json()
        except msgspec.DecodeError as error:
            return [("", f"the reply is not JSON: {error}", "json")]
        return [
            (problem.pointer, problem.message, problem.rule) for problem in self.judge(content.schema).problems(value)
        ]

    def is_refusal(self, operation: Operation, reply: Reply) -> bool:
        """Whether a 200 is what the spec documents as its error (`default`), as Slack answers."""
        error = operation.replies.get("default")
        if error is None or error.schema is None or not operation.successes() or not shape(error.schema).required:
            return False
        return not self.problems(error, reply)

    def judge(self, schema: Schema) -> Judge:
        """The judge of a schema, made once; the specs outlive the sampler, so ids are stable."""
        key = id(schema)
        if key not in self._judges:
            self._judges[key] = Judge(schema)
        return self._judges[key]

    # --- requests

    def reads(self, target: Target) -> Iterator[Request]:
        """A GET at several real addresses, and at the first one with each optional parameter that can be guessed."""
        addresses = self.addresses(target, ADDRESSES)
        for address in addresses:
            yield self.request(target, address)
        for parameter in self.optional(target):
            value = self.guess(parameter, target, optional=True)
            if value is not None and addresses:
                yield self.request(target, addresses[0], {parameter.name: value})

    def bodies(self, target: Target, attempt: int) -> list[Any]:
        """The vendor's examples, and bodies made up from both schemas; only the likeliest after a few attempts."""
        about = _about(target.ours.path)
        draft = self.draft.anew(attempt)
        found: list[Any] = []
        for declared in (target.theirs.body if target.theirs else None, target.ours.body):
            if declared is None:
                continue
            found += [draft.filled(example, about=about) for example in declared.examples]
            if declared.schema is not None and attempt < ENOUGH:
                found += draft.bodies(declared.schema, about)
            elif declared.schema is not None:
                made = draft.bodies(declared.schema, about)
                found += [made[0], made[-1]]
        return unique(found)

    def tool_calls(self) -> Iterator[tuple[Target, Request]]:
        """What the app's tools make of drafted arguments."""
        for tool in self.app.tools:
            schema = Schema(Document(tool.name, tool.schema), tool.schema)
            drafts = [self.draft.anew(attempt) for attempt in range(ADDRESSES)]
            for arguments in unique(arguments for draft in drafts for arguments in draft.bodies(schema, "")):
                try:
                    request = self.app.request_of(tool.call(arguments))
                except WrongArguments:
                    continue
                target = self.by_key.get((request.method, self.template(request)))
                if target is not None:
                    yield target, request

    def template(self, request: Request) -> str:
        """The normalised path of the operation that a request reaches."""
        found = self.app.router.find(request.path.removesuffix(".json"))
        entry = found[0].get(request.method) if found else None
        return normal(entry[0].path) if entry else ""

    def request(
        self, target: Target, address: str, query: Mapping[str, Any] | None = None, body: Any = None
    ) -> Request:
        """One request with everything that the operation demands."""
        asked = {p.name: self.guess(p, target) for p in self.demanded(target, "query")} | dict(query or {})
        headers = {p.name.lower(): "contract-sample" for p in self.demanded(target, "header")}
        payload = b""
        if body is not None:
            headers["content-type"] = "application/json"
            payload = msgspec.json.encode(body)
        text = urlencode({name: _text(value) for name, value in asked.items()})
        return Request(target.ours.method, address, text, headers, payload)

    def demanded(self, target: Target, where: str) -> list[Parameter]:
        """The parameters that either side requires, described by the vendor where possible."""
        declared = [*(target.theirs.parameters if target.theirs else ()), *target.ours.parameters]
        wanted = {p.name for p in declared if p.where == where and p.required}
        known = {p.name for p in target.ours.parameters if p.where == where}
        return list({p.name: p for p in reversed(declared) if p.where == where and p.name in wanted & known}.values())

    def optional(self, target: Target) -> list[Parameter]:
        """Our optional query parameters, with the vendor's description where there is one."""
        ours = [p for p in target.ours.parameters if p.where == "query" and not p.required]
        return [(target.theirs.parameter("query", p.name) if target.theirs else None) or p for p in ours]

    def guess(self, parameter: Parameter, target: Target, optional: bool = False) -> Any:
        """A value for a parameter: the vendor's example, something that exists, else something of the type."""
        about = _about(target.ours.path)
        name = parameter.name
        if name in {"query", "q", "search"} and self.pool.words:
            return self.dice.child("word", target.title).pick(self.pool.words)
        found = self.pool.named(name, about) or self.pool.last_part(name)
        if found:
            picked = self.dice.child("parameter", target.title, name).sample(found, 2 if name.endswith("ids") else 1)
            return ",".join(map(str, picked))
        if parameter.example is not None:
            return parameter.example
        kinds = shape(parameter.schema).solid or frozenset()
        tree = parameter.schema.document.follow(parameter.schema.tree)
        is_vague = not isinstance(tree, Mapping) or not ({"enum", "default", "const"} & tree.keys())
        if optional and is_vague and kinds <= {"string", "object", "array"}:
            return None
        return self.draft.value(parameter.schema, about, name)

    # --- addresses

    def addresses(self, target: Target, count: int) -> list[str]:
        """Concrete paths of an operation: each parameter a real one, children looked up under their parents."""
        known = self.pool.with_all(p.name for p in target.ours.path_parameters()) if "{" in target.ours.path else []
        rows = self.dice.child("rows", target.title).sample(known, count)
        filled = [_filled(target.ours.path, row) for row in rows]
        found = self.looked_up(target, count)
        mixed = [address for pair in zip_longest(found, filled) for address in pair if address is not None]
        return unique(mixed)[:count]

    def looked_up(self, target: Target, count: int) -> list[str]:
        """Addresses found by following the app's own lists."""
        parameters = {p.name: p for p in target.ours.path_parameters()}
        prefixes, template, before = [""], "", ""
        parts = [part for part in target.ours.path.split("/") if part]
        last = max((i for i, part in enumerate(parts) if "{" in part), default=-1)
        for i, part in enumerate(parts):
            found = re.fullmatch(r"\{([^{}:]+)[^{}]*\}", part)
            if found is None:
                prefixes = [f"{prefix}/{part}" for prefix in prefixes]
                before = part
            else:
                wide = count if i == last else PARENTS
                parameter = parameters.get(found[1].strip("+*.")) or target.ours.path_parameters()[0]
                prefixes = self.extended(target, prefixes, template, parameter, before, wide)
            template += f"/{part}"
        return prefixes[:count]

    def extended(
        self, target: Target, prefixes: list[str], template: str, parameter: Parameter, before: str, wide: int
    ) -> list[str]:
        """Each path so far with real values of its next parameter, as many as wanted in all."""
        dice = self.dice.child("address", target.title, parameter.name)
        out: list[str] = []
        for prefix in prefixes:
            if len(out) < wide:
                share = 1 if len(prefixes) >= wide else wide
                values = dice.sample(self.children(template, prefix, parameter.name, before), share)
                out += [f"{prefix}/{quote(str(value), safe='@')}" for value in values]
        if not out:
            known = self.pool.named(parameter.name, before) or self.pool.last_part(parameter.name)
            values = dice.sample(known, wide) or [self.guess(parameter, target)]
            out = [f"{prefix}/{quote(str(value), safe='@')}" for prefix in prefixes[:1] for value in values]
        return out[:wide]

    def children(self, template: str, prefix: str, name: str, before: str) -> list[Any]:
        """The ids that the list at this path shows, if the app has such a list."""
        if prefix not in self._listed:
            target = self.by_key.get(("GET", normal(template)))
            self._listed[prefix] = _items(self.read(target, self.request(target, prefix)), before) if target else []
        rows = self._listed[prefix]
        for field in (name, "id", "key", noun(name)):
            if found := [row[field] for row in rows if isinstance(row.get(field), str | int)]:
                return unique(found)
        return []


def _filled(path: str, row: Mapping[str, Any]) -> str:
    return re.sub(r"\{([^{}]+)\}", lambda found: quote(str(row[found[1]]), safe="@"), path)


def _items(value: Any, before: str) -> list[Mapping[str, Any]]:
    """The rows of a list reply: the list itself, the one named like the path, or the only one."""
    if isinstance(value, Mapping):
        lists = {name: rows for name, rows in value.items() if isinstance(rows, list)}
        value = lists.get(before) or next(iter(lists.values()), None)
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def _about(path: str) -> str:
    """The resource that a path is about: its last fixed word before the last parameter, or its last word."""
    parts = [part for part in path.removesuffix(".json").split("/") if part]
    fixed = [part for part in parts if "{" not in part]
    for i in range(len(parts) - 1, 0, -1):
        if "{" in parts[i] and "{" not in parts[i - 1]:
            return parts[i - 1] if i == len(parts) - 1 else parts[-1] if "{" not in parts[-1] else parts[i - 1]
    plural = [part for part in fixed if part.endswith("s")]
    return (plural or fixed or [""])[-1]


def _id_in(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return None
    if isinstance(value.get("id"), str | int):
        return value["id"]
    inner = [v["id"] for v in value.values() if isinstance(v, Mapping) and isinstance(v.get("id"), str | int)]
    return inner[0] if inner else None


def _value(reply: Reply) -> Any:
    try:
        return reply.json()
    except msgspec.DecodeError:
        return None


def _sample(request: Request) -> Sample:
    body = msgspec.json.decode(request.body) if request.body else None
    return Sample(request.method, request.path, request.query, body)


def _excerpt(reply: Reply) -> str:
    text = " ".join(reply.text.split())
    return text if len(text) <= 160 else text[:157] + "..."


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ",".join(map(_text, value))
    return str(value)
