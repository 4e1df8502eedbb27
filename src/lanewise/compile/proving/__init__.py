"""Compiled programs beside what they were compiled from."""
