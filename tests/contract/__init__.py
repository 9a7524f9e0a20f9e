"""The contract checker."""
