"""Values of the company's own fields on users and organizations: checked as their types want it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diorama.apps.zendesk import refusals
from diorama.apps.zendesk.rules.fields import Unfit, tags_of, value_of
from diorama.apps.zendesk.schema import ProfileField
from diorama.kernel import Tx


def fill(
    tx: Tx, record: type[ProfileField], wanted: Mapping[str, Any], there: Mapping[str, Any]
) -> tuple[dict[str, Any], set[str], set[str]]:
    """The values after some were set, and the tags that come and go with them; unknown keys are ignored."""
    out = dict(there)
    gained: set[str] = set()
    lost: set[str] = set()
    fields = {field.key: field for field in tx.all(record, "active = 1")} if wanted else {}
    for key, value in wanted.items():
        field = fields.get(key)
        if field is None:
            continue
        try:
            kept = value_of(tx, field, value, numbers=True)
        except Unfit as error:
            raise refusals.invalid(key, str(error), "InvalidValue") from None
        before, after = tags_of(field, out.get(key)), tags_of(field, kept)
        lost |= before - after
        gained |= after - before
        out[key] = kept
    return out, gained, lost
