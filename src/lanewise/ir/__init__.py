"""What a program is between its words and an engine: the graph of its flow, and drawings of it."""
