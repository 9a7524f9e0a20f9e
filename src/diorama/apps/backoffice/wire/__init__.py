"""The shapes of every reply, and how records take them."""
