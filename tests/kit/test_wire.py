"""Wire formats that vendors share."""

import pytest

from diorama.kit.wire import content_disposition


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("a.txt", 'attachment; filename="a.txt"'),
        ('a"; filename="b.exe', 'attachment; filename="a\\"; filename=\\"b.exe"'),
        ("a\\b", 'attachment; filename="a\\\\b"'),
        ("a\r\nset-cookie: b", 'attachment; filename="a__set-cookie: b"'),
        ("Zoë 😀.pdf", "attachment; filename=\"Zo? ?.pdf\"; filename*=UTF-8''Zo%C3%AB%20%F0%9F%98%80.pdf"),
        ("\ud800", 'attachment; filename="_"'),
    ],
)
def test_any_file_name_is_one_value_of_content_disposition(name: str, header: str) -> None:
    assert content_disposition(name) == header
