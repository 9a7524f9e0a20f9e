"""The unified search of the Help Center: articles and community posts in one list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Struct

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.help_center import article_in_locale
from diorama.apps.zendesk.api.pagination import bad_page, ids_of, parts_of
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.rules import community, help_center
from diorama.apps.zendesk.schema import APP, BASE, User
from diorama.apps.zendesk.schema.community import Post
from diorama.apps.zendesk.schema.help_center import Article, Translation
from diorama.apps.zendesk.wire.community import post_object
from diorama.apps.zendesk.wire.help_center import ArticleObject
from diorama.apps.zendesk.wire.pagination import Links, Meta
from diorama.kernel import Request, Tx
from diorama.kit import Query
from diorama.kit.paging import BadCursor, link, read_cursor, write_cursor

USUAL, MOST = 10, 50
CURSOR = "guide-search"
CONTENT_TYPES = ("ARTICLE", "POST")


class GuideSearchResponse(Struct, kw_only=True):
    results: list[Any]
    meta: Meta
    links: Links


class Filters(Struct, frozen=True):
    """The filters of a search: texts with commas, by name."""

    given: dict[str, str]

    @classmethod
    def parse(cls, query: dict[str, list[str]], request: Request) -> Filters:
        """Read every `filter[name]` of a query."""
        found = {name[7:-1]: values[-1] for name, values in query.items() if name[:7] == "filter[" and name[-1] == "]"}
        return cls(found)

    def ids(self, name: str) -> list[int]:
        """Return the numbers of a filter."""
        return ids_of(self.given[name], f"filter[{name}]") if self.given.get(name) else []


def _in(column: str, numbers: Sequence[Any]) -> tuple[str, list[Any]]:
    return f"{column} IN ({', '.join('?' * len(numbers))})", list(numbers)


def _tagged(filters: Filters) -> list[tuple[str, list[Any]]]:
    tags = parts_of(filters.given.get("content_tag_ids"))[:MOST]
    if not tags:
        return []
    where, args = _in("t.value", tags)
    return [(f"EXISTS (SELECT 1 FROM json_each(content_tag_ids) t WHERE {where})", args)]


def _articles(
    tx: Tx, me: User, query: str, locales: Sequence[str], filters: Filters
) -> list[tuple[Article, Translation | str]]:
    """Return the articles that a search finds, each with the text that was found or the language to show it in."""
    parts = _tagged(filters)
    if numbers := filters.ids("category_ids"):
        where, args = _in("category_id", numbers)
        parts.append((f"section_id IN (SELECT id FROM zendesk_guide_sections WHERE {where})", args))
    if numbers := filters.ids("section_ids"):
        parts.append(_in("section_id", numbers))
    clause = " AND ".join(where for where, _ in parts)
    args = [one for _, values in parts for one in values]
    if query.strip():
        return [one for locale in locales for one in help_center.search(tx, query, me, locale, clause, args)]
    out: list[tuple[Article, Translation | str]] = []
    for locale in locales:
        seen, more = help_center.readable(tx, me, locale)
        whole = f"{seen} AND {clause}" if clause else seen
        found = tx.all(Article, whole, *more, *args, order="updated_at DESC, id", limit=community.FOUND_AT_MOST)
        out.extend((one, locale) for one in found)
    return out


def _article(tx: Tx, article: Article, words: Translation | str) -> ArticleObject:
    if isinstance(words, str):
        words = help_center.translation_for(tx, article, words)
    return article_in_locale(tx, article, words=words, type="ARTICLE")


def _posts(tx: Tx, me: User, query: str, filters: Filters) -> list[Post]:
    parts = _tagged(filters)
    if numbers := filters.ids("topic_ids"):
        parts.append(_in("topic_id", numbers))
    clause = " AND ".join(where for where, _ in parts)
    args = tuple(one for _, values in parts for one in values)
    if query.strip():
        return community.search(tx, query, me, clause, args)
    seen, more = community.readable_posts(tx, me)
    whole = f"{seen} AND {clause}" if clause else seen
    return tx.all(Post, whole, *more, *args, order="updated_at DESC, id", limit=community.FOUND_AT_MOST)


def _kinds(filters: Filters) -> list[str]:
    """Return the types that a search covers; filters on sections or topics narrow it to articles or posts."""
    given = filters.given
    kinds = [kind for kind in CONTENT_TYPES if kind in (parts_of(given.get("content_types")) or CONTENT_TYPES)]
    if given.get("external_source_ids"):
        return []
    if given.get("category_ids") or given.get("section_ids"):
        kinds = [kind for kind in kinds if kind == "ARTICLE"]
    if given.get("topic_ids"):
        kinds = [kind for kind in kinds if kind == "POST"]
    return kinds


def _place(after: str | None) -> int:
    try:
        return max(0, int(read_cursor(after, CURSOR)[0] or 0)) if after else 0
    except (BadCursor, ValueError, TypeError, IndexError):
        raise bad_page("page[after]", after or "") from None


@APP.get("/api/v2/guide/search", role="user", seconds=0.7)
def unified_search(
    tx: Tx,
    me: Me,
    filters: Filters,
    query: str = "",
    size: Annotated[int | None, Query("page[size]")] = None,
    after: Annotated[str | None, Query("page[after]")] = None,
) -> GuideSearchResponse:
    """Search articles and posts in some languages; pages have cursors that go forward only."""
    asked = filters.given.get("locales")
    if not asked:
        raise refusals.parameter_missing("filter[locales]")
    size, start, kinds = max(1, min(size or USUAL, MOST)), _place(after), _kinds(filters)
    known = help_center.locales(tx)
    locales = [one for one in dict.fromkeys(part.lower() for part in parts_of(asked)) if one in known]
    found: list[Any] = []
    if locales and "ARTICLE" in kinds:
        found += _articles(tx, me, query, locales, filters)
    if locales and "POST" in kinds:
        found += _posts(tx, me, query, filters)
    cut = found[start : start + size]
    more = start + size < len(found)
    results = [
        post_object(one, locales[0], type="POST") if isinstance(one, Post) else _article(tx, *one) for one in cut
    ]
    cursor = write_cursor(CURSOR, [start + len(cut)]) if cut else None
    given = [(f"filter[{name}]", value) for name, value in filters.given.items()]
    words = [("query", query)] if query else []
    following: list[tuple[str, str | int]] = [*given, *words, ("page[size]", size), ("page[after]", cursor or "")]
    url = link(f"{BASE}/guide/search", following) if more else None
    return GuideSearchResponse(results=results, meta=Meta(more, cursor, None), links=Links(None, url))
