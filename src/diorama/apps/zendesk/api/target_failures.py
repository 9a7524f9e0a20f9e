"""API operations for target failures."""

from __future__ import annotations

from diorama.apps.zendesk.schema import APP, TargetFailure
from diorama.apps.zendesk.wire.shapes import shaped
from diorama.apps.zendesk.wire.targets import TargetFailureObject, TargetFailureResponse, TargetFailuresResponse
from diorama.kernel import Tx


def _shape(failure: TargetFailure) -> TargetFailureObject:
    return shaped(TargetFailureObject, failure, f"target_failures/{failure.id}")


@APP.get("/api/v2/target_failures", role="admin")
def list_target_failures(tx: Tx) -> TargetFailuresResponse:
    """List target failures, newest first; at most twenty-five are kept per target."""
    found = tx.all(TargetFailure, order="id DESC")
    return TargetFailuresResponse([_shape(failure) for failure in found])


@APP.get("/api/v2/target_failures/{target_failure_id}", role="admin")
def show_target_failure(tx: Tx, target_failure_id: int) -> TargetFailureResponse:
    """Show a target failure with the request and the response."""
    return TargetFailureResponse(_shape(tx.get(TargetFailure, target_failure_id)))
