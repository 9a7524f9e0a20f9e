"""Two companies with the same products on one server: a credential picks the company, and nothing is mixed up."""

import httpx

from tests.doors.notes import HOST
from tests.doors.serving import Server, app_client
from tests.server.browsing import bearer
from tests.server.office import BEA, SHOP_HOST


def test_each_company_has_its_own_links_time_zone_and_mails(server: Server) -> None:
    office, shop = server.start("notes/write"), server.start("notes/shop")
    base_url = office["apps"]["notes"]["base_url"]
    assert shop["apps"]["notes"]["base_url"] == base_url
    for opened, name, zone, host, other in (
        (office, "Acme", "Europe/Berlin", HOST, SHOP_HOST),
        (shop, "Brick", "Asia/Tokyo", SHOP_HOST, HOST),
    ):
        with app_client(opened) as client:
            assert client.get("/account").json() == {"name": name, "time_zone": zone, "url": f"{base_url}/account"}
            for text in (f"{base_url}/notes/1", f"https://{other}/notes/1"):
                assert client.post("/notes", json={"text": text}).json()["text"] == text
            client.post("/notes/1/mail")
            assert client.get("/mails").json() == [f"Read this: https://{host}/notes/1"]
        events = server.control.get(f"/v1/episodes/{opened['id']}/events").json()["events"]
        written = [event["request"]["body"] for event in events if event["operation"] == "write_note"]
        assert written == [f'{{"text":"https://{host}/notes/1"}}', f'{{"text":"https://{other}/notes/1"}}']


def test_a_token_of_one_company_acts_in_that_company_only(server: Server) -> None:
    office, shop = server.start("depot/store"), server.start("depot/shop")
    for opened, person in ((office, "ana@acme.example"), (shop, BEA)):
        depot = opened["apps"]["depot"]
        headers = {**bearer(depot["credentials"]["bot_token"]), "host": "api.depot.example"}  # a host that both share
        assert httpx.get(f"{depot['base_url']}/me", headers=headers).json()["person"] == person
    notes = shop["apps"]["notes"]
    auth = ("ana@acme.example/token", notes["credentials"]["token"])
    assert httpx.get(f"{notes['base_url']}/account", auth=auth).status_code == 401


def test_a_foreign_host_name_does_not_change_the_company(server: Server) -> None:
    shop = server.start("notes/shop")
    with app_client(shop) as client:
        shown = client.get("/account", headers={"host": HOST}).json()
    assert (shown["name"], shown["url"]) == ("Brick", f"{shop['apps']['notes']['base_url']}/account")


def test_an_unauthenticated_request_is_refused_by_the_product(server: Server) -> None:
    url = server.ready.origins[0]["notes"]
    for host in (HOST, SHOP_HOST, "127.0.0.1"):
        refused = httpx.get(f"{url}/account", headers={"host": host})
        assert (refused.status_code, refused.json()) == (401, {"error": "Who", "detail": "Couldn't authenticate you"})
