# Counts the houses from 1.


def move(board):
    houses = [house for house in range(1, 7) if board[house - 1] > 0]
    return houses[-1]
