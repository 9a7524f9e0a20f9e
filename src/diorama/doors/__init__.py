"""The ways into a world: HTTP at the vendors' own paths, tools, and the control plane beside them."""
