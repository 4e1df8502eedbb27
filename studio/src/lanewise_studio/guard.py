"""Who may talk to the server: pages that it served itself, on this machine, with its token."""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse, RedirectResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST = "127.0.0.1"
_NAMES = (HOST, "localhost")
_REFUSED = "Open the address that `lanewise studio` printed: it holds the key of this session. A link of another session: lanewise studio --link 'LINK'"


class Guard:
    """An ASGI application in front of another: it checks Host, Origin and token of every request and of both sockets, and adds the headers of every answer.

    A browser sends the cookie only to pages of this address (SameSite=Strict), and names the origin of a socket truthfully; a name that another site points to
    127.0.0.1 is not among the hosts.
    """

    def __init__(self, app: ASGIApp, port: int, token: str = "") -> None:
        self.app, self.port = app, port
        self.token = token or secrets.token_urlsafe(32)
        self.cookie = f"lanewise-studio-{port}"
        self.hosts = tuple([f"{name}:{port}" for name in _NAMES])
        self.origins = tuple([f"http://{host}" for host in self.hosts])

    @property
    def address(self) -> str:
        """What is opened in a browser."""
        return f"http://{HOST}:{self.port}/?token={self.token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = _headers(scope)
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        known = self._same(given)
        if self._is_foreign(scope["type"], headers) or not (known or self._same(self._cookie(headers))):
            await _refuse(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        if known and scope["path"] == "/":
            response = RedirectResponse("/", 303)
            response.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
            await response(scope, receive, self._with_headers(send))
            return
        await self.app(scope, receive, self._with_headers(send))

    def _is_foreign(self, kind: str, headers: dict[str, list[str]]) -> bool:
        """Whether a request is for another name, or comes from a page of another origin."""
        origins = headers.get("origin", [])
        sites = headers.get("sec-fetch-site", [])
        return (
            len(headers.get("host", [])) != 1
            or headers["host"][0] not in self.hosts
            or any(origin not in self.origins for origin in origins)
            or (kind == "websocket" and not origins)
            or any(site not in ("same-origin", "none") for site in sites)
        )

    def _cookie(self, headers: dict[str, list[str]]) -> str:
        jar = SimpleCookie()
        try:
            for line in headers.get("cookie", []):
                jar.load(line)
        except CookieError:
            return ""
        found = jar.get(self.cookie)
        return found.value if found is not None else ""

    def _same(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.token.encode())

    def _with_headers(self, send: Send) -> Send:
        sockets = " ".join([f"ws://{host}" for host in self.hosts])
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; "
            f"worker-src 'self' blob:; connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        more = {
            "content-security-policy": policy,
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "referrer-policy": "no-referrer",
            "x-content-type-options": "nosniff",
            "cache-control": "no-store",
        }

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *[(name, value) for name, value in message["headers"] if name.decode("latin-1").lower() not in more],
                    *[(name.encode(), value.encode()) for name, value in more.items()],
                ]
            await send(message)

        return sent


def _headers(scope: Scope) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": "refused"})  # before it is accepted: the answer is 403
        return
    await PlainTextResponse(_REFUSED, 403)(scope, receive, send)


__all__ = ["HOST", "Guard"]
