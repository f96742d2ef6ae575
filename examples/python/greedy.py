"""Greedy: chooses the house that leaves the most seeds in its own store.

Try it:

    mancala match "python3 examples/python/greedy.py" builtin:easy

The referee sends one JSON object a line. Only "turn" wants an answer: one line
with the house to play. For a bot of your own, begin with `choose`.
"""

import json
import sys

# The board is a list of 14 cells, always seen from our side: our houses are
# 0 to 5 and our store is 6, the opponent's houses are 7 to 12 and its store is 13.
# House c faces house 12 - c.
OWN_STORE = 6
OPPONENT_STORE = 13

# What the `start` message says about the rules; these hold until one arrives.
LEARNEROO = {"opponent_store": "sow", "direction": "forward", "empty_capture": True}


def play(board, house, rules):
    """Return the board after the move; the board that was passed in stays as it is."""
    board = board.copy()
    seeds, board[house] = board[house], 0

    # Sow one seed a cell. Where the direction is free ("either"), we go forward.
    step = -1 if rules["direction"] == "backward" else 1
    cell = house
    while seeds > 0:
        cell = (cell + step) % 14
        if cell == OPPONENT_STORE and rules["opponent_store"] == "skip":
            continue
        board[cell] += 1
        seeds -= 1

    # The last seed in an own house that was empty captures the facing house.
    if cell < OWN_STORE and board[cell] == 1:
        facing = 12 - cell
        if board[facing] > 0 or rules["empty_capture"]:
            board[OWN_STORE] += board[cell] + board[facing]
            board[cell] = board[facing] = 0

    return board


def choose(board, legal, rules):
    """Return the best legal house; `max` takes the first one when several are as good."""
    return max(legal, key=lambda house: play(board, house, rules)[OWN_STORE])


def main():
    rules = LEARNEROO
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            if message["protocol"] != 1:
                sys.exit(f"greedy.py knows no version {message['protocol']} of the protocol")
            rules = message["rules"]
        elif message["type"] == "turn":
            # Without the flush the answer would wait in a buffer, and we would lose on time.
            print(choose(message["board"], message["legal"], rules), flush=True)


if __name__ == "__main__":
    main()
