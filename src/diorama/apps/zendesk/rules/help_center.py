"""The Help Center: write, translate, read with permissions, vote, comment, follow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules import content_tags
from diorama.apps.zendesk.rules.account import account_of
from diorama.apps.zendesk.rules.current_user import change_if_different, current_user, now
from diorama.apps.zendesk.rules.search import read
from diorama.apps.zendesk.schema import User
from diorama.apps.zendesk.schema.community import Post, PostComment
from diorama.apps.zendesk.schema.help_center import (
    Article,
    ArticleComment,
    Category,
    GuideSubscription,
    Label,
    PermissionGroup,
    Section,
    Shelf,
    Translation,
    UserSegment,
    Vote,
)
from diorama.kernel import Tx
from diorama.kit.query import Test, Text, full_text, leaves

SHELVES: dict[type[Any], Shelf] = {Category: "category", Section: "section", Article: "article"}


# --- permissions


def reader(tx: Tx) -> User | None:
    """Return the signed-in user, or None if anonymous."""
    return None if tx.actor.kind == "anonymous" else current_user(tx)


def check_editor(tx: Tx, me: User, article: Article) -> None:
    """Raise 403 unless a user may change an article."""
    if not me.staff:
        raise refusals.forbidden()
    if me.role != "admin":
        group = tx.find(PermissionGroup, article.permission_group_id)
        if group is not None and group.admins_only:
            raise refusals.forbidden()


def check_translator(tx: Tx, me: User, shelf: Shelf, source_id: int) -> None:
    """Raise 403 unless a user may change the texts of an article, a section or a category."""
    if shelf == "article":
        check_editor(tx, me, tx.get(Article, source_id))
    elif me.role != "admin":
        raise refusals.forbidden()


def readable(tx: Tx, me: User | None, locale: str | None) -> tuple[str, list[Any]]:
    """Return the SQL condition for articles that a user may read, in a language if one is given."""
    parts, args = ["archived = 0"], []
    words = "EXISTS (SELECT 1 FROM zendesk_guide_translations t WHERE t.source_type = 'article' AND t.source_id = "
    words += "zendesk_guide_articles.id"
    if me is None or not me.staff:
        segments = [one.id for one in tx.all(UserSegment) if me is not None and one.user_type == "signed_in_users"]
        listed = f"user_segment_id IN ({', '.join('?' * len(segments))})" if segments else "0"
        parts.append(f"(user_segment_id IS NULL OR {listed})")
        args.extend(segments)
        words += " AND t.draft = 0"
    words += f" AND t.locale = {'?' if locale else 'source_locale'})"
    args.extend([locale] if locale else [])
    return " AND ".join([*parts, words]), args


def article_for(tx: Tx, article_id: int, me: User | None, locale: str | None = None) -> Article:
    """Return an article that the user may read."""
    where, args = readable(tx, me, locale)
    found = tx.first(Article, f"id = ? AND {where}", article_id, *args)
    if found is None:
        raise refusals.not_found()
    return found


# --- translations


def translation_for(tx: Tx, thing: Category | Section | Article, locale: str | None = None) -> Translation:
    """Return the translation in a language; the source language by default."""
    shelf = SHELVES[type(thing)]
    found = _translation(tx, shelf, thing.id, locale or thing.source_locale)
    if found is None:
        raise refusals.not_found()
    return found


def _translation(tx: Tx, shelf: Shelf, number: int, locale: str) -> Translation | None:
    return tx.first(Translation, "source_type = ? AND source_id = ? AND locale = ?", shelf, number, locale)


def locales(tx: Tx) -> tuple[str, ...]:
    """Return the languages of this Help Center; the first one is its own."""
    return account_of(tx).help_center_locales


def check_locale(tx: Tx, locale: str = "") -> str:
    """Return a language of this Help Center, its own if none is given; raise 422 for others."""
    known = locales(tx)
    if not locale:
        return known[0]
    if locale.lower() not in known:
        raise refusals.invalid("locale", f"Locale: {locale} is not enabled", "InvalidValue")
    return locale.lower()


def add_translation(
    tx: Tx,
    thing: Category | Section | Article,
    locale: str,
    me: User,
    title: str,
    body: str = "",
    draft: bool = False,
    outdated: bool = False,
) -> Translation:
    """Add a translation."""
    shelf, locale = SHELVES[type(thing)], check_locale(tx, locale)
    if not title.strip():
        raise refusals.blank("title", "Title")
    if _translation(tx, shelf, thing.id, locale) is not None:
        raise refusals.invalid("locale", "Locale: has already been taken", "DuplicateValue")
    moment = now(tx)
    return tx.add(
        Translation(
            source_type=shelf,
            source_id=thing.id,
            locale=locale,
            draft=draft,
            outdated=outdated,
            created_by_id=me.id,
            updated_by_id=me.id,
            created_at=moment,
            updated_at=moment,
            title=title.strip(),
            body=body,
        )
    )


def update_translation(tx: Tx, translation: Translation, me: User, fields: dict[str, Any]) -> Translation:
    """Change a translation; set `edited_at` of an article if its title or body changed."""
    if "title" in fields and not str(fields["title"]).strip():
        raise refusals.blank("title", "Title")
    changed = {name: value for name, value in fields.items() if getattr(translation, name) != value}
    if not changed:
        return translation
    moment = now(tx)
    if translation.source_type == "article":
        edited = {"edited_at": moment} if changed.keys() & {"title", "body"} else {}
        tx.change(tx.get(Article, translation.source_id), updated_at=moment, **edited)
    return tx.change(translation, **changed, updated_by_id=me.id, updated_at=moment)


def delete_translation(tx: Tx, translation: Translation) -> None:
    """Delete a translation; refuse for the source language."""
    thing = translated_item(tx, translation)
    if translation.locale == thing.source_locale:
        raise refusals.invalid("base", "Translation: the source translation cannot be deleted", "InvalidValue")
    tx.remove(translation)


def translated_item(tx: Tx, translation: Translation) -> Category | Section | Article:
    """Return the category, section or article of a translation."""
    kinds: dict[str, type[Category | Section | Article]] = {shelf: kind for kind, shelf in SHELVES.items()}
    return tx.get(kinds[translation.source_type], translation.source_id)


# --- categories, sections and articles


def add_category(tx: Tx, me: User, name: str, description: str = "", locale: str = "", position: int = 0) -> Category:
    """Create a category."""
    moment = now(tx)
    made = tx.add(
        Category(position=position, source_locale=check_locale(tx, locale), created_at=moment, updated_at=moment)
    )
    add_translation(tx, made, locale, me, name, description)
    return made


def add_section(
    tx: Tx, me: User, category: Category, name: str, description: str = "", locale: str = "", position: int = 0
) -> Section:
    """Create a section in a category."""
    moment = now(tx)
    made = tx.add(
        Section(
            category_id=category.id,
            position=position,
            source_locale=check_locale(tx, locale),
            created_at=moment,
            updated_at=moment,
        )
    )
    add_translation(tx, made, locale, me, name, description)
    return made


def add_article(
    tx: Tx,
    me: User,
    section: Section,
    title: str,
    body: str,
    *,
    locale: str = "",
    draft: bool = False,
    labels: Iterable[str] = (),
    **fields: Any,
) -> Article:
    """Add an article; all staff may change it unless a permission group says otherwise."""
    moment = now(tx)
    if "permission_group_id" not in fields:
        group = tx.first(PermissionGroup, "admins_only = 0", order="id")
        if group is None:
            raise refusals.blank("permission_group_id", "Permission group")
        fields["permission_group_id"] = group.id
    _check_references(tx, fields)
    made = tx.add(
        Article(
            section_id=section.id,
            author_id=fields.pop("author_id", None) or me.id,
            source_locale=check_locale(tx, locale),
            label_names=_known_labels(tx, labels),
            created_at=moment,
            updated_at=moment,
            edited_at=moment,
            **fields,
        )
    )
    add_translation(tx, made, locale, me, title, body, draft)
    return made


def change_article(tx: Tx, article: Article, fields: dict[str, Any]) -> Article:
    """Change an article's section, readers, labels and other settings; its text is in its translations."""
    _check_references(tx, fields)
    if "section_id" in fields:
        tx.get(Section, fields["section_id"])
    if "label_names" in fields:
        fields = {**fields, "label_names": _known_labels(tx, fields["label_names"])}
    return change_if_different(tx, article, fields)


