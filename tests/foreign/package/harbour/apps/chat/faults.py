"""How Chat breaks, in its own words; each is a staging step for `world.do`."""

from datetime import timedelta

from diorama.kernel import Tx

AT_ONCE = timedelta(0)


def down(tx: Tx, duration: timedelta, after: timedelta = AT_ONCE) -> int:
    """Answer every request with 503."""
    return tx.fault("chat", "down", after, duration)


def search_down(tx: Tx, duration: timedelta, after: timedelta = AT_ONCE) -> int:
    """Let only the search fail, with 500."""
    return tx.fault("chat", "failing", after, duration, "search_messages,search_messages_by_post")
