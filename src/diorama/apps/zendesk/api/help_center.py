"""API operations for the Help Center: categories, sections, articles and search, with and without a locale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.incremental_exports import changed_since
from diorama.apps.zendesk.api.pagination import Page, get_many, given_fields, page_of, parts_of
from diorama.apps.zendesk.api.request_parts import Me, required
from diorama.apps.zendesk.rules import help_center
from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import APP, User
from diorama.apps.zendesk.schema.help_center import (
    Article,
    Category,
    PermissionGroup,
    Section,
    Translation,
    UserSegment,
)
from diorama.apps.zendesk.wire.help_center import (
    ArticleObject,
    ArticleRequest,
    ArticleResponse,
    ArticlesResponse,
    CategoriesResponse,
    CategoryRequest,
    CategoryResponse,
    ExportedArticlesResponse,
    FoundArticlesResponse,
    GuideLocalesResponse,
    PermissionGroupsResponse,
    SectionRequest,
    SectionResponse,
    SectionsResponse,
    SegmentResponse,
    SegmentsResponse,
    ShelfInput,
    SourceLocaleRequest,
    article_object,
    category_object,
    permission_group_object,
    section_object,
    segment_object,
)
from diorama.apps.zendesk.wire.users import user_object
from diorama.kernel import Record, Tx, to_us
from diorama.kit.sanitizing import sanitized

ROOT = "/api/v2/help_center"
ORDERS = {
    "position": "position", "title": "id", "created_at": "created_at", "updated_at": "updated_at",
    "edited_at": "edited_at",
}  # fmt: skip
F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R", bound=Record)
_SQL_LOCALE = "id IN (SELECT source_id FROM zendesk_guide_translations WHERE source_type = ? AND locale = ?)"


def everywhere(method: str, path: str, **options: Any) -> Callable[[F], F]:
    """Declare an operation at its path, and at the same path with a locale in front."""

    def declare(handler: F) -> F:
        name = handler.__name__
        APP.operation(method, f"{ROOT}/{path}", **options)(handler)
        return APP.operation(method, f"{ROOT}/{{locale}}/{path}", **options, name=f"{name}_in_locale")(handler)

    return declare


def guide_page(
    tx: Tx, page: Page, record: type[R], where: str, args: Sequence[Any], default: str = "position"
) -> tuple[list[R], dict[str, Any]]:
    """Return one page of a Help Center list, with the number of pages."""
    orders = ORDERS if record is Article else {"created_at": "created_at", "updated_at": "updated_at"}
    found, around = page_of(tx, page, record, where, args, orders=orders, default=default)
    return found, page_numbers(page, around)


def page_numbers(page: Page, around: dict[str, Any]) -> dict[str, Any]:
    """Add the fields that only offset pages of the Help Center have: page, page size and page count."""
    if "count" not in around:
        return around
    size, count = page.offset.size, around["count"]
    return {**around, "page": page.offset.number, "per_page": size, "page_count": -(-count // size)}


# --- categories


@everywhere("GET", "categories", public=True)
def list_categories(tx: Tx, page: Page, locale: str | None = None) -> CategoriesResponse:
    """List categories by position."""
    help_center.reader(tx)
    where, args = (_SQL_LOCALE, ["category", locale]) if locale else ("", [])
    found, around = guide_page(tx, page, Category, where, args)
    return CategoriesResponse(
        categories=[category_object(one, help_center.translation_for(tx, one, locale)) for one in found], **around
    )


@everywhere("GET", "categories/{category_id}", public=True)
def show_category(tx: Tx, category_id: int, locale: str | None = None) -> CategoryResponse:
    """Show a category."""
    help_center.reader(tx)
    found = tx.get(Category, category_id)
    return CategoryResponse(category_object(found, help_center.translation_for(tx, found, locale)))


@everywhere("POST", "categories", role="admin", status=201)
def create_category(tx: Tx, me: Me, body: CategoryRequest, locale: str | None = None) -> CategoryResponse:
    """Create a category."""
    asked = required(body.category, "category")
    place = asked.position if isinstance(asked.position, int) else 0
    tongue = locale or asked.locale or ""
    made = help_center.add_category(tx, me, asked.name or "", asked.description or "", tongue, place)
    return CategoryResponse(category_object(made, help_center.translation_for(tx, made)))


@everywhere("PUT", "categories/{category_id}", role="admin")
def update_category(
    tx: Tx, me: Me, category_id: int, body: CategoryRequest, locale: str | None = None
) -> CategoryResponse:
    """Update a category: its position, and its name in one locale."""
    asked = required(body.category, "category")
    found = tx.get(Category, category_id)
    words = help_center.update_translation(tx, help_center.translation_for(tx, found, locale), me, _renamed(asked))
    found = tx.change(found, **given_fields(asked, "position"), updated_at=now(tx))
    return CategoryResponse(category_object(found, words))


@APP.delete(f"{ROOT}/categories/{{category_id}}", role="admin")
def delete_category(tx: Tx, category_id: int) -> None:
    """Delete a category with its sections and articles."""
    help_center.remove_category(tx, tx.get(Category, category_id))


def _renamed(asked: ShelfInput) -> dict[str, Any]:
    fields = given_fields(asked, "name", "description")
    return {{"name": "title", "description": "body"}[name]: value for name, value in fields.items()}


# --- sections


def _sections(
    tx: Tx, page: Page, where: str, args: list[Any], locale: str | None, include: str | None
) -> SectionsResponse:
    if locale:
        where, args = f"{where} AND {_SQL_LOCALE}" if where else _SQL_LOCALE, [*args, "section", locale]
    found, around = guide_page(tx, page, Section, where, args)
    reply = SectionsResponse(
        sections=[section_object(one, help_center.translation_for(tx, one, locale)) for one in found], **around
    )
    if include and "categories" in include:
        shelves = get_many(tx, Category, [one.category_id for one in found])
        reply.categories = [category_object(one, help_center.translation_for(tx, one)) for one in shelves]
    return reply


@everywhere("GET", "sections", public=True)
def list_sections(tx: Tx, page: Page, locale: str | None = None, include: str | None = None) -> SectionsResponse:
    """List the sections of all categories."""
    help_center.reader(tx)
    return _sections(tx, page, "", [], locale, include)


@everywhere("GET", "categories/{category_id}/sections", public=True)
def list_sections_of_category(
    tx: Tx, category_id: int, page: Page, locale: str | None = None, include: str | None = None
) -> SectionsResponse:
    """List the sections of a category."""
    help_center.reader(tx)
    return _sections(tx, page, "category_id = ?", [tx.get(Category, category_id).id], locale, include)


@everywhere("GET", "sections/{section_id}", public=True)
def show_section(tx: Tx, section_id: int, locale: str | None = None) -> SectionResponse:
    """Show a section."""
    help_center.reader(tx)
    found = tx.get(Section, section_id)
    return SectionResponse(section_object(found, help_center.translation_for(tx, found, locale)))


@everywhere("POST", "categories/{category_id}/sections", role="admin", status=201)
def create_section(
    tx: Tx, me: Me, category_id: int, body: SectionRequest, locale: str | None = None
) -> SectionResponse:
    """Create a section in a category."""
    asked = required(body.section, "section")
    category, place = tx.get(Category, category_id), asked.position if isinstance(asked.position, int) else 0
    tongue = locale or asked.locale or ""
    made = help_center.add_section(tx, me, category, asked.name or "", asked.description or "", tongue, place)
    return SectionResponse(section_object(made, help_center.translation_for(tx, made)))


@everywhere("PUT", "sections/{section_id}", role="admin")
def update_section(tx: Tx, me: Me, section_id: int, body: SectionRequest, locale: str | None = None) -> SectionResponse:
    """Update a section: its position, and its name in one locale."""
    asked = required(body.section, "section")
    found = tx.get(Section, section_id)
    if isinstance(asked.category_id, int):
        tx.get(Category, asked.category_id)
    words = help_center.update_translation(tx, help_center.translation_for(tx, found, locale), me, _renamed(asked))
    found = tx.change(found, **given_fields(asked, "position", "category_id", "sorting"), updated_at=now(tx))
    return SectionResponse(section_object(found, words))


@APP.delete(f"{ROOT}/sections/{{section_id}}", role="admin")
def delete_section(tx: Tx, section_id: int) -> None:
    """Delete a section with its articles."""
    help_center.remove_section(tx, tx.get(Section, section_id))


# --- articles


def article_in_locale(
    tx: Tx, article: Article, locale: str | None = None, words: Translation | None = None, **more: Any
) -> ArticleObject:
    """Return an article in a locale, with the list of its outdated locales."""
    rows = tx.rows(
        "SELECT locale FROM zendesk_guide_translations WHERE source_type = 'article' AND source_id = ? "
        "AND outdated = 1 ORDER BY locale",
        article.id,
    )
    return article_object(
        article, words or help_center.translation_for(tx, article, locale), [row[0] for row in rows], **more
    )


def _articles(
    tx: Tx,
    page: Page,
    locale: str | None,
    where: str = "",
    args: Sequence[Any] = (),
    include: str | None = None,
    labels: str | None = None,
) -> ArticlesResponse:
    seen, more = help_center.readable(tx, help_center.reader(tx), locale)
    where, told = (f"{where} AND {seen}" if where else seen), [*args, *more]
    names = parts_of(labels)
    if names:
        where += f" AND {_labelled(names)}"
        told.extend(names)
    found, around = guide_page(tx, page, Article, where, told)
    reply = ArticlesResponse(articles=[article_in_locale(tx, one, locale) for one in found], **around)
    reply.sort_by = page.sort_by if page.sort_by in ORDERS else "position"
    reply.sort_order = "desc" if page.sort_order == "desc" and page.sort_by in ORDERS else "asc"
    wanted = set(parts_of(include))
    sections = get_many(tx, Section, [one.section_id for one in found]) if wanted & {"sections", "categories"} else []
    if "users" in wanted:
        reply.users = [user_object(user) for user in get_many(tx, User, [one.author_id for one in found])]
    if "sections" in wanted:
        reply.sections = [section_object(one, help_center.translation_for(tx, one)) for one in sections]
    if "categories" in wanted:
        shelves = get_many(tx, Category, [one.category_id for one in sections])
        reply.categories = [category_object(one, help_center.translation_for(tx, one)) for one in shelves]
    return reply


def _labelled(names: Sequence[str]) -> str:
    return f"EXISTS (SELECT 1 FROM json_each(label_names) l WHERE l.value IN ({', '.join('?' * len(names))}))"


@everywhere("GET", "articles", public=True)
def list_articles(
    tx: Tx, page: Page, locale: str | None = None, include: str | None = None, label_names: str | None = None
) -> ArticlesResponse:
    """List the articles that the caller may read."""
    return _articles(tx, page, locale, include=include, labels=label_names)


@everywhere("GET", "categories/{category_id}/articles", public=True)
def list_articles_of_category(
    tx: Tx, category_id: int, page: Page, locale: str | None = None, include: str | None = None
) -> ArticlesResponse:
    """List the articles of a category."""
    where = "section_id IN (SELECT id FROM zendesk_guide_sections WHERE category_id = ?)"
    return _articles(tx, page, locale, where, [tx.get(Category, category_id).id], include)


@everywhere("GET", "sections/{section_id}/articles", public=True)
def list_articles_of_section(
    tx: Tx, section_id: int, page: Page, locale: str | None = None, include: str | None = None
) -> ArticlesResponse:
    """List the articles of a section."""
    return _articles(tx, page, locale, "section_id = ?", [tx.get(Section, section_id).id], include)


@APP.get(f"{ROOT}/users/{{user_id}}/articles", role="user")
def list_articles_of_user(tx: Tx, user_id: int, page: Page, include: str | None = None) -> ArticlesResponse:
    """List the articles that a user wrote."""
    return _articles(tx, page, None, "author_id = ?", [tx.get(User, user_id).id], include)


@APP.get(f"{ROOT}/incremental/articles", role="agent", seconds=1.2)
def incremental_articles(tx: Tx, start_time: int | None = None) -> ExportedArticlesResponse:
    """Export the articles that changed since a time."""
    found, around = changed_since(tx, Article, "articles", start_time, 1000)
    around.pop("end_of_stream")
    kept = [article_in_locale(tx, one) for one in found if not one.archived]
    around["count"] = len(kept)
    if around["next_page"]:
        around["next_page"] = around["next_page"].replace("/incremental/", "/help_center/incremental/")
    return ExportedArticlesResponse(articles=kept, **around)


@everywhere("GET", "articles/{article_id}", public=True)
def show_article(tx: Tx, article_id: int, locale: str | None = None) -> ArticleResponse:
    """Show an article."""
    return ArticleResponse(
        article_in_locale(tx, help_center.article_for(tx, article_id, help_center.reader(tx), locale), locale)
    )


PLACED = ("promoted", "position", "comments_disabled", "user_segment_id", "permission_group_id", "content_tag_ids",
          "author_id")  # fmt: skip


@everywhere("POST", "sections/{section_id}/articles", role="agent", status=201)
def create_article(tx: Tx, me: Me, section_id: int, body: ArticleRequest, locale: str | None = None) -> ArticleResponse:
    """Create an article in a section."""
    asked = required(body.article, "article")
    made = help_center.add_article(
        tx,
        me,
        tx.get(Section, section_id),
        asked.title or "",
        sanitized(asked.body or "", page=True),
        locale=locale or asked.locale or "",
        draft=asked.draft is True,
        labels=asked.label_names or (),
        **given_fields(asked, *PLACED),
    )
    return ArticleResponse(article_in_locale(tx, made))


@everywhere("PUT", "articles/{article_id}", role="agent")
def update_article(tx: Tx, me: Me, article_id: int, body: ArticleRequest, locale: str | None = None) -> ArticleResponse:
    """Update an article's section, position, audience and labels; its text is updated through translations."""
    asked = required(body.article, "article")
    article = help_center.article_for(tx, article_id, me)
    help_center.check_editor(tx, me, article)
    changed = help_center.change_article(tx, article, given_fields(asked, *PLACED, "section_id", "label_names"))
    return ArticleResponse(article_in_locale(tx, changed, locale))


