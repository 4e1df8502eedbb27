"""Who may talk to the server."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import InvalidStatus

from lanewise_studio import app
from lanewise_studio.keys import Keys, LaunchFile

if TYPE_CHECKING:
    from pages import Running


def get(running: Running, path: str, method: str = "GET", body: str = "", **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection("127.0.0.1", running.port, timeout=60)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body or None, headers=named)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, {name.lower(): value for name, value in response.getheaders()}, content


def link(running: Running) -> str:
    """A new link, without the part that names the server."""
    return running.guard.link().removeprefix(running.origin)


def test_a_key_becomes_a_cookie_of_this_address_once(running: Running) -> None:
    entering = link(running)
    status, headers, content = get(running, entering)
    assert status == 200 and b'content="0;url=/"' in content
    cookie, *parts = [part.strip() for part in headers["set-cookie"].split(";")]
    assert cookie == running.cookie and {part.lower() for part in parts} == {"httponly", "samesite=strict", "path=/"}
    assert running.token not in entering and running.token.encode() not in content
    assert get(running, entering)[0] == 403
    status, headers, content = get(running, "/", Cookie=cookie)
    assert status == 200 and b"<title>page</title>" in content
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["cache-control"] == "no-store"


def test_the_form_of_the_private_file_lets_in_once(running: Running) -> None:
    """It is posted by a page of no origin."""
    form = link(running).partition("?")[2]
    headers = {"Origin": "null", "Sec_Fetch_Site": "cross-site", "Content_Type": "application/x-www-form-urlencoded"}
    assert get(running, "/enter", "POST", "x" * 5000 + "&" + form, **headers)[0] == 403
    assert get(running, "/enter", "POST", form, **headers)[1]["set-cookie"].startswith(running.cookie)
    assert get(running, "/enter", "POST", form, **headers)[0] == 403


def test_what_is_opened_is_behind_the_key(running: Running) -> None:
    guard = running.guard
    guard.state = 'jd-_9"><script>'
    try:
        assert b'url=/#jd-_9%22%3E%3Cscript%3E">' in get(running, link(running))[2]
    finally:
        guard.state = ""


def test_a_guess_of_a_browser_or_another_name_takes_no_key(running: Running) -> None:
    entering = link(running)
    assert get(running, entering, Sec_Purpose="prefetch;prerender")[0] == 403
    assert get(running, entering, Host="studio.example")[0] == 403
    assert get(running, entering, "HEAD")[0] == 403
    assert get(running, "/enter?key=other")[0] == get(running, "/enter")[0] == 403
    assert get(running, entering)[0] == 200


def test_keys_die_after_a_while() -> None:
    now = [100.0]
    keys = Keys(lambda: now[0])
    first, second, used = keys.issue(10), keys.issue(20), threading.Event()
    assert first != second
    now[0] = 115.0
    third = keys.issue(10, used.set)
    assert not keys.take(first) and keys.take(second) and not keys.take(second)
    assert not used.is_set() and keys.take(third) and used.is_set()


def test_each_line_of_the_terminal_gives_another_link(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"\n")
    os.close(writing)
    links: list[str] = []
    with os.fdopen(reading) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        app.more(running.guard, links.append)
    [other] = links
    assert get(running, other.removeprefix(running.origin))[0] == 200


def test_the_private_file_is_private() -> None:
    keys = Keys()
    file = LaunchFile(keys, "http://127.0.0.1:1")
    try:
        key = re.findall(r'name="key" value="([\w-]+)"', file.path.read_text())[0]
        assert key not in str(file.path)
        if os.name == "posix":
            assert file.path.stat().st_mode & 0o777 == 0o600 and file.path.parent.stat().st_mode & 0o777 == 0o700
        assert keys.take(key) and file.used.is_set()
    finally:
        file.remove()
    assert not file.path.parent.exists()


@pytest.mark.parametrize("path", ["/", "/assets/main.js", "/frame/name", "/room", "/lsp", "/anything"])
def test_nothing_is_served_without_the_cookie(running: Running, path: str) -> None:
    assert get(running, path)[0] == 403
    assert get(running, path, Cookie=f"lanewise-studio-{running.port}=other")[0] == 403
    for name in ("token", "key"):
        assert get(running, f"{path}?{name}={running.token}")[0] == 403
    assert get(running, path + "?" + link(running).partition("?")[2])[0] == 403


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
