"""Why the best play is the best, in sentences."""

from runner.advice import reasons
from runner.advice_view import table_rows
from solver.solution import ActionValue, Solution


def solution(*actions, best, objective="wounds", exact=True):
    ranked = tuple(ActionValue(answer, value, p) for answer, value, p in actions)
    value, p = ranked[0].value, ranked[0].p_defeat
    return Solution(objective, "priced", exact, value, value, value, p, value, best=best, actions=ranked)


def test_the_end_and_the_next_best_are_what_it_is_held_against():
    found = solution(
        ("dodge", 0.5, 0), ("step 2", 0.5, 0), ("heal", 0.504, 0), ("end", 1.25, 0), best=("dodge", "step 2")
    )
    assert reasons(found, {"heal": "Heal one wound"}) == [
        "Ending the turn here costs 0.75 more.",
        "2 actions are equally good.",
        "The next best (Heal one wound) costs under 0.01 more.",
    ]


def test_a_safer_action_is_named_with_its_price():
    found = solution(("dart nalu", 2.0, 0.12), ("dodge", 2.5, 0.03), ("end", 3.0, 0.2), best=("dart nalu",))
    assert reasons(found)[-1] == "The safest (dodge) loses 3 % instead of 12 % and costs 0.50 more."


def test_for_safety_the_risk_is_what_counts():
    found = solution(("dodge", 2.5, 0.03), ("dart nalu", 2.0, 0.12), best=("dodge",), objective="survive")
    assert reasons(found) == ["The next best (dart nalu) loses 9 % more often."]


def test_ending_the_turn_and_no_choice_at_all_have_their_own_words():
    assert reasons(solution(("end", 0.0, 0), ("heal", 0.5, 0), best=("end",)))[0] == (
        "Nothing is worth more than ending the turn here."
    )
    assert reasons(solution(("end", 0.0, 0), ("heal", 0.0, 0), best=("end", "heal"))) == [
        "Whatever you do comes to the same."
    ]


def test_bounds_give_no_reasons():
    assert reasons(solution(("end", 0.0, 0), ("heal", 0.5, 0), best=("end",), exact=False)) == []


def test_a_chance_to_lose_that_is_not_known_is_not_told():
    known = ActionValue("end", 0.5, 0.25, 0.5, 0.5)
    bounded = ActionValue("dodge", 0.9, 1.0, 0.1, 0.9)
    found = Solution("wounds", "priced", False, 0.5, 0.1, 0.5, 0.25, 0.5, best=("end",), actions=(known, bounded))
    rows = table_rows(found, {})
    assert rows[0].note.split() == ["0.50", "25", "%"]
    assert rows[1].note.split() == ["0.10", "–", "0.90", "unknown"]
