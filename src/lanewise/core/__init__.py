"""What every layer may use: bit fields, float formats, places, diagnostics."""
