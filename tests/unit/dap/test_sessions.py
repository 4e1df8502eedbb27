"""Sessions with every request, for programs of each instruction set."""

from __future__ import annotations

import pytest

from dap_client import ProcessClient
from dap_tours import Tour, tours

TOURS = tours()


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: tour.name)
def test_every_request(tour: Tour):
    client = tour.record()
    assert client.requests >= 40


def test_a_process_answers_the_same():
    tour = TOURS[0]
    with ProcessClient() as client:
        tour.record(client)
        assert client.process.wait() == 0
    assert [each["type"] for each in client.messages] == [each["type"] for each in tour.record().messages]
