"""Standard macros, and how a world adds more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diorama.apps.zendesk.rules.current_user import now
from diorama.apps.zendesk.schema import Action, Macro
from diorama.apps.zendesk.seed.conditions import Deed
from diorama.kernel import Tx


def add_macro(
    tx: Tx,
    title: str,
    then: Sequence[Deed],
    *,
    description: str | None = None,
    restriction: Mapping[str, Any] | None = None,
    active: bool = True,
    default: bool = False,
) -> Macro:
    """Add a macro."""
    moment = now(tx)
    return tx.add(
        Macro(
            title=title,
            active=active,
            position=tx.count(Macro) + 1,
            actions=tuple(Action(*deed) for deed in then),
            description=description,
            restriction=dict(restriction) if restriction else None,
            default=default,
            created_at=moment,
            updated_at=moment,
        )
    )


_KNOWN_ISSUE = (
    "Thanks for your request. This issue you reported is a known issue. For more information, please visit our forums."
)
_SILENT = (
    "Hello {{ticket.requester.name}}. Our agent {{current_user.name}} has tried to contact you about this request "
    "but we haven't heard back from you yet. Please let us know if we can be of further assistance. Thanks."
)
_BUSY = "We're currently experiencing unusually high traffic. We'll get back to you as soon as possible."


def usual_macros(tx: Tx) -> None:
    """Add an account's standard macros."""
    mine: list[Deed] = [("assignee_id", "current_user"), ("group_id", "current_groups")]
    done: list[Deed] = [("status", "solved"), ("priority", "normal"), ("type", "incident")]
    add_macro(tx, "Close and redirect to topics", [*done, *mine, ("comment_value", _KNOWN_ISSUE)], default=True)
    add_macro(tx, "Customer not responding", [("status", "pending"), ("comment_value", _SILENT)], default=True)
    add_macro(tx, "Downgrade and inform", [("priority", "low"), ("comment_value", _BUSY)], default=True)
    add_macro(tx, "Take it!", [("status", "open"), ("type", "problem"), *mine], default=True)
