"""Pages of the Help Center: home, categories, sections, articles and search results."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from diorama.apps.zendesk.rules import help_center
from diorama.apps.zendesk.rules.account import account_of
from diorama.apps.zendesk.schema import APP, User
from diorama.apps.zendesk.schema.help_center import Article, ArticleComment, Category, Section, Translation
from diorama.apps.zendesk.web.html import (
    breadcrumbs,
    guide_page,
    link,
    moment,
    moved,
    number_in,
    page_missing,
    search_form,
    shown,
    slug,
    text,
    to_sign_in,
)
from diorama.kernel import Reply, Tx

LISTED = 6
"""How many articles of a section are shown with its category; the section has the others."""
PER_PAGE = 30
FOUND_PER_PAGE = 10
AFTER_REQUEST = "/hc/requests"
"""Where the home page wants to go after an anonymous visitor has sent a request."""
_IN_CATEGORY = "section_id IN (SELECT id FROM zendesk_guide_sections WHERE category_id = ?)"
_SENT = '<div class="notification notification-notice">Your request was successfully submitted.</div>'
Words = tuple[int, str, str]
"""Id, title and body in one language."""


def visitor(tx: Tx) -> User | None:
    """Return the signed-in user, or None."""
    return help_center.reader(tx)


def checked_locale(tx: Tx, locale: str) -> str:
    """Return a language of the Help Center; raise the 404 page for others."""
    if locale not in help_center.locales(tx):
        raise page_missing(tx)
    return locale


@APP.get("/", public=True, counted=False, tags=("pages",), status=302)
def open_root(tx: Tx) -> Reply:
    """Lead agents to their workspace and everyone else to the Help Center."""
    me = visitor(tx)
    return moved("/agent") if me is not None and me.staff else moved("/hc")


@APP.get("/hc", public=True, counted=False, tags=("pages",), status=302)
def open_help_center(tx: Tx) -> Reply:
    """Lead to the Help Center in its own language."""
    return moved(f"/hc/{account_of(tx).help_center_locales[0]}")


@APP.get("/hc/{locale}", public=True, counted=False, tags=("pages",), also=(301, 302))
def show_home_page(tx: Tx, locale: str, return_to: str = "") -> Reply:
    """Show the categories and the promoted articles; after a request, that it was sent."""
    me = visitor(tx)
    checked_locale(tx, locale)
    staff = me is not None and me.staff  # only they see what has nothing to read in it
    blocks = "".join(
        f'<li class="blocks-item"><a href="/hc/{locale}/categories/{slug(number, title)}" class="blocks-item-link">'
        f'<span class="blocks-item-title">{text(title)}</span></a><p '
        f'class="blocks-item-description">{text(about)}</p>'
        "</li>"
        for number, title, about in _shelf(tx, Category, "1 = 1", (), locale)
        if staff or _articles(tx, me, locale, _IN_CATEGORY, (number,), 1)
    )
    promoted = _articles(tx, me, locale, "promoted = 1", (), PER_PAGE)
    stars = "".join(_listed(locale, one) for one in promoted)
    more = f'<section class="articles"><h2>Promoted articles</h2><ul class="article-list">{stars}</ul></section>'
    main = (
        f"{_SENT if return_to == AFTER_REQUEST else ''}"
        f'<section class="section hero"><div class="hero-inner">{search_form(locale)}</div></section>'
        '<div class="container"><section class="section knowledge-base" id="main-content"><section class="categories '
        f'blocks"><ul class="blocks-list">{blocks}</ul></section>{more if promoted else ""}</section></div>'
    )
    return shown(guide_page(tx, me, locale, "", main, canonical=f"/hc/{locale}"))


@APP.get("/hc/{locale}/categories/{part}", public=True, counted=False, tags=("pages",), also=(301, 302))
def show_category_page(tx: Tx, locale: str, part: str) -> Reply:
    """Show the sections of a category with their first articles."""
    me = visitor(tx)
    words = _words(tx, "category", number_in(part), checked_locale(tx, locale))
    address = f"/hc/{locale}/categories/{slug(words.source_id, words.title)}"
    if not address.endswith(f"/{part}"):
        return moved(address, 301)
    trees = []
    for number, title, _ in _shelf(tx, Section, "category_id = ?", (words.source_id,), locale):
        where = f"/hc/{locale}/sections/{slug(number, title)}"
        found = _articles(tx, me, locale, "section_id = ?", (number,), LISTED + 1)
        if not found and (me is None or not me.staff):
            continue
        items = "".join(_listed(locale, one) for one in found[:LISTED])
        rest = link(where, "See all articles", "see-all-articles") if len(found) > LISTED else ""
        trees.append(
            f'<section class="section"><h2 class="section-tree-title">{link(where, title)}</h2>'
            f'<ul class="article-list">{items}</ul>{rest}</section>'
        )
    main = (
        f'<div class="container">{breadcrumbs(tx, locale, (words.title, address))}<div class="category-content">'
        f'<header class="page-header"><h1>{text(words.title)}</h1><p '
        f'class="page-header-description">{text(words.body)}'
        f'</p></header><div id="main-content" class="section-tree">{"".join(trees)}</div></div></div>'
    )
    return shown(guide_page(tx, me, locale, words.title, main, canonical=address))


@APP.get("/hc/{locale}/sections/{part}", public=True, counted=False, tags=("pages",), also=(301, 302))
def show_section_page(tx: Tx, locale: str, part: str, page: str = "1") -> Reply:
    """Show the articles of a section."""
    me = visitor(tx)
    words = _words(tx, "section", number_in(part), checked_locale(tx, locale))
    address = f"/hc/{locale}/sections/{slug(words.source_id, words.title)}"
    if not address.endswith(f"/{part}"):
        return moved(address, 301)
    number = page_number(page)
    found = _articles(
        tx, me, locale, "section_id = ?", (words.source_id,), PER_PAGE + 1, (number - 1) * PER_PAGE
    )  # one more than is shown
    items = "".join(_listed(locale, one) for one in found[:PER_PAGE])
    next_page = link(f"{address}?page={number + 1}#articles", "Next", "pagination-next-link")
    main = (
        f"<div "
        f'class="container">{breadcrumbs(tx, locale, *_above(tx, words.source_id, locale), (words.title, address))}'
        f'<section id="main-content" class="section-content"><header class="page-header"><h1>{text(words.title)}</h1>'
        f'<p class="page-header-description">{text(words.body)}</p></header><ul class="article-list">{items}</ul>'
        f"{next_page if len(found) > PER_PAGE else ''}</section></div>"
    )
    return shown(guide_page(tx, me, locale, words.title, main, canonical=address))


@APP.get("/hc/{locale}/articles/{part}", public=True, counted=False, tags=("pages",), also=(301, 302))
def show_article_page(tx: Tx, locale: str, part: str) -> Reply:
    """Show an article with its author, date, votes and comments; strangers sign in for what they may not read."""
    me, number = visitor(tx), number_in(part)
    where, args = help_center.readable(tx, me, checked_locale(tx, locale))
    article = tx.first(Article, f"id = ? AND {where}", number, *args)
    if article is None:
        hidden = me is None and tx.first(Article, "id = ? AND archived = 0 AND user_segment_id IS NOT NULL", number)
        if hidden:
            return to_sign_in(f"/hc/{locale}/articles/{number}")
        raise page_missing(tx, locale)
    words = _words(tx, "article", number, locale)
    address = f"/hc/{locale}/articles/{slug(number, words.title)}"
    if not address.endswith(f"/{part}"):
        return moved(address, 301)
    section = _words(tx, "section", article.section_id, locale)
    up = f"/hc/{locale}/sections/{slug(section.source_id, section.title)}"
    siblings = _articles(tx, me, locale, "section_id = ?", (article.section_id,), 10)
    others = "".join(
        f"<li>{link(f'/hc/{locale}/articles/{slug(one[0], one[1])}', one[1], 'sidenav-item')}</li>" for one in siblings
    )
    author = tx.find(User, article.author_id)
    helpful = (article.vote_count + article.vote_sum) // 2
    main = (
        '<div class="container">'
        f"{breadcrumbs(tx, locale, *_above(tx, article.section_id, locale), (section.title, up))}"
        '<div class="article-container" id="article-container"><aside class="article-sidebar"><h3 '
        f'class="collapsible-sidebar-title sidenav-title">Articles in this section</h3><ul>{others}</ul>'
        f'{link(up, "See more", "article-sidebar-item")}</aside><article id="main-content" class="article">'
        f'<header class="article-header"><h1 title="{escape(words.title)}" '
        f'class="article-title">{text(words.title)}</h1>'
        f'<div class="article-author"><span class="avatar-name">{text(author.name if author else "")}</span>'
        f'<div class="meta-group"><span class="meta-data">{moment(tx, article.edited_at)}</span>'
        f'<span class="meta-data">{"Updated" if article.edited_at != article.created_at else ""}</span></div></div>'
        f'</header><section class="article-info"><div class="article-content"><div class="article-body">{words.body}'
        '</div></div></section><footer><div class="article-votes"><span '
        'class="article-votes-question">Was this article '
        f'helpful?</span><div><small class="article-votes-count"><span class="article-vote-label">{helpful} out of '
        f"{article.vote_count} found this helpful</span></small></div></div><div "
        f'class="article-more-questions">Have more '
        f"questions? {link(f'/hc/{locale}/requests/new', 'Submit a request')}</div></footer>"
        f"{_comments(tx, article)}</article></div></div>"
    )
    return shown(guide_page(tx, me, locale, words.title, main, canonical=address))


@APP.get("/hc/{locale}/search", public=True, counted=False, tags=("pages",), also=(301, 302))
def show_search_page(tx: Tx, locale: str, query: str = "", page: str = "1") -> Reply:
    """Show the articles that match a search."""
    me, number = visitor(tx), page_number(page)
    checked_locale(tx, locale)
    found = help_center.search(tx, query, me, locale, "", []) if query.strip() else []
    first = (number - 1) * FOUND_PER_PAGE
    items = []
    for article, words in found[first : first + FOUND_PER_PAGE]:
        author = tx.find(User, article.author_id)
        where = f"/hc/{locale}/articles/{slug(article.id, words.title)}"
        items.append(
            f'<li class="search-result-list-item"><h2 class="search-result-title">{link(where, words.title)}</h2>'
            f'<p class="search-results-description">{text(_plain(words.body)[:200])}</p><ul class="meta-group">'
            f'<li class="meta-data">By {text(author.name if author else "")}</li>'
            f'<li class="meta-data">{moment(tx, article.created_at)}</li></ul></li>'
        )
    told = f'{len(found)} result{"" if len(found) == 1 else "s"} for "{text(query)}"'
    if not found:
        told = f'No results for "{text(query)}"' if query.strip() else "Enter your keywords in the search field."
    after = f"/hc/{locale}/search?page={number + 1}&query={quote(query)}"
    next_page = link(after, "Next") if len(found) > first + FOUND_PER_PAGE else ""
    main = (
        f'<div class="container"><nav class="sub-nav">{search_form(locale, query)}</nav><section id="main-content" '
        f'class="search-results"><h1 class="search-results-subheading">{told}</h1><ul class="search-results-list">'
        f"{''.join(items)}</ul>{next_page}</section></div>"
    )
    return shown(guide_page(tx, me, locale, "Search results", main))


def page_number(given: str) -> int:
    """Return the number of a page; 1 for what is not a number."""
    return max(1, int(given)) if given.isascii() and given.isdigit() and len(given) < 6 else 1


def _words(tx: Tx, shelf: str, number: int, locale: str) -> Translation:
    """Return the texts of a category, section or article; raise the 404 page if there are none."""
    found = tx.first(Translation, "source_type = ? AND source_id = ? AND locale = ?", shelf, number, locale)
    if found is None:
        raise page_missing(tx, locale)
    return found


def _shelf(tx: Tx, kind: type[Category | Section], where: str, args: tuple[int, ...], locale: str) -> list[Words]:
    """Return categories or sections in their order."""
    shelf = "category" if kind is Category else "section"
    rows = tx.rows(
        f"SELECT s.id, t.title, t.body FROM zendesk_guide_{'categories' if kind is Category else 'sections'} s "
        "JOIN zendesk_guide_translations t ON t.source_type = ? AND t.source_id = s.id AND t.locale = ? "
        f"WHERE {where} ORDER BY s.position, s.id",
        shelf, locale, *args,
    )  # fmt: skip
    return [(number, title, body) for number, title, body in rows]


def _articles(
    tx: Tx, me: User | None, locale: str, where: str, args: tuple[int, ...], limit: int, skip: int = 0
) -> list[Words]:
    """Return readable articles in their order."""
    seen, more = help_center.readable(tx, me, locale)
    found = tx.all(
        Article, f"{where} AND {seen}", *args, *more, order="promoted DESC, position, id", limit=limit, offset=skip
    )
    return [(one.id, _words(tx, "article", one.id, locale).title, "") for one in found]


def _above(tx: Tx, section_id: int, locale: str) -> list[tuple[str, str]]:
    """Return the category of a section as a step of the way to it."""
    section = tx.get(Section, section_id)
    found = tx.first(
        Translation, "source_type = 'category' AND source_id = ? AND locale = ?", section.category_id, locale
    )
    return [(found.title, f"/hc/{locale}/categories/{slug(found.source_id, found.title)}")] if found else []


def _listed(locale: str, one: Words) -> str:
    where = f"/hc/{locale}/articles/{slug(one[0], one[1])}"
    return f'<li class="article-list-item">{link(where, one[1], "article-list-link")}</li>'


def _comments(tx: Tx, article: Article) -> str:
    found = tx.all(ArticleComment, "article_id = ?", article.id, order="created_at, id", limit=PER_PAGE)
    items = []
    for one in found:
        author = tx.find(User, one.author_id)
        items.append(
            f'<li class="comment" id="article_comment_{one.id}"><div class="comment-meta"><span>'
            f"{text(author.name if author else '')}</span> <span "
            f'class="meta-data">{moment(tx, one.created_at)}</span></div>'
            f'<section class="comment-body">{one.body}</section></li>'
        )
    return (
        f'<section class="article-comments" id="article-comments"><h2 class="comment-heading">Comments</h2><p '
        f'class="comment-callout">{len(found)} comment{"" if len(found) == 1 else "s"}</p><ul id="comments" '
        f'class="comment-list">{"".join(items)}</ul></section>'
    )


def _plain(body: str) -> str:
    return " ".join("".join(part.partition(">")[2] if ">" in part else part for part in body.split("<")).split())
