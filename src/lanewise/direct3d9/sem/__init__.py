"""What instructions mean, written once against an algebra of operations."""
