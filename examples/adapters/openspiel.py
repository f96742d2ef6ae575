"""Lets OpenSpiel's agents play, or a Python function from an OpenSpiel state to an action.

    mancala match --rules kalah "venv/bin/python examples/adapters/openspiel.py --agent mcts" builtin:easy
    mancala match --rules kalah "venv/bin/python examples/adapters/openspiel.py player.py" builtin:easy

`python3 -m venv venv && venv/bin/pip install open_spiel` is all it needs. The function is the only
one in its file that takes one argument, or the one that --function names. OpenSpiel's `mancala` has
the rules of --rules kalah. Where a round begins at its opening, the state is OpenSpiel's own, kept
in step with the referee and compared at every turn; from any other position it is `PythonState`
below, which knows the same methods.
"""

import argparse
import importlib.util
import inspect
import json
import os
import random
import sys

try:
    import numpy
    import pyspiel
    from open_spiel.python.algorithms import mcts, minimax
except ImportError as error:
    sys.exit(f"openspiel.py: {error}; `pip install open_spiel` into the Python that runs this")

STANDARD = [4] * 6 + [0] + [4] * 6 + [0]
RULES = {"opponent_store": "skip", "direction": "forward", "empty_capture": False}
GAME = pyspiel.load_game("mancala")


def action_of(player, house):
    """The action for a house, 0 to 5, of a player: OpenSpiel numbers the 14 cells from player 1's
    store, then player 0's houses, its store, and player 1's houses."""
    return house + 1 if player == 0 else house + 8


class PythonState:
    """The game `mancala` from any position, with the methods of OpenSpiel's states that its Python
    agents use."""

    def __init__(self, cells, player):
        self.cells = list(cells)  # as OpenSpiel numbers them
        self.player = player

    def clone(self):
        return PythonState(self.cells, self.player)

    def child(self, action):
        child = self.clone()
        child.apply_action(action)
        return child

    def get_game(self):
        return GAME

    def num_players(self):
        return 2

    def is_chance_node(self):
        return False

    def is_simultaneous_node(self):
        return False

    def is_terminal(self):
        return not any(self.cells[1:7]) or not any(self.cells[8:14])

    def current_player(self):
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.player

    def legal_actions(self, player=None):
        if self.is_terminal() or player not in (None, self.player):
            return []
        houses = range(1, 7) if self.player == 0 else range(8, 14)
        return [cell for cell in houses if self.cells[cell] > 0]

    def apply_action(self, action):
        own, other = (7, 0) if self.player == 0 else (0, 7)
        cell, seeds = action, self.cells[action]
        self.cells[action] = 0
        while seeds > 0:
            cell = (cell + 1) % 14
            if cell != other:
                self.cells[cell] += 1
                seeds -= 1
        is_own_house = 1 <= cell <= 6 if self.player == 0 else 8 <= cell <= 13
        facing = 14 - cell
        if is_own_house and self.cells[cell] == 1 and self.cells[facing] > 0:
            self.cells[own] += 1 + self.cells[facing]
            self.cells[cell] = self.cells[facing] = 0
        if cell != own:
            self.player = 1 - self.player

    def scores(self):
        return [sum(self.cells[1:8]), self.cells[0] + sum(self.cells[8:14])]

    def returns(self):
        if not self.is_terminal():
            return [0.0, 0.0]
        zero, one = self.scores()
        value = float((zero > one) - (zero < one))
        return [value, -value]

    def player_return(self, player):
        return self.returns()[player]

    def observation_tensor(self, player=None):
        return [float(seeds) for seeds in self.cells]


def cells_of(state):
    """The 14 cells as OpenSpiel numbers them."""
    return [int(seeds) for seeds in state.observation_tensor(0)[:14]]


def lead(state, player):
    """What minimax strives for where it does not see the end: the lead, scaled below a win."""
    cells = cells_of(state)
    return (cells[7] - cells[0]) * (1 if player == 0 else -1) / 1000


class Table:
    """A round as one of its players sees it."""

    def __init__(self, board, is_first):
        self.player = 0 if is_first else 1
        if board == STANDARD:
            self.state = GAME.new_initial_state()
        else:
            # The position is in this player's view, and player 0 begins.
            own, other = board[0:7], board[7:14]
            zero, one = (own, other) if is_first else (other, own)
            self.state = PythonState([one[6], *zero, *one[:6]], 0)

    def follow(self, moves):
        for move in moves:
            player = self.player if move["by"] == "you" else 1 - self.player
            action = action_of(player, move["move"])
            if self.state.current_player() != player or action not in self.state.legal_actions():
                sys.exit(f"openspiel.py: OpenSpiel and the referee differ: {move} is not a legal"
                         f" action in\n{self.state}")
            self.state.apply_action(action)

    def compare(self, turn):
        cells = cells_of(self.state)
        zero, one = cells[1:8], cells[8:14] + cells[0:1]
        board = zero + one if self.player == 0 else one + zero
        legal = [action_of(self.player, house) for house in turn["legal"]]
        if board != turn["board"] or list(self.state.legal_actions()) != legal:
            sys.exit(f"openspiel.py: OpenSpiel and the referee differ: the referee's board is"
                     f" {turn['board']} with the houses {turn['legal']} legal, OpenSpiel's {board}"
                     f" with the actions {list(self.state.legal_actions())}")


