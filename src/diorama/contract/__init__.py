"""The contract checker: compares an app with its vendor's spec in operations, declarations and real replies."""
