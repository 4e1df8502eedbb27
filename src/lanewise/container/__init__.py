"""Files that hold programs: SHBIN and raw words."""
