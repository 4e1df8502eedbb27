"""A debugger for every instruction set: sessions that go forwards and backwards through the steps of threads."""
