"""The one door for bytes that leave: all files of a command are written whole, or none of them.

Links are followed only where the user sees it: a link whose end lies in its own folder stays a link and its end is replaced;
one that leaves its folder or ends nowhere is refused, unless `force`. All functions raise OSError with one sentence in
`strerror` and the path as it was given in `filename`.
"""

from __future__ import annotations

import os
import stat
from errno import EINVAL, ENXIO

from lanewise.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import BinaryIO

STDIO = "-"
_EXCLUSIVE = os.O_CREAT | os.O_EXCL  # a file or link of that name, planted by another user, is not written to


def write(path: str | os.PathLike[str], data: bytes, *, force: bool | None = None) -> None:
    """Write one file; see `write_files`."""
    write_files([(os.fspath(path), data)], force=force)


def write_files(
    files: Iterable[tuple[str, bytes]],
    *,
    force: bool | None = None,
    in_place: bool = False,
    stdout: Callable[[bytes], None] | None = None,
) -> None:
    """Write all files whole, or none. Raises OSError.

    Each is written to a temporary file in its folder, and all are renamed at the end. An existing file keeps its mode, a device
    or a pipe that somebody reads is written to. A read-only file, or a link that leaves its folder, is kept unless `force`;
    None is for callers without such an option. `in_place`: the files were read by these names, so links are followed as they
    were then. `stdout` gets the data of `-`.
    """
    outputs = [_Output(path, data, stdout) for path, data in files]
    for output in outputs:
        output.look(force, in_place=in_place)
    try:
        for output in outputs:
            output.stage()
        for output in outputs:  # these cannot be taken back, so they come before what can
            output.send()
        several = sum(bool(output.temporary) for output in outputs) > 1
        for output in outputs:
            output.replace(keep=several)
    except BaseException:
        for output in outputs:
            output.undo()
        raise
    finally:
        for output in outputs:
            output.clean()


def open_new(path: str | os.PathLike[str], mode: int = 0o666) -> BinaryIO:
    """A new file, open for writing without a buffer, for logs and temporary files: nothing of that name may exist. Raises
    OSError."""
    return _opened(os.fspath(path), os.O_WRONLY | _EXCLUSIVE, mode)


def open_log(path: str | os.PathLike[str]) -> BinaryIO:
    """A log, open for writing without a buffer; one that is there is emptied. Raises OSError for what is not a regular file,
    and for links."""
    name = os.fspath(path)
    file = _opened(name, os.O_WRONLY | os.O_CREAT, 0o666)
    file.truncate(0)
    return file


def open_record(path: str | os.PathLike[str], *, new: bool) -> BinaryIO:
    """A record, open for reading and for writing at its end, without a buffer. `new`: nothing of that name may exist. Raises
    OSError, also for what is not a regular file, and for links."""
    return _opened(os.fspath(path), os.O_RDWR | os.O_APPEND | (_EXCLUSIVE if new else 0), 0o644)


def _opened(name: str, flags: int, mode: int) -> BinaryIO:
    """A regular file that is not a link, open as `flags` say."""
    for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, flag, 0)
    if os.path.islink(name):
        raise OSError(EINVAL, "it is a link: name the file itself", name)
    handle = os.open(name, flags, mode)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(EINVAL, "not a regular file", name)
        return open(handle, "r+b" if flags & os.O_RDWR else "wb", buffering=0)
    except BaseException:
        os.close(handle)
        raise


