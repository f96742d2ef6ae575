"""Lets a Python player with a method chooseMove(board) play, in the manner of Northwestern's
assignment: behind lines.py, beside the assignment's MancalaBoard.py and the player's file.

    python3 examples/adapters/lines.py python3 player.py MODULE CLASS [TYPE [PLY]]

TYPE is the number of a kind of player (default 4, the assignment's CUSTOM), PLY its depth.
"""

import contextlib
import importlib
import os
import sys

sys.path.insert(0, os.getcwd())
sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[1])))
module = importlib.import_module(os.path.splitext(os.path.basename(sys.argv[1]))[0])
board_class = importlib.import_module("MancalaBoard").MancalaBoard
player = getattr(module, sys.argv[2])(1, *map(int, sys.argv[3:] or ["4"]))

for line in sys.stdin:
    cells = list(map(int, line.split()))
    board = board_class()
    board.P1Cups, board.P2Cups = cells[0:6], cells[7:13]
    board.scoreCups = [cells[6], cells[13]]
    # What the player prints is not its answer.
    with contextlib.redirect_stdout(sys.stderr):
        cup = player.chooseMove(board)
    print(cup, flush=True)
