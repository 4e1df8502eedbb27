"""Any control-flow graph: order, dominators, paths, and pictures of it."""
