"""`python -m diorama` is the `diorama` command."""

from diorama.cli import main

if __name__ == "__main__":
    main()
