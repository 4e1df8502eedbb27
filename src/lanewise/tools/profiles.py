"""Options that choose a profile, for every command whose answer depends on one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.tools.console import UsageError

if TYPE_CHECKING:
    import argparse

    from lanewise.pica200.sem.profile import Profile


def add_profile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", metavar="NAME", help="the rules to go by: hardware (default), azahar or panda3ds")
    parser.add_argument(
        "--set", action="append", default=[], metavar="FIELD=VALUE", help="one rule of the profile, such as rounding=nearest"
    )


def profile_of(options: argparse.Namespace) -> Profile:
    """The profile of the command line. Raises UsageError."""
    from lanewise.pica200.sem.profile import find_profile

    try:
        profile = find_profile(options.profile)
        for setting in options.set:
            profile = profile.set(setting)
    except ValueError as error:
        raise UsageError(str(error)) from None
    return profile
