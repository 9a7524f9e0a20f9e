"""Worlds an agent cannot tell from work."""
