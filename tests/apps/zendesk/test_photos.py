"""Photos of users and logos of brands: stored as files, with thumbnails."""

from tests.apps.zendesk.desk import MARA, Desk


def test_a_photo_is_fetched_shown_and_removed(desk: Desk) -> None:
    path = f"users/{desk.user(MARA).id}.json"
    assert desk.get(path)["user"]["photo"] is None
    address = "https://pictures.example/faces/mara.jpg"
    desk.put(path, {"user": {"remote_photo_url": address}})
    user = desk.get(path)["user"]
    assert (user["remote_photo_url"], user["photo"]["file_name"]) == (address, "mara.png")
    assert [one["width"] for one in user["photo"]["thumbnails"]] == [32]
    for picture in (user["photo"], *user["photo"]["thumbnails"]):
        kept = desk.get(f"attachments/{picture['id']}.json")["attachment"]
        assert (kept["file_name"], kept["size"]) == (picture["file_name"], picture["size"])
    desk.put(path, {"user": {"remote_photo_url": None}})
    assert desk.get(path)["user"]["photo"] is None


def test_an_invalid_photo_url_is_refused(desk: Desk) -> None:
    path = f"users/{desk.user(MARA).id}.json"
    assert desk.call("PUT", path, {"user": {"remote_photo_url": "mara.jpg"}}).status == 422


def test_the_accounts_brand_has_a_logo(desk: Desk) -> None:
    [brand] = desk.get("brands.json")["brands"]
    assert [one["width"] for one in (brand["logo"], *brand["logo"]["thumbnails"])] == [80, 32, 24]
