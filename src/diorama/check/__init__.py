"""The conformance suite for apps, worlds and scenarios: each check is a function that yields what is wrong."""

from diorama.check.declaring import CHECKS, Check, NotApplicable
from diorama.check.running import Outcome, Subject, find_subject, run

__all__ = ["CHECKS", "Check", "NotApplicable", "Outcome", "Subject", "find_subject", "run"]
