"""Number formats on exact integers."""
