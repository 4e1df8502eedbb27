"""Test programs that settle open questions on a console: the plan, the kit, what its results say."""
