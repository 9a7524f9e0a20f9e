"""How the tests make the checks that are shipped with the package, one by one."""

from typing import Any

import pytest

from diorama.check import Check, NotApplicable
from diorama.check.declaring import Of, checks_of


def prove(check: Check, *things: Any) -> None:
    """Fail with what a check finds; skip where it cannot be made."""
    try:
        problems = list(check.problems(*things))
    except NotApplicable as reason:
        pytest.skip(str(reason))
    assert problems == [], "\n" + "\n".join(problems[:10])


def each(*kinds: Of) -> pytest.MarkDecorator:
    """Parametrise over the checks of some kinds."""
    return pytest.mark.parametrize("check", checks_of(*kinds), ids=lambda check: str(check.name))
