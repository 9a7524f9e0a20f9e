"""What the desk stores and mails names the company's own host; placeholders are for replies alone."""

import pytest

from diorama.check.placeholders import PLACEHOLDER
from diorama.kernel import Tx
from tests.apps.zendesk.desk import MARA, Desk, listened

LINKS = (
    "{{ticket.link}}", "{{ticket.url}}", "{{satisfaction.rating_url}}", "{{satisfaction.rating_section}}",
    "{{ticket.comments_formatted}}", "{{ticket.latest_comment_rich}}", "{{ticket.account}}",
)  # fmt: skip


def stored(desk: Desk) -> list[str]:
    """The columns that hold a placeholder."""

    def look(tx: Tx) -> list[str]:
        return [
            f"{table}.{column}"
            for table, columns in desk.world.company.tracked.items()
            for column in columns
            if tx.control(f'SELECT 1 FROM {table} WHERE instr("{column}", ?) LIMIT 1', PLACEHOLDER)
        ]

    return desk.read(look)


@pytest.mark.parametrize("link", LINKS)
def test_links_in_trigger_mail_use_the_companys_host(link: str) -> None:
    desk, heard = listened()
    trigger = {
        "title": "Confirm",
        "conditions": {"all": [{"field": "update_type", "operator": "is", "value": "Create"}]},
        "actions": [{"field": "notification_user", "value": ["requester_id", "Hello", f"{link} ends"]}],
    }
    desk.post("triggers.json", {"trigger": trigger})
    desk.replies(desk.asks(by=MARA), "Thanks, we look into it.")
    bodies = [notice.body for notice in heard if notice.body.endswith("ends")]
    assert bodies
    assert PLACEHOLDER not in "".join(bodies)
    if "url" in link or "link" in link:
        assert "larkspur.zendesk.com" in bodies[0]
    assert stored(desk) == []


def test_brands_store_their_own_subdomain() -> None:
    desk = Desk()
    desk.post("brands.json", {"brand": {"name": "Second", "subdomain": "second"}})
    assert desk.get("brands.json")["brands"][0]["subdomain"] == "larkspur"
    assert stored(desk) == []