class _Output:
    """A file on its way to the disk. The steps raise OSError."""

    def __init__(self, path: str, data: bytes, stdout: Callable[[bytes], None] | None) -> None:
        self.path, self.data, self.stdout = path, data, stdout
        self.to_stdout = path == STDIO and stdout is not None
        self.target = path if self.to_stdout else os.path.realpath(path)
        self.mode: int | None = None  # of the regular file that is there
        self.special = self.to_stdout
        self.temporary = self.kept = ""
        self.replaced = False

    def look(self, force: bool | None, *, in_place: bool) -> None:
        """Find out what is there."""
        if self.to_stdout:
            return
        if os.name == "nt":
            from lanewise.core.paths import unwritable

            wrong = unwritable(self.path)
            if wrong:
                raise self.failure(wrong)
        if self.path.endswith(("/", os.sep)) or os.path.isdir(self.target):
            raise self.failure("it is a folder, expected a file")
        folder = os.path.dirname(self.target)
        if not force and not in_place:
            self._refuse_link(force)
        try:
            found = os.stat(self.path)  # not of the target: what /dev/stdout is may have no name
        except (FileNotFoundError, NotADirectoryError):
            if not force and ("\\" in self.path or not self.path.isprintable()):
                from lanewise.core.paths import misspelt

                if wrong := misspelt(self.path):
                    raise self.failure(wrong) from None
            if not os.path.isdir(folder):
                raise self.failure(f"folder not found: {os.path.dirname(self.path) or folder}; create it first") from None
            return
        except (OSError, ValueError) as error:
            raise self.failure(error) from None
        self.special = not stat.S_ISREG(found.st_mode)
        if self.special:
            return
        self.mode = stat.S_IMODE(found.st_mode)
        if not force and not (self.mode & 0o222 and os.access(self.target, os.W_OK)):
            raise self.failure(f"the file is read-only: {'make it writable' if force is None else 'use --force to replace it'}")

    def _refuse_link(self, force: bool | None) -> None:
        """Raise OSError for a link that ends elsewhere. Those of `/dev` and `/proc` are names of what this process has open."""
        if not os.path.islink(self.path) or self.path.startswith(("/dev/", "/proc/self/fd/")):
            return
        own = os.path.realpath(os.path.dirname(self.path) or ".")
        wrong = (
            "it is a link that leaves its folder"
            if os.path.dirname(self.target) != own
            else ""
            if os.path.lexists(self.target)
            else "it is a link to a file that does not exist"
        )
        if wrong:
            raise self.failure(f"{wrong}: name the file itself{'' if force is None else ', or use --force'}")

    def stage(self) -> None:
        if self.special:
            return
        # The name is short where that of the target is long.
        flags = os.O_WRONLY | _EXCLUSIVE | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        try:
            handle = -1
            while handle < 0:
                self.temporary = self._beside()
                try:
                    handle = os.open(self.temporary, flags, 0o666 if self.mode is None else 0o600)
                except FileExistsError:
                    self.temporary = ""
            with open(handle, "wb") as file:
                file.write(self.data)
            if self.mode is not None:
                os.chmod(self.temporary, self.mode)
        except (OSError, ValueError) as error:
            raise self.failure(error) from None

    def send(self) -> None:
        """Write to standard output, a device or a pipe."""
        if self.to_stdout and self.stdout is not None:
            self.stdout(self.data)
        elif self.special:
            try:
                with open(self.path, "wb", opener=_open_special) as file:
                    file.write(self.data)
            except (OSError, ValueError) as error:
                raise self.failure(error) from None

    def replace(self, *, keep: bool) -> None:
        """Give the new file its name; `keep` the old one until all are renamed."""
        if self.special:
            return
        if keep and self.mode is not None and hasattr(os, "link"):  # WebAssembly has no links
            try:
                kept = self._beside()
                os.link(self.target, kept)
                self.kept = kept
            except (OSError, NotImplementedError):  # a file system without links
                pass
        try:
            os.replace(self.temporary, self.target)
        except OSError as error:
            raise self.failure(error) from None
        self.temporary, self.replaced = "", True

    def undo(self) -> None:
        """Restore what was there."""
        if not self.replaced:
            return
        try:
            if self.kept:
                os.replace(self.kept, self.target)
                self.kept = ""
            elif self.mode is None:
                os.remove(self.target)
        except OSError:
            pass

    def clean(self) -> None:
        for name in (self.temporary, self.kept):
            try:
                if name:
                    os.remove(name)
            except OSError:
                pass

    def failure(self, why: str | OSError | ValueError) -> OSError:
        """The error about this output, of the same class as the system's."""
        if isinstance(why, OSError) and why.errno is not None:
            return OSError(why.errno, why.strerror or str(why), self.path)
        return OSError(EINVAL, str(why), self.path)

    def _beside(self) -> str:
        return os.path.join(os.path.dirname(self.target), f".lanewise-{os.urandom(8).hex()}.tmp")


def _open_special(path: str, flags: int) -> int:
    """Open a device or a pipe for writing; a pipe that nothing reads is an error, not a wait."""
    try:
        handle = os.open(path, (flags & ~(os.O_CREAT | os.O_TRUNC)) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
    except OSError as error:
        raise OSError(EINVAL, "nothing reads from it", path) if error.errno == ENXIO else error from None
    if hasattr(os, "O_NONBLOCK"):
        os.set_blocking(handle, True)
    return handle


__all__ = ["open_log", "open_new", "open_record", "write", "write_files"]
