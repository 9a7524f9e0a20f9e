"""Apps: clones of the products that companies run on, one folder each."""
