"""The vendor's words: every reply and every body of the API, declared once."""
