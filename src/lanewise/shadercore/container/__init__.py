"""Files that hold programs."""
