"""Clean HTML from a document: a few elements, everything escaped, no styles and nothing that runs."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from diorama.kit.richtext.tidying import tidy
from diorama.kit.richtext.tree import (
    Block,
    CodeBlock,
    Document,
    Emoji,
    Heading,
    Image,
    Inline,
    LineBreak,
    Link,
    List,
    Mark,
    Mention,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
)

ELEMENTS: dict[Mark, str] = {"bold": "strong", "italic": "em", "strike": "s", "underline": "u", "code": "code"}


def write_html(document: Document) -> str:
    """Return a document as HTML."""
    return "".join(_blocks(tidy(document).blocks))


def _blocks(blocks: tuple[Block, ...]) -> Iterator[str]:
    for one in blocks:
        yield from _block(one)


def _block(one: Block) -> Iterator[str]:
    if isinstance(one, Paragraph):
        yield f"<p>{_line(one.content)}</p>"
    elif isinstance(one, Heading):
        yield f"<h{one.level}>{_line(one.content)}</h{one.level}>"
    elif isinstance(one, Quote):
        yield "<blockquote>"
        yield from _blocks(one.blocks)
        yield "</blockquote>"
    elif isinstance(one, List):
        yield from _list(one)
    elif isinstance(one, CodeBlock):
        language = f' class="language-{escape(one.language)}"' if one.language else ""
        yield f"<pre>\n<code{language}>{escape(one.text, quote=False)}</code></pre>"
    elif isinstance(one, Rule):
        yield "<hr>"
    elif isinstance(one, Table):
        yield from _table(one)
    else:
        yield f"<p>{_image(one)}</p>"


def _list(one: List) -> Iterator[str]:
    name = "ol" if one.ordered else "ul"
    yield f'<{name} start="{one.start}">' if one.start != 1 else f"<{name}>"
    for item in one.items:
        yield "<li>"
        first = item.blocks[0]
        if isinstance(first, Paragraph) and all(isinstance(other, List) for other in item.blocks[1:]):
            yield _line(first.content)
            yield from _blocks(item.blocks[1:])
        else:
            yield from _blocks(item.blocks)
        yield "</li>"
    yield f"</{name}>"


def _table(one: Table) -> Iterator[str]:
    yield "<table>"
    for place, row in enumerate(one.rows):
        name = "th" if one.header and not place else "td"
        yield "<tr>"
        yield from (f"<{name}>{_line(cell)}</{name}>" for cell in row)
        yield "</tr>"
    yield "</table>"


def _line(inlines: tuple[Inline, ...]) -> str:
    return "".join(map(_inline, inlines))


def _inline(one: Inline) -> str:
    if isinstance(one, Text):
        text = _escaped(one.text)
        for mark in reversed(one.marks):
            text = f"<{ELEMENTS[mark]}>{text}</{ELEMENTS[mark]}>"
        return text
    if isinstance(one, Link):
        return f'<a href="{escape(one.href)}"{_titled(one.title)} rel="noreferrer">{_line(one.content)}</a>'
    if isinstance(one, Mention):
        about = f'data-mention="{escape(one.kind)}" data-id="{_escaped(one.id, quote=True)}"'
        return f"<span {about}>@{_escaped(one.label)}</span>"
    if isinstance(one, Emoji):
        return f'<span data-emoji="{escape(one.name)}">:{escape(one.name, quote=False)}:</span>'
    if isinstance(one, LineBreak):
        return "<br>"
    return _image(one)


def _image(one: Image) -> str:
    return f'<img src="{escape(one.src)}" alt="{_escaped(one.alt, quote=True)}"{_titled(one.title)}>'


def _titled(title: str) -> str:
    return f' title="{_escaped(title, quote=True)}"' if title else ""


def _escaped(text: str, *, quote: bool = False) -> str:
    return escape(text, quote=quote).replace("\xa0", "&nbsp;")
