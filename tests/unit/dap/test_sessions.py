"""Sessions with every request, for programs of each instruction set."""

from __future__ import annotations

from typing import Any

import pytest

from dap_client import Client, ProcessClient
from dap_tours import Tour, tours

TOURS = tours()


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: tour.name)
def test_every_request(tour: Tour):
    client = tour.record()
    assert client.requests >= 40


def test_a_process_answers_the_same():
    tour = TOURS[0]
    found: list[list[dict[str, Any]]] = []
    with ProcessClient() as process:
        for client in (process, Client()):
            client.request("initialize")
            client.request("launch", **tour.launch)
            client.move("configurationDone")
            client.move("next", threadId=1)
            client.move("stepBack", threadId=1)
            client.request("threads")
            client.request("disconnect")
            found.append(client.messages)
        assert process.process.wait() == 0
    assert found[0] == found[1]
