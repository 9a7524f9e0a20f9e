"""The laws of readers and writers: equal trees after a round trip, no error for any input, nothing that runs."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kit.richtext import (
    DEPTH_AT_MOST,
    Document,
    Image,
    Link,
    List,
    ListItem,
    Quote,
    Text,
    read_html,
    read_markdown,
    read_plain,
    tidy,
    write_html,
    write_markdown,
    write_plain,
)
from diorama.kit.sanitizing import sanitized
from tests.kit.richtext.documents import SIGNS, documents

Reader = Callable[[str], Document]
Writer = Callable[[Document], str]
READERS: list[Reader] = [read_plain, read_html, read_markdown]
PAIRS: list[tuple[Reader, Writer]] = [(read_html, write_html), (read_markdown, write_markdown)]
HTML = [
    "<p>", "</p>", "<div>", "</div>", "<ul>", "</ul>", "<ol start=3>", "</ol>", "<li>", "</li>", "<blockquote>",
    "</blockquote>", "<table>", "<table role=none>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<th>", "<pre>",
    "</pre>", "<code class=language-x>", "</code>", "<h1>", "</h1>", "<b>", "</b>", "<a href='javascript:x'>",
    "<a href='https://a.example' onclick=x>", "</a>", "<img src=data:x alt=y>", "<img src=cid:z onerror=x>", "<hr>",
    "<br>", "<span data-mention=user data-id=1>", "<span data-emoji=a>", "</span>", "<svg>", "</svg>", "<script>",
    "</script>", "<!--", "-->", "<", "text", " ", "\n", "&nbsp;", "&#106;", ":a:",
]  # fmt: skip


def nodes(one: Any) -> Iterator[Any]:
    """Yield every struct of a tree."""
    if isinstance(one, msgspec.Struct):
        yield one
        for name in one.__struct_fields__:
            yield from nodes(getattr(one, name))
    elif isinstance(one, tuple):
        for inner in one:
            yield from nodes(inner)


def depth(one: Any) -> int:
    """Return how deep lists and quotes are nested."""
    if isinstance(one, Document | List | ListItem | Quote):
        inner = one.items if isinstance(one, List) else one.blocks
        return max(map(depth, inner), default=0) + isinstance(one, List | Quote)
    return 0


@settings(max_examples=150, deadline=None)
@given(documents)
def test_a_tidy_tree_stays_as_it_is(document: Document) -> None:
    once = tidy(document)
    assert tidy(once) == once


@pytest.mark.parametrize(("read", "write"), PAIRS, ids=["html", "markdown"])
@settings(max_examples=250, deadline=None)
@given(document=documents)
def test_a_written_document_is_read_as_the_same(read: Reader, write: Writer, document: Document) -> None:
    written = write(document)
    assert read(written) == tidy(document), written
    assert write(read(written)) == written


@pytest.mark.parametrize("read", READERS, ids=["plain", "html", "markdown"])
@settings(max_examples=150, deadline=None)
@given(text=st.one_of(*(st.lists(st.sampled_from(signs), max_size=24).map("".join) for signs in (SIGNS, HTML))))
def test_any_text_is_read_as_a_tidy_tree(read: Reader, text: str) -> None:
    document = read(text)
    assert tidy(document) == document
    assert read_html(write_html(document)) == document
    assert read_markdown(write_markdown(document)) == document
    assert isinstance(write_plain(document), str)


@settings(max_examples=150, deadline=None)
@given(documents)
def test_written_html_holds_nothing_that_runs(document: Document) -> None:
    html = write_html(document)
    assert not re.search(r"<[^<>]*\son\w+\s*=[^<>]*>", re.sub(r'"[^"]*"', '""', html))
    assert sanitized(html, page=True).count("<a") == html.count("<a")
    for one in nodes(read_html(html)):
        if isinstance(one, Link | Image):
            assert not re.match(r"(?i)\s*(?:javascript|data|vbscript):", one.href if isinstance(one, Link) else one.src)


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", " JaVa\tScript:x", "data:text/html,x", "vbscript:x", "\1javascript:x"]
)
def test_addresses_that_run_code_are_dropped(address: str) -> None:
    assert read_html(f'<a href="{address}">x</a>') == read_plain("x")
    assert read_markdown(f"[x](<{address}>)") == read_plain("x")
    assert tidy(Document(read_plain("x").blocks)) == read_plain("x")
    assert not any(isinstance(one, Link) for one in nodes(read_markdown(f"<{address.strip()}>")))


@pytest.mark.parametrize("read", READERS, ids=["plain", "html", "markdown"])
@pytest.mark.parametrize(
    "text", ["<blockquote>" * 5000 + "a", "> " * 5000 + "a", "- " * 5000 + "a", "<ul><li>" * 5000 + "a"]
)
def test_depth_is_bounded_and_no_word_is_lost(read: Reader, text: str) -> None:
    document = read(text)
    assert depth(document) <= DEPTH_AT_MOST
    assert "a" in write_plain(document)
    assert any(isinstance(one, Text) for one in nodes(document))
