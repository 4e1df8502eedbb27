"""What `lanewise bench` runs and measures: programs, floors, throughputs, and the report. It is part of a checkout, not of the
wheel."""
