"""The conformance suite: what every app, world and scenario must fulfil, as functions that name what is wrong."""

from diorama.check.declaring import CHECKS, Check, NotApplicable
from diorama.check.running import Outcome, Subject, find_subject, run

__all__ = ["CHECKS", "Check", "NotApplicable", "Outcome", "Subject", "find_subject", "run"]
