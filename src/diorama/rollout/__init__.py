"""Rollout: agents, episodes in parallel, the run store, replay, and what serves episodes over HTTP."""
