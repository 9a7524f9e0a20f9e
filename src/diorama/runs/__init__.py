"""Runs: many episodes over several processes, kept on disk, replayed and summarised."""
