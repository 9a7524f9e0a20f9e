"""Schedules: hours, holidays and time zones that can be written and read back."""

from typing import Any

import pytest

from tests.apps.zendesk.desk import ADA, ANA, MARA, Desk

ROOT = "business_hours/schedules"


def made(desk: Desk, name: str = "Office", time_zone: str = "Berlin") -> Any:
    return desk.post(f"{ROOT}.json", {"schedule": {"name": name, "time_zone": time_zone}})["schedule"]


def test_a_schedule_is_created_read_changed_and_deleted(desk: Desk) -> None:
    schedule = made(desk)
    assert desk.get(f"{ROOT}/{schedule['id']}.json")["schedule"] == schedule
    assert schedule["intervals"][0] == {"start_time": 1980, "end_time": 2460}
    changed = desk.put(f"{ROOT}/{schedule['id']}.json", {"schedule": {"time_zone": "London"}})["schedule"]
    assert (changed["name"], changed["time_zone"]) == ("Office", "London")
    assert [one["id"] for one in desk.get(f"{ROOT}.json")["schedules"]] == [schedule["id"]]
    desk.delete(f"{ROOT}/{schedule['id']}.json")
    assert desk.get(f"{ROOT}.json")["schedules"] == []


def test_the_hours_of_a_week_are_replaced_as_a_whole(desk: Desk) -> None:
    number = made(desk)["id"]
    week = {"workweek": {"intervals": [{"start_time": 3000, "end_time": 3300}, {"start_time": 1980, "end_time": 2100}]}}
    answer = desk.put(f"{ROOT}/{number}/workweek.json", week)["workweek"]
    assert [one["start_time"] for one in answer["intervals"]] == [1980, 3000]
    assert desk.get(f"{ROOT}/{number}.json")["schedule"]["intervals"] == answer["intervals"]


@pytest.mark.parametrize(
    "intervals",
    [
        [{"start_time": 100, "end_time": 100}],
        [{"start_time": 1400, "end_time": 1500}],
        [{"start_time": 10_000, "end_time": 10_100}],
        [{"start_time": 100, "end_time": 300}, {"start_time": 200, "end_time": 400}],
    ],
)
def test_invalid_hours_are_refused(desk: Desk, intervals: list[Any]) -> None:
    number = made(desk)["id"]
    assert desk.call("PUT", f"{ROOT}/{number}/workweek.json", {"workweek": {"intervals": intervals}}).status == 422


@pytest.mark.parametrize("flaw", [{"name": " "}, {"time_zone": "Atlantis"}, {"time_zone": "../etc/passwd"}])
def test_a_schedule_needs_a_name_and_a_time_zone(desk: Desk, flaw: dict[str, str]) -> None:
    body = {"schedule": {"name": "Office", "time_zone": "Berlin", **flaw}}
    assert desk.call("POST", f"{ROOT}.json", body).status == 422


def test_a_holiday_is_created_read_changed_and_deleted(desk: Desk) -> None:
    number = made(desk)["id"]
    path = f"{ROOT}/{number}/holidays"
    body = {"holiday": {"name": "Easter", "start_date": "2026-04-03", "end_date": "2026-04-06"}}
    holiday = desk.post(f"{path}.json", body)["holiday"]
    assert desk.get(f"{path}/{holiday['id']}.json")["holiday"] == holiday
    changed = desk.put(f"{path}/{holiday['id']}.json", {"holiday": {"name": "Long weekend"}})["holiday"]
    assert changed == {**holiday, "name": "Long weekend"}
    assert desk.get(f"{path}.json")["holidays"] == [changed]
    wrong = {"holiday": {"name": "x", "start_date": "2026-04-06", "end_date": "2026-04-03"}}
    assert desk.call("POST", f"{path}.json", wrong).status == 422
    desk.delete(f"{path}/{holiday['id']}.json")
    assert desk.call("GET", f"{path}/{holiday['id']}.json").status == 404


def test_business_metrics_count_business_hours_only(desk: Desk) -> None:
    made(desk)
    number = desk.asks()  # a Monday, nine in Berlin
    desk.waits(hours=24)
    desk.replies(number, "Sorry for the wait.")
    figures = desk.get(f"tickets/{number}/metrics.json")["ticket_metric"]
    assert figures["reply_time_in_minutes"] == {"calendar": 1440, "business": 480}


def test_agents_read_schedules_and_admins_write_them(desk: Desk) -> None:
    assert desk.call("GET", f"{ROOT}.json", by=ANA).status == 200
    assert desk.call("GET", f"{ROOT}.json", by=MARA).status == 403
    body = {"schedule": {"name": "Mine", "time_zone": "Berlin"}}
    assert desk.call("POST", f"{ROOT}.json", body, by=ANA).status == 403
    assert desk.call("POST", f"{ROOT}.json", body, by=ADA).status == 201


@pytest.mark.parametrize("zone", ["a/" * 400 + "b", "../UTC", "/etc/passwd", "a.b", "é", "x" * 5_000])
def test_a_time_zone_with_an_odd_name_is_refused(desk: Desk, zone: str) -> None:
    body = {"schedule": {"name": "Odd", "time_zone": zone}}
    assert desk.call("POST", "business_hours/schedules.json", body).status == 422
