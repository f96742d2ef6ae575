# Takes a move that ends in the own store, else the last house.


def move(board):
    cells = [cell for cell in range(6) if board[cell] > 0]
    again = [cell for cell in cells if (cell + board[cell]) % 14 == 6]
    return (again or cells)[-1]
