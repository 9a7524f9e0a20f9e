"""Run python-liquid so that no template can hang, raise, or read a clock other than the world's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from io import StringIO
from typing import Any, TextIO

from liquid import BoundTemplate, Environment, Node, RenderContext, Token
from liquid.builtin.expressions.logical import (
    ContainsExpression,
    EqExpression,
    GtExpression,
    LtExpression,
    NeExpression,
)
from liquid.builtin.expressions.loop import LoopExpression
from liquid.builtin.expressions.primitive import Blank, Empty, RangeLiteral
from liquid.builtin.output import Output, OutputNode
from liquid.builtin.tags.case_tag import MultiExpressionBlockNode
from liquid.builtin.tags.for_tag import ForNode, ForTag
from liquid.exceptions import LiquidError, LiquidInterrupt, LiquidSyntaxError, LiquidTypeError, ResourceLimitError
from liquid.expression import Expression
from liquid.filter import num_arg
from liquid.token import TOKEN_CONTENT, TOKEN_EXPRESSION, TOKEN_ILLEGAL, TOKEN_OUTPUT, TOKEN_TAG
from liquid.undefined import UNDEFINED, is_undefined
from liquid.utils import ReadOnlyChainMap

from diorama.apps.zendesk.rules.liquid import LONGEST, TOO_MUCH, Lookup, text_of
from diorama.apps.zendesk.rules.liquid.filters import FILTERS, TEXT_FILTERS

STEPS = 40_000
"""Work that one text may cause, in microseconds or less: reading its tags, the parts of loop bodies, filters, the items
of lists, and the characters that filters read."""
TAG_STEPS = 20
CHARACTER_STEPS = 3
"""What reading a tag costs, and each character in it."""
FILTER_STEPS = 7
"""What a filter costs, besides the values that it reads and returns."""
LONGEST_TEMPLATE = 65_536
LONGEST_NAME = 6
"""Parts of a dotted name that a lookup is asked for."""
OPERATORS = 20
"""`and`, `or` and brackets in one tag. The library works on them, and on nested tags, by recursion."""
LARGEST = 1 << 256
"""Numbers grow no further."""
CACHED = 500
"""Templates with more braces than this are parsed each time, so that the cache stays small."""

_TAGS = frozenset(
    {"assign", "break", "capture", "case", "comment", "continue", "decrement", "for", "if", "increment", "unless",
     TOKEN_CONTENT, TOKEN_ILLEGAL, TOKEN_OUTPUT}
)  # fmt: skip
_OPENING = re.compile(r"\{[{%]")
_NAMED = re.compile(r"(\w+)\s*(.*)", re.DOTALL)
_RAW_END = re.compile(r"\{%-?\s*endraw\s*-?%\}")
_COMMENT = re.compile(r"\{%-?\s*(comment|endcomment)\s*-?%\}")
_NESTING = re.compile(r"""'[^']*'|"[^"]*"|([(\[]|\b(?:and|or)\b)""")
_KEYWORD = re.compile(
    r"""'[^']*'|"[^"]*"|\.(and|as|blank|cols|contains|continue|else|empty|false|for|if|in|limit|nil|not|null|offset"""
    r"""|or|required|reversed|true|with)(?![\w-])"""
)


# --- reading


def _tokens(source: str) -> Iterator[Token]:
    """Split a template into words and tags. The library's own pattern takes quadratic time for long blanks."""
    place, trim = 0, False
    while place < len(source):
        found = _OPENING.search(source, place)
        start = found.start() if found else len(source)
        end = source.find("}}" if source.startswith("{{", start) else "%}", start) if found else start
        if end < 0:
            raise LiquidSyntaxError("a tag is not closed", token=None)
        words, inside = source[place:start], source[start + 2 : end]
        words = words.lstrip() if trim else words
        words = words.rstrip() if inside.startswith("-") else words
        if words:
            yield Token(TOKEN_CONTENT, words, place, source)
        trim, place = inside.endswith("-"), end + 2
        inside = inside.removeprefix("-").removesuffix("-").strip()
        if sum(map(bool, _NESTING.findall(inside))) > OPERATORS:
            raise LiquidSyntaxError("too many operators in a tag", token=None)
        if source.startswith("{{", start):
            yield Token(TOKEN_OUTPUT, inside, start, source)
            yield Token(TOKEN_EXPRESSION, _KEYWORD.sub(_quoted, inside), start, source)
        elif inside == "raw":
            closing = _RAW_END.search(source, place)
            if closing is None:
                raise LiquidSyntaxError("endraw is missing", token=None)
            yield Token(TOKEN_CONTENT, source[place : closing.start()], place, source)
            place = closing.end()
            trim = source.startswith("-", place - 3)
        elif inside == "comment":
            place = _end_of_comment(source, place)
            trim = source.startswith("-", place - 3)
        elif found:
            yield from _tag(inside, start, source)


