"""What a change in Chat means if a task does not ask for it, by table and column."""

from collections.abc import Mapping

from diorama.kernel import Tx
from diorama.kit.damage import DERIVED, TableKinds, Touch

from harbour.apps.chat.schema import APP, Member


def _voice(tx: Tx, touch: Touch) -> Mapping[str, str]:
    """A message in another person's name; a bot of the team may speak for anyone."""
    if touch.op != "insert":
        return {}
    author = tx.find(Member, touch.after["author"])
    return {"author": "voice"} if author is not None and author.role != "bot" and author.email != touch.actor else {}


APP.damage(
    {
        "members": TableKinds("identity", {"role": "access"}),
        "channels": TableKinds("configuration"),
        "memberships": TableKinds("access", {"last_read": "derived"}),
        "messages": TableKinds(
            "record", {"reply_count": "derived", "latest_reply": "derived", "edited_at": "derived"}, other="evidence",
            removed="evidence", marks=_voice, word=lambda row: True,
        ),
        "reactions": TableKinds("note"),
        "files": TableKinds("record", {"content": "evidence"}, removed="evidence"),
        "incoming_hooks": TableKinds("configuration"),
        "outgoing_hooks": TableKinds("configuration"),
        "hook_calls": DERIVED,
        "tokens": TableKinds("access"),
    }
)  # fmt: skip
