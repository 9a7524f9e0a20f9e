"""The version of a scenario in a user's folder: code that decides the reward counts, words about it do not."""

import pytest

from diorama.scenarios import find
from tests.check.conftest import Made, look_again

STORY = "scenarios/two_changes.py"
NAME = "tasks/two-changes"


@pytest.mark.parametrize(
    ("file", "old", "new", "changes"),
    [
        (STORY, "within eight hours", "in eight hours", False),
        (STORY, "# What must not pay.", "# What must never pay.", False),
        (STORY, "weight=3.0", "weight=2.0", True),
        (STORY, "hours=8", "hours=9", True),
        ("scenarios/shared.py", "BONUS = 1", "BONUS = 2", True),
        ("scenarios/shared.py", '"""What scenarios share."""', '"""Shared."""', False),
        ("apps/tasks/rules.py", '"title": 200', '"title": 201', False),
        ("worlds/tasks/__init__.py", '"small": 300', '"small": 301', False),
    ],
)
def test_a_version_changes_with_the_code_of_the_scenario(
    file: str, old: str, new: str, changes: bool, make: Made
) -> None:
    folder = make((STORY, "RECENT = ", "from .shared import bonus\n\nBONUS = bonus\nRECENT = "))
    (folder / "scenarios" / "shared.py").write_text(
        '"""What scenarios share."""\n\nBONUS = 1\n\n\ndef bonus() -> int:\n    """Return it."""\n    return BONUS\n'
    )
    look_again()
    scenario = find(NAME)
    before = scenario.version
    text = (folder / file).read_text()
    assert text.count(old) == 1
    (folder / file).write_text(text.replace(old, new))
    del scenario.version
    assert (scenario.version != before) is changes


def test_versions_of_this_package_count_shared_code_and_rewards() -> None:
    from diorama.scenarios.anatomy import _sources

    files = {f"{path.parent.name}/{path.name}" for path in _sources(type(find("zendesk/late-refund")))}
    assert {"scenarios/late_refund.py", "scenarios/plan.py", "scenarios/desk.py", "scenarios/anatomy.py"} <= files
    assert not [file for file in files if file.startswith(("zendesk/", "larkspur/", "kernel/"))]
