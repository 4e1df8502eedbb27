"""The README's command for the tests needs no program but the interpreter, `sh` and coreutils: in CI no other is on PATH."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from installed import PACKAGES

# The programs of GNU coreutils 9.
COREUTILS = """[ arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp csplit cut date dd \
df dir dircolors dirname du echo env expand
expr factor false fmt fold groups head hostid id install join link ln logname ls md5sum mkdir mkfifo mknod mktemp mv nice nl \
nohup nproc numfmt od paste pathchk
pinky pr printenv printf ptx pwd readlink realpath rm rmdir runcon seq sha1sum sha224sum sha256sum sha384sum sha512sum shred \
shuf sleep sort split stat stdbuf
stty sum sync tac tail tee test timeout touch tr true truncate tsort tty uname unexpand uniq unlink users vdir wc who whoami \
yes"""


def others(path: str) -> list[str]:
    """The programs on a PATH that a machine with only Python does not have."""
    found: set[str] = set()
    for folder in map(Path, path.split(os.pathsep)):
        if folder.is_dir():
            found |= {each.name for each in folder.iterdir() if os.access(each, os.X_OK) and not each.is_dir()}
    return sorted(name for name in found - {*COREUTILS.split(), "sh"} if not name.startswith("python"))


@pytest.mark.skipif(os.environ.get("CI", "") in ("", "false"), reason="not in CI: the PATH of .ci/run is checked there")
def test_nothing_else_is_on_path():
    assert others(os.environ.get("PATH", "")) == []


def test_others_are_seen(tmp_path: Path):
    for name in (*PACKAGES, "sh", "python3", "python3.14", "ls", "notes"):
        (tmp_path / name).touch(mode=0o644 if name == "notes" else 0o755)
    assert others(os.pathsep.join([str(tmp_path / "none"), str(tmp_path)])) == sorted(PACKAGES)
