"""The order of the nodes of a graph."""

from lanewise.graph.order import reverse_postorder

EDGES = {"a": "bc", "b": "d", "c": "d", "d": "ae", "e": "", "f": "ef"}


def test_a_node_comes_before_what_follows_it_except_in_loops():
    assert reverse_postorder("a", EDGES.__getitem__) == ["a", "c", "b", "d", "e"]


def test_several_starts_and_nodes_that_follow_themselves():
    assert reverse_postorder("efe", EDGES.__getitem__) == ["f", "e"]
    assert reverse_postorder("", EDGES.__getitem__) == []
