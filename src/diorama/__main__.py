"""Run the `diorama` command with `python -m diorama`."""

from diorama.cli import main

if __name__ == "__main__":
    main()
