"""What the player has set in the options: kept in one small file in the platform's configuration folder."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

THEMES = ("lagoon", "paper", "contrast")
DICE = ("app", "mine")
DETAILS = ("steps", "turns")
"""``steps``: enemy turns are told step by step; ``turns``: everything up to the next decision at once."""


@dataclass
class Preferences:
    """The options, with what they are when nothing was set."""

    theme: str = "lagoon"
    animation: bool = True
    dice: str = "app"
    detail: str = "steps"
    rules: bool = True
    """Show beside each sentence the rule that decides it."""


ALLOWED: dict[str, tuple[Any, ...]] = {
    "theme": THEMES,
    "animation": (True, False),
    "dice": DICE,
    "detail": DETAILS,
    "rules": (True, False),
}


def config_folder() -> Path:
    """Where the options are kept; ``CARDWALK_CONFIG_DIR`` overrides the platform's place."""
    override = os.environ.get("CARDWALK_CONFIG_DIR")
    if override:
        return Path(override)
    from platformdirs import user_config_path

    return user_config_path("cardwalk", appauthor=False)


def load_preferences() -> Preferences:
    """The options as they were left; whatever cannot be read or is not allowed has its default."""
    try:
        kept = json.loads((config_folder() / "options.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Preferences()
    if not isinstance(kept, dict):
        return Preferences()
    known = {field.name for field in fields(Preferences)}
    return Preferences(**{name: value for name, value in kept.items() if name in known and value in ALLOWED[name]})


def save_preferences(preferences: Preferences) -> str:
    """Keep the options; returns why they could not be kept, or nothing."""
    try:
        folder = config_folder()
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / "options.json.part"
        part.write_text(json.dumps(asdict(preferences), indent=1) + "\n", encoding="utf-8")
        part.replace(folder / "options.json")
    except OSError as error:
        return f"The options could not be kept: {error.strerror or error}."
    return ""