def _check_references(tx: Tx, fields: dict[str, Any]) -> None:
    if "content_tag_ids" in fields:
        fields["content_tag_ids"] = content_tags.known(tx, fields["content_tag_ids"])
    if fields.get("user_segment_id") is not None:
        tx.get(UserSegment, fields["user_segment_id"])
    if "permission_group_id" in fields:
        tx.get(PermissionGroup, fields["permission_group_id"])
    if fields.get("author_id") is not None:
        tx.get(User, fields["author_id"])


def remove_section(tx: Tx, section: Section) -> None:
    """Delete a section and everything in it."""
    for article in tx.all(Article, "section_id = ?", section.id):
        tx.change(article, archived=True, updated_at=now(tx))
    _remove_words(tx, "section", section.id)
    tx.remove(section)


def remove_category(tx: Tx, category: Category) -> None:
    """Delete a category and everything in it."""
    for section in tx.all(Section, "category_id = ?", category.id):
        remove_section(tx, section)
    _remove_words(tx, "category", category.id)
    tx.remove(category)


def _remove_words(tx: Tx, shelf: Shelf, number: int) -> None:
    for words in tx.all(Translation, "source_type = ? AND source_id = ?", shelf, number):
        tx.remove(words)


# --- labels


def _known_labels(tx: Tx, names: Iterable[str]) -> tuple[str, ...]:
    kept = tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
    for name in kept:
        if tx.first(Label, "name = ?", name) is None:
            tx.add(Label(name=name, created_at=now(tx), updated_at=now(tx)))
    return kept