def _tag(inside: str, start: int, source: str) -> Iterator[Token]:
    named = _NAMED.match(inside)
    if named is None:
        raise LiquidSyntaxError("a tag has no name", token=None)
    yield Token(TOKEN_TAG, named[1], start, source)
    if named[2]:
        yield Token(TOKEN_EXPRESSION, _KEYWORD.sub(_quoted, named[2]), start, source)


def _quoted(found: re.Match[str]) -> str:
    """Quote a property that is named like a keyword (`fields.limit`), which the library refuses otherwise."""
    return f"['{found[1]}']" if found[1] else found[0]


def _end_of_comment(source: str, place: int) -> int:
    depth = 1
    for found in _COMMENT.finditer(source, place):
        depth += 1 if found[1] == "comment" else -1
        if not depth:
            return found.end()
    raise LiquidSyntaxError("endcomment is missing", token=None)


class _Environment(Environment):
    """The tags and filters that the vendor documents."""

    block_nesting_limit = 12
    suppress_blank_control_flow_blocks = False  # a capture of a line break is a line break

    def tokenizer(self) -> Callable[[str], Iterator[Token]]:
        return _tokens

    def setup_tags_and_filters(self, *, extra: bool = False) -> None:
        super().setup_tags_and_filters(extra=extra)
        self.tags = {name: tag for name, tag in self.tags.items() if name in _TAGS}
        self.add_tag(_OutputTag)
        self.add_tag(_ForTag)
        del self.filters["safe"], self.filters["escapejs"]  # not in the vendor's Liquid
        self.filters |= {**FILTERS, "h": self.filters["escape"]}


class _OutputNode(OutputNode):
    """A value that is printed."""

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        assert isinstance(context, _Context)
        value = self.expression.evaluate(context)
        context.check_length(_length(value))
        return buffer.write(context.escape(text_of(value)))


class _OutputTag(Output):
    node_class = _OutputNode


class _ForNode(ForNode):
    """A loop, which knows how much work one turn is at most."""

    weight = 1

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        assert isinstance(context, _Context)
        context.weight = self.weight
        return super().render_to_output(context, buffer)


class _ForTag(ForTag):
    node_class = _ForNode


class _When(MultiExpressionBlockNode):
    """A branch of `case`: printed once, however often the value is listed."""

    __slots__ = ()

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        return self.block.render(context, buffer) if any(self.expression.evaluate(context)) else -1


class _Range(RangeLiteral):
    """A range, whose items count as work before anything makes a list of them."""

    __slots__ = ()

    def evaluate(self, context: RenderContext) -> range:
        assert isinstance(context, _Context)
        try:
            found = super().evaluate(context)
            context.spend(len(found))
        except OverflowError as error:
            raise ResourceLimitError("endless range", token=self.token) from error
        return found


class _Loop(LoopExpression):
    """What a loop goes over."""

    __slots__ = ()

    def evaluate(self, context: RenderContext) -> tuple[Iterator[Any], int]:
        assert isinstance(context, _Context)
        found = self.iterable.evaluate(context)
        context.spend(_work(found))
        if isinstance(found, Mapping):
            found = list(found.items())
        elif isinstance(found, str) and found:
            found = [found]
        items: list[Any] = list(found) if isinstance(found, list | tuple | range) else []
        items = items[max(0, _whole(self.offset, context, 0)) :]
        items = items[: max(0, _whole(self.limit, context, len(items)))]
        return iter(items[::-1] if self.reversed else items), len(items)


def _whole(number: Expression | None, context: RenderContext, default: int) -> int:
    """Return the value of a limit or an offset."""
    value = None if number is None else number.evaluate(context)
    if value is None or is_undefined(value):
        return default
    try:
        return int(num_arg(value))
    except (LiquidError, ValueError, OverflowError) as error:
        raise LiquidTypeError("invalid integer", token=None) from error


