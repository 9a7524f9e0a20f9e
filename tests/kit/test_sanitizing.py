"""HTML that users send: only allowed elements and attributes stay, in linear time, and all of it is shown."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.kit.sanitizing import linked, sanitized
from diorama.kit.text import plain_text


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ('<style>p::after{content:"x"}</style><p>Hi</p>', "<p>Hi</p>"),
        ("<p>Hi</p><!-- x --><script>x</script><template>x</template>", "<p>Hi</p>"),
        ('<p class="x" id="x" style="display:none" onclick="x" dir="rtl" hidden>Hi</p>', "<p>Hi</p>"),
        ("<details hidden open><summary>a</summary>b</details>", "<details><summary>a</summary>b</details>"),
        ("<bdo dir=rtl>Hi</bdo> <font color=white>there</font>", "Hi there"),
        ("Hi<textarea>x</textarea><select><option>x</select><svg><text>x</text></svg>", "Hi"),
        ('<img src="data:image/png;base64,eA==" alt="a">', '<img alt="a">'),
        ('<img src="cid:logo" width="240" height="x">', '<img src="cid:logo" width="240">'),
        ("<a href=' java\nscript:x'>Hi</a>", "<a>Hi</a>"),
        ('<a href="/x?b&c" rel="x">Hi</a>', '<a href="/x?b&amp;c" rel="noreferrer">Hi</a>'),
        ("<small><small>Hi</small></small>", "<small>Hi</small>"),
        ("<p>a<p>b<ul><li>c<li>d</ul></div>", "<p>a</p><p>b<ul><li>c</li><li>d</li></ul></p>"),
        ("1 < 2 & <b>3", "1 &lt; 2 &amp; <b>3</b>"),
    ],
)  # fmt: skip
def test_only_what_is_allowed_stays(html: str, left: str) -> None:
    assert sanitized(html).replace(' open=""', "") == left


def test_a_page_keeps_classes_and_ids() -> None:
    assert sanitized('<p class="a" id="b" style="c">Hi</p>', page=True) == '<p class="a" id="b">Hi</p>'


def test_bare_web_addresses_become_links() -> None:
    link = '<a href="https://a.example/b" rel="noreferrer">https://a.example/b</a>'
    assert linked("<p>See https://a.example/b.</p>") == f"<p>See {link}.</p>"
    assert linked(f"<p>{link} <code>https://c.example</code></p>") == f"<p>{link} <code>https://c.example</code></p>"


@given(st.lists(st.sampled_from(["<p>", "</p>", "<s>", "</s>", "<b x='1'", ">", "a", " ", "&lt;", "<svg>", "</svg>"])))
def test_clean_html_stays_as_it_is(pieces: list[str]) -> None:
    once = sanitized("".join(pieces))
    assert sanitized(once) == once
    assert plain_text(linked(once)) == plain_text(once)


@pytest.mark.parametrize(
    "html",
    ["<div>" * 13_000, "<" * 65_000, "".join(f"<p><b x={one}>" for one in range(5_000)), "<i>" * 99 + "</p>" * 9_000],
    ids=["nested", "stray", "misnested", "unmatched"],
)  # fmt: skip
def test_hostile_html_is_cleaned_in_bounded_time(html: str) -> None:
    began = time.thread_time()
    linked(sanitized(html))
    assert time.thread_time() - began < 2.0
