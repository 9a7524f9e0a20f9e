"""Every app replies as it declares; a new app is tested automatically."""

import pkgutil

import pytest

from diorama import apps
from diorama.contract.check import check
from diorama.contract.excuse import excuses_of
from diorama.contract.stage import find_app, specs_for, world_of
from diorama.contract.story import stories_of
from tests.contract.specs import needs_specs

NAMES = [module.name for module in pkgutil.iter_modules(apps.__path__) if module.ispkg]


@pytest.mark.parametrize("name", NAMES)
def test_real_replies_match_the_declared_types(name: str) -> None:
    app = find_app(name)
    report = check(app, world_of(app), stories=stories_of(name))
    assert report.served == report.total == len(app.product.operations)
    assert report.mismatched == []
    assert report.invalid == []
    if world_of(app).company.name != "testing":  # an app that no company uses has no data to request
        assert len(report.unsampled) <= 0.15 * report.total, report.unsampled


@needs_specs
@pytest.mark.parametrize("name", NAMES)
def test_specs_are_served_in_part_and_exceptions_have_reasons(name: str) -> None:
    app = find_app(name)
    specs = specs_for(app)
    if not specs:
        pytest.skip(f"{name} is of our own design: no vendor's spec")
    report = check(app, world_of(app), specs, excuses_of(name), stories=stories_of(name))
    assert 0 < report.served <= report.total
    assert all(each.because for each in report.excused)
    assert [each for each in report.invalid if each.against != "spec"] == []
