"""A save in words, for the title and the list of saves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from runner.saves import SaveInfo
from runner.terminal import clean

OVER = {"victory": "won", "defeat": "lost", "neutral": "ended", "death": "died", "done": "over", "stuck": "stuck"}


def save_words(save: SaveInfo, now: datetime | None = None) -> tuple[str, str]:
    """(title, where it stands and when it was played)."""
    title = clean(save.title) or save.name
    parts = []
    if save.kind == "encounter":
        parts.append("encounter")
    elif save.chapter is not None:
        parts.append(f"chapter {save.chapter}, card {clean(str(save.card).rpartition(':')[2])}")
    if save.over:
        parts.append(OVER.get(save.over, save.over))
    if save.state != "ok":
        parts.append({"newer": "of a later version"}.get(save.state, save.state))
    parts.append(ago(save.played, now))
    return title, " · ".join(part for part in parts if part)


def ago(played: str, now: datetime | None = None) -> str:
    """``just now``, ``3 hours ago``, ``yesterday``, or a date, from an ISO 8601 time in UTC."""
    try:
        then = datetime.strptime(played, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        return ""
    since = (now or datetime.now(UTC)) - then
    if since < timedelta(minutes=2):
        return "just now"
    if since < timedelta(hours=1):
        return f"{int(since.total_seconds() // 60)} minutes ago"
    if since < timedelta(hours=24):
        hours = int(since.total_seconds() // 3600)
        return f"{hours} hour{'s' * (hours != 1)} ago"
    if since < timedelta(days=2):
        return "yesterday"
    return f"{since.days} days ago" if since.days < 14 else then.strftime("%Y-%m-%d")
