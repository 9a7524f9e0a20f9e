"""Speaking Liquid: a tree becomes words again, with what a lookup knows, within bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from diorama.apps.zendesk.rules.liquid.filters import FILTERS, number_of, text_of
from diorama.apps.zendesk.rules.liquid.reading import (
    Assign,
    Capture,
    Case,
    Choose,
    Filtered,
    For,
    Jump,
    Say,
    Span,
    Test,
    Value,
    Words,
)

STEPS = 10_000
"""So many pieces may be spoken, loops and all, before a text is cut off; a long value counts for several."""
LONGEST = 200_000
"""So many characters a text may grow to."""
ITEMS = 1000
"""So many turns a loop takes at most."""

Lookup = Callable[[str], Any]
"""The value of a whole dotted name, None where nobody knows it."""


class _Spent(Exception):
    """A text has said, or done, all that it may."""


class _Leave(Exception):
    """A loop is left."""


class _Next(Exception):
    """A loop goes on with its next turn."""


class _Speaker:
    """Speaks a tree with what a lookup knows."""

    def __init__(self, lookup: Lookup, escape: Callable[[str], str]) -> None:
        self.lookup = lookup
        self.escape = escape
        self.names: dict[str, Any] = {}
        self.known: dict[str, Any] = {}
        self.out: list[str] = []
        self.steps = 0
        self.length = 0

    def speak(self, tree: tuple[Any, ...]) -> None:
        """Say a part of the text."""
        for node in tree:
            self.steps += 1
            if self.steps > STEPS:
                raise _Spent
            if isinstance(node, Words):
                self.say(node.text)
            elif isinstance(node, Say):
                self.say(self.escape(text_of(self.worth(node.what))))
            elif isinstance(node, Choose):
                self.speak(next((body for test, body in node.branches if test is None or self.holds(test)), ()))
            elif isinstance(node, Case):
                self.case(node)
            elif isinstance(node, For):
                self.loop(node)
            elif isinstance(node, Assign):
                self.names[node.name] = self.worth(node.what)
            elif isinstance(node, Capture):
                self.capture(node)
            else:
                _jump(node)

    def say(self, text: str) -> None:
        """Add words."""
        self.length += len(text)
        if self.length > LONGEST:
            raise _Spent
        self.out.append(text)

    def capture(self, node: Capture) -> None:
        """Listen to a part instead of saying it."""
        outer, self.out = self.out, []
        try:
            self.speak(node.body)
            self.names[node.name] = "".join(self.out)
        finally:
            self.out = outer

    def case(self, node: Case) -> None:
        """Say the branches that list the value; the last one without a list where none did."""
        value, said = self.value(node.value), False
        for listed, body in node.branches:
            if listed is None:
                if not said:
                    self.speak(body)
            elif any(_same(value, self.value(one)) for one in listed):
                said = True
                self.speak(body)

    def loop(self, node: For) -> None:
        """Say the body for every item."""
        found = self.value(node.over)
        items = list(found) if isinstance(found, list | tuple) else [found] if found not in (None, "", False) else []
        start = int(number_of(self.value(node.offset))) if node.offset is not None else 0
        items = items[max(0, start) :]
        if node.limit is not None:
            items = items[: max(0, int(number_of(self.value(node.limit))))]
        items = items[:ITEMS]
        if node.backwards:
            items.reverse()
        if not items:
            self.speak(node.empty)
            return
        outer = {name: self.names.get(name) for name in (node.name, "forloop")}
        for place, item in enumerate(items):
            self.names[node.name] = item
            self.names["forloop"] = {
                "index": place + 1, "index0": place, "first": place == 0, "last": place == len(items) - 1,
                "length": len(items), "rindex": len(items) - place, "rindex0": len(items) - place - 1,
            }  # fmt: skip
            try:
                self.speak(node.body)
            except _Next:
                continue
            except _Leave:
                break
        self.names.update(outer)

    def worth(self, what: Filtered) -> Any:
        """A value after its filters; an unknown filter leaves it alone."""
        value = self.value(what.value)
        for name, args in what.filters:
            make = FILTERS.get(name)
            if make is not None:
                given = [self.value(arg) for arg in args]
                if name == "date" and value in ("now", "today"):
                    value = self.lookup("now")
                try:
                    value = make(value, *given)
                except (TypeError, ValueError, ArithmeticError, LookupError):
                    value = f"Liquid error: invalid arguments for {name}"
            if isinstance(value, str | list):
                self.steps += len(value) >> (8 if isinstance(value, str) else 5)
            if self.steps > STEPS or (isinstance(value, str) and len(value) > LONGEST):
                raise _Spent
        return value

    def value(self, what: Value | Span) -> Any:
        """What a literal, a name or a span is worth."""
        if isinstance(what, Span):
            first, last = int(number_of(self.value(what.first))), int(number_of(self.value(what.last)))
            return list(range(first, min(last, first + ITEMS - 1) + 1))
        if not what.path:
            return what.literal
        path = [self.value(step) if isinstance(step, Value) else step for step in what.path]
        if path[0] in self.names:
            return _walk(self.names[path[0]], path[1:])
        for known in range(len(path), 0, -1):  # the longest name that somebody knows
            name = ".".join(str(step) for step in path[:known])
            if name not in self.known:
                self.known[name] = self.lookup(name)
            found = self.known[name]
            if found is not None:
                return _walk(found, path[known:])
        return None

    def holds(self, test: Test) -> bool:
        """Whether a test holds."""
        sign = test.sign
        if sign == "not":
            return not self.holds(test.left)
        if sign in ("and", "or"):
            left = self.holds(test.left)
            return (left and self.holds(test.right)) if sign == "and" else (left or self.holds(test.right))
        left = self.value(test.left)
        if not sign:
            return left is not None and left is not False
        return _compared(left, sign, self.value(test.right))


def _jump(node: Jump) -> NoReturn:
    raise _Leave if node.where == "break" else _Next


def _walk(value: Any, steps: list[Any]) -> Any:
    for step in steps:
        if isinstance(value, Mapping):
            value = value.get(step)
        elif step == "size" and isinstance(value, str | list | tuple):
            value = len(value)
        elif isinstance(value, list | tuple):
            place = {"first": 0, "last": -1}.get(step, step)
            value = value[place] if isinstance(place, int) and -len(value) <= place < len(value) else None
        else:
            return None
    return value


def _same(left: Any, right: Any) -> bool:
    if left is None and right == "":
        return True  # nothing is empty, and blank
    if isinstance(left, list | tuple) and right == "":
        return not left
    return type(left) is type(right) and bool(left == right) if isinstance(left, bool) else bool(left == right)


def _compared(left: Any, sign: str, right: Any) -> bool:
    if sign == "contains":
        if isinstance(left, list | tuple):
            return right in left
        return isinstance(left, str) and right is not None and text_of(right) in left
    if sign in ("==", "!=", "<>"):
        return (_same(left, right) or _same(right, left)) == (sign == "==")
    plain = (int, float)
    if not (isinstance(left, plain) and isinstance(right, plain)) and not (
        isinstance(left, str) and isinstance(right, str)
    ):
        return False
    order: bool = {"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right}[sign]  # type: ignore[operator]  # two numbers or two texts, see above
    return order


def speak(tree: tuple[Any, ...], lookup: Lookup, escape: Callable[[str], str] = str) -> str:
    """A text as it is said; one that never ends is cut off, in the words of the vendor's engine."""
    speaker = _Speaker(lookup, escape)
    try:
        speaker.speak(tree)
    except _Spent:
        speaker.out.append("Liquid error: Memory limits exceeded")
    except (_Leave, _Next):
        pass  # outside a loop there is nothing to leave but the text
    return "".join(speaker.out)
