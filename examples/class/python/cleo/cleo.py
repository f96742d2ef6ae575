# Raises an exception when the houses on the left are empty.


def move(board):
    left = [cell for cell in range(3) if board[cell] > 0]
    return left[0]
