"""A program that is started for every move, with the board as 14 arguments: it plays its last house
that has seeds."""

import sys

houses = list(map(int, sys.argv[1:7]))
print(max(house for house in range(1, 7) if houses[house - 1] > 0))
