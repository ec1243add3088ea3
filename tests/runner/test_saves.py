"""Saves: nothing is lost, nothing is overwritten, and an edited deck is followed as far as it fits."""

import json
from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runner import saves, shelf
from runner.games import GameError, new_game, resume_game
from runner.savefile import events_of, history_of, read
from runner.saves import SaveError
from story.problems import DeckError
from story.prompts import Over, Roll, answers

pytestmark = pytest.mark.usefixtures("data_folder")


def play(session, *choices):
    """Answer with ``choices``; rolls are rolled."""
    for choice in choices:
        session.answer(choice)
        while isinstance(session.prompt, Roll):
            session.roll()


def file_of(session):
    return saves.saves_folder() / f"{session.name}.jsonl"


@pytest.fixture
def saved(deck):
    """A game of the small campaign after some answers, closed; returns its name, state and number of answers."""
    session = new_game(deck, seed=3)
    play(session, "choose 1", "keep" if "keep" in answers_after(session, "choose 1") else "end")
    session.close()
    return session


def answers_after(session, choice):
    session.answer(choice)
    while isinstance(session.prompt, Roll):
        session.roll()
    offered = answers(session.prompt)
    session.undo()
    return offered


# -------------------------------------------------------------------- keeping and going on


def test_a_game_goes_on_exactly_where_it_stood(deck):
    session = new_game(deck, seed=3)
    play(session, "choose 1")
    session.undo()
    session.redo()
    session.close()
    again = resume_game()
    assert (again.name, again.state, again.prompt) == (session.name, session.state, session.prompt)
    assert again.answers == session.answers
    assert again.told() == session.told()
    assert again.notes == []
    again.close()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_save_and_load_give_the_same_prompt_whatever_was_done(deck, data):
    with closing(new_game(deck, seed=data.draw(st.integers(0, 999)))) as session:
        for _ in range(data.draw(st.integers(1, 20))):
            what = data.draw(st.sampled_from(["on", "on", "on", "on", "undo", "redo", "restart"]))
            prompt = session.prompt
            if what == "on" and isinstance(prompt, Roll):
                session.roll()
            elif what == "on" and not isinstance(prompt, Over):
                session.answer(data.draw(st.sampled_from(answers(prompt))))
            elif what == "undo":
                session.undo(data.draw(st.integers(1, 3)))
            elif what == "redo":
                session.redo()
            elif what == "restart":
                session.restart()
        short = history_of(events_of(session.history))
        assert (short.kept, short.restarts) == (session.history.kept, session.history.restarts)
        untouched = saves.listing()[0].answers == 0 and not file_of(session).read_bytes().count(b"\n") > 1
    if untouched:
        return
    with closing(resume_game(session.name)) as again:
        assert (again.state, again.prompt, again.history) == (session.state, session.prompt, session.history)


def test_every_answer_is_on_the_disk_before_the_next_question(deck):
    session = new_game(deck, seed=3)
    for n in range(1, 4):
        session.roll() if isinstance(session.prompt, Roll) else session.answer(answers(session.prompt)[0])
        assert len(read(file_of(session).read_bytes()).events) == n
    session.close()


def test_a_game_in_which_nothing_was_answered_leaves_no_save(deck):
    session = new_game(deck)
    assert file_of(session).exists()
    session.close()
    assert saves.listing() == []


def test_a_position_is_resumed_without_its_file(position):
    session = new_game(position, seed=5)
    play(session, "step 2")
    session.close()
    position.unlink()
    again = resume_game()
    assert again.state == session.state
    assert again.notes == []
    again.close()


def test_own_dice_are_remembered(deck):
    session = new_game(deck, mine=True)
    play(session)
    session.answer("choose 1")
    session.close()
    again = resume_game()
    assert again.mine
    again.use_own_dice(False)
    again.close()
    last = resume_game()
    assert not last.mine
    last.close()


def test_a_save_names_no_path(deck, tmp_path, position):
    for game in (deck, position):
        session = new_game(game, seed=3)
        session.roll() if isinstance(session.prompt, Roll) else session.answer(answers(session.prompt)[0])
        text = file_of(session).read_text(encoding="utf-8")
        assert str(tmp_path) not in text
        assert str(tmp_path.name) not in text
        session.close()


# -------------------------------------------------------------------- crashes and damage


def test_a_torn_last_line_is_cut_off_wherever_it_tears(deck):
    session = new_game(deck, seed=3)
    play(session, "choose 1")
    session.close()
    file = file_of(session)
    whole = file.read_bytes()
    start = whole[:-1].rfind(b"\n") + 1
    for cut in range(start + 1, len(whole) - 1):
        file.write_bytes(whole[:cut])
        again = resume_game()
        assert len(again.answers) == len(session.answers) - 1
        assert "cut off" in again.notes[0]
        again.close()
        assert file.read_bytes() == whole[:start]


