"""The frame of every page: heads, links, dates, and replies in HTML. Class names are those of the Copenhagen theme.

https://github.com/zendesk/copenhagen_theme
"""

from __future__ import annotations

import re
from datetime import datetime
from html import escape
from typing import Any
from urllib.parse import quote

from diorama.apps.zendesk.rules.account import account_of, local
from diorama.apps.zendesk.schema import User
from diorama.kernel import Refusal, Reply, Tx

HTML = "text/html; charset=utf-8"
_GAPS = re.compile(r"[^\w]+")
_STYLE = """
*{box-sizing:border-box}body{margin:0;color:#2f3941;font:400 15px/1.5 -apple-system,BlinkMacSystemFont,"Segoe UI",
Helvetica,Arial,sans-serif}a{color:#1f73b7;text-decoration:none}a:hover{text-decoration:underline}ul,ol{padding:0;
list-style:none}.container{max-width:1160px;margin:0 auto;padding:0 20px}.header{max-width:1160px;height:71px;margin:0
auto;padding:0 20px;display:flex;align-items:center;justify-content:space-between}.logo{font-weight:600;
font-size:18px}
.user-nav a,.user-nav span{margin-left:24px}.hero{background:#17494d;height:300px;display:flex;align-items:center;
justify-content:center}.hero .search input{width:610px}.search input{max-width:100%;padding:8px 16px;border:1px solid
#d8dcde;border-radius:30px;font:inherit}.blocks-list{display:flex;flex-wrap:wrap;margin:24px -10px}
.blocks-item{flex:1 0
340px;margin:0 10px 20px;padding:20px;border:1px solid #17494d;border-radius:4px;text-align:center}
.sub-nav{display:flex;
justify-content:space-between;align-items:center;min-height:50px;margin:16px 0}.breadcrumbs li{display:inline}
.breadcrumbs li+li:before{content:">";margin:0 8px;color:#68737d}.section-tree{display:flex;flex-wrap:wrap}
.section-tree
.section{flex:0 0 45%;margin-right:5%}.article-list-item{padding:12px 0;border-bottom:1px solid #ddd}
.article-container{
display:flex;gap:48px}.article-sidebar{flex:0 0 240px}.article{flex:1;max-width:700px}.meta-data{color:#68737d;
font-size:
13px;margin-right:12px}.article-votes,.article-more-questions{padding:24px 0;text-align:center;
border-top:1px solid #ddd}
.button,input[type=submit]{padding:8px 20px;border:1px solid #17494d;border-radius:4px;background:#fff;color:#17494d;
font:inherit;cursor:pointer}.form-field{margin:0 0 20px;max-width:650px}.form-field label{display:block;
font-size:13px}
.form-field input[type=text],.form-field input[type=email],.form-field input[type=password],.form-field select,
.form-field textarea{width:100%;padding:9px;border:1px solid #d8dcde;border-radius:4px;font:inherit}
.notification-error{color:#cc3340}
.notification{padding:12px;border-radius:4px;background:#edf8f4;margin:16px 0}table{width:100%;
border-collapse:collapse}
th,td{text-align:left;padding:10px 8px;border-bottom:1px solid #e9ebed;vertical-align:top}.comment{padding:20px 0;
border-bottom:1px solid #e9ebed}.comment.is-private{background:#fff8ed;padding:20px}.status-label{padding:2px 8px;
border-radius:4px;background:#e9ebed;font-size:12px}.footer{margin-top:60px;padding:24px 0;border-top:1px solid #ddd}
.error-page{max-width:490px;margin:60px auto;padding:0 20px}
"""


def text(value: object) -> str:
    """Return a text as HTML."""
    return escape(str(value))


def link(address: str, words: object, kind: str = "") -> str:
    """Return a link."""
    named = f' class="{kind}"' if kind else ""
    return f'<a href="{escape(address)}"{named}>{text(words)}</a>'


def slug(number: int, title: str) -> str:
    """Return the last part of a page's address: the id and the words of the title."""
    return f"{number}-{_GAPS.sub('-', title).strip('-')}"


def moment(tx: Tx, at: datetime) -> str:
    """Return a time in the account's time zone."""
    machine = f"{at:%Y-%m-%dT%H:%M:%SZ}"
    return (
        f'<time datetime="{machine}" title="{local(tx, at):%Y-%m-%d %H:%M}" data-datetime="relative">'
        f"{local(tx, at):%B %d, %Y %H:%M}</time>"
    )


def number_in(part: str) -> int:
    """Return the id that begins the last part of an address; 0 if there is none."""
    digits = part.partition("-")[0]
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else 0


