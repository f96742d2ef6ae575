// An answer to the challenge: leaves the opponent as little to capture as it can, and prefers
// moves that win seeds.

class Solution {
    static int[] after(int[] board, int cell) {
        int[] next = board.clone();
        int seeds = next[cell];
        next[cell] = 0;
        int last = cell;
        for (; seeds > 0; seeds--) {
            last = (last + 1) % 14;
            next[last]++;
        }
        if (last < 6 && next[last] == 1) {
            next[6] += 1 + next[12 - last];
            next[last] = 0;
            next[12 - last] = 0;
        }
        return next;
    }

    /** Seeds in own cells that face an empty cell: those the opponent may capture. */
    static int exposed(int[] board) {
        int sum = 0;
        for (int cell = 0; cell < 6; cell++) {
            if (board[12 - cell] == 0) {
                sum += board[cell];
            }
        }
        return sum;
    }

    int move(int[] board) {
        int best = -1;
        int bestValue = 0;
        for (int cell = 0; cell < 6; cell++) {
            if (board[cell] == 0) {
                continue;
            }
            int[] next = after(board, cell);
            int value = 2 * next[6] - exposed(next);
            if (best < 0 || value > bestValue) {
                best = cell;
                bestValue = value;
            }
        }
        System.out.println("cell " + best + ", worth " + bestValue);
        return best;
    }
}
