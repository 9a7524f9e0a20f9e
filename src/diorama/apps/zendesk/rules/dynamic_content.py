"""Dynamic content: texts in several languages, named by placeholders like {{dc.greeting}}."""

from __future__ import annotations

import re

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.schema import DynamicItem, DynamicVariant, Locale
from diorama.kernel import Tx

_NAMED = re.compile(r"\{\{\s*(dc\.[\w.-]+)\s*\}\}")
_ONE = (
    "SELECT v.content FROM zendesk_dynamic_items i JOIN zendesk_dynamic_variants v ON v.item_id = i.id "
    "LEFT JOIN zendesk_locales l ON l.id = v.locale_id WHERE i.placeholder = ? AND v.active = 1 "
    'ORDER BY l.locale = ? DESC, v."default" DESC, v.id LIMIT 1'
)


def placeholder_of(name: str) -> str:
    """Return the placeholder of an item."""
    return "{{dc." + (re.sub(r"[^a-z0-9]+", "_", name.strip().lower()).strip("_") or "item") + "}}"


def text_of(tx: Tx, name: str, locale: str) -> str:
    """Return the text of `dc.something` in a language, or in the item's default language."""
    rows = tx.rows(_ONE, "{{" + name + "}}", locale)
    return rows[0][0] if rows else ""


def fill(tx: Tx, text: str, locale: str = "en-US") -> str:
    """Return a title or description with its dynamic content filled in."""
    if "{{" not in text:
        return text
    return _NAMED.sub(lambda found: text_of(tx, found[1], locale), text)


def outdated(item: DynamicItem, variants: list[DynamicVariant]) -> bool:
    """Check whether the text in the default language is newer than a translation."""
    newest = max((one.updated_at for one in variants if one.default), default=item.created_at)
    return any(one.updated_at < newest for one in variants if not one.default)


def check_variant(tx: Tx, item: DynamicItem, locale_id: int, content: str, besides: int = 0) -> None:
    """Require content, an existing locale, and no other variant of the item in this locale."""
    if not content.strip():
        raise refusals.blank("content", "Content")
    if tx.find(Locale, locale_id) is None:
        raise refusals.invalid("locale_id", f"Locale: {locale_id} is invalid", "InvalidValue")
    taken = tx.first(DynamicVariant, "item_id = ? AND locale_id = ?", item.id, locale_id)
    if taken is not None and taken.id != besides:
        raise refusals.invalid("locale_id", "Locale: has already been taken", "DuplicateValue")


def make_default(tx: Tx, item: DynamicItem, variant: DynamicVariant) -> DynamicVariant:
    """Make this variant's language the default of the item."""
    for other in tx.all(DynamicVariant, "item_id = ?", item.id):
        if other.default and other.id != variant.id:
            tx.change(other, default=False)
    tx.change(item, default_locale_id=variant.locale_id)
    return tx.change(variant, default=True, active=True)
