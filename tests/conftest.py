"""Setup of all tests: no network access except loopback, and deterministic hypothesis runs."""

import importlib.util
import os
from pathlib import Path

from hypothesis import HealthCheck, settings

EGRESS = Path(__file__).parent / "egress"


def close_egress() -> None:
    """Limit this process and every Python process it starts to loopback (law 9)."""
    spec = importlib.util.spec_from_file_location("diorama_egress", EGRESS / "sitecustomize.py")
    assert spec is not None
    assert spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    inherited = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != str(EGRESS)]
    os.environ["PYTHONPATH"] = os.pathsep.join([str(EGRESS), *inherited])


close_egress()

# A shared machine's speed varies, so nothing is judged by wall time; every run draws the same examples.
settings.register_profile(
    "house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
# `HYPOTHESIS_PROFILE=search make pytest` looks for new counterexamples instead.
settings.register_profile("search", parent=settings.get_profile("house"), derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "house"))
