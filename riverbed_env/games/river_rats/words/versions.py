"""The versions of River Rats: a new one when rules, actions, observations or rewards change, not when speed does."""

from riverbed_env.core.card import VersionNote

VERSION_HISTORY = (VersionNote(0, "first version"),)
