"""`python -m ome_select` is `ome-select`."""

from ome_select.cli import main

if __name__ == "__main__":
    main()
