# A bot in the style of BUET's contest kit: the player number is the argument, every line of input is
# the board, every line of output a house.

import sys

player = int(sys.argv[1])
row = 0 if player == 1 else 7

while True:
    try:
        board = list(map(int, input().split()))
    except EOFError:
        break
    houses = [house for house in range(1, 7) if board[row + house - 1] > 0]
    free = [house for house in houses if board[row + house - 1] == 7 - house]
    print(max(free or houses), flush=True)
