"""Why the best play is the best, in sentences."""

from runner.advice import advice_lines, reasons, told_apart, verdict
from runner.advice_view import span, table_rows, verdict_lines
from runner.view import plain
from solver.solution import ENDLESS, STOPPED, ActionValue, Solution


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
    known = ActionValue("end", 0.5, 0.25)
    bounded = ActionValue("dodge", 0.9, 1.0, 0.1, 0.9)
    found = Solution("wounds", "priced", False, 0.5, 0.1, 0.5, 0.25, 0.5, best=("end",), actions=(known, bounded))
    rows = table_rows(found, {})
    assert rows[0].note.split() == ["0.50", "25", "%"]
    assert rows[1].note.split() == ["0.10", "–", "0.90", "unknown"]


def test_bounds_that_have_met_are_a_value():
    met = ActionValue("end", 0.5, 1.0, 0.5, 0.5)
    found = Solution("wounds", "priced", False, 0.5, 0.5, 0.5, 1.0, 0.5, best=("end",), actions=(met,), limit="2 s")
    assert verdict(found) == (
        "Not all is known, stopped by its limit (2 s): the value is 0.5000, the chance to lose is not known."
    )
    assert table_rows(found, {})[0].note.split() == ["0.50", "unknown"]
    assert "100 %" not in "\n".join(advice_lines(found))


def test_bounds_have_the_decimals_that_tell_them_apart():
    assert span(0.4, 2.1) == ("0.40", "2.10")
    assert span(0.0, 0.004) == ("0.000", "0.004")
    assert span(-1e-13, 0.0002) == ("0.0000", "0.0002")
    assert span(0.0, 0.00002) == ("under 0.0001",)
    assert span(1.23456, 1.23457) == ("1.2346",)


def bounded(*actions, best=(), **more):
    values = tuple(ActionValue(answer, high, 1.0, low, high) for answer, low, high in actions)
    return Solution("wounds", "priced", False, 9.0, 0.0, 9.0, 1.0, 9.0, best=best, actions=values, **more)


def test_no_list_is_told_where_its_order_means_nothing():
    assert advice_lines(bounded(("a", 0, 9), ("b", 0, 9), limit="2 s")) == [
        "Not exact, stopped by its limit (2 s): the value is between 0.0000 and 9.0000.",
        "Nothing tells one action from another yet.",
    ]


def test_actions_are_ranked_only_where_something_tells_them_apart():
    assert not told_apart(bounded(("a", 0, 9), ("b", 0, 9)))
    assert not told_apart(bounded(("a", 0, 3), ("b", 0, 9)))
    assert told_apart(bounded(("a", 0, 3), ("b", 0, 9), best=("a",)))
    assert told_apart(solution(("a", 1, 0), ("b", 1, 0), best=("a", "b")))
    assert told_apart(bounded(("end", 0, 9)))


def test_what_is_not_listed_is_counted_in_words_that_are_true():
    many = [(f"step {n}", n, 0) for n in range(10)]
    assert table_rows(solution(*many, best=("step 0",)), {})[-1].say == "and 1 more, not better"
    assert table_rows(solution(*many, ("x", 11, 0), best=("step 0",)), {})[-1].say == "and 2 more, none better"
    known = bounded(*((f"step {n}", 0, n) for n in range(12)), best=("step 0",))
    assert table_rows(known, {})[-1].say == "and 3 more, not known to be better"
    assert not table_rows(known, {})[-1].answer


def test_the_marked_action_is_listed_wherever_it_ranks():
    many = [(f"step {n}", n, 0) for n in range(14)]
    rows = table_rows(solution(*many, best=("step 0",)), {}, mark="step 12")
    assert [row.answer for row in rows[-2:]] == ["step 12", ""]
    assert rows[-1].say == "and 4 more, none better"


def test_a_search_that_was_stopped_is_called_so():
    found = bounded(("a", 0, 9), seconds=3.2, limit=STOPPED)
    assert plain(verdict_lines(found, 80, {})[0]).startswith("Stopped after 3 s: between 0.00 and 9.00.")


def test_what_stopped_a_search_is_told_where_it_was_not_the_time():
    def told(limit):
        return " ".join(plain(line) for line in verdict_lines(ranked(limit), 200, {}))

    def ranked(limit):
        return bounded(("a", 0, 3), ("b", 0, 9), best=("a",), seconds=10.0, limit=limit)

    assert told("10 s") == "Not exact: between 0.00 and 9.00 after 10 s. The order may still change."
    assert "between 0.00 and 9.00 after 10 s, stopped by its limit (memory). The order" in told("memory")
    assert told(ENDLESS) == f"Not exact: between 0.00 and 9.00, as {ENDLESS}."


def test_the_slow_way_is_named():
    found = bounded(("end", 0, 9), reference="121 AP at once")
    assert "121 AP at once" in " ".join(plain(line) for line in verdict_lines(found, 80, {}))
