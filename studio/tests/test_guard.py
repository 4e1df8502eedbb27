"""Who may talk to the server."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import InvalidStatus

if TYPE_CHECKING:
    from pages import Running


def get(running: Running, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection("127.0.0.1", running.port, timeout=60)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", path, headers=named)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, {name.lower(): value for name, value in response.getheaders()}, content


def test_the_token_becomes_a_cookie_of_this_address_only(running: Running) -> None:
    status, headers, _ = get(running, f"/?token={running.token}")
    assert (status, headers["location"]) == (303, "/")
    parts = {part.strip().lower() for part in headers["set-cookie"].split(";")[1:]}
    assert parts == {"httponly", "samesite=strict", "path=/"}
    status, headers, content = get(running, "/", Cookie=running.cookie)
    assert status == 200 and b"<title>page</title>" in content
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/assets/main.js", "/frame/name", "/room", "/lsp", "/anything"])
def test_nothing_is_served_without_the_token(running: Running, path: str) -> None:
    assert get(running, path)[0] == 403
    assert get(running, path, Cookie=f"lanewise-studio-{running.port}=other")[0] == 403
    assert get(running, f"{path}?token=other")[0] == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "studio.example"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:1"},
        {"Origin": "http://studio.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_other_names_and_origins_are_refused(running: Running, headers: dict[str, str]) -> None:
    assert get(running, "/", Cookie=running.cookie, **headers)[0] == 403


def test_the_page_and_its_files_and_nothing_else(running: Running) -> None:
    assert get(running, "/assets/main.js", Cookie=running.cookie, Origin=running.origin)[0] == 200
    assert get(running, "/", Cookie=running.cookie, Host=f"localhost:{running.port}")[0] == 200
    for path in ("/assets/../app.py", "/assets/%2e%2e/index.html", "/index.html", "/etc/passwd"):
        assert get(running, path, Cookie=running.cookie)[0] == 404


@pytest.mark.parametrize("path", ["/room", "/lsp"])
def test_sockets_are_for_the_page_only(running: Running, path: str) -> None:
    with pytest.raises(InvalidStatus) as found, running.connect(path, origin="http://studio.example"):
        pass
    assert found.value.response.status_code == 403
    for origin, cookie, host in ((None, "", ""), ("", None, ""), ("", "a=b", ""), ("", "", "studio.example")):
        with pytest.raises(InvalidStatus), running.connect(path, origin=origin, cookie=cookie, host=host):
            pass
    with running.connect(path) as socket:
        if path == "/room":
            assert "hello" in json.loads(socket.recv(timeout=60))
