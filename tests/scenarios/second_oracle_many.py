"""The second oracle where a task is more than one ticket, or is not declared with plans."""

from __future__ import annotations

from typing import Any

from diorama.scenarios.anatomy import Hands
from tests.scenarios import second_oracle_words as words
from tests.scenarios.second_oracle import OFTEN, Second


class Threads(Second):
    """Several mails of one customer: merge what belongs together, answer each matter once."""

    def work(self) -> None:
        """Merge first, then settle the second matter before the first."""
        truth = self.truth
        self.read(truth.ticket_id)
        for ticket in truth.duplicates:
            self.merge(ticket, truth.ticket_id)
        elsewhere = [one for also in truth.also for one in also.owed]
        told = {one for also in truth.also for one in also.tell}
        for also in truth.also:
            self.close(also, self.deeds(also.owed, also.reason))
        done = self.deeds([one for one in truth.owed if one not in elsewhere], truth.reason)
        self.close(_without(truth, told), done)

    def merge(self, ticket: int, into: int) -> None:
        """Merge one ticket into another, with notes that only colleagues read."""
        notes = {
            "target_comment": f"Ticket {ticket} is about the same matter.",
            "source_comment": f"Goes on in ticket {into}.",
            "target_comment_is_public": False,
            "source_comment_is_public": False,
        }
        self.desk("POST", f"tickets/{into}/merge.json", {"ids": [ticket], **notes})


def _without(truth: Any, told: set[Any]) -> Any:
    """Return a truth without what is told elsewhere."""

    class Own:
        tell = tuple(one for one in truth.tell if one not in told)

        def __getattr__(self, name: str) -> Any:
            return getattr(truth, name)

    return Own()


class Queue(Second):
    """A ticket with a deadline: a first word at once, the rest afterwards."""

    def work(self) -> None:
        """Find the ticket, answer in time, file it, then do what is due."""
        truth = self.truth
        self.desk("GET", "search.json?query=type:ticket status:new&sort_by=created_at&sort_order=desc")
        self.read(truth.ticket_id)
        groups = self.desk("GET", "groups.json?per_page=100")["groups"]
        group = next(one["id"] for one in groups if one["name"] == truth.group)
        filed = {"priority": truth.priority, "group_id": group, "additional_tags": list(truth.tags)}
        self.say(truth.ticket_id, f"{self.hello} {words.AT_ONCE[self.turn % 2]}", status="open", **filed)
        self.close(truth, self.deeds(truth.owed, truth.reason))


class Triage(Second):
    """Tickets that have to be routed, and nothing else."""

    def work(self) -> None:
        """Read the rules and the tickets, and file each of them, the urgent ones first."""
        truth = self.truth
        self.desk("GET", f"help_center/articles/{truth.article_id}.json")
        self.desk("GET", f"tickets/show_many.json?ids={','.join(str(one.ticket_id) for one in truth.places)}")
        ranks = ("urgent", "high", "normal", "low")
        for one in sorted(truth.places, key=lambda place: (ranks.index(place.priority), -place.ticket_id)):
            filed: dict[str, Any] = {
                "group_id": one.group_id,
                "priority": one.priority,
                "type": one.type,
                "tags": list(one.tags),
            }
            if one.first:
                filed["comment"] = {"body": f"Same person, same matter as in #{one.first}.", "public": False}
            self.desk("PUT", f"tickets/{one.ticket_id}.json", {"ticket": filed})


