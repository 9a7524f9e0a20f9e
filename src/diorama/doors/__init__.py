"""The doors of a world: HTTP at the vendors' own paths, and tools."""
