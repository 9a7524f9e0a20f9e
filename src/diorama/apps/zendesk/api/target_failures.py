"""Messages that did not reach their target, on the wire."""

from __future__ import annotations

from diorama.apps.zendesk.schema import APP, TargetFailure
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.targets import TargetFailureObject, TargetFailureResponse, TargetFailuresResponse
from diorama.kernel import Tx


def _shape(failure: TargetFailure) -> TargetFailureObject:
    return shaped(TargetFailureObject, failure, f"target_failures/{failure.id}")


@APP.get("/api/v2/target_failures", role="admin")
def list_target_failures(tx: Tx) -> TargetFailuresResponse:
    """The latest failures, at most twenty-five of each target, the newest first."""
    found = tx.all(TargetFailure, order="id DESC")
    return TargetFailuresResponse([_shape(failure) for failure in found])


@APP.get("/api/v2/target_failures/{target_failure_id}", role="admin")
def show_target_failure(tx: Tx, target_failure_id: int) -> TargetFailureResponse:
    """Show a failure, with what was sent and what came back."""
    return TargetFailureResponse(_shape(tx.get(TargetFailure, target_failure_id)))
