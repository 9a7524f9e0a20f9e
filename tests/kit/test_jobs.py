"""Background jobs: queued at once, done later, observed by polling; a failed item does not affect the others."""

from datetime import timedelta
from typing import Any

import pytest

from diorama.kernel import Actor, Missing, Notice, Product, Record, Refusal, Tx, World, token
from diorama.kernel.testing import fresh
from diorama.kit import jobs

APP = Product("mill")
STAGE = Actor("staff", "stage")


@APP.record("bags")
class Bag(Record):
    """A record to create in bulk."""

    name: str


class BagFilled(Notice):
    """A bag is full."""


@APP.record("jobs", ids=token("job_"))
class Job(jobs.Job):
    """The mill's own jobs."""


JOBS: jobs.Jobs[Job] = jobs.Jobs(
    APP,
    Job,
    failed=lambda item, place, error: {"index": place, "error": type(error).__name__},
    each=timedelta(seconds=1),
)


@JOBS.worker("fill", "Filling bag")
def fill(tx: Tx, job: jobs.Job, item: Any, place: int) -> Any:
    """Add one bag; an empty name is refused only after the write."""
    bag = tx.add(Bag(name=f"{job.shared['prefix']}{item}"))
    if not item:
        raise Refusal(422, "Empty", "a bag needs a name")
    if item == "ghost":
        tx.get(Bag, 999)
    return {"index": place, "id": bag.id}


@pytest.fixture
def world() -> World:
    return fresh([APP])


def queue(tx: Tx, items: list[str]) -> str:
    return JOBS.enqueue(tx, "fill", items, "ana", prefix="bag of ").id


def look(world: World, job_id: str) -> Job:
    found: Job = world.read(lambda tx: tx.get(Job, job_id))
    return found


def test_a_job_is_queued_then_working_then_completed(world: World) -> None:
    job_id = world.do(queue, STAGE, ["beans", "husks", "dust", "air"])
    assert look(world, job_id).status == "queued"
    assert look(world, job_id).progress is None

    world.wait(timedelta(seconds=3))
    working = look(world, job_id)
    assert (working.status, working.progress) == ("working", 2)
    assert world.read(lambda tx: tx.count(Bag)) == 2

    world.wait(timedelta(seconds=10))
    done = look(world, job_id)
    assert (done.status, done.progress) == ("completed", 4)
    assert [result["index"] for result in done.results or []] == [0, 1, 2, 3]
    assert world.read(lambda tx: tx.count(Bag)) == 4


def test_a_refused_item_does_not_affect_the_others(world: World) -> None:
    job_id = world.do(queue, STAGE, ["beans", "", "ghost", "husks"])
    world.wait(timedelta(seconds=10))
    results = look(world, job_id).results or []
    assert [result.get("error") for result in results] == [None, Refusal.__name__, Missing.__name__, None]
    assert world.read(lambda tx: [bag.name for bag in tx.all(Bag)]) == ["bag of beans", "bag of husks"]


def test_a_fork_finishes_its_own_copy_of_a_job(world: World) -> None:
    job_id = world.do(queue, STAGE, ["beans"])
    twin = world.fork()
    twin.wait(timedelta(seconds=10))
    assert (look(world, job_id).status, look(twin, job_id).status) == ("queued", "completed")


def test_each_item_is_one_event_with_the_budget_of_a_request(world: World) -> None:
    job_id = world.do(queue, STAGE, ["beans", "husks", "dust"])
    caused = world.events[-1].root
    world.wait(timedelta(seconds=10))
    made = [event for event in world.events if event.operation == "do_job_item"]
    assert [event.request["args"]["place"] for event in made] == [0, 1, 2]
    assert {event.root for event in made} == {caused}
    assert look(world, job_id).status == "completed"


def test_an_item_beyond_the_budget_fails_and_the_others_are_done(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(JOBS.workers, "fill", (_fill_many, ""))
    job = world.do(queue, STAGE, ["2", "99999", "3"])
    world.wait(timedelta(minutes=1))
    found = look(world, job)
    assert found.status == "completed"
    assert found.results == [0, {"index": 1, "error": "Refusal"}, 2]
    assert world.read(lambda tx: tx.count(Bag)) == 5
    assert world.defect is None


def _fill_many(tx: Tx, job: jobs.Job, item: Any, place: int) -> Any:
    for number in range(int(item)):
        tx.add(Bag(name=str(number)))
    return place


def test_a_job_with_endless_reactions_fails(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(JOBS.workers, "fill", (_ring, ""))
    job = world.do(queue, STAGE, ["quiet", "loud", "quiet"])
    world.wait(timedelta(minutes=1))
    found = look(world, job)
    assert (found.status, found.progress) == ("failed", 3)
    assert found.results == [0, {"index": 1, "error": "Refusal"}, 2]
    assert world.defect is None


def _ring(tx: Tx, job: jobs.Job, item: Any, place: int) -> Any:
    if item == "loud":
        for _ in range(10_001):
            tx.emit(BagFilled())
    return place
