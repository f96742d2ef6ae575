# An answer to the challenge: takes the move that puts the most seeds into its store at once.


def stored(board, cell):
    """How many seeds a move puts into the own store."""
    board = board[:]
    seeds = board[cell]
    board[cell] = 0
    last = cell
    for _ in range(seeds):
        last = (last + 1) % 14
        board[last] += 1
    if last < 6 and board[last] == 1:
        board[6] += board[last] + board[12 - last]
    return board[6]


def move(board):
    cells = [cell for cell in range(6) if board[cell] > 0]
    return max(cells, key=lambda cell: stored(board, cell))
