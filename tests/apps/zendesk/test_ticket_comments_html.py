"""HTML that is sent as a comment or an article is cleaned before it is stored."""

from tests.apps.zendesk.desk import Desk


def html_of(desk: Desk, html: str) -> tuple[str, str]:
    number = desk.asks()
    desk.updates(number, comment={"html_body": html})
    shown = desk.get(f"tickets/{number}/comments.json")["comments"][-1]
    return shown["html_body"], shown["plain_body"]


def test_a_comment_keeps_only_what_is_shown(desk: Desk) -> None:
    html = '<style>p::after { content: "x" }</style><p class="x" style="display:none" onclick="x">Hi</p><!-- x -->'
    assert html_of(desk, html) == ('<div class="zd-comment" dir="auto"><p>Hi</p></div>', "Hi")


def test_bare_web_addresses_of_a_comment_become_links(desk: Desk) -> None:
    link = '<a href="https://a.example/b" rel="noreferrer">https://a.example/b</a>'
    assert (
        html_of(desk, "<p>See https://a.example/b</p>")[0]
        == f'<div class="zd-comment" dir="auto"><p>See {link}</p></div>'
    )
    number = desk.asks()
    desk.updates(number, comment={"body": "See https://a.example/b"})
    shown = desk.get(f"tickets/{number}/comments.json")["comments"][-1]
    assert shown["html_body"] == f'<div class="zd-comment" dir="auto"><p dir="auto">See {link}</p></div>'


def test_headings_are_separated_in_the_plain_text(desk: Desk) -> None:
    assert (
        html_of(desk, "<h1>Refund</h1>It is paid.<h2>Next</h2>Nothing.")[1]
        == "Refund\n\nIt is paid.\n\nNext\n\nNothing."
    )
