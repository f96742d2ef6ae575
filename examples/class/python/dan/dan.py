# Prints what it thinks, which does no harm behind the adapter.


def move(board):
    cells = [cell for cell in range(6) if board[cell] > 0]
    print("I could play", cells)
    return max(cells, key=lambda cell: board[cell])
