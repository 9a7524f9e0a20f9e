"""Rules of plausibility for the whole history of a company (declared in the folder `_plausibility`)."""

from __future__ import annotations

from diorama.worlds._plausibility import RULES, Checked, Rule, check_history, findings_of

__all__ = ["RULES", "Checked", "Rule", "check_history", "findings_of"]
