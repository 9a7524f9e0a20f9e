"""Plain text, HTML and Markdown of everyday texts, compared with other readers, and hostile texts in linear time."""

import time
from collections.abc import Callable

import pytest

from diorama.kit.richtext import (
    CodeBlock,
    Document,
    Emoji,
    Heading,
    Image,
    LineBreak,
    Link,
    List,
    ListItem,
    Mention,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
    read_html,
    read_markdown,
    read_plain,
    write_html,
    write_markdown,
    write_plain,
)
from diorama.kit.text import plain_text


def said(text: str) -> Paragraph:
    return Paragraph((Text(text),))


LETTER = Document(
    (
        Heading(2, (Text("Your order"),)),
        Paragraph(
            (
                Text("Hello "),
                Mention("user", "U1", "Ann"),
                Text(","),
                LineBreak(),
                Text("see "),
                Link("https://a.example/b", (Text("the page", ("bold",)),)),
                Text(" "),
                Emoji("wave"),
            )
        ),
        List(
            (
                ListItem((said("one"), List((ListItem((said("inner"),)),), ordered=True, start=3))),
                ListItem((said("two"),)),
            )
        ),
        Quote((said("When?"), Quote((said("Who?"),)))),
        CodeBlock("x = 1\n\n  y", "python"),
        Rule(),
        Table((((Text("a"),), (Text("b"),)), ((Text("1 | 2"),), ())), header=True),
        Image("cid:logo", "Logo"),
    )
)


def test_plain_text_looks_as_in_a_mail_program() -> None:
    assert write_plain(LETTER) == (
        "Your order\n\nHello @Ann,\nsee the page <https://a.example/b> :wave:\n\n* one\n  3. inner\n* two\n\n"
        "> When?\n>\n> > Who?\n\nx = 1\n\n  y\n\n---\n\na | b\n1 | 2 |\n\n[image: Logo]"
    )


def test_markdown_looks_as_people_write_it() -> None:
    assert write_markdown(LETTER) == (
        "## Your order\n\nHello [@Ann](mention:user/U1),\\\nsee [**the page**](https://a.example/b) :wave:\n\n"
        "- one\n  3. inner\n- two\n\n> When?\n>\n> > Who?\n\n```python\nx = 1\n\n  y\n```\n\n___\n\n"
        "| a | b |\n| --- | --- |\n| 1 \\| 2 |  |\n\n![Logo](cid:logo)"
    ).replace("- one\n  3. inner", "- one\n\n  3. inner")


@pytest.mark.parametrize("document", [LETTER, Document()], ids=["letter", "empty"])
def test_a_letter_survives_html_and_markdown(document: Document) -> None:
    assert read_html(write_html(document)) == document
    assert read_markdown(write_markdown(document)) == document


