"""A language server in this process that is sent messages, as texts."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from lanewise.lsp.features import wire
from lanewise.lsp.server import Host, Server

if TYPE_CHECKING:
    from collections.abc import Sequence

    Message = dict[str, Any]

INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {"workspace": {"configuration": True}}}


class Sent(list["Message"]):
    """What the server writes."""

    def write(self, data: bytes) -> None:
        self.append(json.loads(data))

    def close(self) -> None:
        pass


def talk(messages: Sequence[str], answer: object = (), host: Host | None = None) -> Sent:
    """Everything that a server writes until it has settled, given texts of messages one after the other. What it asks gets
    `answer`."""
    sent = Sent()

    async def run() -> None:
        server = Server(host or Host(), "1")
        wire(server)
        server.protocol.set_writer(sent, include_headers=False)  # pyright: ignore[reportUnknownMemberType]

        def put(text: str) -> None:
            try:
                server.protocol.handle_message(json.loads(text, object_hook=server.protocol.structure_message))  # pyright: ignore[reportUnknownMemberType]
            except Exception as error:
                server.report_server_error(error, JsonRpcException)

        seen = 0
        waiting = [*messages]
        while waiting or len(asyncio.all_tasks()) > 1 or seen < len(sent):
            if waiting:
                put(waiting.pop(0))
            asked = [each["id"] for each in sent[seen:] if "method" in each and "id" in each]
            waiting += [json.dumps({"jsonrpc": "2.0", "id": number, "result": answer}) for number in asked]
            seen = len(sent)
            await asyncio.sleep(0 if waiting else 0.001)
        server.shutdown()

    asyncio.run(run())
    return sent


def message(method: str, params: object, number: object = None) -> str:
    return json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **({} if number is None else {"id": number})})


__all__ = ["INITIALIZE", "Sent", "message", "talk"]