@APP.put(f"{ROOT}/articles/{{article_id}}/source_locale", role="agent")
def update_article_source_locale(tx: Tx, me: Me, article_id: int, body: SourceLocaleRequest) -> ArticleResponse:
    """Change the source locale of an article."""
    article = help_center.article_for(tx, article_id, me)
    help_center.check_editor(tx, me, article)
    words = help_center.translation_for(tx, article, help_center.check_locale(tx, body.article_locale))
    changed = tx.change(article, source_locale=words.locale, updated_at=now(tx))
    return ArticleResponse(article_in_locale(tx, changed))


@everywhere("DELETE", "articles/{article_id}", role="agent")
def archive_article(tx: Tx, me: Me, article_id: int, locale: str | None = None) -> None:
    """Archive an article."""
    article = help_center.article_for(tx, article_id, me, locale)
    help_center.check_editor(tx, me, article)
    tx.change(article, archived=True, updated_at=now(tx))


# --- search


@APP.get(f"{ROOT}/articles/search", public=True, seconds=0.6)
def search_articles(
    tx: Tx,
    page: Page,
    query: str = "",
    locale: str | None = None,
    category: int | None = None,
    section: int | None = None,
    label_names: str | None = None,
    updated_after: str | None = None,
    updated_before: str | None = None,
) -> FoundArticlesResponse:
    """Search articles by text, best match first, in the caller's locale."""
    parts: list[str] = []
    args: list[Any] = []
    if category is not None:
        parts.append("section_id IN (SELECT id FROM zendesk_guide_sections WHERE category_id = ?)")
        args.append(category)
    if section is not None:
        parts.append("section_id = ?")
        args.append(section)
    for sign, text in ((">=", updated_after), ("<", updated_before)):
        if text is not None:
            parts.append(f"updated_at {sign} ?")
            args.append(_day(text))
    names = parts_of(label_names)
    if names:
        parts.append(_labelled(names))
        args.extend(names)
    if not query.strip() and not parts:
        raise refusals.parameter_missing("query")
    me, tongue = help_center.reader(tx), locale or help_center.check_locale(tx)
    where = " AND ".join(parts)
    found = help_center.search(tx, query, me, None if tongue == "*" else tongue, where, args)
    cut = found[page.offset.skip : page.offset.skip + page.offset.size]
    shapes = [
        article_in_locale(tx, article, words=words, snippet=_snippet(words.body, query), result_type="article")
        for article, words in cut
    ]
    return FoundArticlesResponse(results=shapes, **page_numbers(page, page.around(len(found))))


