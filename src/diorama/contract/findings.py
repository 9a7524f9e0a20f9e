"""Findings from real replies: each success is checked against the vendor's schema and our own declaration."""

import re

import msgspec
from msgspec import Struct

from diorama.contract.document import Schema
from diorama.contract.field_coverage import Seen
from diorama.contract.report import Against, Invalid, Sample, Unsampled
from diorama.contract.shape import shape
from diorama.contract.spec import Content, Operation
from diorama.contract.validator import Validator
from diorama.kernel import Reply


class Target(Struct, frozen=True):
    """One operation that we serve, and the vendor's declaration of it, if any."""

    ours: Operation
    theirs: Operation | None

    @property
    def title(self) -> str:
        """Its name in reports."""
        return (self.theirs or self.ours).title


class Findings:
    """The results of the samples so far."""

    def __init__(self) -> None:
        self.invalid: dict[tuple[str, ...], Invalid] = {}
        self.successes: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self.seen: Seen = {}
        self._judges: dict[int, Validator] = {}

    def add(
        self, target: Target, reply: Reply, sample: Sample, against: Against, pointer: str, message: str, rule: str
    ) -> None:
        """Record a problem; the same one in another sample or list item only increases its count."""
        place = re.sub(r"/\d+(?=/|$)", "/*", pointer)
        key = (target.title, str(reply.status), against, place, rule, message if rule == "required" else "")
        known = self.invalid.get(key)
        times = known.times + 1 if known else 1
        first = known or Invalid(target.title, reply.status, pointer, message, against, times, sample)
        self.invalid[key] = msgspec.structs.replace(first, times=times)

    def refuse(self, target: Target, status: int, why: str) -> None:
        """Record why there was no success: a refusal by a rule is more useful than an unknown id."""
        known = self.refused.get(target.title, "404")
        if known.startswith("404"):
            self.refused[target.title] = f"{status} {why}"

    def unsampled(self, targets: list[Target]) -> list[Unsampled]:
        """Return the operations without any success, each with its most useful refusal."""
        silent = [target for target in targets if target.title not in self.successes]
        return [Unsampled(target.title, self.refused.get(target.title, "nothing to ask it with")) for target in silent]

    def check_reply(self, target: Target, reply: Reply, sample: Sample) -> bool:
        """Check a success against the vendor's schema and ours; return False if the spec calls it an error."""
        theirs, ours = target.theirs, target.ours
        if theirs is not None:
            documented = theirs.reply(reply.status)
            if documented is None and theirs.successes():
                if str(reply.status) not in ours.replies:  # otherwise it is already reported as a mismatch
                    message = f"status {reply.status} is not documented ({', '.join(theirs.successes())})"
                    self.add(target, reply, sample, "spec", "", message, "status")
                documented = theirs.replies[theirs.successes()[0]]
            problems = self.problems(documented, reply)
            if problems and self.is_refusal(theirs, reply):
                return False
            for pointer, message, rule in problems:
                self.add(target, reply, sample, "spec", pointer, message, rule)
        if ours.replies and str(reply.status) not in ours.replies:
            message = f"status {reply.status} is not declared ({', '.join(ours.successes())})"
            self.add(target, reply, sample, "declared", "", message, "status")
        for pointer, message, rule in self.problems(ours.reply(reply.status), reply):
            self.add(target, reply, sample, "declared", pointer, message, rule)
        return True

    def problems(self, content: Content | None, reply: Reply) -> list[tuple[str, str, str]]:
        """Return how a reply breaks a documented content."""
        if content is None or content.schema is None or "json" not in content.media.replace("*/*", "json"):
            return []
        if not reply.body:
            return [] if reply.status in {204, 205} else [("", "the reply has no body", "body")]
        try:
            value = reply.json()
        except msgspec.DecodeError as error:
            return [("", f"the reply is not JSON: {error}", "json")]
        return [
            (problem.pointer, problem.message, problem.rule)
            for problem in self.validator(content.schema).problems(value)
        ]

    def is_refusal(self, operation: Operation, reply: Reply) -> bool:
        """Check whether a 200 is what the spec documents as its error (`default`), as in Slack."""
        error = operation.replies.get("default")
        if error is None or error.schema is None or not operation.successes() or not shape(error.schema).required:
            return False
        return not self.problems(error, reply)

    def validator(self, schema: Schema) -> Validator:
        """Return the validator of a schema, cached by id; the specs outlive the sampler, so ids are stable."""
        key = id(schema)
        if key not in self._judges:
            self._judges[key] = Validator(schema)
        return self._judges[key]