class Flood(Second):
    """An outage and the mail that it brings."""

    def work(self) -> None:
        """Refund first, then link, then wait for the engineers, then solve the problem and all incidents with it."""
        truth = self.truth
        self.desk("GET", f"tickets/{truth.status_id}/comments.json")
        for hit in truth.hits:
            self.settle(hit)
        problem = truth.problem_id or self.open_problem()
        if truth.second_id:
            for incident in self.desk("GET", f"tickets/{truth.second_id}/incidents.json")["tickets"]:
                self.link(incident["id"], problem)
            self.merge_into(truth.second_id, problem)
        for stray in truth.strays:
            self.desk("PUT", f"tickets/{stray}.json", {"ticket": {"type": "question", "problem_id": None}})
        for hit in truth.hits:
            self.link(hit.ticket_id, problem)
        late = list(truth.late)
        for _ in range(OFTEN * 4):
            late = [hit for hit in late if not self.catch(hit, problem)]
            if not late and self.words_of_engineers().startswith("ALL CLEAR"):
                break
            self.rest()
        times = [one.text for one in truth.hits[0].tell if one.kind == "time"]
        form = self.form({"reason": "reason_other", "resolution": "done_answered"})
        lasted = words.OUTAGES[self.turn % 2].format(thing=truth.title, began=times[0], ended=times[1])
        self.say(problem, lasted, status="solved", custom_fields=form)

    def words_of_engineers(self) -> str:
        """Return the newest mail of the engineers."""
        thread = self.desk("GET", f"tickets/{self.truth.status_id}/comments.json?sort=-created_at&page[size]=5")[
            "comments"
        ]
        return str(thread[0]["body"])

    def open_problem(self) -> int:
        """Open the problem ticket."""
        made = {"subject": f"Problem: {self.truth.title}", "type": "problem", "tags": [self.truth.code]}
        body = {"comment": {"body": "Incidents of this morning are linked here.", "public": False}, **made}
        return int(self.desk("POST", "tickets.json", {"ticket": body})["ticket"]["id"])

    def merge_into(self, ticket: int, into: int) -> None:
        """Merge the second problem ticket into the first."""
        notes = {"target_comment": "Same disturbance.", "source_comment": "Same disturbance."}
        hidden = {"target_comment_is_public": False, "source_comment_is_public": False}
        self.desk("POST", f"tickets/{into}/merge.json", {"ids": [ticket], **notes, **hidden})

    def link(self, ticket: int, problem: int) -> None:
        """Make a ticket an incident of the problem."""
        filed = {"type": "incident", "problem_id": problem, "additional_tags": [self.truth.code]}
        self.desk("PUT", f"tickets/{ticket}.json", {"ticket": filed})

    def catch(self, hit: Any, problem: int) -> bool:
        """Settle and link a mail that comes in later, once it is there."""
        found = self.desk("GET", f"search.json?query=type:ticket requester:{hit.requester}&sort_order=desc")
        ticket = next((one["id"] for one in found["results"] if one["id"] == hit.ticket_id), hit.ticket_id)
        if not ticket:
            fresh = [one for one in found["results"] if one["status"] in ("new", "open")]
            if not fresh:
                return False
            ticket = max(one["id"] for one in fresh)
        self.settle(hit, int(ticket))
        self.link(int(ticket), problem)
        return True

    def settle(self, hit: Any, ticket: int = 0) -> None:
        """Refund what was taken twice, and tell it; or tell what was taken."""
        amounts = [one for one in hit.tell if one.kind == "amount"]
        if not amounts:
            return
        self.meet(hit.customer_id)
        done = self.deeds(hit.owed, "reason_double_charge")
        said = [self.about(one, made) for one, made in done]
        if not said:
            said = [f"Your card was charged once, {self.value(one)}; I see no second payment." for one in amounts]
        values = {key: right[-1] for key, right in hit.closing.items() if right}
        self.say(
            ticket or hit.ticket_id, f"{self.hello} {' '.join(said)}", status="open", custom_fields=self.form(values)
        )


def second_oracle(hands: Hands, truth: Any) -> None:
    """Do the work of any desk scenario, as another author does it."""
    for kind, sign in ((Triage, "places"), (Flood, "hits"), (Threads, "drafts"), (Queue, "minutes")):
        if hasattr(truth, sign):
            kind(hands, truth).work()
            return
    Second(hands, truth).work()
