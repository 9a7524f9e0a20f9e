"""Labels of Help Center articles on the wire."""

from __future__ import annotations

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.help_center import ROOT, everywhere, guide_page
from diorama.apps.zendesk.api.pagination import Page, single_page
from diorama.apps.zendesk.api.request_parts import Me
from diorama.apps.zendesk.rules import help_center
from diorama.apps.zendesk.schema import APP
from diorama.apps.zendesk.schema.help_center import Article, Label
from diorama.apps.zendesk.wire.help_center import LabelRequest, LabelResponse, LabelsResponse, label_object
from diorama.kernel import Tx


@APP.get(f"{ROOT}/articles/labels", role="agent")
def list_labels(tx: Tx, page: Page) -> LabelsResponse:
    """Every label."""
    found, around = guide_page(tx, page, Label, "", (), "name")
    return LabelsResponse(labels=[label_object(one) for one in found], **around)


@APP.get(f"{ROOT}/articles/labels/{{label_id}}", role="agent")
def show_label(tx: Tx, label_id: int) -> LabelResponse:
    """One label."""
    return LabelResponse(label_object(tx.get(Label, label_id)))


@everywhere("GET", "articles/{article_id}/labels", role="user")
def list_article_labels(tx: Tx, me: Me, article_id: int, locale: str | None = None) -> LabelsResponse:
    """The labels of an article."""
    article = help_center.article_for(tx, article_id, me, locale)
    shapes = [label_object(one) for one in help_center.labels_of(tx, article)]
    return LabelsResponse(labels=shapes, **single_page(shapes))


@everywhere("POST", "articles/{article_id}/labels", role="user", status=201)
def create_article_label(
    tx: Tx, me: Me, article_id: int, body: LabelRequest, locale: str | None = None
) -> LabelResponse:
    """Give an article one more label."""
    article = tx.get(Article, article_id)
    help_center.check_editor(tx, me, article)
    if body.label is UNSET or not body.label.name.strip():
        raise refusals.blank("name", "Name")
    changed = help_center.change_article(tx, article, {"label_names": (*article.label_names, body.label.name)})
    name = body.label.name.strip()
    return LabelResponse(label_object(next(one for one in help_center.labels_of(tx, changed) if one.name == name)))


@everywhere("DELETE", "articles/{article_id}/labels/{label_id}", role="user")
def delete_article_label(tx: Tx, me: Me, article_id: int, label_id: int, locale: str | None = None) -> None:
    """Take a label from an article."""
    article, label = tx.get(Article, article_id), tx.get(Label, label_id)
    help_center.check_editor(tx, me, article)
    if label.name not in article.label_names:
        raise refusals.not_found()
    help_center.change_article(
        tx, article, {"label_names": tuple(one for one in article.label_names if one != label.name)}
    )