def labels_of(tx: Tx, article: Article) -> list[Label]:
    """Return the labels of an article, in the article's order."""
    found = (tx.first(Label, "name = ?", name) for name in article.label_names)
    return [label for label in found if label is not None]


# --- readers


Voted = Article | ArticleComment | Post | PostComment
_VOTED: dict[str, type[Voted]] = {
    "Article": Article,
    "Comment": ArticleComment,
    "Post": Post,
    "PostComment": PostComment,
}


def vote(tx: Tx, item: Voted, user: User, value: int) -> Vote:
    """Vote on an article, a post or a comment; a second vote replaces the first."""
    kind: Any = next(name for name, record in _VOTED.items() if isinstance(item, record))
    moment = now(tx)
    known = tx.first(Vote, "item_type = ? AND item_id = ? AND user_id = ?", kind, item.id, user.id)
    if known is not None:
        tx.change(item, vote_sum=item.vote_sum - known.value + value)
        return tx.change(known, value=value, updated_at=moment)
    tx.change(item, vote_sum=item.vote_sum + value, vote_count=item.vote_count + 1)
    fresh = Vote(
        item_type=kind,
        item_id=item.id,
        user_id=user.id,
        value=value,
        created_at=moment,
        updated_at=moment,
    )
    return tx.add(fresh)


def remove_vote(tx: Tx, cast: Vote) -> None:
    """Remove a vote."""
    item: Voted = tx.get(_VOTED[cast.item_type], cast.item_id)
    tx.change(item, vote_sum=item.vote_sum - cast.value, vote_count=item.vote_count - 1)
    tx.remove(cast)


def comment_on(tx: Tx, article: Article, author: User, body: str, locale: str = "") -> ArticleComment:
    """Add a comment to an article."""
    if article.comments_disabled:
        raise refusals.invalid("base", "Comments are disabled for this article", "InvalidValue")
    if not body.strip():
        raise refusals.blank("body", "Body")
    moment = now(tx)
    return tx.add(
        ArticleComment(
            article_id=article.id,
            author_id=author.id,
            locale=check_locale(tx, locale),
            created_at=moment,
            updated_at=moment,
            body=body,
        )
    )


def change_comment(tx: Tx, me: User, comment: ArticleComment, body: str) -> ArticleComment:
    """Change a comment on an article; only its author and agents may."""
    _check_author(me, comment)
    if not body.strip():
        raise refusals.blank("body", "Body")
    return tx.change(comment, body=body, updated_at=now(tx))


def delete_comment(tx: Tx, me: User, comment: ArticleComment) -> None:
    """Delete a comment on an article and the votes on it; only its author and agents may."""
    _check_author(me, comment)
    for cast in tx.all(Vote, "item_type = 'Comment' AND item_id = ?", comment.id):
        tx.remove(cast)
    tx.remove(comment)


def _check_author(me: User, comment: ArticleComment) -> None:
    if not me.staff and me.id != comment.author_id:
        raise refusals.forbidden()


def follow(
    tx: Tx, item: Article | Section, user: User, locale: str = "", include_comments: bool = False
) -> GuideSubscription:
    """Subscribe a user to changes."""
    kind = "Article" if isinstance(item, Article) else "Section"
    known = tx.first(GuideSubscription, "content_type = ? AND content_id = ? AND user_id = ?", kind, item.id, user.id)
    if known is not None:
        return tx.change(known, include_comments=include_comments)
    moment = now(tx)
    fresh = GuideSubscription(
        content_type="Article" if kind == "Article" else "Section",
        content_id=item.id,
        user_id=user.id,
        locale=check_locale(tx, locale),
        include_comments=include_comments,
        created_at=moment,
        updated_at=moment,
    )
    return tx.add(fresh)


# --- search


def search(
    tx: Tx, text: str, me: User | None, locale: str | None, where: str, args: list[Any]
) -> list[tuple[Article, Translation]]:
    """Return readable articles with all these words, or with some if no article has all; best match first."""
    terms = [leaf.word if isinstance(leaf, Test) else leaf for leaf in leaves(read(text))]
    wanted = [match for term in terms if isinstance(term, Text) and (match := full_text(term.text, prefix=True))]
    wanted = list(dict.fromkeys(wanted))
    if not wanted:
        return []
    inside, told = "source_type = 'article'" + (" AND locale = ?" if locale else ""), [locale] if locale else []
    found = tx.match(Translation, " AND ".join(wanted), inside, *told, limit=1000)
    if not found and len(wanted) > 1:
        found = tx.match(Translation, " OR ".join(wanted), inside, *told, limit=1000)
    if not found:
        return []
    seen, more = readable(tx, me, locale)
    ids = {words.source_id for words in found}
    clause = f"id IN ({', '.join('?' * len(ids))}) AND {seen}" + (f" AND {where}" if where else "")
    articles = {one.id: one for one in tx.all(Article, clause, *sorted(ids), *more, *args)}
    out, taken = [], set()
    for words in found:
        hidden = words.draft and (me is None or not me.staff)
        if words.source_id in articles and words.source_id not in taken and not hidden:
            taken.add(words.source_id)
            out.append((articles[words.source_id], words))
    return out
