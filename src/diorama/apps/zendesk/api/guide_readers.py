"""Translations, labels, comments, votes and subscriptions of the Help Center on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.configuring import need, within
from diorama.apps.zendesk.api.guide import ROOT, everywhere, guide_page
from diorama.apps.zendesk.api.listing import Page, given, whole
from diorama.apps.zendesk.rules import guide
from diorama.apps.zendesk.rules.acting import acting, agents_only, now
from diorama.apps.zendesk.schema import APP, User
from diorama.apps.zendesk.schema.guide import (
    Article,
    ArticleComment,
    Category,
    GuideSubscription,
    Label,
    Section,
    Translation,
    Vote,
)
from diorama.apps.zendesk.wire.guide import (
    ArticleCommentRequest,
    ArticleCommentResponse,
    ArticleCommentsResponse,
    GuideSubscriptionRequest,
    GuideSubscriptionResponse,
    GuideSubscriptionsResponse,
    LabelRequest,
    LabelResponse,
    LabelsResponse,
    MissingLocalesResponse,
    TranslationRequest,
    TranslationResponse,
    TranslationsResponse,
    VoteResponse,
    VotesResponse,
    article_comment_object,
    guide_subscription_object,
    label_object,
    translation_object,
    vote_object,
)
from diorama.kernel import Tx

SHELVES: dict[str, type[Category | Section | Article]] = {
    "categories": Category,
    "sections": Section,
    "articles": Article,
}
SINGULAR = {"categories": "category", "sections": "section", "articles": "article"}


# --- translations: the same operations for articles, sections and categories


def _declare(shelf: str) -> None:
    """Declare the operations on translations of one kind of thing."""
    one, kind = SINGULAR[shelf], SHELVES[shelf]
    path = f"{ROOT}/{shelf}/{{source_id}}/translations"

    def thing(tx: Tx, source_id: int) -> Category | Section | Article:
        if kind is Article:
            return guide.article_for(tx, source_id, guide.reader(tx))
        guide.reader(tx)
        return tx.get(kind, source_id)

    def writer(tx: Tx, source_id: int) -> User:
        if kind is Article:
            return guide.writer(tx, tx.get(Article, source_id))
        return guide.admin_of_guide(tx)

    @APP.get(path, name=f"list_{one}_translations")
    def list_translations(tx: Tx, source_id: int, page: Page) -> TranslationsResponse:
        """The words in every language."""
        found = thing(tx, source_id)
        hidden = "" if acting(tx).staff else " AND draft = 0"
        where = f"source_type = ? AND source_id = ?{hidden}"
        words, around = guide_page(tx, page, Translation, where, (one, found.id), "id")
        return TranslationsResponse(translations=[translation_object(each) for each in words], **around)

    @APP.get(f"{path}/missing", name=f"list_{one}_missing_translations")
    def list_missing(tx: Tx, source_id: int) -> MissingLocalesResponse:
        """The languages that have no words yet."""
        agents_only(tx)
        there = {
            words.locale
            for words in tx.all(Translation, "source_type = ? AND source_id = ?", one, thing(tx, source_id).id)
        }
        return MissingLocalesResponse([locale for locale in guide.LOCALES if locale not in there])

    @APP.get(f"{path}/{{locale}}", name=f"show_{one}_translation")
    def show_translation(tx: Tx, source_id: int, locale: str) -> TranslationResponse:
        """The words in one language."""
        words = guide.words_of(tx, thing(tx, source_id), locale)
        if words.draft and not acting(tx).staff:
            raise refusals.not_found()
        return TranslationResponse(translation_object(words))

    @APP.post(path, status=201, name=f"create_{one}_translation")
    def create_translation(tx: Tx, source_id: int, body: TranslationRequest) -> TranslationResponse:
        """Add the words of one more language."""
        me, asked = writer(tx, source_id), need(body.translation, "translation")
        if asked.locale is UNSET:
            raise refusals.blank("locale", "Locale")
        text = given(asked, "title", "body", "draft", "outdated")
        made = guide.translate(tx, thing(tx, source_id), asked.locale, me, text.pop("title", ""), **text)
        return TranslationResponse(translation_object(made))

    @APP.put(f"{path}/{{locale}}", name=f"update_{one}_translation")
    def update_translation(tx: Tx, source_id: int, locale: str, body: TranslationRequest) -> TranslationResponse:
        """Change the words of a language."""
        me, asked = writer(tx, source_id), need(body.translation, "translation")
        words = guide.words_of(tx, thing(tx, source_id), locale)
        changed = guide.retell(tx, words, me, given(asked, "title", "body", "draft", "outdated"))
        return TranslationResponse(translation_object(changed))


for _shelf in SHELVES:
    _declare(_shelf)


@APP.delete(f"{ROOT}/translations/{{translation_id}}")
def delete_translation(tx: Tx, translation_id: int) -> None:
    """Take the words of a language away."""
    words = tx.get(Translation, translation_id)
    if words.source_type == "article":
        guide.writer(tx, tx.get(Article, words.source_id))
    else:
        guide.admin_of_guide(tx)
    guide.untranslate(tx, words)


def _named(tx: Tx, me: User, number: int | UnsetType) -> User:
    """Who is meant to act: the caller, or whom an administrator names."""
    if number is UNSET or number == me.id:
        return me
    if me.role != "admin":
        raise refusals.forbidden()
    return tx.get(User, number)


# --- labels


@APP.get(f"{ROOT}/articles/labels")
def list_labels(tx: Tx, page: Page) -> LabelsResponse:
    """Every label."""
    agents_only(tx)
    found, around = guide_page(tx, page, Label, "", (), "name")
    return LabelsResponse(labels=[label_object(one) for one in found], **around)


@APP.get(f"{ROOT}/articles/labels/{{label_id}}")
def show_label(tx: Tx, label_id: int) -> LabelResponse:
    """One label."""
    agents_only(tx)
    return LabelResponse(label_object(tx.get(Label, label_id)))


@everywhere("GET", "articles/{article_id}/labels")
def list_article_labels(tx: Tx, article_id: int, locale: str | None = None) -> LabelsResponse:
    """The labels of an article."""
    article = guide.article_for(tx, article_id, acting(tx), locale)
    shapes = [label_object(one) for one in guide.labels_of(tx, article)]
    return LabelsResponse(labels=shapes, **whole(shapes))


@everywhere("POST", "articles/{article_id}/labels", status=201)
def create_article_label(tx: Tx, article_id: int, body: LabelRequest, locale: str | None = None) -> LabelResponse:
    """Give an article one more label."""
    article = tx.get(Article, article_id)
    guide.writer(tx, article)
    if body.label is UNSET or not body.label.name.strip():
        raise refusals.blank("name", "Name")
    changed = guide.change_article(tx, article, {"label_names": (*article.label_names, body.label.name)})
    name = body.label.name.strip()
    return LabelResponse(label_object(next(one for one in guide.labels_of(tx, changed) if one.name == name)))


@everywhere("DELETE", "articles/{article_id}/labels/{label_id}")
def delete_article_label(tx: Tx, article_id: int, label_id: int, locale: str | None = None) -> None:
    """Take a label from an article."""
    article, label = tx.get(Article, article_id), tx.get(Label, label_id)
    guide.writer(tx, article)
    if label.name not in article.label_names:
        raise refusals.not_found()
    guide.change_article(tx, article, {"label_names": tuple(one for one in article.label_names if one != label.name)})


# --- comments


def _comments(tx: Tx, page: Page, where: str, args: Sequence[Any]) -> ArticleCommentsResponse:
    found, around = guide_page(tx, page, ArticleComment, where, args, "id")
    return ArticleCommentsResponse(comments=[article_comment_object(one) for one in found], **around)


def _comment(tx: Tx, article_id: int, comment_id: int) -> ArticleComment:
    guide.article_for(tx, article_id, guide.reader(tx))
    return within(tx, ArticleComment, comment_id, article_id=article_id)


def _own(tx: Tx, comment: ArticleComment) -> None:
    me = acting(tx)
    if not me.staff and me.id != comment.author_id:
        raise refusals.forbidden()


@everywhere("GET", "articles/{article_id}/comments", public=True)
def list_article_comments(tx: Tx, article_id: int, page: Page, locale: str | None = None) -> ArticleCommentsResponse:
    """What readers wrote under an article."""
    article = guide.article_for(tx, article_id, guide.reader(tx), locale)
    where = "article_id = ? AND locale = ?" if locale else "article_id = ?"
    return _comments(tx, page, where, [article.id, *([locale] if locale else [])])


@APP.get(f"{ROOT}/users/{{user_id}}/comments")
def list_user_article_comments(tx: Tx, user_id: int, page: Page) -> ArticleCommentsResponse:
    """What somebody wrote under articles."""
    me, user = acting(tx), tx.get(User, user_id)
    if not me.staff and me.id != user.id:
        raise refusals.forbidden()
    return _comments(tx, page, "author_id = ?", (user.id,))


@everywhere("POST", "articles/{article_id}/comments", status=201)
def create_article_comment(
    tx: Tx, article_id: int, body: ArticleCommentRequest, locale: str | None = None
) -> ArticleCommentResponse:
    """Write under an article."""
    me = acting(tx)
    article = guide.article_for(tx, article_id, me, locale)
    asked = need(body.comment, "comment")
    made = guide.comment_on(tx, article, _named(tx, me, asked.author_id), asked.body, locale or asked.locale)
    return ArticleCommentResponse(article_comment_object(made))


@everywhere("GET", "articles/{article_id}/comments/{comment_id}", public=True)
def show_article_comment(tx: Tx, article_id: int, comment_id: int, locale: str | None = None) -> ArticleCommentResponse:
    """One comment."""
    return ArticleCommentResponse(article_comment_object(_comment(tx, article_id, comment_id)))


@everywhere("PUT", "articles/{article_id}/comments/{comment_id}")
def update_article_comment(
    tx: Tx, article_id: int, comment_id: int, body: ArticleCommentRequest, locale: str | None = None
) -> ArticleCommentResponse:
    """Change what one wrote."""
    comment = _comment(tx, article_id, comment_id)
    _own(tx, comment)
    if body.comment is UNSET or not body.comment.body.strip():
        raise refusals.blank("body", "Body")
    return ArticleCommentResponse(
        article_comment_object(tx.change(comment, body=body.comment.body, updated_at=now(tx)))
    )


@everywhere("DELETE", "articles/{article_id}/comments/{comment_id}")
def delete_article_comment(tx: Tx, article_id: int, comment_id: int, locale: str | None = None) -> None:
    """Take back what one wrote."""
    comment = _comment(tx, article_id, comment_id)
    _own(tx, comment)
    for cast in tx.all(Vote, "item_type = 'Comment' AND item_id = ?", comment.id):
        tx.remove(cast)
    tx.remove(comment)


# --- votes


def _votes(tx: Tx, page: Page, where: str, args: Sequence[Any]) -> VotesResponse:
    found, around = guide_page(tx, page, Vote, where, args, "id")
    return VotesResponse(votes=[vote_object(one) for one in found], **around)


@everywhere("GET", "articles/{article_id}/votes")
def list_article_votes(tx: Tx, article_id: int, page: Page, locale: str | None = None) -> VotesResponse:
    """Who was helped by an article, and who was not."""
    agents_only(tx)
    article = guide.article_for(tx, article_id, acting(tx), locale)
    return _votes(tx, page, "item_type = 'Article' AND item_id = ?", (article.id,))


@APP.get(f"{ROOT}/users/{{user_id}}/votes")
def list_user_votes(tx: Tx, user_id: int, page: Page) -> VotesResponse:
    """What somebody voted on."""
    agents_only(tx)
    return _votes(tx, page, "user_id = ?", (tx.get(User, user_id).id,))


def _cast(tx: Tx, vote_id: int) -> Vote:
    me, found = acting(tx), tx.get(Vote, vote_id)
    if not me.staff and found.user_id != me.id:
        raise refusals.not_found()
    return found


@APP.get(f"{ROOT}/votes/{{vote_id}}")
def show_vote(tx: Tx, vote_id: int) -> VoteResponse:
    """One vote."""
    return VoteResponse(vote_object(_cast(tx, vote_id)))


@APP.delete(f"{ROOT}/votes/{{vote_id}}")
def delete_vote(tx: Tx, vote_id: int) -> None:
    """Take a vote back."""
    guide.unvote(tx, _cast(tx, vote_id))


@everywhere("POST", "articles/{article_id}/up")
def vote_article_up(tx: Tx, article_id: int, locale: str | None = None) -> VoteResponse:
    """It helped."""
    me = acting(tx)
    return VoteResponse(vote_object(guide.vote(tx, guide.article_for(tx, article_id, me, locale), me, 1)))


@everywhere("POST", "articles/{article_id}/down")
def vote_article_down(tx: Tx, article_id: int, locale: str | None = None) -> VoteResponse:
    """It did not help."""
    me = acting(tx)
    return VoteResponse(vote_object(guide.vote(tx, guide.article_for(tx, article_id, me, locale), me, -1)))


@everywhere("POST", "articles/{article_id}/comments/{comment_id}/up")
def vote_comment_up(tx: Tx, article_id: int, comment_id: int, locale: str | None = None) -> VoteResponse:
    """The comment helped."""
    me = acting(tx)
    return VoteResponse(vote_object(guide.vote(tx, _comment(tx, article_id, comment_id), me, 1)))


@everywhere("POST", "articles/{article_id}/comments/{comment_id}/down")
def vote_comment_down(tx: Tx, article_id: int, comment_id: int, locale: str | None = None) -> VoteResponse:
    """The comment did not help."""
    me = acting(tx)
    return VoteResponse(vote_object(guide.vote(tx, _comment(tx, article_id, comment_id), me, -1)))


# --- subscriptions


def _follows(tx: Tx, page: Page, kind: str, number: int) -> GuideSubscriptionsResponse:
    me = acting(tx)
    where, args = "content_type = ? AND content_id = ?", [kind, number]
    if not me.staff:
        where, args = f"{where} AND user_id = ?", [*args, me.id]
    found, around = guide_page(tx, page, GuideSubscription, where, args, "id")
    return GuideSubscriptionsResponse(subscriptions=[guide_subscription_object(one) for one in found], **around)


def _follow(tx: Tx, item: Article | Section, body: GuideSubscriptionRequest) -> GuideSubscriptionResponse:
    me = acting(tx)
    asked = need(body.subscription, "subscription")
    user = _named(tx, me, asked.user_id)
    locale = asked.source_locale if isinstance(asked.source_locale, str) else asked.locale
    return GuideSubscriptionResponse(
        guide_subscription_object(guide.follow(tx, item, user, locale, asked.include_comments))
    )


def _followed(tx: Tx, kind: str, number: int, subscription_id: int) -> GuideSubscription:
    me, found = acting(tx), tx.get(GuideSubscription, subscription_id)
    if (found.content_type, found.content_id) != (kind, number) or (not me.staff and found.user_id != me.id):
        raise refusals.not_found()
    return found


@everywhere("GET", "articles/{article_id}/subscriptions")
def list_article_subscriptions(
    tx: Tx, article_id: int, page: Page, locale: str | None = None
) -> GuideSubscriptionsResponse:
    """Who follows an article."""
    return _follows(tx, page, "Article", guide.article_for(tx, article_id, acting(tx), locale).id)


@everywhere("POST", "articles/{article_id}/subscriptions", status=201)
def create_article_subscription(
    tx: Tx, article_id: int, body: GuideSubscriptionRequest, locale: str | None = None
) -> GuideSubscriptionResponse:
    """Follow an article."""
    return _follow(tx, guide.article_for(tx, article_id, acting(tx), locale), body)


@everywhere("GET", "articles/{article_id}/subscriptions/{subscription_id}")
def show_article_subscription(
    tx: Tx, article_id: int, subscription_id: int, locale: str | None = None
) -> GuideSubscriptionResponse:
    """One subscription."""
    found = _followed(tx, "Article", article_id, subscription_id)
    return GuideSubscriptionResponse(guide_subscription_object(found))


@everywhere("DELETE", "articles/{article_id}/subscriptions/{subscription_id}")
def delete_article_subscription(tx: Tx, article_id: int, subscription_id: int, locale: str | None = None) -> None:
    """Stop following an article."""
    tx.remove(_followed(tx, "Article", article_id, subscription_id))


@everywhere("GET", "sections/{section_id}/subscriptions")
def list_section_subscriptions(
    tx: Tx, section_id: int, page: Page, locale: str | None = None
) -> GuideSubscriptionsResponse:
    """Who follows a section."""
    return _follows(tx, page, "Section", tx.get(Section, section_id).id)


@everywhere("POST", "sections/{section_id}/subscriptions", status=201)
def create_section_subscription(
    tx: Tx, section_id: int, body: GuideSubscriptionRequest, locale: str | None = None
) -> GuideSubscriptionResponse:
    """Follow a section."""
    return _follow(tx, tx.get(Section, section_id), body)


@everywhere("DELETE", "sections/{section_id}/subscriptions/{subscription_id}")
def delete_section_subscription(tx: Tx, section_id: int, subscription_id: int, locale: str | None = None) -> None:
    """Stop following a section."""
    tx.remove(_followed(tx, "Section", section_id, subscription_id))
