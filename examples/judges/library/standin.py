"""Three games with the interface of OpenSpiel's Python module, as much of it as the judge uses."""

class Game:
    def __init__(self, state):
        self.new_initial_state = state

    def num_players(self):
        return 2

class State:
    """What most games have in common; a game overrides what is different in it."""

    def __init__(self):
        self.actions = []

    def apply_action(self, action):
        self.actions.append(action)

    def is_chance_node(self):
        return False

    def is_simultaneous_node(self):
        return False

class TicTacToe(State):
    LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def current_player(self):
        return len(self.actions) % 2

    def legal_actions(self, player):
        return [cell for cell in range(9) if cell not in self.actions]

    def action_to_string(self, player, action):
        return f"{'xo'[player]}({action // 3},{action % 3})"

    def winner(self):
        has = [set(self.actions[player::2]) for player in (0, 1)]
        won = [player for player in (0, 1) if any(has[player].issuperset(line) for line in self.LINES)]
        return won[0] if won else None

    def is_terminal(self):
        return self.winner() is not None or len(self.actions) == 9

    def returns(self):
        return [0.0, 0.0] if self.winner() is None else [1.0 - 2 * self.winner(), 2.0 * self.winner() - 1]

    def __str__(self):
        cells = "".join("xo"[self.actions.index(cell) % 2] if cell in self.actions else "." for cell in range(9))
        return "\n".join(cells[row:row + 3] for row in (0, 3, 6))

    def observation_string(self, player):
        return str(self)

class KuhnPoker(State):
    """Each player gets one of three cards; then they pass or bet."""

    def is_chance_node(self):
        return len(self.actions) < 2

    def chance_outcomes(self):
        cards = [card for card in range(3) if card not in self.actions]
        return [(card, 1 / len(cards)) for card in cards]

    def bets(self):
        return "".join("pb"[action] for action in self.actions[2:])

    def current_player(self):
        return len(self.actions) % 2

    def legal_actions(self, player):
        return [0, 1]

    def action_to_string(self, player, action):
        return ["Pass", "Bet"][action]

    def is_terminal(self):
        return self.bets() in ("pp", "bb", "bp", "pbp", "pbb")

    def returns(self):
        bets = self.bets()
        if bets in ("bp", "pbp"):
            first = 1.0 if bets == "bp" else -1.0
        else:
            first = (2.0 if "bb" in bets else 1.0) * (1 if self.actions[0] > self.actions[1] else -1)
        return [first, -first]

    def observation_string(self, player):
        return f"card {self.actions[player]}, so far {self.bets() or 'nothing'}"

    def __str__(self):
        return " ".join([*map(str, self.actions[:2]), self.bets()]).strip()

class MatchingPennies(State):
    """Both show a side of a coin at once; the first player wins if they are the same."""

    def is_simultaneous_node(self):
        return not self.actions

    def apply_actions(self, actions):
        self.actions = actions

    def legal_actions(self, player):
        return [0, 1]

    def action_to_string(self, player, action):
        return ["Heads", "Tails"][action]

    def is_terminal(self):
        return bool(self.actions)

    def returns(self):
        first = 1.0 if self.actions[0] == self.actions[1] else -1.0
        return [first, -first]

    def observation_string(self, player):
        return "show a side"

    def __str__(self):
        return " ".join(["Heads", "Tails"][action] for action in self.actions) or "two coins"

GAMES = {"tic_tac_toe": TicTacToe, "kuhn_poker": KuhnPoker, "matching_pennies": MatchingPennies}

def load_game(name):
    return Game(GAMES[name])