class _Equal(EqExpression):
    """Equality, in which nothing is `blank` and `empty`."""

    __slots__ = ()

    def evaluate(self, context: RenderContext) -> object:
        for side, other in ((self.left, self.right), (self.right, self.left)):
            if isinstance(other, Blank | Empty):
                value = side.evaluate(context)
                return value is None or is_undefined(value) or other == value
        return super().evaluate(context)


class _Unequal(NeExpression):
    """The opposite."""

    __slots__ = ()

    def evaluate(self, context: RenderContext) -> object:
        return not _Equal(self.token, self.left, self.right).evaluate(context)


class _Lenient(Expression):
    """A comparison that is false for values that cannot be compared."""

    __slots__ = ()

    def evaluate(self, context: RenderContext) -> object:
        try:
            return super().evaluate(context)  # type: ignore[safe-super]  # the next class has a body
        except LiquidTypeError:
            return False


class _Less(_Lenient, LtExpression):
    __slots__ = ()


class _Greater(_Lenient, GtExpression):
    __slots__ = ()


class _Contains(ContainsExpression):
    """Whether a text, a list or the keys of an object include a value; false for anything else."""

    __slots__ = ()

    def evaluate(self, context: RenderContext) -> bool:
        assert isinstance(context, _Context)
        whole, part = self.left.evaluate(context), self.right.evaluate(context)
        context.spend(_work(whole))
        if part is None or is_undefined(part):
            return False
        if isinstance(whole, str):
            return text_of(part) in whole
        return part in (list(whole) if isinstance(whole, dict) else whole if isinstance(whole, list | range) else ())


_OURS: dict[type, type] = {
    ContainsExpression: _Contains,
    EqExpression: _Equal,
    GtExpression: _Greater,
    LoopExpression: _Loop,
    LtExpression: _Less,
    MultiExpressionBlockNode: _When,
    NeExpression: _Unequal,
    RangeLiteral: _Range,
}


def _adapt(part: Node | Expression, context: RenderContext) -> int:
    """Give parsed parts our own behaviour, and return how many there are. The library has no hook for it."""
    if type(part) in _OURS:
        part.__class__ = _OURS[type(part)]
    weight = 1
    if isinstance(part, Node):
        weight += sum(_adapt(one, context) for one in part.expressions())
        weight += sum(_adapt(one, context) for one in part.children(context, include_partials=False))
    else:
        weight += sum(_adapt(one, context) for one in part.children())
    if isinstance(part, _ForNode):
        part.weight = weight
    return weight


ENVIRONMENT = _Environment(strict_filters=False)


def _parse(text: str) -> BoundTemplate | None:
    try:
        template = ENVIRONMENT.from_string(text)
    except LiquidError:
        return None
    context = RenderContext(template)
    for node in template.nodes:
        _adapt(node, context)
    return template


_parse_once = lru_cache(maxsize=256)(_parse)


def parse(text: str) -> BoundTemplate | None:
    """Return a template, or None if it is not valid Liquid."""
    if len(text) > LONGEST_TEMPLATE:
        return None
    return _parse_once(text) if text.count("{") <= CACHED else _parse(text)


def reading_steps(text: str) -> int:
    """Return what it costs to read a template, whether or not it is known already; counts no further than STEPS."""
    steps, place = 0, 0
    while steps <= STEPS and (found := _OPENING.search(text, place)):
        start = found.end()
        end = text.find("}}" if found[0] == "{{" else "%}", start)
        if end < 0:
            break  # not valid, and found out at once
        place = end + 2
        steps += TAG_STEPS + CHARACTER_STEPS * (place - start)
    return steps


# --- rendering


class _Buffer(StringIO):
    """An output, or what is captured: all of them together have one limit."""

    def __init__(self, context: _Context) -> None:
        super().__init__()
        self.context = context

    def write(self, text: str, /) -> int:
        context = self.context
        context.length += len(text)
        if context.length > LONGEST:
            raise ResourceLimitError("too long", token=None)
        return super().write(text)


