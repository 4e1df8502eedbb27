"""Grouping of acyclic graphs into trees with one result."""

from __future__ import annotations

import random

from lanewise.graph.trees import trees


def test_a_sum_is_one_group():
    assert trees(4, [(0, 2), (1, 2), (2, 3)]) == ((0, 1, 2, 3),)


def test_a_value_of_two_users_is_a_group():
    assert trees(3, [(0, 1), (0, 2)]) == ((0,), (1,), (2,))


def test_a_value_used_twice_by_one_expression_belongs_to_it():
    assert trees(3, [(0, 1), (0, 2), (1, 2)]) == ((0, 1, 2),)


def test_results_are_kept():
    assert trees(3, [(0, 1), (1, 2)], kept={1}) == ((0, 1), (2,))


def test_no_path_leaves_a_group_and_comes_back():
    # 0 would join 3, but 1 must come after 0 and before 3
    assert trees(4, [(0, 3)], [(0, 1), (1, 3)]) == ((0,), (1,), (2,), (3,))
    assert trees(4, [(0, 3), (1, 3)], [(0, 1)]) == ((0, 1, 3), (2,))


def test_groups_have_a_limit():
    chain = [(n, n + 1) for n in range(9)]
    assert trees(10, chain, most=4) == ((0, 1), (2, 3, 4, 5), (6, 7, 8, 9))


def test_order_of_random_graphs():
    for seed in range(20):
        rng = random.Random(seed)
        pairs = [sorted(rng.sample(range(30), 2)) for _ in range(50)]
        edges = [(a, b) for a, b in pairs]
        groups = trees(30, edges[:30], edges[30:], most=6)
        place = {node: n for n, nodes in enumerate(groups) for node in nodes}
        assert sorted(place) == list(range(30))
        assert all(place[a] <= place[b] for a, b in edges)
        assert max(map(len, groups)) <= 6