def test_a_last_line_without_its_line_feed_counts(deck):
    session = new_game(deck, seed=3)
    play(session, "choose 1")
    session.close()
    file = file_of(session)
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    again = resume_game()
    assert (again.answers, again.notes) == (session.answers, [])
    again.close()
    assert file.read_bytes() == whole


@pytest.mark.parametrize(
    "bad", [b"\xff\x00rubbish", b'{"answer":7}', b'{"undo":-1}', b"[]", b'{"answer":"choose 1","by":"me"}', b""]
)
def test_a_damaged_line_is_named_and_the_whole_file_kept_aside(deck, data_folder, bad):
    session = new_game(deck, seed=3)
    play(session, "choose 1")
    session.close()
    file = file_of(session)
    lines = file.read_bytes().split(b"\n")
    lines[2] = bad
    damaged = b"\n".join(lines)
    file.write_bytes(damaged)
    assert saves.listing()[0].state == "damaged"
    again = resume_game(session.name)
    assert len(again.answers) == 1
    assert "Line 3" in again.notes[0]
    kept = data_folder / "saves" / "aside" / file.name
    assert f"{kept.parent.name}/{kept.name}" in again.notes[0].replace("\\", "/")
    assert kept.read_bytes() == damaged
    again.close()
    file.write_bytes(damaged)
    resume_game(session.name).close()
    assert len(list(kept.parent.iterdir())) == 2


@pytest.mark.parametrize(
    "start", [b"", b"not a save\n", b'{"cardwalk":"save/1","seed":-1}\n', b"\x00\x00\x00", b'{"cardw']
)
def test_a_damaged_first_line_is_kept_aside_and_named(data_folder, start):
    file = data_folder / "saves" / "old.jsonl"
    file.parent.mkdir(parents=True)
    file.write_bytes(start)
    with pytest.raises(SaveError, match="damaged from its first line"):
        resume_game("old")
    assert not file.exists()
    assert (data_folder / "saves" / "aside" / "old.jsonl").read_bytes() == start


def test_a_save_of_a_later_version_is_left_alone(data_folder):
    file = data_folder / "saves" / "old.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text('{"cardwalk":"save/2"}\n')
    with pytest.raises(SaveError, match="later version"):
        resume_game("old")
    assert file.read_text() == '{"cardwalk":"save/2"}\n'
    assert saves.listing()[0].state == "newer"


def test_a_disk_that_is_full_is_told_and_nothing_is_lost_when_it_has_room_again(deck, monkeypatch):
    session = new_game(deck, seed=3)
    write = saves.Save._write

    def full(self, data):
        self._file.write(data[:5])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saves.Save, "_write", full)
    session.answer("choose 1")
    assert "No space left" in session.trouble
    session.roll()
    monkeypatch.setattr(saves.Save, "_write", write)
    while isinstance(session.prompt, Roll):
        session.roll()
    session.answer(answers(session.prompt)[-1])
    assert session.trouble == ""
    session.close()
    again = resume_game()
    assert again.state == session.state
    again.close()


def test_the_second_to_open_a_save_is_told(saved):
    first = resume_game(saved.name)
    with pytest.raises(SaveError, match="being played by another process"):
        resume_game(saved.name)
    with pytest.raises(SaveError, match="being played by another process"):
        saves.delete(saved.name)
    first.close()
    resume_game(saved.name).close()


# -------------------------------------------------------------------- edited and moved decks


def test_an_option_that_moved_is_followed_by_its_words(deck, edit, texts):
    session = new_game(deck, seed=3)
    play(session, "choose 2")
    session.close()
    edit(one=texts["one"].replace("      - choose:\n", "      - choose:\n          - {say: Wait, reveal: 3}\n"))
    again = resume_game()
    assert again.answers[0].answer == "choose 3"
    assert again.state.hero == session.state.hero
    assert again.notes == ["The deck has changed since; the game was followed to where it stood."]
    again.close()
    third = resume_game()
    assert third.notes == []
    third.close()


def test_a_game_that_cannot_be_followed_stops_at_the_last_card_that_fits(deck, edit, texts, data_folder):
    session = new_game(deck, seed=3)
    play(session, "choose 2")
    while session.chapter == 1:
        play(session, answers(session.prompt)[0 if "keep" in answers(session.prompt) else -1])
    play(session, "choose 1")
    session.close()
    before = file_of(session).read_bytes()
    edit(two=texts["two"].replace("Follow them", "Run away screaming"))
    again = resume_game()
    assert again.chapter == 2
    assert again.card.title == "Landfall"
    assert "Follow them" in again.notes[0]
    assert (data_folder / "saves" / "aside" / f"{session.name}.jsonl").read_bytes() == before
    play(again, "choose 2")
    again.close()
    third = resume_game()
    assert third.notes == []
    assert third.prompt.kind == "neutral"
    third.close()


