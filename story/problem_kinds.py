"""What each id of a problem stands for: what a sound deck does, and why it matters.

The checks of ``story.checks`` say it themselves; here are the ids of reading a file and of the format.
"""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of problem: how things should be, in one line, and why."""

    title: str
    why: str


_SYNTAX = "Nothing behind the place can be read with any certainty, so the rest of the file goes unexamined."
_PLAIN_DATA = "A deck is plain data that reads the same for its author, every editor and the program."
_ONE_MEANING = "Two readings are possible, and the program will not choose between them."
_UNPLAYED = "What has no meaning to the program would be passed over in silence when the deck is played."

FORMAT_KINDS: dict[str, Kind] = {
    # files
    "deck-not-found": Kind("The deck that is named is there", "There is nothing to examine or to play."),
    "file-missing": Kind("Every file that a campaign lists is there", "Its cards would be missing from the game."),
    "file-unreadable": Kind("Every deck file can be opened", "Its cards would be missing from the game."),
    "file-too-large": Kind("A deck file is no larger than 16 MiB", "A whole novel takes a tenth of that."),
    "encoding": Kind("A deck file is text in UTF-8", "In any other encoding letters turn into other letters."),
    "empty-file": Kind("A deck file holds something", "An empty file defines no card."),
    "bad-path": Kind("A file is named relative to the deck", "A deck travels: paths out of its folder do not."),
    "art-missing": Kind("Every art file that a card names is there", "The card would be shown without its picture."),
    "bad-art": Kind("Art is plain text of 64 KiB at most", "Control characters could take over a terminal."),
    # YAML
    "yaml-syntax": Kind("A deck file is YAML", _SYNTAX),
    "nesting": Kind("Lists and mappings are nested 64 deep at most", "No story needs it, and no reader follows it."),
    "multiple-documents": Kind("One file is one deck", "What stands behind the second --- would never be read."),
    "alias": Kind("No YAML aliases", _PLAIN_DATA),
    "anchor": Kind("No YAML anchors", _PLAIN_DATA),
    "tag": Kind("No YAML tags", _PLAIN_DATA),
    "directive": Kind("No YAML directives", _PLAIN_DATA),
    "merge-key": Kind("No YAML merge keys", _PLAIN_DATA),
    "tab": Kind("Spaces, not tabs", "A tab has another width in every editor; YAML forbids it in an indentation."),
    "control-character": Kind("Texts hold no control characters", "They could move the cursor or hide words."),
    "bad-key": Kind("A key is a word or a number", _PLAIN_DATA),
    "duplicate-key": Kind("Each key stands once in its mapping", _ONE_MEANING),
    # decks and cards
    "unknown-format": Kind("A deck file begins with format: cardwalk/1", "It says which rules the file is read by."),
    "unknown-kind": Kind("The kind of a deck is one that there is", "The kind decides how every card is read."),
    "wrong-kind": Kind("A deck stands where its kind belongs", "Chapters are read in order, other decks by name."),
    "chapter-number": Kind("Chapters are numbered in the order of the campaign", "Checkpoints are named by them."),
    "duplicate-chapter": Kind("Each chapter has a number of its own", _ONE_MEANING),
    "duplicate-deck": Kind("Each deck is listed once and has an id of its own", _ONE_MEANING),
    "duplicate-card": Kind("Each card has a number or an id of its own", _ONE_MEANING),
    "reserved-id": Kind("A food or counter takes no name that has a meaning already", _ONE_MEANING),
    "bad-id": Kind("An id is lower-case words joined by hyphens", "Saves and logs write ids as they stand."),
    # keys and values
    "unknown-key": Kind("Every key has a meaning at its place", _UNPLAYED),
    "missing-key": Kind("Nothing that is needed is left out", "There is no default that would suit every story."),
    "wrong-type": Kind("Each value is of the kind its key takes", _UNPLAYED),
    "unknown-word": Kind("Each word is one that its key knows", _UNPLAYED),
    "bad-number": Kind("A number is plain digits", "YAML's readers disagree about 014, 1_000 and 1:30."),
    "out-of-range": Kind("Numbers lie within their bounds", "Beyond them the rules have no answer."),
    "empty-text": Kind("A text says something", "An empty line on the screen looks like a mistake, and is one."),
    "empty-list": Kind("A list holds something", "A choice of nothing is no choice."),
    "empty-mapping": Kind("A mapping holds something", _UNPLAYED),
    "html": Kind("Texts are Markdown without HTML", "A terminal shows tags as they are written."),
    # steps
    "empty-step": Kind("A step has a verb", "A step without one does nothing."),
    "two-verbs": Kind("A step has one verb", "Nobody can say which of two comes first."),
    "unknown-verb": Kind("The verb of a step is one that there is", _UNPLAYED),
    "not-on-playfield": Kind("On a playfield only its own verbs are used", "There is no card to be turned there."),
    "challenge-empty": Kind("A challenge has an outcome", "Dice whose fall changes nothing are mere noise."),
    "chart-range": Kind("A chart covers every face of its die once", "A roll without a row would stop the game."),
    "same-words": Kind("No two options of a choice say the same", "A save could not tell them apart."),
    # the playfield
    "bad-space": Kind("A space is a number from 1 to 15", "The playfield has no others."),
    "bad-place": Kind("A piece is placed by the die or on a space", "There is no third way."),
    "duplicate-space": Kind("A space is named once", _ONE_MEANING),
    "duration": Kind("An encounter lasts 1 to 999 rounds", "It has to begin, and it has to end."),
    "hero-not-placed": Kind("The hero stands somewhere", "She cannot be hit, or win, off the playfield."),
    "space-and-place": Kind("A piece has one place", _ONE_MEANING),
    "card-and-draw": Kind("A piece is either named or drawn", _ONE_MEANING),
    "draw-with-space": Kind("A drawn piece is placed by the die", "Nobody knows beforehand what is drawn."),
    "crit-not-above-miss": Kind("The crit number is above the miss number", "One roll cannot be both."),
    "unknown-trait": Kind("Every trait is one that there is", _UNPLAYED),
    "duplicate-trait": Kind("A trait stands once", "Traits do not stack."),
    "unknown-immunity": Kind("Every immunity is one that there is", _UNPLAYED),
    "unknown-effect": Kind("Every effect of an action is one that there is", _UNPLAYED),
    "duplicate-effect": Kind("An effect stands once", _ONE_MEANING),
    "two-keys-in-when": Kind("An instance waits for one event", _ONE_MEANING),
    "instead-without-defeat": Kind('"instead" belongs to a defeat', "There is no reward to replace otherwise."),
    "never-happens": Kind("An instance can happen", "Its effects would never come."),
    "ap-lost": Kind("AP are gained when they can be spent", "At the end of a round they are reset at once."),
}
