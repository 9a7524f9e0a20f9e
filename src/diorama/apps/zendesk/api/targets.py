"""Targets on the wire."""

from __future__ import annotations

from diorama.apps.zendesk.api.request_parts import PLAIN
from diorama.apps.zendesk.rules import audit_logs, targets
from diorama.apps.zendesk.schema import APP, Target
from diorama.apps.zendesk.wire.targets import TargetRequest, TargetResponse, TargetsResponse, target_object
from diorama.kit.resource import Resource

Resource(
    APP,
    PLAIN,
    "/api/v2/targets",
    Target,
    singular="target",
    shape=lambda tx, target: target_object(target),
    request=TargetRequest,
    response=TargetResponse,
    responses=TargetsResponse,
    create=targets.add_target,
    change=targets.change_target,
    remove=audit_logs.remove,
)
