"""Who may talk to the server: pages that it served itself, on this machine, with its cookie."""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote

from starlette.responses import HTMLResponse, PlainTextResponse

from lanewise_studio.connections import Connections
from lanewise_studio.keys import ENTER, PRINTED, Keys

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOST = "127.0.0.1"
_NAMES = (HOST, "localhost")
_MOST = 1 << 12  # bytes of the form that brings a key
_REFUSED = (
    "Open the link that `lanewise studio` printed: it is for one browser, once, for some minutes. Press Enter in that "
    "terminal for another link. A link to a program: lanewise studio --link 'LINK'"
)
_ENTERED = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>lanewise studio</title><meta http-equiv="refresh" '
    'content="0;url=/{fragment}"></html>'
)


class Guard:
    """An ASGI application in front of another: it checks Host, Origin and cookie of every request and of both sockets, and adds
    the headers of every answer.

    A key for one use is exchanged for the cookie at `/enter`: the cookie is in no address. A browser sends it only to pages of
    this machine (SameSite=Strict), and names the origin of a socket truthfully; a name that another site points to 127.0.0.1 is
    not among the hosts.
    """

    def __init__(self, app: ASGIApp, port: int, token: str = "", state: str = "") -> None:
        """`state` is opened by those who enter: the text of a link, or empty."""
        self.app, self.port, self.state = app, port, state
        self.token = token or secrets.token_urlsafe(32)
        self.cookie = f"lanewise-studio-{port}"
        self.hosts = tuple([f"{name}:{port}" for name in _NAMES])
        self.origins = tuple([f"http://{host}" for host in self.hosts])
        self.keys, self.connections = Keys(), Connections()

    @property
    def address(self) -> str:
        return self.origins[0]

    def link(self) -> str:
        """A new address that lets one browser in, once."""
        return f"{self.address}{ENTER}?key={self.keys.issue(PRINTED)}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = _headers(scope)
        if scope["type"] == "http" and scope["path"] == ENTER:
            await self._enter(scope, headers, receive, send)
        elif self._is_foreign(scope["type"], headers) or not self._same(self._cookie(headers)):
            await _refuse(scope, receive, send)
        else:
            self.connections.know(scope["client"])
            await self.app(scope, receive, send if scope["type"] == "websocket" else self._with_headers(send))

    async def _enter(self, scope: Scope, headers: dict[str, list[str]], receive: Receive, send: Send) -> None:
        """Exchange a key for the cookie. The page that says so goes on by itself: a browser sends the cookie only where one of
        our pages leads."""
        key = ""
        if headers.get("host", [""])[0] in self.hosts:
            if scope["method"] == "POST":
                key = _field(await _body(receive), "key")
            elif scope["method"] == "GET" and "sec-purpose" not in headers:  # a browser that guesses what is wanted next
                key = _field(scope.get("query_string", b""), "key")
        if not key or not self.keys.take(key):
            await _refuse(scope, receive, send)
            return
        response = HTMLResponse(_ENTERED.format(fragment=f"#{quote(self.state)}" if self.state else ""))
        response.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
        await response(scope, receive, self._with_headers(send))

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
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src "
            f"'self'; worker-src 'self' blob:; connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'"
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


async def _body(receive: Receive) -> bytes:
    """The body of a request; empty for one that is too long or does not come."""
    found = b""
    while len(found) <= _MOST:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        found += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return found if len(found) <= _MOST else b""


def _field(form: bytes, name: str) -> str:
    try:
        return parse_qs(form.decode("latin-1"), max_num_fields=8).get(name, [""])[0]
    except ValueError:
        return ""


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": "refused"})  # before it is accepted: the answer is 403
        return
    await PlainTextResponse(_REFUSED, 403)(scope, receive, send)


__all__ = ["HOST", "Guard"]
