"""What Harbour, a software house, adds to Diorama: a chat product, a ferry company that uses it, and its scenarios."""
