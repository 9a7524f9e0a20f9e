"""The whole check of one app: operations, declarations, real replies."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from diorama.contract.document import Document
from diorama.contract.drift import drift
from diorama.contract.excuse import Excuse, split_excused, unused_excuses
from diorama.contract.field_coverage import compare
from diorama.contract.findings import Target
from diorama.contract.match import match
from diorama.contract.recordings import Names, names_of, operation_of
from diorama.contract.recordings import read as recorded
from diorama.contract.replay import Replay
from diorama.contract.report import Area, Report
from diorama.contract.sample import Sampler
from diorama.contract.spec import Operation, Spec, gather, read
from diorama.contract.story import Story, run_story
from diorama.kernel import Dice, Reply, World
from diorama.kit import App
from diorama.kit.openapi import document

OWN = "its own OpenAPI document (no vendor's spec was given or found)"


def declared(app: App) -> Spec:
    """Return the app's own spec; replies that only the handler determines are left to the samples."""
    spec = gather(OWN, [Document(app.name, document(app))])
    silent = {(o.method, o.documented) for o in app.product.operations if o.answers in (Reply, Any)}

    def plain(operation: Operation) -> Operation:
        return replace(operation, replies={}) if (operation.method, operation.path) in silent else operation

    return Spec(spec.name, {key: plain(operation) for key, operation in spec.operations.items()})


def check(
    app: App,
    world: World,
    specs: Sequence[Path] = (),
    excuses: Sequence[Excuse] = (),
    seed: int = 0,
    recordings: Sequence[Path] = (),
    stories: Sequence[Story] = (),
) -> Report:
    """Check an app against these specs, or without any against its own document; and against recordings."""
    names = names_of(app.name) if recordings else Names()
    exchanges = [(exchange, operation_of(app, exchange)) for exchange in recorded(recordings, names)]
    ours = declared(app)
    theirs = read(specs, [operation.path for operation in app.product.operations]) if specs else ours
    laid = match(theirs, ours)
    vendors = {} if theirs is ours else theirs.operations
    targets = [Target(operation, vendors.get(key)) for key, operation in ours.operations.items()]
    sampler = Sampler(
        world, app, targets, Dice(f"contract {seed}"), {address[:2] for _, address in exchanges if address}
    )
    findings = sampler.run()
    for story in stories:
        run_story(sampler, story)
    replay = Replay(sampler)
    for exchange, address in exchanges:
        if address:
            replay.perform(exchange, *address)
    unresolved_references: set[str] = set()
    for pair in laid.served:
        for reply in pair.theirs.replies.values():
            unresolved_references |= reply.schema.unresolved_references() if reply.schema else set()
    mismatched, forgiven = split_excused([mismatch for pair in laid.served for mismatch in drift(pair)], excuses)
    invalid, pardoned = split_excused(list(findings.invalid.values()), excuses)
    excused = [*forgiven, *pardoned]
    return Report(
        app=app.name,
        spec=theirs.name,
        served=len(laid.served),
        total=laid.total,
        missing=[operation.title for operation in laid.missing],
        extra=[operation.title for operation in laid.extra],
        mismatched=[*mismatched, *unused_excuses(excuses, excused)] if specs else mismatched,
        invalid=invalid,
        areas=[Area(name, served, total) for name, (served, total) in laid.areas().items()],
        sampled=len(findings.successes),
        replies=sum(findings.successes.values()),
        unsampled=findings.unsampled(targets),
        excused=excused,
        unresolved_references=len(unresolved_references),
        recordings=compare(
            [(exchange, " ".join(address) if address else None) for exchange, address in exchanges],
            findings.seen,
            names,
        )
        if recordings
        else None,
    )
