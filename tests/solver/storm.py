"""An encounter as a Markov decision process for the model checker Storm (https://www.stormchecker.org), state by state.

``python -m tests.solver.storm FILE`` prints the least expected objective, in floating point.
"""

import json
import sys
from fractions import Fraction

import stormpy
from stormpy.datastructures import SparseMatrixBuilder
from stormpy.models import SparseMdp, SparseModelComponents, SparseRewardModel, StateLabeling

from story.load import load_encounter
from story.playfield.table import EncounterTable
from story.prompts import Over, Roll

DONE = 0
"""The number of the absorbing state that follows every end of the encounter."""
START = 1


class Model:
    """Every state that an encounter can reach, by the rules alone: a number for each question, a row for each choice.

    ``rows[n]`` are the choices of state ``n``, each (number of a state, probability) pairs; ``costs[n]`` is the
    objective of an end.
    """

    def __init__(self, file, *, death=None, food="priced"):
        table = EncounterTable(file)
        start = table.start()
        prices = [kind.price if food == "priced" else 0 for kind in file.library.foods]
        self.rows = [[((DONE, 1),)]]
        self.costs = {}
        self.lost = []
        numbers = {start: START}
        found = [start]
        shared = {}  # one object for each probability: there are few of them and millions of uses

        def row(here, chances):
            entries = {}
            for answer, chance in chances:
                after = table.answer(here, answer)
                if after not in numbers:
                    numbers[after] = len(numbers) + START
                    found.append(after)
                number = numbers[after]
                entries[number] = entries.get(number, 0) + chance
            return tuple([(to, shared.setdefault(chance, chance)) for to, chance in sorted(entries.items())])

        for number, here in enumerate(found, START):  # it grows
            prompt = table.prompt(here)
            if isinstance(prompt, Over):
                self.rows.append([((DONE, 1),)])
                wounds = here.hero.wounds
                if here.hero.lost:
                    wounds = here.hero.wound_limit if death is None else death
                    self.lost.append(number)
                gone = [had - has for had, has in zip(start.hero.satchel, here.hero.satchel, strict=True)]
                self.costs[number] = Fraction(wounds) + sum(n * price for n, price in zip(gone, prices, strict=True))
            elif isinstance(prompt, Roll):
                self.rows.append([row(here, prompt.chances())])
            else:
                choices = [option.answer for option in prompt.options]
                if food == "none":
                    choices = [answer for answer in choices if not answer.startswith("eat ")]
                self.rows.append([row(here, ((answer, 1),)) for answer in choices])

    def value(self, number=stormpy.Rational):
        """The least expected objective: an exact fraction, or with ``float`` as precise as Storm's sound methods."""
        return self._least_cost(self.rows, number)

    def safest(self):
        """(least probability of losing, least expected objective of those who play for that), exact fractions."""
        chances = self._check(self.rows, stormpy.Rational, 'Pmin=? [F "lost"]', {})
        # Whoever never makes a move that loses more than it must plays for survival, and nobody else does.
        kept = [
            [row for row in rows if len(rows) == 1 or sum(p * chances[to] for to, p in row) == chance]
            for rows, chance in zip(self.rows, chances, strict=True)
        ]
        return chances[START], self._least_cost(kept, stormpy.Rational)

    def _least_cost(self, rows, number):
        # Storm takes no negative rewards, and food earned is one: every way ends once, so all ends are raised alike.
        least = min(0, *self.costs.values())
        rewards = {n: cost - least for n, cost in self.costs.items()}
        return self._check(rows, number, 'R{"cost"}min=? [F "done"]', rewards)[START] + least

    def _check(self, rows, number, formula, rewards):
        """What Storm finds, for every state; the arithmetic is that of ``number``."""
        exact = number is not float

        def convert(n):
            return number(str(n)) if exact else float(n)

        builder = SparseMatrixBuilder[number](
            rows=sum(map(len, rows)), columns=len(rows), has_custom_row_grouping=True, row_groups=len(rows)
        )
        line = 0
        for choices in rows:
            builder.new_row_group(line)
            for entries in choices:
                for to, chance in entries:
                    builder.add_next_value(line, to, convert(chance))
                line += 1
        labels = StateLabeling(len(rows))
        for label, states in (("init", [START]), ("done", [DONE]), ("lost", self.lost)):
            labels.add_label(label)
            for state in states:
                labels.add_label_to_state(label, state)
        costs = [convert(rewards.get(state, 0)) for state in range(len(rows))]
        model = SparseMdp[number](
            SparseModelComponents[number](
                transition_matrix=builder.build(),
                state_labeling=labels,
                reward_models={"cost": SparseRewardModel[number](optional_state_reward_vector=costs)},
            )
        )
        (asked,) = stormpy.parse_properties(formula)
        # Storm is exact with rational numbers and sound with floating point unless told otherwise.
        result = stormpy.model_checking(model, asked)
        values = [result.get_value(state) for state in range(len(rows))]
        return [Fraction(str(value)) for value in values] if exact else values


def main():
    """Solve a file in floating point."""
    model = Model(load_encounter(sys.argv[1]))
    print(json.dumps({"value": float(model.value(float)), "states": len(model.rows)}))


if __name__ == "__main__":
    main()
