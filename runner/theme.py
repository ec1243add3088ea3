"""The colours: two themes to live in and one of high contrast. A colour never stands without its word or shape."""

from __future__ import annotations

from textual.theme import Theme

CHAPTER_COLOURS = 6
"""After so many chapters the frames begin again with the first colour."""

_LAGOON = {
    "physical": "#f0924a",
    "mental": "#74b3ff",
    "critical": "#ab9cc4",
    "wound": "#ef6f78",
    "ap": "#f2c45a",
    "food": "#9ccf7a",
    "hero": "#ffe2a6",
    "foe": "#f3ece0",
    "terrain": "#a9b6a2",
    "ground": "#22302f",
    "hero-ground": "#1d3d45",
    "lit": "#2c4550",
    "lit-strong": "#3f6573",
    "row": "#1f3640",
    "frame": "#4d6a74",
    "card": "#152a33",
    "panel-ground": "#1b333d",
    "chapter-1": "#56b8ac",
    "chapter-2": "#d9a646",
    "chapter-3": "#d57b66",
    "chapter-4": "#98a4ec",
    "chapter-5": "#98bd62",
    "chapter-6": "#cd86b8",
    "text-muted": "#8ba1a8",
    "border-blurred": "#4d6a74",
}

_PAPER = {
    "physical": "#a84a10",
    "mental": "#1c5aa6",
    "critical": "#3a2c47",
    "wound": "#b0222f",
    "ap": "#7d5600",
    "food": "#3f6d1c",
    "hero": "#123f49",
    "foe": "#2a2118",
    "terrain": "#55604a",
    "ground": "#e3e1cf",
    "hero-ground": "#d5e6e4",
    "lit": "#f3e2b4",
    "lit-strong": "#ecc96f",
    "row": "#ece3cd",
    "frame": "#9c9078",
    "card": "#fdfaf2",
    "panel-ground": "#fffdf6",
    "chapter-1": "#1f7a70",
    "chapter-2": "#8f6a12",
    "chapter-3": "#a54631",
    "chapter-4": "#4651a8",
    "chapter-5": "#4f7520",
    "chapter-6": "#8c3f76",
    "text-muted": "#6d6553",
    "border-blurred": "#9c9078",
}

_CONTRAST = _LAGOON | {
    "physical": "#ffa04d",
    "mental": "#8cc4ff",
    "critical": "#d8ccff",
    "wound": "#ff8088",
    "ap": "#ffe066",
    "foe": "#ffffff",
    "terrain": "#d0d8c8",
    "ground": "#303030",
    "hero-ground": "#003f5c",
    "lit": "#3a3a00",
    "lit-strong": "#6b6b00",
    "row": "#303030",
    "frame": "#b0b0b0",
    "card": "#000000",
    "panel-ground": "#101010",
    "text-muted": "#c0c0c0",
}

DEFAULT_VARIABLES = _LAGOON
"""What styles may name whatever theme is on."""


def themes() -> tuple[Theme, ...]:
    """The themes, by the names that the options know."""
    return (
        Theme(
            name="lagoon",
            primary="#56b8ac",
            secondary="#74b3ff",
            accent="#f2c45a",
            warning="#f0924a",
            error="#ef6f78",
            success="#9ccf7a",
            foreground="#e9e4d8",
            background="#0d1b21",
            surface="#10222a",
            panel="#1b333d",
            dark=True,
            variables=_LAGOON,
        ),
        Theme(
            name="paper",
            primary="#1f7a70",
            secondary="#1c5aa6",
            accent="#8a5a00",
            warning="#a84a10",
            error="#b0222f",
            success="#3f6d1c",
            foreground="#2a2721",
            background="#f3eddf",
            surface="#f7f2e6",
            panel="#e9e1cf",
            dark=False,
            variables=_PAPER,
        ),
        Theme(
            name="contrast",
            primary="#7ff0e0",
            secondary="#8cc4ff",
            accent="#ffe066",
            warning="#ffa04d",
            error="#ff8088",
            success="#b8f28c",
            foreground="#ffffff",
            background="#000000",
            surface="#000000",
            panel="#101010",
            dark=True,
            variables=_CONTRAST,
        ),
    )
