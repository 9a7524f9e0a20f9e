"""Every day of a tracking history is a day of the records."""

import msgspec

from diorama.cli.scenarios import chosen
from diorama.rewards.claims import Case, Text, read
from diorama.runs.cases import make_case


def test_the_days_of_a_tracking_history_may_be_said() -> None:
    made = make_case(chosen(["zendesk/late-refund"])[0], 503, "eval-new")
    case = msgspec.convert(made["case"], Case)
    days = {scan["at"][:10] for one in made["after"]["shipments"] for scan in one["history"]}
    lost = {one["history"][-1]["at"][:10] for one in made["after"]["shipments"] if one["status"] == "lost"}
    assert days
    assert lost
    assert days <= case.known.dates
    for day in lost:
        assert not read(case, [Text(f"DHL declared the parcel lost on {day}.")]).contradictions
