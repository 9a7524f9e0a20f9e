"""The contract checker: whether an app is what its vendor's spec says, in operations, declarations and real replies."""
