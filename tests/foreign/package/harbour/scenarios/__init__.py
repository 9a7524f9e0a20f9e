"""Situations at Pier."""
