"""Sessions of nox: those of packages and of pages; the others are in `noxfile.py`."""