def document(title: str, body: str, language: str = "en-US", head: str = "") -> bytes:
    """Return a whole page."""
    return (
        f'<!DOCTYPE html>\n<html dir="ltr" lang="{escape(language)}">\n<head>\n  <meta charset="utf-8" />\n'
        f"  <title>{text(title)}</title>\n  {head}"
        '<meta content="width=device-width, initial-scale=1.0" name="viewport" />\n'
        f"  <style>{_STYLE}</style>\n</head>\n{body}\n</html>\n"
    ).encode()


def shown(content: bytes, guide: bool = True, status: int = 200) -> Reply:
    """Return a page of the Help Center, or of another part of the product."""
    headers = {"content-type": HTML, **({"zendesk-service": "help-center"} if guide else {})}
    return Reply(status, headers, content)


def moved(address: str, status: int = 302) -> Reply:
    """Return a redirect to a path of the same host."""
    body = f'<html><body>You are being <a href="{escape(address)}">redirected</a>.</body></html>'
    return Reply(status, {"content-type": HTML, "location": address}, body.encode())


def to_sign_in(address: str) -> Reply:
    """Return the redirect of a visitor who has to sign in first."""
    return moved(f"/access/unauthenticated?return_to={quote(address, safe='')}")


def refused_page(status: int, code: str, content: bytes) -> Refusal:
    """Return a refusal whose reply is a page."""
    return Refusal(status, code, content.decode(), fields={"media": HTML}, headers={"zendesk-service": "help-center"})


def guide_page(tx: Tx, me: User | None, locale: str, title: str, main: str, *, canonical: str = "") -> bytes:
    """Return a page of the Help Center with its header and footer."""
    name, home = account_of(tx).name, f"/hc/{locale}"
    if me is None:
        user = link(f"/hc/{locale}/signin?return_to={quote(canonical or home, safe='')}", "Sign in", "sign-in")
    else:
        agent = link("/agent", "Agent workspace", "agent-link") if me.staff else link(f"{home}/requests", "Requests")
        user = f'{agent}<span class="user-name">{text(me.name)}</span>'
    body = (
        f'<body class="">\n<a class="skip-navigation" tabindex="1" href="#main-content" hidden>Skip '
        f"to main content</a>\n"
        f'<header class="header"><div class="logo"><a href="{home}" title="Home">{text(name)}</a></div>'
        f'<nav class="user-nav" id="user-nav" aria-label="User navigation">'
        f"{link(f'{home}/requests/new', 'Submit a request', 'submit-a-request')}{user}</nav></header>\n"
        f'<main role="main">\n{main}\n</main>\n'
        f'<footer class="footer"><div class="footer-inner container">{link(home, name)} '
        '<span class="powered-by-zendesk">Powered by Zendesk</span></div></footer>\n</body>'
    )
    head = f'<link rel="canonical" href="{escape(canonical)}">\n  ' if canonical else ""
    return document(f"{title} – {name}" if title else name, body, locale, head)


def search_form(locale: str, query: str = "") -> str:
    """Return the search field of the Help Center."""
    return (
        f'<form role="search" class="search" data-search="" action="/hc/{locale}/search" accept-charset="UTF-8" '
        'method="get"><input type="hidden" name="utf8" value="&#x2713;" autocomplete="off" /><input type="search" '
        f'name="query" id="query" placeholder="Search" autocomplete="off" aria-label="Search" '
        f'value="{escape(query)}" />'
        "</form>"
    )


def breadcrumbs(tx: Tx, locale: str, *steps: tuple[str, str]) -> str:
    """Return the way from the home page to this one, as titles and addresses."""
    all_steps = [(account_of(tx).name, f"/hc/{locale}"), *steps]
    items = "".join(f'<li title="{escape(title)}">{link(where, title)}</li>' for title, where in all_steps)
    return (
        f'<nav class="sub-nav"><ol class="breadcrumbs">{items}</ol><div '
        f'class="search-container">{search_form(locale)}'
        "</div></nav>"
    )


def missing_page(locale: str = "en-us", name: str = "") -> bytes:
    """Return the page for an address that does not exist."""
    main = (
        f'<body class="">\n<main role="main"><div class="container-divider"></div>\n<div id="main-content" '
        'class="error-page">\n  <h1>oops</h1>\n  <h2>The page you were looking for doesn&#39;t exist</h2>\n'
        "  <p>You may have mistyped the address or the page may have moved</p>\n"
        f'  <a href="/hc/{escape(locale)}">Take me back to the home page</a>\n</div></main>\n</body>'
    )
    return document(name or "oops", main, locale)


def page_missing(tx: Tx, locale: str = "") -> Refusal:
    """Return the 404 of a page."""
    account = account_of(tx)
    return refused_page(404, "NotFound", missing_page(locale or account.help_center_locales[0], account.name))


def table(titles: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """Return a table; the cells are HTML."""
    head = "".join(f"<th>{text(title)}</th>" for title in titles)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
