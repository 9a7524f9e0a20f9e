"""The reply models, and the functions that build them from records."""
