"""Translations of Help Center articles, sections and categories on the wire."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.api.help_center import ROOT, guide_page
from diorama.apps.zendesk.api.pagination import Page, given_fields
from diorama.apps.zendesk.api.request_parts import Me, required
from diorama.apps.zendesk.rules import help_center
from diorama.apps.zendesk.schema import APP
from diorama.apps.zendesk.schema.help_center import Article, Category, Section, Shelf, Translation
from diorama.apps.zendesk.wire.help_center import (
    MissingLocalesResponse,
    TranslationInput,
    TranslationRequest,
    TranslationResponse,
    TranslationsResponse,
    translation_object,
)
from diorama.kernel import Tx
from diorama.kit.sanitizing import sanitized

SHELVES: dict[str, type[Category | Section | Article]] = {
    "categories": Category,
    "sections": Section,
    "articles": Article,
}
SINGULAR: dict[str, Shelf] = {"categories": "category", "sections": "section", "articles": "article"}


def _declare(shelf: str) -> None:
    """Declare the translation operations for articles, sections or categories."""
    one, kind = SINGULAR[shelf], SHELVES[shelf]
    path = f"{ROOT}/{shelf}/{{source_id}}/translations"

    def thing(tx: Tx, source_id: int) -> Category | Section | Article:
        if kind is Article:
            return help_center.article_for(tx, source_id, help_center.reader(tx))
        help_center.reader(tx)
        return tx.get(kind, source_id)

    @APP.get(path, role="user", name=f"list_{one}_translations")
    def list_translations(tx: Tx, me: Me, source_id: int, page: Page) -> TranslationsResponse:
        """List the translations."""
        found = thing(tx, source_id)
        hidden = "" if me.staff else " AND draft = 0"
        where = f"source_type = ? AND source_id = ?{hidden}"
        words, around = guide_page(tx, page, Translation, where, (one, found.id), "id")
        return TranslationsResponse(translations=[translation_object(each) for each in words], **around)

    @APP.get(f"{path}/missing", role="agent", name=f"list_{one}_missing_translations")
    def list_missing(tx: Tx, source_id: int) -> MissingLocalesResponse:
        """List the locales without a translation."""
        there = {
            words.locale
            for words in tx.all(Translation, "source_type = ? AND source_id = ?", one, thing(tx, source_id).id)
        }
        return MissingLocalesResponse([locale for locale in help_center.locales(tx) if locale not in there])

    @APP.get(f"{path}/{{locale}}", role="user", name=f"show_{one}_translation")
    def show_translation(tx: Tx, me: Me, source_id: int, locale: str) -> TranslationResponse:
        """Show the translation in a locale."""
        words = help_center.translation_for(tx, thing(tx, source_id), locale)
        if words.draft and not me.staff:
            raise refusals.not_found()
        return TranslationResponse(translation_object(words))

    @APP.post(path, role="user", status=201, name=f"create_{one}_translation")
    def create_translation(tx: Tx, me: Me, source_id: int, body: TranslationRequest) -> TranslationResponse:
        """Add a translation."""
        help_center.check_translator(tx, me, one, source_id)
        asked = required(body.translation, "translation")
        if asked.locale is UNSET:
            raise refusals.blank("locale", "Locale")
        text = _texts(asked)
        made = help_center.add_translation(tx, thing(tx, source_id), asked.locale, me, text.pop("title", ""), **text)
        return TranslationResponse(translation_object(made))

    @APP.put(f"{path}/{{locale}}", role="user", name=f"update_{one}_translation")
    def update_translation(
        tx: Tx, me: Me, source_id: int, locale: str, body: TranslationRequest
    ) -> TranslationResponse:
        """Update the translation in a locale."""
        help_center.check_translator(tx, me, one, source_id)
        asked = required(body.translation, "translation")
        words = help_center.translation_for(tx, thing(tx, source_id), locale)
        changed = help_center.update_translation(tx, words, me, _texts(asked))
        return TranslationResponse(translation_object(changed))


def _texts(asked: TranslationInput) -> dict[str, Any]:
    """Return what a translation sets, with its HTML cleaned."""
    given = given_fields(asked, "title", "body", "draft", "outdated")
    return given | ({"body": sanitized(given["body"], page=True)} if isinstance(given.get("body"), str) else {})


for _shelf in SHELVES:
    _declare(_shelf)


@APP.delete(f"{ROOT}/translations/{{translation_id}}", role="user")
def delete_translation(tx: Tx, me: Me, translation_id: int) -> None:
    """Delete a translation."""
    words = tx.get(Translation, translation_id)
    help_center.check_translator(tx, me, words.source_type, words.source_id)
    help_center.delete_translation(tx, words)