def test_a_deck_that_was_moved_is_named_again(deck, saved, tmp_path):
    deck.rename(tmp_path / "elsewhere")
    with pytest.raises(GameError, match="name it with --deck"):
        resume_game(saved.name)
    again = resume_game(saved.name, deck=tmp_path / "elsewhere")
    assert again.state == saved.state
    again.close()
    resume_game(saved.name).close()


def test_another_deck_is_refused(saved, edit, texts):
    other = edit(campaign=texts["campaign"].replace("id: lagoon", "id: sea"))
    with pytest.raises(GameError, match="belongs to the deck 'lagoon'"):
        resume_game(saved.name, deck=other)


def test_a_deck_that_now_has_errors_is_told_and_the_save_stays(saved, edit, texts):
    edit(one=texts["one"].replace("reveal: 2", "reveal: 200"))
    with pytest.raises(DeckError):
        resume_game(saved.name)
    edit()
    again = resume_game(saved.name)
    assert again.state == saved.state
    again.close()


def test_of_two_folders_with_one_id_the_one_that_was_played_is_found(deck, saved, edit, texts, tmp_path):
    from shutil import copytree

    copy = copytree(deck, tmp_path / "copy")
    (copy / "two.yaml").write_text(texts["two"].replace("It is your hut", "It is a hut"), encoding="utf-8")
    newer = new_game(copy, seed=1)
    newer.answer("choose 1")
    newer.close()
    assert shelf.remembered("lagoon")[0].parent == copy.resolve()
    again = resume_game(saved.name)
    assert again.notes == []
    again.close()


# -------------------------------------------------------------------- the list


def test_saves_are_found_by_how_their_name_begins(saved):
    assert saves.find(saved.name[:8]).stem == saved.name
    with pytest.raises(SaveError, match="did you mean"):
        saves.find(saved.name[:-1] + "x")
    with pytest.raises(SaveError, match="lists them"):
        saves.find("zebra")


def test_the_list_tells_where_each_game_stands(saved, position):
    (info,) = saves.listing()
    assert (info.name, info.title, info.deck, info.seed, info.state) == (saved.name, "The Lagoon", "lagoon", 3, "ok")
    assert info.answers == len(saved.answers)
    assert info.chapter == 1
    assert json.loads(json.dumps(info.json()))["name"] == saved.name


def test_export_and_import_copy_a_save_and_overwrite_nothing(saved, tmp_path):
    data = saves.export(saved.name)
    outside = tmp_path / f"{saved.name}.jsonl"
    outside.write_bytes(data)
    name = saves.import_file(outside)
    assert name == f"{saved.name}-2"
    again = resume_game(name)
    assert again.state == saved.state
    again.close()
    assert saves.export(saved.name) == data


@pytest.mark.parametrize(
    ("content", "why"), [(b"hello\n", "no save"), (b"", "no save"), (b'{"cardwalk":"save/9"}\n', "later version")]
)
def test_what_is_no_save_is_not_imported(tmp_path, content, why):
    file = tmp_path / "x.jsonl"
    file.write_bytes(content)
    with pytest.raises(SaveError, match=why):
        saves.import_file(file)
    assert saves.listing() == []


def test_a_file_larger_than_any_save_is_not_imported(saved, tmp_path, monkeypatch):
    file = tmp_path / "x.jsonl"
    file.write_bytes(saves.export(saved.name))
    monkeypatch.setattr(saves, "LARGEST", file.stat().st_size - 1)
    with pytest.raises(SaveError, match="is no save of Cardwalk: it is larger than"):
        saves.import_file(file)


def test_a_damaged_save_is_not_imported(saved, tmp_path):
    file = tmp_path / "x.jsonl"
    file.write_bytes(saves.export(saved.name) + b"rubbish\n")
    with pytest.raises(SaveError, match=r":\d+: the line is damaged"):
        saves.import_file(file)


def test_delete_removes_a_save(saved):
    assert saves.delete(saved.name[:-2]) == saved.name
    assert saves.listing() == []


def test_a_link_in_a_circle_hides_itself_alone():
    folder = saves.saves_folder()
    folder.mkdir(parents=True, exist_ok=True)
    before = {save.name for save in saves.listing()}
    loop = folder / f"loop{saves.ENDING}"
    loop.symlink_to(loop)
    try:
        assert {save.name for save in saves.listing()} == before
    finally:
        loop.unlink()
