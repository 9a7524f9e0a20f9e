"""Add dynamic content."""

from __future__ import annotations

from collections.abc import Mapping

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.rules.dynamic_content import placeholder_of
from diorama.apps.zendesk.schema import DynamicItem, DynamicVariant
from diorama.apps.zendesk.seed.locales import LOCALE_IDS
from diorama.kernel import Tx


def add_content(tx: Tx, name: str, texts: Mapping[str, str]) -> DynamicItem:
    """Add dynamic content in several languages; the first one is the default."""
    moment = now(tx)
    own = LOCALE_IDS[next(iter(texts))]
    item = tx.add(
        DynamicItem(
            name=name, placeholder=placeholder_of(name), default_locale_id=own, created_at=moment, updated_at=moment
        )
    )
    for locale, content in texts.items():
        number = LOCALE_IDS[locale]
        tx.add(
            DynamicVariant(
                item_id=item.id,
                locale_id=number,
                content=content,
                default=number == own,
                created_at=moment,
                updated_at=moment,
            )
        )
    return item
