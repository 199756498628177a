"""Profiles: settings of a client that have a name, in a file of the user."""

from .choice import PROFILE, chosen_profile, connection_of
from .file import CONFIG, ProfileFile, config_path
from .profile import Profile

__all__ = ("CONFIG", "PROFILE", "Profile", "ProfileFile", "chosen_profile", "config_path", "connection_of")
