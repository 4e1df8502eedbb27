"""Programs of fewer slots and cycles with the same outputs, bit for bit, on a device: `lanewise opt`."""
