"""Plain text from HTML and back: what a browser shows, in linear time, for any input."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.kit.text import MarkupReader, html_of, plain_text, strip_tags


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<p>Hello</p><p>World</p>", "Hello\n\nWorld"),
        ("<p>Hello</p>\n  <p>big\n  World</p>\n", "Hello\n\nbig World"),
        ("one<br>two<br/>three<BR />four", "one\ntwo\nthree\nfour"),
        ("one<br><br>three", "one\n\nthree"),
        ("<div>one</div><div>two</div>", "one\ntwo"),
        ("<div>one</div><div><br></div><div>three</div>", "one\n\nthree"),
        ("<h1>Title</h1>text<hr>more", "Title\n\ntext\n\nmore"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("a <b>bold</b> <i>word</i>, <u>x</u>y", "a bold word, xy"),
        ('See <a href="https://example.com/?a=1&amp;b=2">our page</a>.', "See our page."),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
        ("<pre>\nx = 1\n  y\n</pre>done", "x = 1\n  y\n\ndone"),
    ],
)
def test_lines_and_paragraphs_match_a_browser(html: str, wanted: str) -> None:
    assert plain_text(html) == wanted


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<ul><li>a</li><li>b</li></ul>", "* a\n* b"),
        ("before<ol><li>a<li>b</ol>after", "before\n\n1. a\n2. b\n\nafter"),
        ("<ul><li><p>a</p></li><li>b<ol><li>x</li><li>y</li></ol></li></ul>", "* a\n* b\n  1. x\n  2. y"),
        ("<li>alone</li>", "* alone"),
        ("<ul><li></li></ul>text", "text"),
    ],
)
def test_list_items_have_markers(html: str, wanted: str) -> None:
    assert plain_text(html) == wanted


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("caf&eacute; &amp; &lt;b&gt; &quot;x&quot; &#39;y&#x27;", "café & <b> \"x\" 'y'"),
        ("<p>a&nbsp;&nbsp;b</p>", "a  b"),
        ("&amp;lt;", "&lt;"),
        ("&bogus; AT&T &amp", "&bogus; AT&T &"),
        ("&#0;&#xD800;&#" + "9" * 5000 + ";", "\ufffd\ufffd\ufffd"),
        ('<a title="&#' + "9" * 5000 + ';">x</a>', "x"),
        ("a\0b\ud800c", "a\ufffdb\ufffdc"),
    ],
)
def test_character_references_are_resolved(html: str, wanted: str) -> None:
    assert plain_text(html) == wanted


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("a<script>alert('<b>x</b>')</script>b", "ab"),
        ("a<STYLE type='text/css'>p { color: red }</style >b", "ab"),
        ("<head><title>Mail</title></head><body>text</body>", "text"),
        ("a<script>x</scripty>y</script z>b", "ab"),
        ("a<script>never closed <p>b</p>", "a"),
        ("a<!-- x > y -->b<!-->c<!--->d", "abcd"),
        ("a<!-- never closed <p>b</p>", "a"),
        ("a<![CDATA[x > y]]>b", "ab"),
        ("<!DOCTYPE html><?xml version='1.0'?>a<![if !mso]>b<![endif]><![foo[x]]>c", "abc"),
    ],
)
def test_hidden_elements_are_dropped(html: str, wanted: str) -> None:
    assert plain_text(html) == wanted


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("a < b and c > d", "a < b and c > d"),
        ("1<2 <3", "1<2 <3"),
        ("<p>a</b></p></p>b", "a\n\nb"),
        ("<b><i>a</b></i>", "a"),
        ("a<b", "a"),
        ("a</b", "a"),
        ("a</>b</ >c", "abc"),
        ("<a title='x>y'>a</a><a title=\"<!-- y\">b</a>", "ab"),
        ("<p<p>a", "a"),
        ("<", "<"),
        ("", ""),
    ],
)
def test_malformed_html_is_parsed_as_far_as_possible(html: str, wanted: str) -> None:
    assert plain_text(html) == wanted


def test_a_text_without_tags_keeps_its_lines() -> None:
    assert plain_text("Hi &amp; welcome,\r\n\r\n  a < b\nbye\n") == "Hi & welcome,\n\n  a < b\nbye"


def test_stripping_tags_keeps_everything_else() -> None:
    assert strip_tags("<p>caf&eacute; &amp;\n <b>x</b></p><script>y</script><!-- z -->") == "caf&eacute; &amp;\n x"
    assert strip_tags("a < b") == "a < b"


def test_plain_text_becomes_paragraphs() -> None:
    assert html_of("a & <b>\nc\n\n\n\nd") == "<p>a &amp; &lt;b&gt;<br>c</p><p>d</p>"
    assert html_of('"x"', '<p dir="auto">', "<br>\n") == '<p dir="auto">"x"</p>'
    assert html_of("") == ""


@given(st.text(st.characters(exclude_categories=["C", "Z"])))
def test_html_of_a_plain_text_converts_back(words: str) -> None:
    assert plain_text(html_of(f"{words}.\n{words}.\n\n{words}.")) == f"{words}.\n{words}.\n\n{words}.".strip()


MARKUP = st.sampled_from(
    ["<", ">", "<p>", "</p>", "<!--", "-->", "<![CDATA[", "]]>", "<![x[", "<!x", "<?", "</", "<a ", "='", '"', "'", "&",
     "&#", "&#x", ";", "<script>", "</script", "<li>", "<ul>", "</ul>", "<pre>", "</pre>", "<br>", "\n", " ", "x"]
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(MARKUP, max_size=20).map("".join))
def test_no_html_raises_an_error(html: str) -> None:
    assert isinstance(plain_text(html), str)
    assert isinstance(strip_tags(html), str)
    MarkupReader().read(html)


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    ("unit", "end"),
    [("<", ""), ("<!--", ""), ("<![CDATA[", ""), ("<?", ""), ("</a", ""), ("<a ", ""), ("<a ", "'>"), ("<a x='", ">"),
     ("<script>", ""), ("<script></script ", ""), ("&#", ""), (" ", "<b>"),
     ("<p title='x'>hello <b>world</b></p>", "")],
)  # fmt: skip
def test_a_megabyte_takes_linear_time(unit: str, end: str) -> None:
    small, large = (unit * (size // len(unit)) + end for size in (MEGABYTE // 10, MEGABYTE))
    assert seconds(large) < 40 * seconds(small) + 0.5  # 100 times as long if it were quadratic


def seconds(html: str) -> float:
    """Return the processor time that a conversion takes."""
    started = time.process_time()
    plain_text(html)
    return time.process_time() - started
