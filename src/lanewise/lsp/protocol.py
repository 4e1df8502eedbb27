"""Messages as they come from a client: each that wants an answer gets one, also where it does not fit the protocol."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, cast

from cattrs import transform_error
from cattrs.errors import BaseValidationError
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

from lanewise.core.diagnostics import visible

if TYPE_CHECKING:
    from pygls.protocol.json_rpc import RPCMessage

_log = logging.getLogger(__name__)
_SHOWN = 200  # characters of what is wrong with a message
# Nobody answers them. `exit` with a number ends the server all the same.
_NOTIFICATIONS = {method for method, types in t.METHOD_TO_TYPES.items() if not types[1]} - {t.EXIT}


class Protocol(LanguageServerProtocol):
    """The protocol of pygls, which is silent about requests that it cannot read, and reads objects inside of parameters as
    messages."""

    _begun = False  # whether the client has sent `initialize`

    def structure_message(self, data: dict[str, Any]) -> dict[str, Any]:
        """Each object of a message as JSON has it: `handle_message` reads the whole."""
        return data

    def handle_message(self, message: RPCMessage | dict[str, Any]) -> None:
        """Read a message and do what it says."""
        found = self._read(cast("object", message))
        if found is not None:
            super().handle_message(found)

    def refuse(self, number: int | str | None, code: int, text: str) -> None:
        """Answer with an error; without a number for what cannot even be read as a message."""
        self._send_data({"jsonrpc": self.VERSION, "id": number, "error": t.ResponseError(code, f"lanewise: {visible(text)}")})

    def _read(self, message: object) -> Any:
        """A message with its type; None for one that has been answered with an error."""
        table = cast("dict[str, Any]", message) if isinstance(message, dict) else {}
        number: Any = table.get("id")
        method = table.get("method", "")
        asks = "method" in table and "id" in table
        is_one = table.get("jsonrpc") == self.VERSION and ("method" in table or "id" in table)
        if not is_one or not isinstance(method, str) or isinstance(number, (bool, float, list, dict)):
            known = number if isinstance(number, str) or (isinstance(number, int) and not isinstance(number, bool)) else None
            return self.refuse(
                known, t.ErrorCodes.InvalidRequest, "a message is a JSON object with jsonrpc 2.0, an id, a method and params"
            )
        if not self._begun and method and method not in ("initialize", "exit"):
            if asks:
                self.refuse(number, t.ErrorCodes.ServerNotInitialized, f"{method}: send `initialize` first")
            return None
        if asks and self._shutdown:
            return self.refuse(number, t.ErrorCodes.InvalidRequest, f"{method}: the server has been shut down")
        if "method" not in table and number not in self._result_types:  # pygls keeps what it asks beside what it is asked
            _log.warning("an answer to a request that was not made: %r", number)
            return None
        if asks and method in _NOTIFICATIONS:
            return self.refuse(number, t.ErrorCodes.InvalidRequest, f"{method} is a notification: leave out its id")
        if method and self.get_message_type(method) is None:  # of another protocol: its parameters may be left out
            table = {key: table.get(key) for key in ("jsonrpc", *(("id",) if asks else ()), "method", "params")}
        try:
            found = super().structure_message(table)
            self._begun = self._begun or method == "initialize"
            return found
        except JsonRpcException as error:
            cause = error.__cause__
            listed = transform_error(cause, path="") if isinstance(cause, BaseValidationError) else [str(cause)]
            text = f"{method or 'answer'}: {'; '.join(listed)[:_SHOWN]}"
            if asks:
                self.refuse(number, t.ErrorCodes.InvalidParams, text)
            elif "method" not in table and number is not None:  # those who wait for this answer go on
                self._handle_response(number, None, t.ResponseError(t.ErrorCodes.InvalidParams, text))
            return None


__all__ = ["Protocol"]
