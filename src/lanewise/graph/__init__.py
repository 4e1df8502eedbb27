"""Any control-flow or dependence graph: order, dominators, paths, groups, and pictures of it."""
