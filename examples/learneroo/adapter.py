"""Makes a bot of an answer to Learneroo's Mancala challenge: a Python function that is given the
board, a list of 14 numbers, and returns the cell to play, 0 to 5.

    mancala match "python3 examples/learneroo/adapter.py answer.py" builtin:easy

Cells 0 to 5 are the function's own, 6 is its store, 7 to 12 are the opponent's and 13 is the
opponent's store. The function may print: what it prints goes to stderr, away from the protocol.
"""

import argparse
import importlib.util
import inspect
import json
import operator
import os
import sys
import traceback
from importlib.machinery import SourceFileLoader

# The function to play with, where a file defines several: the first of these that it has.
USUAL_NAMES = ["mancala", "move", "get_move", "choose_move", "next_move", "best_move", "make_move",
               "choose", "play", "solve"]


def take_over_streams():
    """Return the protocol's two streams; the answer is left with an empty stdin, and with stderr
    as its stdout."""
    protocol_in = os.fdopen(os.dup(0), encoding="utf-8")
    # Not closed before the process has ended, or the referee would see that first.
    protocol_out = os.fdopen(os.dup(1), "w", encoding="utf-8", closefd=False)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return protocol_in, protocol_out


def load(path):
    """Run the answer's file and return it as a module."""
    if not os.path.isfile(path):
        sys.exit(f"{path}: no such file")
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    name = "learneroo_answer"
    loader = SourceFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except Exception:
        traceback.print_exc()
        sys.exit(f"{path}: the file cannot be run, see above")
    return module


def takes_one_argument(function):
    try:
        inspect.signature(function).bind([])
    except TypeError:
        return False
    return True


def find_function(module, path, wanted):
    """Return the function to play with: the one asked for, the only one that can be called with a
    board, or the first with a usual name."""
    if wanted is not None:
        function = getattr(module, wanted, None)
        if not callable(function):
            sys.exit(f"{path} defines no function {wanted}")
        return function

    functions = {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value)
        and value.__module__ == module.__name__
        and takes_one_argument(value)
    }
    if not functions:
        sys.exit(f"{path} defines no function that takes a board")
    if len(functions) == 1:
        return next(iter(functions.values()))
    for name in USUAL_NAMES:
        if name in functions:
            return functions[name]
    sys.exit(
        f"{path} defines more than one function that takes a board: {', '.join(functions)};"
        " choose with --function NAME"
    )


def answer(function, board):
    """Return what to answer: the cell, or why there is none. The referee quotes it in the fault's
    detail."""
    try:
        returned = function(list(board))
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)  # As Python does at such an end.
        words = f"{function.__name__} ended the program with exit(); return a cell instead"
        return forfeit(None, "exits", words)
    try:
        if isinstance(returned, bool):
            raise TypeError
        cell = operator.index(returned)
    except TypeError:
        words = f"{function.__name__} returned {shown(returned)}, which is no cell; cells are 0 to 5"
        return forfeit(None, "no_number", words)
    if not 0 <= cell <= 5:
        words = f"{function.__name__} returned {shown(cell)}, which is no cell; cells are 0 to 5"
        # A larger number would not be JSON for every reader.
        return forfeit(max(-2**63, min(cell, 2**63 - 1)), "no_cell", words)
    if board[cell] == 0:
        held = ", ".join(map(str, board[:6]))
        words = f"{function.__name__} returned cell {cell}, which is empty; cells 0 to 5 held {held}"
        return forfeit(cell, "empty_cell", words)
    return cell


def shown(value):
    try:
        text = repr(value)
    except Exception:  # Python shows no number of more than 4300 digits.
        return "a value that cannot be shown"
    return text if len(text) <= 100 else text[:100] + "..."


def forfeit(move, code, words):
    """Return an answer that forfeits, with what the function did in its author's own terms."""
    return {"move": move, "info": {"adapter": {"code": code, "words": words}}}


def main():
    parser = argparse.ArgumentParser(
        description="Plays with a Python function from a board of 14 cells to a cell 0 to 5."
    )
    parser.add_argument("file", metavar="ANSWER.py", help="the file that defines the function")
    parser.add_argument("--function", metavar="NAME", help="the function to play with")
    options = parser.parse_args()

    protocol_in, protocol_out = take_over_streams()
    function = find_function(load(options.file), options.file, options.function)
    for line in protocol_in:
        message = json.loads(line)
        if message.get("type") == "turn":
            print(json.dumps(answer(function, message["board"])), file=protocol_out, flush=True)


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)