class _Context(RenderContext):
    """The names of a template: its own first, then those that a lookup knows."""

    def __init__(self, template: BoundTemplate, lookup: Lookup, escape: Callable[[str], str]) -> None:
        super().__init__(template)
        self.scope = ReadOnlyChainMap(self.locals, self.counters)  # without the library's `now` and `today`
        self.lookup = lookup
        self.escape = escape
        self.known: dict[str, Any] = {}
        self.steps = 0
        self.length = 0
        self.weight = 1

    def spend(self, steps: int) -> None:
        """Count work, and stop when it is too much."""
        self.steps += steps
        if self.steps > STEPS:
            raise ResourceLimitError("too much work", token=None)

    def check_length(self, length: int) -> None:
        """Stop when a text would be too long."""
        if length > LONGEST:
            raise ResourceLimitError("too long", token=None)

    def raise_for_loop_limit(self, length: int = 1) -> None:
        """Count the work of a loop that is about to run."""
        self.spend(length * self.weight)

    def get_buffer(self, buf: TextIO | None = None) -> StringIO:
        return _Buffer(self)

    def get(self, path: list[Any], *, token: Token | None, default: object = UNDEFINED) -> object:
        """Resolve a path: a name of the template, or the longest dotted name that the lookup knows."""
        if not isinstance(path[0], str):
            return self.env.undefined("", token=token)
        if path[0] in self.scope:
            return super().get(path, token=token, default=default)
        self.spend(len(path))  # every beginning of the path may be a name
        found, steps = self._known(path)
        try:
            for step in steps:
                found = self.get_item(found, step)
        except (KeyError, TypeError, IndexError):
            found = None
        return self.env.undefined(str(path[0]), token=token) if found is None else found

    def _known(self, path: list[Any]) -> tuple[Any, list[Any]]:
        """Return the value of the longest name that the lookup knows, and the rest of the path."""
        for end in range(min(len(path), LONGEST_NAME), 0, -1):
            name = ".".join(map(str, path[:end]))
            if name not in self.known:
                self.known[name] = self.lookup(name)
            if self.known[name] is not None:
                return self.known[name], path[end:]
        return None, []

    def filter(self, name: str, token: Token | None) -> Callable[..., object]:
        """Return a filter that counts its work and prints an error instead of raising one."""
        function = super().filter(name, token)

        def guarded(left: Any, *args: Any, **options: Any) -> object:
            values = [left, *(self.env.undefined("nil", token=token) if arg is None else arg for arg in args)]
            self.spend(FILTER_STEPS + sum(_work(value) for value in values))
            for value in values:
                self.check_length(_length(value))
            if name in TEXT_FILTERS:
                values = [
                    value if place and type(value) in (int, float) else text_of(value)
                    for place, value in enumerate(values)
                ]
            try:
                if options.keys() - {"allow_false"}:
                    raise TypeError("unknown option")
                result = function(*values, **options)
            except ResourceLimitError:
                raise
            except (LiquidError, TypeError, ValueError, ArithmeticError, LookupError) as error:
                zero = isinstance(error.__cause__, ZeroDivisionError)
                return f"Liquid error: {'divided by 0' if zero else f'invalid arguments for {name}'}"
            self.spend(_work(result))
            self.check_length(_length(result))
            if isinstance(result, int) and abs(result) > LARGEST:
                raise ResourceLimitError("too large", token=token)
            return result

        return guarded


def _work(value: Any) -> int:
    """Return the steps that reading a value takes: its items at every level, and its characters."""
    if isinstance(value, str):
        return len(value) >> 6
    if isinstance(value, list | tuple):
        return sum(1 + _work(item) for item in value)
    if isinstance(value, dict):
        return sum(2 + _work(item) for item in value.values())
    return len(value) >> 1 if isinstance(value, range) else 0


def _length(value: Any) -> int:
    """Return the characters of a text, or of all texts in a list or an object."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_length, value.values()))
    return sum(map(_length, value)) if isinstance(value, list | tuple) else 0


def render(text: str, lookup: Lookup, escape: Callable[[str], str], spend: Callable[[int], None]) -> str | None:
    """Render a text, or return None if it is not valid Liquid. A text that does too much is cut off.

    `spend` is told the steps that were taken.
    """
    steps = reading_steps(text)
    spend(min(steps, STEPS))
    if steps > STEPS:
        return TOO_MUCH
    template = parse(text)
    if template is None:
        return None
    context = _Context(template, lookup, escape)
    context.steps = steps
    out = _Buffer(context)
    for node in template.nodes:
        try:
            node.render(context, out)
        except LiquidInterrupt:  # `break` outside a loop
            break
        except ResourceLimitError:
            StringIO.write(out, TOO_MUCH)
            break
        except LiquidError:
            StringIO.write(out, "Liquid error: invalid integer")  # a limit or offset; filters report their own errors
    spend(min(context.steps, STEPS) - steps)
    return out.getvalue()