@pytest.mark.parametrize(
    ("html", "plain"),
    [
        ("<div>Hi,<div><br></div><div>one</div><div>two</div></div>", "Hi,\n\none\ntwo"),
        ("<p>Hi</p><p>&nbsp;</p><p>there<br></p>", "Hi\n\nthere"),
        ("<div>a</div><div>&nbsp;</div><div>b</div>", "a\n\nb"),
        ("<table role=presentation><tr><td><p>a</p><p>b</p></td><td>c</td></tr></table>", "a\n\nb\n\nc"),
        ("<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>", "a | b"),
        ("<ul><li>a</li><ul><li>b</li></ul></ul>", "* a\n  * b"),
        ("<li>a<li>b", "* a\n* b"),
        ("<blockquote>a<br>b<blockquote>c</blockquote></blockquote>d", "> a\n> b\n>\n> > c\n\nd"),
        ("a<script>x</script><style>y</style><!-- z --><svg><text>w</text></svg>b", "ab"),
        ("<a href=https://a.example>https://a.example/</a> <a href='mailto:a@b.example'>a@b.example</a>", None),
        ("<b>bold </b>and<i> italic</i>", "bold and italic"),
        ("1 < 2 & 3", "1 < 2 & 3"),
        ("<h1>T</h1>text<hr>more<pre>\n x\n</pre>", "T\n\ntext\n\n---\n\nmore\n\n x"),
        ("<span data-mention=user data-id=1>hidden</span><span data-emoji=x>words</span>", "@hiddenwords"),
        ("<img src=data:x alt=Logo><img src='https://a.example/p.gif'>", "Logo"),
    ],
)
def test_html_of_mails_is_read(html: str, plain: str | None) -> None:
    assert write_plain(read_html(html)) == (plain if plain is not None else plain_text(html))


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("**a**b *c* __d__ _e_", "<p><strong>a</strong>b <em>c</em> <strong>d</strong> <em>e</em></p>"),
        ("snake_case_name 2*3*4", "<p>snake_case_name 2<em>3</em>4</p>"),
        ("~~f~~ `g`", "<p><s>f</s> <code>g</code></p>"),
        ("***a***", "<p><strong><em>a</em></strong></p>"),
        ("*a **b** c*", "<p><em>a</em> <strong><em>b</em></strong> <em>c</em></p>"),
        ("a\nb  \nc\\\nd", "<p>a b<br>c<br>d</p>"),
        ("Title\n===\nSub\n---", "<h1>Title</h1><h2>Sub</h2>"),
        ("1. a\n2. b\n\n3) c", '<ol><li>a</li><li>b</li></ol><ol start="3"><li>c</li></ol>'),
        ("- a\n\n  b\n- c", "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>"),
        ("    code\n\n~~~\nx\n~~~", "<pre>\n<code>code</code></pre><pre>\n<code>x</code></pre>"),
        ("> a\nb\n\nc", "<blockquote><p>a b</p></blockquote><p>c</p>"),
        ("a | b\n--|--\n`x|y` | z", "<table><tr><th>a</th><th>b</th></tr><tr><td>`x</td><td>y`</td></tr></table>"),
        (
            "[a](b 'c') [d]\n\n[d]: https://e.example",
            '<p><a href="b" title="c">a</a> <a href="https://e.example">d</a></p>',
        ),
        ("(https://b.example/c).", '<p>(<a href="https://b.example/c">https://b.example/c</a>).</p>'),
        ("[a](javascript:x) ![b](data:x) <script>c</script>", "<p>a b &lt;script&gt;c&lt;/script&gt;</p>"),
        ("\\*a\\* &amp; &copy; 12:30:45", "<p>*a* &amp; © 12:30:45</p>"),
        ("[a [b](c) d](e)", '<p>[a <a href="c">b</a> d](e)</p>'),
        ("`` a`b ``", "<p><code>a`b</code></p>"),
        ("- a\n- b\n\n\n* c", "<ul><li>a</li><li>b</li></ul><ul><li>c</li></ul>"),
    ],
)
def test_markdown_is_read_as_commonmark_says(markdown: str, html: str) -> None:
    assert write_html(read_markdown(markdown)).replace(' rel="noreferrer"', "") == html


def test_lines_are_kept_where_a_vendor_keeps_them() -> None:
    assert write_html(read_markdown("a\nb", breaks=True)) == "<p>a<br>b</p>"


def test_plain_text_has_paragraphs_quotes_and_links() -> None:
    found = read_plain("Hi,\nsee https://a.example/b.\n\n> a\n>> b\n")
    link = '<a href="https://a.example/b" rel="noreferrer">https://a.example/b</a>'
    quote = "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>"
    assert write_html(found) == f"<p>Hi,<br>see {link}.</p>{quote}"
    assert write_plain(found) == "Hi,\nsee https://a.example/b.\n\n> a\n>\n> > b"


HOSTILE = [
    "*",
    "_",
    "**a",
    "*a **b ",
    "[",
    "![",
    "]",
    "[](",
    "[a](",
    "[*a](x) ",
    '](a "',
    "`",
    "` ``",
    "<",
    "<a:",
    "&#",
    "> ",
    "- ",
    "|",
    "|a|b|\n|-|-|\n",
    "\\",
    "(((",
    "[a]: b\n",
    "```\n",
    "- a\n\n",
    "\t",
    "https://x(",
    "<b>",
    "</b>",
    "<table>",
    "<td>",
    "<ul><li>",
    "<blockquote>",
    "<a href=x>",
    "<span data-mention=u data-id=1>",
    "<!--",
    "<pre>",
]


@pytest.mark.soak
@pytest.mark.parametrize("read", [read_plain, read_html, read_markdown])
def test_hostile_texts_take_linear_time(read: Callable[[str], Document]) -> None:
    def seconds(text: str) -> float:
        started = time.process_time()
        document = read(text)
        write_markdown(document), write_html(document), write_plain(document)
        return time.process_time() - started

    for unit in HOSTILE:
        small, large = (seconds(unit * (size // len(unit))) for size in (2_000, 16_000))
        assert large < 24 * small + 0.2, unit  # 64 times as long if it were quadratic