def agents(options):
    """The agents by name, each a function from a state to an action."""
    def of_mcts():
        chance = numpy.random.RandomState(options.seed)
        bot = mcts.MCTSBot(GAME, 2, options.simulations,
                           mcts.RandomRolloutEvaluator(1, chance), random_state=chance)
        return bot.step

    def of_minimax():
        def choose(state):
            player = state.current_player()
            return minimax.alpha_beta_search(
                GAME, state, lambda state: lead(state, player), options.depth, player)[1]
        return choose

    def of_random():
        chance = random.Random(options.seed)
        return lambda state: chance.choice(state.legal_actions())

    return {"mcts": of_mcts, "minimax": of_minimax, "random": of_random}[options.agent]()


def load(path, wanted):
    """The function in a file that chooses an action."""
    if not os.path.isfile(path):
        sys.exit(f"openspiel.py: {path}: no such file")
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location("player", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["player"] = module
    spec.loader.exec_module(module)
    functions = {
        name: value for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == "player"
        and len(inspect.signature(value).parameters) == 1
    }
    if wanted is not None:
        if wanted not in functions:
            sys.exit(f"openspiel.py: {path} defines no function {wanted} with one argument")
        return functions[wanted]
    if len(functions) != 1:
        names = ", ".join(functions) or "none"
        sys.exit(f"openspiel.py: {path} has to define one function with one argument, or take"
                 f" --function NAME; it defines {names}")
    return next(iter(functions.values()))


def answer(action, player, legal):
    """Return what to answer the referee when the agent has chosen this action."""
    try:
        if isinstance(action, bool):
            raise TypeError
        house = int(action) - action_of(player, 0)
    except (TypeError, ValueError):
        text = repr(action)
        text = text if len(text) <= 100 else text[:100] + "..."
        return forfeit(None, "no_action", f"the agent returned {text}, which is no action")
    if house in legal:
        return house
    words = f"the agent of player {player} returned action {action}, which is not legal"
    return forfeit(house, "illegal_action", words)


def forfeit(move, code, words):
    """Return an answer that forfeits, with what the agent did in its author's own terms."""
    return {"move": move, "info": {"adapter": {"code": code, "words": words}}}


class OneLineParser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{self.prog}: {message}; try --help\n")


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def main():
    parser = OneLineParser(prog="openspiel.py", description=__doc__,
                           formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE.py", nargs="?", help="the file with the function")
    parser.add_argument("--function", metavar="NAME", help="the function to play with")
    parser.add_argument("--agent", choices=["mcts", "minimax", "random"], help="an agent instead")
    parser.add_argument("--simulations", type=positive, default=200, metavar="N",
                        help="simulations a move, with mcts [default: 200]")
    parser.add_argument("--depth", type=positive, default=4, metavar="N",
                        help="moves to look ahead, with minimax [default: 4]")
    parser.add_argument("--seed", type=int, metavar="N", help="plays the same game again")
    options = parser.parse_args()
    if (options.file is None) == (options.agent is None):
        parser.error("give a FILE.py or an --agent, one of the two")

    # Not closed before the process has ended, or the referee would see that first.
    protocol = os.fdopen(os.dup(1), "w", encoding="utf-8", closefd=False)
    os.dup2(2, 1)  # what the agent prints goes to stderr, away from the protocol
    messages = os.fdopen(os.dup(0), encoding="utf-8")  # exit() closes sys.stdin
    choose = agents(options) if options.file is None else load(options.file, options.function)
    table = None
    for line in messages:
        message = json.loads(line)
        if message.get("type") == "start":
            given = {name: message["rules"][name] for name in RULES}
            if given != RULES:
                sys.exit("openspiel.py: OpenSpiel's mancala has the rules of --rules kalah; this"
                         f" round has {json.dumps(given)}")
            table = Table(message["board"], message["first"])
        elif message.get("type") == "turn":
            if table is None:
                table = Table(message["board"], True)  # a lone turn, tried by hand
            table.follow(message.get("moves", []))
            table.compare(message)
            try:
                action = choose(table.state.clone())
                answered = answer(action, table.player, message["legal"])
            except SystemExit as end:
                if isinstance(end.code, str):
                    print(end.code, file=sys.stderr)  # As Python does at such an end.
                words = "the agent ended the program with exit(); return an action instead"
                answered = forfeit(None, "exits", words)
            print(json.dumps(answered), file=protocol, flush=True)


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)