def _day(text: str) -> int:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise refusals.bad_parameter("updated_after", "must be a date") from None
    return to_us(moment if moment.tzinfo else datetime.fromisoformat(f"{text[:10]}T00:00:00+00:00"))


def _snippet(body: str, query: str) -> str:
    plain = " ".join("".join(part.partition(">")[2] if ">" in part else part for part in body.split("<")).split())
    words = [word.lower() for word in query.split() if word.isalnum()]
    at = min((place for word in words if (place := plain.lower().find(word)) >= 0), default=0)
    cut = plain[max(0, at - 60) : at + 140]
    for word in words:
        place = cut.lower().find(word)
        if place >= 0:
            cut = f"{cut[:place]}<em>{cut[place : place + len(word)]}</em>{cut[place + len(word) :]}"
    return cut


# --- user segments, permission groups and locales


@APP.get(f"{ROOT}/locales", public=True)
def list_guide_locales(tx: Tx) -> GuideLocalesResponse:
    """List the locales of the Help Center."""
    rows = tx.rows("SELECT DISTINCT locale FROM zendesk_guide_translations ORDER BY locale")
    return GuideLocalesResponse(tuple(row[0] for row in rows), help_center.check_locale(tx))


@APP.get(f"{ROOT}/user_segments", role="agent")
def list_user_segments(tx: Tx, page: Page) -> SegmentsResponse:
    """List user segments."""
    found, around = guide_page(tx, page, UserSegment, "", (), "id")
    return SegmentsResponse(user_segments=[segment_object(one) for one in found], **around)


@APP.get(f"{ROOT}/user_segments/{{user_segment_id}}", role="agent")
def show_user_segment(tx: Tx, user_segment_id: int) -> SegmentResponse:
    """Show a user segment."""
    return SegmentResponse(segment_object(tx.get(UserSegment, user_segment_id)))


@APP.get("/api/v2/guide/permission_groups", role="agent")
def list_permission_groups(tx: Tx, page: Page) -> PermissionGroupsResponse:
    """List permission groups."""
    found, around = guide_page(tx, page, PermissionGroup, "", (), "id")
    staff = [one.id for one in tx.all(UserSegment, "user_type = 'staff'")]
    return PermissionGroupsResponse(permission_groups=[permission_group_object(one, staff) for one in found], **around)


def acting_user(tx: Tx, me: User, number: int | UnsetType) -> User:
    """Return the acting user: the caller, or the user named by an administrator."""
    if number is UNSET or number == me.id:
        return me
    if me.role != "admin":
        raise refusals.forbidden()
    return tx.get(User, number)
