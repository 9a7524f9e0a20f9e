"""Pier: a ferry company that answers passengers with Zendesk and talks in Chat."""

from datetime import UTC, datetime

from diorama import people
from diorama.apps import zendesk
from diorama.kernel import Company, Tx

from harbour.apps import chat
from harbour.worlds.pier import desk, links, team

NAME = "Pier Ferries"
MORNING = datetime(2026, 4, 14, 6, 30, tzinfo=UTC)


def fill(tx: Tx, size: str) -> None:
    """Write what the company has at its starting moment."""
    people.set_up(tx, shop="Pier", shop_name=NAME, time_zone="Europe/Lisbon")
    desk.set_up_desk(tx, NAME)
    channels = team.set_up_chat(tx)
    links.connect_hooks(tx, channels["desk"])


COMPANY = Company(
    "pier",
    [zendesk.app("pier"), chat.app("pier"), people.APP, links.LINKS],
    fill,
    title=NAME,
    sizes={"small": f"{desk.PASSENGERS} passengers, {desk.TICKETS} tickets, three weeks of chat"},
    start=MORNING,
)
